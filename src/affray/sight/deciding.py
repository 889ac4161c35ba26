"""Who may decide what, and how a refusal reads to those who do not know everything.

An order of a player is judged by what the player knows first; what only the true state refuses is refused in one neutral
sentence.
"""

from __future__ import annotations

from typing import Any

from affray import referee
from affray.ask import MASTER, Open
from affray.audience import Audience
from affray.encounter import Encounter
from affray.errors import AffrayError, BadAnswer, IllegalOrder, Refusal
from affray.sight.asking import known, may_answer
from affray.sight.eyes import Eyes, eyes

NEUTRAL = Refusal("", "that is not possible now; the game master can say why")
FLOOR = "The master has the floor"


class Forbidden(AffrayError):
    """Somebody asks for, or decides, what is not theirs."""


def not_now(fight: Encounter, view: Eyes, who: str) -> Refusal | None:
    """Why somebody cannot order anything at this moment, in words that hold for all: an answer is awaited, or not the turn."""
    if fight.open is not None:
        return Refusal("", "an answer is awaited first")
    if who not in fight.up() and not fight.ruleset.over(view.state):
        return Refusal("", "it is not the turn of this combatant")
    return None


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
    given = fight.ruleset.order(order)
    if audience.master:
        return given
    if refused := not_now(fight, view, by):
        raise IllegalOrder(refused)
    if refused := fight.ruleset.why_not(view.judged, given):
        raise IllegalOrder(_veiled(view, refused))
    return given


def order(fight: Encounter, audience: Audience, what: Any) -> tuple[Open, ...]:
    """Give an order for an audience: `Encounter.order` with everything judged and refused as they know it."""
    given = may_order(fight, audience, what)
    try:
        return fight.order(given)
    except IllegalOrder as wrong:
        raise IllegalOrder(refusal(fight, audience, wrong.refusal, given)) from None


def answer(fight: Encounter, audience: Audience, n: int, value: Any) -> tuple[Open, ...]:
    """Answer request `n` for an audience. Raises Forbidden, BadAnswer."""
    asked = may_answer(fight, audience, n)
    view = eyes(fight, audience)
    if audience.master:
        return fight.answer(n, value)
    domain = getattr(asked.request, "domain", None)
    if domain is not None:
        value = known(domain, view).check(value)
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
        explained = fight.ruleset.why_not(view.judged, order)
        return _veiled(view, explained) if explained else NEUTRAL
    return NEUTRAL


def _veiled(view: Eyes, refused: Refusal) -> Refusal:
    legal = tuple(view.veiled(one) for one in refused.legal if one not in view.hidden)
    return Refusal(refused.rule, view.veiled(refused.text), legal)


__all__ = ["FLOOR", "MASTER", "NEUTRAL", "Forbidden", "answer", "may_order", "not_now", "order", "refusal"]
