"""Every outcome with its weight: mechanics and whole procedures run again on each branch.

Mechanics reached through `call` are solved once for each set of arguments. A choice is answered by a policy. `watch`
limits whom one looks at: nobody else is changed by `become`, so the answer is a marginal, never the joint.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from affray.ask import AGAIN, SELF, Choose, Request, Role, Roll, Why
from affray.dice import Pool
from affray.domains import Domain
from affray.errors import LimitReached, ReplayMismatch
from affray.events import Changed, Event, Noted, evolve, evolve_fighter, get, put
from affray.interpreters.replay import Answer, folded
from affray.modifiers import Modifier
from affray.policies import Policy
from affray.scene import checked

R = TypeVar("R")
A = TypeVar("A")
L = TypeVar("L", bound=Hashable)
Weight = Any
"""A float, or a Fraction where `number=Fraction`."""
Spread = tuple[tuple[Any, Weight], ...]


MECHANICS = 15
"""Outcomes of mechanics that cost as much as one of a whole procedure."""


def _no_pick(bound: int) -> int:
    raise ReplayMismatch("a policy that plays at random has no exact odds")


def _decided(spread: Spread) -> Spread:
    """Without the throws that decided nothing and are thrown again: the others share their weight."""
    again = sum(weight for value, weight in spread if value is AGAIN)
    return tuple([(value, weight / (1 - again)) for value, weight in spread if value is not AGAIN]) if again else spread


def _merged(spread: Spread, alike: Callable[[Any], Hashable]) -> Spread:
    """One result for all that are alike: the likeliest of them."""
    found: dict[Hashable, list[Any]] = {}
    for value, weight in spread:
        same = found.setdefault(alike(value), [value, 0])
        same[1] += weight
    return tuple([(value, weight) for value, weight in found.values()])


class Exact:
    """The scene in which everything happens. `number`: float (fast) or Fraction (exact to the last digit).

    `answers`: what people have already answered of the order (ordinals as in play). `runs` counts re-runs.
    `like`: another one of the same fight, with the same policies, whose solved mechanics may be used again.
    `alike`: fighters for whom it is equal may stand for one another. `most`: outcomes of the procedure after
    which LimitReached is raised (0: never); those of mechanics count less.
    """

    def __init__(
        self,
        state: Any,
        policy: Callable[[str], Policy],
        answers: Iterable[Answer] = (),
        watch: frozenset[str] | None = None,
        number: Callable[..., Any] = float,
        like: Exact | None = None,
        alike: Callable[[Any], Hashable] | None = None,
        most: int = 0,
    ) -> None:
        self.state = state
        self.alike, self.most = alike, most
        self.rulings = state.rulings
        self.policy = policy
        self.watch = watch
        self.number = number
        self.runs = 0
        same = like is not None and like.number is number and like.rulings == self.rulings
        self.solved: dict[tuple[Any, ...], dict[tuple[str, ...] | None, Spread]] = like.solved if like and same else {}
        """By mechanic and arguments, then by the policies that could be asked (None: it asks nobody)."""
        self._asked = 0
        self._outcomes = 0
        self._pools: dict[Any, Spread] = like._pools if like and same else {}
        self.returned: list[Any] = []
        """What the mechanics that the procedure called have answered, in this run."""
        self._given = folded(answers)
        self._last = max(self._given, default=-1)
        self._n = 0
        self._path: list[list[Any]] = []
        self._at = 0
        self._roles: dict[Role, str] = {}
        self._inside = False
        self._tail: Spread | None = None
        """Results that the run has handed on with `finish`."""

    # ---- asking

    def roll(self, pool: Pool[R], why: Why, by: Role, parts: Iterable[Modifier] = (), secret: bool = False) -> R:
        if not self._inside:
            n, self._n = self._n, self._n + 1
            if answer := self._given.get(n):
                if pool.wanted(answer.value) is None:
                    return pool.read(answer.value)
                if hasattr(pool, "outcomes_after"):  # some of its dice have fallen
                    met = self._at < len(self._path)
                    return self._again() if met else self._branch(self._begun(pool, answer.value))  # type: ignore[no-any-return]
        if self._at < len(self._path):
            return self._again()  # type: ignore[no-any-return]
        return self._branch(self._normal(pool))  # type: ignore[no-any-return]

    def read(
        self, pool: Pool[R], why: Why, by: Role, reading: Callable[[R], A], parts: Iterable[Modifier] = ()
    ) -> A:
        if not self._inside:
            return reading(self.roll(pool, why, by))
        if self._at < len(self._path):
            return self._again()  # type: ignore[no-any-return]
        found: dict[Any, Any] = {}
        for value, weight in self._normal(pool):
            told = reading(value)
            found[told] = found[told] + weight if told in found else weight
        return self._branch(tuple(found.items()))  # type: ignore[no-any-return]

    def choose(self, domain: Domain[A], why: Why, by: Role, default: A, seen: tuple[Any, ...] = ()) -> A:
        request = Choose(domain, why, self._roles.get(by, by), default, seen)
        state = None
        if not self._inside:
            n, self._n = self._n, self._n + 1
            if answer := self._given.get(n):
                return checked(request, answer.value)  # type: ignore[no-any-return]
            state = self.state
        self._asked += 1
        return checked(request, self.policy(request.by).answer(request, state, _no_pick))  # type: ignore[no-any-return]

    def all(self, requests: Sequence[Request]) -> list[Any]:
        return [
            self.roll(r.pool, r.why, r.by) if isinstance(r, Roll) else self.choose(r.domain, r.why, r.by, r.default, r.seen)
            for r in requests
        ]

    def call(
        self,
        mechanic: Callable[..., R],
        *args: Any,
        roles: dict[Role, str] | None = None,
        alike: Callable[[R], Hashable] | None = None,
    ) -> R:
        if self._inside:
            return self._call(mechanic, args, roles, alike)  # type: ignore[no-any-return]
        found = self._call(mechanic, args, roles, alike)
        self.returned.append(found)
        return found  # type: ignore[no-any-return]

    def finish(self, mechanic: Callable[..., R], *args: Any) -> R:
        if not self._inside:
            return self.call(mechanic, *args)
        names = tuple([self.policy(who).name for who in self._roles.values()])
        self._tail = self.solve(mechanic, args, names)
        return self._tail  # type: ignore[return-value]

    def tell(self, event: Event, me: Any = None) -> Any:
        if type(event) is Noted:
            return me
        if me is None:
            self.state = evolve(event, self.state)
            return None
        return evolve_fighter(event, me) if type(event) is Changed else me

    def become(self, who: str, mechanic: Callable[..., Any], *args: Any, roles: dict[Role, str] | None = None) -> None:
        if self.watch is not None and who not in self.watch and self._n > self._last:
            return
        me = self._call(mechanic, (get(self.state, who), *args), {**(roles or {}), SELF: who}, self.alike)
        self.state = put(self.state, me)

    # ---- solving

    def solve(self, mechanic: Callable[..., Any], args: tuple[Any, ...], names: tuple[str, ...] = ()) -> Spread:
        """All results of `mechanic(ask, *args)` with weights that sum to one, most likely first. Kept by its arguments."""
        known = self.solved.setdefault((mechanic, args), {})
        if (found := known.get(None)) is not None:
            return found
        found = known.get(names)
        if found is None:
            inside, self._inside = self._inside, True
            asked = self._asked
            found = self._enumerate(lambda: mechanic(self, *args))
            known[names if self._asked > asked else None] = found
            self._inside = inside
        else:
            self._asked += 1
        return found

    def solve_as(self, roles: dict[Role, str], mechanic: Callable[..., Any], *args: Any, keep: bool = False) -> Spread:
        """All results of `mechanic(ask, *args)` with these people (or policies) in its roles, most likely first.

        Like the mechanics below a procedure: no answers that people have given, nothing read from the scene, except what
        the mechanic has put into `state` itself. `keep`: solved once for its arguments and the policies in the roles.
        """
        outer, inside = self._roles, self._inside
        self._roles, self._inside = roles, True
        try:
            if keep:
                return self.solve(mechanic, args, tuple([self.policy(who).name for who in roles.values()]))
            return self._enumerate(lambda: mechanic(self, *args))
        finally:
            self._roles, self._inside = outer, inside

    def pools(self) -> tuple[Any, ...]:
        """All dice that were thrown so far."""
        return tuple(self._pools)

    def odds(self, procedure: Callable[[Any], Any], label: Callable[[Any], L]) -> dict[L, Weight]:
        """Weights of `label(state)` after `procedure(scene)`, summing to one, most likely first.

        `label` may also look at `returned`.
        """

        def run() -> L:
            self.returned = []
            procedure(self)
            return label(self.state)

        return dict(self._enumerate(run))

    def _call(
        self,
        mechanic: Callable[..., Any],
        args: tuple[Any, ...],
        roles: dict[Role, str] | None,
        alike: Callable[[Any], Hashable] | None = None,
    ) -> Any:
        asked = not self._inside and self._n <= self._last  # some of it has been answered by people
        if not asked and self._at < len(self._path):
            return self._again()
        outer = self._roles
        if roles is not None:
            self._roles = {**outer, **roles}
        try:
            if asked:
                return mechanic(self, *args)
            names = tuple([self.policy(who).name for who in self._roles.values()])
            spread = _decided(self.solve(mechanic, args, names))
            return self._branch(spread if alike is None else _merged(spread, alike))
        finally:
            self._roles = outer

    def _normal(self, pool: Pool[Any]) -> Spread:
        spread = self._pools.get(pool)
        if spread is None:
            outcomes = pool.outcomes()
            whole = sum(weight for _, weight in outcomes)
            number = Fraction if self.number is Fraction else lambda a, b: self.number(a / b)
            spread = self._pools[pool] = tuple([(value, number(weight, whole)) for value, weight in outcomes])
        return spread

    def _begun(self, pool: Any, faces: Sequence[int]) -> Spread:
        """What can still come of dice of which some have fallen."""
        outcomes = pool.outcomes_after(faces)
        whole = sum(weight for _, weight in outcomes)
        return tuple([(value, self.number(Fraction(weight, whole))) for value, weight in outcomes])

    def _branch(self, spread: Spread) -> Any:
        """A new branching of this run: its first outcome."""
        before = self.number(1)
        if self._path:
            last, which, before = self._path[-1]
            before = before * last[which][1]
        self._path.append([spread, 0, before])
        self._at += 1
        return spread[0][0]

    def _again(self) -> Any:
        """The outcome that this run takes at a branching that an earlier run has met. Nothing is worked out anew."""
        spread, which, _ = self._path[self._at]
        self._at += 1
        return spread[which][0]

    def _enumerate(self, run: Callable[[], Any]) -> Spread:
        """An odometer over the branches: run, advance the last branch that has outcomes left, run again."""
        saved = self._path, self._at, self.state, self._n
        path: list[list[Any]] = []
        self._path = path
        found: dict[Any, Any] = {}
        one = self.number(1)
        while True:
            self._at, self.state, self._n = 0, saved[2], saved[3]
            result = run()
            self.runs += 1
            self._outcomes += not self._inside
            if self.most and (self._outcomes > self.most or self.runs > MECHANICS * self.most):
                raise LimitReached(f"more than {self.most} outcomes to follow one by one")
            weight = one
            if path:
                spread, which, before = path[-1]
                weight = before * spread[which][1]
            if self._tail is None:
                found[result] = found[result] + weight if result in found else weight
            else:
                assert result is self._tail, "the result of `finish` must be returned as it is"
                self._tail = None
                for one_result, share in result:
                    found[one_result] = found.get(one_result, 0) + weight * share
            while path and path[-1][1] + 1 == len(path[-1][0]):
                path.pop()
            if not path:
                break
            path[-1][1] += 1
        self._path, self._at, self.state, self._n = saved
        return tuple(sorted(found.items(), key=lambda pair: -pair[1]))
