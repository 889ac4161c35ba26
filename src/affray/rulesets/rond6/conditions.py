"""Conditions: how they come, what ends them. What they do to a roll stands in `numbers`."""

from __future__ import annotations

from typing import Any

from affray.ask import Ask, Why
from affray.errors import Refusal
from affray.events import Changed
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import ACTION, Command, RondScene, pay
from affray.rulesets.rond6.checks import reaches
from affray.rulesets.rond6.damage import FALLEN
from affray.rulesets.rond6.numbers import level, test_of
from affray.rulesets.rond6.points import cannot_spend, spend, spending_fields
from affray.rulesets.rond6.sheet import Condition, Fighter, State

RECOVER = Why("recover", "RON-CON-6", "Fortitude against being Stunned")
MASSIVE = Why("massive", "RON-DMG-17", "Fortitude against massive damage")


class Recover(Order, frozen=True, tag="recover"):
    """Try to shake off being Stunned: Stamina: Fortitude against Standard (RON-CON-6)."""

    points: int = 0
    fate: bool = False


def recover_cost(state: State, me: Fighter, order: Recover) -> int:
    return ACTION


@rule("RON-CON-6", "RON-DMG-10")
def recover_refused(state: State, me: Fighter, order: Recover) -> Refusal | None:
    awake = None if me.stunned else Refusal("RON-CON-6", f"{me.name} is not Stunned")
    return awake or cannot_spend(me, order.points, order.fate)


def recover_fields(state: State, me: Fighter) -> tuple[Field, ...]:
    return spending_fields(me)


@rule("RON-CON-6")
def recover(scene: RondScene, order: Recover) -> None:
    """The Action of recovering."""
    pay(scene, order.by, ACTION, order.verb)
    spend(scene, order.by, order.points, order.fate)
    scene.become(order.by, shake_off, True, order.points, order.fate)


@rule("RON-CON-6", "RON-DMG-10")
def shake_off(ask: Ask, me: Fighter, action: bool, points: int = 0, fate: bool = False) -> Fighter:
    """The Fortitude Test against being Stunned."""
    test = test_of(me, "Fortitude", ask.rulings, action=action, points=points, fate=fate)
    if not ask.call(reaches, test, level(ask.rulings, 1), RECOVER):
        return me
    return ask.tell(Changed(me.id, "RON-CON-6", (("stunned", False),), "condition.recovered"), me)


@rule("RON-DMG-17")
def shake_off_massive(ask: Ask, me: Fighter) -> Fighter:
    """As the turn opens: Fortitude, free, lifts the hold of massive damage; otherwise it lasts through this turn."""
    freed = ask.call(reaches, test_of(me, "Fortitude", ask.rulings, action=False), level(ask.rulings, 1), MASSIVE)
    note = "condition.massive_over" if freed else "condition.massive_holds"
    return ask.tell(Changed(me.id, "RON-DMG-17", (("massive", 0 if freed else 2),), note), me)


@rule("RON-CON-4")
def tire(ask: Ask, me: Fighter, amount: int = 1) -> Fighter:
    """One more Fatigue (or several); too many and the fighter faints."""
    fatigue = me.fatigue + amount
    me = ask.tell(Changed(me.id, "RON-CON-4", (("fatigue", fatigue),), "condition.fatigued", (("fatigue", fatigue),)), me)
    if fatigue >= (4 if ask.rulings.fatigue_limit == "fourth" else 3) and not me.out:
        fields = (("out", "unconscious"), ("fainted", "fatigue"), *FALLEN)
        me = ask.tell(Changed(me.id, "RON-CON-4", fields, "condition.exhausted"), me)
    return me


@rule("RON-CON-1")
def afflict(ask: Ask, me: Fighter, condition: Condition, cited: str) -> Fighter:
    """A condition comes upon a fighter. The same one twice does not add up; the longer duration stays."""
    others = tuple(c for c in me.conditions if c.name != condition.name)
    same = [c for c in me.conditions if c.name == condition.name]
    if same and (lasting(same[0]) >= lasting(condition)):
        return me
    data = (("condition", condition.name),)
    return ask.tell(Changed(me.id, cited, (("conditions", (*others, condition)),), "condition.gained", data), me)


def lasting(condition: Condition) -> int:
    """A duration as a number to compare: open-ended ones are the longest."""
    return condition.turns * 1000 + condition.rounds if condition.turns or condition.rounds else 10**9


@rule("RON-CON-1", "RON-CON-8")
def after_turn(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions at the end of their owner's turn."""
    return tuple(Condition(c.name, max(0, c.turns - 1), c.rounds) if c.turns else c for c in conditions if c.turns != 1)


@rule("RON-TIME-1", "RON-CON-1")
def after_round(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The conditions as a new Round opens."""
    return tuple(Condition(c.name, c.turns, max(0, c.rounds - 1)) if c.rounds else c for c in conditions if c.rounds != 1)


@rule("RON-DMG-16", "RON-TIME-1", "RON-TIME-8")
def sleep_on(ask: Ask, me: Fighter) -> Fighter:
    """One Round less of a knock-out; at its end the fighter wakes unless Wounds or Fatigue keep it down."""
    fields: list[tuple[str, Any]] = [("asleep", me.asleep - 1)]
    note = ""
    if me.asleep == 1 and me.out == "unconscious" and not me.fainted:
        fields.append(("out", ""))
        note = "condition.wakes"
    return ask.tell(Changed(me.id, "RON-DMG-16", tuple(fields), note), me)


COMMANDS: dict[type, Command] = {
    Recover: Command(recover_cost, recover_refused, recover_fields, recover, "shake off being Stunned"),
}
