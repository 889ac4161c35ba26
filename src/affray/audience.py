"""Who is looking at a fight, and the generic part of what they may know: forgetting somebody of whom they do not.

What a stranger looks like is a ruleset's business (`Ruleset.seen`); this module knows ids and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace


class Audience(Struct, frozen=True):
    """The master, a player with characters of his `own`, or a spectator (nothing of all that).

    `numbers`: the master has opened everybody's numbers to them. `known`: others of whom they know though these are hidden
    (the characters of their friends).
    """

    master: bool = False
    own: tuple[str, ...] = ()
    numbers: bool = False
    known: tuple[str, ...] = ()

    def whole(self, who: str) -> bool:
        """Whether they may see all of a fighter whom they know of."""
        return self.master or self.numbers or who in self.own

    def mine(self, who: str) -> bool:
        """Whether they decide for a fighter."""
        return self.master or who in self.own


MASTER = Audience(master=True)
SPECTATOR = Audience()
WHOLE = ("sheet", "rulings", "id", "name", "side")
"""Fields that never tell of somebody else."""


def audience(state: Any, who: str) -> Audience:
    """The audience of that name: 'master', a side (all of its fighters), a fighter's id, or anything else: a spectator."""
    if who == "master":
        return MASTER
    return Audience(own=tuple(f.id for f in state.fighters if who in (f.id, f.side)))


def knows(state: Any, audience: Audience) -> frozenset[str]:
    """Ids of those whom the audience knows of, where `hidden` alone decides."""
    own = (*audience.own, *audience.known)
    return frozenset(f.id for f in state.fighters if audience.master or f.id in own or not getattr(f, "hidden", False))


def seen(state: Any, audience: Audience) -> Any:
    """The state without those of whom the audience does not know. For rulesets that have no numbers to hide."""
    return without(state, knows(state, audience))


def without(state: Any, known: Iterable[str]) -> Any:
    """The state without all fighters but these, and without a trace of the others in anything else."""
    known = frozenset(known)
    gone = frozenset(f.id for f in state.fighters) - known
    if not gone:
        return state
    return forget(replace(state, fighters=tuple(f for f in state.fighters if f.id in known)), gone)


def forget(value: Any, gone: frozenset[str]) -> Any:
    """A value with no mention of these ids: a text that is one becomes '', and what is listed with one is left out."""
    if isinstance(value, str):
        return "" if value in gone else value
    if isinstance(value, tuple):
        kept = [forget(one, gone) for one in value if not _about(one, gone)]
        same = len(kept) == len(value) and all(a is b for a, b in zip(kept, value, strict=True))
        return value if same else _again(value, kept)
    if isinstance(value, Struct):
        changed = {}
        for name in value.__struct_fields__:
            before = getattr(value, name)
            if not before or name in WHOLE or not isinstance(before, str | tuple | Struct):
                continue
            if (after := forget(before, gone)) is not before:
                changed[name] = after
        return replace(value, **changed) if changed else value
    return value


def _about(one: Any, gone: frozenset[str]) -> bool:
    """Whether something in a list is one of the gone, or tells of one: a distance, an effect that one has caused."""
    if isinstance(one, str):
        return one in gone
    if isinstance(one, tuple):
        return any(isinstance(part, str) and part in gone for part in one)
    if isinstance(one, Struct) and not hasattr(one, "sheet"):
        for part in (getattr(one, name) for name in one.__struct_fields__):
            if (isinstance(part, str) and part in gone) or (isinstance(part, Struct) and _about(part, gone)):
                return True
    return False


def _again(value: tuple[Any, ...], kept: list[Any]) -> tuple[Any, ...]:
    return type(value)(kept) if type(value) is not tuple else tuple(kept)
