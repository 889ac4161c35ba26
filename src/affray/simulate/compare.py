"""Two fights compared with common random numbers: fight by fight with the same seed and number, so that chance cancels out."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, sqrt
from typing import Any

import numpy as np
from msgspec import Struct

from affray.simulate.report import OUT, Z, kind_of
from affray.simulate.run import Fights
from affray.simulate.tally import UNDECIDED, Batch, Roster

TABLES_BLOCK, LIVE_BLOCK = 2000, 40


class Difference(Struct, frozen=True):
    """A measure in both, and the second less the first with its 95 % interval from pairs. `share`: a chance, not a number."""

    name: str
    first: float
    second: float
    low: float
    high: float
    share: bool

    @property
    def difference(self) -> float:
        return self.second - self.first

    @property
    def clear(self) -> bool:
        """The interval does not hold zero."""
        return self.low > 0 or self.high < 0

    def plain(self) -> dict[str, Any]:
        return {
            "name": self.name, "first": self.first, "second": self.second, "difference": self.difference, "low": self.low,
            "high": self.high, "clear": self.clear,
        }  # fmt: skip


class Comparison(Struct, frozen=True):
    """What differs. `same`: share of the pairs with the same winner; `worth`: how many times as many unpaired fights would
    have told as much about the first side's chance."""

    fights: int
    seed: int
    how: tuple[str, str]
    cpu_seconds: float
    wins: tuple[Difference, ...]
    undecided: Difference
    rounds: Difference
    lost: tuple[Difference, ...]
    dead: tuple[Difference, ...]
    kinds: tuple[Difference, ...]
    """How often a combatant of a kind is put out or killed."""
    same: float
    worth: float

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        groups = {"sides": self.wins, "lost": self.lost, "dead": self.dead, "kinds": self.kinds}
        return {
            "fights": self.fights,
            "seed": self.seed,
            "how": list(self.how),
            "cpu_seconds": self.cpu_seconds,
            **{name: [one.plain() for one in group] for name, group in groups.items()},
            "undecided": self.undecided.plain(),
            "rounds": self.rounds.plain(),
            "same_winner": self.same,
            "worth": self.worth,
        }


class Pairs:
    """Counts pairs of fights of two rosters; sides of one name belong together, or by place where no name is shared."""

    def __init__(self, first: Roster, second: Roster) -> None:
        shared = [side for side in first.sides if side in second.sides]
        self.sides = [(side, side) for side in shared] or list(zip(first.sides, second.sides, strict=False))
        known = [kind for kind in _kinds(first) if kind in _kinds(second)]
        self.kinds = known
        self.rosters = first, second
        self.names = [a if a == b else f"{a} / {b}" for a, b in self.sides]
        n = len(self.names)
        width = 3 * n + 2 + len(known)
        self.fights = self.same = 0
        self.sum = np.zeros((2, width))
        self.square = np.zeros((2, width))
        self.of_difference = np.zeros(width)

    def take(self, first: Batch, second: Batch) -> None:
        """Count pairs of equal numbers."""
        a, b = (self._measured(which, batch) for which, batch in enumerate((first, second)))
        self.fights += len(first)
        for which, values in enumerate((a, b)):
            self.sum[which] += values.sum(axis=0)
            self.square[which] += (values**2).sum(axis=0)
        self.of_difference += ((b - a) ** 2).sum(axis=0)
        n = len(self.names)
        self.same += int((a[:, : n + 1] == b[:, : n + 1]).all(axis=1).sum())

    def _measured(self, which: int, batch: Batch) -> Any:
        """Rows of fights, columns: who won, undecided, rounds, lost by side, dead by side, lost by kind."""
        roster = self.rosters[which]
        sides = [roster.sides.index(pair[which]) for pair in self.sides]
        members = [[at for at, s in enumerate(roster.side_of) if s == pair[which]] for pair in self.sides]
        kinds = [_kinds(roster)[kind] for kind in self.kinds]
        columns = [batch.winner == side for side in sides] + [batch.winner == UNDECIDED, batch.rounds]
        columns += [(batch.fates[:, who] >= OUT).sum(axis=1) for who in members]
        columns += [(batch.fates[:, who] > OUT).sum(axis=1) for who in members]
        columns += [(batch.fates[:, who] >= OUT).mean(axis=1) for who in kinds]
        return np.stack(columns, axis=1).astype(float)

    def difference(self, at: int, name: str, share: bool) -> Difference:
        """One measure."""
        n = max(1, self.fights)
        a, b = self.sum[:, at] / n
        # one pair more that differs, so that pairs which never differ do not make a difference impossible
        spread = Z * sqrt(max(0.0, (self.of_difference[at] + 1) / (n + 1) - (b - a) ** 2) / n)
        most = 1.0 if share else inf
        return Difference(name, float(a), float(b), max(-most, float(b - a - spread)), min(most, float(b - a + spread)), share)

    def known(self, within: float) -> bool:
        """The difference of every side's chance is known to +- `within`."""
        found = [self.difference(at, name, True) for at, name in enumerate(self.names)]
        return all((one.high - one.low) / 2 <= within for one in found)

    def result(self, seed: int, how: tuple[str, str], cpu: float) -> Comparison:
        names, n = self.names, len(self.names)
        wins = tuple(self.difference(at, name, True) for at, name in enumerate(names))
        undecided, rounds = self.difference(n, "undecided", True), self.difference(n + 1, "rounds", False)
        lost = tuple(self.difference(n + 2 + at, name, False) for at, name in enumerate(names))
        dead = tuple(self.difference(2 * n + 2 + at, name, False) for at, name in enumerate(names))
        kinds = tuple(self.difference(3 * n + 2 + at, f"{kind[1]}", True) for at, kind in enumerate(self.kinds))
        fights = max(1, self.fights)
        apart = sum(self.square[which, 0] / fights - (self.sum[which, 0] / fights) ** 2 for which in (0, 1))
        together = self.of_difference[0] / fights - (wins[0].difference if wins else 0.0) ** 2
        worth = float(apart / together) if together > 0 else 1.0
        return Comparison(
            self.fights, seed, how, cpu, wins, undecided, rounds, lost, dead, kinds, self.same / fights, worth
        )  # fmt: skip


def _kinds(roster: Roster) -> dict[tuple[str, str], list[int]]:
    """Places of the combatants of each side and kind."""
    found: dict[tuple[str, str], list[int]] = {}
    for at, (who, side) in enumerate(zip(roster.ids, roster.side_of, strict=True)):
        found.setdefault((side, kind_of(who)), []).append(at)
    return found


def paired(first: Fights, second: Fights, seed: int, count: int) -> Iterator[tuple[Batch, Batch]]:
    """Fights of equal numbers of both, some at a time."""
    tables = first.how == second.how == "tables"
    done = 0
    while done < count:
        block = min(TABLES_BLOCK if tables else LIVE_BLOCK, count - done)
        both = [Batch.joined(list(one.run(seed, block, done))) for one in (first, second)]
        yield both[0], both[1]
        done += block
