"""What happened. Events are the only way a state changes, and the truth of a saved fight.

`evolve` is assignment: events carry absolute values after the change, so no rule lives here. They name their rule and
who may see them. This module knows that a state has `fighters` with ids; nothing else of any ruleset.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol, TypeVar, get_type_hints

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from affray.errors import AffrayError
from affray.modifiers import Modifier

Pairs = tuple[tuple[str, Any], ...]


class FighterLike(Protocol):
    """What the core knows of a combatant."""

    @property
    def id(self) -> str: ...
    @property
    def side(self) -> str: ...


class StateLike(Protocol):
    """What the core knows of a state: an immutable struct with these fields."""

    @property
    def fighters(self) -> tuple[Any, ...]: ...
    @property
    def round(self) -> int: ...
    @property
    def rulings(self) -> Any: ...


S = TypeVar("S")
M = TypeVar("M")


class Rolled(Struct, frozen=True, tag="rolled", omit_defaults=True):
    """Dice fell: the request's ordinal, the pool in words, the faces in order, what the rule read, its modifiers."""

    who: str
    why: str
    rule: str
    n: int
    pool: str
    faces: tuple[int, ...]
    result: Any
    flag: str = ""
    parts: tuple[Modifier, ...] = ()
    seen: str = ""
    total: int | None = None
    """What the dice and what is added come to, where the rule reads something else of them (successes)."""


class Chose(Struct, frozen=True, tag="chose", omit_defaults=True):
    """A question was answered."""

    who: str
    why: str
    rule: str
    n: int
    answer: Any
    seen: str = ""


class Changed(Struct, frozen=True, tag="changed", omit_defaults=True):
    """Fields of the fighter `who` (of the scene, when '') have these values now. `note` and `data` tell it in words."""

    who: str
    rule: str
    set: Pairs
    note: str = ""
    data: Pairs = ()
    parts: tuple[Modifier, ...] = ()
    seen: str = ""


class Noted(Struct, frozen=True, tag="noted", omit_defaults=True):
    """Something worth telling that changes nothing."""

    who: str
    rule: str
    note: str
    data: Pairs = ()
    parts: tuple[Modifier, ...] = ()
    seen: str = ""


class Joined(Struct, frozen=True, tag="joined", omit_defaults=True):
    """A fighter came in at the end of the roster, or took the place of the one with the same id."""

    who: str
    rule: str
    fighter: Any
    note: str = ""
    seen: str = ""


class Left(Struct, frozen=True, tag="left", omit_defaults=True):
    """A fighter was taken out of the roster."""

    who: str
    rule: str
    note: str = ""
    seen: str = ""


Event = Rolled | Chose | Changed | Noted | Joined | Left


def get(state: StateLike, who: str) -> Any:
    """The fighter with this id. Raises AffrayError when there is none."""
    for fighter in state.fighters:
        if fighter.id == who:
            return fighter
    raise AffrayError(f"there is no combatant {who!r}")


def put(state: S, me: FighterLike) -> S:
    """The state with this fighter in the place of the one with the same id."""
    fighters = state.fighters  # type: ignore[attr-defined]
    return replace(state, fighters=tuple([me if f.id == me.id else f for f in fighters]))  # type: ignore[type-var]


def evolve_fighter(event: Changed, me: M) -> M:
    """The fighter after the event."""
    return replace(me, **dict(event.set)) if event.set else me  # type: ignore[type-var]


def evolve(event: Event, state: S) -> S:
    """The state after the event."""
    kind = type(event)
    if kind is Changed:
        if not event.set:  # type: ignore[union-attr]
            return state
        if event.who:
            return put(state, evolve_fighter(event, get(state, event.who)))  # type: ignore[arg-type]
        return replace(state, **dict(event.set))  # type: ignore[union-attr, type-var]
    if kind is Joined:
        fighters = state.fighters  # type: ignore[attr-defined]
        if any(f.id == event.who for f in fighters):
            return put(state, event.fighter)  # type: ignore[union-attr]
        return replace(state, fighters=(*fighters, event.fighter))  # type: ignore[union-attr, type-var]
    if kind is Left:
        fighters = state.fighters  # type: ignore[attr-defined]
        return replace(state, fighters=tuple(f for f in fighters if f.id != event.who))  # type: ignore[type-var]
    return state


@cache
def _hints(struct: type) -> dict[str, Any]:
    return get_type_hints(struct, include_extras=True)


def typed(struct: type, field: str, value: Any) -> Any:
    """`value` (plain JSON types or already proper) as the type of that field. Raises KeyError, msgspec.ValidationError."""
    return msgspec.convert(msgspec.to_builtins(value), _hints(struct)[field])


def tuples(value: Any) -> Any:
    """Decoded JSON with tuples in the place of lists."""
    if isinstance(value, list):
        return tuple(tuples(one) for one in value)
    return {key: tuples(one) for key, one in value.items()} if isinstance(value, dict) else value


def thaw(event: Event, state_type: type, fighter_type: type) -> Event:
    """An event decoded from JSON with its values in the types of the ruleset again."""
    if type(event) is Changed:
        struct = fighter_type if event.who else state_type
        return replace(event, set=tuple((name, typed(struct, name, value)) for name, value in event.set))
    if type(event) is Rolled:
        return replace(event, result=tuples(event.result))
    if type(event) is Chose:
        return replace(event, answer=tuples(event.answer))
    if type(event) is Joined:
        return replace(event, fighter=msgspec.convert(event.fighter, fighter_type))
    return event
