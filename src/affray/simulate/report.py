"""What many fights came to: chances with their intervals, rounds, fates, who did the damage. Plain data, no layout."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import sqrt
from typing import Any

from msgspec import Struct

Z = 1.959963984540054
"""95 % of a normal distribution lie within this many standard deviations."""
FATES = ("untouched", "wounded", "out", "dead")
OUT = 2
"""From this place among the fates on, a combatant is lost to its side."""
RARE = 0.01
"""What happens in the worst fights is told of this share of them."""


class Share(Struct, frozen=True):
    """How often something happened: the share, and the ends of its 95 % interval (Wilson)."""

    count: int
    share: float
    low: float
    high: float

    @staticmethod
    def of(count: int, fights: int, z: float = Z) -> Share:
        """`z`: standard deviations to each side; a larger one makes a surer interval."""
        if not fights:
            return Share(0, 0.0, 0.0, 1.0)
        p, n = count / fights, fights
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        spread = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return Share(count, p, min(p, max(0.0, middle - spread)), max(p, min(1.0, middle + spread)))

    def plain(self) -> dict[str, float]:
        return {"share": self.share, "low": self.low, "high": self.high}


class Side(Struct, frozen=True):
    """How one side fared. `lost[k]`: fights in which k of it were put out or killed; `dead[k]`: killed; `lost_won[k]`: lost
    when it won."""

    name: str
    win: Share
    lost: tuple[int, ...]
    dead: tuple[int, ...]
    lost_won: tuple[int, ...]

    @property
    def size(self) -> int:
        return len(self.lost) - 1

    def at_least(self, count: int, dead: bool = False) -> Share:
        """How often at least so many were lost (or killed)."""
        table = self.dead if dead else self.lost
        return Share.of(sum(table[count:]), sum(table))

    def worst(self, dead: bool = False, rare: float = RARE) -> int:
        """The losses of the worst fights: at least so many in `rare` of them or a little more."""
        table = self.dead if dead else self.lost
        return max((k for k in range(len(table)) if sum(table[k:]) >= rare * sum(table)), default=0)

    def mean(self, dead: bool = False) -> float:
        table = self.dead if dead else self.lost
        return sum(k * n for k, n in enumerate(table)) / max(1, sum(table))

    @property
    def dear(self) -> Share:
        """Fights that it won with half of it or more lost."""
        return Share.of(sum(n for k, n in enumerate(self.lost_won) if 2 * k >= self.size), sum(self.lost))

    def plain(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "win": self.win.share,
            "low": self.win.low,
            "high": self.win.high,
            "count": self.win.count,
            "combatants": self.size,
            "lost_mean": self.mean(),
            "dead_mean": self.mean(dead=True),
            "lost": list(self.lost),
            "dead": list(self.dead),
            "disasters": {
                "none_lost": Share.of(self.lost[0], sum(self.lost)).plain(),
                "two_or_more_lost": self.at_least(2).plain(),
                "all_lost": self.at_least(self.size).plain(),
                "any_dead": self.at_least(1, dead=True).plain(),
                "two_or_more_dead": self.at_least(2, dead=True).plain(),
                "won_with_half_lost": self.dear.plain(),
                "worst_percent_lost": self.worst(),
                "worst_percent_dead": self.worst(dead=True),
            },
        }


class Used(Struct, frozen=True):
    """Of something that runs out: what a combatant had at the start, what it used in the mean (also of what was filled up again),
    how often it had nothing left at the end."""

    name: str
    start: int
    mean: float
    ran_out: float


class Combatant(Struct, frozen=True):
    """How one combatant fared: shares of the fights by fate; whom it put out how often, and how many in the mean; the harm
    that it did to others in the mean (levels of wounds, or points of characteristics)."""

    id: str
    side: str
    kind: str
    fates: tuple[tuple[str, float], ...]
    downed: float
    downs: tuple[tuple[str, float], ...]
    used: tuple[Used, ...]
    harm: float

    def plain(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "side": self.side,
            "fates": dict(self.fates),
            "downed": self.downed,
            "downs": dict(self.downs),
            "harm": self.harm,
            "used": [{"name": u.name, "start": u.start, "mean": u.mean, "ran_out": u.ran_out} for u in self.used],
        }


class Report(Struct, frozen=True):
    """The outcome of a simulation. `how`: 'tables' or 'live', and why where it is live."""

    fights: int
    seed: int
    how: str
    cpu_seconds: float
    """Processor time, that of other processes included."""
    sides: tuple[Side, ...]
    nobody: Share
    undecided: Share
    mean_rounds: float
    rounds: tuple[tuple[int, int], ...]
    """How many fights ended in each round."""
    combatants: tuple[Combatant, ...]
    endless: bool = False
    """Nothing that anybody did could have harmed anybody, whatever the dice had shown."""

    def round_by(self, share: float) -> int:
        """The round by which this share of the fights is over."""
        done = 0
        for number, fights in self.rounds:
            done += fights
            if done >= share * self.fights:
                return number
        return self.rounds[-1][0] if self.rounds else 0

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        return {
            "fights": self.fights,
            "seed": self.seed,
            "how": self.how,
            "cpu_seconds": self.cpu_seconds,
            "sides": [side.plain() for side in self.sides],
            "nobody": self.nobody.share,
            "undecided": self.undecided.share,
            "endless": self.endless,
            "mean_rounds": self.mean_rounds,
            "rounds": [{"round": r, "fights": n} for r, n in self.rounds],
            "shortest_percent": self.round_by(RARE),
            "longest_percent": self.round_by(1 - RARE),
            "combatants": [one.plain() for one in self.combatants],
        }


def kind_of(who: str) -> str:
    """'Guard' for 'Guard 2': those of one `count` are of one kind."""
    found = re.fullmatch(r"(.+) \d+", who)
    return found[1] if found else who


def by_kind(combatants: Iterable[Combatant]) -> tuple[tuple[int, Combatant], ...]:
    """Combatants of one kind and side as one, with the mean of each: (how many, the one)."""
    kinds: dict[tuple[str, str], list[Combatant]] = {}
    for one in combatants:
        kinds.setdefault((one.side, one.kind), []).append(one)
    return tuple((len(many), many[0] if len(many) == 1 else _mean(many)) for many in kinds.values())


def _mean(many: list[Combatant]) -> Combatant:
    n, first = len(many), many[0]
    fates = tuple((fate, sum(dict(one.fates)[fate] for one in many) / n) for fate, _ in first.fates)
    downs: dict[str, float] = {}
    for one in many:
        for who, often in one.downs:
            downs[kind_of(who)] = downs.get(kind_of(who), 0.0) + often / n
    used = []
    for name in dict.fromkeys(u.name for one in many for u in one.used):
        mine = [u for one in many for u in one.used if u.name == name]
        start, mean, out = sum(u.start for u in mine), sum(u.mean for u in mine), sum(u.ran_out for u in mine)
        used.append(Used(name, round(start / n), mean / n, out / n))
    downed, harm = sum(one.downed for one in many) / n, sum(one.harm for one in many) / n
    return Combatant(first.kind, first.side, first.kind, fates, downed, tuple(downs.items()), tuple(used), harm)
