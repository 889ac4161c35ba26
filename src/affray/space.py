"""Geometry only: squares, distances, lines, areas. What a distance or a wall means is a ruleset's business.

A cell is (x, y); x grows to the east, y to the north.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import isqrt
from typing import Literal

from msgspec import Struct

Cell = tuple[int, int]
MOST_CELLS = 50_000
"""Cells of all areas of a fight together: each of them is drawn and walked around."""
Metric = Literal["chebyshev", "euclidean", "manhattan"]
FACINGS: dict[str, Cell] = {
    "north": (0, 1),
    "south": (0, -1),
    "east": (1, 0),
    "west": (-1, 0),
    "north-east": (1, 1),
    "north-west": (-1, 1),
    "south-east": (1, -1),
    "south-west": (-1, -1),
}


class Area(Struct, frozen=True):
    """All cells from (x1, y1) to (x2, y2), corners included, with a word and a number that a ruleset gives meaning to."""

    x1: int
    y1: int
    x2: int
    y2: int
    kind: str = ""
    value: int = 0

    def holds(self, cell: Cell) -> bool:
        west, east = sorted((self.x1, self.x2))
        south, north = sorted((self.y1, self.y2))
        return west <= cell[0] <= east and south <= cell[1] <= north

    def cells(self) -> Iterator[Cell]:
        for y in range(min(self.y1, self.y2), max(self.y1, self.y2) + 1):
            for x in range(min(self.x1, self.x2), max(self.x1, self.x2) + 1):
                yield (x, y)


    @property
    def size(self) -> int:
        """How many cells these are."""
        return (abs(self.x2 - self.x1) + 1) * (abs(self.y2 - self.y1) + 1)


class Gap(Struct, frozen=True):
    """A plain distance between two fighters, where a fight is played without a map."""

    a: str
    b: str
    steps: int


class Space(Struct, frozen=True):
    """Where a fight takes place: walls and other areas on a grid, or plain distances (then `grid` is false)."""

    grid: bool = True
    areas: tuple[Area, ...] = ()
    gaps: tuple[Gap, ...] = ()
    default_gap: int = 1

    def problem(self) -> str:
        """What is wrong with the areas in words; '' if they can be played on."""
        cells = sum(area.size for area in self.areas)
        return f"{cells} cells of walls, cover and other ground; at most {MOST_CELLS} can be" if cells > MOST_CELLS else ""

    def walls(self) -> frozenset[Cell]:
        return _walled(tuple(area for area in self.areas if area.kind == "wall"))

    def at(self, cell: Cell, kind: str) -> int:
        """Highest value of the areas of that kind that hold the cell; 0 if there is none."""
        return max((area.value for area in self.areas if area.kind == kind and area.holds(cell)), default=0)

    def gap(self, a: str, b: str) -> int:
        """Plain distance between two fighters."""
        return next((g.steps for g in self.gaps if {g.a, g.b} == {a, b}), self.default_gap)

    def with_gap(self, a: str, b: str, steps: int) -> tuple[Gap, ...]:
        """The gaps with this one changed."""
        return (*(g for g in self.gaps if {g.a, g.b} != {a, b}), Gap(a, b, steps))


@lru_cache(maxsize=64)
def _walled(areas: tuple[Area, ...]) -> frozenset[Cell]:
    """Kept, because every attack asks for them and they change only when the referee says so."""
    return frozenset(cell for area in areas for cell in area.cells())


def distance(a: Cell, b: Cell, metric: Metric = "chebyshev") -> int:
    """Steps from a to b; straight-line distances are rounded down."""
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    if metric == "manhattan":
        return dx + dy
    return isqrt(dx * dx + dy * dy) if metric == "euclidean" else max(dx, dy)


def line(a: Cell, b: Cell) -> list[Cell]:
    """The cells strictly between a and b on the straight line between their middles."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    steps = max(abs(dx), abs(dy))
    return [(a[0] + _round(dx * i, steps), a[1] + _round(dy * i, steps)) for i in range(1, steps)]


def _round(numerator: int, denominator: int) -> int:
    """Nearest whole number, halves away from zero, so that a line and its reverse mirror each other."""
    sign = -1 if numerator < 0 else 1
    return sign * ((2 * abs(numerator) + denominator) // (2 * denominator))


def visible(a: Cell, b: Cell, walls: Iterable[Cell]) -> bool:
    """The straight line from a to b, or the one back, which may round its cells differently, meets no wall."""
    blocked = walls if isinstance(walls, frozenset | set) else frozenset(walls)
    if not blocked:
        return True
    return not any(cell in blocked for cell in line(a, b)) or not any(cell in blocked for cell in line(b, a))


def burst(origin: Cell, radius: int, metric: Metric = "chebyshev") -> tuple[Cell, ...]:
    """All cells within `radius` of the origin, row by row from the south."""
    x, y = origin
    square = ((cx, cy) for cy in range(y - radius, y + radius + 1) for cx in range(x - radius, x + radius + 1))
    return tuple(cell for cell in square if distance(origin, cell, metric) <= radius)


def cone(origin: Cell, facing: str, widths: tuple[int, ...]) -> tuple[Cell, ...]:
    """Cells of a cone: at distance d (from 1) `widths[d-1]` cells across (odd), straight or diagonal; never the origin.

    A diagonal row at distance d is the corner cell d steps along both axes and its neighbours on the two edges of that ring.
    """
    dx, dy = FACINGS[facing]
    cells: list[Cell] = []
    for d, width in enumerate(widths, 1):
        half = width // 2
        for k in range(-half, half + 1):
            if dx and dy:
                cells.append((origin[0] + dx * (d + min(0, k)), origin[1] + dy * (d - max(0, k))))
            elif dx:
                cells.append((origin[0] + dx * d, origin[1] + k))
            else:
                cells.append((origin[0] + k, origin[1] + dy * d))
    return tuple(dict.fromkeys(cells))


def step_towards(a: Cell, b: Cell) -> Cell:
    """The neighbouring cell of a on the way to b."""
    return (a[0] + (b[0] > a[0]) - (b[0] < a[0]), a[1] + (b[1] > a[1]) - (b[1] < a[1]))
