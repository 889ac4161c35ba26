"""Grid files: which fights a sweep plays. From TOML to a list of cells, or to everything that is wrong with the file.

A grid names encounter files and what to vary in them; its cells are all combinations, in the order of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from affray.errors import DataError, Problem
from affray.formats import vary
from affray.formats.encounter import Fight
from affray.formats.models import Name, Strict, Text
from affray.formats.problems import validate
from affray.formats.toml import Document, load

MAX_CELLS = 10_000
MAX_PROBLEMS = 40
COLUMNS = (
    "file", "side", "fights", "win", "low", "high", "lost_mean", "dead_mean", "mean_rounds", "undecided", "how",
)  # fmt: skip
"""Columns of the table of a sweep beside those that are varied; the first stands before them."""
Scalar = bool | int | float | Annotated[str, Field(max_length=200)]


def _share(value: str) -> str:
    vary.share(value)
    return value


class Axis(Strict):
    """Something that is varied: a path as in `affray balance --vary`, and its values as a list or a range in a text."""

    path: Name
    values: Annotated[list[Scalar], Field(min_length=1, max_length=vary.MAX_VALUES)] | Annotated[str, Field(min_length=1)]
    name: Text = ""


class Grid(Strict):
    """A whole grid file. `with`: settings PATH=VALUE that hold in every cell. Files are looked for beside the grid."""

    title: Text = ""
    notes: Text = ""
    files: Annotated[list[Name], Field(min_length=1, max_length=200)]
    fights: Annotated[int, Field(ge=1, le=100_000_000)] = 1000
    until: Annotated[Text, AfterValidator(_share)] | None = None
    seed: Annotated[int, Field(ge=0, le=2**40)] = 0
    rounds: Annotated[int, Field(ge=1, le=10_000)] = 200
    live: bool = False
    side: Text = ""
    with_: Annotated[list[Text], Field(alias="with", max_length=100)] = []  # noqa: RUF012
    vary: Annotated[list[Axis], Field(max_length=20)] = []  # noqa: RUF012


@dataclass(frozen=True, slots=True)
class Plan:
    """A grid that can be played: its columns, and for each cell the values in them and the fight."""

    title: str
    grid: Grid
    columns: tuple[str, ...]
    cells: tuple[tuple[tuple[Any, ...], Fight], ...]


def load_grid(path: str | Path) -> Plan:
    """Read a grid and all the files it names. Raises DataError with every problem."""
    doc = load(path)
    if not doc.data:
        raise DataError([Problem("the file is empty; a grid needs files = [...] and some [[vary]]", doc.file)])
    grid, problems = validate(Grid, doc.data, doc)
    if grid is None:
        raise DataError(problems)
    reader = _Reader(doc, grid)
    plan = reader.read()
    if reader.problems:
        raise DataError(sorted(reader.problems, key=lambda one: (one.file != doc.file, one.file, one.line))[:MAX_PROBLEMS])
    return plan


@dataclass(slots=True)
class _Reader:
    """Reads the cells; collects what is wrong."""

    doc: Document
    grid: Grid
    problems: list[Problem] = field(default_factory=list)
    bad: set[tuple[int, int]] = field(default_factory=set)
    """Values (axis, place) that have been told to be wrong."""

    def read(self) -> Plan:
        always = list(self._always())
        axes = [list(self._values(at, axis)) for at, axis in enumerate(self.grid.vary)]
        names = [axis.name or axis.path for axis in self.grid.vary]
        for at, name in enumerate(names):
            if name in names[:at] or name in COLUMNS:
                told = f"two columns would be called {name!r}; give this one another name = ..."
                self.problems.append(self.doc.problem(("vary", at), told))
        self._once(always)
        count = len(self.grid.files)
        for values in axes:
            count *= len(values)
        if count > MAX_CELLS:
            self.problems.append(self.doc.problem(("vary",), f"{count} combinations; at most {MAX_CELLS} can be played"))
        paths = [Path(self.doc.file).parent / file for file in self.grid.files]
        for at, path in enumerate(paths):
            if path in paths[:at]:
                self.problems.append(self.doc.problem(("files", at), f"{self.grid.files[at]} stands here twice"))
        bases = [self._base(at, file) for at, file in enumerate(self.grid.files)]
        if self.problems:
            return Plan("", self.grid, (), ())
        for base in bases:
            self._check(base, always, axes)
        cells = []
        for file, base in zip(self.grid.files, bases, strict=True):
            for combination in product(*(range(len(values)) for values in axes)):
                if self.problems and any(place in self.bad for place in enumerate(combination)):
                    continue
                chosen = [values[k] for values, k in zip(axes, combination, strict=True)]
                settings = [(axis.path, value) for axis, value in zip(self.grid.vary, chosen, strict=True)]
                if (fight := self._varied(base, [*always, *settings], ())) is not None:
                    cells.append(((file, *chosen), fight))
                if len(self.problems) > MAX_PROBLEMS:
                    return Plan("", self.grid, (), ())
        return Plan(self.grid.title or Path(self.doc.file).stem, self.grid, ("file", *names), tuple(cells))

    def _once(self, always: list[vary.Setting]) -> None:
        """Nothing is set twice, since one of the two would do nothing."""
        seen: set[str] = set()
        for at, axis in enumerate(self.grid.vary):
            if vary.place(axis.path) in seen:
                self.problems.append(self.doc.problem(("vary", at, "path"), f"{axis.path} is varied already"))
            seen.add(vary.place(axis.path))
        for path, value in always:
            if vary.place(path) in seen:
                told = f"{vary.told(path, value)}: {path} is set or varied already; leave one of them out"
                self.problems.append(self.doc.problem(("with",), told))
            seen.add(vary.place(path))

    def _always(self) -> Iterator[vary.Setting]:
        for at, text in enumerate(self.grid.with_):
            try:
                path, values = vary.parse(text, "with")
            except DataError as wrong:
                self.problems += [self.doc.problem(("with", at), one.text) for one in wrong.problems]
                continue
            if len(values) != 1:
                self.problems.append(self.doc.problem(("with", at), f"{text!r}: one value is expected"))
            yield path, values[0]

    def _values(self, at: int, axis: Axis) -> tuple[Any, ...]:
        if isinstance(axis.values, str):
            try:
                return vary.values(axis.values)
            except ValueError as wrong:
                self.problems.append(self.doc.problem(("vary", at, "values"), str(wrong)))
                return ()
        return tuple({(type(one), one): one for one in axis.values}.values())

    def _base(self, at: int, file: str) -> Any:
        if "\0" in file:
            self.problems.append(self.doc.problem(("files", at), f"{file!r} is no name of a file"))
            return None
        try:
            return vary.Base.load(Path(self.doc.file).parent / file)
        except DataError as wrong:
            for one in wrong.problems:
                missing = self.doc.problem(("files", at), f"{file}: no such file", (), one.nearest)
                self.problems.append(missing if one.text == "no such file" else one)
            return None

    def _check(self, base: vary.Base, always: list[vary.Setting], axes: list[list[Any]]) -> None:
        """Every value by itself, so that a wrong one is told once and not for each combination."""
        before = len(self.problems)
        self._varied(base, always, ("with",))
        if len(self.problems) > before:
            return
        for at, values in enumerate(axes):
            path, seen = self.grid.vary[at].path, set()
            for place, value in enumerate(values):
                listed = isinstance(self.grid.vary[at].values, list)
                where = ("vary", at, "values", place) if listed else ("vary", at, "values")
                known = len(self.problems)
                if self._varied(base, [*always, (path, value)], where) is None:
                    self.bad.add((at, place))
                words = "".join(one.text for one in self.problems[known:]).replace(vary.told(path, value), path)
                if words in seen:  # what is wrong with the path is wrong with each of its values
                    del self.problems[known:]
                seen.add(words)

    def _varied(self, base: vary.Base, settings: list[vary.Setting], where: tuple[str | int, ...]) -> Fight | None:
        try:
            return base.varied(settings, "vary")
        except DataError as wrong:
            for one in wrong.problems:
                inside = "" if base.doc.file == one.file or not one.file else f"{one.file}: "
                told = ": ".join(part for part in (one.key, f"{inside}{one.text}") if part)
                self.problems.append(self.doc.problem(where, f"{Path(base.doc.file).name}: {told}", one.allowed, one.nearest))
            return None


def schema() -> dict[str, Any]:
    """JSON Schema of a grid file."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Grid.model_json_schema(), "title": "Affray grid"}
