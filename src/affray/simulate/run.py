"""Many fights of one encounter, by number: in tables where they can hold it, else whole fights on all cores.

A fight is known by its seed and its number; whatever the batches, processes or other fights around it, it is the same
fight. Simulations, advice and forecasts all take their fights from here.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from affray.errors import AffrayError
from affray.ruleset import Ruleset
from affray.simulate.live import Fought, one
from affray.simulate.playout import SPACING
from affray.simulate.report import FATES
from affray.simulate.tally import NOBODY, UNDECIDED, Batch, Roster
from affray.simulate.workers import Workers

MAX_ROUNDS = 200
"""Rounds after which a fight counts as undecided."""
FIRST_BATCH, LAST_BATCH = 1000, 50_000
LIVE_CHUNK = 4


class Fights:
    """The fights of one encounter, from any state of it.

    `policies`: name of the policy by side or combatant (and 'master'). `how`: 'tables', or 'live: ' and why. `live` asks for
    whole fights even where tables would do. `workers`: processes for them, shared by whoever has many encounters.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        state: Any,
        policies: Mapping[str, str],
        max_rounds: int = MAX_ROUNDS,
        live: bool = False,
        workers: Workers | None = None,
    ) -> None:
        self.ruleset, self.state, self.policies, self.max_rounds = ruleset, state, dict(policies), max_rounds
        self.roster = Roster.of(ruleset, state)
        self.workers = workers or Workers()
        self.cpu_seconds = 0.0
        """Of this process and the workers, for the fights taken so far."""
        self._simulation: Any = None
        if live:
            self.how = "live: asked for"
            return
        began = time.process_time()
        try:
            from affray.simulate.mass import Simulation

            players = {key: ruleset.policies[name] for key, name in self.policies.items()}
            self._simulation = Simulation(ruleset, state, players, max_rounds)
            self.how = "tables"
        except (ValueError, OverflowError, ImportError) as reason:
            self.how = f"live: {reason}"
        self.cpu_seconds += time.process_time() - began

    @property
    def endless(self) -> bool:
        """Nothing that anybody did could have harmed anybody, whatever the dice had shown: known of fights in tables only."""
        return self._simulation is not None and self._simulation.endless

    def run(self, seed: int, count: int, first: int = 0, batch: int = LAST_BATCH) -> Iterator[Batch]:
        """Fights number first .. first + count - 1, some at a time (at most `batch`), in order."""
        source = self._live(seed, count, first, batch) if self._simulation is None else self._tables(seed, count, first, batch)
        while True:
            began = time.process_time()
            try:
                found = next(source, None)
            finally:
                self.cpu_seconds += time.process_time() - began
            if found is None:
                return
            yield found

    def _tables(self, seed: int, count: int, first: int, batch: int) -> Iterator[Batch]:
        simulation, done, size = self._simulation, 0, min(FIRST_BATCH, batch)
        while done < count:
            try:
                raw = simulation.run(min(size, count - done), seed, first=first + done, threads=self.workers.count)
            except OverflowError as reason:
                raise AffrayError(f"{reason}; --live plays whole fights") from None
            numbers = np.unique(raw.final)
            fate = np.zeros(int(numbers[-1]) + 1, np.int8)
            left = np.zeros((len(fate), len(self.roster.means)), np.int32)
            for number in numbers.tolist():
                seat = simulation.tables.seats[number]
                fate[number] = FATES.index(simulation.tabular.fate(seat))
                left[number] = self._left(self.ruleset.stock(seat.me))
            rest = left[raw.final]
            used = np.maximum(0, np.array(self.roster.stock, np.int32).reshape(rest.shape[1:]) - rest)
            if "rounds" in self.roster.means:
                used[:, :, self.roster.means.index("rounds")] = raw.shots
            yield Batch(raw.winner, raw.rounds, fate[raw.final], raw.downed_by, rest, used, raw.harm)
            done += len(raw.winner)
            size = min(size * 2, batch)

    def _left(self, stock: tuple[tuple[str, int], ...]) -> tuple[int, ...]:
        known = dict(stock)
        return tuple(known.get(name, 0) for name in self.roster.means)

    def _live(self, seed: int, count: int, first: int, batch: int) -> Iterator[Batch]:
        begin = seed * SPACING + first
        size = min(LIVE_CHUNK, batch)
        jobs = (
            (self.ruleset.name, self.state, self.policies, range(begin + i, begin + min(i + size, count)), self.max_rounds)
            for i in range(0, count, size)
        )
        for fought, seconds in self.workers.map(_several, jobs):
            self.cpu_seconds += seconds
            yield self._batch(fought)

    def _batch(self, fought: list[Fought]) -> Batch:
        side = {name: place for place, name in enumerate(self.roster.sides)} | {"": NOBODY, "?": UNDECIDED}
        place = {who: at for at, who in enumerate(self.roster.ids)}
        n, width = len(fought), len(place)
        downed_by = np.full((n, width), -1, np.int64)
        for row, one_fight in enumerate(fought):
            for who, by in one_fight.downed:
                if who in place and by in place:
                    downed_by[row, place[who]] = place[by]
        return Batch(
            np.array([side[f.winner] for f in fought], np.int64),
            np.array([f.rounds for f in fought], np.int64),
            np.array([[FATES.index(fate) for fate in f.fates] for f in fought], np.int8).reshape(n, width),
            downed_by,
            np.array([[self._left(one) for one in f.left] for f in fought], np.int32).reshape(n, width, len(self.roster.means)),
            np.array([[self._left(one) for one in f.used] for f in fought], np.int32).reshape(n, width, len(self.roster.means)),
            np.array([f.harm for f in fought], np.int32).reshape(n, width),
        )


def _several(job: tuple[Any, ...]) -> list[Fought]:
    ruleset, start, policies, seeds, max_rounds = job
    return [one(ruleset, start, policies, seed, max_rounds) for seed in seeds]
