"""States as columns of whole numbers, an array for each: grown, counted, put together where they are equal."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

SCATTER = 0x9E3779B97F4A7C15
M64 = (1 << 64) - 1


class Column:
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


# ---- equal states


def hashed(columns: list[Any]) -> Any:
    """One 64-bit number for each state. `Space` checks that no two states share one."""
    total = np.zeros(len(columns[0]), np.uint64)
    for number, column in enumerate(columns):
        z = (column.astype(np.uint64) + np.uint64((number + 1) * SCATTER & M64)) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(29))) * np.uint64(0x94D049BB133111EB)
        total = (total ^ (z ^ (z >> np.uint64(32)))) * np.uint64(0x2545F4914F6CDD1D)
    return total


def coded(columns: list[Any]) -> Any:
    """One whole number for each state, different for different ones: packed where that fits, else hashed."""
    total, size = None, 1
    for column in columns:
        low, high = int(column.min()), int(column.max())
        if low == high:
            continue
        size *= high - low + 1
        if size >= 1 << 62:
            return hashed(columns)
        total = column - low if total is None else total * (high - low + 1) + (column - low)
    return np.zeros(len(columns[0]), np.int64) if total is None else total


def distinct(keys: Any) -> tuple[Any, Any]:
    """The different keys, and which of them each one is."""
    order, new = _sorted(keys)
    index = np.empty(len(keys), np.int64)
    index[order] = np.cumsum(new) - 1
    return keys[order[new]], index


def merged(columns: list[Any], weights: Any) -> tuple[list[Any], Any]:
    """Equal states as one, their weights added."""
    if len(weights) < 2:
        return columns, weights
    order, new = _sorted(coded(columns))
    first = order[new]
    if len(first) == len(weights):
        return columns, weights
    return [column[first] for column in columns], np.add.reduceat(weights[order], np.flatnonzero(new))


def _sorted(keys: Any) -> tuple[Any, Any]:
    """An order in which keys rise, and where in it a new one begins."""
    order = np.argsort(keys)
    keys = keys[order]
    new = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return order, new


def present(numbers: Any) -> list[int]:
    """The different ones among small numbers from -1 on."""
    return (np.flatnonzero(np.bincount(numbers + 1)) - 1).tolist() if len(numbers) else []


class Branches(NamedTuple):
    """What may come of several entries, a place for each outcome: its entry, its state by columns, its weight."""

    entry: Any
    columns: list[Any]
    weight: Any

    @property
    def size(self) -> int:
        return len(self.entry)

    def part(self, which: Any) -> Branches:
        """Those that are marked; the same where it is all of them."""
        if which.all():
            return self
        return Branches(self.entry[which], [column[which] for column in self.columns], self.weight[which])

    def became(self, at: Any, weight: Any, changed: dict[int, Any]) -> Branches:
        """The outcomes of each place (see `Book.expand`), with the columns that have changed."""
        columns = [changed[k] if k in changed else column[at] for k, column in enumerate(self.columns)]
        if weight is None:
            return Branches(self.entry, columns, self.weight)
        return Branches(self.entry[at], columns, self.weight[at] * weight)

    def merged(self) -> Branches:
        """Equal states of one entry as one, their weights added."""
        if self.size < 2:
            return self
        (entry, *columns), weight = merged([self.entry, *self.columns], self.weight)
        return Branches(entry, columns, weight)

    @staticmethod
    def joined(parts: list[Branches], width: int) -> Branches:
        """All of them; `width`: how many columns there are, also where there is no part."""
        parts = [part for part in parts if part.size]
        if not parts:
            none = np.zeros(0, np.int64)
            return Branches(none, [none] * width, np.zeros(0))
        if len(parts) == 1:
            return parts[0]
        columns = [np.concatenate([part.columns[k] for part in parts]) for k in range(width)]
        return Branches(np.concatenate([part.entry for part in parts]), columns, np.concatenate([part.weight for part in parts]))
