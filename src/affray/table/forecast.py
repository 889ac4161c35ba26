"""Exact odds of an action before it is ordered, or of an order that waits for an answer.

The whole procedure runs on every outcome of the dice from the state as it is; each combatant concerned is looked at
alone. Questions to people are answered as Enter would answer them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from affray.ask import Choose
from affray.domains import Pick
from affray.errors import IllegalOrder
from affray.interpreters.exact import Exact
from affray.render import text
from affray.table import orders
from affray.table.lines import Line, note
from affray.table.words import Unclear, split

if TYPE_CHECKING:
    from affray.table.session import Session

ROWS = 10
"""Outcomes that are listed; the rest is summed up."""
MOST = 6
"""Combatants that are looked at."""


class Usual:
    """Answers every question as it is answered by default."""

    name = "default"

    def order(self, state: Any, who: str, pick: Pick) -> Any:
        raise NotImplementedError

    def answer(self, request: Choose, state: Any, pick: Pick) -> Any:
        return request.default


def forecast(session: Session, rest: str) -> Iterable[Line]:
    """The odds in lines. Raises Unclear, IllegalOrder."""
    fight = session.fight
    if session.requests and not rest:
        assert fight.open is not None
        state, order, answers = fight.settled, fight.open.order, fight.open.given
    else:
        order, state, answers = considered(session, rest), fight.state, ()
        if refusal := fight.ruleset.why_not(state, order):
            raise IllegalOrder(refusal)
    yield Line(f"{session.label(order.by)}: {orders.in_words(order, session.label)}", "head")
    watched = concerned(state, order)
    for who in watched[:MOST]:
        yield from told(session, who, outcomes(session, state, order, answers, who), len(watched) > 1 or who != order.by)
    if session.requests and not rest:
        yield note("given what has been answered so far; other questions as Enter would answer them")


def considered(session: Session, rest: str) -> Any:
    """The order that the words stand for, or the one that is being put together."""
    if rest:
        who, words = session.who(split(rest))
        return orders.build(session.fight.ruleset, session.drafted(who[0], words))
    if session.draft is None:
        raise Unclear("say which action: odds attack kess")
    return orders.build(session.fight.ruleset, session.draft)


def concerned(state: Any, order: Any) -> list[str]:
    """Whom an order is about: its targets, else the one who gives it."""
    ids = [f.id for f in state.fighters]
    named = [getattr(order, name, ()) for name in ("target", "targets", "who")]
    found = [one for value in named for one in ((value,) if isinstance(value, str) else value) if one in ids]
    return list(dict.fromkeys(found)) or [order.by]


def outcomes(session: Session, state: Any, order: Any, answers: Any, who: str) -> dict[str, float]:
    """What becomes of one combatant, with the weight of each outcome."""
    ruleset = session.fight.ruleset
    before = next(f for f in state.fighters if f.id == who)
    dull = text.DULL - {"standing", "aim"} if who == order.by else text.DULL
    usual = Usual()
    exact = Exact(state, lambda _: usual, answers, frozenset({who}))

    def label(after: Any) -> str:
        now = next((f for f in after.fighters if f.id == who), None)
        if now is None:
            return "gone"
        fallen = ruleset.fallen(now)
        return ", ".join([*([fallen] if fallen else []), *text.changes(before, now, dull)]) or "no change"

    return exact.odds(lambda scene: ruleset.perform(scene, order), label)


def told(session: Session, who: str, spread: dict[str, float], named: bool) -> Iterable[Line]:
    """Outcomes in lines, the likeliest first."""
    if named:
        yield Line(f"  {session.label(who)}:")
    rows = sorted(spread.items(), key=lambda pair: -pair[1])
    for words, weight in rows[:ROWS]:
        yield Line(f"  {100 * weight:6.1f} %  {words}", "", 12)
    if rest := sum(weight for _, weight in rows[ROWS:]):
        yield Line(f"  {100 * rest:6.1f} %  {len(rows) - ROWS} other outcomes")
