"""Counting fights, whatever they were played in: batches of results come in, a report goes out."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from affray.simulate.report import FATES, OUT, Combatant, Report, Share, Side, Used, kind_of

NOBODY, UNDECIDED = -2, -1
"""In place of the winning side."""


class Batch(Struct, frozen=True):
    """Some fights in the order of their numbers, as arrays with a row for each.

    `winner`: place of the side among the sides, NOBODY or UNDECIDED. `fates`: place in FATES of each combatant.
    `downed_by`: place in the roster of who put each combatant out, -1 for nobody. `left`: what each has left of each thing
    that runs out; `used`: what it has used of it, also what was filled up again. `harm`: what each has done to others.
    """

    winner: Any
    rounds: Any
    fates: Any
    downed_by: Any
    left: Any
    used: Any
    harm: Any

    def __len__(self) -> int:
        return len(self.winner)

    @staticmethod
    def joined(batches: list[Batch]) -> Batch:
        """Several as one."""
        columns = [(one.winner, one.rounds, one.fates, one.downed_by, one.left, one.used, one.harm) for one in batches]
        return Batch(*(np.concatenate(parts) for parts in zip(*columns, strict=True)))


class Roster(Struct, frozen=True):
    """Who fights, in order, and what each has at the start of the things (`means`) that run out."""

    ids: tuple[str, ...]
    side_of: tuple[str, ...]
    means: tuple[str, ...]
    stock: tuple[tuple[int, ...], ...]

    @property
    def sides(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.side_of))

    @staticmethod
    def of(ruleset: Any, state: Any) -> Roster:
        """Of a state."""
        stocks = [dict(ruleset.stock(f)) for f in state.fighters]
        means = tuple(dict.fromkeys(name for stock in stocks for name in stock))
        rows = tuple(tuple(stock.get(name, 0) for name in means) for stock in stocks)
        return Roster(tuple(f.id for f in state.fighters), tuple(f.side for f in state.fighters), means, rows)


class Tally:
    """Counts the fights of one roster."""

    def __init__(self, roster: Roster) -> None:
        self.roster, self.sides = roster, roster.sides
        n, kinds = len(roster.ids), len(roster.means)
        self.fights = self.nobody = self.undecided = 0
        self.won = [0] * len(self.sides)
        self.rounds: dict[int, int] = {}
        self.fates = np.zeros((n, len(FATES)), np.int64)
        self.downed = np.zeros((n + 1, n), np.int64)
        """By whom (the last row: by nobody), who."""
        self.start = np.array(roster.stock, np.int64).reshape(n, kinds)
        self.used = np.zeros((n, kinds), np.int64)
        self.harm = np.zeros(n, np.int64)
        self.ran_out = np.zeros((n, kinds), np.int64)
        self._members = [np.array([at for at, s in enumerate(roster.side_of) if s == side]) for side in self.sides]
        self.lost = [np.zeros((2, len(members) + 1), np.int64) for members in self._members]
        """For each side: in how many fights 0, 1, ... of it were put out or killed; not won, won."""
        self.died = [np.zeros((2, len(members) + 1), np.int64) for members in self._members]

    def take(self, batch: Batch) -> None:
        """Count the fights of a batch."""
        self.fights += len(batch)
        self.nobody += int((batch.winner == NOBODY).sum())
        self.undecided += int((batch.winner == UNDECIDED).sum())
        for length, times in zip(*np.unique(batch.rounds, return_counts=True), strict=True):
            self.rounds[int(length)] = self.rounds.get(int(length), 0) + int(times)
        for fate in range(len(FATES)):
            self.fates[:, fate] += (batch.fates == fate).sum(axis=0)
        n = len(self.roster.ids)
        for who in range(n):
            by = batch.downed_by[:, who]
            self.downed[:, who] += np.bincount(np.where(by < 0, n, by), minlength=n + 1)
        self.used += batch.used.sum(axis=0)
        self.harm += batch.harm.sum(axis=0)
        self.ran_out += ((batch.left == 0) & (self.start > 0)).sum(axis=0)
        for place, members in enumerate(self._members):
            won = batch.winner == place
            self.won[place] += int(won.sum())
            fates = batch.fates[:, members]
            for table, least in ((self.lost, OUT), (self.died, OUT + 1)):
                count = (fates >= least).sum(axis=1)
                for row, part in enumerate((count[~won], count[won])):
                    table[place][row] += np.bincount(part, minlength=len(members) + 1)

    def share(self, side: str) -> Share:
        """How often a side has won."""
        return Share.of(self.won[self.sides.index(side)], self.fights)

    def known(self, within: float) -> bool:
        """Every side's chance is known to +- `within` (half of its interval)."""
        return all((s.high - s.low) / 2 <= within for s in map(self.share, self.sides))

    @property
    def hopeless(self) -> bool:
        """No fight at all has come to a decision."""
        return self.fights > 0 and self.undecided == self.fights

    def report(self, seed: int, how: str, cpu: float, endless: bool = False) -> Report:
        """All of it so far. `endless`: no fight can ever end (see `Report`)."""
        sides = tuple(
            Side(name, self.share(name), _counts(lost.sum(axis=0)), _counts(died.sum(axis=0)), _counts(lost[1]))
            for name, lost, died in zip(self.sides, self.lost, self.died, strict=True)
        )
        total = sum(r * k for r, k in self.rounds.items()) / max(1, self.fights)
        listed = tuple(sorted(self.rounds.items()))
        nobody, undecided = Share.of(self.nobody, self.fights), Share.of(self.undecided, self.fights)
        combatants = tuple(self._combatant(at) for at in range(len(self.roster.ids)))
        return Report(self.fights, seed, how, cpu, sides, nobody, undecided, total, listed, combatants, endless)

    def _combatant(self, at: int) -> Combatant:
        n, roster = max(1, self.fights), self.roster
        fates = tuple((fate, int(k) / n) for fate, k in zip(FATES, self.fates[at], strict=True))
        downs = tuple((who, int(k) / n) for who, k in zip(roster.ids, self.downed[at], strict=True) if k)
        used = tuple(
            Used(name, int(self.start[at, m]), int(self.used[at, m]) / n, int(self.ran_out[at, m]) / n)
            for m, name in enumerate(roster.means)
            if self.start[at, m]
        )
        who = roster.ids[at]
        downed, harm = int(self.downed[at].sum()) / n, int(self.harm[at]) / n
        return Combatant(who, roster.side_of[at], kind_of(who), fates, downed, downs, used, harm)


def _counts(row: Any) -> tuple[int, ...]:
    return tuple(int(k) for k in row)
