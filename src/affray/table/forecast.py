"""Exact odds of an action before it is ordered, or of an order that waits for an answer.

The whole procedure runs on every outcome of the dice from the state as it is (`affray.odds`). Whoever is aimed at is looked
at; an action that is about nobody else shows what becomes of the one who does it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from affray.errors import IllegalOrder
from affray.odds.actions import Lab, Preview, answered
from affray.render.words import in_words
from affray.sight.preview import concerned, outcomes
from affray.table import orders
from affray.table.lines import Line, note
from affray.table.words import Unclear, split

if TYPE_CHECKING:
    from affray.table.session import Session

ROWS = 10
"""Outcomes that are listed; the rest is summed up."""
MOST = 6
"""Combatants that are looked at."""


def forecast(session: Session, rest: str) -> Iterable[Line]:
    """The odds in lines. Raises Unclear, IllegalOrder."""
    fight = session.fight
    going = bool(session.requests and not rest and fight.open)
    if going:
        assert fight.open is not None
        state, order, answers = fight.settled, fight.open.order, answered(fight.open.events)
        if fight.open.auto or all(f.id != order.by for f in state.fighters):
            raise Unclear("what waits for an answer is nobody's action; say which action: odds attack kess")
    else:
        order, state, answers = considered(session, rest), fight.state, ()
        if refusal := fight.ruleset.why_not(state, order):
            raise IllegalOrder(refusal)
    yield Line(f"{session.label(order.by)}: {in_words(order, session.label)}", "head")
    lab = Lab(fight.ruleset, state, fight.policies)
    aimed = concerned(state, order)
    covered = fight.ruleset.covered(state, order)
    aimed += [f.id for f in state.fighters if f.id not in aimed and getattr(f, "at", None) in covered]
    if aimed:
        preview = lab.of(order, aimed[:MOST], answers=answers)
        yield from previewed(session, preview)
        for one in preview.watched:
            if len(one.results.outcomes) == 1:  # nothing that the words for attacks tell apart
                yield from listed(outcomes(lab, state, order, one.id, answers))
    else:
        yield from listed(outcomes(lab, state, order, order.by, answers))
    if going:
        yield note("  given what has been answered so far, and rolls of which all dice are known")


def considered(session: Session, rest: str) -> Any:
    """The order that the words stand for, or the one that is being put together."""
    if rest:
        who, words = session.who(split(rest))
        return orders.build(session.fight.ruleset, session.drafted(who[0], words), session.label)
    if session.draft is None:
        raise Unclear("say which action: odds attack kess")
    return orders.build(session.fight.ruleset, session.draft, session.label)


def previewed(session: Session, preview: Preview) -> Iterable[Line]:
    """What comes of it for each of those aimed at: the chance of each result, and what is to be expected."""
    for one in preview.watched:
        results = "  ".join(f"{word} {_percent(weight)}" for word, weight in one.results.outcomes)
        alone = len(one.results.outcomes) == 1
        yield Line(f"  {session.label(one.id)}:" + ("" if alone else f" {results}"), "", 6)
        numbers = []
        for measure in one.measures:
            top = max(measure.values)
            mean = measure.mean()
            if mean > 0:
                numbers.append(f"{measure.name.replace('_', ' ')} {_percent(mean) if top == 1 else f'{mean:.2f} on average'}")
        if numbers:
            yield Line(f"    {', '.join(numbers)}", "", 6)
    if preview.decided:
        told = dict.fromkeys(f"{session.label(d.who)} {d.why} ({d.policy})" for d in preview.decided)
        yield note(f"  questions as a policy answers them: {', '.join(told)}")


def _percent(weight: Any) -> str:
    return f"{100 * float(weight):.1f} %"


def listed(spread: dict[str, float]) -> Iterable[Line]:
    """Outcomes in lines, the likeliest first."""
    rows = sorted(spread.items(), key=lambda pair: -pair[1])
    for words, weight in rows[:ROWS]:
        yield Line(f"  {100 * weight:6.1f} %  {words}", "", 12)
    if rest := sum(weight for _, weight in rows[ROWS:]):
        yield Line(f"  {100 * rest:6.1f} %  {len(rows) - ROWS} other outcomes")
