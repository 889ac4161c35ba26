"""The eyes of an audience on a fight as it stands: whom they know of, what they call everybody, which words to veil."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import msgspec
from msgspec.structs import replace

from affray.ask import MASTER
from affray.audience import Audience
from affray.encounter import Encounter
from affray.recent import Recent
from affray.render.text import minus
from affray.render.words import Label, labels
from affray.ruleset import Ruleset

NOBODY = "somebody"
"""What a person is called of whom the audience does not know."""
THING = "something"
SHORT = 3
"""Names of fewer letters than this are not looked for inside texts: they would be found in the middle of other words."""
PHANTOM = "?"
"""Stands for the opponents of whom a player does not know, where without them the fight would seem to be over."""
FAR = 9000
SPOKEN = "\u2060"
"""Stands before and after words that a player typed (`sight.speech`); it is not seen."""


class Names:
    """How an audience calls those who are `there`; everybody else of `people` is hidden from it."""

    def __init__(self, audience: Audience, people: Sequence[Any], there: frozenset[str]) -> None:
        self.audience, self.there = audience, there
        known = [f for f in people if f.id in there]
        secret = [f for f in people if f.id not in there]
        self.hidden = frozenset(f.id for f in secret)
        self.label: Label = labels(SimpleNamespace(fighters=known))
        self.sides = frozenset(f.side for f in known if audience.whole(f.id))
        """Sides on which they have somebody."""
        self._sheets = {f.id: getattr(f, "sheet", None) for f in known}
        self._people = _people(secret, known)
        self._things = _things(secret, known) if secret else None

    def name(self, who: Any) -> str:
        """What a fighter is called; the master by his title."""
        if who in ("", MASTER):
            return "Game master"
        return NOBODY if who in self.hidden else self.label(who)

    def whole(self, who: str) -> bool:
        """Whether they may see everything about a fighter."""
        return self.audience.master or (who in self.there and self.audience.whole(who))

    def veiled(self, text: str, things: bool = False) -> str:
        """A text without the names of those of whom they do not know (and, with `things`, of what these have)."""
        if self._people is None:
            return text
        text = self._people(text)
        return self._things(text) if things and self._things else text

    def read(self, text: str) -> str:
        """A text as it is read: veiled, with one sign for less, and without the signs around what somebody said."""
        return minus(unspoken(self.veiled(text, True)))

    def plainly(self, who: str, what: str) -> str:
        """What somebody rolls for, without naming a skill that stands on his sheet."""
        return "a test" if what in written(self._sheets.get(who)) else what

    def clean(self, value: Any) -> Any:
        """Plain data with every text veiled, keys as well, and without the signs around what somebody said."""
        plain = msgspec.json.encode(value).decode()
        if SPOKEN not in plain and (self._people is None or not self._people.within(plain)):
            return value
        return self._cleaned(value)

    def _cleaned(self, value: Any) -> Any:
        if isinstance(value, str):
            return unspoken(self.veiled(value))
        if isinstance(value, dict):
            return {self._cleaned(key): self._cleaned(one) for key, one in value.items()}
        return [self._cleaned(one) for one in value] if isinstance(value, list | tuple) else value

    def mentions(self, value: Any) -> bool:
        """Whether a value of any kind names somebody of whom they do not know."""
        if not self.hidden and self._people is None:
            return False
        if isinstance(value, str):
            return value in self.hidden or value == PHANTOM or self.veiled(value) != value
        if isinstance(value, dict):
            return any(self.mentions(one) for one in value.values())
        if isinstance(value, list | tuple):
            return any(self.mentions(one) for one in value)
        if isinstance(value, msgspec.Struct):
            return any(self.mentions(getattr(value, name)) for name in value.__struct_fields__)
        return False


class Eyes(Names):
    """What one audience may know at one moment. `state` is the true one, `seen` the one as they know it."""

    def __init__(self, ruleset: Ruleset, state: Any, audience: Audience) -> None:
        super().__init__(audience, state.fighters, ruleset.knows(state, audience))
        self.ruleset, self.state = ruleset, state
        self.seen = ruleset.seen(state, audience)
        self.judged = _judged(ruleset, self.seen, state) if self.hidden else self.seen
        """The state by which their orders are judged."""

    def then(self, before: Any, after: Any) -> Names:
        """What they may know today of what happened between two states: of those who were known then, whoever is known now,
        or has left since. Of whoever came later nothing can be told there, and no word is taken for his name."""
        now = {f.id for f in self.state.fighters}
        people = {f.id: f for f in (*before.fighters, *after.fighters)}
        people |= {f.id: f for f in self.state.fighters if f.id in people}
        if self.audience.master:
            same = people.keys() <= now
            return self if same else Names(self.audience, tuple(people.values()), frozenset(people))
        known = self.ruleset.knows(before, self.audience) | self.ruleset.knows(after, self.audience)
        there = frozenset(who for who in people if who in known and (who in self.there or who not in now))
        if there == self.there and people.keys() == now:
            return self
        return Names(self.audience, tuple(people.values()), there)


def _judged(ruleset: Ruleset, seen: Any, state: Any) -> Any:
    """The state as they know it; where that one would be over and the true one is not, with somebody far away."""
    if not seen.fighters or not ruleset.over(seen) or ruleset.over(state):
        return seen
    able = [f for f in seen.fighters if not ruleset.fallen(f)]
    if not able:
        return seen
    values: dict[str, Any] = {"id": PHANTOM, "side": PHANTOM, "name": PHANTOM, "group": "", "at": (FAR, FAR)}
    known = {name: value for name, value in values.items() if name in able[0].__struct_fields__}
    if getattr(able[0], "at", None) is None:
        known.pop("at", None)
    return replace(seen, fighters=(*seen.fighters, replace(able[0], **known)))


def unspoken(text: str) -> str:
    """A text without the signs around what somebody said."""
    return text.replace(SPOKEN, "") if SPOKEN in text else text


class _Veil:
    """Puts other words for some names, whole words only; longer names that others bear are left alone, and so is what
    somebody said who knows as little."""

    def __init__(self, names: dict[str, str], others: Iterable[str]) -> None:
        self.names = names
        kept = {one for one in others if one not in names and any(name in one for name in names)}
        words = sorted({*names, *kept}, key=len, reverse=True)
        said = f"{SPOKEN}[^{SPOKEN}]*{SPOKEN}"
        self.pattern = re.compile(rf"{said}|(?<!\w)(?:" + "|".join(map(re.escape, words)) + r")(?!\w)")

    def within(self, plain: str) -> bool:
        """Whether a name may be somewhere in a JSON text."""
        return any(name in plain or msgspec.json.encode(name).decode()[1:-1] in plain for name in self.names)

    def __call__(self, text: str) -> str:
        if not any(name in text for name in self.names):
            return text
        return self.pattern.sub(lambda found: self.names.get(found[0], found[0]), text)


def _called(fighter: Any) -> list[str]:
    found = (fighter.id, getattr(fighter, "name", ""), getattr(fighter, "group", ""), fighter.side)
    return [one for one in found if len(one) >= SHORT]


def _people(secret: Sequence[Any], known: Sequence[Any]) -> _Veil | None:
    """Names of people, groups and sides that nobody who is known bears."""
    if not secret:
        return None
    others = {one for f in known for one in (*_called(f), *written(getattr(f, "sheet", None)))}
    names = {one: NOBODY for f in secret for one in _called(f) if one not in others}
    return _Veil(names, others) if names else None


def _things(secret: Sequence[Any], known: Sequence[Any]) -> _Veil | None:
    """Names of what hidden people have and nobody who is known."""
    others = {one for f in known for one in gear(getattr(f, "sheet", None))}
    things = {one for f in secret for one in gear(getattr(f, "sheet", None))}
    names = {one: THING for one in sorted(things) if one not in others and len(one) >= SHORT}
    return _Veil(names, others) if names else None


@lru_cache(512)
def gear(sheet: Any) -> frozenset[str]:
    """Names of weapons and armour on a sheet."""
    found = []
    for kind in ("weapons", "armour", "armor"):
        several = getattr(sheet, kind, ())
        for one in several if isinstance(several, tuple) else (several,):
            if name := getattr(one, "name", ""):
                found.append(str(name))
    return frozenset(found)


@lru_cache(512)
def written(sheet: Any) -> frozenset[str]:
    """All texts on a sheet."""
    return frozenset(texts(msgspec.to_builtins(sheet)))


def texts(value: Any) -> Iterator[str]:
    """All texts in plain data, without the names of fields."""
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts(one)


_KEPT: Recent[Eyes] = Recent(64)


def eyes(fight: Encounter, audience: Audience) -> Eyes:
    """The eyes of an audience on a fight now."""
    state = fight.state
    return _KEPT.get((fight.ruleset.name, audience), lambda: Eyes(fight.ruleset, state, audience), state)
