"""Rounds and turns as steps of a chain: where a fight may stand after one more turn, with the weight of each.

A state is a plan (who acts now, and what is known of the order), harm held back among those who act at one moment, what the
last one to act has shot, and a seat for each combatant with a full magazine (see `Magazines`). The rows are those of the
tables. The start of the next turn is part of a step, so that what a turn forgets never multiplies states.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from math import factorial, prod
from time import perf_counter
from typing import Any

import numpy as np

from affray.policies.ahead import Late
from affray.simulate.chain import Book, Grown, Outcomes, each, merged
from affray.simulate.mass import Simulation
from affray.simulate.order import classes, orders
from affray.simulate.tables import ACTS, BEGINS, ENDS, FIRST, INITIATIVE, MISSING, OPENS
from affray.tabular import PLENTY

MAX_STEPS = 40
"""Actions in one turn after which it is ended."""
MOST_ORDERS = 100_000
"""Ways in which initiative may fall beyond which a fight is not worked out."""
OVER, START = 0, 1
PLAN, HELD, SPENT, SEAT = range(4)
"""Columns of a state; seats are the last ones."""

Batch = tuple[Any, list[Any], Any]
"""Entry of each outcome, its columns, its weight."""


class Interned:
    """Things with their numbers."""

    def __init__(self, *things: Hashable) -> None:
        self.things: list[Any] = list(things)
        self._numbers = {thing: number for number, thing in enumerate(things)}

    def number(self, thing: Hashable) -> int:
        found = self._numbers.get(thing)
        if found is None:
            found = self._numbers[thing] = len(self.things)
            self.things.append(thing)
        return found


class Moved(Exception):
    """Scores of initiative are moved within a round by more than was allowed for."""


class Turns:
    """The steps of one fight.

    `reach`: by how much shifts of initiative may differ; more raises Moved. `until`: a time of `perf_counter` after which
    Late is raised.
    """

    def __init__(self, simulation: Simulation, reach: int = 0, until: float | None = None) -> None:
        self.simulation, self.tables, self.tabular = simulation, simulation.tables, simulation.tabular
        self.n = len(simulation.ids)
        self.reach, self.until = reach, until
        self.first = [self.tables.seats[int(seat)] for seat in simulation.first_seat]
        self.supply = [self.tabular.supply(seat) for seat in self.first]
        self.capacity = [
            self.tabular.capacity(seat) if supply < PLENTY else PLENTY
            for seat, supply in zip(self.first, self.supply, strict=True)
        ]
        """Rounds in a full magazine; PLENTY where they are not counted."""
        self.rerolls, self.together = bool(self.tabular.rerolls), bool(self.tabular.together)
        self.plans = Interned("over", "start")
        self.held = Interned(())
        self._actor = Grown(np.int64)
        self._facts = Interned()
        self._shifts: set[int] = set()
        self._fact, self._able, self._acting = Grown(np.int64), Grown(np.bool_), Grown(np.bool_)
        self._end, self._fates = Grown(np.int64), dict[tuple[str, bool], int]()
        self._ranks = [Grown(np.int64) for _ in simulation.policy_names]
        self._books: dict[Any, Book] = {}
        self._blows, self._received = Book(3, self._blow), Book(1, self._receive)
        self._kinds: dict[int, int] = {}
        """A message of each kind (see `Tabular.aside`)."""
        self._riding = Interned()
        self._alike: dict[Any, int] = {}
        ids, side = simulation.ids, simulation.side
        liked = [[ids.index(b) for b in self.tabular.preference(simulation.state, a)] for a in ids]
        self._foes = [[j for j in them if side[j] != side[i]] for i, them in enumerate(liked)]

    # ---- rows

    def _book(self, name: tuple[Any, ...], width: int, solve: Callable[..., Outcomes]) -> Book:
        """The rows of that name: of one kind, and for the numbers that are given to it before those of the key."""
        found = self._books.get(name)
        if found is None:
            found = self._books[name] = Book(width, each(lambda *key: self._solved(solve, *name[1:], *key)))
        return found

    def _solved(self, solve: Callable[..., Outcomes], *key: int) -> Outcomes:
        self.in_time()
        return solve(*key)

    def in_time(self) -> None:
        """Raises Late when the time is over."""
        if self.until is not None and perf_counter() > self.until:
            raise Late

    def solo(self, op: int, i: int, batch: Batch) -> Batch:
        """A step of combatant i alone. At the end of its turn the magazine seems full again."""
        seats = batch[1][SEAT + i]
        if op != ENDS or self.capacity[i] >= PLENTY:
            at, (seat,), weight = self._book(("solo", op), 1, self._solo_row).expand(seats)
            return _became(batch, at, weight, {SEAT + i: seat})
        at, (seat, spent), weight = self._book(("ends", i), 2, self._ends).expand(seats)
        return _became(batch, at, weight, {SEAT + i: seat, SPENT: spent})

    def _solo_row(self, op: int, seat: int) -> Outcomes:
        return _row(self.tables, self.tables.row_solo(op, seat))

    def _ends(self, i: int, seat: int) -> Outcomes:
        values, weights = self._solo_row(ENDS, seat)
        return [self.filled(i, value) for (value,) in values], weights

    def filled(self, i: int, number: int) -> tuple[int, int]:
        """The seat with a full magazine, and how many rounds that gave it, together with who it is.

        Raises ValueError where another weapon is in use.
        """
        seat = self.tables.seats[number]
        supply = self.tabular.supply(seat)
        if supply >= PLENTY:
            return number, 0
        if self.tabular.in_use(seat) != self.tabular.in_use(self.first[i]):
            raise ValueError("somebody changes to another weapon with a magazine")
        missing = self.capacity[i] - supply
        return self.tables.seat(self.tabular.stocked(seat, self.capacity[i])), missing * self.n + i if missing else 0

    def _next_action(self, seat: int, look: int) -> Outcomes:
        return [(self.tables.next_action(seat, look),)], [1.0]

    def _tell(self, column: int, messages: Any, batch: Batch) -> Batch:
        """Messages to the seats in a column."""
        told = messages != MISSING
        if not told.any():
            return batch
        part = _part(batch, told)
        at, (seat,), weight = self._received.expand(part[1][column], messages[told])
        return _joined([_part(batch, ~told), _became(part, at, weight, {column: seat})], len(part[1]))

    def _receive(self, seats: Any, messages: Any) -> Batch:
        """Rows of what messages do to seats: worked out for simpler ones, to which what rides along is put back."""
        kinds = messages & 1
        for kind in (0, 1):
            if kind not in self._kinds and (kinds == kind).any():
                self._kinds[kind] = int(messages[np.argmax(kinds == kind)])
        _, (simple, riding), _ = self._book(("receiver",), 2, self._receiver).expand(seats, kinds)
        entry, (after,), weights = self._book(("receive",), 1, self._receive_simply).expand(simple, messages)
        _, (after,), _ = self._book(("riding",), 1, self._put_back).expand(after, riding[entry])
        return np.arange(len(seats))[entry], [after], weights

    def _receiver(self, seat: int, kind: int) -> Outcomes:
        simple, back = self.tables.receiver(seat, self._kinds[kind])
        return [(simple, self._riding.number(back))], [1.0]

    def _receive_simply(self, seat: int, message: int) -> Outcomes:
        return _row(self.tables, self.tables.row_receive(seat, message))

    def _put_back(self, seat: int, riding: int) -> Outcomes:
        return [(self.tables.seat(self._riding.things[riding](self.tables.seats[seat])),)], [1.0]

    def _brings(self, action: int, seat: int) -> Outcomes:
        return [(self.tables.brings(seat, action),)], [1.0]

    def _offers(self, seat: int) -> Outcomes:
        return [(self.tables.offers(seat),)], [1.0]

    def _bout(self, ground: int, brings: int, offers: int) -> Outcomes:
        return [(self.tables.row_attack(brings, ground, offers),)], [1.0]

    def _blow(self, rows: Any, targets: Any, tied: Any) -> Batch:
        """What attacks do to their targets: the seat after it, what the attacker is told, and harm that is held back."""
        t = self.tables
        at, (pairs,), weights = self._book(("outcomes",), 1, lambda row: _row(t, row)).expand(rows)
        entry = np.arange(len(rows))[at]
        at_once, to_self, harm, held = np.array(t.pairs).T[:, pairs]
        waits = tied[entry] == 1
        held, harm = np.where(waits & (harm != MISSING), held, MISSING), np.where(waits, MISSING, harm)
        batch = entry, [targets[entry], to_self, held, harm], np.ones(len(entry)) if weights is None else weights
        batch = self._tell(0, at_once, batch)
        batch = self._tell(0, batch[1][3], batch)
        entry, columns, weights = batch
        return _merged((entry, columns[:3], weights))

    # ---- what is read of seats

    def _refresh(self) -> None:
        """Facts of the seats that are new."""
        new = self.tables.seats[self._fact.size :]
        if not new:
            return
        for able, acting, shift, tie in self.tables.facts(new):
            self._able.add([able])
            self._acting.add([acting])
            self._fact.add([self._facts.number((bool(acting), shift, tie))])
            if acting:
                self._shifts.add(shift)
        for name, ranks in zip(self.simulation.policy_names, self._ranks, strict=True):
            ranks.add([self.tables.rank(seat, name) for seat in new])
        spread = max(self._shifts, default=0) - min(self._shifts, default=0)
        if spread > self.reach:
            if self.rerolls:
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
        s = self.simulation
        best = np.full(len(columns[0]), -1)
        lowest = np.zeros(len(columns[0]), np.int64)
        ranks = self._ranks[s.policy[i]].array
        for j in self._foes[i]:
            rank = ranks[columns[SEAT + j]]
            better = self._able.array[columns[SEAT + j]] & ((best < 0) | (rank < lowest))
            best[better], lowest[better] = j, rank[better]
        return best

    # ---- a turn

    def turn(self, columns: list[Any]) -> Batch:
        """The turns of those whose plan it is, the start of the next turn included."""
        self.in_time()
        self._refresh()
        actors = self.actors()[columns[PLAN]]
        done: list[Batch] = []
        for i in _present(actors):
            at = np.flatnonzero(actors == i)
            done.append(self._turn_of(i, (at, [column[at] for column in columns], np.ones(len(at)))))
        return _joined(done, len(columns))

    def _turn_of(self, i: int, live: Batch) -> Batch:
        done: list[Batch] = []
        ended: list[Batch] = []
        width, before = len(live[1]), len(live[0])
        for _ in range(MAX_STEPS):
            over = self.over(live[1])
            done.append(_part(live, over))
            live = _part(live, ~over)
            if not len(live[0]):
                break
            acting = self._acting.array[live[1][SEAT + i]]
            ended.append(_part(live, ~acting))
            live = _part(live, acting)
            if len(live[0]) > before:
                live = _merged(live)
            before = len(live[0])
            look = self._look(i, live[1])
            _, (actions,), _ = self._book(("next",), 1, self._next_action).expand(live[1][SEAT + i], look)
            moved = []
            for action in _present(actions):
                part = _part(live, actions == action)
                if action == 0:
                    ended.append(part)
                elif self.tabular.attacks(self.tables.actions[action]):
                    moved += self._attack(i, action, part, ended)
                else:
                    moved.append(self.solo(ACTS + 2 * action, i, part))
            live = _joined(moved, width)
        ended.append(live)
        rest = _joined(ended, width)
        if len(rest[0]):
            done.append(self.solo(ENDS, i, rest))
        return self.following(_joined(done, width))

    def _attack(self, i: int, action: int, batch: Batch, ended: list[Batch]) -> list[Batch]:
        batch = self.solo(ACTS + 2 * action, i, batch)
        targets = self._target(i, batch[1])
        found = []
        for j in _present(targets):
            part = _part(batch, targets == j)
            if j < 0:
                ended.append(part)
            else:
                found.append(self.solo(ACTS + 2 * action + 1, i, self._at(i, j, action, part)))
        return found

    def _at(self, i: int, j: int, action: int, batch: Batch) -> Batch:
        """The attack itself, of i on j."""
        entry, columns, _ = batch
        tied = self._tied(i, j)[columns[PLAN]] if self.together else np.zeros(len(entry), np.int64)
        ground = int(self.simulation.ground[i, j])
        _, (brings,), _ = self._book(("brings", action), 1, self._brings).expand(columns[SEAT + i])
        _, (offers,), _ = self._book(("offers",), 1, self._offers).expand(columns[SEAT + j])
        _, (rows,), _ = self._book(("bout", ground), 1, self._bout).expand(brings, offers)
        at, (it, to_self, held), weight = self._blows.expand(rows, columns[SEAT + j], tied)
        batch = _became(batch, at, weight, {SEAT + j: it})
        kept = held != MISSING
        if kept.any():
            columns = batch[1]
            columns[HELD] = columns[HELD].copy()
            columns[HELD][kept] = self._keep(columns[HELD][kept], j, held[kept])
        return self._tell(SEAT + i, to_self, batch)

    def _keep(self, before: Any, j: int, messages: Any) -> Any:
        """Numbers of what is held back, with one more message for j."""
        _, (numbers,), _ = self._book(("held", j), 1, self._holds).expand(before, messages)
        return numbers

    def _holds(self, j: int, before: int, message: int) -> Outcomes:
        return [(self.held.number((*self.held.things[before], (j, message))),)], [1.0]

    # ---- who is next

    def following(self, batch: Batch) -> Batch:
        """Who acts next, and the start of that turn; or the end of the round, or of the fight."""
        batch = _merged(batch)
        width = len(batch[1])
        done: list[Batch] = []
        while len(batch[0]):
            over = self.over(batch[1])
            entry, columns, weights = _part(batch, over)
            if len(entry):
                ends = [self._ended(column) for column in columns[SEAT:]]
                nothing = np.zeros(len(entry), np.int64)
                done.append((entry, [np.full(len(entry), OVER), nothing, nothing, *ends], weights))
            batch = _part(batch, ~over)
            if not len(batch[0]):
                break
            facts = [self._fact.array[column] for column in batch[1][SEAT:]]
            _, (plans, held), _ = self._book(("next plan",), 2, self._plan_after).expand(batch[1][PLAN], *facts)
            batch = _became(batch, slice(None), None, {PLAN: plans})
            done.append(self._begun(_part(batch, held == 0)))
            batch = _part(batch, held == 1)
            if len(batch[0]):
                batch = self._released(batch)
        return _merged(_joined(done, width))

    def _plan_after(self, plan: int, *facts: int) -> Outcomes:
        after, ends_tie = self._successor(self.plans.things[plan], tuple([self._facts.things[fact] for fact in facts]))
        return [(self.plans.number(after), int(ends_tie))], [1.0]

    def _ended(self, seats: Any) -> Any:
        """Seats after the fight: one for all that have met the same fate."""
        t = self.tabular
        for seat in self.tables.seats[self._end.size :]:
            number = self._end.size
            self._end.add([self._fates.setdefault((t.fate(seat), bool(t.able(seat))), number)])
        return self._end.array[seats]

    def _begun(self, batch: Batch) -> Batch:
        actors = self.actors()[batch[1][PLAN]]
        parts = []
        for i in _present(actors):
            part = _part(batch, actors == i)
            parts.append(part if i < 0 else self.solo(BEGINS, i, part))
        return _joined(parts, len(batch[1]))

    def _released(self, batch: Batch) -> Batch:
        """What those who acted at one moment did to each other takes effect, in the order in which it was done."""
        entry, columns, weights = batch
        longest = max(len(self.held.things[number]) for number in _present(columns[HELD]))
        for k in range(longest):
            things = [(held[k] if k < len(held) else (-1, 0)) for held in self.held.things]
            to, message = (np.array(part, np.int64)[columns[HELD]] for part in zip(*things, strict=True))
            all_of_them = (entry, columns, weights)
            parts = [_part(all_of_them, to < 0)]
            parts += [self._tell(SEAT + j, message[to == j], _part(all_of_them, to == j)) for j in _present(to) if j >= 0]
            entry, columns, weights = _merged(_joined(parts, len(columns)))
        columns[HELD] = np.zeros(len(entry), np.int64)
        return _merged((entry, columns, weights))

    def _successor(self, plan: Any, facts: tuple[Any, ...]) -> tuple[Any, bool]:
        """The plan after this one; with True, first of all those who were tied take their harm."""
        if self.rerolls:
            _, left = plan
            left = tuple([i for i in left if facts[i][0]])
            return ((left[0], left[1:]) if left else (-1, None)), False
        _, scores, done, tied = plan
        if tied:
            for j in range(self.n):
                if tied >> j & 1 and not done >> j & 1 and facts[j][0]:
                    return (j, scores, done | 1 << j, tied), False
            return (-2, scores, done, 0), True
        left = [j for j in range(self.n) if not done >> j & 1 and facts[j][0]]
        if not left:
            return (-1, scores, 0, 0), False

        def when(j: int) -> tuple[int, int]:
            return scores[j] + facts[j][1], facts[j][2]

        i = max(left, key=lambda j: (*when(j), self.simulation.tie[j], -j))
        moment = [j for j in left if when(j) == when(i)]
        tied = sum(1 << j for j in moment) if self.together and len(moment) > 1 else 0
        return (i, scores, done | 1 << i, tied), False

    def actors(self) -> Any:
        """By number of the plan: who acts; -1 nobody."""
        for plan in self.plans.things[self._actor.size :]:
            self._actor.add([plan[0] if isinstance(plan, tuple) else -1])
        return self._actor.array

    def _tied(self, i: int, j: int) -> Any:
        """By number of the plan: whether both act at one moment."""
        both = 1 << i | 1 << j
        plans = (isinstance(plan, tuple) and len(plan) == 4 and plan[3] & both == both for plan in self.plans.things)
        return np.fromiter(plans, np.int64, len(self.plans.things))

    def resumed(self) -> Any:
        """The plan of a fight that goes on in the middle of a round, before its next turn begins."""
        s = self.simulation
        assert s.midway is not None
        scores, done = s.midway
        left = [i for i in range(self.n) if not done[i]]
        if self.rerolls:
            return -1, tuple(sorted(left, key=lambda i: (-scores[i], -s.tie[i], i)))
        levels, _ = classes([({score: 1.0}, [i]) for i, score in enumerate(scores)], self.n, self.reach)[0]
        return -1, levels, sum(1 << i for i in range(self.n) if done[i]), 0

    # ---- a round opens

    def opening(self, columns: list[Any]) -> Batch:
        """The next round of those whose round has ended, up to the start of its first turn."""
        self.in_time()
        self._refresh()
        batch: Batch = (np.arange(len(columns[0])), [column.copy() for column in columns], np.ones(len(columns[0])))
        for i in range(self.n):
            batch = self.solo(OPENS, i, batch)
        over = self.over(batch[1])
        entry, on, weights = _part(batch, ~over)
        starting = on[PLAN] == START
        parts = [_part(batch, over)]
        if self.rerolls or starting.any():
            for first in (True, False):
                part = _part((entry, on, weights), starting == first)
                if len(part[0]):
                    parts.append(self._drawn(part, FIRST if first else INITIATIVE))
        else:
            parts.append((entry, on, weights))
        return self.following(_joined(parts, len(columns)))

    def _drawn(self, batch: Batch, op: int) -> Batch:
        """Initiative is thrown."""
        throws = self._book(("throw", op), 1, self._throw)
        rows = [throws.expand(column)[1][0] for column in batch[1][SEAT:]]
        at, (plans,), weight = self._book(("order",), 1, self._order).expand(*rows)
        return _became(batch, at, weight, {PLAN: plans})

    def _throw(self, op: int, seat: int) -> Outcomes:
        """The number of a row of initiative, and 1; equal ones have one number, and 0 does not act."""
        if not self._acting.array[seat]:
            return [(0,)], [1.0]
        row = self.tables.row_solo(op, seat)
        return [(1 + self._alike.setdefault(self.tables.rows.row(row), row),)], [1.0]

    def _order(self, *rows: int) -> Outcomes:
        """Plans with their chances, from the rows of initiative."""
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
            found = [((-1, order), p) for order, p in orders(throws, [int(t) for t in s.tie])]
        else:
            found = [((-1, scores, 0, 0), p) for scores, p in classes(throws, self.n, self.reach)]
        return [(self.plans.number(plan),) for plan, _ in found], [p for _, p in found]


def _became(batch: Batch, at: Any, weight: Any, changed: dict[int, Any]) -> Batch:
    """The outcomes of each entry (see `Book.expand`), with the columns that have changed."""
    entry, columns, weights = batch
    columns = [changed[k] if k in changed else column[at] for k, column in enumerate(columns)]
    return (entry, columns, weights) if weight is None else (entry[at], columns, weights[at] * weight)


def _row(tables: Any, row: int) -> Outcomes:
    values, weights = tables.rows.row(row)
    return [(value,) for value in values], list(weights)


def _present(numbers: Any) -> list[int]:
    """The different ones among small numbers from -1 on."""
    return (np.flatnonzero(np.bincount(numbers + 1)) - 1).tolist() if len(numbers) else []


def _part(batch: Batch, which: Any) -> Batch:
    """Some of a batch; the same where it is all of it."""
    entry, columns, weights = batch
    if which.all():
        return batch
    return entry[which], [column[which] for column in columns], weights[which]


def _joined(parts: list[Batch], width: int) -> Batch:
    parts = [part for part in parts if len(part[0])]
    if not parts:
        none = np.zeros(0, np.int64)
        return none, [none] * width, np.zeros(0)
    if len(parts) == 1:
        return parts[0]
    columns = [np.concatenate([part[1][k] for part in parts]) for k in range(width)]
    return np.concatenate([part[0] for part in parts]), columns, np.concatenate([part[2] for part in parts])


def _merged(batch: Batch) -> Batch:
    entry, columns, weights = batch
    if len(entry) < 2:
        return batch
    (entry, *columns), weights = merged([entry, *columns], weights)
    return entry, columns, weights

