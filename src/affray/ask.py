"""The doorway between rules and the world: a rule never rolls, asks, reads a clock or prints. It is handed an `Ask`.

Who answers is an interpreter: live, typed, replayed, scripted or exact. This module holds the questions only.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, Protocol, TypeVar, overload

from msgspec import Struct

from affray.dice import Pool
from affray.domains import Domain
from affray.events import Event
from affray.modifiers import Modifier

R = TypeVar("R")
A = TypeVar("A")
M = TypeVar("M")

Role = str
"""Whom a rule asks: a role ('@attacker', '@target', '@self') that the interpreter binds to a fighter, or a fighter's id."""
ATTACKER: Role = "@attacker"
TARGET: Role = "@target"
SELF: Role = "@self"
MASTER: Role = "master"
"""The game master, asked where a rule leaves something to judgement."""


class Again(Struct, frozen=True):
    """What a mechanic answers whose dice decided nothing: all of it is thrown again. No outcome where odds are worked out."""


AGAIN = Again()


class Why(Struct, frozen=True):
    """What a question is about: a short key used in cases and logs, the rule that asks, and words for people."""

    key: str
    rule: str
    text: str = ""


class Roll(Struct, frozen=True):
    """A chance node that wants dice."""

    pool: Any
    why: Why
    by: Role
    parts: tuple[Modifier, ...] = ()
    secret: bool = False


class Choose(Struct, frozen=True):
    """A decision node. `seen` is all that a policy may look at inside a mechanic."""

    domain: Any
    why: Why
    by: Role
    default: Any
    seen: tuple[Any, ...] = ()


Request = Roll | Choose


class Open(Struct, frozen=True):
    """A request that waits for an answer: its ordinal in the run, and the faces already typed in for it."""

    n: int
    request: Request
    faces: tuple[int, ...] = ()


class Pending(BaseException):
    """An answer is missing. A BaseException so that no rule can swallow it; the run is dropped and repeated with the answer."""

    def __init__(self, requests: Sequence[Open]) -> None:
        super().__init__(", ".join(f"{r.request.why.key} by {r.request.by}" for r in requests))
        self.requests = tuple(requests)


class Ask(Protocol):
    """What a mechanic is handed."""

    @property
    def rulings(self) -> Any:
        """The typed rulings of this fight."""

    def roll(self, pool: Pool[R], why: Why, by: Role, parts: Iterable[Modifier] = (), secret: bool = False) -> R:
        """Chance: what the rule reads of the dice."""

    def read(
        self, pool: Pool[R], why: Why, by: Role, reading: Callable[[R], A], parts: Iterable[Modifier] = ()
    ) -> A:
        """As `roll`, where nothing but `reading(result)` matters from here on: odds then go on once for each reading.

        `reading` is pure; it may tell what was rolled.
        """

    def choose(self, domain: Domain[A], why: Why, by: Role, default: A, seen: tuple[Any, ...] = ()) -> A:
        """Decision by the one in that role."""

    def all(self, requests: Sequence[Request]) -> list[Any]:
        """Several requests at once, answered in any order; results in the order of the requests."""

    def call(
        self,
        mechanic: Callable[..., R],
        *args: Any,
        roles: dict[Role, str] | None = None,
        alike: Callable[[R], Hashable] | None = None,
    ) -> R:
        """Run `mechanic(ask, *args)`. The exact interpreter solves it once for each set of (hashable) arguments.

        Answers with equal `alike(answer)` lead to the same states (they differ in what is told alone), so that odds may let
        one of them stand for all.
        """

    def finish(self, mechanic: Callable[..., R], *args: Any) -> R:
        """As `call`, where the answer is what the calling mechanic itself returns: `return ask.finish(...)`.

        The exact interpreter then takes all its results at once instead of running the caller again for each.
        """

    @overload
    def tell(self, event: Event) -> None: ...
    @overload
    def tell(self, event: Event, me: M) -> M: ...
    def tell(self, event: Event, me: Any = None) -> Any:
        """A fact. With `me` (in a mechanic, where one fighter changes alone): returns the fighter after it."""
