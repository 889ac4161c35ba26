"""An encounter file while it is being written: filled in field by field, checked as a whole, comments kept.

A draft is the text of the file itself, so that nothing is lost however wrong it is. Fields of a form are named by their
place, `combatant.0.count`; problems name the same place as `combatant[1].count` (see `field`). What a value may be is not
decided here: what cannot be read as a number is kept as it was typed, and the check says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import tomlkit
from tomlkit.exceptions import TOMLKitError

from affray import compendium
from affray.errors import DataError, Problem
from affray.formats.encounter import Fight, Reader, flattened
from affray.formats.names import Named
from affray.formats.sheets import GEAR
from affray.formats.toml import Document, load, loads
from affray.ruleset import find

FILE = "encounter.toml"
COLOURS = ("#2a5db3", "#b3402a", "#2f7d4f", "#8a5a00", "#7a3b8f", "#4a5560")
"""Of new sides, in turn."""
WHOLE = re.compile(r"[+-]?\d{1,18}")
NUMBERS = {"seed", "count", "size", "value"}
FLAGS = {"player", "surprised", "hidden", "commander", "boss"}
BOXES = {"walls", "area"}


def field(key: str) -> str:
    """The name of the form's field that a problem's key is about: `combatant[2].skills` is `combatant.1.skills`."""
    return re.sub(r"\[(\d+)\]", lambda found: f".{int(found[1]) - 1}", key)


def begun(ruleset: str, title: str = "") -> str:
    """A new draft: two sides and nobody yet."""
    doc = tomlkit.document()
    doc["ruleset"] = ruleset
    doc["title"] = title
    doc["space"] = tomlkit.item({"kind": "grid", "size": [20, 12]})
    draft = Draft(tomlkit.dumps(doc))
    draft.add_side("Heroes")
    draft.add_side("Foes")
    return draft.text


def checked(
    text: str, file: str = FILE, house: Mapping[str, Any] | None = None
) -> tuple[Fight | None, tuple[Problem, ...]]:
    """The fight that a draft describes, or None and every problem of it, as `affray check` finds them. `house`: rulings that
    hold where the draft states none."""
    try:
        doc = loads(text, file)
    except DataError as error:
        return None, error.problems
    if not doc.data:
        return None, (Problem("nothing is written yet; it needs ruleset = ... and some [[combatant]]", file),)
    outside = _outside(doc)
    if house:
        stated = doc.data.get("rulings", {})
        doc.data["rulings"] = {**house, **flattened(stated)[0]} if isinstance(stated, dict) else stated
    reader = Reader(doc)
    try:
        fight = reader.read(doc.data)
    except DataError as error:
        return None, (*outside, *error.problems)
    return (None if outside else fight), (*outside, *reader.problems)


def _outside(doc: Document) -> list[Problem]:
    """Sheets in files of their own, which a draft does not have beside it; they are taken out of the data."""
    found = []
    people = doc.data.get("combatant")
    for number, one in enumerate(people if isinstance(people, list) else ()):
        if isinstance(one, dict) and "sheet" in one:
            told = "sheets in files of their own are read on the command line only; take the character, or write the sheet here"
            found.append(doc.problem(("combatant", number, "sheet"), told))
            del one["sheet"]
    return found


def whole(path: Any) -> str:
    """The text of an encounter file with the sheets that it names beside it written into it. Raises DataError."""
    source = load(path)
    draft = Draft(path.read_text(encoding="utf-8-sig"))
    for one in draft.people:
        while isinstance(name := one.get("sheet"), str):
            sheet = load(path.parent / name)
            del one["sheet"]
            for key, value in sheet.data.items():
                if key not in one:
                    one[key] = value
                elif isinstance(value, dict) and isinstance(one[key], dict):
                    one[key] = value | one[key].unwrap()
    draft.name_sides(source.data)
    return draft.text


class Draft:
    """A draft that can be read as TOML. Raises DataError where it cannot."""

    def __init__(self, text: str, house: Mapping[str, Any] | None = None) -> None:
        """`house`: rulings that hold where the draft says nothing, in the place of the ruleset's defaults."""
        self.house = dict(house or {})
        loads(text, FILE)
        try:
            self.doc: Any = tomlkit.parse(text.removeprefix("\ufeff"))
        except (TOMLKitError, RecursionError) as wrong:  # what tomllib has read is fine; this is for certainty only
            raise DataError([Problem(f"cannot be edited: {wrong}", FILE)]) from None

    @property
    def text(self) -> str:
        """The file as it stands; a blank line before each new table, which nothing in it asks for but readers do."""
        written = str(tomlkit.dumps(self.doc))
        if '"""' in written or "'''" in written:
            return written
        return re.sub(r"(?<=[^\n])\n(?=\[\[?[\w.]+\]\]?\n)", _apart, written)

    @property
    def data(self) -> dict[str, Any]:
        """Plain values."""
        return dict(self.doc.unwrap())

    @property
    def system(self) -> str:
        return str(self.doc.get("ruleset", ""))

    @property
    def people(self) -> list[Any]:
        """The tables of the combatants."""
        return self._tables("combatant")

    @property
    def sides(self) -> list[str]:
        """Names of the sides, declared ones first."""
        declared = [str(one.get("name", "")) for one in self._tables("side")]
        return list(dict.fromkeys([*declared, *(str(one["side"]) for one in self.people if one.get("side"))]))

    def _tables(self, key: str) -> list[Any]:
        found = self.doc.get(key, [])
        return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []

    @property
    def shape(self) -> str:
        """How many there are of everything that is counted: fields are named by these numbers, and fit one shape only."""
        space = self.doc.get("space", {})
        parts = [space.get(key, ()) if isinstance(space, dict) else () for key in ("walls", "cover", "terrain")]
        counted = [self.doc.get("combatant", ()), self.doc.get("side", ()), self.doc.get("distances", ()), *parts]
        return "-".join(str(len(one)) if isinstance(one, list | tuple) else "0" for one in counted)

    # ---- whole things

    def name_sides(self, data: Mapping[str, Any] | None = None) -> None:
        """Declare the sides that combatants only name, so that they can be given a colour and a policy."""
        if not self._tables("side"):
            for name in self.sides:
                self.add_side(name)

    def add_side(self, name: str) -> None:
        names = self.sides
        declared = [str(one.get("name", "")) for one in self._tables("side")]
        wanted, number = name or "New side", 2
        while wanted in declared or (not name and wanted in names):
            wanted, number = f"{name or 'New side'} {number}", number + 1
        self._append("side", {"name": wanted, "colour": COLOURS[len(declared) % len(COLOURS)]})

    def remove_side(self, number: int) -> None:
        """Take a side out with everybody on it."""
        sides = self.doc.get("side", [])
        if 0 <= number < len(sides):
            name = sides[number].get("name")
            for at in range(len(self.people) - 1, -1, -1):
                if self.people[at].get("side") == name:
                    self.remove_person(at)
            self._drop("side", number)

    def add_named(self, people: Iterable[Named], characters: Mapping[str, Mapping[str, Any]], side: str = "") -> None:
        """People of a pasted list; a character comes with its sheet. Sides that are new are declared."""
        for one in people:
            wanted = self._side(one.side or side)
            sheet = dict(characters.get(one.character, {})) if one.character else {}
            self.add_person(one.name, wanted, one.count, one.template, sheet, player=bool(one.character))

    def _side(self, name: str) -> str:
        """The side of that name, upper and lower case alike; declared if it is new, the first one if it has no name."""
        for known in self.sides:
            if known.lower() == name.lower():
                return known
        if not name and self.sides:
            return self.sides[0]
        self.add_side(name or "Heroes")
        return name or self.sides[-1]

    def add_person(
        self,
        name: str,
        side: str,
        count: int = 1,
        template: str = "",
        sheet: Mapping[str, Any] | None = None,
        player: bool = False,
    ) -> None:
        """Another combatant, or `count` alike. `sheet`: further keys, such as those of a character."""
        entry: dict[str, Any] = {"name": name, "side": side}
        if count > 1:
            entry["count"] = count
        if template:
            entry["template"] = template
        if player:
            entry["player"] = True
        entry |= {key: value for key, value in (sheet or {}).items() if key not in ("name", "side", "count", "player")}
        self._append("combatant", entry)

    def remove_person(self, number: int) -> None:
        self._drop("combatant", number)

    def _drop(self, key: str, number: int) -> None:
        tables = self.doc.get(key, [])
        if 0 <= number < len(tables):
            del tables[number]
            if not len(tables):
                del self.doc[key]

    def _append(self, key: str, entry: Mapping[str, Any]) -> None:
        table = tomlkit.table()
        for name, value in entry.items():
            table[name] = _inline(value)
        if key not in self.doc:
            self.doc[key] = tomlkit.aot()
        self.doc[key].append(table)

    # ---- fields

    def fill(self, fields: Iterable[tuple[str, str]]) -> None:
        """Put what was typed into the fields of a form to its places; '' takes a value out. Unknown fields are passed over."""
        fresh: dict[str, dict[str, str]] = {}
        for name, typed in fields:
            typed = typed.replace("\r\n", "\n").strip()
            parts: list[str | int] = [int(part) if part.isdigit() else part for part in name.split(".")]
            match parts:
                case ["title" | "notes" | "seed" | "ruleset" as key]:
                    self._put(self.doc, key, _value(key, typed))
                case ["space", "size", 0 | 1 as axis]:
                    self._size(axis, typed)
                case ["space", "kind" | "light" | "notes" as key]:
                    self._put(self._space(), key, typed)
                case ["space" | "distances", *rest] if rest and "new" in rest:
                    fresh.setdefault(".".join(map(str, parts[: parts.index("new")])), {})[str(parts[-1])] = typed
                case ["space", "walls", int(number)]:
                    self._row(self._space(), "walls", number, typed)
                case ["space", "cover" | "terrain" as key, int(number), str(inner)]:
                    self._inner(self._space().get(key), number, inner, typed)
                case ["distances", int(number), "a" | "b" | "is" as inner]:
                    self._distance(number, inner, typed)
                case ["side", int(number), "name"]:
                    self._rename_side(number, typed)
                case ["side", int(number), "colour" | "policy" | "notes" as key]:
                    self._inner(self.doc.get("side"), number, key, typed)
                case ["combatant", int(number), *rest] if number < len(self.people) and rest:
                    self._person(self.people[number], [str(part) for part in rest], typed)
                case ["rulings", *rest] if rest:
                    self.rule(".".join(map(str, rest)), typed)
        for where, values in fresh.items():
            self._fresh(where, values)
        self._tidy()

    def _put(self, table: Any, key: str, value: Any) -> None:
        """Only what is different is written, so that the rest of the file stays as it was."""
        if value in ("", None):
            if key in table and table[key] not in ("", None):
                del table[key]
        elif key not in table or table[key] != value or type(table[key]) is bool is not type(value):
            table[key] = _inline(value)

    def _space(self) -> Any:
        if "space" not in self.doc:
            self.doc["space"] = tomlkit.table()
        return self.doc["space"]

    def _size(self, axis: int, typed: str) -> None:
        space = self._space()
        now = list(space.get("size", [20, 12])) if typed or "size" in space else []
        if len(now) == 2:
            value = _number(typed) if typed else (20, 12)[axis]
            if now[axis] != value or "size" not in space:
                now[axis] = value
                space["size"] = now

    def _row(self, table: Any, key: str, number: int, typed: str) -> None:
        rows = table.get(key)
        if rows is not None and 0 <= number < len(rows):
            value = _box(typed) if typed else None
            if rows[number] != value:
                rows[number] = value if value is not None else "gone"

    def _inner(self, rows: Any, number: int, key: str, typed: str) -> None:
        if rows is not None and 0 <= number < len(rows):
            if key == "area" and not typed:
                rows[number]["area"] = "gone"
            else:
                self._put(rows[number], key, _value(key, typed))

    def _distance(self, number: int, key: str, typed: str) -> None:
        rows = self.doc.get("distances")
        if rows is None or not 0 <= number < len(rows):
            return
        row = rows[number]
        if key == "is":
            value = _decimal(typed) if typed else "gone"
            if row.get("is") != value:
                row["is"] = value
        else:
            ends = [*row.get("between", []), "", ""][:2]
            at = "ab".index(key)
            if ends[at] != typed:
                ends[at] = typed
                row["between"] = ends

    def _rename_side(self, number: int, typed: str) -> None:
        sides = self.doc.get("side", [])
        if not 0 <= number < len(sides) or not typed or typed == sides[number].get("name"):
            return
        old = sides[number].get("name")
        sides[number]["name"] = typed
        for one in self.people:
            if one.get("side") == old:
                one["side"] = typed
        for row in self._tables("distances"):
            if old in (ends := list(row.get("between", []))):
                row["between"] = [typed if end == old else end for end in ends]

    def _person(self, one: Any, key: list[str], typed: str) -> None:
        match key:
            case ["at"]:
                self._put(one, "at", _places(typed))
            case ["add", "weapons" | "armor" | "gear" as kind] if typed:
                one[kind] = _inline([*self.gear(one, kind), typed])
            case ["drop", "weapons" | "armor" | "gear" as kind] if typed.isdigit():
                kept = [item for n, item in enumerate(self.gear(one, kind)) if n != int(typed)]
                one[kind] = _inline(kept)
            case ["attributes" | "skills" | "ranks" | "points" | "talents" as table, *name] if name:
                self._entry(one, table, ".".join(name), typed)
            case ["name" | "side" | "template" | "group" | "policy" | "notes" | "upp" as name]:
                self._put(one, name, typed)
            case ["move" | "initiative" | "resistance" as name]:
                self._put(one, name, _number(typed) if typed else None)
            case ["count"]:
                value = _number(typed)
                self._put(one, "count", None if value == 1 and "count" not in one else value)
            case [name] if name in FLAGS:
                on = typed.lower() in ("yes", "on", "true", "1")
                self._put(one, name, True if on else None)

    def _entry(self, one: Any, table: str, name: str, typed: str) -> None:
        """An entry of a table of the sheet: numbers in the systems that write numbers, else codes."""
        known = one.get(table)
        if typed or (known is not None and name in known):
            if known is None:
                one[table] = tomlkit.inline_table()
            self._put(one[table], name, _number(typed) if typed else None)
            if not len(one[table]):
                del one[table]

    def gear(self, one: Any, kind: str) -> list[Any]:
        """Weapons, armour or gear of a combatant: its own, else those of its template."""
        own = one.get(kind)
        if own is not None:
            plain = own.unwrap() if hasattr(own, "unwrap") else own
            return list(plain) if isinstance(plain, list) else [plain]
        try:
            stock = compendium.find(self.system, "template", str(one.get("template", ""))).get(kind, [])
        except DataError:
            return []
        return list(stock) if isinstance(stock, list) else [stock]

    def rule(self, key: str, typed: str) -> None:
        """Another value for a ruling; the default of the ruleset takes it out of the file."""
        rulings = self.doc.get("rulings", {})
        flat, places = flattened(rulings.unwrap() if hasattr(rulings, "unwrap") else rulings)
        try:
            default = self.house.get(key, msgspec.to_builtins(find(self.system).Rulings()).get(key))
        except DataError:
            default = None
        default = list(default) if isinstance(default, tuple) else default
        value = typed_ruling(default, typed)
        if value == flat.get(key, default) and type(value) is type(flat.get(key, default)):
            return
        if "rulings" not in self.doc:
            self.doc["rulings"] = tomlkit.inline_table()
        table = self.doc["rulings"]
        for part in places.get(key, (key,))[:-1]:
            table = table[part]
        last = places.get(key, (key,))[-1]
        if value == default or value == "":
            if last in table:
                del table[last]
        else:
            table[str(last)] = _inline(value)

    def _fresh(self, where: str, values: Mapping[str, str]) -> None:
        """A new row of walls, cover, terrain or distances, if its fields say anything."""
        if where == "space.walls" and (typed := next(iter(values.values()), "")):
            self._space().setdefault("walls", tomlkit.array()).append(_box(typed))
        elif where in ("space.cover", "space.terrain") and values.get("area"):
            row = {key: _value(key, typed) for key, typed in values.items() if typed and key in ("area", "value", "kind", "name")}
            if where == "space.cover":
                row.setdefault("value", 1)
            key = where.partition(".")[2]
            space = self._space()
            if key not in space:
                space[key] = tomlkit.aot()
            space[key].append(_inline_table(row) if isinstance(space[key], tomlkit.items.Array) else tomlkit.item(row))
        elif where == "distances" and values.get("is"):
            row = {"between": [values.get("a", ""), values.get("b", "")], "is": _decimal(values["is"])}
            if "distances" not in self.doc:
                self.doc["distances"] = tomlkit.array()
            rows = self.doc["distances"]
            rows.append(_inline_table(row) if isinstance(rows, tomlkit.items.Array) else tomlkit.item(row))

    def _tidy(self) -> None:
        """Rows that were emptied go, and tables that hold nothing."""
        space = self.doc.get("space")
        for table, key in ((space, "walls"), (space, "cover"), (space, "terrain"), (self.doc, "distances")):
            rows = table.get(key) if table is not None else None
            if rows is None or not isinstance(rows, list):
                continue
            for number in range(len(rows) - 1, -1, -1):
                row = rows[number]
                gone = row == "gone" or (isinstance(row, dict) and "gone" in (row.get("area"), row.get("is")))
                if gone:
                    del rows[number]
            if not len(rows):
                del table[key]
        if "rulings" in self.doc and not len(self.doc["rulings"]):
            del self.doc["rulings"]


