"""Which is best? Several plans side by side, the best first by a stated measure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from affray.encounter import Encounter
from affray.errors import AffrayError, nearest
from affray.events import get
from affray.interpreters.replay import Answer
from affray.odds.actions import Lab, Preview, answered, begun
from affray.odds.deciders import Wishes, options_of

USUAL = ("out", "down", "wounds", "damage")
"""Measures by which plans are compared when none is named: the first of these that is told, else the first one told."""


@dataclass(frozen=True, slots=True)
class Row:
    """One plan and its odds; or why it is not possible."""

    name: str
    preview: Preview | None
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Plans, the best first: the highest expectation of `measure` for `who`. Impossible ones stand at the end."""

    name: str
    measure: str
    who: str
    rows: tuple[Row, ...]

    @property
    def best(self) -> str:
        return self.rows[0].name

    def expect(self, row: Row, measure: str = "") -> float:
        return row.preview.of(self.who).expect(measure or self.measure) if row.preview else 0.0

    def measures(self) -> tuple[str, ...]:
        """Names of all that is told of the watched fighter."""
        possible = [row.preview.of(self.who) for row in self.rows if row.preview]
        return tuple(dict.fromkeys(one.name for watched in possible for one in watched.measures))

    def plain(self) -> dict[str, Any]:
        rows = []
        for row in self.rows:
            plain: dict[str, Any] = {"name": row.name, "refused": row.refused}
            if row.preview:
                plain |= {self.measure: self.expect(row), "preview": row.preview.plain()}
            rows.append(plain)
        return {"name": self.name, "measure": self.measure, "of": self.who, "rows": rows}

    def plot(self, path: str | None = None) -> Any:
        from affray.odds.plot import bars

        shown = [row.preview.of(self.who).results.named(row.name) for row in self.rows if row.preview]
        return bars(shown, path, self.name)


def compare(
    lab: Lab, plans: Iterable[tuple[str, Any, Wishes]], measure: str = "", watch: Iterable[str] = (), name: str = ""
) -> Comparison:
    """Compare named plans, each with its wishes. The first watched fighter counts. Raises AffrayError if none is possible."""
    rows = []
    for label, orders, wishes in plans:
        try:
            rows.append(Row(label, lab.of(orders, watch, wishes, title=label)))
        except AffrayError as wrong:
            rows.append(Row(label, None, str(wrong)))
    return _sorted(name, rows, measure)


def by_field(lab: Lab, order: Any, field: str, measure: str = "", watch: Iterable[str] = ()) -> Comparison:
    """One row for each value that an option of the order (its weapon, its target, ...) may take now."""
    order = lab.plan(order)[0]
    state = lab.up(lab.state, order.by)
    offers = [offer for offer in lab.ruleset.offers(state, order.by) if offer.verb == order.verb]
    fields = {one.name: one for offer in offers for one in offer.fields}
    if field not in fields:
        near = nearest(field, fields)
        hint = f"; did you mean {near!r}?" if near else f"; it has: {', '.join(fields) or 'none'}"
        raise AffrayError(f"{order.verb!r} has no option {field!r} now{hint}")
    values = [value for value in options_of(fields[field].domain) or () if value != ""]
    if field == "target":  # one's own side only where there is nobody else
        side = get(state, order.by).side
        values = [value for value in values if get(state, value).side != side] or values
    plans = [(str(value), replace(order, **{field: value}), ()) for value in values]
    return compare(lab, plans, measure, watch, f"{order.by}: {order.verb}, by {field}")


def by_plan(lab: Lab, order: Any, kind: str, measure: str = "", watch: Iterable[str] = ()) -> Comparison:
    """The ruleset's usual ways to fit the order into a turn: 'actions', 'aim', 'dodge'."""
    order = lab.plan(order)[0]
    known = lab.ruleset.plans(lab.up(lab.state, order.by), order)
    plans = [(name, orders, ()) for one, name, orders in known if one == kind]
    if not plans:
        kinds = ", ".join(dict.fromkeys(one for one, _, _ in known)) or "none"
        raise AffrayError(f"{lab.ruleset.title} has no plans {kind!r} for {order.verb!r}; it has: {kinds}")
    watched = tuple(watch) or ((order.target, order.by) if kind == "dodge" else ())
    return compare(lab, plans, measure, watched, f"{order.by}: {order.verb}, by {kind}")


def by_answer(lab: Lab, order: Any, why: str, measure: str = "", watch: Iterable[str] = ()) -> Comparison:
    """One row for each answer to a question that comes up while the order is carried out (which feat?)."""
    order = lab.plan(order)[0]
    lab.of(order, watch)
    asked = [who for who, key in lab.deciders.noted.options if key == why]
    if not asked:
        keys = ", ".join(dict.fromkeys(key for _, key in lab.deciders.noted.options))
        raise AffrayError(f"nobody is asked {why!r} here" + (f"; asked is: {keys}" if keys else ""))
    who = order.by if order.by in asked else asked[0]
    plans = [(f"{why}: {option}", order, ((who, why, option),)) for option in lab.options(who, why)]
    return compare(lab, plans, measure, watch, f"{order.by}: {order.verb}, by {why}")


def by_open(lab: Lab, encounter: Encounter, measure: str = "", watch: Iterable[str] = ()) -> Comparison:
    """In the middle of an order: one row for each answer to the first open choice. Policies answer what comes after."""
    opened = encounter.open
    if opened is None:
        raise AffrayError("no question is open")
    given = (*answered(opened.events), *begun(opened.requests))
    for one in opened.requests:
        options = options_of(getattr(one.request, "domain", None))
        if options is not None:
            break
    else:
        return _sorted(opened.order.verb, [Row("as it stands", lab.of(opened.order, watch, (), given))], measure)
    why, by = one.request.why.key, one.request.by
    rows = []
    for option in options:
        preview = lab.of(opened.order, watch, (), (*given, Answer(one.n, why, by, option)), f"{why}: {option}")
        rows.append(Row(f"{why}: {option}", preview))
    return _sorted(f"{by}: {why}", rows, measure)


def _sorted(name: str, rows: list[Row], measure: str) -> Comparison:
    possible = [row for row in rows if row.preview]
    if not possible:
        raise AffrayError("; ".join(dict.fromkeys(row.refused for row in rows)) or "there is nothing to compare")
    first = possible[0].preview
    assert first is not None
    who = first.watched[0].id
    if not measure:
        told = [one.name for one in first.watched[0].measures]
        measure = next((one for one in USUAL if one in told), told[0] if told else str(first.watched[0].results.values[-1]))
    if any(row.preview.watched[0].id != who for row in possible if row.preview):
        who = ""  # each row has its own target
    found = Comparison(name, measure, who, tuple(rows))
    worth = sorted(possible, key=lambda row: -found.expect(row))
    return Comparison(name, measure, found.who, (*worth, *[row for row in rows if not row.preview]))
