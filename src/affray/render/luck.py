"""Luck: what dice came to, compared with what they could be expected to come to.

A roll says its pool in words (`4D+2`, `5D + 1 Wild`, `2D6`); pips and numbers that are added are no luck. A Wild Die that
is thrown again on a six is worth 4.2 on average. Knows no ruleset.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import sqrt

from msgspec import Struct

DIE, DIE_VARIANCE = 3.5, 35 / 12
WILD, WILD_VARIANCE = 4.2, 266 / 25
"""Of a die that is thrown again and added as long as it shows a six."""
FEW = 8
"""Dice under which nothing can be said."""
VERDICTS = (
    (3.0, "unbelievably"),
    (2.0, "very"),
    (1.0, ""),
    (0.5, "a little"),
)


class Luck(Struct, frozen=True):
    """So many dice came to `total`; `expected` and `spread` (standard deviation) are what pools like these promise."""

    dice: int = 0
    total: int = 0
    expected: float = 0.0
    variance: float = 0.0

    @property
    def spread(self) -> float:
        return sqrt(self.variance)

    @property
    def score(self) -> float:
        """How many standard deviations above what was to be expected."""
        return (self.total - self.expected) / self.spread if self.variance else 0.0

    @property
    def verdict(self) -> str:
        """Plain words: 'very lucky', 'as expected'."""
        if self.dice < FEW:
            return "too few dice to tell" if self.dice else "no dice thrown"
        for least, word in VERDICTS:
            if abs(self.score) >= least:
                return f"{word} {'lucky' if self.score > 0 else 'unlucky'}".strip()
        return "as expected"

    def plus(self, other: Luck) -> Luck:
        return Luck(
            self.dice + other.dice, self.total + other.total, self.expected + other.expected, self.variance + other.variance
        )


def of_roll(pool: str, faces: Sequence[int]) -> Luck:
    """The luck of one roll. A pool that says nothing is taken face by face."""
    if not faces:
        return Luck()
    dice, wilds = pool_of(pool)
    if not dice:
        return Luck(len(faces), sum(faces), DIE * len(faces), DIE_VARIANCE * len(faces))
    if wilds and len(faces) > dice and faces[0] == 1:  # a house table asked for another die, which is not added
        faces = (faces[0], *faces[2:])
    if wilds and faces[0] == 6 and len(faces) == dice:  # this one is not thrown again
        wilds = 0
    plain = dice - wilds
    return Luck(dice, sum(faces), DIE * plain + WILD * wilds, DIE_VARIANCE * plain + WILD_VARIANCE * wilds)


def pool_of(pool: str) -> tuple[int, int]:
    """Dice of a pool, and how many of them are wild; (0, 0) when it does not say."""
    if found := re.match(r"(\d+)D6", pool):
        return int(found[1]), 0
    if not (found := re.match(r"(\d+)D(?:\+\d+)?(?: \+ (\d+) Wild)?( \(no Wild Die\))?", pool)):
        return 0, 0
    dice, more = int(found[1]), int(found[2] or 0)
    return (dice, 0) if found[3] or not dice else (dice + more, 1 + more)
