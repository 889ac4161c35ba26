"""Who acts when in an exact fight: plans of a round, what follows each, and what throws for initiative make of them.

A plan is 'over', 'start', or a tuple that begins with who is up (-1: the round has ended; -2: harm held back takes effect). Where
initiative is thrown anew each round, those who are left follow in their order; else the scores, a bit for each who has
acted, and a bit for each of those who act at one moment with the one who is up.
"""

from __future__ import annotations

from math import factorial, prod
from typing import Any

import numpy as np

from affray.simulate.book import Numbered, Outcomes
from affray.simulate.columns import Column
from affray.simulate.mass import Simulation
from affray.simulate.order import classes, orders

MOST_ORDERS = 100_000
"""Ways in which initiative may fall beyond which a fight is not worked out."""
OVER, START = 0, 1
"""Numbers of the first two plans."""
ROUND_ENDS, HARM_FALLS = -1, -2


class Plans:
    """Plans by number, for one fight. `reach`: by how much shifts of initiative may differ within a round."""

    def __init__(self, simulation: Simulation, reach: int) -> None:
        self.simulation, self.tables, self.reach = simulation, simulation.tables, reach
        self.n = len(simulation.ids)
        tabular = simulation.tabular
        self.rerolls, self.together = bool(tabular.rerolls), bool(tabular.together)
        self.facts = Numbered()
        """(gets a turn, shift of initiative, what breaks ties) of seats."""
        self._plans = Numbered("over", "start")
        self._actor = Column(np.int64)
        self._alike: dict[Any, int] = {}

    # ---- what a plan says

    def actors(self) -> Any:
        """By number of the plan: who acts; below 0 nobody."""
        for plan in self._plans.things[self._actor.size :]:
            self._actor.add([plan[0] if isinstance(plan, tuple) else ROUND_ENDS])
        return self._actor.array

    def tied(self, i: int, j: int) -> Any:
        """By number of the plan: whether both act at one moment."""
        both, plans = 1 << i | 1 << j, self._plans.things
        found = (isinstance(plan, tuple) and len(plan) == 4 and plan[3] & both == both for plan in plans)
        return np.fromiter(found, np.int64, len(plans))

    # ---- what follows

    def after(self, plan: int, *facts: int) -> Outcomes:
        """The plan after this one, and 1 if harm that was held back takes effect first."""
        after = self._successor(self._plans.things[plan], tuple([self.facts.things[fact] for fact in facts]))
        return [(self._plans.number(after), int(after[0] == HARM_FALLS))], [1.0]

    def _successor(self, plan: Any, facts: tuple[Any, ...]) -> tuple[Any, ...]:
        if self.rerolls:
            waiting = tuple([i for i in plan[1] if facts[i][0]])
            return (waiting[0], waiting[1:]) if waiting else (ROUND_ENDS, None)
        _, scores, done, tied = plan
        if tied:
            for j in range(self.n):
                if tied >> j & 1 and not done >> j & 1 and facts[j][0]:
                    return j, scores, done | 1 << j, tied
            return HARM_FALLS, scores, done, 0
        left = [j for j in range(self.n) if not done >> j & 1 and facts[j][0]]
        if not left:
            return ROUND_ENDS, scores, 0, 0

        def when(j: int) -> tuple[int, int]:
            return scores[j] + facts[j][1], facts[j][2]

        i = max(left, key=lambda j: (*when(j), self.simulation.tie[j], -j))
        moment = [j for j in left if when(j) == when(i)]
        tied = sum(1 << j for j in moment) if self.together and len(moment) > 1 else 0
        return i, scores, done | 1 << i, tied

    def resumed(self) -> int:
        """The plan of a fight that goes on in the middle of a round, before its next turn begins."""
        s = self.simulation
        assert s.midway is not None
        scores, done = s.midway
        left = [i for i in range(self.n) if not done[i]]
        if self.rerolls:
            return self._plans.number((ROUND_ENDS, tuple(sorted(left, key=lambda i: (-scores[i], -s.tie[i], i)))))
        levels, _ = classes([({score: 1.0}, [i]) for i, score in enumerate(scores)], self.n, self.reach)[0]
        return self._plans.number((ROUND_ENDS, levels, sum(1 << i for i in range(self.n) if done[i]), 0))

    # ---- initiative

    def throw(self, op: int, seat: int) -> Outcomes:
        """The number of a row of initiative, and 1; equal ones have one number, and 0 does not act."""
        if not self.simulation.tabular.acting(self.tables.seats[seat]):
            return [(0,)], [1.0]
        row = self.tables.row_solo(op, seat)
        return [(1 + self._alike.setdefault(self.tables.rows.row(row), row),)], [1.0]

    def order(self, *rows: int) -> Outcomes:
        """Plans with their chances, from the rows of initiative. Raises OverflowError where there are too many."""
        s = self.simulation
        units: dict[int, tuple[Any, list[int]]] = {}
        for i, row in enumerate(rows):
            if row:
                units.setdefault(int(s.group[i]), (self.tables.rows.row(row - 1), []))[1].append(i)
        throws = [(dict(zip(*row, strict=True)), members) for row, members in units.values()]
        ways = factorial(len(throws)) if self.rerolls else prod(len(chances) for chances, _ in throws)
        if ways > MOST_ORDERS:
            raise OverflowError(f"initiative alone may fall in more than {MOST_ORDERS:,} ways")
        found: list[tuple[Any, float]]
        if self.rerolls:
            found = [((ROUND_ENDS, order), p) for order, p in orders(throws, [int(t) for t in s.tie])]
        else:
            found = [((ROUND_ENDS, scores, 0, 0), p) for scores, p in classes(throws, self.n, self.reach)]
        return [(self._plans.number(plan),) for plan, _ in found], [p for _, p in found]
