"""Ways over the map: how far it is, through which Spaces, over which ground. It must not know orders."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

from affray import space
from affray.rules import rule
from affray.ruleset import Ground
from affray.rulesets.rond6.sheet import State
from affray.rulesets.rond6.tables import rows
from affray.space import Area, Cell, Space

TERRAIN: dict[str, int] = {row["name"]: row["levels"] for row in rows("terrain")}
"""Levels of Difficulty that each kind of ground adds (RON-MOVE-6)."""
WORDS = {name.lower(): name for name in TERRAIN} | {
    example.strip().lower(): row["name"] for row in rows("terrain") for example in row["examples"].split(",")
}
GROUNDS = (
    Ground("wall"),
    Ground("cover", (), "Defense bonus", 5, 30),
    *(Ground(row["name"], tuple(one.strip() for one in row["examples"].split(","))) for row in rows("terrain")),
    Ground("obstacle"),
)
"""What may be painted on the map."""
DIAGONAL = {"chebyshev": 1000, "euclidean": 1414, "manhattan": 0}
"""Thousandths of a Space that a diagonal step takes; 0: there is none."""
FAR = 400
"""Steps after which no way is looked for."""


@rule("RON-MOVE-6")
def ground(word: str) -> str | None:
    """The row of the terrain table that a word stands for ('Rough', 'rubble'); None for any other word."""
    return WORDS.get(word.replace("_", " ").strip().lower())


def levels_at(state: State, cell: Cell) -> int:
    """Levels that the ground of a Space adds."""
    return max((levels for levels, area in _rough(state.space.areas) if area.holds(cell)), default=0)


@lru_cache(maxsize=64)
def _rough(areas: tuple[Area, ...]) -> tuple[tuple[int, Area], ...]:
    """The areas that are ground of some kind, each with its levels."""
    kinds = ((ground(area.kind), area) for area in areas)
    return tuple((TERRAIN[name], area) for name, area in kinds if name is not None)


def obstacles(state: State, cells: tuple[Cell, ...]) -> tuple[tuple[int, Area], ...]:
    """Obstacles that the Game Master must judge on a way, each with the number of steps before it."""
    found = []
    for area in state.space.areas:
        if area.kind == "obstacle":
            steps = next((n for n, cell in enumerate(cells) if area.holds(cell)), None)
            if steps is not None:
                found.append((steps, area))
    return tuple(sorted(found, key=lambda pair: pair[0]))


@rule("RON-MOVE-1")
def way(state: State, start: Cell, end: Cell, most: int) -> tuple[Cell, ...] | None:
    """The Spaces entered on a shortest way of at most `most` Spaces around walls, over easy ground if there is a choice.

    None: there is no such way.
    """
    if start == end:
        return ()
    metric = state.rulings.distance
    if space.distance(start, end, metric) > most:
        return None
    straight = _straight(start, end, metric == "manhattan")
    if not state.space.areas or not any(area.holds(cell) for area in state.space.areas for cell in straight):
        return straight
    return _around(state.space, metric, start, end, most)


def _straight(start: Cell, end: Cell, by_rows: bool) -> tuple[Cell, ...]:
    if not by_rows:
        return (*space.line(start, end), end)
    x, y = start
    dx, dy = (end[0] > x) - (end[0] < x), (end[1] > y) - (end[1] < y)
    cells = [(x + dx * n, y) for n in range(1, abs(end[0] - x) + 1)]
    return (*cells, *((end[0], y + dy * n) for n in range(1, abs(end[1] - y) + 1)))


@lru_cache(maxsize=2048)
def _around(where: Space, metric: str, start: Cell, end: Cell, most: int) -> tuple[Cell, ...] | None:
    """Dijkstra's search: shortest first, then the least levels of ground, then the straightest.

    Kept, because one move asks for its way several times: whether it is legal, what it costs, where it leads.
    """
    walls, rough_ground = where.walls(), _rough(where.areas)
    if end in walls:
        return None
    diagonal = DIAGONAL[metric]
    moves = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx or dy) and (diagonal or not (dx and dy))]
    best: dict[Cell, tuple[int, int]] = {start: (0, 0)}
    came: dict[Cell, Cell] = {}
    queue = [(0, 0, 0, start)]
    while queue:
        long, rough, _, here = heappop(queue)
        if here == end:
            return _back(came, start, end)
        if (long, rough) > best[here]:
            continue
        for dx, dy in moves:
            cell = (here[0] + dx, here[1] + dy)
            step = long + (diagonal if dx and dy else 1000)
            known = best.get(cell, (10**9, 0))
            if step // 1000 > most or step > known[0] or cell in walls:
                continue
            key = (step, rough + max((levels for levels, area in rough_ground if area.holds(cell)), default=0))
            if key < known:
                best[cell], came[cell] = key, here
                heappush(queue, (*key, abs(cell[0] - end[0]) + abs(cell[1] - end[1]), cell))
    return None


def _back(came: dict[Cell, Cell], start: Cell, end: Cell) -> tuple[Cell, ...]:
    cells = [end]
    while came[cells[-1]] != start:
        cells.append(came[cells[-1]])
    return tuple(reversed(cells))


@rule("RON-MOVE-1")
def length(state: State, start: Cell, cells: tuple[Cell, ...]) -> int:
    """Spaces that a way takes."""
    if not cells:
        return 0
    if state.rulings.distance == "euclidean" and cells == _straight(start, cells[-1], False):
        return space.distance(start, cells[-1], "euclidean")
    diagonal = DIAGONAL[state.rulings.distance]
    thousandths = 0
    for a, b in zip((start, *cells), cells, strict=False):
        thousandths += diagonal if a[0] != b[0] and a[1] != b[1] else 1000
    return thousandths // 1000


def after(state: State, start: Cell, cells: tuple[Cell, ...], spaces: int) -> Cell:
    """Where one stands after so many Spaces of a way."""
    here = start
    for n in range(1, len(cells) + 1):
        if length(state, start, cells[:n]) > spaces:
            break
        here = cells[n - 1]
    return here
