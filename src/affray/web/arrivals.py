"""Where late arrivals stand on a map: where they are put, else beside their own side, each on a free cell.

Geometry only. It must not know any rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from affray.encounter import Encounter

Cell = tuple[int, int]
FARTHEST = 60
"""Cells from the middle that are looked at."""


def spots(fight: Encounter, side: str, count: int, at: tuple[int, int] | None = None) -> list[Cell | None]:
    """A cell for each of so many; None for all where there is no map. `at`: the first one's, whoever stands there."""
    state = fight.state
    if fight.ruleset.ground(state)[0] != "grid":
        return [None] * count
    taken = {tuple(f.at) for f in state.fighters if getattr(f, "at", None) is not None}
    space = getattr(state, "space", None)
    walls = space.walls() if space is not None else frozenset()
    found: list[Cell | None] = [at] if at is not None else []
    for cell in around(at or middle(fight, side)):
        if len(found) >= count:
            break
        if cell not in taken and cell not in walls and cell not in found:
            found.append(cell)
    return [*found, *[None] * count][:count]


def middle(fight: Encounter, side: str) -> Cell:
    """The middle of those of a side who still stand, else of everybody."""
    standing = [f for f in fight.state.fighters if getattr(f, "at", None) is not None]
    own = [f for f in standing if f.side == side and not fight.ruleset.fallen(f)] or standing
    if not own:
        return 0, 0
    return round(sum(f.at[0] for f in own) / len(own)), round(sum(f.at[1] for f in own) / len(own))


def around(middle: Any) -> Iterator[Cell]:
    """A cell and those around it, ring by ring."""
    x, y = middle
    yield x, y
    for far in range(1, FARTHEST):
        for dy in range(-far, far + 1):
            for dx in range(-far, far + 1) if abs(dy) == far else (-far, far):
                yield x + dx, y + dy
