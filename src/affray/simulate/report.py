"""What many fights came to: chances with their intervals, rounds, fates, who did the damage. Plain data, no layout."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
from msgspec import Struct

NOBODY, UNDECIDED = -2, -1
"""In place of the winning side."""

Z = 1.959963984540054
"""95 % of a normal distribution lie within this many standard deviations."""


class Batch(Struct, frozen=True):
    """Some fights in the order of their numbers, as arrays with a row for each.

    `winner`: place of the side among the sides, NOBODY or UNDECIDED. `fates`: place in FATES of each combatant.
    `downed_by`: place in the roster of who put each combatant out, -1 for nobody.
    """

    winner: Any
    rounds: Any
    fates: Any
    downed_by: Any

    def __len__(self) -> int:
        return len(self.winner)


class Share(Struct, frozen=True):
    """How often something happened: the share, and the ends of its 95 % interval (Wilson)."""

    count: int
    share: float
    low: float
    high: float

    @staticmethod
    def of(count: int, fights: int) -> Share:
        if not fights:
            return Share(0, 0.0, 0.0, 1.0)
        p, n = count / fights, fights
        middle, spread = (
            (p + Z * Z / (2 * n)) / (1 + Z * Z / n),
            Z / (1 + Z * Z / n) * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n)),
        )
        return Share(count, p, max(0.0, middle - spread), min(1.0, middle + spread))


class Fate(Struct, frozen=True):
    """How one combatant fared: shares of the fights by fate, and how many enemies it put out in the mean."""

    id: str
    side: str
    fates: tuple[tuple[str, float], ...]
    downed: float


class Report(Struct, frozen=True):
    """The outcome of a simulation. `how`: 'tables' or 'live', and why where it is live."""

    fights: int
    seed: int
    how: str
    cpu_seconds: float
    sides: tuple[tuple[str, Share], ...]
    nobody: Share
    undecided: Share
    mean_rounds: float
    rounds: tuple[tuple[int, int], ...]
    """How many fights ended in each round."""
    fates: tuple[Fate, ...]

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        return {
            "fights": self.fights,
            "seed": self.seed,
            "how": self.how,
            "cpu_seconds": self.cpu_seconds,
            "sides": [{"name": name, "win": s.share, "low": s.low, "high": s.high, "count": s.count} for name, s in self.sides],
            "nobody": self.nobody.share,
            "undecided": self.undecided.share,
            "mean_rounds": self.mean_rounds,
            "rounds": [{"round": r, "fights": n} for r, n in self.rounds],
            "combatants": [{"id": f.id, "side": f.side, "fates": dict(f.fates), "downed": f.downed} for f in self.fates],
        }


FATES = ("untouched", "wounded", "out", "dead")
OUT = 2
"""From this place among the fates on, a combatant is lost to its side."""


class Tally:
    """Counts fights, whatever they were played in, and makes the report. Combatants in roster order, with their sides."""

    def __init__(self, combatants: tuple[tuple[str, str], ...]) -> None:
        self.combatants = combatants
        self.sides = list(dict.fromkeys(side for _, side in combatants))
        self.fights = 0
        self.won = [0] * len(self.sides)
        self.nobody = self.undecided = 0
        self.rounds: dict[int, int] = {}
        n = len(combatants)
        self.fates = np.zeros((n, len(FATES)), np.int64)
        self.downed = np.zeros((n + 1, n), np.int64)
        """By whom (the last row: by nobody), who."""
        self._members = [np.array([at for at, (_, s) in enumerate(combatants) if s == side]) for side in self.sides]
        self.lost = [np.zeros(len(members) + 1, np.int64) for members in self._members]
        """For each side: in how many fights 0, 1, ... of it were put out or killed."""
        self.died = [np.zeros(len(members) + 1, np.int64) for members in self._members]

    def take(self, batch: Batch) -> None:
        """Count the fights of a batch."""
        self.fights += len(batch)
        self.nobody += int((batch.winner == NOBODY).sum())
        self.undecided += int((batch.winner == UNDECIDED).sum())
        for place in range(len(self.sides)):
            self.won[place] += int((batch.winner == place).sum())
        for length, times in zip(*np.unique(batch.rounds, return_counts=True), strict=True):
            self.rounds[int(length)] = self.rounds.get(int(length), 0) + int(times)
        for fate in range(len(FATES)):
            self.fates[:, fate] += (batch.fates == fate).sum(axis=0)
        n = len(self.combatants)
        for who in range(n):
            self.downed[:, who] += np.bincount(np.where(batch.downed_by[:, who] < 0, n, batch.downed_by[:, who]), minlength=n + 1)
        for place, members in enumerate(self._members):
            fates = batch.fates[:, members]
            self.lost[place] += np.bincount((fates >= OUT).sum(axis=1), minlength=len(members) + 1)
            self.died[place] += np.bincount((fates > OUT).sum(axis=1), minlength=len(members) + 1)

    def share(self, side: str) -> Share:
        """How often a side has won."""
        return Share.of(self.won[self.sides.index(side)], self.fights)

    def known(self, within: float) -> bool:
        """Every side's chance is known to +- `within` (half of its interval)."""
        return all((s.high - s.low) / 2 <= within for s in map(self.share, self.sides))

    def report(self, seed: int, how: str, cpu: float) -> Report:
        n = max(1, self.fights)
        fates = tuple(
            Fate(
                who, side, tuple((fate, int(k) / n) for fate, k in zip(FATES, self.fates[at], strict=True)),
                int(self.downed[at].sum()) / n,
            )
            for at, (who, side) in enumerate(self.combatants)
        )  # fmt: skip
        mean = sum(r * k for r, k in self.rounds.items()) / n
        sides = tuple((side, self.share(side)) for side in self.sides)
        listed = tuple(sorted(self.rounds.items()))
        nobody, undecided = Share.of(self.nobody, self.fights), Share.of(self.undecided, self.fights)
        return Report(self.fights, seed, how, cpu, sides, nobody, undecided, mean, listed, fates)
