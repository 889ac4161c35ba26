"""Questions of dice alone, without a fight: totals, tests, opposed rolls, damage against a resistance, 2D6 checks.

Weights are whole numbers. Nothing here loads a ruleset unless one is named: plain D6 with one Wild Die is the core's own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from affray.dice import Code, PlainPool, WildPool, wild_pool
from affray.odds.distribution import Distribution, fraction_text
from affray.totals import CUT

if TYPE_CHECKING:
    from affray.ruleset import Dice

CUT_NOTE = f"a Wild Die is followed for {CUT} re-throws; what lies beyond (1 in 6^{CUT + 1}) counts as its least total"
CHECK_NEED = 8
"""What a 2D6 check must reach."""


class Test(NamedTuple):
    """A roll against a number: the chance, and by how much it is made (negative: missed)."""

    name: str
    need: int
    total: Distribution
    margin: Distribution
    least: int | None = None
    """The lowest total that succeeds; None: none does."""

    @property
    def success(self) -> float:
        return self.margin.at_least(0)

    @property
    def exact(self) -> str:
        """The chance as a fraction in text."""
        return fraction_text(self.margin.weight_from(0), self.margin.whole)

    def plain(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "need": self.need,
            "success": {"probability": self.success, "exact": self.exact},
            "total": self.total.plain(),
            "margin": self.margin.plain(),
        }

    def plot(self, path: str | None = None) -> Any:
        return self.total.plot(path)


class Opposed(NamedTuple):
    """Two rolls against each other: `ahead` is by how much the first is higher (negative: lower)."""

    name: str
    ahead: Distribution

    @property
    def wins(self) -> float:
        return self.ahead.at_least(1)

    @property
    def ties(self) -> float:
        return self.ahead.chance(0)

    @property
    def loses(self) -> float:
        return 1 - self.ahead.at_least(0)

    def result(self) -> Distribution:
        """The three ways it can end."""
        words = {1: "first higher", 0: "equal", -1: "second higher"}
        found = self.ahead.read(self.name, lambda by: words[(by > 0) - (by < 0)])
        return Distribution(self.name, tuple((w, found.weight(w)) for w in words.values()), found.whole, found.note)

    def plain(self) -> dict[str, Any]:
        return {"name": self.name, "result": self.result().plain(), "ahead": self.ahead.plain()}

    def plot(self, path: str | None = None) -> Any:
        return self.ahead.plot(path)


class Table(NamedTuple):
    """Chances over ranges: one row for each of `rows`, one column for each of `columns`."""

    name: str
    rows: tuple[Any, ...]
    columns: tuple[Any, ...]
    cells: tuple[tuple[float, ...], ...]
    exact: tuple[tuple[str, ...], ...] = ()
    note: str = ""

    def plain(self) -> dict[str, Any]:
        plain: dict[str, Any] = {"name": self.name, "rows": self.rows, "columns": self.columns, "probability": self.cells}
        if self.exact:
            plain["exact"] = self.exact
        if self.note:
            plain["note"] = self.note
        return plain

    def plot(self, path: str | None = None) -> Any:
        from affray.odds.plot import lines

        series = [(str(column), [row[i] for row in self.cells]) for i, column in enumerate(self.columns)]
        return lines(self.name, self.rows, series, path)


# ---- the dice


def dice_of(ruleset: str) -> Dice | None:
    """How a ruleset throws and reads dice; None for the core's own (and for '')."""
    if not ruleset:
        return None
    from affray.ruleset import find

    return find(ruleset).dice


def pool_of(dice: str | Code | Any, ruleset: str = "") -> Any:
    """The pool of a text ('5D+1'), a code, or a pool as it is."""
    if isinstance(dice, str):
        return _read(dice, ruleset)
    if isinstance(dice, Code):
        return wild_pool(dice.dice, dice.pips, min(1, dice.dice))
    return dice


@lru_cache(1024)
def _read(text: str, ruleset: str) -> Any:
    rules = dice_of(ruleset)
    return pool_of(Code.parse(text)) if rules is None else rules.pool(text)


def cut_note(pool: Any) -> str:
    """What is cut off of a pool's chances, in words; '' for dice that do not explode."""
    inner = getattr(pool, "rolled", pool)
    inner = getattr(inner, "pool", inner)
    return CUT_NOTE if isinstance(inner, WildPool) and inner.wilds and inner.rethrow else ""


