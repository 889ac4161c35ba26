"""A chain of chances, stepped exactly: states as columns of whole numbers, and a row of outcomes for each, found once.

Weights are spread over the states known so far. What is too light is dropped and counted. Rows are kept, and the gathering
of a step is kept with them, so a step that has been seen costs one multiplication for each outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

SCATTER = 0x9E3779B97F4A7C15
M64 = (1 << 64) - 1
SHARE = 0.03
"""Part of what may still be dropped that one step may drop."""


class Book:
    """Rows of outcomes by a whole number, solved when they are first wanted: tuples of `width` whole numbers with weights."""

    def __init__(self, width: int, solve: Callable[[int], tuple[list[tuple[int, ...]], list[float]]]) -> None:
        self._solve = solve
        self._known: dict[int, int] = {}
        self._start = Grown(np.int64)
        self._start.add([0])
        self._values = [Grown(np.int64) for _ in range(width)]
        self._weights = Grown(np.float64)

    def expand(self, keys: Any) -> tuple[Any, list[Any], Any]:
        """For keys by entry: the entry of each outcome, its values, its weight."""
        unique, index = np.unique(keys, return_inverse=True)
        known = self._known
        rows = np.fromiter((known.get(key, -1) for key in unique.tolist()), np.int64, len(unique))
        for at in np.flatnonzero(rows < 0).tolist():
            rows[at] = self._add(int(unique[at]))
        rows = rows[index]
        starts = self._start.array
        first = starts[rows]
        entry, at = gathered(first, starts[rows + 1] - first)
        return entry, [column.array[at] for column in self._values], self._weights.array[at]

    def _add(self, key: int) -> int:
        values, weights = self._solve(key)
        for column, part in zip(self._values, zip(*values, strict=True), strict=True):
            column.add(part)
        self._weights.add(weights)
        self._known[key] = row = len(self._known)
        self._start.add([len(self._weights.array)])
        return row


class Grown:
    """An array that grows at its end."""

    def __init__(self, kind: Any) -> None:
        self._room = np.zeros(64, kind)
        self.size = 0

    def add(self, values: Any) -> None:
        end = self.size + len(values)
        if end > len(self._room):
            room = np.zeros(max(end, 2 * len(self._room)), self._room.dtype)
            room[: self.size] = self._room[: self.size]
            self._room = room
        self._room[self.size : end] = values
        self.size = end

    @property
    def array(self) -> Any:
        return self._room[: self.size]


def gathered(first: Any, counts: Any) -> tuple[Any, Any]:
    """For slices by entry (where each begins, how long it is): the entry and the place of each of their elements."""
    entry = np.repeat(np.arange(len(first)), counts)
    return entry, np.arange(int(counts.sum())) + np.repeat(first - (np.cumsum(counts) - counts), counts)


def hashed(columns: list[Any]) -> Any:
    """One 64-bit number for each state. `Space` checks that no two states share one."""
    total = np.zeros(len(columns[0]), np.uint64)
    for number, column in enumerate(columns):
        z = (column.astype(np.uint64) + np.uint64((number + 1) * SCATTER & M64)) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
        total = (total ^ (z ^ (z >> np.uint64(32)))) * np.uint64(0x2545F4914F6CDD1D)
    return total


def merged(columns: list[Any], weights: Any) -> tuple[list[Any], Any]:
    """Equal states as one, their weights added."""
    _, first, index = np.unique(hashed(columns), return_index=True, return_inverse=True)
    return [column[first] for column in columns], np.bincount(index, weights=weights, minlength=len(first))


class Space:
    """States with their numbers. Raises OverflowError beyond `most`."""

    def __init__(self, width: int, most: int) -> None:
        self.columns = [Grown(np.int64) for _ in range(width)]
        self.most = most
        self._keys = np.zeros(0, np.uint64)
        self._order = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return self.columns[0].size

    def of(self, numbers: Any) -> list[Any]:
        return [column.array[numbers] for column in self.columns]

    def numbers(self, columns: list[Any]) -> Any:
        """Numbers of states, new ones included."""
        keys = hashed(columns)
        at = np.searchsorted(self._keys, keys)
        there = at < len(self._keys)
        there[there] = self._keys[at[there]] == keys[there]
        if not there.all():
            new, first = np.unique(keys[~there], return_index=True)
            where = np.flatnonzero(~there)[first]
            count = len(self)
            if count + len(new) > self.most:
                raise OverflowError(f"more than {self.most} states")
            for column, values in zip(self.columns, columns, strict=True):
                column.add(values[where])
            place = np.searchsorted(self._keys, new)
            self._order = np.insert(self._order, place, np.arange(count, count + len(new)))
            self._keys = np.insert(self._keys, place, new)
            at = np.searchsorted(self._keys, keys)
        found = self._order[at]
        if any((column.array[found] != values).any() for column, values in zip(self.columns, columns, strict=True)):
            raise OverflowError("two states share a number")  # one chance in billions; better no answer than a wrong one
        return found


Spread = Callable[[list[Any]], tuple[Any, list[Any], Any]]
"""spread(columns of states): for each outcome the position of its state, its columns, its weight."""


class Chain:
    """Weights of states, moved by steps. `lost`: what has been dropped; `budget`: what may still be."""

    def __init__(self, space: Space, budget: float) -> None:
        self.space = space
        self.budget, self.lost = budget, 0.0
        self.widest = 0
        self._row = Grown(np.int64)
        self._counts = Grown(np.int64)
        self._to = Grown(np.int64)
        self._weight = Grown(np.float64)
        self._recorded: dict[Any, tuple[Any, Any, Any, Any]] = {}

    def step(self, name: Any, x: Any, spread: Spread) -> Any:
        """Move weights `x` (by number of state) one step. `spread` must be the same function of a state every time."""
        active = self._kept(x)
        self.widest = max(self.widest, len(active))
        if not len(active):
            return np.zeros(len(self.space))
        self._solve(active, spread)
        mask, source, to, weight = self._recorded.get(name, (None, None, None, None))
        if mask is None or not (active[-1] < len(mask) and mask[active].all()) or mask.sum() > 3 * len(active):
            mask = np.zeros(len(self.space), bool)
            mask[active] = True
            entry, at = gathered(self._row.array[active], self._counts.array[active])
            source, to, weight = active[entry], self._to.array[at], self._weight.array[at]
            self._recorded[name] = (mask, source, to, weight)
        return np.bincount(to, weights=weight * x[source], minlength=len(self.space))

    def _kept(self, x: Any) -> Any:
        """Numbers of the states that matter; the others are set to nothing, and counted."""
        active = np.flatnonzero(x)
        if not len(active):
            return active
        weights = x[active]
        allowed = max(0.0, self.budget) * SHARE
        if float(weights.min()) * 2 > allowed:
            return active
        order = np.argsort(weights)
        light = order[: int(np.searchsorted(np.cumsum(weights[order]), allowed))]
        if len(light):
            dropped = float(weights[light].sum())
            self.lost += dropped
            self.budget -= dropped
            x[active[light]] = 0.0
            active = np.delete(active, light)
        return active

    def _solve(self, active: Any, spread: Spread) -> None:
        """Rows of states that have none yet."""
        missing = len(self.space) - self._row.size
        if missing:
            self._row.add(np.full(missing, -1))
            self._counts.add(np.zeros(missing, np.int64))
        new = active[self._row.array[active] < 0]
        for part in np.array_split(new, len(new) // 20_000 + 1) if len(new) else ():
            entry, columns, weights = spread(self.space.of(part))
            order = np.argsort(entry, kind="stable")
            to = self.space.numbers(columns)
            counts = np.bincount(entry, minlength=len(part))
            self._row.array[part] = self._to.size + np.cumsum(counts) - counts
            self._counts.array[part] = counts
            self._to.add(to[order])
            self._weight.add(weights[order])
