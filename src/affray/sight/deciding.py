"""Who may decide what, and how a refusal reads to those who do not know everything.

An order of a player is judged by what the player knows first; what only the true state refuses is refused in one neutral
sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affray import referee
from affray.ask import Open
from affray.audience import Audience
from affray.encounter import Encounter
from affray.errors import AffrayError, BadAnswer, IllegalOrder, Refusal
from affray.sight.asking import known as known_options
from affray.sight.asking import may_answer
from affray.sight.eyes import NOBODY, PHANTOM, Eyes, eyes, unspoken
from affray.sight.speech import WORDS, order_of, spoken

NEUTRAL = Refusal("", "that is not possible now; the game master can say why")
NOBODY_THERE = Refusal("", "there is nobody of that name")
PEOPLE = ("target", "targets", "towards", "patient")
"""Options of orders that are people."""
FLOOR = "The master has the floor"


class Forbidden(AffrayError):
    """Somebody asks for, or decides, what is not theirs."""


class NotAsked(Forbidden):
    """An answer to what is not open, or not theirs: nobody learns which."""

    def __init__(self) -> None:
        super().__init__("nobody asks you that now; perhaps it has been answered meanwhile")


NOT_YET = ("it is not the turn of this combatant", "an answer is awaited first")
"""Refusals that say nothing against an order but that it comes too early."""


def not_now(fight: Encounter, view: Eyes, who: str) -> Refusal | None:
    """Why somebody cannot order anything at this moment, in words that hold for all: an answer is awaited, or not the turn."""
    if who not in fight.up() and not fight.ruleset.over(view.state):
        return Refusal("", NOT_YET[0])
    return Refusal("", NOT_YET[1]) if fight.open is not None else None


def may_order(fight: Encounter, audience: Audience, order: Any) -> Any:
    """The order in its proper type. Raises Forbidden when its combatant is not theirs, IllegalOrder for what the rules (as
    far as they know) do not allow."""
    view = eyes(fight, audience)
    if isinstance(order, referee.RefereeOrder):
        if not audience.master:
            raise Forbidden("corrections are the game master's")
        return order
    by = order.get("by", "") if isinstance(order, dict) else getattr(order, "by", "")
    if not audience.master and by not in audience.own:
        raise Forbidden("that combatant is not yours")
    given = order_of(fight, view, order)
    if audience.master:
        return given
    if refused := not_now(fight, view, by):
        raise IllegalOrder(refused)
    if refused := judged(fight, view, given):
        raise IllegalOrder(refused)
    return given


def judged(fight: Encounter, view: Eyes, given: Any, state: Any = None) -> Refusal | None:
    """Why an order is refused by what they know: the same words for somebody hidden as for somebody who is not there."""
    try:
        refused = fight.ruleset.why_not(view.judged if state is None else state, given)
    except AffrayError:
        return NEUTRAL
    if refused is not None:
        return plainly(refused)
    people = [name for name in given.__struct_fields__ if name not in WORDS]
    ids = [value for name in people for value in _ids(getattr(given, name))]
    return NEUTRAL if any(one in view.hidden or one == PHANTOM for one in ids) else None


def known(fight: Encounter, audience: Audience, what: Mapping[str, Any]) -> dict[str, Any]:
    """A plain order that will be given later, of the kind that names nobody of whom they do not know. Raises IllegalOrder with
    the same words for one who is not there at all."""
    view = eyes(fight, audience)
    for name, value in what.items() if not audience.master else ():
        if name in WORDS:
            continue
        several = value if isinstance(value, list | tuple) else (value,)
        there = name not in PEOPLE or all(one in view.there or one == "" for one in several)
        if not there or any(isinstance(one, str) and one in view.hidden for one in several):
            raise IllegalOrder(NOBODY_THERE)
    return spoken(fight, view, what)


def _ids(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def order(fight: Encounter, audience: Audience, what: Any) -> tuple[Open, ...]:
    """Give an order for an audience: `Encounter.order` with everything judged and refused as they know it."""
    given = may_order(fight, audience, what)
    try:
        return fight.order(given)
    except AffrayError as wrong:
        if audience.master:
            raise
        told = wrong.refusal if isinstance(wrong, IllegalOrder) else NEUTRAL
        raise IllegalOrder(refusal(fight, audience, told, given)) from None


def answer(fight: Encounter, audience: Audience, n: int, value: Any) -> tuple[Open, ...]:
    """Answer request `n` for an audience. Raises Forbidden, BadAnswer."""
    asked = may_answer(fight, audience, n)
    view = eyes(fight, audience)
    if audience.master:
        return fight.answer(n, value)
    domain = getattr(asked.request, "domain", None)
    if domain is not None:
        value = known_options(domain, view).check(value)
    try:
        return fight.answer(n, value)
    except (BadAnswer, IllegalOrder) as wrong:
        raise BadAnswer(view.veiled(str(wrong)) if domain is None else NEUTRAL.text) from None


def refusal(fight: Encounter, audience: Audience, refused: Refusal, order: Any = None) -> Refusal:
    """A refusal as the audience may read it: their own state's where it explains it, else one neutral sentence."""
    view = eyes(fight, audience)
    if audience.master:
        return refused
    if order is not None and not isinstance(order, referee.RefereeOrder):
        return judged(fight, view, order) or NEUTRAL
    return NEUTRAL


def plainly(refused: Refusal) -> Refusal:
    """A refusal by what they know, without the one who stands for those of whom they do not."""
    legal = tuple(one for one in refused.legal if one != PHANTOM)
    return Refusal(refused.rule, unspoken(refused.text.replace(PHANTOM, NOBODY)), legal)


__all__ = [
    "FLOOR", "NEUTRAL", "Forbidden", "NotAsked", "answer", "judged", "known", "may_order", "not_now", "order", "plainly",
    "refusal",
]  # fmt: skip
