"""A duel worked out exactly: the whole population of outcomes is pushed through the tables, round by round.

The population is sparse: pairs of seats with their weights. Equal pairs are merged after every step. What falls below
`prune` is dropped and counted, so the truth lies within [win, win + lost + undecided] of each side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from msgspec import Struct

from affray.policies import Policy
from affray.ruleset import Ruleset
from affray.simulate.mass import MAX_ROUNDS, Simulation
from affray.simulate.tables import ACTS, BEGINS, BITS, ENDS, FIRST, INITIATIVE, MISSING, OPENS
from affray.tabular import Outlook

MASK = (1 << BITS) - 1


class Duel(Struct, frozen=True):
    """An exact duel. `win`: chance of each of the two; `both_out`; `undecided` after `limit` rounds; `lost`: pruned weight.

    `rounds[r]`: chance to end in round r + 1. `fates`: chance of each pair of fates (see `Tabular.fate`). `widest`: pairs
    of seats in the widest population, `rows`: rows of the tables.
    """

    ids: tuple[str, str]
    win: tuple[float, float]
    both_out: float
    undecided: float
    lost: float
    rounds: tuple[float, ...]
    fates: tuple[tuple[str, str, float], ...]
    limit: int
    widest: int
    rows: int


Population = tuple[Any, Any]
"""Codes of pairs (first seat << BITS | second seat), each once, and their weights."""


class _Spread:
    """The moving parts: a population, the tables, and what has been set aside."""

    def __init__(self, simulation: Simulation, prune: float) -> None:
        self.simulation, self.tables, self.prune = simulation, simulation.tables, prune
        self.lost = 0.0
        self.finished: dict[int, float] = {}
        self.widest = 0
        self._known = -1
        self._able: dict[int, bool] = {}
        self._acting: dict[int, bool] = {}
        self._first: dict[tuple[int, int], float] = {}

    # ---- rows as arrays

    def _refresh(self) -> None:
        rows = self.tables.rows
        if len(rows.start) != self._known:
            self._known = len(rows.start)
            self._start = np.array(rows.start, np.int64)
            self._value = np.array(rows.value or [0], np.int64)
            cumulative = np.array(rows.cumulative or [1.0])
            ends = self._start[1:] - 1
            cumulative[ends] = 1.0
            weight = np.diff(cumulative, prepend=0.0)
            weight[self._start[:-1]] = cumulative[self._start[:-1]]
            self._weight = weight

    def merge(self, codes: Any, weights: Any) -> Population:
        """Equal codes as one; what is too light is dropped and counted."""
        if not len(codes):
            return codes, weights
        unique, index = np.unique(codes, return_inverse=True)
        summed = np.bincount(index, weights=weights, minlength=len(unique))
        heavy = summed >= self.prune
        self.lost += float(summed[~heavy].sum())
        self.widest = max(self.widest, int(heavy.sum()))
        return unique[heavy], summed[heavy]

    def _expand(self, rows: Any) -> tuple[Any, Any, Any]:
        """For rows by entry: index of the entry, value and weight of each of its outcomes."""
        self._refresh()
        counts = self._start[rows + 1] - self._start[rows]
        entry = np.repeat(np.arange(len(rows)), counts)
        offset = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        at = np.repeat(self._start[rows], counts) + offset
        return entry, self._value[at], self._weight[at]

    def solo(self, op: int, population: Population, second: bool) -> Population:
        """A solo operation on the first or second seat of each pair."""
        codes, weights = population
        seats = codes & MASK if second else codes >> BITS
        unique, index = np.unique(seats, return_inverse=True)
        rows = np.array([self.tables.row_solo(op, int(seat)) for seat in unique], np.int64)[index]
        entry, value, weight = self._expand(rows)
        other = codes[entry] >> BITS << BITS if second else codes[entry] & MASK
        return self.merge(other | (value if second else value << BITS), weights[entry] * weight)

    # ---- flags of seats

    def _flag(self, seats: Any, known: dict[int, bool], ask: Callable[[Any], bool]) -> Any:
        unique, index = np.unique(seats, return_inverse=True)
        for seat in unique:
            if int(seat) not in known:
                known[int(seat)] = ask(self.tables.seats[int(seat)])
        return np.array([known[int(seat)] for seat in unique], bool)[index]

    def acting(self, seats: Any) -> Any:
        return self._flag(seats, self._acting, self.simulation.tabular.acting)

    def set_aside(self, population: Population) -> Population:
        """Move the pairs in which somebody can no longer fight to `finished`."""
        codes, weights = population
        if not len(codes):
            return population
        able = self.simulation.tabular.able
        going = self._flag(codes >> BITS, self._able, able) & self._flag(codes & MASK, self._able, able)
        for code, weight in zip(codes[~going], weights[~going], strict=True):
            self.finished[int(code)] = self.finished.get(int(code), 0.0) + float(weight)
        return codes[going], weights[going]

    # ---- a turn

    def turn(self, population: Population, second: bool) -> Population:
        """A whole turn of the first or the second seat."""
        codes, weights = population
        if not len(codes):
            return population
        able_to = self.acting(codes & MASK if second else codes >> BITS)
        idle = (codes[~able_to], weights[~able_to])
        moving = self.solo(BEGINS, (codes[able_to], weights[able_to]), second) if able_to.any() else (codes[:0], weights[:0])
        me, foe = (1, 0) if second else (0, 1)
        outlook = Outlook(False, bool(self.simulation.near[me, foe])).code
        ended: list[Population] = []
        for _ in range(40):
            moving = self.set_aside(moving)
            codes, weights = moving
            if not len(codes):
                break
            seats = codes & MASK if second else codes >> BITS
            unique, index = np.unique(seats, return_inverse=True)
            acting = self.acting(unique)
            actions = np.array(
                [self.tables.next_action(int(s), outlook) if a else 0 for s, a in zip(unique, acting, strict=True)], np.int64
            )[index]
            nexts: list[Population] = []
            for action in np.unique(actions):
                part = actions == action
                these = (codes[part], weights[part])
                if action == 0:
                    ended.append(these)
                else:
                    nexts.append(self.act(int(action), these, second))
            moving = self._joined(nexts)
        ended.append(moving)
        population = self._joined(ended)
        if len(population[0]):
            population = self.set_aside(self.solo(ENDS, population, second))
        return self._joined([population, idle])

    def _joined(self, parts: list[Population]) -> Population:
        if not parts:
            return np.zeros(0, np.int64), np.zeros(0)
        return self.merge(np.concatenate([c for c, _ in parts]), np.concatenate([w for _, w in parts]))

    def act(self, action: int, population: Population, second: bool) -> Population:
        """One action: the doer's part, and, when it is aimed at the other, the attack."""
        population = self.solo(ACTS + 2 * action, population, second)
        if not self.simulation.tabular.attacks(self.tables.actions[action]):
            return population
        codes, weights = population
        me, foe = (1, 0) if second else (0, 1)
        ground = int(self.simulation.ground[me, foe])
        rows = np.array([self._bout(int(code), action, ground, second) for code in codes], np.int64)
        entry, pair, weight = self._expand(rows)
        weights = weights[entry] * weight
        targets = np.array([p[0] for p in self.tables.pairs], np.int64)[pair]
        selves = np.array([p[1] for p in self.tables.pairs], np.int64)[pair]
        packed = (codes[entry], targets, selves, weights)
        after = self._after(action, packed, second)
        after = self._tell(after, 1, not second)
        codes, _, _, weights = self._tell(after, 2, second)
        return self.merge(codes, weights)

    def _bout(self, code: int, action: int, ground: int, second: bool) -> int:
        a, b = code >> BITS, code & MASK
        return self.tables.row_bout(b, action, ground, a) if second else self.tables.row_bout(a, action, ground, b)

    def _after(self, action: int, packed: tuple[Any, ...], second: bool) -> tuple[Any, ...]:
        codes, targets, selves, weights = packed
        seats = codes & MASK if second else codes >> BITS
        unique, index = np.unique(seats, return_inverse=True)
        rows = np.array([self.tables.row_solo(ACTS + 2 * action + 1, int(s)) for s in unique], np.int64)[index]
        entry, value, weight = self._expand(rows)
        other = codes[entry] >> BITS << BITS if second else codes[entry] & MASK
        return other | (value if second else value << BITS), targets[entry], selves[entry], weights[entry] * weight

    def _tell(self, packed: tuple[Any, ...], which: int, second: bool) -> tuple[Any, ...]:
        """Deliver messages (column `which` of the pack) to the first or second seat."""
        codes, weights = packed[0], packed[3]
        messages = packed[which]
        told = messages != MISSING
        if not told.any():
            return packed
        seats = codes[told] & MASK if second else codes[told] >> BITS
        unique, index = np.unique(seats << BITS | messages[told], return_inverse=True)
        rows = np.array([self.tables.row_receive(int(key) >> BITS, int(key) & MASK) for key in unique], np.int64)[index]
        entry, value, weight = self._expand(rows)
        mine = codes[told][entry]
        other = mine >> BITS << BITS if second else mine & MASK
        changed = (
            other | (value if second else value << BITS),
            packed[1][told][entry],
            packed[2][told][entry],
            weights[told][entry] * weight,
        )
        return tuple(np.concatenate([old[~told], new]) for old, new in zip(packed, changed, strict=True))

    # ---- who goes first

    def first(self, op: int, a: int, b: int) -> float:
        """Chance that the first seat goes before the second."""
        rows = (self.tables.row_solo(op, a), self.tables.row_solo(op, b))
        if rows not in self._first:
            mine, theirs = (dict(zip(*self.tables.rows.row(row), strict=True)) for row in rows)
            ahead = self.simulation.tie[0] >= self.simulation.tie[1]
            self._first[rows] = sum(p * q for x, p in mine.items() for y, q in theirs.items() if x > y or (x == y and ahead))
        return self._first[rows]


