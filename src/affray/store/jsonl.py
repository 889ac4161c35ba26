"""A fight in a JSON Lines file: appended, synced to disk before anything is shown, held by one process at a time."""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from affray.encounter import Encounter
from affray.errors import AffrayError, DataError, Problem
from affray.policies import Policy
from affray.ruleset import Ruleset
from affray.store.lines import encode, head, restore


class Busy(AffrayError):
    """The save is open in another process."""


class NotSaved(AffrayError):
    """The save cannot be written; what was to be kept has not happened."""


class JsonLines:
    """The journal in a file. `append` returns when the lines are on the disk."""

    def __init__(self, path: Path, create: bool = False) -> None:
        self.path = path
        flags = os.O_RDWR | os.O_APPEND | (os.O_CREAT | os.O_EXCL if create else 0)
        try:
            self._fd = os.open(path, flags, 0o644)
        except FileExistsError:
            raise DataError([Problem("this file exists already", str(path))]) from None
        except OSError as wrong:
            raise DataError([Problem(wrong.strerror or str(wrong), str(path))]) from None
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._fd)
            raise Busy(f"{path} is open in another process; close that one first") from None

    def append(self, lines: Sequence[Mapping[str, Any]]) -> None:
        """Write and sync. Raises NotSaved; then the file is as it was before."""
        data = b"".join(encode(line) + b"\n" for line in lines)
        size = os.fstat(self._fd).st_size
        try:
            while data:
                data = data[os.write(self._fd, data) :]
            os.fsync(self._fd)
        except OSError as wrong:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, size)
            raise NotSaved(f"{self.path} cannot be written ({wrong.strerror or wrong}); this has not been done") from None

    def close(self) -> None:
        with contextlib.suppress(OSError):
            os.close(self._fd)


def read(path: Path, repair: bool = False) -> list[dict[str, Any]]:
    """The lines of a save. A last line that was cut off in writing is left out (and cut off the file with `repair`)."""
    try:
        data = path.read_bytes()
    except OSError as wrong:
        raise DataError([Problem(wrong.strerror or str(wrong), str(path))]) from None
    whole = data.rfind(b"\n") + 1
    lines = []
    for number, line in enumerate(data[:whole].splitlines(), 1):
        try:
            lines.append(msgspec.json.decode(line, type=dict[str, Any]))
        except (msgspec.DecodeError, msgspec.ValidationError) as wrong:
            if number == 1 and path.suffix == ".toml":
                told = "this is no saved fight but a file to make one of: `affray fight` plays it and saves its log"
                raise DataError([Problem(told, str(path))]) from None
            raise DataError([Problem(f"not a line of a saved fight: {wrong}", str(path), number)]) from None
    if repair and whole < len(data):
        os.truncate(path, whole)
    return lines


def create(
    path: Path,
    ruleset: Ruleset,
    start: Any,
    seed: int,
    policies: Mapping[str, Policy] | None = None,
    typed: Collection[str] | None = None,
    title: str = "",
) -> Encounter:
    """A new fight, kept in `path`."""
    journal = JsonLines(path, create=True)
    journal.append([head(ruleset, start, seed, title, typed)])
    fight = Encounter(ruleset, start, seed, policies, typed, journal)
    fight.advance()
    return fight


def load(path: Path, policies: Mapping[str, Policy] | None = None, ruleset: Ruleset | None = None) -> Encounter:
    """The fight kept in `path`, to go on with. Raises Busy, DataError."""
    journal = JsonLines(path)
    try:
        return restore(read(path, repair=True), policies, journal, ruleset)
    except DataError as wrong:
        journal.close()
        raise DataError([replace(problem, file=str(path)) for problem in wrong.problems]) from None


def look(path: Path, ruleset: Ruleset | None = None) -> Encounter:
    """The fight kept in `path`, only to look at: nothing is locked or written. Raises DataError."""
    try:
        return restore(read(path), None, None, ruleset, auto=False)
    except DataError as wrong:
        raise DataError([replace(problem, file=str(path)) for problem in wrong.problems]) from None
