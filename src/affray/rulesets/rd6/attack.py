"""The procedure of an attack: numbers gathered from the scene, the mechanic, what follows from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from affray.ask import ATTACKER, TARGET
from affray.rules import rule
from affray.rulesets.rd6.actions import pay, pay_points
from affray.rulesets.rd6.commands import AllOut, Attack, Charge, Tackle
from affray.rulesets.rd6.damage import receive, rung, soak
from affray.rulesets.rd6.mechanics import Outcome, resolve, strike
from affray.rulesets.rd6.movement import approach
from affray.rulesets.rd6.numbers import Option, circumstances, guard, line, metres
from affray.rulesets.rd6.rulings import Rulings
from affray.rulesets.rd6.sheet import UNARMED, Aim, Fighter, State, Weapon, weapon_named
from affray.rulesets.rd6.special.fire import fire_option, spend_rounds
from affray.rulesets.rd6.special.followups import FEAT_REACH_M, follow
from affray.rulesets.rd6.special.grips import loosen
from affray.rulesets.rd6.telling import change, fighter, foes, note
from affray.scene import Scene


@rule("RD6-SPC-6")
def all_out_option(rulings: Rulings) -> Option:
    """The all-out attack of this table."""
    return Option("all-out attack", "RD6-SPC-6", int(rulings.allout_attack_bonus[0]), 0, 1, True)


CHARGE = Option("charge", "RD6-SPC-7", -1, 0, 1, True)
TACKLE = Option("tackle", "RD6-SPC-8", -1, effect="prone")
CALLED_EFFECTS = {"damage": "damage", "disarm": "disarm", "hold": "grab", "pin": "pinned"}


def in_hand(me: Fighter, name: str) -> Weapon:
    """The weapon that an order means: the named one, else the one in hand, else teeth and claws, else bare hands."""
    if name or me.weapon:
        return weapon_named(me.sheet, name or me.weapon)
    return next((weapon for weapon in me.sheet.weapons if weapon.kind == "unarmed"), UNARMED)


@rule("RD6-SUC-1", "RD6-SPC-1", "RD6-SPC-2", "RD6-SPC-5")
def attack(scene: Scene[State], order: Attack) -> None:
    """An ordinary attack, a called shot, or several rounds at one target."""
    me = fighter(scene, order.by)
    weapon = in_hand(me, order.weapon)
    option = fire_option(weapon, order.mode, order.shots, scene.rulings)
    option = replace(option, effect=CALLED_EFFECTS[order.effect])
    pay(scene, order.by, option.whole_round, keeps_aim=True)
    spend_rounds(scene, order.by, weapon, option.shots)
    pay_points(scene, order.by, order.points)
    strike_at(scene, order.by, order.target, weapon, option, order.part, order.vital, order.points)


def all_out(scene: Scene[State], order: AllOut) -> None:
    """Everything into one attack."""
    pay(scene, order.by, True)
    pay_points(scene, order.by, order.points)
    weapon = in_hand(fighter(scene, order.by), order.weapon)
    strike_at(scene, order.by, order.target, weapon, all_out_option(scene.rulings), points=order.points)


@rule("RD6-SPC-7")
def charge(scene: Scene[State], order: Charge) -> None:
    """Run up and strike."""
    weapon = in_hand(fighter(scene, order.by), order.weapon)
    pay(scene, order.by, True)
    pay_points(scene, order.by, order.points)
    spaces = approach(scene, order.by, order.target, reach_m(weapon))
    change(scene, order.by, "RD6-SPC-7", "charges", {"target": order.target, "spaces": spaces}, moved=max(1, spaces))
    strike_at(scene, order.by, order.target, weapon, CHARGE, points=order.points)


@rule("RD6-SPC-8")
def tackle(scene: Scene[State], order: Tackle) -> None:
    """Bring somebody down; the tackler is open until the next turn."""
    pay(scene, order.by)
    pay_points(scene, order.by, order.points)
    change(scene, order.by, "RD6-SPC-8", "open", exposed=1)
    strike_at(scene, order.by, order.target, UNARMED, TACKLE, points=order.points)


def reach_m(weapon: Weapon) -> int:
    """How near one must be to strike with it, in metres."""
    return 4 if weapon.length > 2 else 3


def strike_at(
    scene: Scene[State],
    who: str,
    at: str,
    weapon: Weapon,
    option: Option,
    part: str = "",
    vital: bool = False,
    points: int = 0,
    lessen: int = 0,
    successes: int | None = None,
) -> Outcome:
    """One attack on one target with numbers gathered now. `successes`: already rolled (a sweep)."""
    state = scene.state
    me, target = fighter(state, who), fighter(state, at)
    here = circumstances(state, me, target, weapon, part)
    mine = line(me, weapon, option, here, target.prone, part, vital, points, lessen)
    if state.rulings.result_points_mode == "feats":
        mine = replace(mine, enemies_near=any(metres(state, me, foe) <= FEAT_REACH_M for foe in foes(state, me)))
    theirs = guard(target, mine, here, state.rulings)
    roles = {ATTACKER: who, TARGET: at}
    same = felt_by(target, state.rulings)
    if successes is None:
        outcome = scene.call(resolve, mine, theirs, roles=roles, alike=same)
    else:
        outcome = scene.call(strike, mine, theirs, successes, roles=roles, alike=same)
    data: dict[str, Any] = {"target": at, "weapon": weapon.name, "successes": outcome.successes, "difficulty": theirs.need}
    result = "hit" if outcome.points >= 0 else "miss"
    data |= {"result": result, "result_points": max(0, outcome.points)}
    note(scene, who, "RD6-SUC-2", result, data, theirs.parts)
    used_up(scene, who, weapon)
    settle(scene, who, at, outcome, weapon)
    return outcome


def felt_by(target: Fighter, rulings: Rulings) -> Callable[[Outcome], tuple[Any, ...]]:
    """What of an outcome changes anything: how many successes it took is only told, and exact damage matters only to one who
    rolls resistance or may spend points on it."""

    def felt(outcome: Outcome) -> tuple[Any, ...]:
        return outcome.points >= 0, outcome.to_target, outcome.to_self, outcome.then

    def lumped(outcome: Outcome) -> tuple[Any, ...]:
        blow = outcome.to_target
        if blow is None or blow.damage < 0:
            return felt(outcome)
        against = soak(target, blow, rulings)
        if against.code.dice:
            return felt(outcome)
        margin = blow.damage - against.fixed - against.code.pips - blow.cover
        return outcome.points >= 0, replace(blow, damage=rung(margin), cover=0), outcome.to_self, outcome.then

    return felt if target.character_points or target.fate_points else lumped


@rule("RD6-MOD-17", "RD6-RPF-8")
def used_up(scene: Scene[State], who: str, weapon: Weapon) -> None:
    """What was spent on this attack: the aim on a shot, the bonus of awareness, the load of a weapon."""
    me = fighter(scene, who)
    values: dict[str, Any] = {}
    if me.aim.rounds:
        values["aim"] = Aim()
    if me.ready:
        values["ready"] = 0
    if weapon.single_load:
        values["unready"] = (*me.unready, weapon.name)
    if values:
        change(scene, who, "RD6-MOD-17", "", **values)


def settle(scene: Scene[State], who: str, at: str, outcome: Outcome, weapon: Weapon) -> None:
    """What an outcome does: to the target, to the attacker, and whatever needs the scene."""
    roles = {ATTACKER: who, TARGET: at}
    if outcome.to_target is not None:
        scene.become(at, receive, outcome.to_target, roles=roles)
    if outcome.to_self is not None:
        scene.become(who, receive, outcome.to_self, roles=roles)
    for name, number in outcome.then:
        follow(scene, who, at, name, number, weapon)
    loosen(scene)
