"""What a turn is spent on: announcing actions, paying for them, and the actions that are no fighting."""

from __future__ import annotations

from typing import Any

from affray.ask import Why
from affray.modifiers import Modifier
from affray.rules import rule
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.commands import Declare, Other, Ready, Recover, Reload, Stand, TakeAim, Test
from affray.rulesets.rd6.damage import recover
from affray.rulesets.rd6.mechanics import test
from affray.rulesets.rd6.numbers import pool, stymied
from affray.rulesets.rd6.sheet import Aim, State
from affray.rulesets.rd6.telling import change, fighter, note
from affray.scene import Scene


@rule("RD6-RND-9")
def declare(scene: Scene[State], order: Declare) -> None:
    """So many actions this round."""
    change(scene, order.by, "RD6-RND-9", "declares", {"actions": order.actions}, declared=order.actions)


@rule("RD6-RND-9", "RD6-RND-10", "RD6-MOD-17")
def pay(scene: Scene[State], who: str, whole_round: bool = False, aiming: bool = False, keeps_aim: bool = False) -> None:
    """One action is used; a first action that was not announced is the only one. Any other action ends an aim."""
    me = fighter(scene, who)
    values: dict[str, Any] = {"declared": max(1, me.declared), "used": me.used + 1, "sat_out": False}
    values["turtled"] = False
    if whole_round:
        values |= {"exclusive": True, "used": max(1, me.declared)}
    if me.aim.rounds and not aiming and not keeps_aim:
        values["aim"] = Aim()
    change(scene, who, "RD6-RND-9", "", **values)


@rule("RD6-DICE-11")
def pay_points(scene: Scene[State], who: str, points: int) -> None:
    """Character Points put into a roll that was ordered."""
    if points:
        left = fighter(scene, who).character_points - points
        change(scene, who, "RD6-DICE-11", "points spent", {"points": points, "left": left}, character_points=left)


@rule("RD6-MOD-15", "RD6-MOD-16")
def aim(scene: Scene[State], order: TakeAim) -> None:
    """A whole round of following one target; consecutive rounds at the same target add up."""
    me = fighter(scene, order.by)
    pay(scene, order.by, whole_round=True, aiming=True)
    going_on = me.aim.target == order.target and me.aim.age == 1
    taken = Aim(order.target, me.aim.rounds + 1 if going_on else 1)
    change(scene, order.by, "RD6-MOD-15", "aims", {"target": order.target, "rounds": taken.rounds}, aim=taken, done=True)


@rule("RD6-WND-5")
def shake_off(scene: Scene[State], order: Recover) -> None:
    """An action to shake off a stun."""
    pay(scene, order.by)
    pay_points(scene, order.by, order.points)
    scene.become(order.by, recover, order.points)


def stand(scene: Scene[State], order: Stand) -> None:
    """Getting up takes an action."""
    pay(scene, order.by)
    change(scene, order.by, "RD6-SPC-19", "gets up", prone=False)


def reload(scene: Scene[State], order: Reload) -> None:
    """Loading takes an action."""
    pay(scene, order.by)
    loaded(scene, order.by, order.weapon, "RD6-RND-8")


def loaded(scene: Scene[State], who: str, weapon: str, why: str) -> None:
    """The weapon is ready to fire, with a full clip."""
    me = fighter(scene, who)
    clip = next((w.clip for w in me.sheet.weapons if w.name == weapon), 0)
    rounds = tuple((name, clip if name == weapon else left) for name, left in me.loaded)
    unready = tuple(name for name in me.unready if name != weapon)
    change(scene, who, why, "reloads", {"weapon": weapon}, loaded=rounds, unready=unready)


def ready(scene: Scene[State], order: Ready) -> None:
    """Drawing a weapon or picking one up takes an action."""
    me = fighter(scene, order.by)
    pay(scene, order.by)
    lost = tuple(entry for entry in me.lost if entry[0] != order.weapon)
    change(scene, order.by, "RD6-RND-8", "readies", {"weapon": order.weapon}, weapon=order.weapon, lost=lost)


@rule("RD6-DICE-7", "RD6-RND-7", "RD6-RND-8", "RD6-RND-12")
def make_test(scene: Scene[State], order: Test) -> None:
    """Any other test; terrain raises the Difficulty of a movement test."""
    if not order.free:
        pay(scene, order.by)
    pay_points(scene, order.by, order.points)
    me = fighter(scene, order.by)
    need = order.difficulty + tables.TERRAIN[order.terrain]
    more = (Modifier(order.bonus, "D", "bonus", "RD6-DICE-2"),) if order.bonus else ()
    dice, parts = pool(me, order.skill, more, action=not order.free)
    why = Why("test", "RD6-DICE-7", order.skill)
    hits = scene.call(test, dice, why, me.id, order.plus, order.points, stymied(me), parts)
    passed = hits >= need
    data = {"skill": order.skill, "successes": hits, "difficulty": need}
    data |= {"result": "passed" if passed else "failed", "result_points": hits - need if passed else 0}
    note(scene, me.id, "RD6-DICE-8" if passed else "RD6-DICE-7", "passed" if passed else "failed", data)


@rule("RD6-RND-7", "RD6-RND-8")
def other(scene: Scene[State], order: Other) -> None:
    """An action without a roll takes effect at once; what it does is the game master's to say."""
    pay(scene, order.by)
    note(scene, order.by, "RD6-RND-8", "does", {"text": order.text})
