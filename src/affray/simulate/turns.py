"""Rounds and turns as steps of a chain: where a fight may stand after one more turn, with the weight of each.

A state is a plan (who acts now, and what is known of the order), harm held back among those who act at one moment, and a
seat for each combatant. The rows are those of the tables. The start of the next turn is part of a step, so that what a
turn forgets never multiplies states.
"""

from __future__ import annotations

from collections.abc import Hashable
from time import perf_counter
from typing import Any

import numpy as np

from affray.policies.ahead import Late
from affray.simulate.chain import Book, Grown, merged
from affray.simulate.mass import Simulation
from affray.simulate.order import classes, orders
from affray.simulate.tables import ACTS, BEGINS, ENDS, FIRST, INITIATIVE, MISSING, OPENS
from affray.tabular import PLENTY

MAX_STEPS = 40
"""Actions in one turn after which it is ended."""
OVER, START = 0, 1
BITS = 21
MASK = (1 << BITS) - 1

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


class Dry(Exception):
    """Ammunition may run out, so that it has to be counted."""


class Moved(Exception):
    """Scores of initiative are moved within a round by more than was allowed for."""


class Turns:
    """The steps of one fight.

    `reach`: by how much shifts of initiative may differ; more raises Moved. `counted`: rounds in magazines are counted, which
    multiplies states; else they stay as they are, and `lasts` says for how long that makes no difference. `until`: a time of
    `perf_counter` after which Late is raised.
    """

    def __init__(
        self, simulation: Simulation, reach: int = 0, counted: bool = True, until: float | None = None
    ) -> None:
        self.simulation, self.tables, self.tabular = simulation, simulation.tables, simulation.tabular
        self.n = len(simulation.ids)
        self.reach, self.counted, self.until = reach, counted, until
        self._supply = [self.tabular.supply(self.tables.seats[int(seat)]) for seat in simulation.first_seat]
        self._spent = [0] * self.n
        self.rerolls, self.together = bool(self.tabular.rerolls), bool(self.tabular.together)
        self.plans = Interned("over", "start")
        self.held = Interned(())
        self._actor = Grown(np.int64)
        self._facts = Interned()
        self._shifts: set[int] = set()
        self._fact, self._able, self._acting = Grown(np.int64), Grown(np.bool_), Grown(np.bool_)
        self._end, self._fates = Grown(np.int64), dict[tuple[str, bool], int]()
        self._ranks = [Grown(np.int64) for _ in simulation.policy_names]
        self._solo: dict[tuple[int, int], Book] = {}
        self._next = Book(1, self._next_action)
        self._bouts = Book(1, self._bout)
        self._blows = Book(3, self._blow)
        self._receive = Book(1, self._received)
        self._orders: dict[Any, list[tuple[Any, float]]] = {}
        self._alike: dict[Any, int] = {}
        ids, side = simulation.ids, simulation.side
        liked = [[ids.index(b) for b in self.tabular.preference(simulation.state, a)] for a in ids]
        self._foes = [[j for j in them if side[j] != side[i]] for i, them in enumerate(liked)]

    # ---- rows

    def solo(self, op: int, i: int, batch: Batch) -> Batch:
        """A step of combatant i alone."""
        entry, columns, weights = batch
        book = self._solo.get((op, i))
        if book is None:
            book = self._solo[op, i] = Book(1, lambda seat: self._solo_row(op, i, seat))
        at, (value,), weight = book.expand(columns[2 + i])
        columns = [column[at] for column in columns]
        columns[2 + i] = value
        return _merged((entry[at], columns, weights[at] * weight))

    def _solo_row(self, op: int, i: int, seat: int) -> tuple[list[tuple[int, ...]], list[float]]:
        self._hurry()
        values, weights = _row(self.tables, self.tables.row_solo(op, seat))
        if self.counted or op != ENDS or self._supply[i] >= PLENTY:
            return values, weights
        return [(self._refilled(i, value),) for (value,) in values], weights

    def _refilled(self, i: int, number: int) -> int:
        """The seat with the ammunition with which the fight began, at the end of a turn."""
        seat = self.tables.seats[number]
        spent = self._supply[i] - self.tabular.supply(seat)
        if spent < 0:
            raise Dry
        self._spent[i] = max(self._spent[i], spent)
        like = self.tables.seats[int(self.simulation.first_seat[i])]
        return self.tables.seat(self.tabular.refilled(seat, like)) if spent else number

    def lasts(self, rounds: int) -> bool:
        """Whether everybody's ammunition lasts for so many rounds, whatever they do in each."""
        each = zip(self._supply, self._spent, strict=True)
        return self.counted or all(supply >= rounds * spent for supply, spent in each)

    def _next_action(self, key: int) -> tuple[list[tuple[int, ...]], list[float]]:
        return [(self.tables.next_action(key >> 2, key & 3),)], [1.0]

    def _received(self, key: int) -> tuple[list[tuple[int, ...]], list[float]]:
        return _row(self.tables, self.tables.row_receive(key >> BITS, key & MASK))

    def _hurry(self) -> None:
        if self.until is not None and perf_counter() > self.until:
            raise Late

    def _bout(self, key: int) -> tuple[list[tuple[int, ...]], list[float]]:
        self._hurry()
        ground, seat, target = key >> 2 * BITS & 1023, key >> BITS & MASK, key & MASK
        return [(self.tables.row_bout(seat, key >> 2 * BITS + 10, ground, target),)], [1.0]

    def _blow(self, key: int) -> tuple[list[tuple[int, ...]], list[float]]:
        """What an attack does to its target: the seat after it, what the attacker is told, and harm that is held back."""
        self._hurry()
        t = self.tables
        row, target, tied = key >> BITS + 1, key >> 1 & MASK, key & 1
        found: dict[tuple[int, ...], float] = {}
        for (pair,), p in _pairs(t, row):
            at_once, to_self, harm, held = t.pairs[pair]
            targets = self._told([(target, p)], at_once)
            if not tied:
                targets = self._told(targets, harm)
            for it, weight in targets:
                outcome = (it, to_self, held if tied and harm != MISSING else MISSING)
                found[outcome] = found.get(outcome, 0.0) + weight
        return list(found), list(found.values())

    def _told(self, seats: list[tuple[int, float]], message: int) -> list[tuple[int, float]]:
        if message == MISSING:
            return seats
        t = self.tables
        return [(to, p * q) for seat, p in seats for (to,), q in _pairs(t, t.row_receive(seat, message))]

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
            ranks.add([_packed(self.tabular.rank(seat, name)) for seat in new])
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
            sides[self.simulation.side[i]] |= able[columns[2 + i]]
        return sum(side.astype(np.int64) for side in sides) <= 1

    def _look(self, i: int, columns: list[Any]) -> Any:
        able = self._able.array
        side = self.simulation.side
        balance = np.zeros(len(columns[0]), np.int64)
        near = np.zeros(len(columns[0]), bool)
        for j in range(self.n):
            there = able[columns[2 + j]]
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
            rank = ranks[columns[2 + j]]
            better = self._able.array[columns[2 + j]] & ((best < 0) | (rank < lowest))
            best[better], lowest[better] = j, rank[better]
        return best

    # ---- a turn

    def turn(self, columns: list[Any]) -> Batch:
        """The turns of those whose plan it is, the start of the next turn included."""
        self._refresh()
        actors = self.actors()[columns[0]]
        done: list[Batch] = []
        for i in np.unique(actors).tolist():
            at = np.flatnonzero(actors == i)
            done.append(self._turn_of(i, (at, [column[at] for column in columns], np.ones(len(at)))))
        return _joined(done, len(columns))

    def _turn_of(self, i: int, live: Batch) -> Batch:
        done: list[Batch] = []
        ended: list[Batch] = []
        width = len(live[1])
        for _ in range(MAX_STEPS):
            over = self.over(live[1])
            done.append(_part(live, over))
            live = _part(live, ~over)
            if not len(live[0]):
                break
            acting = self._acting.array[live[1][2 + i]]
            ended.append(_part(live, ~acting))
            live = _part(live, acting)
            _, (actions,), _ = self._next.expand(live[1][2 + i] << 2 | self._look(i, live[1]))
            moved = []
            for action in np.unique(actions).tolist():
                part = _part(live, actions == action)
                if action == 0:
                    ended.append(part)
                elif self.tabular.attacks(self.tables.actions[action]):
                    moved += self._attack(i, action, part, ended)
                else:
                    moved.append(self.solo(ACTS + 2 * action, i, part))
            live = _merged(_joined(moved, width))
        ended.append(live)
        rest = _joined(ended, width)
        if len(rest[0]):
            done.append(self.solo(ENDS, i, rest))
        return self.following(_joined(done, width))

    def _attack(self, i: int, action: int, batch: Batch, ended: list[Batch]) -> list[Batch]:
        batch = self.solo(ACTS + 2 * action, i, batch)
        targets = self._target(i, batch[1])
        found = []
        for j in np.unique(targets).tolist():
            part = _part(batch, targets == j)
            if j < 0:
                ended.append(part)
            else:
                found.append(self.solo(ACTS + 2 * action + 1, i, self._at(i, j, action, part)))
        return found

    def _at(self, i: int, j: int, action: int, batch: Batch) -> Batch:
        """The attack itself, of i on j."""
        entry, columns, weights = batch
        tied = self._tied(i, j)[columns[0]] if self.together else np.zeros(len(entry), np.int64)
        attack = action << 10 | int(self.simulation.ground[i, j])
        _, (rows,), _ = self._bouts.expand(attack << 2 * BITS | columns[2 + i] << BITS | columns[2 + j])
        at, (it, to_self, held), weight = self._blows.expand((rows << BITS | columns[2 + j]) << 1 | tied)
        columns = [column[at] for column in columns]
        columns[2 + j] = it
        kept = held != MISSING
        if kept.any():
            columns[1][kept] = self._keep(columns[1][kept], j, held[kept])
        return self._tell(i, to_self, (entry[at], columns, weights[at] * weight))

    def _tell(self, i: int, messages: Any, batch: Batch) -> Batch:
        """Messages to i."""
        told = messages != MISSING
        if not told.any():
            return batch
        entry, columns, weights = _part(batch, told)
        at, (value,), weight = self._receive.expand(columns[2 + i] << BITS | messages[told])
        columns = [column[at] for column in columns]
        columns[2 + i] = value
        return _joined([_part(batch, ~told), (entry[at], columns, weights[at] * weight)], len(columns))

    def _keep(self, before: Any, j: int, messages: Any) -> Any:
        """Numbers of what is held back, with one more message for j."""
        unique, index = np.unique(before << BITS | messages, return_inverse=True)
        numbers = [self.held.number((*self.held.things[key >> BITS], (j, key & MASK))) for key in unique.tolist()]
        return np.array(numbers, np.int64)[index]

    # ---- who is next

    def following(self, batch: Batch) -> Batch:
        """Who acts next, and the start of that turn; or the end of the round, or of the fight."""
        batch = _merged(batch)
        width = len(batch[1])
        done: list[Batch] = []
        while len(batch[0]):
            over = self.over(batch[1])
            entry, columns, weights = _part(batch, over)
            ends = [self._ended(column) for column in columns[2:]]
            done.append((entry, [np.full(len(entry), OVER), np.zeros(len(entry), np.int64), *ends], weights))
            entry, columns, weights = _part(batch, ~over)
            facts = [self._fact.array[column] for column in columns[2:]]
            _, first, index = np.unique(
                np.stack([columns[0], *facts]), axis=1, return_index=True, return_inverse=True
            )
            plans, release = [], []
            for at in first.tolist():
                known = tuple(self._facts.things[fact[at]] for fact in facts)
                plan, ends_tie = self._successor(self.plans.things[columns[0][at]], known)
                plans.append(self.plans.number(plan))
                release.append(ends_tie)
            columns[0] = np.array(plans, np.int64)[index.ravel()]
            held = np.array(release, bool)[index.ravel()]
            done.append(self._begun(_part((entry, columns, weights), ~held)))
            batch = _part((entry, columns, weights), held)
            if len(batch[0]):
                batch = self._released(batch)
        return _merged(_joined(done, width))

    def _ended(self, seats: Any) -> Any:
        """Seats after the fight: one for all that have met the same fate."""
        t = self.tabular
        for seat in self.tables.seats[self._end.size :]:
            number = self._end.size
            self._end.add([self._fates.setdefault((t.fate(seat), bool(t.able(seat))), number)])
        return self._end.array[seats]

    def _begun(self, batch: Batch) -> Batch:
        actors = self.actors()[batch[1][0]]
        parts = []
        for i in np.unique(actors).tolist():
            part = _part(batch, actors == i)
            parts.append(part if i < 0 else self.solo(BEGINS, i, part))
        return _joined(parts, len(batch[1]))

    def _released(self, batch: Batch) -> Batch:
        """What those who acted at one moment did to each other takes effect, in the order in which it was done."""
        entry, columns, weights = batch
        longest = max(len(self.held.things[number]) for number in np.unique(columns[1]).tolist())
        for k in range(longest):
            things = [(held[k] if k < len(held) else (-1, 0)) for held in self.held.things]
            to, message = (np.array(part, np.int64)[columns[1]] for part in zip(*things, strict=True))
            all_of_them = (entry, columns, weights)
            parts = [_part(all_of_them, to < 0)]
            parts += [self._tell(j, message[to == j], _part(all_of_them, to == j)) for j in np.unique(to[to >= 0]).tolist()]
            entry, columns, weights = _merged(_joined(parts, len(columns)))
        columns[1] = np.zeros(len(entry), np.int64)
        return _merged((entry, columns, weights))

    def _successor(self, plan: Any, facts: tuple[Any, ...]) -> tuple[Any, bool]:
        """The plan after this one; with True, first of all those who were tied take their harm."""
        if self.rerolls:
            _, left = plan
            for at, i in enumerate(left):
                if facts[i][0]:
                    return (i, left[at + 1 :]), False
            return (-1, None), False
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
        self._refresh()
        batch: Batch = (np.arange(len(columns[0])), [column.copy() for column in columns], np.ones(len(columns[0])))
        for i in range(self.n):
            batch = self.solo(OPENS, i, batch)
        over = self.over(batch[1])
        entry, on, weights = _part(batch, ~over)
        starting = on[0] == START
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
        entry, columns, weights = batch
        acting = self._acting.array
        rows = []
        for column in columns[2:]:
            unique, index = np.unique(column, return_inverse=True)
            rows.append(np.array([self._alike_row(op, s) if acting[s] else -1 for s in unique.tolist()], np.int64)[index])
        _, first, index = np.unique(np.stack(rows), axis=1, return_index=True, return_inverse=True)
        index = index.ravel()
        parts = []
        for number, at in enumerate(first.tolist()):
            these = np.flatnonzero(index == number)
            for plan, share in self._order(tuple(int(row[at]) for row in rows)):
                now = [column[these] for column in columns]
                now[0] = np.full(len(these), self.plans.number(plan))
                parts.append((entry[these], now, weights[these] * share))
        return _joined(parts, len(columns))

    def _alike_row(self, op: int, seat: int) -> int:
        """A row of initiative; equal ones have one number."""
        row = self.tables.row_solo(op, seat)
        return self._alike.setdefault(self.tables.rows.row(row), row)

    def _order(self, rows: tuple[int, ...]) -> list[tuple[Any, float]]:
        """Plans with their chances, from the rows of initiative (-1: does not act)."""
        if rows not in self._orders:
            s = self.simulation
            units: dict[int, tuple[Any, list[int]]] = {}
            for i, row in enumerate(rows):
                if row >= 0:
                    units.setdefault(int(s.group[i]), (self.tables.rows.row(row), []))[1].append(i)
            throws = [(dict(zip(*row, strict=True)), members) for row, members in units.values()]
            found: list[tuple[Any, float]]
            if self.rerolls:
                found = [((-1, order), p) for order, p in orders(throws, [int(t) for t in s.tie])]
            else:
                found = [((-1, scores, 0, 0), p) for scores, p in classes(throws, self.n, self.reach)]
            self._orders[rows] = found
        return self._orders[rows]


def _row(tables: Any, row: int) -> tuple[list[tuple[int, ...]], list[float]]:
    values, weights = tables.rows.row(row)
    return [(value,) for value in values], list(weights)


def _pairs(tables: Any, row: int) -> list[tuple[tuple[int, ...], float]]:
    values, weights = _row(tables, row)
    return list(zip(values, weights, strict=True))


def _part(batch: Batch, which: Any) -> Batch:
    entry, columns, weights = batch
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


def _packed(rank: tuple[int, ...]) -> int:
    packed = 0
    for part in rank:
        packed = packed * 4096 + part + 2048
    return packed

