"""What is shown: lines with a word for their kind. How they look is for whoever prints them."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["", "entry", "event", "bad", "head", "note", "ask", "option", "total", "screen"]
"""'entry' an order that was carried out, 'event' what it did, 'bad' a refusal, 'head' a heading, 'note' a remark,
'ask' a question, 'option' one of its answers, 'total' a sum."""


class Line(NamedTuple):
    """One line of text. Lines after the first, where it must be broken, are set in by `hang` letters."""

    text: str
    kind: Kind = ""
    hang: int = 0


def bad(text: str) -> Line:
    """A refusal or a mistake."""
    return Line(text, "bad", 2)


def note(text: str) -> Line:
    return Line(text, "note", 2)
