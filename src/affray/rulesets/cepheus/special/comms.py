"""Who is in communication with whom, and what that is worth. A function of the state: a cut link needs no bookkeeping."""

from __future__ import annotations

from affray.rules import rule
from affray.rulesets.cepheus import numbers
from affray.rulesets.cepheus.sheet import Fighter, State

DIRECT_BAND = 3
"""Direct communication reaches to Medium."""


def unit(me: Fighter) -> str:
    """The unit of a combatant: his side unless his sheet names another."""
    return me.sheet.unit or me.side


def commander(state: State, me: Fighter) -> Fighter | None:
    """The commander of this one's unit: the one marked so."""
    return next((f for f in state.fighters if f.sheet.commander and unit(f) == unit(me)), None)


@rule("CEP-COM-3")
def linked(state: State, a: str, b: str) -> bool:
    """Whether at least one means of communication works between two combatants."""
    if a == b:
        return True
    one, two = state[a], state[b]
    between = numbers.pair(state, a, b)
    shared = set(one.means) & set(two.means)
    sight = not between.unseen
    hazy = state.smoke != "none" or any(a in cloud.inside or b in cloud.inside for cloud in state.clouds)
    works = {
        "direct": not between.cut and numbers.band(state, a, b) <= DIRECT_BAND,
        "hardlink": True,
        "radio": not between.cut and not state.jammed,
        "laser": sight and not hazy,
        "maser": sight,
        "meson": not one.moved and not two.moved,
    }
    return any(works.get(means, False) for means in shared)


@rule("CEP-COM-1", "CEP-COM-2")
def in_touch(state: State, me: Fighter, helper: str) -> bool:
    """Whether `me` hears the one who helps him; nobody is in communication with a helper who is down."""
    found = next((f for f in state.fighters if f.id == helper), None)
    return found is not None and found.status == "up" and linked(state, me.id, helper)


@rule("CEP-COM-2", "CEP-RND-8", "CEP-LDR-1")
def initiative(state: State, me: Fighter) -> int:
    """The Initiative that counts now: what a helper gave counts only while one hears him."""
    value = numbers.initiative(me)
    if me.tactics and (head := commander(state, me)) is not None and not in_touch(state, me, head.id):
        value -= me.tactics
    for shift in me.shifts:
        if shift.by and not shift.in_rounds and not in_touch(state, me, shift.by):
            value -= shift.amount
    if me.led and me.led_by and not in_touch(state, me, me.led_by):
        value -= me.led
    return value
