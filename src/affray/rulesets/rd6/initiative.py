"""Rounds and turns: who is up, what is due by itself, how a round and a turn begin and end."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.ask import MASTER, SELF, Ask, Why
from affray.dice import Code
from affray.domains import OneOf
from affray.order import first
from affray.rules import rule
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.commands import Begin, End, Round
from affray.rulesets.rd6.damage import ROUNDS_A_MINUTE, changed, dying
from affray.rulesets.rd6.defence import announce
from affray.rulesets.rd6.numbers import initiative_bonus, stymied, tie_break
from affray.rulesets.rd6.sheet import Aim, Fighter, State, code
from affray.rulesets.rd6.successes import totalled
from affray.rulesets.rd6.telling import able, change, fighter, note
from affray.scene import Scene

FIRST = 1000
"""Lifts the one who opened the fight above every roll."""


@rule("RD6-RND-13")
def over(state: State) -> bool:
    """At most one side can still fight, or time has passed since that was so."""
    return state.after or len({f.side for f in state.fighters if able(f)}) <= 1


def up(state: State) -> tuple[str, ...]:
    """Whose turn it is."""
    return (state.turn,) if state.turn and not over(state) else ()


@rule("RD6-RND-2", "RD6-RND-6")
def flow(state: State) -> Begin | End | Round | None:
    """What is due by itself: the end of a turn that has nothing left, the next turn, the next round."""
    if over(state):
        return None
    if state.turn:
        me = fighter(state, state.turn)
        return End(me.id) if me.done or not able(me) else None
    if state.round == 0 or (who := next_up(state)) is None:
        return Round(MASTER)
    return Begin(who)


def next_up(state: State) -> str | None:
    """The next in the order of initiative who has not had a turn this round."""
    ties = [tie_break(f) for f in state.fighters]
    index = first(
        [f.initiative for f in state.fighters],
        [agility * 1000 + skill for agility, skill in ties],
        [able(f) and not f.begun and not f.done for f in state.fighters],
        len(state.fighters),
    )
    return None if index < 0 else state.fighters[index].id


@rule("RD6-RND-1", "RD6-RND-2", "RD6-RND-13")
def begin_round(scene: Scene[State], order: Round) -> None:
    """Close the round that was, open the next: announcements (first round only), then initiative."""
    for me in scene.state.fighters if scene.state.round else ():
        end_of_round(scene, me.id)
    number = scene.state.round + 1
    told = {"round": number, "seconds": tables.ROUND_SECONDS * (number - 1)}
    change(scene, "", "RD6-RND-1", "round", told, round=number, turn="")
    for me in scene.state.fighters:
        refresh(scene, me.id)
    if number == 1:
        announce(scene)
    roll_initiative(scene)


@rule("RD6-WND-5", "RD6-WND-7", "RD6-WND-8")
def end_of_round(scene: Scene[State], who: str) -> None:
    """What a full round does: a stun sat out is gone, the unconscious may wake, the dying roll."""
    me = fighter(scene, who)
    if me.sat_out:
        change(scene, who, "RD6-WND-5", "sat out", stunned=False, sat_out=False)
    if me.dead:
        return
    if me.out_rounds and me.wounds == 3:
        if me.out_rounds > ROUNDS_A_MINUTE * me.out_minutes:
            change(scene, who, "RD6-WND-7", "wakes", unconscious=False, out_minutes=0, out_rounds=0)
        else:
            change(scene, who, "RD6-WND-7", "", out_rounds=me.out_rounds + 1)
    if me.dying and me.wounds == 4:
        if me.dying > 1:
            scene.become(who, dying, me.dying - 1)
        if not fighter(scene, who).dead:
            change(scene, who, "RD6-WND-8", "", dying=me.dying + 1)


def refresh(scene: Scene[State], who: str) -> None:
    """A fighter as a new round opens: all actions are there again."""
    me = fighter(scene, who)
    fresh: dict[str, Any] = {"begun": False, "done": False, "declared": 0, "used": 0, "exclusive": False, "moved": 0}
    fresh |= {"grip_fresh": False, "owed": 0}
    if me.aim.rounds:
        fresh["aim"] = replace(me.aim, age=me.aim.age + 1) if me.aim.age == 0 else Aim()
    values: dict[str, Any] = {name: value for name, value in fresh.items() if getattr(me, name) != value}
    if values:
        change(scene, who, "RD6-RND-2", "", **values)


@rule("RD6-RND-3", "RD6-RND-4", "RD6-RND-5")
def roll_initiative(scene: Scene[State]) -> None:
    """A roll for each character or group, in roster order, by the method of the table."""
    method, number = scene.rulings.initiative_method, scene.state.round
    if method == "roll_once" and number > 1:
        return
    opener = _opener(scene) if method == "first_significant_action" and number == 1 else ""
    rolled: dict[tuple[str, str], int] = {}
    for me in scene.state.fighters:
        if not able(me):
            continue
        if me.id == opener:
            change(scene, me.id, "RD6-RND-3", "opens", initiative=FIRST)
            continue
        group = (me.side, me.group)
        if me.group and group in rolled:
            change(scene, me.id, "RD6-RND-4", "", initiative=rolled[group])
            continue
        scene.become(me.id, initiative)
        rolled[group] = fighter(scene, me.id).initiative


def _opener(scene: Scene[State]) -> str:
    if scene.state.opened_by:
        return scene.state.opened_by
    ids = tuple(f.id for f in scene.state.fighters if able(f))
    why = Why("opens", "RD6-RND-3", "who took the first significant action")
    return str(scene.choose(OneOf(ids), why, MASTER, ids[0]))


@rule("RD6-RND-4")
def initiative(ask: Ask, me: Fighter) -> Fighter:
    """The initiative total of one character or group: Perception, unpenalised, with the bonus of heroes."""
    total = thrown(ask, code(me.sheet, "Perception"), initiative_bonus(me.sheet), stymied(me))
    return changed(ask, me, "RD6-RND-4", "", initiative=total)


def thrown(ask: Ask, dice: Code, bonus: int, stymied: bool) -> int:
    """The throw itself."""
    return ask.roll(totalled(dice, ask.rulings, bonus, stymied=stymied), Why("initiative", "RD6-RND-4", "initiative"), SELF)


@rule("RD6-RND-6", "RD6-DEF-7", "RD6-DEF-16", "RD6-DEF-20", "RD6-RPF-10", "RD6-SPC-5", "RD6-SPC-8", "RD6-SPC-10")
def begin_turn(scene: Scene[State], order: Begin) -> None:
    """A turn begins: what lasted until now ends, actions given up are used; a lost turn is over at once."""
    me = fighter(scene, order.by)
    values: dict[str, Any] = {"begun": True}
    kept = tuple(replace(standing, turns=standing.turns - 1) for standing in me.standing if standing.turns > 1)
    if kept != me.standing:
        values["standing"] = kept
    if me.stance or me.exposed:
        values |= {"stance": 0, "exposed": 0}
    if me.owed:
        values["used"] = me.used + me.owed
    change(scene, "", "RD6-RND-7", "", turn=me.id)
    change(scene, me.id, "RD6-RND-7", "turn", {"initiative": me.initiative}, **values)
    if me.lost_turns:
        change(scene, me.id, "RD6-RND-6", "loses the turn", lost_turns=me.lost_turns - 1, done=True)
    elif me.rising:
        change(scene, me.id, "RD6-SPC-10", "gets up", rising=False, prone=False, done=True)


@rule("RD6-WND-5", "RD6-SPC-22", "RD6-MOD-17")
def end_turn(scene: Scene[State], order: End) -> None:
    """A turn ends: conditions run out, a stun may have been sat out, an aim not kept up is lost."""
    me, number = fighter(scene, order.by), scene.state.round
    values: dict[str, Any] = {"done": True}
    conditions = tuple(replace(condition, turns=condition.turns - 1) for condition in me.conditions if condition.turns > 1)
    if conditions != me.conditions:
        values["conditions"] = conditions
    if me.stunned and able(me) and not me.used and not me.declared:
        values["sat_out"] = True
    if me.aim.rounds and me.aim.age:
        values["aim"] = Aim()
    change(scene, me.id, "RD6-RND-7", "", **values)
    change(scene, "", "RD6-RND-7", "", turn="")
    if over(scene.state):
        note(scene, "", "RD6-RND-13", "fight over", {"rounds": number, "seconds": tables.ROUND_SECONDS * number})
