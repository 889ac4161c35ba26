"""Examples of RonD6 that are arithmetic: die codes, and how many Spaces an area covers."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from affray import rulesets
from affray.dice import Code, WildPool
from affray.space import Metric, burst, cone

TABLES: dict[str, Any] = tomllib.loads((Path(rulesets.__path__[0]) / "rond6" / "tables.toml").read_text(encoding="utf-8"))


def widths(length: int) -> tuple[int, ...]:
    return tuple(next(row["width"] for row in TABLES["cone_width"] if d <= row["upto"]) for d in range(1, length + 1))


@pytest.mark.rules("RON-DICE-1")
def test_worth_of_codes() -> None:
    assert Code(4, 2).value == 14
    assert Code(4, 2).plus(-1) == Code(3, 2)
    assert Code(3, 2).value == 11
    assert Code.of_pips(Code(2, 2).value + 1) == Code(3)


@pytest.mark.rules("RON-DICE-2")
def test_wild_die_is_thrown_again_on_each_six() -> None:
    assert WildPool(3, 1).read((6, 6, 2, 4, 5)) == 24
    assert WildPool(1).read((3,)) == 3


@pytest.mark.rules("RON-AREA-1")
@pytest.mark.parametrize(
    ("metric", "spaces"),
    [("chebyshev", [9, 49, 169, 625]), ("manhattan", [5, 25, 85, 313])],
)
def test_spaces_of_bursts(metric: Metric, spaces: list[int]) -> None:
    assert [len(burst((0, 0), row["radius"], metric)) for row in TABLES["burst"]] == spaces


@pytest.mark.rules("RON-AREA-5", "RON-AREA-6")
@pytest.mark.parametrize("facing", ["east", "north-east"])
def test_spaces_of_cones(facing: str) -> None:
    assert [len(cone((10, 10), facing, widths(row["length"]))) for row in TABLES["cone"]] == [9, 24, 45, 72]


@pytest.mark.rules("RON-AREA-4", "RON-AREA-6")
def test_cone_to_the_east() -> None:
    cells = cone((10, 10), "east", widths(6))
    near = {(x, y) for x in (11, 12, 13) for y in (9, 10, 11)}
    far = {(x, y) for x in (14, 15, 16) for y in range(8, 13)}
    assert set(cells) == near | far


@pytest.mark.rules("RON-AREA-6")
def test_diagonal_cone_begins_with_corner_and_its_neighbours() -> None:
    assert set(cone((0, 0), "north-east", widths(1))) == {(1, 0), (1, 1), (0, 1)}
