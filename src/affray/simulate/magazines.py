"""Ammunition beside the states of an exact fight: a row of weights for each count of what has been shot.

In a state all magazines are full. How many rounds are missing from them is kept apart, by row; only who has few left when its
turn begins is shown with them. What happens in a turn with enough rounds is therefore worked out once, however many there are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from affray.simulate.book import Book, Numbered, Outcomes, each
from affray.simulate.chain import Space, Weights
from affray.simulate.columns import Column
from affray.simulate.steps import PLAN, SEAT, SPENT
from affray.simulate.turns import Turns
from affray.tabular import PLENTY


class Dry(Exception):
    """Ammunition may run out, so that it has to be counted."""


class Magazines:
    """Weights have a row for each of `missing`: rounds missing from each magazine.

    `counted`: False as long as nobody can have few rounds left; what is shot then makes no difference, and there is one row.
    """

    def __init__(self, turns: Turns, space: Space, counted: bool) -> None:
        self.steps, self.plans, self.space, self.counted = turns.steps, turns.plans, space, counted
        t, steps = turns.tabular, turns.steps
        self.capacity = np.array(steps.capacity)
        weapons = zip(steps.first, steps.capacity, strict=True)
        self.enough = np.array([t.enough(seat) if full < PLENTY else 0 for seat, full in weapons])
        self.left = [min(full, supply) for full, supply in zip(steps.capacity, steps.supply, strict=True)]
        missing = tuple([full - left for full, left in zip(steps.capacity, self.left, strict=True)])
        self.missing = Numbered(missing)
        self._most = [0] * turns.n
        self._full, self._spent = Column(np.int64), Column(np.int64)
        self._codes = Numbered(0)
        self._rows = Book(1, each(self._row_after))
        self._stocked = Book(2, each(self._stock))
        self._reset = Book(1, each(self._row_without))

    def lasts(self, rounds: int) -> bool:
        """Whether after so many rounds everybody has enough for a turn, whatever happens."""
        known = zip(self.left, self._most, self.enough, strict=True)
        return self.counted or all(left - rounds * most >= enough for left, most, enough in known)

    def first(self) -> list[int]:
        """The seats at the beginning, with full magazines."""
        steps = self.steps
        seats = [steps.tables.seat(seat) for seat in steps.first]
        return [steps.filled(i, seats[i])[0] if steps.capacity[i] < PLENTY else seats[i] for i in range(steps.n)]

    # ---- after a turn

    def settled(self, x: Weights) -> Weights:
        """What was shot in the last step goes from the states to the rows."""
        self._refresh()
        row, state = x.row, self._full.array[x.state]
        if self.counted:
            _, (row,), _ = self._rows.expand(row, self._spent.array[x.state])
        return Weights(row, state, x.weight).summed()

    def _row_after(self, row: int, code: int) -> Outcomes:
        """The row after these have shot so much."""
        spent = self._codes.things[code]
        if not spent:
            return [(row,)], [1.0]
        rounds, who = divmod(spent, self.steps.n)
        missing = list(self.missing.things[row])
        missing[who] += rounds
        return [(self.missing.number(tuple(missing)),)], [1.0]

    def _refresh(self) -> None:
        """For new states: the one with full magazines, and what was shot."""
        new = np.arange(self._full.size, len(self.space))
        if not len(new):
            return
        columns = self.space.of(new)
        spent = columns[SPENT]
        full, codes = new.copy(), np.zeros(len(new), np.int64)
        shot = np.flatnonzero(spent)
        for code in np.unique(spent[shot]).tolist():
            rounds, who = divmod(code, self.steps.n)
            self._most[who] = max(self._most[who], rounds)
            codes[spent == code] = self._codes.number(code)
            if rounds < 0 and not self.counted:
                raise Dry
        if len(shot):
            columns = [column[shot] for column in columns]
            columns[SPENT] = np.zeros(len(shot), np.int64)
            full[shot] = self.space.numbers(columns)
        self._full.add(full)
        self._spent.add(codes)
        self._refresh()

    # ---- before a turn

    def shown(self, x: Weights) -> Weights:
        """Whoever is up and has few rounds left is shown with them."""
        if not self.counted:
            return x
        actors = self.plans.actors()[self.space.columns[PLAN].array[x.state]]
        missing = np.array(self.missing.things)[x.row, actors]
        few = (actors >= 0) & (missing != 0) & (self.capacity[actors] - missing < self.enough[actors])
        if not few.any():
            return x
        parts = [x.part(~few)]
        for who in np.unique(actors[few]).tolist():
            those = few & (actors == who)
            parts.append(self._showing(who, x.part(those), (self.capacity[actors] - missing)[those]))
        return Weights(*(np.concatenate(columns) for columns in zip(*parts, strict=True))).summed()

    def _showing(self, who: int, x: Weights, left: Any) -> Weights:
        """The same with the rounds that are left in the seat of one."""
        columns = self.space.of(x.state)
        _, (seats, shown), _ = self._stocked.expand(columns[SEAT + who], left)
        columns[SEAT + who] = seats
        _, (full,), _ = self._reset.expand(x.row, np.full(len(x.row), who))
        return Weights(np.where(shown, full, x.row), self.space.numbers(columns), x.weight)

    def _stock(self, number: int, left: int) -> Outcomes:
        """A seat with so many rounds, and whether it counts them."""
        t = self.steps
        seat = t.tables.seats[number]
        if t.tabular.supply(seat) >= PLENTY:
            return [(number, 0)], [1.0]
        return [(t.tables.seat(t.tabular.stocked(seat, left)), 1)], [1.0]

    def _row_without(self, row: int, who: int) -> Outcomes:
        """The row in which nothing is missing from one magazine."""
        missing = list(self.missing.things[row])
        missing[who] = 0
        return [(self.missing.number(tuple(missing)),)], [1.0]
