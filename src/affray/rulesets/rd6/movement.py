"""Moving in Spaces of 2 m: half the Move is free, more of it is an action, once a round."""

from __future__ import annotations

from typing import Any

from affray import space
from affray.rules import rule
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.actions import pay
from affray.rulesets.rd6.commands import Move
from affray.rulesets.rd6.numbers import free_spaces, metres
from affray.rulesets.rd6.sheet import Fighter, State
from affray.rulesets.rd6.telling import able, change, fighter
from affray.scene import Scene
from affray.space import Cell, distance, step_towards


def spaces_of(state: State, order: Move) -> int:
    """How many Spaces an order to move asks for."""
    me = fighter(state, order.by)
    return distance(me.at, order.to) if order.to is not None else abs(order.spaces)


@rule("RD6-RND-12")
def move(scene: Scene[State], order: Move) -> None:
    """Move; beyond the free half it is an action."""
    me = fighter(scene, order.by)
    spaces = spaces_of(scene.state, order)
    if spaces > free_spaces(me):
        pay(scene, order.by)
    values: dict[str, Any] = {"moved": max(1, spaces), "behind": order.behind}
    if order.to is not None:
        values["at"] = order.to
    change(scene, order.by, "RD6-RND-12", "moves", {"spaces": spaces, "behind": order.behind}, **values)
    if order.towards and order.to is None:
        shift(scene, order.by, order.towards, -order.spaces)


def shift(scene: Scene[State], who: str, other: str, spaces: int, why: str = "RD6-RND-12") -> None:
    """Bring `who` so many Spaces further from `other` (negative: nearer), on the map or in plain metres."""
    me, far = fighter(scene, who), fighter(scene, other)
    if scene.state.distances:
        now = max(0.0, metres(scene.state, me, far) + tables.METRES_PER_SPACE * spaces)
        kept = tuple(row for row in scene.state.distances if {row[0], row[1]} != {who, other})
        change(scene, "", why, "distance", {"one": who, "other": other, "metres": now}, distances=(*kept, (who, other, now)))
        return
    at = ends_at(scene.state, who, way(scene.state, me.at, far.at, spaces))
    change(scene, who, why, "moved to", {"x": at[0], "y": at[1]}, at=at)


def way(state: State, at: Cell, far: Cell, spaces: int) -> list[Cell]:
    """The Spaces from one place away from another (negative: straight towards it), the first one where it begins."""
    cells = [at]
    if spaces < 0:
        there, back = space.line(at, far), space.line(far, at)[::-1]
        walls = state.space.walls()
        straight = there if walls.isdisjoint(there) or not walls.isdisjoint(back) else back
        return [*cells, *straight, far][: 1 - spaces]
    for _ in range(spaces):
        cells.append(_away(cells[-1], far))
    return cells


def ends_at(state: State, who: str, cells: list[Cell]) -> Cell:
    """Where somebody who moves along these Spaces comes to rest: before a wall, and not where somebody else stands."""
    walls = state.space.walls()
    stop = next((n for n, cell in enumerate(cells) if n and cell in walls), len(cells))
    taken = {f.at for f in state.fighters if f.id != who and able(f)}
    return next((cell for cell in reversed(cells[1:stop]) if cell not in taken), cells[0])


def _away(at: tuple[int, int], far: tuple[int, int]) -> tuple[int, int]:
    x, y = step_towards(at, far)
    step = (at[0] - x, at[1] - y)
    return (at[0] + (step[0] if any(step) else 1), at[1] + step[1])


@rule("RD6-SPC-7")
def approach(scene: Scene[State], who: str, target: str, reach_m: int) -> int:
    """Run until the target is within reach; the Spaces run."""
    me, far = fighter(scene, who), fighter(scene, target)
    spaces = gap(scene.state, me, far, reach_m)
    straight = ends_at(scene.state, who, way(scene.state, me.at, far.at, -spaces)) if spaces else me.at
    if not spaces or scene.state.distances or distance(straight, far.at) * tables.METRES_PER_SPACE <= reach_m:
        if spaces:
            shift(scene, who, target, -spaces, "RD6-SPC-7")
        return spaces
    at = beside(scene.state, me, far, reach_m)
    change(scene, who, "RD6-SPC-7", "moved to", {"x": at[0], "y": at[1]}, at=at)
    return distance(me.at, at)


def beside(state: State, me: Fighter, far: Fighter, reach_m: int) -> Cell:
    """The nearest free Space from which somebody is reached, where others stand in the straight way; else one stays."""
    walls, radius = state.space.walls(), reach_m // tables.METRES_PER_SPACE
    taken = {f.at for f in state.fighters if f.id != me.id and able(f)}
    around = [cell for cell in space.burst(far.at, radius) if cell not in walls and cell not in taken]
    there = [cell for cell in around if distance(me.at, cell) <= me.sheet.move]
    return min(there, key=lambda cell: (distance(me.at, cell), cell), default=me.at)


def gap(state: State, me: Fighter, far: Fighter, reach_m: int) -> int:
    """Spaces between a fighter and the place from which it reaches the other."""
    short = metres(state, me, far) - reach_m
    return max(0, int(-(-short // tables.METRES_PER_SPACE)))
