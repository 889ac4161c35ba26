"""Exact chances of what an order comes to: every total of every roll, with fractions.

Slow and plain on purpose: nothing is solved beforehand or kept, so it checks the quick ways against the rules themselves.
A course is followed only until the event that tells the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from affray.ask import Choose, Request, Roll
from affray.errors import LimitReached
from affray.interpreters.replay import Replay
from affray.scene import Recorder, checked

MAX_RUNS = 500_000
"""Different courses of one order after which it is given up."""


class Whole(Recorder):
    """A scene that follows one path through the outcomes; `path` holds [outcomes, position, weight] of each roll."""

    def __init__(self, state: Any, answer: Callable[[Choose], Any], path: list[list[Any]]) -> None:
        super().__init__(state, Replay())
        self.answer, self.path = answer, path
        self.at, self.weight, self.result = 0, Fraction(1), ""

    def roll(self, pool: Any, why: Any, by: Any, parts: Iterable[Any] = (), secret: bool = False) -> Any:
        self.n += 1
        if self.at == len(self.path):
            outcomes = pool.outcomes()
            self.path.append([outcomes, 0, sum(weight for _, weight in outcomes)])
        outcomes, position, whole = self.path[self.at]
        self.at += 1
        value, weight = outcomes[position]
        self.weight *= Fraction(weight, whole)
        return value

    def choose(self, domain: Any, why: Any, by: Any, default: Any, seen: tuple[Any, ...] = ()) -> Any:
        self.n += 1
        request = Choose(domain, why, self._roles.get(by, by), default, seen)
        return checked(request, self.answer(request))

    def tell(self, event: Any, me: Any = None) -> Any:
        for key, value in getattr(event, "data", ()):
            if key == "result":
                self.result = str(value)
                raise _Told
        return super().tell(event, me)

    def all(self, requests: Sequence[Request]) -> list[Any]:
        return [
            self.roll(one.pool, one.why, one.by)
            if isinstance(one, Roll)
            else self.choose(one.domain, one.why, one.by, one.default, one.seen)
            for one in requests
        ]


class _Told(Exception):
    """The result is known; what follows does not matter."""


def results(state: Any, procedure: Callable[[Any], None], answer: Callable[[Choose], Any]) -> dict[str, Fraction]:
    """Chance of each `result` that an event of `procedure(scene)` tells first ('' : none); they sum to one.

    Raises LimitReached when there are too many courses.
    """
    path: list[list[Any]] = []
    found: dict[str, Fraction] = {}
    for _ in range(MAX_RUNS):
        scene = Whole(state, answer, path)
        with suppress(_Told):
            procedure(scene)
        found[scene.result] = found.get(scene.result, Fraction(0)) + scene.weight
        del path[scene.at :]
        while path and path[-1][1] + 1 == len(path[-1][0]):
            path.pop()
        if not path:
            return found
        path[-1][1] += 1
    raise LimitReached(f"more than {MAX_RUNS} courses of this order; ask about a smaller one")