@lru_cache(1024)
def tail(pool: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The results of a pool from the lowest, and for each the weight of it and of all higher ones."""
    outcomes = sorted(pool.outcomes())
    above = tuple(accumulate([weight for _, weight in reversed(outcomes)]))[::-1]
    return tuple([value for value, _ in outcomes]), (*above, 0)


def ways(pool: Any, need: int) -> tuple[int, int]:
    """Weight of all results of at least `need`, and the weight of all: the chance is the one over the other."""
    values, above = tail(pool)
    return above[bisect_left(values, need)], above[0]


def chance(dice: str | Code | Any, need: int) -> float:
    """Probability that the dice reach `need`."""
    reached, whole = ways(pool_of(dice), need)
    return reached / whole


# ---- the questions


def total(dice: str | Code | Any, ruleset: str = "") -> Distribution:
    """The totals of some dice."""
    pool = pool_of(dice, ruleset)
    return Distribution.of(str(pool), pool.outcomes(), cut_note(pool))


def test(dice: str | Code | Any, difficulty: int, ruleset: str = "") -> Test:
    """Some dice against a difficulty, as the ruleset compares them (without one: total against number)."""
    totals = total(dice, ruleset)
    rules = dice_of(ruleset)
    margin: Callable[[int], int] = (lambda t: rules.margin(t, difficulty)) if rules else (lambda t: t - difficulty)
    least = min([value for value in totals.values if margin(value) >= 0], default=None)
    return Test(f"{totals.name} against {difficulty}", difficulty, totals, totals.read("margin", margin), least)


def opposed(first: str | Code | Any, second: str | Code | Any, ruleset: str = "") -> Opposed:
    """Two rolls against each other, by their totals."""
    one, two = total(first, ruleset), total(second, ruleset)
    ahead: dict[int, int] = {}
    for high, weight in one.outcomes:
        for low, other in two.outcomes:
            by = high - low
            ahead[by] = ahead.get(by, 0) + weight * other
    name = f"{one.name} against {two.name}"
    whole = Distribution(name, tuple(sorted(ahead.items())), one.whole * two.whole, one.note or two.note)
    return Opposed(name, whole)


def damage(dice: str | Code | Any, resistance: int, ruleset: str = "rond6") -> Distribution:
    """What damage dice do against a fixed resistance, in the words of the ruleset, from nothing to the worst."""
    rules = dice_of(ruleset)
    if rules is None or rules.harm is None:
        from affray.errors import AffrayError

        what = "a damage roll and a fixed resistance do not say what happens there; ask for the odds of an attack"
        raise AffrayError(f"{ruleset or 'plain dice'}: {what}")
    harm = rules.harm
    totals = total(dice, ruleset)
    return totals.read(f"{totals.name} damage against {resistance}", lambda dealt: harm(dealt - resistance))


def check(dm: int = 0, need: int = CHECK_NEED, ruleset: str = "cepheus") -> Test:
    """2D6 and a modifier against 8 (or another number); the margin is the Effect."""
    rules = dice_of(ruleset)
    totals = Distribution.of(f"2D6{dm:+d}", [(natural + dm, weight) for natural, weight in PlainPool(2).outcomes()])
    if rules is not None and rules.check is not None:
        effect = rules.check

        def read(value: int) -> int:
            return effect(value - dm, dm, need)
    else:

        def read(value: int) -> int:
            return value - need

    least = min([value for value in totals.values if read(value) >= 0], default=None)
    return Test(f"{totals.name} against {need}", need, totals, totals.read("Effect", read), least)


def table(codes: Sequence[str], needs: Sequence[int], ruleset: str = "") -> Table:
    """Chances of each of some dice ('4D+1') against each of some numbers, exact."""
    rows = [[test(code, need, ruleset) for need in needs] for code in codes]
    cells = tuple(tuple([one.success for one in row]) for row in rows)
    exact = tuple(tuple([one.exact for one in row]) for row in rows)
    note = next((row[0].total.note for row in rows if row and row[0].total.note), "")
    return Table("chance by dice and difficulty", tuple(codes), tuple(needs), cells, exact, note)


def check_table(dms: Sequence[int], needs: Sequence[int] = (CHECK_NEED,), ruleset: str = "cepheus") -> Table:
    """Chances of a 2D6 check over modifiers and numbers."""
    rows = [[check(dm, need, ruleset) for need in needs] for dm in dms]
    cells = tuple(tuple([one.success for one in row]) for row in rows)
    exact = tuple(tuple([one.exact for one in row]) for row in rows)
    return Table("chance of a 2D6 check by modifier", tuple(f"{dm:+d}" for dm in dms), tuple(needs), cells, exact)
