"""Rolls of this edition: pools with a Wild Die, read as a total or counted in successes.

The order of the dice is that of the core's WildPool; only the reading differs. Knows no fighter and no scene.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from affray.dice import Code, WildPool
from affray.rules import rule
from affray.rulesets.rd6.rulings import Rulings

CRITICAL = "critical_failure"
"""The mark of a 1 on the first throw of the Wild Die [RD6-DICE-5]."""


@rule("RD6-DICE-6")
def successes(total: int, above_six: bool = False) -> int:
    """Successes in a total: every full 6 (under the other reading every full 6 beyond the first)."""
    return max(0, (total - 6 if above_six else total) // 6)


@dataclass(frozen=True, slots=True)
class Total:
    """A pool read as its total plus `plus`. `marks`: whether a first 1 on the Wild Die is shown as a critical failure."""

    pool: WildPool
    plus: int = 0
    marks: bool = True

    def wanted(self, faces: Sequence[int]) -> str | None:
        return self.pool.wanted(faces)

    def read(self, faces: Sequence[int]) -> int:
        return self.pool.read(faces) + self.plus

    def flag(self, faces: Sequence[int]) -> str:
        return CRITICAL if self.marks and self.pool.flag(faces) else ""

    def throw(self, die: Iterator[int]) -> tuple[int, ...]:
        return self.pool.throw(die)

    def outcomes(self) -> tuple[tuple[int, int], ...]:
        return tuple((total + self.plus, weight) for total, weight in self.pool.outcomes())

    def __str__(self) -> str:
        return f"{self.pool}" + (f" {self.plus:+d}" if self.plus else "")


@dataclass(frozen=True, slots=True)
class Counted:
    """The same dice, read as successes [RD6-DICE-6]."""

    rolled: Total
    above_six: bool = False

    def wanted(self, faces: Sequence[int]) -> str | None:
        return self.rolled.wanted(faces)

    def read(self, faces: Sequence[int]) -> int:
        return successes(self.rolled.read(faces), self.above_six)

    @property
    def pool(self) -> WildPool:
        """The dice themselves."""
        return self.rolled.pool

    def total(self, faces: Sequence[int]) -> int:
        """What the dice and the flat bonus add up to."""
        return self.rolled.read(faces)

    def flag(self, faces: Sequence[int]) -> str:
        return self.rolled.flag(faces)

    def throw(self, die: Iterator[int]) -> tuple[int, ...]:
        return self.rolled.throw(die)

    def outcomes(self) -> tuple[tuple[int, int], ...]:
        return _counted(self)

    def __str__(self) -> str:
        return str(self.rolled)


@dataclass(frozen=True, slots=True)
class Marked:
    """The same dice, read as (successes, whether the roll is a critical failure)."""

    counted: Counted

    def wanted(self, faces: Sequence[int]) -> str | None:
        return self.counted.wanted(faces)

    def read(self, faces: Sequence[int]) -> tuple[int, bool]:
        return self.counted.read(faces), self.flag(faces) != ""

    @property
    def pool(self) -> WildPool:
        """The dice themselves."""
        return self.counted.pool

    def total(self, faces: Sequence[int]) -> int:
        """What the dice and the flat bonus add up to."""
        return self.counted.total(faces)

    def flag(self, faces: Sequence[int]) -> str:
        return self.counted.flag(faces)

    def throw(self, die: Iterator[int]) -> tuple[int, ...]:
        return self.counted.throw(die)

    def outcomes(self) -> tuple[tuple[tuple[int, bool], int], ...]:
        return _marked(self)

    def __str__(self) -> str:
        return str(self.counted)


@rule("RD6-DICE-3", "RD6-DICE-4", "RD6-DICE-11", "RD6-SPC-22")
def wild(code: Code, rulings: Rulings, points: int = 0, stymied: bool = False, wilds: int = 1) -> WildPool:
    """The dice of a roll: `wilds` of the code are Wild Dice, each Character Point adds one; stymied, none is thrown again."""
    one = "remove_highest" if rulings.dice_wild_one == "drop_highest" else "plain"
    return WildPool(code.dice + points, code.pips, min(wilds, code.dice) + points, not stymied, one)


def totalled(code: Code, rulings: Rulings, plus: int = 0, points: int = 0, stymied: bool = False, wilds: int = 1) -> Total:
    """A roll whose total counts: damage, resistance, initiative."""
    return Total(wild(code, rulings, points, stymied, wilds), plus, rulings.dice_wild_one != "plain")


def counted(code: Code, rulings: Rulings, plus: int = 0, points: int = 0, stymied: bool = False) -> Counted:
    """A roll whose successes count: attacks, defences, tests."""
    return Counted(totalled(code, rulings, plus, points, stymied), rulings.success_count == "above_six")


@cache
def _counted(pool: Counted) -> tuple[tuple[int, int], ...]:
    found: dict[int, int] = {}
    for total, weight in pool.rolled.outcomes():
        count = successes(total, pool.above_six)
        found[count] = found.get(count, 0) + weight
    return tuple(sorted(found.items()))


@cache
def _marked(pool: Marked) -> tuple[tuple[tuple[int, bool], int], ...]:
    from affray.dice import Flagged

    rolled, found = pool.counted.rolled, dict[tuple[int, bool], int]()
    for (total, flagged), weight in Flagged(rolled.pool).outcomes():
        key = successes(total + rolled.plus, pool.counted.above_six), flagged and rolled.marks
        found[key] = found.get(key, 0) + weight
    return tuple(sorted(found.items()))
