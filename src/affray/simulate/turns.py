"""Rounds and turns as steps of a chain: where a fight may stand after one more turn, with the weight of each.

A state is a plan (who acts now, and what is known of the order), harm held back among those who act at one moment, what the
last one to act has shot, and a seat for each combatant with a full magazine. The start of the next turn is part of a step, so
that what a turn forgets never multiplies states.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from affray.simulate.book import Numbered, Outcomes
from affray.simulate.columns import Branches, Column, present
from affray.simulate.mass import Simulation
from affray.simulate.plans import OVER, START, Plans
from affray.simulate.steps import HELD, PLAN, SEAT, Steps
from affray.simulate.tables import ACTS, BEGINS, ENDS, FIRST, INITIATIVE, MISSING, OPENS

MAX_STEPS = 40
"""Actions in one turn after which it is ended."""


class Moved(Exception):
    """Scores of initiative are moved within a round by more than was allowed for."""


class Turns:
    """The turns of one fight.

    `reach`: by how much shifts of initiative may differ; more raises Moved. `until`: a time of `perf_counter` after which
    Late is raised.
    """

    def __init__(self, simulation: Simulation, reach: int = 0, until: float | None = None) -> None:
        self.simulation, self.tables, self.tabular = simulation, simulation.tables, simulation.tabular
        self.n, self.reach = len(simulation.ids), reach
        self.plans, self.steps = Plans(simulation, reach), Steps(simulation, until)
        self.held = Numbered(())
        self._shifts: set[int] = set()
        self._fact, self._able, self._acting = Column(np.int64), Column(np.bool_), Column(np.bool_)
        self._end, self._fates = Column(np.int64), dict[tuple[str, bool], int]()
        self._ranks = [Column(np.int64) for _ in simulation.policy_names]
        ids, side = simulation.ids, simulation.side
        liked = [[ids.index(b) for b in self.tabular.preference(simulation.state, a)] for a in ids]
        self._foes = [[j for j in them if side[j] != side[i]] for i, them in enumerate(liked)]

    # ---- what is read of seats

    def _refresh(self) -> None:
        """Facts of the seats that are new."""
        new = self.tables.seats[self._fact.size :]
        if not new:
            return
        for able, acting, shift, tie in self.tables.facts(new):
            self._able.add([able])
            self._acting.add([acting])
            self._fact.add([self.plans.facts.number((bool(acting), shift, tie))])
            if acting:
                self._shifts.add(shift)
        for name, ranks in zip(self.simulation.policy_names, self._ranks, strict=True):
            ranks.add([self.tables.rank(seat, name) for seat in new])
        spread = max(self._shifts, default=0) - min(self._shifts, default=0)
        if spread > self.reach:
            if self.plans.rerolls:
                raise ValueError("initiative that moves within a round and is thrown anew each round is not worked out")
            raise Moved(spread)

    def over(self, columns: list[Any]) -> Any:
        """Whether at most one side can still fight."""
        self._refresh()
        able = self._able.array
        sides = [np.zeros(len(columns[0]), bool) for _ in self.simulation.sides]
        for i in range(self.n):
            sides[self.simulation.side[i]] |= able[columns[SEAT + i]]
        return sum(side.astype(np.int64) for side in sides) <= 1

    def _look(self, i: int, columns: list[Any]) -> Any:
        """What i's policy sees of the rest: 1 if it is outnumbered, and 2 if an enemy is near."""
        able = self._able.array
        side = self.simulation.side
        balance = np.zeros(len(columns[0]), np.int64)
        near = np.zeros(len(columns[0]), bool)
        for j in range(self.n):
            there = able[columns[SEAT + j]]
            balance += there * (-1 if side[j] == side[i] else 1)
            if side[j] != side[i] and self.simulation.near[i, j]:
                near |= there
        return (balance > 0) + 2 * near

    def _target(self, i: int, columns: list[Any]) -> Any:
        """Whom i attacks: lowest rank, then its own preference; -1 nobody."""
        best = np.full(len(columns[0]), -1)
        lowest = np.zeros(len(columns[0]), np.int64)
        ranks = self._ranks[self.simulation.policy[i]].array
        for j in self._foes[i]:
            rank = ranks[columns[SEAT + j]]
            better = self._able.array[columns[SEAT + j]] & ((best < 0) | (rank < lowest))
            best[better], lowest[better] = j, rank[better]
        return best

    def _ended(self, seats: Any) -> Any:
        """Seats after the fight: one for all that have met the same fate."""
        t = self.tabular
        for seat in self.tables.seats[self._end.size :]:
            number = self._end.size
            self._end.add([self._fates.setdefault((t.fate(seat), bool(t.able(seat))), number)])
        return self._end.array[seats]

    # ---- a turn

    def turn(self, columns: list[Any]) -> Branches:
        """The turns of those whose plan it is, the start of the next turn included."""
        self.steps.in_time()
        self._refresh()
        actors = self.plans.actors()[columns[PLAN]]
        done: list[Branches] = []
        for i in present(actors):
            at = np.flatnonzero(actors == i)
            done.append(self._turn_of(i, Branches(at, [column[at] for column in columns], np.ones(len(at)))))
        return Branches.joined(done, len(columns))

    def _turn_of(self, i: int, live: Branches) -> Branches:
        done: list[Branches] = []
        ended: list[Branches] = []
        width, before = len(live.columns), live.size
        for _ in range(MAX_STEPS):
            over = self.over(live.columns)
            done.append(live.part(over))
            live = live.part(~over)
            if not live.size:
                break
            acting = self._acting.array[live.columns[SEAT + i]]
            ended.append(live.part(~acting))
            live = live.part(acting)
            if live.size > before:
                live = live.merged()
            before = live.size
            actions = self.steps.next_actions(live.columns[SEAT + i], self._look(i, live.columns))
            moved = []
            for action in present(actions):
                part = live.part(actions == action)
                if action == 0:
                    ended.append(part)
                elif self.tabular.attacks(self.tables.actions[action]):
                    moved += self._attack(i, action, part, ended)
                else:
                    moved.append(self.steps.solo(ACTS + 2 * action, i, part))
            live = Branches.joined(moved, width)
        ended.append(live)
        rest = Branches.joined(ended, width)
        if rest.size:
            done.append(self.steps.solo(ENDS, i, rest))
        return self.following(Branches.joined(done, width))

    def _attack(self, i: int, action: int, live: Branches, ended: list[Branches]) -> list[Branches]:
        live = self.steps.solo(ACTS + 2 * action, i, live)
        targets = self._target(i, live.columns)
        found = []
        for j in present(targets):
            part = live.part(targets == j)
            if j < 0:
                ended.append(part)
            else:
                found.append(self.steps.solo(ACTS + 2 * action + 1, i, self._at(i, j, action, part)))
        return found

    def _at(self, i: int, j: int, action: int, live: Branches) -> Branches:
        """The attack itself, of i on j."""
        columns = live.columns
        tied = self.plans.tied(i, j)[columns[PLAN]] if self.plans.together else np.zeros(live.size, np.int64)
        blow = self.steps.blow(action, int(self.simulation.ground[i, j]), columns[SEAT + i], columns[SEAT + j], tied)
        at, (it, to_self, held), weight = blow
        live = live.became(at, weight, {SEAT + j: it})
        kept = held != MISSING
        if kept.any():
            columns = live.columns
            columns[HELD] = columns[HELD].copy()
            book = self.steps.book(("held", j), 1, self._holds)
            _, (columns[HELD][kept],), _ = book.expand(columns[HELD][kept], held[kept])
        return self.steps.tell(SEAT + i, to_self, live)

    def _holds(self, j: int, before: int, message: int) -> Outcomes:
        """The number of what is held back, with one more message for j."""
        return [(self.held.number((*self.held.things[before], (j, message))),)], [1.0]

    # ---- who is next

    def following(self, live: Branches) -> Branches:
        """Who acts next, and the start of that turn; or the end of the round, or of the fight."""
        live = live.merged()
        width = len(live.columns)
        done: list[Branches] = []
        while live.size:
            over = self.over(live.columns)
            entry, columns, weights = live.part(over)
            if len(entry):
                ends = [self._ended(column) for column in columns[SEAT:]]
                nothing = np.zeros(len(entry), np.int64)
                done.append(Branches(entry, [np.full(len(entry), OVER), nothing, nothing, *ends], weights))
            live = live.part(~over)
            if not live.size:
                break
            facts = [self._fact.array[column] for column in live.columns[SEAT:]]
            book = self.steps.book(("next plan",), 2, self.plans.after)
            _, (plans, held), _ = book.expand(live.columns[PLAN], *facts)
            live = live.became(slice(None), None, {PLAN: plans})
            done.append(self._begun(live.part(held == 0)))
            live = live.part(held == 1)
            if live.size:
                live = self._released(live)
        return Branches.joined(done, width).merged()

    def _begun(self, live: Branches) -> Branches:
        actors = self.plans.actors()[live.columns[PLAN]]
        parts = []
        for i in present(actors):
            part = live.part(actors == i)
            parts.append(part if i < 0 else self.steps.solo(BEGINS, i, part))
        return Branches.joined(parts, len(live.columns))

    def _released(self, live: Branches) -> Branches:
        """What those who acted at one moment did to each other takes effect, in the order in which it was done."""
        longest = max(len(self.held.things[number]) for number in present(live.columns[HELD]))
        for k in range(longest):
            things = [(held[k] if k < len(held) else (-1, 0)) for held in self.held.things]
            to, message = (np.array(part, np.int64)[live.columns[HELD]] for part in zip(*things, strict=True))
            parts = [live.part(to < 0)]
            parts += [self.steps.tell(SEAT + j, message[to == j], live.part(to == j)) for j in present(to) if j >= 0]
            live = Branches.joined(parts, len(live.columns)).merged()
        live.columns[HELD] = np.zeros(live.size, np.int64)
        return live.merged()

    # ---- a round opens

    def opening(self, columns: list[Any]) -> Branches:
        """The next round of those whose round has ended, up to the start of its first turn."""
        self.steps.in_time()
        self._refresh()
        live = Branches(np.arange(len(columns[0])), [column.copy() for column in columns], np.ones(len(columns[0])))
        for i in range(self.n):
            live = self.steps.solo(OPENS, i, live)
        over = self.over(live.columns)
        going = live.part(~over)
        starting = going.columns[PLAN] == START
        parts = [live.part(over)]
        if self.plans.rerolls or starting.any():
            for first in (True, False):
                part = going.part(starting == first)
                if part.size:
                    parts.append(self._drawn(part, FIRST if first else INITIATIVE))
        else:
            parts.append(going)
        return self.following(Branches.joined(parts, len(columns)))

    def _drawn(self, live: Branches, op: int) -> Branches:
        """Initiative is thrown."""
        throws = self.steps.book(("throw", op), 1, self.plans.throw)
        rows = [throws.expand(column)[1][0] for column in live.columns[SEAT:]]
        at, (plans,), weight = self.steps.book(("order",), 1, self.plans.order).expand(*rows)
        return live.became(at, weight, {PLAN: plans})
