"""What requests to the API hold. Unknown names are refused."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, get_type_hints

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from affray.web.texts import printable

Short = Annotated[str, Meta(min_length=1, max_length=80)]
Name = Annotated[str, Meta(max_length=80)]
Key = Annotated[str, Meta(max_length=64, description="A word for this one tap: sent again, it is not done again.")]
Seen = Annotated[str, Meta(max_length=64, description="The `version` of the view that this was decided on; '' does not look.")]
Cell = Annotated[int, Meta(ge=-10_000, le=10_000)]
Spot = tuple[Cell, Cell]
Source = Annotated[str, Meta(max_length=1_000_000)]


AS_THEY_ARE = ("source", "seen", "key", "who")
"""Texts that are no words of people, or ids of those who are there already."""


@cache
def needed(kind: type[Struct]) -> frozenset[str]:
    """The fields of a body that must say something."""
    return frozenset(name for name, hint in get_type_hints(kind, include_extras=True).items() if hint in (Short, Short | None))


class Body(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Every body. Names and words are taken without what cannot be seen; where they are needed, something must be left."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, str) and name not in AS_THEY_ARE and (plain := printable(value)) != value:
                if not plain and (value.strip() or name in needed(type(self))):
                    raise ValueError(f"{name}: there is nothing in it that can be read")
                force_setattr(self, name, plain)


class Decision(Body, frozen=True, kw_only=True):
    """Something decided in a fight."""

    seen: Seen = ""
    key: Key = ""


class Ordered(Decision, frozen=True, kw_only=True):
    """An order: {do: 'attack', by: 'kess', ...}; `by` may be a list: the same for each of them.

    `dice`: in this one order 'type' leaves the rolls of whoever acts open to be typed in, 'roll' throws them here; '': as always.
    """

    order: dict[str, Any]
    dice: Literal["", "roll", "type"] = ""


class Answering(Decision, frozen=True, kw_only=True):
    """An answer to request `n`. `always`: from now on this kind is answered as usual."""

    n: Annotated[int, Meta(ge=0, le=1_000_000)]
    value: Any = None
    usual: bool = False
    always: bool = False


class Dice(Decision, frozen=True, kw_only=True):
    """Dice for request `n`: one as it fell (`face`), several (`faces`), `roll`: what is missing is thrown here, or `back`: the
    last one is taken back. `always`: from now on all dice of whoever is asked are typed in, or thrown here."""

    n: Annotated[int, Meta(ge=0, le=1_000_000)]
    face: Annotated[int, Meta(ge=1, le=6)] | None = None
    faces: Annotated[list[Annotated[int, Meta(ge=1, le=6)]], Meta(max_length=500)] = []
    roll: bool = False
    back: bool = False
    always: Literal["", "roll", "type"] = ""


class Back(Decision, frozen=True, kw_only=True):
    """Back to an entry (its id); 0 is the beginning."""

    entry: Annotated[int, Meta(ge=0, le=100_000_000)]


class Set(Decision, frozen=True, kw_only=True):
    """Settings of a fight; what is left out stays. `typed`: whose dice are typed in. `policies`: who is played by which."""

    numbers: bool | None = None
    limit: Annotated[int, Meta(ge=0, le=3600)] | None = None
    forecast: Literal["master", "all", "nobody"] | None = None
    typed: list[Name] | None = None
    policies: dict[str, str] | None = None
    ask_again: bool = False


class Correction(Decision, frozen=True, kw_only=True):
    """What the master corrects. `before`: it is put in before that entry, and what followed is played again.

    set {who, fields}; move {who, at} or {who, other, value}; remove, revive, hide, reveal {who}; condition {who, name, lasts,
    unit, end}; group {who, group}; add {template or sheet, name, side, count, at, group}; paint {kind, value, cells or area,
    erase}; rulings {fields}; say {text}; order {entry, order}; reaim {entry, target}; roll {entry, n, faces}; answer {entry, n,
    value}; drop {entry}. `who` is an id, several, or '' for the scene.
    """

    do: Literal[
        "set", "move", "remove", "revive", "hide", "reveal", "condition", "group", "add", "paint", "rulings", "say",
        "order", "reaim", "roll", "answer", "drop",
    ]  # fmt: skip
    who: Name | Annotated[list[Name], Meta(max_length=200)] = ""
    fields: dict[str, Any] = {}
    why: Annotated[str, Meta(max_length=500)] = ""
    before: int | None = None
    at: Spot | None = None
    other: Name = ""
    value: Any = None
    name: Name = ""
    lasts: Annotated[int, Meta(ge=0, le=100_000)] | None = None
    unit: Literal["turns", "rounds"] = "turns"
    end: bool = False
    group: Name = ""
    template: Name = ""
    sheet: dict[str, Any] = {}
    side: Name = ""
    count: Annotated[int, Meta(ge=1, le=100)] = 1
    kind: Name = ""
    cells: Annotated[list[Spot], Meta(max_length=2000)] = []
    area: tuple[Cell, Cell, Cell, Cell] | None = None
    erase: bool = False
    text: Annotated[str, Meta(max_length=500)] = ""
    entry: int = 0
    order: dict[str, Any] = {}
    target: Name = ""
    n: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    faces: Annotated[list[Annotated[int, Meta(ge=1, le=6)]], Meta(max_length=500)] = []


class Previewed(Body, frozen=True, kw_only=True):
    """An order to look at before it is given."""

    order: dict[str, Any]


class Joining(Body, frozen=True, kw_only=True):
    """Somebody comes with the code."""

    code: Short
    name: Short
    role: Literal["player", "spectator"] = "player"


class NewCampaign(Body, frozen=True, kw_only=True):
    """A campaign: a name, its ruleset, its house rules."""

    title: Short
    ruleset: Short
    rulings: dict[str, Any] = {}


class ChangedCampaign(Body, frozen=True, kw_only=True):
    """What is left out stays. `code`: a new join code; the old one is good no longer."""

    title: Short | None = None
    rulings: dict[str, Any] | None = None
    code: bool = False


class Character(Body, frozen=True, kw_only=True):
    """A character of a campaign: its name, what its sheet says (the keys of a combatant in an encounter file) and how it is
    (`state`)."""

    name: Short
    sheet: dict[str, Any] = {}
    state: dict[str, Any] = {}


class ChangedFight(Body, frozen=True, kw_only=True):
    """What is left out stays. A fight that has not begun may get another source, and may begin."""

    title: Short | None = None
    source: Source | None = None
    begin: bool = False


class Token(Body, frozen=True, kw_only=True):
    """A token for a program that acts as somebody (yourself; for the master, somebody else, or a bot with a name)."""

    label: Short = "bot"
    person: Name = ""
    bot: Name = ""
    characters: list[Name] = []


class NewFight(Body, frozen=True, kw_only=True):
    """An encounter file as text, or the name of a sample."""

    source: Source = ""
    sample: Name = ""
    title: Name = ""
    begin: bool = True


class Person(Body, frozen=True, kw_only=True):
    """What the master changes about somebody; what is left out stays."""

    approved: bool | None = None
    gone: bool | None = None
    role: Literal["master", "player", "spectator"] | None = None
    name: Short | None = None


class Sitting(Body, frozen=True, kw_only=True):
    """A seat at a character (by name). The master may seat somebody else, and approve."""

    character: Short
    person: Name = ""
    approved: bool | None = None
