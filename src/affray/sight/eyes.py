"""The eyes of an audience on a fight as it stands: whom they know of, what they call everybody, which words to veil."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from affray.ask import MASTER
from affray.audience import Audience
from affray.encounter import Encounter
from affray.render.words import Label, labels
from affray.ruleset import Ruleset

NOBODY = "somebody"
"""What a person is called of whom the audience does not know."""
THING = "something"
SHORT = 3
"""Names of fewer letters than this are not looked for inside texts: they would be found in the middle of other words."""


class Eyes:
    """What one audience may know at one moment. `state` is the true one, `seen` the one as they know it."""

    def __init__(self, ruleset: Ruleset, state: Any, audience: Audience, gone: Iterable[Any] = ()) -> None:
        self.ruleset, self.state, self.audience = ruleset, state, audience
        self.there = ruleset.knows(state, audience)
        """Ids of those of whom they know."""
        self.hidden = frozenset(f.id for f in state.fighters) - self.there
        self.seen = ruleset.seen(state, audience)
        self.judged = self.seen
        """The state by which their orders are judged."""
        self.label: Label = labels(self.seen)
        secret = [f for f in (*state.fighters, *gone) if f.id in self.hidden or f in tuple(gone)]
        self._veil = _veil(secret, self.seen.fighters) if secret and not audience.master else None

    def name(self, who: Any) -> str:
        """What a fighter is called; the master by his title."""
        if who in ("", MASTER):
            return "Game master"
        return NOBODY if who in self.hidden else self.label(who)

    def whole(self, who: str) -> bool:
        """Whether they may see everything about a fighter."""
        return self.audience.master or (who in self.there and self.audience.whole(who))

    def veiled(self, text: str) -> str:
        """A text without the names of those of whom they do not know, and of their things."""
        return self._veil(text) if self._veil else text

    def clean(self, value: Any) -> Any:
        """Plain data with every text veiled, keys as well."""
        if self._veil is None:
            return value
        if isinstance(value, str):
            return self._veil(value)
        if isinstance(value, dict):
            return {self.clean(key): self.clean(one) for key, one in value.items()}
        return [self.clean(one) for one in value] if isinstance(value, list | tuple) else value


class _Veil:
    """Replaces the names of some people, whole words only; longer names that others bear are left alone."""

    def __init__(self, names: dict[str, str], others: Iterable[str]) -> None:
        self.names = names
        kept = {one for one in others if one not in names}
        words = sorted({*names, *kept}, key=len, reverse=True)
        self.pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, words)) + r")(?!\w)") if words else None

    def __call__(self, text: str) -> str:
        if text in self.names:
            return self.names[text]
        if self.pattern is None or not any(name in text for name in self.names):
            return text
        return self.pattern.sub(lambda found: self.names.get(found[0], found[0]), text)


def _veil(secret: list[Any], others: tuple[Any, ...]) -> _Veil:
    known = {text for f in others for text in texts(msgspec.to_builtins(f))}
    names: dict[str, str] = {}
    for fighter in secret:
        for text in texts(msgspec.to_builtins(fighter.sheet) if hasattr(fighter, "sheet") else ()):
            if text not in known and len(text) >= SHORT:
                names.setdefault(text, THING)
        for text in (fighter.id, getattr(fighter, "name", ""), getattr(fighter, "group", "")):
            if text and text not in known and len(text) >= SHORT:
                names[text] = NOBODY
    return _Veil(names, known)


def texts(value: Any) -> Iterator[str]:
    """All texts in plain data, names of things rather than of fields."""
    if isinstance(value, str):
        if value:
            yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from texts(one)


_KEPT: WeakKeyDictionary[Encounter, dict[Audience, Eyes]] = WeakKeyDictionary()


def eyes(fight: Encounter, audience: Audience) -> Eyes:
    """The eyes of an audience on a fight now."""
    state = fight.state
    kept = _KEPT.setdefault(fight, {})
    found = kept.get(audience)
    if found is None or found.state is not state:
        found = kept[audience] = Eyes(fight.ruleset, state, audience)
    return found
