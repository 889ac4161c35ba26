"""What a line may go on with: for the Tab key of a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from affray import rules
from affray.domains import OneOf, Subset
from affray.table.answers import choices
from affray.table.commands import COMMANDS
from affray.table.words import split

if TYPE_CHECKING:
    from affray.table.session import Session

NAMED = (
    "sheet",
    "numbers",
    "wounds",
    "condition",
    "points",
    "ammo",
    "place",
    "initiative",
    "rename",
    "side",
    "remove",
    "set",
    "why",
)


def complete(session: Session, line: str) -> list[str]:
    """Words that may stand in the place of the last one of the line."""
    words = line.split(" ")
    last, before = words[-1].lower(), split(" ".join(words[:-1]))
    found = dict.fromkeys(word for word in _possible(session, before) if word.lower().startswith(last))
    return sorted(found)


def _possible(session: Session, before: list[str]) -> list[str]:
    if not before:
        return _first(session)
    word = before[0].lower()
    if word in NAMED:
        return _people(session)
    if word == "rule":
        return list(rules.index(session.fight.ruleset.package))
    if word == "help":
        return [name for command in COMMANDS for name in command.names[:1]] + _verbs(session)
    if word == "odds":
        return _verbs(session) if len(before) == 1 else _options(session, before[1])
    return _options(session, word) or _verbs(session)


def _first(session: Session) -> list[str]:
    found = [command.names[0] for command in COMMANDS] + _verbs(session)
    if session.draft and (wanted := session.draft.wanted()):
        return _of(wanted.domain, session) + found
    if session.requests:
        return _of(getattr(session.requests[0].request, "domain", None), session) + found
    return found + _people(session)


def _options(session: Session, verb: str) -> list[str]:
    """Options and their values, for a verb that is possible."""
    found: list[str] = []
    for offer in session.offers():
        if offer.verb.replace("_", " ").startswith(verb) and offer.refused is None:
            for one in offer.fields:
                found += _of(one.domain, session) or [f"{one.name}="]
    return found


def _of(domain: object, session: Session) -> list[str]:
    if isinstance(domain, OneOf | Subset):
        return [names[0] for _, names in choices(domain.options, session.label)]
    return []


def _verbs(session: Session) -> list[str]:
    return [offer.verb.replace("_", " ") for offer in session.offers() if offer.refused is None]


def _people(session: Session) -> list[str]:
    return [session.label(f.id) for f in session.fight.state.fighters]
