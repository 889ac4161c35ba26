"""What odds come to: plain frozen data that adds up to one, with its exact fractions.

It must not know rules or fights, and needs nothing but the standard library, so that a question of dice starts quickly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import gcd
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction

    from matplotlib.figure import Figure


class Distribution(NamedTuple):
    """Results with their weights, in the order in which they are listed.

    `whole` is the sum of all weights: a whole number where weights are whole (exact), 1 where they are fractions or floats.
    `note` says what the figures leave out (where exploding dice are cut off).
    """

    name: str
    outcomes: tuple[tuple[Any, Any], ...]
    whole: Any = 1
    note: str = ""

    @staticmethod
    def of(name: str, outcomes: Iterable[tuple[Any, Any]], note: str = "") -> Distribution:
        """From results with whole weights."""
        listed = tuple(outcomes)
        return Distribution(name, listed, sum([weight for _, weight in listed]), note)

    @property
    def values(self) -> tuple[Any, ...]:
        return tuple(value for value, _ in self.outcomes)

    def weight(self, value: Any) -> Any:
        return sum([weight for known, weight in self.outcomes if known == value])

    def weight_from(self, least: int) -> Any:
        """Weight of all results of at least `least`."""
        return sum([weight for value, weight in self.outcomes if value >= least])

    def chance(self, value: Any) -> float:
        """Probability of one result."""
        return float(self.weight(value) / self.whole)

    def at_least(self, least: int) -> float:
        """Probability of a result of at least `least`."""
        return float(self.weight_from(least) / self.whole)

    def exact(self, value: Any) -> Fraction:
        """Probability of one result as a fraction (of a float, the float itself as a fraction)."""
        from fractions import Fraction

        return Fraction(self.weight(value)) / Fraction(self.whole)

    def exactly_at_least(self, least: int) -> Fraction:
        """Probability of a result of at least `least`, as a fraction."""
        from fractions import Fraction

        return Fraction(self.weight_from(least)) / Fraction(self.whole)

    @property
    def is_exact(self) -> bool:
        """Whether the weights are whole numbers or fractions."""
        return not isinstance(self.whole + sum([weight for _, weight in self.outcomes[:1]]), float)

    @property
    def numeric(self) -> bool:
        return all(isinstance(value, int) and not isinstance(value, bool) for value, _ in self.outcomes)

    def mean(self) -> float:
        """Expectation of numeric results."""
        return float(sum([value * weight for value, weight in self.outcomes]) / self.whole)

    def read(self, name: str, reading: Callable[[Any], Any]) -> Distribution:
        """The same chances of what `reading` makes of each result, equal ones put together in the order they come up."""
        found: dict[Any, Any] = {}
        for value, weight in self.outcomes:
            key = reading(value)
            found[key] = found[key] + weight if key in found else weight
        return Distribution(name, tuple(found.items()), self.whole, self.note)

    def named(self, name: str) -> Distribution:
        return Distribution(name, self.outcomes, self.whole, self.note)

    def plain(self) -> dict[str, Any]:
        """As JSON types: each result with its probability as a float and, where that is exact, as a fraction in text."""
        rows = []
        for value, weight in self.outcomes:
            row = {"result": value, "probability": float(weight / self.whole)}
            if self.is_exact:
                row["exact"] = fraction_text(weight, self.whole)
            rows.append(row)
        plain: dict[str, Any] = {"name": self.name, "results": rows}
        if self.numeric:
            plain["mean"] = self.mean()
        if self.note:
            plain["note"] = self.note
        return plain

    def plot(self, path: str | None = None) -> Figure:
        """A bar chart (matplotlib), written to `path` (.png, .svg, .pdf) where one is given."""
        from affray.odds.plot import bars

        return bars([self], path)


def fraction_text(weight: Any, whole: Any) -> str:
    """weight/whole in lowest terms: '5/12', '1', '0'."""
    if not isinstance(weight, int):
        share = weight / whole
        return str(share)
    common = gcd(weight, whole) or 1
    top, bottom = weight // common, whole // common
    return f"{top}" if bottom == 1 else f"{top}/{bottom}"


def percent(share: float) -> str:
    """'12.35 %', with what is too small to be told so from none marked."""
    if 1e-12 < share < 0.00005:
        return "<0.01 %"
    if 0.99995 < share < 1 - 1e-12:
        return ">99.99 %"
    return f"{100 * share:.2f} %"
