"""Whatever stands in an encounter file, it is read or refused with problems; nothing else ever comes out."""

from __future__ import annotations

import copy
import random
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from affray.errors import AffrayError
from affray.formats.encounter import Reader
from affray.formats.toml import Document

SAMPLES = sorted((Path(__file__).resolve().parents[2] / "examples").glob("*.toml"))
NONSENSE: tuple[Any, ...] = (
    *(None, True, 0, -1, 10**30, 1.5, float("nan"), float("inf"), "", "x", "3D", "3D+7", "STR+1D", "\0", "é" * 300),
    *([], {}, [[]], [{}], {"a": 1}, ["a"], [1, 2], [[1, 2], [3, 4]], {"name": "x"}, [{"name": "q"}]),
)
KEYS = ("name", "side", "at", "count", "weapons", "armor", "skills", "points", "state", "template", "sheet", "use", "group")


def _places(data: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if place:
        yield place
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield from _places(value, (*place, key))


def _spoil(data: Any, chance: random.Random) -> None:
    places = list(_places(data))
    if not places:
        return
    place = chance.choice(places)
    for key in place[:-1]:
        data = data[key]
    how = chance.random()
    if how < 0.6:
        data[place[-1]] = copy.deepcopy(chance.choice(NONSENSE))
    elif how < 0.75 and isinstance(data, dict):
        del data[place[-1]]
    elif isinstance(data, dict):
        data[chance.choice(KEYS)] = copy.deepcopy(chance.choice(NONSENSE))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda file: file.stem)
def test_nonsense_is_refused_in_words(sample: Path) -> None:
    chance = random.Random(sample.stem)
    whole = tomllib.loads(sample.read_text(encoding="utf-8"))
    for _ in range(40):
        data = copy.deepcopy(whole)
        for _ in range(chance.choice((1, 1, 2, 4))):
            _spoil(data, chance)
        reader = Reader(Document(str(sample), data))
        try:
            fight = reader.read(data)
        except AffrayError as error:
            raise AssertionError(f"{data}: {error}") from error
        assert (fight is None) == bool(reader.problems)
