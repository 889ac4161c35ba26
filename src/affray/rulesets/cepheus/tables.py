"""The printed tables, read once from `tables.toml`, and the look-ups that they need. No state, no dice."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from affray.rules import rule

_ALL: dict[str, dict[str, Any]] = tomllib.loads(
    files("affray.rulesets.cepheus").joinpath("tables.toml").read_text(encoding="utf-8")
)

BANDS: tuple[str, ...] = tuple(_ALL["bands"]["names"])
NOMINAL: tuple[float, ...] = tuple(_ALL["bands"]["nominal"])
EXTREME = "Extreme"
STATED: dict[str, float] = {**dict(zip(BANDS, NOMINAL, strict=True)), EXTREME: 1000.0}
"""Metres by the words that may be written for a distance."""
DIFFICULTY: dict[str, int] = {name: dm for name, dm in _ALL["difficulty"].items() if name != "rule"}
FRAMES: dict[str, int] = {name: seconds for name, seconds in _ALL["frames"].items() if name != "rule"}
GRID: dict[str, tuple[int, ...]] = {name: tuple(row) for name, row in _ALL["grid"].items() if name != "rule"}
COVER: tuple[int, ...] = tuple(_ALL["cover"]["dm"])
LIGHT: dict[str, int] = {name: dm for name, dm in _ALL["light"].items() if name != "rule"}
SMOKE: dict[str, int] = {name: dm for name, dm in _ALL["smoke"].items() if name != "rule"}
DRUGS: dict[str, tuple[int, ...]] = {name: tuple(row) for name, row in _ALL["drugs"].items() if name != "rule"}
CHARGES: dict[str, tuple[int, ...]] = {name: tuple(row) for name, row in _ALL["charges"].items() if name != "rule"}
NO_ATTACK = -99
SQUARE = 1.5
"""Metres on a side of a square."""


@rule("CEP-RNG-1")
def band_of_metres(metres: float) -> int:
    """Index of the band of a distance; a distance on a border, or in a gap, belongs to the nearer band."""
    ends = _ALL["bands"]["metres"]
    if metres < ends[0]:
        return 0
    return next((i for i, end in enumerate(ends) if i and metres <= end), len(ends)) if metres > ends[0] else 1


@rule("CEP-RNG-1", "CEP-RNG-6")
def band_of_squares(squares: int) -> int:
    """Index of the band of a distance counted in squares of 1.5 m (334 is Very Long)."""
    ends = _ALL["bands"]["squares"]
    return next((i for i, end in enumerate(ends) if squares <= end), len(ends))


@rule("CEP-ATK-5", "CEP-ATK-6")
def difficulty(row: str, band: int) -> int | None:
    """The modifier of a weapon row at a band; None where the attack does not exist."""
    cells = GRID[row]
    return cells[band] if band < len(cells) and cells[band] != NO_ATTACK else None


@rule("CEP-BUR-2")
def burst(rounds: int, row_2: str) -> tuple[int, int, int]:
    """(spray modifier, grouped points, grouped dice) of so many rounds: the largest row not above them."""
    counted = 3 if rounds == 2 and row_2 == "row_3" else rounds
    row = [row for row in _ALL["burst"]["rows"] if row[0] <= max(1, counted)][-1]
    return row[1], row[2], row[3]
