"""Who was winning, over a whole fight: the chance of each side after every order, and the entries that moved it most."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import sqrt
from typing import Any

from msgspec import Struct

from affray.encounter import Encounter
from affray.simulate.forecast import Chance, Forecast, Forecaster

LEAST, MOST = 0.05, 0.5
"""Seconds that are spent on one point of the line."""
WARMING = 0.3
"""Share of the time that goes into tables first."""
SURE = 2.0
"""Standard errors of a change beyond which it is no luck of the dice that the line is drawn with."""


class Point(Struct, frozen=True):
    """How things stood after entry number `n` (counted from 1; 0: the beginning) by `by`: the forecast there."""

    n: int
    by: str
    verb: str
    forecast: Forecast


class Turn(Struct, frozen=True):
    """A turning point: entry `n`, and by how much it moved the chance of `side`. `error`: standard error of that."""

    n: int
    by: str
    verb: str
    side: str
    before: float
    after: float
    error: float

    @property
    def change(self) -> float:
        return self.after - self.before


def line(
    encounter: Encounter,
    forecaster: Forecaster | None = None,
    seconds: float = 20.0,
    fights: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Point, ...]:
    """The forecast at the beginning and after every order. `seconds`: for all together; `fights`: so many each instead.

    `progress(done, of)` is told after each.
    """
    forecaster = forecaster or Forecaster.of(encounter)
    if fights is None:
        forecaster.warm(encounter.start, seconds * WARMING)
        seconds *= 1 - WARMING
    orders = [n for n, entry in enumerate(encounter.entries, 1) if not entry.auto]
    budget = min(MOST, max(LEAST, seconds / (len(orders) + 1)))
    points = []
    for done, n in enumerate([0, *orders], 1):
        # whatever came by itself after an order belongs to it
        end = orders[done - 1] - 1 if done <= len(orders) else len(encounter.entries)
        state = encounter.entries[end - 1].state if end else encounter.start
        entry = encounter.entries[n - 1] if n else None
        by, verb = (entry.order.by, entry.order.verb) if entry else ("", "begin")
        points.append(Point(n, by, verb, forecaster.at(state, budget, fights)))
        if progress:
            progress(done, len(orders) + 1)
    return tuple(points)


def turning_points(points: tuple[Point, ...], most: int = 8) -> tuple[Turn, ...]:
    """The entries that moved a side's chance most, beyond what the drawing of the line leaves open; the greatest first."""
    found = []
    for before, after in pairwise(points):
        for was, now in zip(before.forecast.sides, after.forecast.sides, strict=False):
            error = sqrt(_variance(was, before.forecast) + _variance(now, after.forecast))
            found.append(Turn(after.n, after.by, after.verb, was.side, was.win, now.win, error))
    sure = [turn for turn in found if abs(turn.change) > max(0.01, SURE * turn.error)]
    best = sorted(sure, key=lambda turn: (-abs(turn.change), turn.n, turn.change < 0))
    each: dict[int, Turn] = {}
    for turn in best:
        each.setdefault(turn.n, turn)
    return tuple(list(each.values())[:most])


def _variance(chance: Chance, found: Forecast) -> float:
    """Of a chance: from its interval, so that certain ones that were drawn few times stay uncertain."""
    if found.how == "exact":
        return 0.0
    return float(((chance.high - chance.low) / 3.92) ** 2)


def shares(points: tuple[Point, ...]) -> tuple[tuple[str, tuple[float, ...]], ...]:
    """For each side its chances along the line, as a chart wants them."""
    sides = [chance.side for chance in points[0].forecast.sides]
    return tuple((side, tuple(_share(point.forecast, side) for point in points)) for side in sides)


def _share(found: Forecast, side: str) -> float:
    return next((chance.win for chance in found.sides if chance.side == side), 0.0)


def plain(points: tuple[Point, ...]) -> dict[str, Any]:
    """As JSON shows it."""
    return {
        "points": [
            {
                "n": point.n,
                "by": point.by,
                "verb": point.verb,
                "how": point.forecast.how,
                "fights": point.forecast.fights,
                "sides": [
                    {"name": c.side, "win": c.win, "low": c.low, "high": c.high} for c in point.forecast.sides
                ],
            }
            for point in points
        ],
        "turning_points": [
            {"n": t.n, "by": t.by, "verb": t.verb, "side": t.side, "before": t.before, "after": t.after}
            for t in turning_points(points)
        ],
    }
