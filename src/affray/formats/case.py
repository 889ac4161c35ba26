"""Case files: read them, run them, and say what failed.

A case is played through the same door as every fight: orders, dice thrown by hand, answers by people. The script gives
them; nothing of the rules is worked out here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from affray import rules
from affray.errors import AffrayError, BadAnswer, DataError, Problem, nearest
from affray.formats import models
from affray.formats.dicetext import parse
from affray.formats.encounter import Fight, Reader, flattened
from affray.formats.play import Play
from affray.formats.problems import validate
from affray.formats.script import Failed
from affray.formats.sheets import Origin
from affray.formats.toml import Document, Place, load
from affray.render.text import plain


@dataclass(frozen=True, slots=True)
class Case:
    """One case, ready to run. `starts`: the opening fight of the case, and of each branch."""

    model: models.Case
    file: str
    line: int
    fight: Fight
    branches: tuple[tuple[models.Branch, Fight], ...] = ()

    @property
    def rules(self) -> tuple[str, ...]:
        """Rule ids that the case shows: `rules`, and its own id."""
        return tuple(dict.fromkeys([self.model.id, *self.model.rules]))


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a case. `step`: where it failed ('step 2 (Ash: attack)'); `report`: all that helps to find out why."""

    id: str
    title: str
    file: str
    line: int
    passed: bool
    rules: tuple[str, ...] = ()
    step: str = ""
    path: str = ""
    expected: Any = None
    actual: Any = None
    report: tuple[str, ...] = field(default=(), repr=False)

    def plain(self) -> dict[str, Any]:
        """For JSON: one object a case."""
        return {
            "id": self.id,
            "title": self.title,
            "file": self.file,
            "line": self.line,
            "rules": list(self.rules),
            "passed": self.passed,
            "step": self.step,
            "path": self.path,
            "expected": self.expected if self.expected is None else _json(self.expected),
            "actual": self.actual if self.actual is None else _json(self.actual),
        }


def _json(value: Any) -> Any:
    return value if isinstance(value, bool | int | float | str | list | dict) else plain(value)


# ---- reading


def load_cases(path: str | Path) -> list[Case]:
    """All cases of a file. Raises DataError with every problem of it."""
    doc = load(path)
    if not doc.data:
        raise DataError([Problem("the file is empty; it needs some [[case]]", doc.file)])
    if "combatant" in doc.data and "case" not in doc.data:
        what = "an encounter; `affray fight` plays it" if "ruleset" in doc.data else "a cast for cases to use"
        raise DataError([doc.problem(("combatant",), f"there is no [[case]] here; this is {what}")])
    model, problems = validate(models.CaseFile, {k: v for k, v in doc.data.items() if k != "case"}, doc)
    raw = doc.data.get("case")
    if not isinstance(raw, list) or not raw:
        problems.append(doc.problem(("case",), "there is no case; begin each with [[case]]"))
        raise DataError(problems)
    cast = _cast(doc, model, problems)
    cases: list[Case] = []
    seen: dict[str, int] = {}
    for number, one in enumerate(raw):
        found = _case(doc, number, one, cast, problems)
        if isinstance(one, dict) and isinstance(one.get("id"), str):
            if one["id"] in seen:
                problems.append(doc.problem(("case", number, "id"), f"two cases are called {one['id']!r}"))
            seen[one["id"]] = number
        if found:
            cases.append(found)
    if problems:
        raise DataError(sorted(dict.fromkeys(problems), key=lambda problem: (problem.file, problem.line)))
    return cases


def _cast(doc: Document, model: models.CaseFile | None, problems: list[Problem]) -> dict[str, Origin]:
    """Characters by name from the cast files of a case file."""
    cast: dict[str, Origin] = {}
    names = [] if model is None else [model.cast] if isinstance(model.cast, str) else model.cast
    for name in names:
        try:
            source = load(Path(doc.file).parent / name)
        except DataError as error:
            problems += [doc.problem(("cast",), f"{problem.text} ({problem.file})") for problem in error.problems]
            continue
        found, wrong = validate(models.CastFile, source.data, source)
        problems += wrong
        for number, one in enumerate(found.combatant if found else []):
            if not isinstance(one.get("name"), str):
                problems.append(source.problem(("combatant", number), "needs name = ..."))
                continue
            cast[one["name"]] = (source, ("combatant", number))
    return cast


def _case(
    doc: Document, number: int, raw: Any, cast: Mapping[str, Origin], problems: list[Problem]
) -> Case | None:
    at: Place = ("case", number)
    model, wrong = validate(models.Case, raw, doc, at)
    problems += wrong
    if model is None:
        return None
    before = len(problems)
    fight = _fight(doc, at, raw, cast, problems)
    known = rules.index(fight.ruleset.package) if fight is not None and model.rules else {}
    for n, cited in enumerate(model.rules if known else ()):
        if cited not in known:
            told = f"the ruleset has no rule {cited!r}"
            problems.append(doc.problem((*at, "rules", n), told, (), nearest(cited, known)))
    for place, step in _steps(model):
        for n, text in enumerate(step.dice):
            try:
                parse(text)
            except BadAnswer as wrong_dice:
                problems.append(doc.problem((*at, *place, "dice", n), str(wrong_dice)))
    branches = []
    for n, branch in enumerate(model.branch):
        if branch.after > len(model.step):
            told = f"after = {branch.after}, but the case has {len(model.step)} steps"
            problems.append(doc.problem((*at, "branch", n, "after"), told))
        elif fight is not None:
            other = _branch(doc, (*at, "branch", n), fight, raw, branch, cast, problems)
            branches.append((branch, other or fight))
    if fight is None or len(problems) > before:
        return None
    return Case(model, doc.file, doc.line(at), fight, tuple(branches))


