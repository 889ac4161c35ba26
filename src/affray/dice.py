"""Dice: die codes, pools, and every outcome of a pool with its exact weight.

A pool is the single source for the order of its dice: typing them in, checking them, scripts and throwing all follow it.
It must not know any ruleset, nor who throws: a rule builds the pool, the interpreter answers it.
All dice have six sides. Needs nothing but the standard library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from affray.totals import Outcomes, by_first, listed, pool_sums, sums, without_highest

if TYPE_CHECKING:
    from affray.errors import BadAnswer, LimitReached

MAX_DICE = 500
"""Largest pool that is thrown or worked out."""
MAX_RETHROWS = 60
"""Longest chain of sixes on one Wild Die that is accepted."""

R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Code:
    """A die code nD+p: `dice` six-sided dice and `pips` (0 to 2). Three pips are worth one die."""

    dice: int
    pips: int = 0

    @staticmethod
    def parse(text: str) -> Code:
        """Read '4D+2', '3D' or '2D6+1'. Raises BadAnswer with what is wrong."""
        found = re.fullmatch(r"\s*(\d+)\s*[dD]6?\s*(?:\+\s*(\d+))?\s*", text)
        if not found:
            raise _bad(f"{text!r} is no die code; write for example 4D or 4D+2")
        dice, pips = int(found[1]), int(found[2] or 0)
        if pips > 2:
            raise _bad(f"{text!r}: pips are 0, 1 or 2; three pips make one die, so write {Code.of_pips(3 * dice + pips)}")
        if dice > MAX_DICE:
            raise _too_much(f"{text!r}: at most {MAX_DICE} dice")
        return Code(dice, pips)

    @staticmethod
    def of_pips(value: int) -> Code:
        """The code worth `value` pips: 14 is 4D+2."""
        return Code(value // 3, value % 3)

    @property
    def value(self) -> int:
        """What the code is worth, in pips."""
        return 3 * self.dice + self.pips

    def plus(self, dice: int) -> Code:
        """The code with `dice` more (or fewer) dice, pips untouched; never below 0 dice."""
        return Code(max(0, self.dice + dice), self.pips)

    def __str__(self) -> str:
        return f"{self.dice}D+{self.pips}" if self.pips else f"{self.dice}D"


class Pool(Protocol[R_co]):
    """Some dice and what a rule reads of them."""

    def wanted(self, faces: Sequence[int]) -> str | None:
        """Name of the next die after `faces`, or None when complete. Raises BadAnswer for too many."""

    def read(self, faces: Sequence[int]) -> R_co:
        """What the rule reads of complete `faces`."""

    def throw(self, die: Iterator[int]) -> tuple[int, ...]:
        """Complete faces, taken from an endless source of faces in the order of `wanted`."""

    def outcomes(self) -> tuple[tuple[R_co, int], ...]:
        """Every result with its integer weight."""

    def __str__(self) -> str: ...


def check(pool: Pool[object], faces: Sequence[int]) -> str | None:
    """Name of the next die wanted after `faces`, None when complete. Raises BadAnswer for a face that is none."""
    for face in faces:
        if type(face) is not int or not 1 <= face <= 6:
            raise _bad(f"{face!r} is no face of a six-sided die; expected 1 to 6")
    return pool.wanted(faces)


@dataclass(frozen=True, slots=True)
class PlainPool:
    """`dice` ordinary dice, read as their sum; `drop_highest` of them are thrown but left out of it; `plus` is added."""

    dice: int
    drop_highest: int = 0
    plus: int = 0

    def __post_init__(self) -> None:
        _limit(self.dice)

    def wanted(self, faces: Sequence[int]) -> str | None:
        if len(faces) > self.dice:
            raise _bad(f"{len(faces)} dice for {self}")
        return f"die {len(faces) + 1} of {self.dice}" if len(faces) < self.dice else None

    def read(self, faces: Sequence[int]) -> int:
        if self.drop_highest:
            return sum(sorted(faces)[: self.dice - self.drop_highest]) + self.plus
        return sum(faces) + self.plus

    def throw(self, die: Iterator[int]) -> tuple[int, ...]:
        return tuple(islice(die, self.dice))

    def outcomes(self) -> Outcomes[int]:
        outcomes = without_highest(self.dice, self.drop_highest) if self.drop_highest else sums(self.dice)
        return tuple([(total + self.plus, weight) for total, weight in outcomes]) if self.plus else outcomes

    def outcomes_after(self, faces: Sequence[int]) -> Outcomes[int]:
        """Every total with its weight once the first `faces` have fallen (where dice are left out, as if none had)."""
        if self.drop_highest:
            return self.outcomes()
        return listed(pool_sums(self.dice - len(faces), 0, False), sum(faces) + self.plus)

    def __str__(self) -> str:
        less = f" less the highest {self.drop_highest}" if self.drop_highest else ""
        return f"{self.dice}D6{f'{self.plus:+d}' if self.plus else ''}{less}"


@dataclass(frozen=True, slots=True)
class WildPool:
    """`dice` dice of which `wilds` are Wild Dice, plus `pips`; read as the total.

    A Wild Die that shows 6 is thrown again and added (unless `rethrow` is off). Order of faces: the first Wild Die at once
    followed by its re-throws, (with a house table, the die that a first 1 calls for), each further Wild Die with its
    re-throws, then the regular dice. `one` says what a 1 on the first throw of the first Wild Die does:
    'plain' nothing, 'remove_highest' it and the highest other die drop out, 'table_1' and 'table_2' throw another die
    (that drops them on 3 to 5, or on 2).
    """

    dice: int
    pips: int = 0
    wilds: int = 1
    rethrow: bool = True
    one: str = "plain"

    def __post_init__(self) -> None:
        _limit(self.dice)
        if not 0 <= self.wilds <= self.dice:
            raise _bad(f"{self.wilds} Wild Dice among {self.dice} dice")

    def _chains(self, faces: Sequence[int]) -> tuple[list[list[int]], int, int]:
        """Complete wild chains, the face of the house table (0: none), and how many faces these took; short if unfinished."""
        chains: list[list[int]] = []
        at, extra = 0, 0
        while len(chains) < self.wilds:
            start = at
            while at < len(faces) and faces[at] == 6 and self.rethrow:
                at += 1
                if at - start > MAX_RETHROWS:
                    raise _too_much(f"a Wild Die was thrown again more than {MAX_RETHROWS} times")
            if at == len(faces):
                return chains, extra, -1
            at += 1
            chains.append(list(faces[start:at]))
            if len(chains) == 1 and chains[0] == [1] and self.one.startswith("table"):
                if at == len(faces):
                    return chains, -1, -1
                extra, at = faces[at], at + 1
        return chains, extra, at

    def wanted(self, faces: Sequence[int]) -> str | None:
        chains, extra, at = self._chains(faces)
        if extra == -1:
            return "die for the 1 on the Wild Die"
        if at < 0:
            again = bool(faces) and faces[-1] == 6 and self.rethrow
            number = f" {len(chains) + 1}" if self.wilds > 1 else ""
            return f"Wild Die{number}" + (" again" if again else "")
        regular, have = self.dice - self.wilds, len(faces) - at
        if have > regular:
            raise _bad(f"{have} regular dice for {self}, which has {regular}")
        return f"die {have + 1} of {regular}" if have < regular else None

    def _drops(self, extra: int) -> bool:
        if self.one == "table_1":
            return 3 <= extra <= 5
        return extra == 2 if self.one == "table_2" else self.one == "remove_highest"

    def read(self, faces: Sequence[int]) -> int:
        if self.one == "plain":
            return sum(faces) + self.pips
        chains, extra, at = self._chains(faces)
        others = [sum(chain) for chain in chains[1:]] + list(faces[at:])
        if chains and chains[0] == [1] and self._drops(extra):
            return sum(others) - max(others, default=0) + self.pips
        return sum(map(sum, chains[:1])) + sum(others) + self.pips

    def flag(self, faces: Sequence[int]) -> str:
        """'' or, after a 1 on the Wild Die: 'complication' ('bad complication', or '' again, by a house table)."""
        if not self.wilds or not faces or faces[0] != 1:
            return ""
        if not self.one.startswith("table"):
            return "complication"
        extra = faces[1]
        if extra == 1:
            return "bad complication"
        return "complication" if self.one == "table_1" and extra == 2 else ""

    def throw(self, die: Iterator[int]) -> tuple[int, ...]:
        faces: list[int] = []
        for number in range(self.wilds):
            start = len(faces)
            face = next(die)
            faces.append(face)
            while face == 6 and self.rethrow:
                if len(faces) - start > MAX_RETHROWS:
                    raise _too_much(f"a Wild Die was thrown again more than {MAX_RETHROWS} times")
                face = next(die)
                faces.append(face)
            if number == 0 and faces == [1] and self.one.startswith("table"):
                faces.append(next(die))
        faces.extend(islice(die, self.dice - self.wilds))
        return tuple(faces)

    def outcomes(self) -> Outcomes[int]:
        return _wild_totals(self)

    def outcomes_after(self, faces: Sequence[int]) -> Outcomes[int]:
        """Every total with its weight once the first `faces` have fallen (where a 1 drops dice, as if none had)."""
        if self.one != "plain":
            return self.outcomes()
        chains, _, at = self._chains(faces)
        wilds = self.wilds - len(chains)
        regular = self.dice - self.wilds - (len(faces) - at if at >= 0 else 0)
        return listed(pool_sums(regular, wilds, self.rethrow), sum(faces) + self.pips)

    def __str__(self) -> str:
        return _wild_text(self.dice, self.pips, self.wilds)


@lru_cache(4096)
def wild_pool(dice: int, pips: int = 0, wilds: int = 1, rethrow: bool = True, one: str = "plain") -> WildPool:
    """The WildPool of these, made once: rules ask for the same few again and again."""
    return WildPool(dice, pips, wilds, rethrow, one)


@dataclass(frozen=True, slots=True)
class Flagged:
    """A Wild Die pool read as (total, whether a 1 on the Wild Die raised its flag)."""

    pool: WildPool

    def wanted(self, faces: Sequence[int]) -> str | None:
        return self.pool.wanted(faces)

    def read(self, faces: Sequence[int]) -> tuple[int, bool]:
        return self.pool.read(faces), self.pool.flag(faces) != ""

    def flag(self, faces: Sequence[int]) -> str:
        return self.pool.flag(faces)

    def throw(self, die: Iterator[int]) -> tuple[int, ...]:
        return self.pool.throw(die)

    def outcomes(self) -> Outcomes[tuple[int, bool]]:
        return _flagged_totals(self.pool)

    def __str__(self) -> str:
        return str(self.pool)


@dataclass(frozen=True, slots=True)
class Fixed(Generic[R]):
    """No dice at all: a value that needs no throw. Lets a rule treat 'rolled' and 'given' alike."""

    value: R

    def wanted(self, faces: Sequence[int]) -> str | None:
        if faces:
            raise _bad("no dice are thrown here")
        return None

    def read(self, faces: Sequence[int]) -> R:
        return self.value

    def throw(self, die: Iterator[int]) -> tuple[int, ...]:
        return ()

    def outcomes(self) -> Outcomes[R]:
        return ((self.value, 1),)

    def __str__(self) -> str:
        return str(self.value)


@cache
def _wild_totals(pool: WildPool) -> Outcomes[int]:
    if pool.one == "plain" or not pool.wilds:
        return listed(pool_sums(pool.dice - pool.wilds, pool.wilds, pool.rethrow), pool.pips)
    found: dict[int, int] = {}
    for (total, _), weight in _flagged_totals(pool):
        found[total] = found.get(total, 0) + weight
    return tuple(sorted(found.items()))


@cache
def _flagged_totals(pool: WildPool) -> Outcomes[tuple[int, bool]]:
    after = tuple((pool._drops(extra), pool.flag((1, extra)) != "") for extra in range(1, 7))
    return by_first(pool.dice, pool.pips, pool.wilds, pool.rethrow, after)


@lru_cache(4096)
def _wild_text(dice: int, pips: int, wilds: int) -> str:
    if not wilds:
        return f"{Code(dice, pips)} (no Wild Die)"
    return f"{Code(dice - wilds + 1, pips)}" + (f" + {wilds - 1} Wild" if wilds > 1 else "")


def _bad(text: str) -> BadAnswer:
    """Errors are loaded only when there is one, so that a question of dice starts quickly."""
    from affray.errors import BadAnswer

    return BadAnswer(text)


def _too_much(text: str) -> LimitReached:
    from affray.errors import LimitReached

    return LimitReached(text)


def _limit(dice: int) -> None:
    if dice > MAX_DICE:
        raise _too_much(f"{dice} dice in one pool; at most {MAX_DICE}")
    if dice < 0:
        raise _bad(f"a pool of {dice} dice")