def duel(
    ruleset: Ruleset,
    state: Any,
    policies: Mapping[str, Policy],
    prune: float = 1e-11,
    undecided: float = 1e-7,
    max_rounds: int = MAX_ROUNDS,
    progress: Callable[[int, float], None] | None = None,
) -> Duel:
    """Work out a duel of two. Stops when less than `undecided` is left, or at the round limit.

    `progress(round, left)` is told after each round. Raises ValueError with the reason where tables cannot hold the duel.
    """
    if len(state.fighters) != 2:
        raise ValueError("a duel is between two")
    simulation = Simulation(ruleset, state, policies, max_rounds)
    if not simulation.tabular.rerolls:
        raise ValueError("initiative that stays is not worked out exactly yet")
    spread = _Spread(simulation, prune)
    code = int(simulation.first_seat[0]) << BITS | int(simulation.first_seat[1])
    population: Population = (np.array([code], np.int64), np.array([1.0]))
    rounds: list[float] = []
    while len(rounds) < max_rounds and float(population[1].sum()) > undecided:
        before = sum(spread.finished.values())
        population = spread.solo(OPENS, population, False)
        population = spread.set_aside(spread.solo(OPENS, population, True))
        codes, weights = population
        op = INITIATIVE if rounds else FIRST
        chance = np.array([spread.first(op, int(c) >> BITS, int(c) & MASK) for c in codes])
        halves = []
        for share, order in ((chance, (False, True)), (1.0 - chance, (True, False))):
            half = spread.merge(codes, weights * share)
            for second in order:
                half = spread.turn(half, second)
            halves.append(half)
        population = spread._joined(halves)
        rounds.append(sum(spread.finished.values()) - before)
        if progress:
            progress(len(rounds), float(population[1].sum()))
    return _result(simulation, spread, population, rounds, max_rounds)


def _result(simulation: Simulation, spread: _Spread, population: Population, rounds: list[float], limit: int) -> Duel:
    win, both = [0.0, 0.0], 0.0
    fates: dict[tuple[str, str], float] = {}
    t, seats = simulation.tabular, simulation.tables.seats
    for code, weight in spread.finished.items():
        a, b = seats[code >> BITS], seats[code & MASK]
        key = (t.fate(a), t.fate(b))
        fates[key] = fates.get(key, 0.0) + weight
        if t.able(a) or t.able(b):
            win[0 if t.able(a) else 1] += weight
        else:
            both += weight
    listed = tuple((a, b, w) for (a, b), w in sorted(fates.items(), key=lambda pair: -pair[1]))
    ids = (simulation.ids[0], simulation.ids[1])
    left = float(population[1].sum())
    rows = len(simulation.tables.rows.start) - 1
    return Duel(ids, (win[0], win[1]), both, left, spread.lost, tuple(rounds), listed, limit, spread.widest, rows)