def _apart(found: re.Match[str]) -> str:
    """A line break before a table, or two: comments above a table belong to it."""
    line = found.string[: found.start()].rpartition("\n")[2]
    return "\n" if line.lstrip().startswith("#") else "\n\n"


def _value(key: str, typed: str) -> Any:
    if not typed:
        return None
    if key in BOXES:
        return _box(typed)
    return _number(typed) if key in NUMBERS else typed


def _number(typed: str) -> Any:
    """A whole number, or what was typed."""
    return int(typed) if WHOLE.fullmatch(typed) else typed


def _decimal(typed: str) -> Any:
    """A number, or what was typed (the name of a band)."""
    if WHOLE.fullmatch(typed):
        return int(typed)
    return float(typed) if re.fullmatch(r"\d{1,9}\.\d{1,6}", typed) else typed


def _box(typed: str) -> Any:
    """`x1, y1, x2, y2`; two numbers are one space; what is something else stays as it was typed."""
    parts = [part for part in re.split(r"[\s,;]+", typed.strip("[] ")) if part]
    if len(parts) in (2, 4) and all(WHOLE.fullmatch(part) for part in parts):
        numbers = [int(part) for part in parts]
        return numbers * 2 if len(numbers) == 2 else numbers
    return typed


def _places(typed: str) -> Any:
    """`3, 4` is a place; `3, 4; 5, 6` are two; what is something else stays as it was typed."""
    if not typed:
        return None
    spots = [re.split(r"[\s,]+", one.strip("[]() ")) for one in re.split(r";|\]\s*,\s*\[", typed) if one.strip("[]() ")]
    if not spots or not all(len(spot) == 2 and all(WHOLE.fullmatch(part) for part in spot) for spot in spots):
        return typed
    found = [[int(part) for part in spot] for spot in spots]
    return found[0] if len(found) == 1 else found


