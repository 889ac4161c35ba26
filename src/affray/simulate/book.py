"""Rows of outcomes by number, found when they are first wanted, and looked up for many keys at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import inf, prod
from typing import Any

import numpy as np

from affray.simulate.columns import Column, distinct, gathered

AT_ONCE = 6_000_000
"""Outcomes of one step, before equal ones are put together, that are too many to hold."""
LARGE = 1 << 23
"""Places of a table of rows; with more, rows are looked up one by one."""
Outcomes = tuple[list[tuple[int, ...]], list[float]]
"""Values and weights."""


class Numbered:
    """Things with their numbers, given as they turn up. Raises OverflowError beyond `most` of them."""

    def __init__(self, *things: Hashable, most: float = inf) -> None:
        self.things: list[Any] = list(things)
        self._numbers = {thing: number for number, thing in enumerate(things)}
        self._most = most

    def number(self, thing: Hashable) -> int:
        found = self._numbers.get(thing)
        if found is None:
            found = self._numbers[thing] = len(self.things)
            self.things.append(thing)
            if found >= self._most:
                raise OverflowError(f"more than {self._most:,} different situations for tables")
        return found


class Book:
    """Rows of outcomes by a few small whole numbers, solved when they are first wanted: `width` whole numbers with a weight.

    `solve(*parts)`: the rows of several keys at once, as a `Spread` tells them; see `each`. A row is found in a table with a
    place for each combination of parts, as long as that is small.
    """

    def __init__(self, width: int, solve: Callable[..., tuple[Any, list[Any], Any]]) -> None:
        self._solve = solve
        self._start = Column(np.int64)
        self._start.add([0])
        self._values = [Column(np.int64) for _ in range(width)]
        self._weights = Column(np.float64)
        self._single = True
        self._shape: tuple[int, ...] = ()
        self._table: Any = None
        self._known: dict[int, int] = {}

    def expand(self, *parts: Any) -> tuple[Any, list[Any], Any]:
        """For keys by entry, part by part: the entry of each outcome, its values, its weight. All weights 1 are told as None,
        and the entries are then those that were given, in their order."""
        rows = self._rows(parts)
        if self._single:
            return slice(None), [column.array[rows] for column in self._values], None
        starts = self._start.array
        first = starts[rows]
        counts = starts[rows + 1] - first
        if len(counts) and int(counts.max()) == 1:
            return slice(None), [column.array[first] for column in self._values], None
        if (total := int(counts.sum())) > AT_ONCE:
            raise OverflowError(f"{total:,} different situations after a single moment of it")
        entry, at = gathered(first, counts)
        return entry, [column.array[at] for column in self._values], self._weights.array[at]

    def _rows(self, parts: tuple[Any, ...]) -> Any:
        if not len(parts[0]):
            return np.zeros(0, np.int64)
        tops = [int(part.max()) + 1 for part in parts]
        if not self._shape or any(top > room for top, room in zip(tops, self._shape, strict=True)):
            self._make_room(tops)
        key = parts[0]
        for part, room in zip(parts[1:], self._shape[1:], strict=True):
            key = key * room + part
        if self._table is None:
            unique, index = distinct(key)
            rows = np.fromiter((self._known.get(one, -1) for one in unique.tolist()), np.int64, len(unique))
            new = np.flatnonzero(rows < 0)
            if len(new):
                rows[new] = self._add(unique[new])
                self._known.update(zip(unique[new].tolist(), rows[new].tolist(), strict=True))
            return rows[index]
        rows = self._table[key]
        if int(rows.min()) < 0:
            new = np.unique(key[rows < 0])
            self._table[new] = self._add(new)
            rows = self._table[key]
        return rows

    def _make_room(self, tops: list[int]) -> None:
        """A greater table, with what is known."""
        old = self._shape or (0,) * len(tops)
        shape = tuple([max(room, 1 << (top - 1).bit_length()) for top, room in zip(tops, old, strict=True)])
        size = prod(shape)
        if size >= 1 << 62:
            raise OverflowError("more different situations than can be numbered")
        if size <= LARGE and (self._table is not None or not self._shape):
            table = np.full(shape, -1, np.int64)
            if self._shape:
                table[tuple(slice(room) for room in old)] = self._table.reshape(old)
            self._table = table.reshape(-1)
        elif self._shape:
            if self._table is not None:
                there = np.flatnonzero(self._table >= 0)
                keys, rows = there, self._table[there]
            else:
                keys, rows = (np.fromiter(part, np.int64, len(self._known)) for part in (self._known, self._known.values()))
            self._table = None
            keys = np.ravel_multi_index(np.unravel_index(keys, old), shape)
            self._known = dict(zip(keys.tolist(), rows.tolist(), strict=True))
        self._shape = shape

    def _add(self, keys: Any) -> Any:
        """New rows."""
        entry, values, weights = self._solve(*np.unravel_index(keys, self._shape))
        if weights is None:
            entry, weights = np.arange(len(keys)), np.ones(len(keys))
        counts, order = np.bincount(entry, minlength=len(keys)), np.argsort(entry, kind="stable")
        self._single = self._single and int(counts.max()) == 1
        for column, part in zip(self._values, values, strict=True):
            column.add(part[order])
        self._weights.add(weights[order])
        before = self._start.size - 1
        self._start.add(self._start.array[-1] + np.cumsum(counts))
        return np.arange(before, before + len(keys))


def each(solve: Callable[..., Outcomes]) -> Callable[..., tuple[Any, list[Any], Any]]:
    """For a Book: rows solved one by one."""

    def all_of_them(*parts: Any) -> tuple[Any, list[Any], Any]:
        values: list[tuple[int, ...]] = []
        weights: list[float] = []
        entry: list[int] = []
        for number, key in enumerate(zip(*(part.tolist() for part in parts), strict=True)):
            found, shares = solve(*key)
            values += found
            weights += shares
            entry += [number] * len(shares)
        return np.array(entry), list(np.array(values).T), np.array(weights)

    return all_of_them
