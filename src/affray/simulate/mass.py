"""Mass simulation on tables: fights in batches, missing rows built between passes, the same result whatever the batches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from msgspec import Struct

from affray.policies import Policy
from affray.ruleset import Ruleset
from affray.simulate import kernel
from affray.simulate.tables import ACTS, BITS, MISSING, Tables, as_array

MAX_ROUNDS = 200
"""Rounds after which a fight counts as undecided."""
COMPILE_FROM = 300
"""Fights from which compiled code pays."""
MASK = (1 << BITS) - 1


class Raw(Struct, frozen=True):
    """Fights by number: winner (index of the side; -1 undecided, -2 nobody), rounds, final seat and downer of each."""

    winner: Any
    rounds: Any
    final: Any
    downed_by: Any


class Simulation:
    """The tables of one fight and its arrays; may be asked for more fights again and again.

    Raises ValueError with the reason where the fight needs more than tables.
    """

    def __init__(self, ruleset: Ruleset, state: Any, policies: Mapping[str, Policy], max_rounds: int = MAX_ROUNDS) -> None:
        if ruleset.tabular is None:
            raise ValueError("this ruleset has no tables")
        tabular = ruleset.tabular(state)
        if reason := tabular.refused(state, policies):
            raise ValueError(reason)
        self.ruleset, self.state, self.tabular, self.max_rounds = ruleset, state, tabular, max_rounds
        by_name = {policy.name: policy for policy in policies.values()}
        self.tables = Tables(tabular, state, by_name)
        fighters = state.fighters
        self.ids = [f.id for f in fighters]
        self.sides = list(dict.fromkeys(f.side for f in fighters))
        names = [(policies.get(f.id) or policies[f.side]).name for f in fighters]
        self.policy_names = list(dict.fromkeys(names))
        n = len(fighters)
        self.side = as_array([self.sides.index(f.side) for f in fighters], np.int64)
        seats = [tabular.seat(state, f.id, name) for f, name in zip(fighters, names, strict=True)]
        self.first_seat = as_array([self.tables.seat(seat) for seat in seats], np.int64)
        groups = [tabular.group(state, f.id) or f"#{i}" for i, f in enumerate(fighters)]
        known = list(dict.fromkeys(groups))
        self.group = as_array([known.index(group) for group in groups], np.int64)
        ties = [tabular.tie(state, f.id) for f in fighters]
        ranked = sorted(set(ties))
        self.tie = as_array([ranked.index(tie) for tie in ties], np.int64)
        self.policy = as_array([self.policy_names.index(name) for name in names], np.int64)
        self.ground = np.zeros((n, n), np.int64)
        self.near = np.zeros((n, n), np.int64)
        self.prefer = np.zeros((n, n), np.int64)
        for i, a in enumerate(self.ids):
            for place, b in enumerate(tabular.preference(state, a)):
                self.prefer[i, self.ids.index(b)] = place
            for j, b in enumerate(self.ids):
                if self.side[i] != self.side[j]:
                    self.ground[i, j] = self.tables.ground(tabular.between(state, a, b))
                    self.near[i, j] = tabular.near(state, a, b)
        self._known = (0, 0, 0, 0)
        self._arrays: tuple[Any, ...] = ()
        self._facts: list[tuple[bool, bool, int, int]] = []
        self._ranks: list[list[int]] = [[] for _ in self.policy_names]
        self.passes = 0

    # ---- fighting

    def run(
        self,
        fights: int,
        seed: int = 0,
        first: int = 0,
        threads: int = 1,
        progress: Callable[[int], None] | None = None,
        compiled: bool | None = None,
    ) -> Raw:
        """Fights number first .. first + fights - 1. `progress` is told how many are finished now and then."""
        use = compiled if compiled is not None else fights >= COMPILE_FROM
        if use:
            from affray.simulate.compiled import fights as make

            fight = _compiled.setdefault("fights", make())
        else:
            fight = kernel.fights
        n = len(self.ids)
        out = Raw(
            np.full(fights, -9, np.int64),
            np.zeros(fights, np.int64),
            np.zeros((fights, n), np.int64),
            np.full((fights, n), -1, np.int64),
        )
        done, size = 0, 64
        while done < fights:
            batch = np.arange(done, min(fights, done + size), dtype=np.int64)
            while len(batch):
                batch = self._pass(fight, batch, seed, first, out, threads if len(batch) > 4096 else 1)
            done = min(fights, done + size)
            size = min(size * 4, 65536)
            if progress:
                progress(done)
        return out

    def _pass(self, fight: Any, batch: Any, seed: int, first: int, out: Raw, threads: int) -> Any:
        """One pass over a batch; returns those that missed a row, after building what they missed."""
        self.passes += 1
        arrays = self._arrays_now()
        m, n = len(batch), len(self.ids)
        winner, rounds = np.empty(m, np.int64), np.zeros(m, np.int64)
        final, downed = np.zeros((m, n), np.int64), np.empty((m, n), np.int64)
        misses = np.zeros((m, 2), np.int64)

        def part(lo: int, hi: int) -> None:
            fight(
                lo,
                hi,
                seed,
                self.max_rounds,
                self.tabular.rerolls,
                self.tabular.together,
                self.side,
                self.first_seat,
                self.group,
                self.tie,
                self.policy,
                self.ground,
                self.near,
                self.prefer,
                *arrays,
                batch + first,
                winner,
                rounds,
                final,
                downed,
                misses,
            )

        if threads > 1:
            edges = [m * k // threads for k in range(threads + 1)]
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(lambda k: part(edges[k], edges[k + 1]), range(threads)))
        else:
            part(0, m)
        missed = misses[:, 0] > 0
        if not missed.any():
            fought = batch
        else:
            fought = batch[~missed]
            for kind, key in sorted({(int(k), int(v)) for k, v in misses[missed]}):
                self._build(kind, key)
        good = ~missed
        out.winner[fought], out.rounds[fought] = winner[good], rounds[good]
        out.final[fought], out.downed_by[fought] = final[good], downed[good]
        return batch[missed]

    def _build(self, kind: int, key: int) -> None:
        t = self.tables
        if kind == kernel.MISS_SOLO:
            t.row_solo(key >> 42, key & MASK)
        elif kind == kernel.MISS_NEXT:
            t.next_action(key & MASK, key >> 42)
        elif kind == kernel.MISS_BOUT:
            t.row_bout(key >> BITS & MASK, key >> 2 * BITS + 10, key >> 2 * BITS & 1023, key & MASK)
        else:
            t.row_receive(key >> BITS & MASK, key & MASK)

    # ---- arrays

    def _arrays_now(self) -> tuple[Any, ...]:
        """The tables as arrays; rebuilt only when something has been added."""
        t = self.tables
        size = (len(t.solo), len(t.next), len(t.bouts), len(t.receives))
        if size == self._known and self._arrays:
            return self._arrays
        self._known = size
        seats, ops = len(t.seats), ACTS + 2 * len(t.actions)
        solo = np.full((ops, seats), MISSING, np.int64)
        for (op, seat), row in t.solo.items():
            solo[op, seat] = row
        following = np.full((seats, 4), MISSING, np.int64)
        for (seat, look), action in t.next.items():
            following[seat, look] = action
        aimed = as_array([self.tabular.attacks(action) for action in t.actions], np.int64)
        bouts = {((a << 10 | g) << BITS | by) << BITS | at: row for (by, a, g, at), row in t.bouts.items()}
        receives = {seat << BITS | message: row for (seat, message), row in t.receives.items()}
        self._facts += t.facts(t.seats[len(self._facts) :])
        for name, ranks in zip(self.policy_names, self._ranks, strict=True):
            ranks += [_packed(self.tabular.rank(seat, name)) for seat in t.seats[len(ranks) :]]
        able, acting, shift, dex = zip(*self._facts, strict=True)
        self._arrays = (
            solo,
            following,
            aimed,
            *_hashed(bouts),
            *_hashed(receives),
            as_array(t.rows.start, np.int64),
            as_array(t.rows.value, np.int64),
            as_array(t.rows.cumulative, np.float64),
            as_array([pair[0] for pair in t.pairs], np.int64),
            as_array([pair[1] for pair in t.pairs], np.int64),
            as_array([pair[2] for pair in t.pairs], np.int64),
            as_array([pair[3] for pair in t.pairs], np.int64),
            as_array(list(able), np.int64),
            as_array(list(acting), np.int64),
            as_array(list(shift), np.int64),
            as_array(list(dex), np.int64),
            np.array(self._ranks, np.int64),
        )
        return self._arrays


_compiled: dict[str, Any] = {}


def _packed(rank: tuple[int, ...]) -> int:
    """A tuple of small numbers as one number that sorts alike."""
    packed = 0
    for part in rank:
        packed = packed * 4096 + part + 2048
    return packed


def _hashed(rows: dict[int, int]) -> tuple[Any, Any]:
    """Keys and values of an open-addressed table, less than half full."""
    size = 16
    while size < 2 * len(rows) + 2:
        size *= 2
    keys, values = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    for key, row in rows.items():
        at = kernel.mix((key & 0xFFFFFFFF) ^ kernel.mix(key >> 32 & 0x7FFFFFFF)) & (size - 1)
        while keys[at] >= 0:
            at = (at + 1) & (size - 1)
        keys[at], values[at] = key, row
    return keys, values
