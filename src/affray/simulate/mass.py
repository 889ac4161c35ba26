"""Mass simulation on tables: fights in batches, missing rows built between passes, the same result whatever the batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from msgspec import Struct

from affray.policies import Policy
from affray.policies.ahead import Late, no_clock
from affray.ruleset import Ruleset
from affray.simulate import kernel, layout
from affray.simulate.kernel_tables import KernelTables
from affray.simulate.tables import Tables

MAX_ROUNDS = 200
"""Rounds after which a fight counts as undecided."""
COMPILE_FROM = 300
"""Fights from which compiled code pays."""
THREADS_FROM = 4096
"""Fights in a batch from which several threads pay."""
FIRST_BATCH, LARGEST_BATCH = 64, 1 << 16


class Raw(Struct, frozen=True):
    """Fights by number: winner (index of the side; -1 undecided, -2 nobody), rounds; of each the final seat, who put it out,
    the harm that it did, the rounds that it shot."""

    winner: Any
    rounds: Any
    final: Any
    downed_by: Any
    harm: Any
    shots: Any


class Simulation:
    """The tables of one fight and its arrays; may be asked for more fights again and again.

    Raises ValueError with the reason where the fight needs more than tables.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        state: Any,
        policies: Mapping[str, Policy],
        max_rounds: int = MAX_ROUNDS,
        like: Simulation | None = None,
    ) -> None:
        """`like`: a simulation of the same fight at another moment, whose tables serve here too."""
        if ruleset.tabular is None:
            raise ValueError("this ruleset has no tables")
        tabular = ruleset.tabular(state)
        if reason := tabular.refused(state, policies):
            raise ValueError(reason)
        self.ruleset, self.state, self.tabular, self.max_rounds = ruleset, state, tabular, max_rounds
        self.midway = tabular.midway(state)
        """Scores of initiative and who has had a turn, where a round is under way."""
        by_name = {policy.name: policy for policy in policies.values()}
        self.tables: Tables = like.tables if like else Tables(tabular, state, by_name)
        fighters = state.fighters
        self.ids = [f.id for f in fighters]
        self.sides = list(dict.fromkeys(f.side for f in fighters))
        names = [(policies.get(f.id) or policies[f.side]).name for f in fighters]
        self.policy_names = list(dict.fromkeys(names))
        self.kernel_tables: KernelTables = like.kernel_tables if like else KernelTables(self.tables, self.policy_names, ruleset)
        n = len(fighters)
        self.side = _numbers([self.sides.index(f.side) for f in fighters])
        seats = [tabular.seat(state, f.id, name) for f, name in zip(fighters, names, strict=True)]
        self.first_seat = _numbers([self.tables.seat(seat) for seat in seats])
        groups = [tabular.group(state, f.id) or f"#{i}" for i, f in enumerate(fighters)]
        known = list(dict.fromkeys(groups))
        self.group = _numbers([known.index(group) for group in groups])
        ties = [tabular.tie(state, f.id) for f in fighters]
        ranked = sorted(set(ties))
        self.tie = _numbers([ranked.index(tie) for tie in ties])
        self.policy = _numbers([self.policy_names.index(name) for name in names])
        self.ground = np.zeros((n, n), np.int64)
        self.near = np.zeros((n, n), np.int64)
        self._foes: list[list[int]] = []
        """Enemies of each in the order in which it prefers them among targets of one rank."""
        for i, a in enumerate(self.ids):
            order = [self.ids.index(b) for b in tabular.preference(state, a)]
            self._foes.append([j for j in order if self.side[i] != self.side[j]])
            for j in self._foes[i]:
                self.ground[i, j] = self.tables.ground(tabular.between(state, a, self.ids[j]))
                self.near[i, j] = tabular.near(state, a, self.ids[j])
        self._cast = self._room()
        self.passes = 0

    def _room(self) -> Any:
        """The room in which the kernel works, with people as it finds them when a fight begins, and the enemies of each."""
        n = len(self.ids)
        places = [layout.PEOPLE + layout.PERSON * i for i in range(n)]
        ends = layout.PEOPLE + n * layout.PERSON
        queue = ends + 1 + len(self.sides)
        held = queue + n + layout.FOE * sum(map(len, self._foes))
        room = np.zeros(held + 3 * layout.MAX_HELD, np.int64)
        room[[layout.ENDS, layout.SIDES, layout.QUEUE, layout.HELD]] = ends, len(self.sides), queue, held
        people = room[layout.PEOPLE : ends].reshape(n, layout.PERSON)
        words = self.kernel_tables.words
        people[:, layout.NODE] = [self.kernel_tables.node(seat) for seat in self.first_seat.tolist()]
        people[:, layout.NOW] = words.data[people[:, layout.NODE] + layout.SEEN]
        people[:, layout.TIED] = -1 - np.arange(n)
        people[:, layout.LOOK] = layout.TURN
        people[:, layout.DOWNED] = -1
        people[:, layout.BASE] = (self.tie << layout.TIE) + layout.ROSTER - places
        people[:, layout.SIDE] = ends + 1 + self.side
        people[:, layout.POLICY] = layout.RANK + self.policy
        if self.midway:
            people[:, layout.SCORE], people[:, layout.DONE] = self.midway
        at = queue + n
        for i, enemies in enumerate(self._foes):
            people[i, layout.GROUP] = places[self.group.tolist().index(self.group[i])]
            people[i, layout.FOES] = at
            for j in enemies:
                room[at : at + layout.FOE] = places[j], self.ground[i, j] << layout.GROUNDS, self.near[j, i]
                at += layout.FOE
            people[i, layout.LAST] = at
        for place, seen in zip(places, people[:, layout.NOW], strict=True):
            if seen & layout.ABLE:
                kernel.count(place, 1, room)
        return room

    # ---- fighting

    @property
    def endless(self) -> bool:
        """Whether nothing that anybody has done so far could harm anybody: after many rounds, that no fight can ever end.

        Of every step that was taken all outcomes are counted, also those that did not come up.
        """
        able, health, seats = self.tabular.able, self.ruleset.health, self.tables.seats
        first = [seats[number] for number in self.first_seat.tolist()]
        least = {seat.me.sheet: min(health(one.me) for one in first if one.me.sheet == seat.me.sheet) for seat in first}
        return self.passes > 0 and all(able(seat) and health(seat.me) >= least[seat.me.sheet] for seat in seats)

    def run(
        self,
        fights: int,
        seed: int = 0,
        first: int = 0,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
        compiled: bool | None = None,
        late: Callable[[], bool] | None = None,
    ) -> Raw:
        """Fights number first .. first + fights - 1. `progress` is told how many are finished now and then.

        `late()` is asked between passes and before each row; when it says so, Late is raised, and only rows remain.
        """
        fight: Any = kernel.fights
        if compiled if compiled is not None else fights >= COMPILE_FROM:
            from affray.simulate.compiled import fights as made

            fight = made()
        use = fight is not kernel.fights
        n = len(self.ids)
        out = Raw(
            np.full(fights, layout.UNDECIDED, np.int8),
            np.zeros(fights, np.int32),
            np.zeros((fights, n), np.int32),
            np.full((fights, n), -1, np.int16),
            np.zeros((fights, n), np.int32),
            np.zeros((fights, n), np.int32),
        )
        done, size = 0, FIRST_BATCH
        self.tables.late = late or no_clock
        while done < fights:
            batch = np.arange(done, min(fights, done + size), dtype=np.int64)
            while len(batch):
                if late is not None and late():
                    raise Late
                batch = self._pass(fight, use, batch, seed, first, out, threads if len(batch) >= THREADS_FROM else 1)
            done = min(fights, done + size)
            size = min(size * 4, LARGEST_BATCH)
            if progress:
                progress(done)
        return out

    def _pass(self, fight: Any, compiled: bool, batch: Any, seed: int, first: int, out: Raw, threads: int) -> Any:
        """One pass over a batch; returns those that missed a row, after building what they missed."""
        self.passes += 1
        m, n = len(batch), len(self.ids)
        todo = batch + first
        winner, rounds = np.empty(m, np.int64), np.zeros(m, np.int64)
        final, deeds = np.zeros(m * n, np.int64), np.empty(3 * m * n, np.int64)
        misses = np.zeros(4 * m, np.int64)
        p = self.kernel_tables
        given: tuple[Any, ...] = (self._cast, p.words.data, p.keys.data)
        results: tuple[Any, ...] = (todo, winner, rounds, final, deeds, misses)
        if not compiled:  # whole numbers of Python, not of numpy
            given, results = _plain(given), _plain(results)
        flags = (seed, self.max_rounds, int(self.tabular.rerolls), int(self.tabular.together), int(self.midway is not None))

        def part(lo: int, hi: int) -> int:
            room = self._cast.copy()
            return int(fight(lo, hi, *flags, *given, room if compiled else memoryview(room), *results))

        if threads > 1 and compiled:
            edges = [m * k // threads for k in range(threads + 1)]
            with ThreadPoolExecutor(threads) as pool:
                lost = sum(pool.map(lambda k: part(edges[k], edges[k + 1]), range(threads)))
        else:
            lost = part(0, m)
        good: Any = winner != layout.MISSED if lost else slice(None)  # a slice is written at once, and so it is as a rule
        fought: Any = batch[good] if lost or batch[-1] - batch[0] >= m else slice(batch[0], batch[-1] + 1)
        did = deeds.reshape(m, n, 3)
        out.winner[fought], out.rounds[fought], out.final[fought] = winner[good], rounds[good], final.reshape(m, n)[good]
        out.downed_by[fought], out.harm[fought], out.shots[fought] = (did[good, :, k] for k in range(3))
        if not lost:
            return batch[:0]
        for miss in sorted(set(map(tuple, misses.reshape(m, 4)[~good].tolist()))):
            p.build(*miss)
        p.foresee()
        return batch[~good]


def _numbers(values: list[int]) -> Any:
    return np.array(values, np.int64)


def _plain(arrays: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same memory, read and written as whole numbers of Python."""
    return tuple([memoryview(array) for array in arrays])
