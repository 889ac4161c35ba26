"""TOML with places: what a file says, and on which line each key stands, so that every problem can name it.

`load` reads a file and answers a `Document`; whatever is wrong with the file itself (missing, a directory, no UTF-8,
bad syntax) is a DataError that names file and line. `tomllib` decides what the text means; the scanner here only finds
lines and may rely on the text being valid. Nothing is known here of what the keys are for.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from affray.errors import DataError, Problem, nearest, steering

Place = tuple[str | int, ...]
"""Way to a value: keys, and positions (from 0) in lists."""

MAX_BYTES = 4_000_000
"""Larger files are refused."""


@dataclass(frozen=True, slots=True)
class Document:
    """A file that was read: its values, and the line of every key and list item."""

    file: str
    data: dict[str, Any]
    lines: dict[Place, int] = field(default_factory=dict)

    def line(self, place: Iterable[str | int]) -> int:
        """Line of a place, or of the nearest thing around it (1 when nothing is known)."""
        at = tuple(place)
        while at and at not in self.lines:
            at = at[:-1]
        return self.lines.get(at, 1)

    def problem(self, place: Iterable[str | int], text: str, allowed: Iterable[str] = (), near: str = "") -> Problem:
        """Something is wrong at a place."""
        at = tuple(place)
        return Problem(text, self.file, self.line(at), name(at), tuple(allowed), near)


def name(place: Iterable[str | int]) -> str:
    """A place in words: `combatant[2].skills.Dodge`, lists counted from 1."""
    told = ""
    for part in place:
        if isinstance(part, int):
            told += f"[{part + 1}]"
        else:
            plain = part if re.fullmatch(r"[\w-]+( [\w-]+)*", part) else f'"{part}"'
            told += f".{plain}" if told else plain
    return told


def load(path: str | Path) -> Document:
    """Read a TOML file. Raises DataError for anything that keeps it from being read."""
    file = os.fspath(path)
    try:
        with open(path, "rb") as source:
            raw = source.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise DataError([Problem("no such file", file, nearest=like(Path(path)))]) from None
    except IsADirectoryError:
        raise DataError([Problem("this is a directory; a TOML file is expected", file)]) from None
    except (OSError, ValueError) as error:
        told = getattr(error, "strerror", None) or str(error)
        raise DataError([Problem(f"cannot be read: {told}", file)]) from None
    if len(raw) > MAX_BYTES:
        raise DataError([Problem(f"larger than {MAX_BYTES // 1_000_000} MB, which is the limit", file)])
    return loads(raw, file)


def loads(raw: bytes | str, file: str = "") -> Document:
    """Read TOML from memory; `file` is the name that problems carry."""
    try:
        text = raw.removeprefix("\ufeff") if isinstance(raw, str) else raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        assert isinstance(raw, bytes)
        line = raw.count(b"\n", 0, error.start) + 1
        told = f"byte 0x{raw[error.start]:02x} is no UTF-8; save the file as UTF-8"
        raise DataError([Problem(told, file, line)]) from None
    text = text.replace("\r\n", "\n")
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise DataError([Problem("lists or tables are nested too deeply", file)]) from None
    except ValueError as error:
        raise DataError([_syntax(str(error), text, file)]) from None
    doc = Document(file, data, _Scanner(text).scan())
    unprintable = [doc.problem(place, told) for place, told in _unprintable((), data)]
    if unprintable:
        raise DataError(unprintable)
    return doc


def _unprintable(place: Place, value: Any) -> Iterator[tuple[Place, str]]:
    """Texts and keys that would do more than be read when they are printed."""
    if isinstance(value, str):
        if problem := steering(value):
            yield place, f"{problem}, which cannot be printed"
    elif isinstance(value, dict):
        for key, inner in value.items():
            if problem := steering(key):
                yield place, f"a key {problem}, which cannot be printed"
            yield from _unprintable((*place, key), inner)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _unprintable((*place, number), inner)


def like(path: Path) -> str:
    """A file of its kind beside the missing one with nearly the same name."""
    try:
        beside = [one.name for one in path.parent.iterdir() if one.suffix in (path.suffix, ".toml")]
    except OSError:
        return ""
    found = nearest(path.name, sorted(beside)[:500])
    return os.fspath(path.parent / found) if found else ""


def _syntax(told: str, text: str, file: str) -> Problem:
    found = re.search(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)", told)
    line = text.count("\n") + 1
    if found:
        told = told[: found.start()]
        if found[1]:
            line, told = int(found[1]), f"{told} (column {found[2]})"
    return Problem(f"not valid TOML: {told}", file, line)


class _Scanner:
    """Walks over valid TOML and notes the line of every key and every list item."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.lines: dict[Place, int] = {}
        self.counts: dict[Place, int] = {}

    def scan(self) -> dict[Place, int]:
        base: Place = ()
        while self._blank():
            if self.text.startswith("[[", self.at):
                base = self._header(2)
            elif self.text[self.at] == "[":
                base = self._header(1)
            else:
                self._pair(base)
        return self.lines

    def _header(self, brackets: int) -> Place:
        line = self.line
        self.at += brackets
        keys = self._keys("]")
        self.at += brackets
        base: Place = ()
        for key in keys[:-1]:
            base = self._last((*base, key))
        base = (*base, keys[-1])
        if brackets == 2:
            self.lines.setdefault(base, line)
            self.counts[base] = self.counts.get(base, 0) + 1
            base = (*base, self.counts[base] - 1)
        else:
            base = self._last(base)
        self._note(base, line)
        return base

    def _last(self, place: Place) -> Place:
        return (*place, self.counts[place] - 1) if place in self.counts else place

    def _note(self, place: Place, line: int) -> None:
        for size in range(1, len(place) + 1):
            self.lines.setdefault(place[:size], line)

    def _pair(self, base: Place) -> None:
        line = self.line
        place = (*base, *self._keys("="))
        self.at += 1
        self._note(place, line)
        self._blank()
        self._value(place)

    def _keys(self, end: str) -> list[str]:
        keys = []
        while True:
            self._blank()
            if self.text[self.at] in "\"'":
                keys.append(self._string())
            else:
                found = re.compile(r"[^\s.=\]]+").match(self.text, self.at)
                assert found
                keys.append(found[0])
                self.at = found.end()
            self._blank()
            if self.text[self.at] == end:
                return keys
            self.at += 1

    def _value(self, place: Place) -> None:
        first = self.text[self.at]
        if first in "\"'":
            self._string()
        elif first == "[":
            self._list(place)
        elif first == "{":
            self._table(place)
        else:
            found = re.compile(r"[^,\]}#\n]*").match(self.text, self.at)
            assert found
            self.at = found.end()

    def _list(self, place: Place) -> None:
        self.at += 1
        count = 0
        while self._blank() and self.text[self.at] != "]":
            if self.text[self.at] == ",":
                self.at += 1
                continue
            self.lines[(*place, count)] = self.line
            self._value((*place, count))
            count += 1
        self.at += 1

    def _table(self, place: Place) -> None:
        self.at += 1
        while self._blank() and self.text[self.at] != "}":
            if self.text[self.at] == ",":
                self.at += 1
                continue
            self._pair(place)
        self.at += 1

    def _string(self) -> str:
        quote = self.text[self.at]
        size = 3 if self.text.startswith(quote * 3, self.at) else 1
        start, self.at = self.at, self.at + size
        while not self.text.startswith(quote * size, self.at):
            self.at += 2 if quote == '"' and self.text[self.at] == "\\" else 1
        while size == 3 and self.text[self.at + 3 : self.at + 4] == quote:  # up to two quotes may end the text itself
            self.at += 1
        self.at += size
        raw = self.text[start : self.at]
        self.line += raw.count("\n")
        if size == 1 and "\\" not in raw:
            return raw[1:-1]
        return str(tomllib.loads(f"x = {raw}")["x"])

    def _blank(self) -> bool:
        """Skip blanks, line ends and comments; False at the end of the text."""
        found = re.compile(r"(?:[ \t\n\r]+|#[^\n]*)*").match(self.text, self.at)
        assert found
        self.line += found[0].count("\n")
        self.at = found.end()
        return self.at < len(self.text)
