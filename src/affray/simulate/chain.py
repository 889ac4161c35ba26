"""A chain of chances, stepped exactly: states as columns of whole numbers, and a row of outcomes for each, found once.

Weights are spread over the states known so far. What is too light is dropped and counted. Rows are kept, and the gathering
of a step is kept with them, so a step that has been seen costs one multiplication for each outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log2
from typing import Any, NamedTuple

import numpy as np

from affray.simulate.columns import Branches, Column, gathered, hashed, merged

SHARE = 0.03
"""Part of what may still be dropped that one step may drop."""
SAMPLE, PART = 500, 20_000
"""States of a large step that are solved first, twice, to tell how many new ones there will be; and at a time after that."""
TOO_MUCH = 2.0
"""A step is given up before it is done when the states that it seems to lead to are so many times what there is room for."""


class Space:
    """States with their numbers. Raises OverflowError beyond `most`."""

    def __init__(self, width: int, most: int) -> None:
        self.columns = [Column(np.int64) for _ in range(width)]
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


Move = Callable[[list[Any]], Branches]
"""What may come of states, given by columns, in one step."""


class Chain:
    """Moves weights by steps. `lost`: what has been dropped; `budget`: what may still be.

    `tell` is called now and then in the middle of a long step.
    """

    def __init__(self, space: Space, budget: float = 0.0, tell: Callable[[], None] = lambda: None) -> None:
        self.space, self._tell = space, tell
        self.starts(budget)
        self._row = Column(np.int64)
        self._counts = Column(np.int64)
        self._to = Column(np.int64)
        self._weight = Column(np.float64)
        self._recorded: dict[Any, tuple[Any, Any, Any, Any]] = {}

    def starts(self, budget: float) -> None:
        """Nothing has been dropped yet. What is known of the steps stays."""
        self.budget, self.lost = budget, 0.0
        self.widest = 0

    def step(self, name: Any, x: Weights, move: Move) -> Weights:
        """Move weights one step; outcomes are not summed. `move` must be the same function of a state every time."""
        x = self._kept(x)
        self.widest = max(self.widest, len(x.row))
        if not len(x.row):
            return x
        rows = int(x.row[0]) if (x.row == x.row[0]).all() else -1
        active = x.state if rows >= 0 else np.flatnonzero(np.bincount(x.state))
        self._solve(active, move)
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

    def _solve(self, active: Any, move: Move) -> None:
        """Rows of states that have none yet."""
        missing = len(self.space) - self._row.size
        if missing:
            self._row.add(np.full(missing, -1))
            self._counts.add(np.zeros(missing, np.int64))
        new = active[self._row.array[active] < 0]
        if len(new) > PART // 2:
            new = self._sampled(new, move)
        for part in np.array_split(new, len(new) // PART + 1) if len(new) else ():
            self._solve_part(part, move)

    def _sampled(self, new: Any, move: Move) -> Any:
        """The states that are left after some from all over have been solved.

        Raises OverflowError when those say that there will be far too many: each doubling of the states that are solved leads
        to so many times as many new ones, and hardly to more than that the next time.
        """
        picked = np.arange(0, len(new), len(new) // (2 * SAMPLE))[: 2 * SAMPLE]
        before, found = len(self.space), []
        for half in (picked[::2], picked[1::2]):
            self._solve_part(new[half], move)
            found.append(max(1, len(self.space) - before))
        expected = found[1] * (len(new) / len(picked)) ** log2(found[1] / found[0])
        if expected > TOO_MUCH * (self.space.most - before):
            raise OverflowError(f"about {float(f'{before + expected:.1g}'):,.0f} different situations after a few turns")
        return np.delete(new, picked)

    def _solve_part(self, part: Any, move: Move) -> None:
        self._tell()
        entry, columns, weights = move(self.space.of(part))
        order = np.argsort(entry, kind="stable")
        to = self.space.numbers(columns)
        counts = np.bincount(entry, minlength=len(part))
        self._row.array[part] = self._to.size + np.cumsum(counts) - counts
        self._counts.array[part] = counts
        self._to.add(to[order])
        self._weight.add(weights[order])
