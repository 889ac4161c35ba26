"""A small fight worked out exactly: all that may happen, turn by turn, with its probability.

For two, and for a few on each side while the states stay few. What is too unlikely is dropped and counted, so the truth lies
within [win, win + lost + left] of each side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import perf_counter
from typing import Any

import numpy as np
from msgspec import Struct

from affray.policies import Policy
from affray.ruleset import Ruleset
from affray.simulate.chain import Chain, Space
from affray.simulate.mass import MAX_ROUNDS, Simulation
from affray.simulate.playout import Late
from affray.simulate.turns import OVER, START, Dry, Moved, Turns

MOST_STATES = 400_000
"""States beyond which a fight is not worked out."""
NO_MATTER = 1e-5
"""With less than this left when ammunition may begin to run out, the rest is left open."""
PRUNE = 5e-7
"""Probability that may be dropped in all."""


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
    progress: Callable[[int, float], None] | None = None,
    most: int = MOST_STATES,
    until: float | None = None,
    like: Simulation | None = None,
) -> Duel:
    """Work out a fight. `prune`: probability that may be dropped in all. Stops when less than `undecided` is left, or at the
    round limit.

    `progress(round, left)` is told after each round. `until`: a time of `perf_counter` after which Late is raised. `like`: a
    simulation whose tables serve. Raises ValueError with the reason where tables cannot hold the fight, or where it has
    more than `most` states.
    """
    simulation = Simulation(ruleset, state, policies, max_rounds, like)
    reach, counted = 0, False
    while True:
        try:
            turns = Turns(simulation, reach, counted, until)
            return _worked_out(turns, prune, undecided, progress, most, until)
        except Moved as more:
            reach = more.args[0]
        except Dry:
            counted = True
        except OverflowError as reason:
            raise ValueError(f"it has too many states ({reason})") from None


def _worked_out(
    turns: Turns,
    prune: float,
    undecided: float,
    progress: Callable[[int, float], None] | None,
    most: int,
    until: float | None,
) -> Duel:
    n, simulation = turns.n, turns.simulation
    space = Space(n + 2, most)
    chain = Chain(space, prune)
    x = _begin(turns, space)
    finished = np.zeros(len(space))
    over, _ = _sorted_out(turns, space, x)
    finished[over], x[over] = x[over], 0.0
    going_on = simulation.midway is not None
    rounds: list[float] = []
    while len(rounds) < simulation.max_rounds and float(x.sum()) > undecided:
        before = float(finished.sum())
        ended = np.zeros(len(space))
        name, spread = ("turn", turns.turn) if going_on else ("open", turns.opening)
        going_on = False
        for k in range(n + 1):
            if until is not None and perf_counter() > until:
                raise Late
            x = chain.step((name, k), x, spread)
            over, waits = _sorted_out(turns, space, x)
            finished = _added(finished, x, over)
            ended = _added(ended, x, waits)
            x[over], x[waits] = 0.0, 0.0
            if not x.any():
                break
            name, spread = "turn", turns.turn
        x = ended
        rounds.append(float(finished.sum()) - before)
        if not turns.lasts(len(rounds) + 1) and len(rounds) < simulation.max_rounds:
            if float(x.sum()) > NO_MATTER:
                raise Dry
            break
        if progress:
            progress(len(rounds), float(x.sum()))
    return _result(turns, space, chain, finished, float(x.sum()), rounds)


def _begin(turns: Turns, space: Space) -> Any:
    """All the weight on the beginning: before a round, or before the next turn of a round that is under way."""
    seats = [int(seat) for seat in turns.simulation.first_seat]
    midway = turns.simulation.midway is not None
    start = turns.plans.number(turns.resumed()) if midway else START
    columns = [np.array([number]) for number in (start, 0, *seats)]
    weights = np.ones(1)
    if turns.over(columns).all():
        columns[0] = np.array([OVER])
    elif midway:
        _, columns, weights = turns.following((np.zeros(1, np.int64), columns, weights))
    numbers = space.numbers(columns)
    x = np.zeros(len(space))
    np.add.at(x, numbers, weights)
    return x


def _sorted_out(turns: Turns, space: Space, x: Any) -> tuple[Any, Any]:
    """Numbers of the states where the fight is over, and where the round is."""
    there = np.flatnonzero(x)
    plans = space.columns[0].array[there]
    over = plans == OVER
    return there[over], there[~over & (turns.actors()[plans] < 0)]


def _added(total: Any, x: Any, which: Any) -> Any:
    if len(total) < len(x):
        total = np.concatenate([total, np.zeros(len(x) - len(total))])
    total[which] += x[which]
    return total


def _result(turns: Turns, space: Space, chain: Chain, finished: Any, left: float, rounds: list[float]) -> Duel:
    simulation = turns.simulation
    t, seats = turns.tabular, turns.tables.seats
    win, nobody = [0.0] * len(simulation.sides), 0.0
    fates: dict[tuple[str, ...], float] = {}
    numbers = np.flatnonzero(finished)
    columns = space.of(numbers)[2:]
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
        len(turns.tables.rows.start) - 1,
    )
