"""The scene: what a procedure is handed. An `Ask` that also holds the state.

`Scene` is the protocol that rules are written against; `Recorder` is the scene of real play: it takes answers from a
source, applies events and keeps them. It must not know any ruleset, nor where answers come from.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from msgspec import to_builtins
from msgspec.structs import replace

from affray.ask import SELF, Ask, Choose, Open, Pending, Request, Role, Roll, Why
from affray.dice import Pool
from affray.domains import Domain
from affray.errors import BadAnswer
from affray.events import Changed, Chose, Event, Rolled, evolve, evolve_fighter, get, put
from affray.modifiers import Modifier

S = TypeVar("S")
R = TypeVar("R")
A = TypeVar("A")


class Scene(Ask, Protocol[S]):
    """An `Ask` with a state. Procedures read `state` afresh after anything that may have changed it."""

    state: S

    def become(self, who: str, mechanic: Callable[..., Any], *args: Any, roles: dict[Role, str] | None = None) -> None:
        """Run `mechanic(ask, fighter, *args)`, in which the fighter `who` changes alone."""


class Source(Protocol):
    """Where a recorder's answers come from."""

    def faces(self, n: int, request: Roll) -> Sequence[int]:
        """Complete faces for the request with ordinal `n`. Raises Pending when somebody has to throw."""

    def answer(self, n: int, request: Choose, state: Any) -> Any:
        """The answer to the request with ordinal `n`. Raises Pending when somebody has to decide."""


class Recorder:
    """The scene of real play. After a run: `state`, `events`, and `n`, the number of requests made."""

    def __init__(self, state: Any, source: Source) -> None:
        self.state = state
        self.source = source
        self.events: list[Event] = []
        self.n = 0
        self._roles: dict[Role, str] = {}

    @property
    def rulings(self) -> Any:
        return self.state.rulings

    def roll(self, pool: Pool[R], why: Why, by: Role, parts: Iterable[Modifier] = (), secret: bool = False) -> R:
        request = Roll(pool, why, self._roles.get(by, by), tuple(parts), secret)
        n = self.n
        self.n = n + 1
        return self._rolled(n, request, self.source.faces(n, request))  # type: ignore[no-any-return]

    def read(
        self, pool: Pool[R], why: Why, by: Role, reading: Callable[[R], A], parts: Iterable[Modifier] = ()
    ) -> A:
        return reading(self.roll(pool, why, by, parts))

    def choose(self, domain: Domain[A], why: Why, by: Role, default: A, seen: tuple[Any, ...] = ()) -> A:
        request = Choose(domain, why, self._roles.get(by, by), default, seen)
        n = self.n
        self.n = n + 1
        return self._chosen(n, request, self.source.answer(n, request, self.state))  # type: ignore[no-any-return]

    def all(self, requests: Sequence[Request]) -> list[Any]:
        first = self.n
        self.n = first + len(requests)
        given: list[Any] = []
        missing: list[Open] = []
        bound = [_bind(request, self._roles) for request in requests]
        for n, request in enumerate(bound, first):
            try:
                if isinstance(request, Roll):
                    given.append(self.source.faces(n, request))
                else:
                    given.append(self.source.answer(n, request, self.state))
            except Pending as pending:
                missing.extend(pending.requests)
        if missing:
            raise Pending(missing)
        return [
            self._rolled(n, request, answer) if isinstance(request, Roll) else self._chosen(n, request, answer)
            for n, (request, answer) in enumerate(zip(bound, given, strict=True), first)
        ]

    def call(
        self,
        mechanic: Callable[..., R],
        *args: Any,
        roles: dict[Role, str] | None = None,
        alike: Callable[[R], Hashable] | None = None,
    ) -> R:
        if roles is None:
            return mechanic(self, *args)
        outer, self._roles = self._roles, {**self._roles, **roles}
        result = mechanic(self, *args)
        self._roles = outer
        return result

    def finish(self, mechanic: Callable[..., R], *args: Any) -> R:
        return mechanic(self, *args)

    def tell(self, event: Event, me: Any = None) -> Any:
        if event.who in self._roles:
            event = replace(event, who=self._roles[event.who])
        self.events.append(event)
        if me is None:
            self.state = evolve(event, self.state)
            return None
        if type(event) is Changed:
            me = evolve_fighter(event, me)
            self.state = put(self.state, me)
        return me

    def become(self, who: str, mechanic: Callable[..., Any], *args: Any, roles: dict[Role, str] | None = None) -> None:
        self.call(mechanic, get(self.state, who), *args, roles={**(roles or {}), SELF: who})

    def _rolled(self, n: int, request: Roll, faces: Sequence[int]) -> Any:
        pool, why = request.pool, request.why
        result = pool.read(faces)
        flag = pool.flag(faces) if hasattr(pool, "flag") else ""
        seen = "master" if request.secret else ""
        total = pool.total(faces) if hasattr(pool, "total") else None
        self.events.append(
            Rolled(request.by, why.key, why.rule, n, str(pool), tuple(faces), plain(result), flag, request.parts, seen, total)
        )
        return result

    def _chosen(self, n: int, request: Choose, answer: Any) -> Any:
        self.events.append(Chose(request.by, request.why.key, request.why.rule, n, plain(answer)))
        return answer


def _bind(request: Request, roles: dict[Role, str]) -> Request:
    by = roles.get(request.by, request.by)
    if by == request.by:
        return request
    if isinstance(request, Roll):
        return Roll(request.pool, request.why, by, request.parts, request.secret)
    return Choose(request.domain, request.why, by, request.default, request.seen)


def plain(value: Any) -> Any:
    """A value in plain types (tuples for lists), so that an event equals itself after saving and loading."""
    return value if value is None or type(value) in (str, int, bool) else to_builtins(value, str_keys=True)


def checked(request: Choose, answer: Any) -> Any:
    """The answer in its proper shape. Raises BadAnswer naming whom and what was asked."""
    try:
        return request.domain.check(answer)
    except BadAnswer as wrong:
        raise BadAnswer(f"{request.why.text or request.why.key} ({request.by}): {wrong}") from None
