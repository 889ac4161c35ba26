"""Numbers that explain themselves: a number a person sees is the sum of modifiers, each with its source and rule id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, SupportsIndex

from msgspec import Struct


class Modifier(Struct, frozen=True):
    """One part of a number. `unit` is 'D' (dice), '' (added to the total) or a word of the ruleset; `source` is for people."""

    amount: int
    unit: str
    source: str
    rule: str

    def __str__(self) -> str:
        return f"{self.amount:+d}{self.unit} {self.source}" + (f" [{self.rule}]" if self.rule else "")


class Parts(tuple[Modifier, ...]):
    """The provenance of a number. It rides along: two values that differ only in their parts are equal and hash alike."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple)

    def __ne__(self, other: object) -> bool:
        return not isinstance(other, tuple)

    def __hash__(self) -> int:
        return 0

    def __add__(self, other: Any) -> Parts:
        return Parts([*self, *other])

    def __getitem__(self, index: SupportsIndex | slice) -> Any:
        found: Any = tuple.__getitem__(self, index)
        return Parts(found) if isinstance(index, slice) else found


NO_PARTS = Parts()


def total(parts: Iterable[Modifier], unit: str = "") -> int:
    """Sum of the parts in one unit."""
    return sum(part.amount for part in parts if part.unit == unit)


def listed(*parts: tuple[int, str, str, str]) -> Parts:
    """Parts from (amount, unit, source, rule), leaving out those that amount to nothing."""
    return Parts([Modifier(*part) for part in parts if part[0]])


def explain(parts: Iterable[Modifier]) -> str:
    """'7D skill [R-1] −1D two actions [R-2] +2 coordinated [R-3]'. The first part carries no plus sign."""
    told: list[str] = []
    for part in parts:
        sign = "−" if part.amount < 0 else "+" if told else ""
        told.append(f"{sign}{abs(part.amount)}{part.unit} {part.source}" + (f" [{part.rule}]" if part.rule else ""))
    return " ".join(told)
