"""A combatant of a file, put together: stock template, sheet file, cast, and what the encounter itself says.

Later layers win, in this order; tables (attributes, skills...) are joined key by key, everything else is replaced.
Every value remembers the file and line it came from. Gear that is only named is looked up in the compendium.
What the keys mean is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from affray import compendium
from affray.errors import DataError, Problem, nearest
from affray.formats.models import Combatant
from affray.formats.toml import Document, Place, load

MAX_DEPTH = 8
"""Sheets that build on sheets that build on sheets..."""
GEAR = {"weapons": "weapon", "armor": "armour", "gear": "gear"}
"""Key of a sheet -> kind of compendium entry that may stand there by name."""
_CODE = re.compile(r"\s*\+?\d+\s*([dD]6?\s*(\+\s*\d+)?)?\s*")

Origin = tuple[Document, Place]


@dataclass(slots=True)
class Draft:
    """Merged values, and where each came from."""

    data: dict[str, Any] = field(default_factory=dict)
    origins: dict[Place, Origin] = field(default_factory=dict)

    def problem(self, place: Iterable[str | int], text: str, allowed: Iterable[str] = (), near: str = "") -> Problem:
        """Something is wrong with a value; told at the place in the file that it came from."""
        at = tuple(place)
        base, rest = at, 0
        while base not in self.origins and base:
            base, rest = base[:-1], rest + 1
        doc, where = self.origins[base]
        return doc.problem((*where, *at[len(at) - rest :]) if rest else where, text, allowed, near)

    def lay(self, data: Mapping[str, Any], doc: Document, at: Place, fixed: bool = False) -> None:
        """Another layer. `fixed`: all of it came from the one place `at` (a name in the file)."""
        for key, value in data.items():
            where = at if fixed else (*at, key)
            mine = self.data.get(key)
            if isinstance(mine, dict) and isinstance(value, dict):
                self.data[key] = mine | value
                for inner in value:
                    self.origins[key, inner] = (doc, at if fixed else (*where, inner))
            else:
                self.data[key] = value
                self.origins = {place: origin for place, origin in self.origins.items() if place[:1] != (key,)}
                self.origins[(key,)] = (doc, where)


@dataclass(slots=True)
class Gatherer:
    """Puts combatants together for one ruleset; collects what is wrong."""

    system: str
    cast: Mapping[str, Origin] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def gather(self, raw: Mapping[str, Any], doc: Document, at: Place) -> Draft:
        """The combatant that stands at `at` in the file, with all it builds on."""
        draft = Draft()
        draft.origins[()] = (doc, at)
        self._layers(draft, raw, doc, at, ())
        self._gear(draft)
        return draft

    def _layers(self, draft: Draft, raw: Mapping[str, Any], doc: Document, at: Place, via: tuple[str, ...]) -> None:
        if isinstance(name := raw.get("template"), str):
            try:
                draft.lay(compendium.find(self.system, "template", name), doc, (*at, "template"), fixed=True)
            except DataError:
                self.problems.append(self._relocated("template", name, doc, (*at, "template")))
        if isinstance(name := raw.get("sheet"), str):
            self._file(draft, name, doc, (*at, "sheet"), via)
        if isinstance(name := raw.get("use"), str):
            self._cast(draft, name, doc, (*at, "use"), via)
        draft.lay({key: value for key, value in raw.items() if key not in ("template", "sheet", "use")}, doc, at)

    def _file(self, draft: Draft, name: str, doc: Document, at: Place, via: tuple[str, ...]) -> None:
        if "\0" in name:
            self.problems.append(doc.problem(at, f"{name!r} is no name of a file"))
            return
        path = Path(doc.file).parent / name
        key = str(path.resolve())
        if key in via or key == str(Path(doc.file).resolve()):
            chain = " -> ".join(Path(one).name for one in (*via, key))
            self.problems.append(doc.problem(at, f"sheets build on each other in a circle: {chain}"))
            return
        if len(via) >= MAX_DEPTH:
            self.problems.append(doc.problem(at, f"sheets build on each other more than {MAX_DEPTH} deep"))
            return
        try:
            sheet = load(path)
        except DataError as error:
            for problem in error.problems:
                told = f"{problem.text} ({problem.file})" if problem.text == "no such file" else ""
                self.problems.append(doc.problem(at, told, near=problem.nearest) if told else problem)
            return
        if not sheet.data:
            self.problems.append(Problem("the file is empty; a sheet is expected", sheet.file))
        for key_here in sorted(set(sheet.data) & {"ruleset", "combatant", "case", "side"}):
            told = "this is no sheet file: a sheet has the keys of one combatant at its top"
            self.problems.append(sheet.problem((key_here,), told))
            return
        self._layers(draft, sheet.data, sheet, (), (*via, key))

    def _cast(self, draft: Draft, name: str, doc: Document, at: Place, via: tuple[str, ...]) -> None:
        if name not in self.cast:
            known = tuple(self.cast)
            near = nearest(name, known)
            told = f"there is no {name!r} in the cast" if known else f"{name!r}: no cast is given (cast = 'file.toml')"
            self.problems.append(doc.problem(at, told, known if len(known) <= 12 else (), near))
            return
        mark = f"use {name}"
        if mark in via:
            self.problems.append(doc.problem(at, "characters of the cast use each other in a circle"))
            return
        source, place = self.cast[name]
        raw: Any = source.data
        for part in place:
            raw = raw[part]
        self._layers(draft, raw, source, place, (*via, mark))

    def _relocated(self, kind: str, name: str, doc: Document, place: Place) -> Problem:
        found = compendium.missing(self.system, kind, name)
        return doc.problem(place, found.text, found.allowed, found.nearest)

    def _gear(self, draft: Draft) -> None:
        for key, kind in GEAR.items():
            value = draft.data.get(key)
            if isinstance(value, str) and not _CODE.fullmatch(value):
                value = draft.data[key] = [value]
            if isinstance(value, list):
                draft.data[key] = [self._item(draft, kind, (key, n), one) for n, one in enumerate(value)]

    def _item(self, draft: Draft, kind: str, place: Place, item: Any) -> Any:
        """A piece of gear: a name, a table, or a table that is `like` an entry of the compendium."""
        name = item.get("like") if isinstance(item, dict) else item
        if not isinstance(name, str):
            return item
        try:
            found = compendium.find(self.system, kind, name)
        except DataError:
            missing = compendium.missing(self.system, kind, name)
            where = (*place, "like") if isinstance(item, dict) else place
            self.problems.append(draft.problem(where, missing.text, missing.allowed, missing.nearest))
            stand_in = next(iter(compendium.entries(self.system, kind)), {})
            return stand_in | {"name": name}  # so that the ruleset does not report it a second time
        return found | {k: v for k, v in item.items() if k != "like"} if isinstance(item, dict) else found


SHARED = tuple(Combatant.model_fields)
"""Keys of a combatant that mean the same in every ruleset."""
