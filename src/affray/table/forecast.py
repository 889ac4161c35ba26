"""Exact odds of an action before it is ordered, or of an order that waits for an answer.

The whole procedure runs on every outcome of the dice from the state as it is (`affray.odds`). Whoever is aimed at is looked
at; an action that is about nobody else shows what becomes of the one who does it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from affray.errors import IllegalOrder
from affray.interpreters.exact import Exact
from affray.odds.actions import Lab, Preview, answered
from affray.odds.deciders import Deciders
from affray.render import text
from affray.render.words import in_words
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
    aimed = concerned(state, order)
    covered = fight.ruleset.covered(state, order)
    aimed += [f.id for f in state.fighters if f.id not in aimed and getattr(f, "at", None) in covered]
    if aimed:
        preview = Lab(fight.ruleset, state, fight.policies).of(order, aimed[:MOST], answers=answers)
        yield from previewed(session, preview)
        for one in preview.watched:
            if len(one.results.outcomes) == 1:  # nothing that the words for attacks tell apart
                yield from listed(outcomes(session, state, order, answers, one.id))
    else:
        yield from listed(outcomes(session, state, order, answers, order.by))
    if going:
        yield note("  given what has been answered so far, and rolls of which all dice are known")


def considered(session: Session, rest: str) -> Any:
    """The order that the words stand for, or the one that is being put together."""
    if rest:
        who, words = session.who(split(rest))
        return orders.build(session.fight.ruleset, session.drafted(who[0], words))
    if session.draft is None:
        raise Unclear("say which action: odds attack kess")
    return orders.build(session.fight.ruleset, session.draft)


def concerned(state: Any, order: Any) -> list[str]:
    """Whom an order is aimed at."""
    ids = [f.id for f in state.fighters]
    named = [getattr(order, name, ()) for name in ("target", "targets")]
    found = [one for value in named for one in ((value,) if isinstance(value, str) else value or ()) if one in ids]
    return list(dict.fromkeys(found))


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


def outcomes(session: Session, state: Any, order: Any, answers: Any, who: str) -> dict[str, float]:
    """What becomes of somebody, with the weight of each outcome."""
    ruleset = session.fight.ruleset
    before = next(f for f in state.fighters if f.id == who)
    deciders = Deciders(ruleset, state, session.fight.policies)
    exact = Exact(state, lambda one: deciders.of(one), answers, frozenset({order.by, who}))

    def label(after: Any) -> str:
        now = next((f for f in after.fighters if f.id == who), None)
        if now is None:
            return "gone"
        fallen = ruleset.fallen(now)
        changed = text.changes(before, now, text.DULL - {"standing", "aim"})
        return ", ".join([*([fallen] if fallen else []), *changed]) or "no change"

    return exact.odds(lambda scene: ruleset.perform(scene, order), label)


def listed(spread: dict[str, float]) -> Iterable[Line]:
    """Outcomes in lines, the likeliest first."""
    rows = sorted(spread.items(), key=lambda pair: -pair[1])
    for words, weight in rows[:ROWS]:
        yield Line(f"  {100 * weight:6.1f} %  {words}", "", 12)
    if rest := sum(weight for _, weight in rows[ROWS:]):
        yield Line(f"  {100 * rest:6.1f} %  {len(rows) - ROWS} other outcomes")
