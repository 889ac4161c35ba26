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


_TYPES = {
    "int": "a whole number", "float": "a number", "str": "text", "bool": "yes or no (true or false)", "array": "a list",
    "object": "a table of names and values", "null": "nothing", "set": "a list", "dict": "a table of names and values",
}  # fmt: skip
_MISFITS: tuple[tuple[str, str], ...] = (
    (r"Expected `(?P<kind>[^`]+)`, got `(?P<got>[^`]+)`", "{kind} is expected here, not {got}"),
    (r"Expected `array` of \D*length (?P<n>\d+).*, got (?P<got>\d+)", "a list of {n} is expected here, not of {got}"),
    (r"Expected `str` of length >= 1\b", "must not be empty"),
    (r"Expected `str` of length <= (?P<n>\d+)", "has more than {n} letters"),
    (r"Expected `\w+` of length >= (?P<n>\d+)", "needs at least {n} entries"),
    (r"Expected `\w+` of length <= (?P<n>\d+)", "has more than {n} entries"),
    (r"Expected `(?:int|float)` >= (?P<n>\S+)", "must be at least {n}"),
    (r"Expected `(?:int|float)` <= (?P<n>\S+)", "must be at most {n}"),
    (r"Object missing required field `(?P<n>[^`]*)`", "{n!r} is missing"),
    (r"Object contains unknown field `(?P<n>.*?)`", "there is no field {n!r}"),
    (r"Invalid (?:enum )?value '?(?P<n>.*?)'?(?: - at|$)", "{n!r} is not possible"),
    (r"JSON is malformed: (?P<n>.*)", "this is no proper JSON: {n}"),
    (r"Input data was truncated", "this JSON ends too soon"),
)  # fmt: skip


def plainly(wrong: object) -> str:
    """What msgspec says of data that do not fit, in words for people: 'n: a whole number is expected here, not text'."""
    text = str(wrong)
    where = (re.search(r" - at `\$\.?(.*?)`$", text) or ["", ""])[1]
    for pattern, words in _MISFITS:
        if found := re.match(pattern, text, re.DOTALL):
            values = {key: _type_words(one or "") if key in ("kind", "got") else one for key, one in found.groupdict().items()}
            told = words.format(**values)
            return shortened(f"{where}: {told}" if where else told)
    return shortened(text)


def _type_words(names: str) -> str:
    return " or ".join(_TYPES.get(one, one) for one in names.split(" | "))


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

    @property
    def hinted(self) -> str:
        """The reason, with the legal name that is nearest to the one that it quotes."""
        quoted = re.findall(r"'([^']+)'", self.text)
        near = nearest(quoted[-1], self.legal) if quoted and "did you mean" not in self.text else ""
        return f"{self.text}; did you mean {near!r}?" if near and near not in quoted else self.text

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
