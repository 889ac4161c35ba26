"""What many fights came to: chances with their intervals, rounds, fates, who did the damage. Plain data, no layout."""

from __future__ import annotations

from math import sqrt
from typing import Any

from msgspec import Struct

Z = 1.959963984540054
"""95 % of a normal distribution lie within this many standard deviations."""


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


class Tally:
    """Counts fights of whatever kind and makes the report."""

    def __init__(self, combatants: tuple[tuple[str, str], ...]) -> None:
        self.combatants = combatants
        self.sides = list(dict.fromkeys(side for _, side in combatants))
        self.fights = 0
        self.won = dict.fromkeys([*self.sides, "", "?"], 0)
        self.rounds: dict[int, int] = {}
        self.fates = {who: dict.fromkeys(FATES, 0) for who, _ in combatants}
        self.downed = {who: 0 for who, _ in combatants}

    def add(self, winner: str, rounds: int, fates: tuple[str, ...], downers: tuple[str, ...], times: int = 1) -> None:
        """One fight (or several alike): the winning side ('' nobody, '?' undecided), rounds, fates in roster order, downers."""
        self.fights += times
        self.won[winner] += times
        self.rounds[rounds] = self.rounds.get(rounds, 0) + times
        for (who, _), fate in zip(self.combatants, fates, strict=True):
            self.fates[who][fate] += times
        for who in downers:
            self.downed[who] += times

    def report(self, seed: int, how: str, cpu: float) -> Report:
        n = self.fights
        fates = tuple(
            Fate(who, side, tuple((fate, self.fates[who][fate] / max(1, n)) for fate in FATES), self.downed[who] / max(1, n))
            for who, side in self.combatants
        )
        mean = sum(r * k for r, k in self.rounds.items()) / max(1, n)
        sides = tuple((side, Share.of(self.won[side], n)) for side in self.sides)
        listed = tuple(sorted(self.rounds.items()))
        return Report(n, seed, how, cpu, sides, Share.of(self.won[""], n), Share.of(self.won["?"], n), mean, listed, fates)
