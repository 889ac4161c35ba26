"""An order before it is given: its numbers one by one, the area it covers and who is inside, and its exact odds.

For a player all of it is worked out from the state as that player knows it. Numbers come from a rehearsal: the procedure
runs once with middling dice, everybody answering as if asked nothing, and what it hands to its mechanics is looked at.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import repeat
from threading import Lock
from typing import Any

import msgspec

from affray.ask import TARGET, Choose, Pending, Role, Roll
from affray.audience import Audience
from affray.encounter import Encounter
from affray.errors import AffrayError, LimitReached, Refusal
from affray.events import Rolled
from affray.interpreters.live import Live
from affray.interpreters.replay import Answer
from affray.odds.actions import Lab, Watched
from affray.recent import Recent
from affray.render import text
from affray.ruleset import Figure, Ruleset, Shown
from affray.scene import Recorder
from affray.sight.deciding import Forbidden, judged, not_now
from affray.sight.eyes import Eyes, eyes
from affray.sight.log import part
from affray.sight.speech import order_of, typed

MOST = 8
"""Fighters that odds are worked out for."""
ROWS = 8
"""Outcomes that are listed; the rest is summed up."""
RUNS, THROWS = 1000, 250
"""Outcomes that are followed one by one; where there are more, the order is thrown so many times instead."""
HIT, MISS = 5, 3
"""Faces that the one who acts, and everybody else, throws in a rehearsal: enough for an attack to go through."""

class Desk:
    """What has been worked out for one audience in one position."""

    def __init__(self, fight: Encounter, view: Eyes) -> None:
        policies = fight.policies if view.audience.master else {}
        self.lab = Lab(fight.ruleset, view.judged, policies, most=RUNS)
        self.found: dict[str, dict[str, Any]] = {}
        self.lock = Lock()


_KEPT: Recent[Desk] = Recent(32)


def preview(fight: Encounter, audience: Audience, order: Any) -> dict[str, Any]:
    """What an order needs and comes to. Raises Forbidden for somebody else's combatant, IllegalOrder for nonsense."""
    view = eyes(fight, audience)
    given = order_of(fight, view, order)
    if not audience.mine(given.by) or given.by not in view.there:
        raise Forbidden("that combatant is not yours")
    deciders = tuple(sorted((who, policy.name) for who, policy in fight.policies.items())) if audience.master else ()
    now = (fight.ruleset.name, audience, deciders, fight.open is None)
    desk = _KEPT.get(now, lambda: Desk(fight, view), view.state)
    key = msgspec.json.encode(given).decode()
    with desk.lock:
        if key not in desk.found:
            desk.found[key] = typed(_worked_out(fight, view, desk, given))
        return desk.found[key]


def _worked_out(fight: Encounter, view: Eyes, desk: Desk, order: Any) -> dict[str, Any]:
    ruleset = fight.ruleset
    late = not_now(fight, view, order.by)
    state = desk.lab.up(view.judged, order.by) if late else view.judged
    refused = judged(fight, view, order, state)
    cells = covered(ruleset, state, order)
    inside = [f.id for f in state.fighters if getattr(f, "at", None) in cells] if cells else []
    found: dict[str, Any] = {
        "order": msgspec.to_builtins(order),
        "refused": _plain(refused or late),
        "cost": ruleset.cost(state, order),
        "band": ruleset.band(state, order),
        "distance": _distance(ruleset, state, order),
        "numbers": [],
        "covered": [list(cell) for cell in cells],
        "inside": [{"id": who, "name": view.name(who)} for who in inside],
        "odds": [],
        "notes": [],
    }
    if refused:
        return found
    found["numbers"] = [figure(view, who, one) for who, one in figures(ruleset, state, order)]
    found["odds"], found["notes"] = odds(view, desk, state, order, inside)
    return found


def _plain(refused: Refusal | None) -> dict[str, str] | None:
    return None if refused is None else {"text": refused.text, "rule": refused.rule}


def covered(ruleset: Ruleset, state: Any, order: Any) -> tuple[tuple[int, int], ...]:
    """The cells of an area, () where the order names no area yet."""
    try:
        return ruleset.covered(state, order)
    except AffrayError:
        return ()


