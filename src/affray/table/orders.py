"""From typed words to an order: the verb, its options in any order, and what has still to be asked.

The offers of the ruleset say what there is; `why_not` judges the whole. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from affray import domains
from affray.errors import AffrayError
from affray.render.text import fields_of
from affray.render.words import Label
from affray.ruleset import Field, Offer, Ruleset
from affray.table.answers import choices, hint, read
from affray.table.words import Unclear, candidates, pieces, take

ASKED = ("target", "targets", "towards", "to", "steps", "spaces", "n", "actions", "object", "patient", "who", "condition")
"""Options that are asked for when they are left out; all others take their default."""
INSTEAD = {"to": "towards", "towards": "to"}
FILLERS = {"with", "at", "on", "against", "the", "a", "an", "and", "for", "using", "to", "from", "of"}


@dataclass(slots=True)
class Draft:
    """An order that is being put together. Nothing of it has been decided yet."""

    who: str
    verb: str
    fields: tuple[Field, ...]
    filled: dict[str, Any] = field(default_factory=dict)

    def wanted(self) -> Field | None:
        """The option to be asked for next."""
        for one in self.fields:
            if one.name not in ASKED or one.name in self.filled or INSTEAD.get(one.name, "") in self.filled:
                continue
            alone = type(one.domain) is domains.OneOf and (len(one.domain.options) == 1 or "" in one.domain.options)
            if alone and one.default is not None:
                continue
            return one
        return None


def verb_choices(offers: Sequence[Offer]) -> list[tuple[Offer, tuple[str, ...]]]:
    """The verbs as they may be typed."""
    return [(offer, (offer.verb.replace("_", " "),)) for offer in offers]


def find_verb(words: Sequence[str], offers: Sequence[Offer], exact: bool = False) -> tuple[Offer, int] | None:
    """The verb that a line begins with, those that are possible first; None when it is none. Raises Unclear.

    `exact`: the whole verb must be there.
    """
    for count in (2, 1):
        typed = " ".join(words[:count])
        if len(words) < count:
            continue
        for offer in offers:
            if pieces(typed) == pieces(offer.verb) or typed.lower() == offer.verb:
                return offer, count
    if exact or not words:
        return None
    for some in ([o for o in offers if o.refused is None], list(offers)):
        found = candidates(words[0], verb_choices(some))
        if len(found) == 1:
            return found[0], 1
        if found:
            return take(words, verb_choices(some), "verb", numbered=False)
    return None


def fill(draft: Draft, words: Sequence[str], label: Label, everybody: Sequence[str] = ()) -> None:
    """Put the options that the words name into the draft. Raises Unclear, BadAnswer."""
    left = list(words)
    while left:
        word = left[0]
        name, equals, rest = word.partition("=")
        if equals and (one := _named(draft, name)):
            left = ([rest] if rest else []) + left[1:]
            left = left[_put(draft, one, left, label, everybody) :]
        elif (one := _named(draft, word)) and one.name not in draft.filled:
            left = left[1:]
            if type(one.domain) is domains.YesNo and (not left or left[0].lower() not in ("yes", "no", "y", "n")):
                draft.filled[one.name] = True
            else:
                left = left[_put(draft, one, left, label, everybody) :]
        elif word.lower() in FILLERS:
            left = left[1:]
        else:
            left = left[_positional(draft, left, label, everybody) :]


def _named(draft: Draft, word: str) -> Field | None:
    """The option that goes by this name."""
    wanted = word.lower().replace("-", "_")
    return next((one for one in draft.fields if wanted == one.name or pieces(word) == pieces(one.name)), None)


def _put(draft: Draft, one: Field, words: Sequence[str], label: Label, everybody: Sequence[str]) -> int:
    if not words:
        raise Unclear(f"{told(one)}: {hint(one.domain, label)}")
    value, used = _value(one, words, label, everybody, True)
    draft.filled[one.name] = value
    return used


def _value(one: Field, words: Sequence[str], label: Label, everybody: Sequence[str], numbered: bool) -> tuple[Any, int]:
    try:
        return read(one.domain, words, told(one), label, numbered)
    except Unclear:
        if type(one.domain) is not domains.OneOf or not set(one.domain.options) & set(everybody):
            raise
        others = choices(everybody, label)
        for count in range(min(3, len(words)), 0, -1):  # somebody who is no option: let the rules say why
            found = candidates(" ".join(words[:count]), others)
            if len(found) == 1:
                return found[0], count
        raise


def _positional(draft: Draft, words: Sequence[str], label: Label, everybody: Sequence[str]) -> int:
    """Words without a name: the first option left that they fit."""
    first: AffrayError | None = None
    left = [one for one in draft.fields if one.name not in draft.filled and type(one.domain) is not domains.YesNo]
    left = [one for one in left if one.name in ASKED or type(one.domain) not in (domains.Place, domains.Text)]
    for one in left:
        try:
            value, used = _value(one, words, label, everybody, one.name in ASKED)
        except AffrayError as wrong:
            if "could be" in str(wrong):
                raise
            first = first or wrong
            continue
        draft.filled[one.name] = value
        return used
    if first is not None:
        raise first
    options = ", ".join(f"{one.name}={hint(one.domain, label)}" for one in draft.fields if one.name not in draft.filled)
    raise Unclear(f"{words[0]!r} is one word too many for {draft.verb}" + (f"; it also takes {options}" if options else ""))


def told(one: Field) -> str:
    """An option in words."""
    return one.text or one.name.replace("_", " ")


def build(ruleset: Ruleset, draft: Draft, label: Label) -> Any:
    """The order, with the defaults of what was left out. Raises Unclear where something has none."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in ruleset.orders.__args__}
    kind = kinds[draft.verb]
    known = {f.name: f.required for f in fields_of(kind)}
    given = dict(draft.filled)
    for one in draft.fields:
        if one.name in given or INSTEAD.get(one.name, "") in draft.filled:
            continue
        if one.default is not None:
            given[one.name] = one.default
        elif one.name in ASKED or known.get(one.name):
            raise Unclear(f"{told(one)}: {hint(one.domain, label)}")
    return kind(by=draft.who, **{name: value for name, value in given.items() if name in known})