def _steps(model: models.Case) -> Iterable[tuple[Place, models.Step]]:
    yield from ((("step", n), step) for n, step in enumerate(model.step))
    for b, branch in enumerate(model.branch):
        yield from ((("branch", b, "step", n), step) for n, step in enumerate(branch.step))


_OF_CASE = ("id", "rules", "encounter", "start", "defaults", "step", "branch")


def _fight(
    doc: Document,
    at: Place,
    raw: Mapping[str, Any],
    cast: Mapping[str, Origin],
    problems: list[Problem],
    start: Mapping[str, Any] | None = None,
) -> Fight | None:
    """The opening position of a case: written in it, or in an encounter file (with the case's rulings and start)."""
    begin = raw.get("start", {}) if start is None else start
    name = raw.get("encounter")
    own = {key: value for key, value in raw.items() if key not in _OF_CASE}
    if not isinstance(name, str):
        reader = Reader(doc, at, cast)
        fight = reader.read(own, begin)
        problems += reader.problems
        return fight
    for key in ("combatant", "space", "distances", "side"):
        if key in raw:
            problems.append(doc.problem((*at, key), f"{key} stands in the encounter file ({name}) already"))
    try:
        source = load(Path(doc.file).parent / name)
    except DataError as error:
        problems += [doc.problem((*at, "encounter"), f"{one.text} ({one.file})") for one in error.problems]
        return None
    data = {**source.data, "rulings": {**source.data.get("rulings", {}), **raw.get("rulings", {})}}
    reader = Reader(source, (), cast)
    fight = reader.read(data, begin)
    problems += reader.problems
    return fight


def _branch(
    doc: Document,
    at: Place,
    fight: Fight,
    raw: Mapping[str, Any],
    branch: models.Branch,
    cast: Mapping[str, Origin],
    problems: list[Problem],
) -> Fight | None:
    """The opening position of a branch: that of the case, with its own rulings and start."""
    if branch.start is not None:
        other = _fight(doc, at[:-2], raw, cast, problems, branch.start)
        if other is None:
            return None
        fight = other
    if not branch.rulings:
        return fight
    own, places = flattened(branch.rulings)
    given, _ = flattened(raw.get("rulings", {}))
    try:
        rulings = fight.ruleset.rulings({**given, **own})
    except DataError as error:
        for one in error.problems:
            place = (*at, "rulings", *places.get(one.key.removeprefix("rulings."), ()))
            problems.append(doc.problem(place, one.text, one.allowed, one.nearest))
        return None
    return Fight(
        fight.ruleset, fight.title, fight.seed, replace(fight.state, rulings=rulings), fight.sides, fight.policies
    )


# ---- running


def run(case: Case) -> Result:
    """Run a case and its branches, up to the first thing that fails."""
    model = case.model
    play = Play(case.fight, model.defaults)
    label = ""
    try:
        for number, step in enumerate(model.step, 1):
            label = f"step {number} ({_does(step)})"
            play.step(step)
        for count, (branch, fight) in enumerate(case.branches, 1):
            name = branch.name or str(count)
            label = f"branch {name!r}"
            play = Play(case.fight if branch.after else fight, model.defaults)
            for step in model.step[: branch.after]:
                play.step(step, check=False)
            play.go_on(fight.state.rulings, branch.defaults)
            for number, step in enumerate(branch.step, 1):
                label = f"branch {name!r}, step {number} ({_does(step)})"
                play.step(step)
    except Failed as failed:
        return _failed(case, label, failed, play)
    except AffrayError as error:
        return _failed(case, label, Failed("order", "accepted", str(error)), play)
    return Result(model.id, model.title, case.file, case.line, True, case.rules)


def _does(step: models.Step) -> str:
    return f"{step.by}: {step.do}" if step.by else step.do


def _failed(case: Case, label: str, failed: Failed, play: Play) -> Result:
    model = case.model
    report = [
        f"FAILED {model.id}" + (f" ({model.title})" if model.title else "") + f"  {case.file}:{case.line}",
        f"  {label}, at {failed.path}",
        f"    expected  {failed.expected if isinstance(failed.expected, str) else plain(failed.expected)}",
        f"    actual    {failed.actual if isinstance(failed.actual, str) else plain(failed.actual)}",
        *play.report(),
    ]
    return Result(
        model.id, model.title, case.file, case.line, False, case.rules, label, failed.path, failed.expected,
        failed.actual, tuple(report),
    )