def typed_ruling(default: Any, typed: str) -> Any:
    """The value of a ruling in the type of its default, or what was typed where it does not fit."""
    if isinstance(default, bool):
        return {"true": True, "yes": True, "false": False, "no": False}.get(typed.lower(), typed)
    if isinstance(default, list | tuple):
        return [_number(part.strip()) for part in typed.strip("[] ").split(",") if part.strip()] if typed.strip("[] ") else typed
    return _number(typed) if isinstance(default, int) else typed


def typed_places(at: Any) -> str:
    """Places as they are typed into a field."""
    if isinstance(at, list | tuple) and at and all(isinstance(one, list | tuple) for one in at):
        return "; ".join(typed_places(one) for one in at)
    return ", ".join(map(str, at)) if isinstance(at, list | tuple) else str(at if at is not None else "")


def _inline_table(row: Mapping[str, Any]) -> Any:
    table = tomlkit.inline_table()
    for key, value in row.items():
        table[key] = _inline(value)
    return table


def _inline(value: Any) -> Any:
    """A value on one line: tables of a sheet stay inside the combatant."""
    if isinstance(value, Mapping):
        return _inline_table(value)
    if isinstance(value, list | tuple):
        array = tomlkit.array()
        for one in value:
            array.append(_inline(one))
        return array
    return value


__all__ = ["FILE", "GEAR", "Draft", "begun", "checked", "field", "typed_places", "typed_ruling", "whole"]
