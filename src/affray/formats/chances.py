"""Exact chances of what an order comes to: every total of every roll, with fractions.

Slow and plain on purpose: nothing is solved beforehand or kept, so it checks the quick ways against the rules themselves.
A course is followed only until the event that tells the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from affray.ask import Choose, Request, Roll
from affray.errors import AffrayError, LimitReached
from affray.formats.expect import Seen
from affray.formats.script import Failed
from affray.interpreters.exact import Exact
from affray.interpreters.replay import Replay
from affray.ruleset import Ruleset
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


# ---- what a case says about odds


class Given:
    """The policy under which odds are worked out: answers by (who, which question), else the default."""

    name = "given"

    def __init__(self, answers: Mapping[tuple[str, str], Any]) -> None:
        self.answers = answers

    def order(self, state: Any, who: str, pick: Any) -> Any:
        raise AffrayError("odds are asked of one order")

    def of(self, request: Choose) -> Any:
        """The answer to a request."""
        return self.answers.get((request.by, request.why.key), request.default)

    def answer(self, request: Choose, state: Any, pick: Any) -> Any:
        """As a policy answers."""
        return self.of(request)


def verify_odds(
    ruleset: Ruleset, state: Any, order: Any, answers: Mapping[tuple[str, str], Any], expect: Mapping[str, Any]
) -> None:
    """Raises Failed unless each chance of `expect` is right: of a result ('hit'), or of 'NAME.field = value'."""
    given = Given(answers)

    def procedure(scene: Any) -> None:
        ruleset.perform(scene, order)

    paths = [path for path in expect if "=" in path]
    told = results(state, procedure, given.of) if len(paths) < len(expect) else {}
    found: dict[Any, Fraction] = {}
    if paths:
        exact = Exact(state, lambda who: given, number=Fraction)
        found = exact.odds(procedure, lambda after: tuple(holds(ruleset, after, path) for path in paths))
    for path, expected in expect.items():
        if path in paths:
            at = paths.index(path)
            chance = sum((weight for label, weight in found.items() if label[at]), Fraction(0))
        else:
            chance = told.get(path, Fraction(0))
        if not _equal(path, expected, chance):
            raise Failed(f"odds: {path}", expected, f"{chance} (about {float(chance):.6f})")


def holds(ruleset: Ruleset, state: Any, path: str) -> bool:
    """Whether 'Thief.wounds = 2' or 'Thief.wounds >= 2' is so."""
    where, _, value = path.partition("=")
    actual = Seen(ruleset, state, (), (), "").look_up(where.rstrip("> "))
    value = value.strip()
    wanted: Any = int(value) if value.lstrip("-").isdigit() else value
    if where.rstrip().endswith(">"):
        return bool(actual >= wanted)
    return str(actual).lower() == value.lower() if isinstance(actual, bool) else bool(actual == wanted)


def _equal(path: str, expected: Any, chance: Fraction) -> bool:
    """Whether a chance is what a case says: '5/12' to the last digit, a decimal number to 9 places."""
    try:
        if isinstance(expected, str):
            return Fraction(expected.replace(" ", "")) == chance
        return abs(float(expected) - float(chance)) < 1e-9
    except (ValueError, TypeError, ZeroDivisionError):
        raise Failed(f"odds: {path}", "a fraction such as '5/12'", expected) from None


def order_in(value: Any, by: str) -> Any:
    """An answer that is an order need not repeat who gives it."""
    if isinstance(value, dict) and "do" in value and "by" not in value:
        return {"by": by, **value}
    return value
