"""A chain of chances, stepped exactly: states as columns of whole numbers, and a row of outcomes for each, found once.

Weights are spread over the states known so far. What is too light is dropped and counted. Rows are kept, and the gathering
of a step is kept with them, so a step that has been seen costs one multiplication for each outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log2, prod
from typing import Any, NamedTuple

import numpy as np

SCATTER = 0x9E3779B97F4A7C15
M64 = (1 << 64) - 1
SHARE = 0.03
"""Part of what may still be dropped that one step may drop."""
SAMPLE, PART = 500, 20_000
"""States of a large step that are solved first, twice, to tell how many new ones there will be; and at a time after that."""
TOO_MUCH = 2.0
"""A step is given up before it is done when the states that it seems to lead to are so many times what there is room for."""
AT_ONCE = 6_000_000
"""Outcomes of one step, before equal ones are put together, that are too many to hold."""
LARGE = 1 << 23
"""Places of a table of rows; with more, rows are looked up one by one."""
Outcomes = tuple[list[tuple[int, ...]], list[float]]
"""Values and weights."""


class Book:
    """Rows of outcomes by a few small whole numbers, solved when they are first wanted: `width` whole numbers with a weight.

    `solve(*parts)`: the rows of several keys at once, as a `Spread` tells them; see `each`. A row is found in a table with a
    place for each combination of parts, as long as that is small.
    """

    def __init__(self, width: int, solve: Callable[..., tuple[Any, list[Any], Any]]) -> None:
        self._solve = solve
        self._start = Grown(np.int64)
        self._start.add([0])
        self._values = [Grown(np.int64) for _ in range(width)]
        self._weights = Grown(np.float64)
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
                raise OverflowError(f"more than {self.most:,} different situations")
            for column, values in zip(self.columns, columns, strict=True):
                column.add(values[where])
            place = np.searchsorted(self._keys, new)
            self._order = np.insert(self._order, place, np.arange(count, count + len(new)))
            self._keys = np.insert(self._keys, place, new)
            at = np.searchsorted(self._keys, keys)
        found = self._order[at]
        if any((column.array[found] != values).any() for column, values in zip(self.columns, columns, strict=True)):
            raise OverflowError("two situations share a number")  # one chance in billions; better no answer than a wrong one
        return found


class Weights(NamedTuple):
    """Where weight lies: row, state and weight of each place, no place twice. Rows tell states apart that move alike."""

    row: Any
    state: Any
    weight: Any

    @property
    def total(self) -> float:
        return float(self.weight.sum())

    def part(self, which: Any) -> Weights:
        return Weights(self.row[which], self.state[which], self.weight[which])

    def summed(self) -> Weights:
        """Equal places as one."""
        if not len(self.row):
            return self
        there = np.flatnonzero(np.bincount(self.row))
        size = int(self.state.max()) + 1
        if len(there) * size > max(1 << 16, 16 * len(self.row)):
            (row, state), weight = merged([self.row, self.state], self.weight)
            return Weights(row, state, weight)
        if len(there) == 1:
            total = np.bincount(self.state, self.weight)
            state = np.flatnonzero(total)
            return Weights(np.full(len(state), there[0]), state, total[state])
        place = np.zeros(int(there[-1]) + 1, np.int64)
        place[there] = np.arange(len(there))
        total = np.bincount(place[self.row] * size + self.state, self.weight)
        code = np.flatnonzero(total)
        row, state = np.divmod(code, size)
        return Weights(there[row], state, total[code])


Spread = Callable[[list[Any]], tuple[Any, list[Any], Any]]
"""spread(columns of states): for each outcome the position of its state, its columns, its weight."""


class Chain:
    """Moves weights by steps. `lost`: what has been dropped; `budget`: what may still be.

    `tell` is called now and then in the middle of a long step.
    """

    def __init__(self, space: Space, budget: float = 0.0, tell: Callable[[], None] = lambda: None) -> None:
        self.space, self._tell = space, tell
        self.starts(budget)
        self._row = Grown(np.int64)
        self._counts = Grown(np.int64)
        self._to = Grown(np.int64)
        self._weight = Grown(np.float64)
        self._recorded: dict[Any, tuple[Any, Any, Any, Any]] = {}

    def starts(self, budget: float) -> None:
        """Nothing has been dropped yet. What is known of the steps stays."""
        self.budget, self.lost = budget, 0.0
        self.widest = 0

    def step(self, name: Any, x: Weights, spread: Spread) -> Weights:
        """Move weights one step; outcomes are not summed. `spread` must be the same function of a state every time."""
        x = self._kept(x)
        self.widest = max(self.widest, len(x.row))
        if not len(x.row):
            return x
        rows = int(x.row[0]) if (x.row == x.row[0]).all() else -1
        active = x.state if rows >= 0 else np.flatnonzero(np.bincount(x.state))
        self._solve(active, spread)
        if rows < 0:
            entry, at = gathered(self._row.array[x.state], self._counts.array[x.state])
            return Weights(x.row[entry], self._to.array[at], self._weight.array[at] * x.weight[entry])
        size = len(self.space)
        mask, source, to, weight = self._recorded.get(name, (None, None, None, None))
        if mask is None or not (active.max() < len(mask) and mask[active].all()) or mask.sum() > 3 * len(active):
            mask = np.zeros(size, bool)
            mask[active] = True
            entry, at = gathered(self._row.array[active], self._counts.array[active])
            source, to, weight = active[entry], self._to.array[at], self._weight.array[at]
            self._recorded[name] = (mask, source, to, weight)
        dense = np.zeros(len(mask))
        dense[active] = x.weight
        total = np.bincount(to, weight * dense[source], size)
        state = np.flatnonzero(total)
        return Weights(np.full(len(state), rows), state, total[state])

    def _kept(self, x: Weights) -> Weights:
        """Without what is too light to matter, which is counted."""
        allowed = max(0.0, self.budget) * SHARE
        small = np.flatnonzero(x.weight < allowed)
        if not len(small):
            return x
        order = small[np.argsort(x.weight[small])]
        light = order[: int(np.searchsorted(np.cumsum(x.weight[order]), allowed))]
        dropped = float(x.weight[light].sum())
        self.lost += dropped
        self.budget -= dropped
        keep = np.ones(len(x.weight), bool)
        keep[light] = False
        return x.part(keep)

    def _solve(self, active: Any, spread: Spread) -> None:
        """Rows of states that have none yet."""
        missing = len(self.space) - self._row.size
        if missing:
            self._row.add(np.full(missing, -1))
            self._counts.add(np.zeros(missing, np.int64))
        new = active[self._row.array[active] < 0]
        if len(new) > PART // 2:
            new = self._sampled(new, spread)
        for part in np.array_split(new, len(new) // PART + 1) if len(new) else ():
            self._solve_part(part, spread)

    def _sampled(self, new: Any, spread: Spread) -> Any:
        """The states that are left after some from all over have been solved.

        Raises OverflowError when those say that there will be far too many: each doubling of the states that are solved leads
        to so many times as many new ones, and hardly to more than that the next time.
        """
        picked = np.arange(0, len(new), len(new) // (2 * SAMPLE))[: 2 * SAMPLE]
        before, found = len(self.space), []
        for half in (picked[::2], picked[1::2]):
            self._solve_part(new[half], spread)
            found.append(max(1, len(self.space) - before))
        expected = found[1] * (len(new) / len(picked)) ** log2(found[1] / found[0])
        if expected > TOO_MUCH * (self.space.most - before):
            raise OverflowError(f"about {float(f'{before + expected:.1g}'):,.0f} different situations after a few turns")
        return np.delete(new, picked)

    def _solve_part(self, part: Any, spread: Spread) -> None:
        self._tell()
        entry, columns, weights = spread(self.space.of(part))
        order = np.argsort(entry, kind="stable")
        to = self.space.numbers(columns)
        counts = np.bincount(entry, minlength=len(part))
        self._row.array[part] = self._to.size + np.cumsum(counts) - counts
        self._counts.array[part] = counts
        self._to.add(to[order])
        self._weight.add(weights[order])
