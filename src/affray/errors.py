"""What can go wrong, in words for the person who did it.

Everything a user can cause derives from `AffrayError`. Anything else is a bug and keeps its traceback.
This module knows nothing of dice, rules or files; it only carries what a message needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Not a tab or a new line; what steers a terminal, or turns the direction of text around."""
LONGEST = 1000
"""Letters of one message. What is longer holds something that was typed or sent, and is cut in its middle."""


def steering(text: str) -> str:
    """'holds the control character U+001B' where a text holds one (the first), else ''."""
    return f"holds the control character U+{ord(found[0]):04X}" if (found := CONTROL.search(text)) else ""


def shortened(text: str) -> str:
    """A message that does not echo a megabyte of what somebody sent: its beginning and its end."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"


class AffrayError(Exception):
    """Base of everything that a user may cause. Command line: exit code 2 unless stated otherwise."""

    def __init__(self, message: str = "") -> None:
        super().__init__(shortened(message))


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not allowed: the reason in words, the rule that says so, and what would be legal."""

    rule: str
    text: str
    legal: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.text) > LONGEST:
            object.__setattr__(self, "text", shortened(self.text))

    def __str__(self) -> str:
        told = f"{self.text} [{self.rule}]" if self.rule else self.text
        return f"{told}; possible: {', '.join(self.legal)}" if self.legal else told


class IllegalOrder(AffrayError):
    """An order that the rules do not allow now. The state is unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(str(refusal))
        self.refusal = refusal


class StaleOrder(AffrayError):
    """An order or answer given on a view that is no longer the current one."""


class BadAnswer(AffrayError):
    """An answer that does not fit the question. It is asked again."""


class ReplayMismatch(AffrayError):
    """Recorded answers that do not fit what the rules ask now."""


class LimitReached(AffrayError):
    """A stated technical limit (dice in a pool, re-throws, combatants)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a file: where (file, line or key), what, what is allowed, and the nearest name."""

    text: str
    file: str = ""
    line: int = 0
    key: str = ""
    allowed: tuple[str, ...] = ()
    nearest: str = ""

    def __post_init__(self) -> None:
        for name in ("text", "key", "file"):
            object.__setattr__(self, name, shortened(getattr(self, name)))

    def __str__(self) -> str:
        where = ":".join(part for part in (self.file, str(self.line) if self.line else "") if part)
        told = ": ".join(part for part in (where, self.key, self.text) if part)
        if self.nearest:
            told += f"; did you mean {self.nearest!r}?"
        if self.allowed:
            told += f" (allowed: {', '.join(self.allowed)})"
        return told


class DataError(AffrayError):
    """Bad input in a file: all its problems at once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        Exception.__init__(self, "\n".join(map(str, self.problems)))  # each of them is short


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """The known name closest to `name`, or '' when none is close. `cutoff`: how alike they must be, 1: the same."""
    from difflib import get_close_matches  # not needed unless something is wrong

    by_lower = {k.lower(): k for k in known}
    found = get_close_matches(name[:LONGEST].lower(), list(by_lower), n=1, cutoff=cutoff)
    return by_lower[found[0]] if found else ""


def unknown(what: str, name: str, known: Sequence[str], file: str = "", line: int = 0, key: str = "") -> Problem:
    """The problem 'there is no such thing', with the nearest name and all allowed ones, if they are few or none is near."""
    near = nearest(name, known)
    allowed = tuple(known) if len(known) <= (12 if near else 40) else ()
    return Problem(f"unknown {what} {name!r}", file, line, key, allowed, near)
