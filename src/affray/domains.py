"""What may be answered to a question: each domain checks an answer and can be listed or sampled.

The fields of an order use the same domains, so the terminal and the page need one widget for each.
It must not know rules: what is legal is decided by whoever builds the domain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from affray.errors import BadAnswer, nearest, steering

A_co = TypeVar("A_co", covariant=True)
Pick = Callable[[int], int]
"""Draws a whole number from 0 up to, not including, its argument."""


class Domain(Protocol[A_co]):
    """The answers to one question."""

    def check(self, answer: Any) -> A_co:
        """The answer in its proper shape. Raises BadAnswer saying what was expected."""

    def sample(self, pick: Pick) -> A_co:
        """Some allowed answer."""


def _refuse(answer: Any, expected: str, known: Iterable[Any] = ()) -> BadAnswer:
    near = nearest(answer, [str(k) for k in known]) if isinstance(answer, str) else ""
    return BadAnswer(f"{answer!r} does not answer this; expected {expected}" + (f"; did you mean {near!r}?" if near else ""))


class OneOf(Struct, frozen=True, tag="one_of"):
    """One of the listed values (text, numbers, yes/no)."""

    options: tuple[Any, ...]

    def check(self, answer: Any) -> Any:
        if isinstance(answer, list):
            answer = tuple(answer)
        for option in self.options:
            if option == answer and type(option) is type(answer):
                return option
        raise _refuse(answer, "one of " + ", ".join(map(str, self.options)), self.options)

    def sample(self, pick: Pick) -> Any:
        return self.options[pick(len(self.options))]


class YesNo(Struct, frozen=True, tag="yes_no"):
    """Yes or no."""

    def check(self, answer: Any) -> bool:
        if isinstance(answer, bool):
            return answer
        raise _refuse(answer, "yes or no")

    def sample(self, pick: Pick) -> bool:
        return pick(2) == 1


class Number(Struct, frozen=True, tag="number"):
    """A whole number from `least` to `most`, both included."""

    least: int
    most: int

    def check(self, answer: Any) -> int:
        if type(answer) is int and self.least <= answer <= self.most:
            return answer
        raise _refuse(answer, f"a whole number from {self.least} to {self.most}")

    def sample(self, pick: Pick) -> int:
        return self.least + pick(self.most - self.least + 1)


class Split(Struct, frozen=True, tag="split"):
    """`total` distributed over named places, each with the most it takes. Answer: one number a place, in that order."""

    total: int
    places: tuple[tuple[str, int], ...]

    def check(self, answer: Any) -> tuple[int, ...]:
        if isinstance(answer, dict):
            known = [name for name, _ in self.places]
            if strange := [name for name in answer if name not in known]:
                raise _refuse(strange[0], "a share for each of " + ", ".join(known), known)
            answer = [answer.get(name, 0) for name in known]
        expected = f"{self.total} over " + ", ".join(f"{name} (at most {most})" for name, most in self.places)
        if not isinstance(answer, list | tuple) or len(answer) != len(self.places) or sum(map(_int, answer)) != self.total:
            raise _refuse(answer, expected)
        if any(not 0 <= share <= most for share, (_, most) in zip(answer, self.places, strict=True)):
            raise _refuse(answer, expected)
        return tuple(answer)

    def sample(self, pick: Pick) -> tuple[int, ...]:
        left, room, shares = self.total, sum(most for _, most in self.places), []
        for _, most in self.places:
            room -= most
            least, top = max(0, left - room), min(most, left)
            shares.append(least + pick(top - least + 1))
            left -= shares[-1]
        return tuple(shares)


class Subset(Struct, frozen=True, tag="subset"):
    """Some of the listed values, at least `least` and at most `most` of them (-1: all), in the listed order."""

    options: tuple[Any, ...]
    least: int = 0
    most: int = -1

    def check(self, answer: Any) -> tuple[Any, ...]:
        top = len(self.options) if self.most < 0 else self.most
        expected = f"{self.least} to {top} of " + ", ".join(map(str, self.options))
        if not isinstance(answer, list | tuple):
            raise _refuse(answer, expected)
        for one in answer:
            if one not in self.options:
                raise _refuse(one, expected, self.options)
        if len(set(answer)) != len(answer) or not self.least <= len(answer) <= top:
            raise _refuse(answer, expected)
        return tuple(option for option in self.options if option in answer)

    def sample(self, pick: Pick) -> tuple[Any, ...]:
        top = len(self.options) if self.most < 0 else self.most
        left, count = list(self.options), self.least + pick(top - self.least + 1)
        chosen = [left.pop(pick(len(left))) for _ in range(count)]
        return tuple(option for option in self.options if option in chosen)


class Ranking(Struct, frozen=True, tag="ranking"):
    """All the listed values, put in an order."""

    options: tuple[Any, ...]

    def check(self, answer: Any) -> tuple[Any, ...]:
        if isinstance(answer, list | tuple) and len(answer) == len(self.options) and set(answer) == set(self.options):
            return tuple(answer)
        raise _refuse(answer, "all of these in some order: " + ", ".join(map(str, self.options)))

    def sample(self, pick: Pick) -> tuple[Any, ...]:
        left = list(self.options)
        return tuple(left.pop(pick(len(left))) for _ in self.options)


class Place(Struct, frozen=True, tag="place"):
    """A position (x, y) on the grid, within `reach` steps of `around` when that is given (the rules judge the rest)."""

    around: tuple[int, int] | None = None
    reach: int = 0

    def check(self, answer: Any) -> tuple[int, int]:
        if not isinstance(answer, list | tuple) or len(answer) != 2 or not all(type(c) is int for c in answer):
            raise _refuse(answer, "a position [x, y]")
        x, y = answer
        if abs(x) > 100_000 or abs(y) > 100_000:
            raise _refuse(answer, "a position within 100000 of the origin")
        if self.around and max(abs(x - self.around[0]), abs(y - self.around[1])) > self.reach:
            raise _refuse(answer, f"a position within {self.reach} of {list(self.around)}")
        return (x, y)

    def sample(self, pick: Pick) -> tuple[int, int]:
        x, y = self.around or (0, 0)
        return (x - self.reach + pick(2 * self.reach + 1), y - self.reach + pick(2 * self.reach + 1))


class AnOrder(Struct, frozen=True, tag="order"):
    """A whole order by `by` with one of these verbs, or nothing (None: pass). The rules judge the order itself."""

    by: str
    orders: tuple[Any, ...]
    """Ready examples of what may be ordered (each a legal order)."""

    def check(self, answer: Any) -> Any:
        if answer is None or answer in ("pass", "none"):
            return None
        verbs = sorted({order.verb for order in self.orders})
        verb = answer.get("do") if isinstance(answer, dict) else getattr(answer, "verb", None)
        if verb not in verbs:
            raise _refuse(answer, "'pass' or an order: " + ", ".join(verbs))
        return answer

    def sample(self, pick: Pick) -> Any:
        chosen = pick(len(self.orders) + 1)
        return self.orders[chosen] if chosen < len(self.orders) else None


class Text(Struct, frozen=True, tag="text"):
    """The referee's words."""

    most: int = 500

    def check(self, answer: Any) -> str:
        if isinstance(answer, str) and len(answer) <= self.most and not steering(answer):
            return answer
        raise _refuse(answer, f"words (at most {self.most} letters)")

    def sample(self, pick: Pick) -> str:
        return ""


def _int(share: Any) -> int:
    return share if type(share) is int else 10**9
