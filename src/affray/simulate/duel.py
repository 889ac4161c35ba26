"""A small fight worked out exactly: all that may happen, turn by turn, with its probability.

For two, and for a few on each side while the states stay few. What is too unlikely is dropped and counted, so the truth lies
within [win, win + lost + left] of each side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from msgspec import Struct

from affray.policies import Policy
from affray.ruleset import Ruleset
from affray.simulate.chain import Chain, Space, Weights
from affray.simulate.columns import Branches
from affray.simulate.magazines import Dry, Magazines
from affray.simulate.mass import MAX_ROUNDS, Simulation
from affray.simulate.plans import OVER, START
from affray.simulate.steps import PLAN, SEAT
from affray.simulate.turns import Moved, Turns

MOST_STATES = 1_500_000
"""States beyond which a fight is not worked out."""
PRUNE = 5e-7
"""Probability that may be dropped in all."""


class Far(Struct, frozen=True):
    """How far the work is: the round and the turn in it that are looked at, the chance that the fight is not decided before
    that, and the different situations that were met so far."""

    round: int
    turn: int
    left: float
    states: int


class Duel(Struct, frozen=True):
    """An exact fight. `win`: chance of each of the `sides`; `both_out`: nobody is left.

    `undecided`: still going when it was left, at the round `limit` or before (`left`: before it, so that the rest is not
    known). `lost`: dropped on the way. `rounds[r]`: chance to end in round r + 1. `fates`: the fate of each of `ids` (see
    `Tabular.fate`), the likeliest first. `states`, `rows`: how much was looked at; `widest`: states at one moment.
    """

    ids: tuple[str, ...]
    sides: tuple[str, ...]
    win: tuple[float, ...]
    both_out: float
    undecided: float
    left: float
    lost: float
    rounds: tuple[float, ...]
    fates: tuple[tuple[tuple[str, ...], float], ...]
    limit: int
    widest: int
    states: int
    rows: int

    @property
    def error(self) -> float:
        """No chance is too low by more than this, and none is too high."""
        return self.lost + self.left


def duel(
    ruleset: Ruleset,
    state: Any,
    policies: Mapping[str, Policy],
    prune: float = PRUNE,
    undecided: float = 1e-7,
    max_rounds: int = MAX_ROUNDS,
    progress: Callable[[Far], None] | None = None,
    most: int = MOST_STATES,
    until: float | None = None,
    like: Simulation | None = None,
) -> Duel:
    """Work out a fight. `prune`: probability that may be dropped in all. Stops when less than `undecided` is left, or at the
    round limit.

    `progress` is told now and then how far it is. `until`: a time of `perf_counter` after which Late is raised. `like`: a
    simulation whose tables serve. Raises ValueError with the reason where tables cannot hold the fight, or where it has
    more than `most` states.
    """
    reach = 0
    try:
        simulation = Simulation(ruleset, state, policies, max_rounds, like)
        while True:
            try:
                return Working(Turns(simulation, reach, until), undecided, progress, most).done(prune)
            except Moved as more:
                reach = more.args[0]
    except OverflowError as reason:
        raise ValueError(f"it can go in too many ways: {reason}") from None


class Working:
    """A fight being worked out, round by round."""

    def __init__(self, turns: Turns, undecided: float, progress: Callable[[Far], None] | None, most: int) -> None:
        self.turns, self.undecided, self.progress = turns, undecided, progress
        self.space = Space(SEAT + turns.n, most)
        self.chain = Chain(self.space, tell=self._tell)
        self._far = (1, 0, 1.0)

    def _tell(self) -> None:
        if self.progress:
            self.progress(Far(*self._far, len(self.space)))

    def done(self, prune: float) -> Duel:
        """All of it. Ammunition is counted only where it may run out before the fight is decided."""
        try:
            return self._rounds(prune, False)
        except Dry:
            return self._rounds(prune, True)

    def _rounds(self, prune: float, counted: bool) -> Duel:
        simulation, space, chain = self.turns.simulation, self.space, self.chain
        chain.starts(prune)
        magazines = Magazines(self.turns, space, counted)
        x = self._begin(magazines)
        over, _ = self._sorted_out(x)
        finished, x = _added(np.zeros(0), x.part(over)), x.part(~over)
        going_on = simulation.midway is not None
        rounds: list[float] = []
        while len(rounds) < simulation.max_rounds and x.total > self.undecided:
            if not magazines.lasts(len(rounds)):
                if x.total > prune:
                    raise Dry
                break
            before = float(finished.sum())
            self._far = (len(rounds) + 1, 0, x.total)
            x, finished = self._round(x, finished, magazines, going_on)
            going_on = False
            rounds.append(float(finished.sum()) - before)
        return _result(self.turns, space, chain, finished, x.total, rounds)

    def _round(self, x: Weights, finished: Any, magazines: Magazines, going_on: bool) -> tuple[Weights, Any]:
        """What is left after a round, and what is finished."""
        turns = self.turns
        ended = []
        name, move = ("turn", turns.turn) if going_on else ("open", turns.opening)
        for k in range(turns.n + 1):
            turns.steps.in_time()
            self._far = (self._far[0], k + going_on, self._far[2])
            self._tell()
            x = magazines.settled(self.chain.step((name, k), magazines.shown(x), move))
            over, waits = self._sorted_out(x)
            finished = _added(finished, x.part(over))
            ended.append(x.part(waits))
            x = x.part(~over & ~waits)
            if not len(x.row):
                break
            name, move = "turn", turns.turn
        return Weights(*(np.concatenate(parts) for parts in zip(*ended, strict=True))).summed(), finished

    def _begin(self, magazines: Magazines) -> Weights:
        """All the weight on the beginning: before a round, or before the next turn of a round that is under way."""
        turns = self.turns
        midway = turns.simulation.midway is not None
        start = turns.plans.resumed() if midway else START
        columns = [np.array([number]) for number in (start, 0, 0, *magazines.first())]
        weights = np.ones(1)
        if turns.over(columns).all():
            columns[PLAN] = np.array([OVER])
        elif midway:
            _, columns, weights = turns.following(Branches(np.zeros(1, np.int64), columns, weights))
        numbers = self.space.numbers(columns)
        return Weights(np.zeros(len(numbers), np.int64), numbers, weights).summed()

    def _sorted_out(self, x: Weights) -> tuple[Any, Any]:
        """Where the fight is over, and where the round is."""
        plans = self.space.columns[PLAN].array[x.state]
        over = plans == OVER
        return over, ~over & (self.turns.plans.actors()[plans] < 0)


def _added(total: Any, x: Weights) -> Any:
    """The total by state, whatever has been shot."""
    if not len(x.row):
        return total
    new = np.bincount(x.state, x.weight, len(total))
    new[: len(total)] += total
    return new


def _result(turns: Turns, space: Space, chain: Chain, finished: Any, left: float, rounds: list[float]) -> Duel:
    simulation = turns.simulation
    t, seats = turns.tabular, turns.tables.seats
    win, nobody = [0.0] * len(simulation.sides), 0.0
    fates: dict[tuple[str, ...], float] = {}
    numbers = np.flatnonzero(finished)
    columns = space.of(numbers)[SEAT:]
    for weight, *row in zip(finished[numbers].tolist(), *(column.tolist() for column in columns), strict=True):
        end = [seats[seat] for seat in row]
        key = tuple(t.fate(seat) for seat in end)
        fates[key] = fates.get(key, 0.0) + weight
        able = [i for i, seat in enumerate(end) if t.able(seat)]
        if able:
            win[int(simulation.side[able[0]])] += weight
        else:
            nobody += weight
    limit = simulation.max_rounds
    return Duel(
        tuple(simulation.ids),
        tuple(simulation.sides),
        tuple(win),
        nobody,
        left,
        left if len(rounds) < limit else 0.0,
        chain.lost,
        tuple(rounds),
        tuple(sorted(fates.items(), key=lambda pair: -pair[1])),
        limit,
        chain.widest,
        len(space),
        len(turns.tables.rows),
    )