def _distance(ruleset: Ruleset, state: Any, order: Any) -> str:
    target = getattr(order, "target", "")
    ids = {f.id for f in state.fighters}
    return ruleset.apart(state, order.by, target)[0] if target in ids and target != order.by and order.by in ids else ""


# ---- numbers


class Rehearsal(Recorder):
    """A scene that notes what is handed to mechanics, with the target that it is about, and what the outermost of them answer."""

    def __init__(self, state: Any, source: Any) -> None:
        super().__init__(state, source)
        self.handed: list[tuple[str, Any]] = []
        self.returned: list[Any] = []
        self._deep = 0

    def call(
        self,
        mechanic: Callable[..., Any],
        *args: Any,
        roles: dict[Role, str] | None = None,
        alike: Callable[[Any], Hashable] | None = None,
    ) -> Any:
        target = (roles or self._roles).get(TARGET, "")
        self.handed += [(target, one) for one in _structs(args)]
        self._deep += 1
        found = super().call(mechanic, *args, roles=roles, alike=alike)
        self._deep -= 1
        if not self._deep:
            self.returned.append(found)
        return found


def _structs(values: Sequence[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, msgspec.Struct):
            yield value
        elif isinstance(value, tuple | list):
            yield from _structs(value)


class Middling:
    """Everybody throws middling dice and answers as if not asked."""

    def __init__(self, by: str) -> None:
        self.by = by

    def faces(self, n: int, request: Roll) -> Sequence[int]:
        return request.pool.throw(repeat(HIT if request.by == self.by else MISS))  # type: ignore[no-any-return]

    def answer(self, n: int, request: Choose, state: Any) -> Any:
        return request.default


def figures(ruleset: Ruleset, state: Any, order: Any) -> list[tuple[str, Figure]]:
    """The numbers that an order comes down to, each with whose it is."""
    scene = Rehearsal(state, Middling(order.by))
    with contextlib.suppress(AffrayError, Pending):
        ruleset.perform(scene, order)
    found: dict[tuple[str, str, str], tuple[str, Figure]] = {}
    for target, value in scene.handed:
        for one in ruleset.figures(state, target, value):
            who = order.by if one.whose == "by" else target
            found.setdefault((who, one.name, one.shown.text), (who, one))
    if any(one.whose == "by" for _, one in found.values()):
        return list(found.values())
    for event in scene.events:
        if isinstance(event, Rolled):
            shown = Shown(event.pool, _pool(event), event.parts)
            whose = "by" if event.who == order.by else "target"
            found.setdefault((event.who, event.why, shown.text), (event.who, Figure(event.why, whose, shown, event.rule)))
        elif getattr(event, "parts", ()) and not found.get((event.who, "number to reach", "")):
            data = dict(getattr(event, "data", ()))
            value = next((data[name] for name in ("need", "difficulty") if name in data), None)
            if value is not None:
                shown = Shown(value, str(value), event.parts)  # type: ignore[union-attr]
                one = Figure("number to reach", "target", shown, event.rule)
                found.setdefault((event.who, one.name, shown.text), (event.who, one))
    return list(found.values())


def _pool(event: Rolled) -> str:
    plus = sum(p.amount for p in text.added(event))
    return event.pool + (f" {plus:+d}" if plus else "")


def figure(view: Eyes, who: str, one: Figure) -> dict[str, Any]:
    return {
        "name": one.name,
        "who": who,
        "whose": one.whose,
        "text": text.minus(one.shown.text),
        "rule": one.rule,
        "parts": [part(view, p) for p in one.shown.parts],
    }


# ---- odds


def odds(view: Eyes, desk: Desk, state: Any, order: Any, inside: list[str]) -> tuple[list[dict[str, Any]], list[str]]:
    """What comes of it for each of those it is aimed at, and on what assumptions."""
    aimed = list(dict.fromkeys([*concerned(state, order), *inside]))[:MOST]
    rows: list[dict[str, Any]] = []
    notes: list[str] = []
    try:
        for who in aimed or [order.by]:
            row, told = fate(view, desk, state, order, who, bool(aimed))
            rows.append(row)
            notes += told
    except AffrayError as wrong:
        return [], [f"no odds: {view.veiled(str(wrong))}"]
    notes = list(dict.fromkeys(notes))
    unknown = [view.name(who) for who in aimed if not view.whole(who)]
    if unknown:
        notes.append(f"{', '.join(unknown)}: taken as ordinary, with what shows")
    return rows, notes


def fate(view: Eyes, desk: Desk, state: Any, order: Any, who: str, aimed: bool) -> tuple[dict[str, Any], list[str]]:
    """What comes of it for one fighter: exactly, or by throwing where there is too much to follow."""
    notes = []
    row: dict[str, Any] = {"who": who, "name": view.name(who), "results": [], "measures": [], "exact": True}
    try:
        if aimed:
            told = desk.lab.of(order, (who,))
            row |= watched(told.watched[0])
            if asked := dict.fromkeys(f"{view.name(d.who)}: {d.why} ({d.policy})" for d in told.decided):
                notes.append(f"questions are answered by a policy: {', '.join(asked)}")
            if told.note:
                notes.append(told.note)
        if len(row["results"]) < 2:
            row["results"] = listed(outcomes(desk.lab, state, order, who))
    except LimitReached:
        row |= {"results": thrown(desk.lab, state, order, who, aimed), "measures": [], "exact": False}
        notes.append(f"{row['name']}: from {THROWS} throws, good to about 6 in 100")
    return row, notes


def thrown(lab: Lab, state: Any, order: Any, who: str, aimed: bool) -> list[dict[str, Any]]:
    """Shares of results in many throws of the same order, always the same ones."""
    ruleset, before = lab.ruleset, next(f for f in state.fighters if f.id == who)
    found: dict[str, float] = {}
    for number in range(THROWS):
        scene = Rehearsal(state, Live(0, number, lab.deciders.of))
        ruleset.perform(scene, order)
        if aimed:
            word = lab.result(before, scene.state, who, scene.returned if who != order.by else []).word
        else:
            word = changed(ruleset, before, scene.state, who)
        found[word] = found.get(word, 0) + 1 / THROWS
    known = ruleset.results
    rows = sorted(found.items(), key=lambda pair: (known.index(pair[0]) if pair[0] in known else len(known), -pair[1]))
    return [{"word": word, "chance": share} for word, share in rows[: ROWS + 2]]


def concerned(state: Any, order: Any) -> list[str]:
    """Whom an order is aimed at."""
    ids = [f.id for f in state.fighters]
    named = [getattr(order, name, ()) for name in ("target", "targets")]
    found = [one for value in named for one in ((value,) if isinstance(value, str) else value or ()) if one in ids]
    return list(dict.fromkeys(found))


def watched(one: Watched) -> dict[str, Any]:
    """Chances of each result, and what is to be expected: the chance of what either happens or not, else the mean."""
    measures = []
    for measure in one.measures:
        mean = measure.mean()
        if mean > 0:
            chance = max(measure.values) == 1
            measures.append({"word": measure.name.replace("_", " "), "chance" if chance else "mean": float(mean)})
    results = [{"word": text.minus(str(word)), "chance": float(weight)} for word, weight in one.results.outcomes]
    return {"results": results, "measures": measures}


def outcomes(lab: Lab, state: Any, order: Any, who: str, answers: Iterable[Answer] = ()) -> dict[str, float]:
    """What becomes of somebody in words, with the weight of each outcome."""
    ruleset = lab.ruleset
    before = next(f for f in state.fighters if f.id == who)
    spread = lab.each(order, who, lambda after: changed(ruleset, before, after, who), answers)
    return {word: float(weight) for word, weight in spread.items()}


def changed(ruleset: Ruleset, before: Any, after: Any, who: str) -> str:
    """What has become of somebody, in words."""
    now = next((f for f in after.fighters if f.id == who), None)
    if now is None:
        return "gone"
    fallen = ruleset.fallen(now)
    told = text.changes(before, now, text.DULL - {"standing", "aim"})
    return ", ".join([*([fallen] if fallen else []), *told]) or "no change"


def listed(spread: dict[str, float]) -> list[dict[str, Any]]:
    """Outcomes, the likeliest first; the last row sums up what is left."""
    rows = sorted(spread.items(), key=lambda pair: -pair[1])
    found = [{"word": text.minus(word), "chance": weight} for word, weight in rows[:ROWS]]
    if rest := sum(weight for _, weight in rows[ROWS:]):
        found.append({"word": f"{len(rows) - ROWS} other outcomes", "chance": rest})
    return found
