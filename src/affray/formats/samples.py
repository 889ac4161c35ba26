"""The encounters that come with Affray: found beside the sources, or where an installation puts them."""

from __future__ import annotations

import sysconfig
from functools import cache
from pathlib import Path

from msgspec import Struct

from affray.errors import DataError, unknown
from affray.formats.toml import load

FIRST = ("rond6-tavern", "cepheus-corridor", "rd6-street")
"""Shown before the others."""


class Sample(Struct, frozen=True):
    """A sample: its name (of the file, without ending), and what a list shows of it. `text`: its opening remark."""

    name: str
    ruleset: str
    title: str
    text: str
    fighters: int
    sides: tuple[str, ...]


def folder() -> Path | None:
    """Where the samples lie; None where they were left out."""
    here = Path(__file__).resolve()
    places = (here.parents[3] / "examples", Path(sysconfig.get_path("data")) / "share" / "affray" / "examples")
    return next((place for place in places if (place / "first.toml").is_file()), None)


@cache
def samples() -> tuple[Sample, ...]:
    """All samples, those for a first look first."""
    at = folder()
    found = [_sample(path) for path in sorted(at.glob("*.toml"))] if at else []
    rank = {name: number for number, name in enumerate(FIRST)}
    return tuple(sorted(found, key=lambda one: rank.get(one.name, len(rank))))


def path(name: str) -> Path:
    """The file of a sample. Raises DataError with the nearest name."""
    at = folder()
    names = tuple(one.name for one in samples())
    if at is None or name not in names:
        raise DataError([unknown("sample", name, names)])
    return at / f"{name}.toml"


def _sample(file: Path) -> Sample:
    data = load(file).data
    people = data.get("combatant", [])
    remarks = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        remarks.append(line.lstrip("# ").strip())
    sides = dict.fromkeys(str(one.get("side", "")) for one in people)
    count = sum(int(one.get("count", 1)) for one in people)
    ruleset = str(data["ruleset"])
    return Sample(file.stem, ruleset, str(data.get("title", file.stem)), _remark(" ".join(remarks), ruleset), count, tuple(sides))


def _remark(text: str, ruleset: str) -> str:
    """The opening remark without the name of the rules, which a list shows anyway."""
    before, _, after = text.partition(": ")
    return after[:1].upper() + after[1:] if before.lower() == ruleset else text
