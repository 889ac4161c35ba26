"""Several saved fights in one folder: a list of them, finding one by its name, and a name for a new one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from affray.errors import AffrayError, DataError, Problem, unknown
from affray.store.jsonl import look, read

SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class Save:
    """One saved fight as a list shows it. `wrong`: why it cannot be read ('' when it can). `changed`: seconds of the epoch."""

    path: Path
    title: str
    ruleset: str
    round: int
    entries: int
    over: bool
    waiting: str
    changed: float
    wrong: str = ""

    @property
    def name(self) -> str:
        return self.path.name.removesuffix(SUFFIX)


def saves(folder: Path) -> list[Save]:
    """All saved fights of a folder, the one changed last first. A folder that is not there holds none."""
    if not folder.is_dir():
        return []
    found = [path for path in folder.iterdir() if path.suffix == SUFFIX and path.is_file()]
    return sorted((describe(path) for path in found), key=lambda save: (-save.changed, save.name))


def describe(path: Path) -> Save:
    """A saved fight in short; one that cannot be read says why."""
    changed = path.stat().st_mtime
    try:
        fight = look(path)
        title = str(read(path)[0].get("title", ""))
    except (AffrayError, ValueError) as wrong:
        return Save(path, "", "", 0, 0, False, "", changed, str(wrong).partition("\n")[0])
    asked = fight.open.requests[0].request.by if fight.open and fight.open.requests else ""
    up = fight.up()
    over = bool(fight.ruleset.over(fight.state))
    waiting = asked or (up[0] if up and not over else "")
    return Save(path, title, fight.ruleset.title, fight.state.round, len(fight.entries), over, waiting, changed)


def find(folder: Path, name: str) -> Path:
    """The save with that name, or with the only name that begins so. Raises DataError with the nearest name."""
    known = {path.name.removesuffix(SUFFIX): path for path in sorted(folder.glob(f"*{SUFFIX}"))} if folder.is_dir() else {}
    wanted = name.removesuffix(SUFFIX)
    if wanted in known:
        return known[wanted]
    begun = [path for key, path in known.items() if key.lower().startswith(wanted.lower())]
    if len(begun) == 1:
        return begun[0]
    if begun:
        several = ", ".join(path.name.removesuffix(SUFFIX) for path in begun)
        raise DataError([Problem(f"{name!r} could be {several}", str(folder))])
    raise DataError([unknown("saved fight", name, tuple(known), str(folder))])


def fresh(folder: Path, stem: str) -> Path:
    """A path that is not taken: STEM-1, STEM-2 and so on. Makes the folder. Raises DataError when that fails."""
    stem = re.sub(r"[^\w.-]+", "-", stem).strip("-.") or "fight"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise DataError([Problem(wrong.strerror or str(wrong), str(folder))]) from None
    number = 1
    while (path := folder / f"{stem}-{number}{SUFFIX}").exists():
        number += 1
    return path
