"""Encounter files: from TOML to a fight that can begin, or to everything that is wrong with the file.

The part that all games share (sides, numbers, names, places, gear by name) is checked here; the sheet of a combatant is
read by the ruleset, which reports at the same places.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from affray import ruleset as rulesets
from affray.errors import DataError, Problem, nearest, unknown
from affray.formats import models
from affray.formats.problems import validate
from affray.formats.sheets import SHARED, Draft, Gatherer, Origin
from affray.formats.toml import Document, Place, load
from affray.reading import NO_SUCH_KEY, NOTHING, Report, read
from affray.ruleset import Ruleset
from affray.setup import Apart, Ground, Party, Placed, Setup
from affray.space import Area, Gap, Space


@dataclass(frozen=True, slots=True)
class Fight:
    """What a file describes, ready to begin. `policies`: name of a policy by side or combatant."""

    ruleset: Ruleset
    title: str
    seed: int
    state: Any
    sides: tuple[Party, ...]
    policies: tuple[tuple[str, str], ...] = ()
    notes: str = ""


def load_fight(path: str | Path) -> Fight:
    """Read an encounter file. Raises DataError with every problem of it."""
    doc = load(path)
    return fight_of(doc, doc.data)


def fight_of(doc: Document, data: dict[str, Any]) -> Fight:
    """The fight of a document whose data are these. Raises DataError with every problem of it."""
    if not data:
        raise DataError([Problem("the file is empty; it needs ruleset = ... and some [[combatant]]", doc.file)])
    reader = Reader(doc)
    fight = reader.read(data)
    if fight is None or reader.problems:
        raise DataError(reader.problems)
    return fight


@dataclass(slots=True)
class Reader:
    """Reads one encounter that stands at `at` in a document. After `read`: `problems`."""

    doc: Document
    at: Place = ()
    cast: Mapping[str, Origin] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def read(self, data: Mapping[str, Any], start: Mapping[str, Any] | None = None) -> Fight | None:
        """The fight, or None (and problems). `start`: a stated position, for cases."""
        head = {key: value for key, value in data.items() if key != "combatant"}
        model, problems = validate(models.Encounter, head, self.doc, self.at)
        self.problems += problems
        ruleset = self._ruleset(data.get("ruleset"))
        if ruleset is None:
            return None
        rulings = self._rulings(ruleset, data.get("rulings", {}))
        drafts = self._drafts(ruleset.name, data.get("combatant"))
        sides = self._sides(ruleset, model, drafts)
        placed = self._placed(drafts)
        for _, draft in placed:
            if isinstance(name := draft.data.get("policy", ""), str) and name and name not in ruleset.policies:
                problem = unknown("policy", name, tuple(ruleset.policies))
                self.problems.append(draft.problem(("policy",), problem.text, problem.allowed, problem.nearest))
        if model is None or rulings is None:
            model = model or models.Encounter.model_construct(ruleset=ruleset.name, space=models.Space())
            rulings = rulings if rulings is not None else ruleset.Rulings()
        ground = self._ground(model, placed)
        setup = Setup(
            ruleset.name, model.title, model.seed, rulings, ground, sides, tuple(one for one, _ in placed), start or {}
        )
        state = self._stated(ruleset, ruleset.setup(setup, Report(self._noter(placed))), placed)
        if self.problems or state is None:
            self.problems = sorted(dict.fromkeys(self.problems), key=lambda problem: (problem.file, problem.line))
            return None
        for told in ruleset.problems(state):
            who, _, what = told.partition(": ")
            whose = next((draft for one, draft in placed if one.id == who), None)
            self.problems.append(whose.problem(("state",), what) if whose else self.doc.problem(self.at, told))
        policies = self._policies(sides, placed)
        return None if self.problems else Fight(ruleset, model.title, model.seed, state, sides, policies, model.notes)

    # ---- parts of the file

    def _say(self, place: Iterable[str | int], text: str, allowed: Iterable[str] = (), near: str = "") -> None:
        self.problems.append(self.doc.problem((*self.at, *place), text, allowed, near))

    def _ruleset(self, name: Any) -> Ruleset | None:
        if not isinstance(name, str):
            return None  # the model has said so
        try:
            return rulesets.find(name)
        except DataError as error:
            for problem in error.problems:
                self._say(("ruleset",), problem.text, problem.allowed, problem.nearest)
            return None

    def _rulings(self, ruleset: Ruleset, given: Any) -> Any:
        flat, places = flattened(given if isinstance(given, dict) else {})
        try:
            return ruleset.rulings(flat)
        except DataError as error:
            for problem in error.problems:
                key = problem.key.removeprefix("rulings.")
                self._say(("rulings", *places.get(key, ())), problem.text, problem.allowed, problem.nearest)
            return None

    def _drafts(self, system: str, given: Any) -> list[tuple[Draft, models.Combatant]]:
        if given is None or given == []:
            self._say((), "nobody fights; add [[combatant]] with name and side")
            return []
        if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
            self._say(("combatant",), "combatants are tables; begin each with [[combatant]]")
            return []
        if len(given) > models.MAX_COMBATANTS:
            told = f"{len(given)} combatants; at most {models.MAX_COMBATANTS} can fight in one encounter"
            self._say(("combatant",), told)
            return []
        found = []
        gatherer = Gatherer(system, self.cast, self.problems)
        total = 0
        for number, raw in enumerate(given):
            at = (*self.at, "combatant", number)
            draft = gatherer.gather(raw, self.doc, at)
            model, problems = validate(models.Combatant, draft.data, draft)
            self.problems += problems
            if model is None:
                shared: dict[str, Any] = {}
                shared |= {k: v for k, v in draft.data.items() if k in ("name", "side") and isinstance(v, str) and v}
                model = models.Combatant.model_construct(**shared, at=None)
                draft.data = {key: value for key, value in draft.data.items() if key not in SHARED} | shared
            found.append((draft, model))
            total += model.count
        if total > models.MAX_COMBATANTS:
            self._say(("combatant",), f"{total} combatants; at most {models.MAX_COMBATANTS} can fight in one encounter")
            return []
        return found

    def _sides(
        self, ruleset: Ruleset, model: models.Encounter | None, drafts: list[tuple[Draft, models.Combatant]]
    ) -> tuple[Party, ...]:
        declared = tuple(Party(side.name, side.colour, side.policy) for side in self._declared(model))
        names = [side.name for side in declared]
        for number, name in enumerate(names):
            if name in names[:number]:
                self._say(("side", number, "name"), f"two sides are called {name!r}")
            if declared[number].policy and declared[number].policy not in ruleset.policies:
                problem = unknown("policy", declared[number].policy, tuple(ruleset.policies))
                self._say(("side", number, "policy"), problem.text, problem.allowed, problem.nearest)
        for draft, combatant in drafts:
            if combatant.side is None:
                self.problems.append(draft.problem((), "needs side = ..."))
            elif declared and combatant.side not in names:
                problem = unknown("side", combatant.side, names)
                self.problems.append(draft.problem(("side",), problem.text, problem.allowed, problem.nearest))
        implied = dict.fromkeys(c.side for _, c in drafts if c.side is not None and c.side not in names)
        return declared + (() if declared else tuple(Party(name) for name in implied))

    def _declared(self, model: models.Encounter | None) -> list[models.Side]:
        """The sides as far as they can be read, even when the rest of the file is wrong."""
        if model is not None:
            return model.side
        given = self.doc.data
        for part in self.at:
            given = given[part]  # type: ignore[index]
        sides = given.get("side", [])
        found = [validate(models.Side, side, self.doc)[0] for side in sides] if isinstance(sides, list) else []
        return [side for side in found if side is not None]

    def _placed(self, drafts: list[tuple[Draft, models.Combatant]]) -> list[tuple[Placed, Draft]]:
        """Everybody, `count` spelled out, each with a name and a place of its own."""
        taken: dict[str, int] = {}
        spots = {place for _, one in drafts for place in one.at or ()}
        columns = {side: 10 * n for n, side in enumerate(dict.fromkeys(one.side for _, one in drafts))}
        placed = []
        for draft, one in drafts:
            if one.name is None:
                self.problems.append(draft.problem((), "needs name = ..."))
                continue
            if one.policy:
                draft.data.setdefault("policy", one.policy)
            sheet = {key: value for key, value in draft.data.items() if key not in SHARED}
            given = one.at or ()
            if len(given) > max(one.count, 1):
                self.problems.append(draft.problem(("at",), f"{len(given)} places for {one.count} combatants"))
            for number in range(1, one.count + 1):
                name = one.name if one.count == 1 else f"{one.name} {number}"
                if name in taken:
                    self.problems.append(draft.problem(("name",), f"two combatants are called {name!r}"))
                taken[name] = number
                at = self._spot(given, number, columns[one.side], spots)
                group = one.group or (one.name if one.count > 1 else "")
                placed.append((
                    Placed(
                        name, one.side or "", at, group, number if one.count > 1 else 0, one.player, one.surprised,
                        one.hidden, sheet, one.state,
                    ),
                    draft,
                ))
        return placed

    def _spot(
        self, given: tuple[tuple[float, ...], ...], number: int, column: int, spots: set[tuple[float, ...]]
    ) -> tuple[float, ...]:
        """The place of the `number`-th: as given, else the next free space below the last one given (or of the side)."""
        if number <= len(given):
            return given[number - 1]
        if given and len(given[-1]) == 1:
            return given[-1]
        at = given[-1] if given else (column, 0)
        while at in spots:
            at = (at[0], at[1] + 1)
        spots.add(at)
        return at

    def _ground(self, model: models.Encounter, placed: list[tuple[Placed, Draft]]) -> Ground:
        given = model.space
        apart = tuple(self._distances(model.distances, [one for one, _ in placed]))
        if apart and given.kind == "grid" and "space" in model.model_fields_set:
            self._say(("distances",), "distances are for space.kind = 'distances'; on a grid the places decide")
        areas = [Area(*box, "wall") for box in given.walls]
        areas += [Area(*one.area, "cover", one.value) for one in given.cover]
        areas += [Area(*one.area, one.kind) for one in given.terrain]
        gaps = tuple(Gap(a, b, steps) for a, b, steps in apart if type(steps) is int)
        space = Space(given.kind == "grid" and not apart, tuple(areas), gaps)
        if problem := space.problem():
            self._say(("space",), problem)
        elif space.grid:
            self._clear_of_walls(space, placed)
        return Ground(space, given.size, given.light, apart)

    def _clear_of_walls(self, space: Space, placed: list[tuple[Placed, Draft]]) -> None:
        """Nobody stands inside a wall."""
        walls = space.walls()
        for one, draft in placed:
            if one.cell in walls:
                self.problems.append(draft.problem(("at",), f"{one.id} would stand inside a wall at {list(one.cell)}"))

    def _distances(self, given: list[models.Distance], placed: list[Placed]) -> Iterator[Apart]:
        known = dict.fromkeys(name for one in placed for name in (one.id, one.group, one.side) if name)
        for number, one in enumerate(given):
            ends = []
            for end, name in enumerate(one.between):
                if name not in known:
                    near = nearest(name, known)
                    self._say(("distances", number, "between", end), f"nobody and no side is called {name!r}", (), near)
                ends.append([who.id for who in placed if name in (who.id, who.group, who.side)])
            if isinstance(one.is_, int | float) and one.is_ < 0:
                self._say(("distances", number, "is"), f"{one.is_}: a distance cannot be negative")
            yield from ((a, b, one.is_) for a in ends[0] for b in ends[1] if a != b)

    def _policies(
        self, sides: tuple[Party, ...], placed: list[tuple[Placed, Draft]]
    ) -> tuple[tuple[str, str], ...]:
        """Policies of sides, and of single combatants."""
        named = [(side.name, side.policy) for side in sides if side.policy]
        return (*named, *((one.id, str(draft.data["policy"])) for one, draft in placed if draft.data.get("policy")))

    # ---- what the ruleset reports, and stated values

    def _noter(self, placed: list[tuple[Placed, Draft]]) -> Any:
        def note(place: Place, text: str, allowed: tuple[str, ...], near: str) -> None:
            if len(place) > 1 and place[0] == "combatant" and isinstance(place[1], int):
                if len(place) == 3 and text == NO_SUCH_KEY:  # the ruleset knows only the keys of its sheets
                    near = nearest(str(place[2]), (*SHARED, *((near,) if near else ())))
                self.problems.append(placed[place[1]][1].problem(place[2:], text, allowed, near))
            else:
                self._say(place, text, allowed, near)

        return note

    def _stated(self, ruleset: Ruleset, state: Any, placed: list[tuple[Placed, Draft]]) -> Any:
        """The state with the fields that `state = { ... }` of each combatant gives."""
        fighters = {fighter.id: fighter for fighter in state.fighters} if state is not None else {}
        fields = {f.encode_name: f for f in msgspec.structs.fields(ruleset.Fighter) if f.name not in ("sheet", "id")}
        for one, draft in placed:
            report = Report(self._noter([(one, draft)]), ("combatant", 0, "state"))
            good = {}
            for key, value in one.state.items():
                if key not in fields:
                    report.at(key).unknown("field of the state", key, fields)
                    continue
                got = read(fields[key].type, value, report.at(key))
                if got is not NOTHING:
                    good[fields[key].name] = got
            if good and one.id in fighters:
                fighters[one.id] = msgspec.structs.replace(fighters[one.id], **good)
        if state is None:
            return None
        return msgspec.structs.replace(state, fighters=tuple(fighters[f.id] for f in state.fighters))


def flattened(given: Mapping[str, Any], before: Place = ()) -> tuple[dict[str, Any], dict[str, Place]]:
    """Rulings as {key: value}, where TOML may have made tables of dotted keys; and the place of each."""
    flat: dict[str, Any] = {}
    places: dict[str, Place] = {}
    for key, value in given.items():
        if isinstance(value, dict):
            inner, inner_places = flattened(value, (*before, key))
            flat |= {f"{key}.{name}": one for name, one in inner.items()}
            places |= {f"{key}.{name}": place for name, place in inner_places.items()}
        else:
            flat[key], places[key] = value, (*before, key)
    return flat, places
