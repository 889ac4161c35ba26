"""Words of a typed line: taking them apart, and finding what they name by number, name or unique beginning."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from affray.errors import AffrayError, nearest

MOST = 6
"""Most words that one name may take."""
SHOWN = 12
"""Names that a message lists."""


class Unclear(AffrayError):
    """A line that cannot be understood, with what would be."""


def split(line: str) -> list[str]:
    """The words of a line; what stands in quotes is one word."""
    return [quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|(\S+)', line)]


def pieces(text: str) -> list[str]:
    """A name in pieces for comparing: letters and numbers apart, lower case ('Guard-3' -> guard, 3)."""
    return re.findall(r"[^\W\d_]+|\d+", str(text).lower())


def _begins(typed: Sequence[str], label: Sequence[str]) -> bool:
    """Each typed piece begins the label's piece at its place; numbers must be the same."""
    if not typed or len(typed) > len(label):
        return False
    return all(t == have if t.isdigit() or have.isdigit() else have.startswith(t) for t, have in zip(typed, label, strict=False))


def candidates(typed: str, choices: Iterable[tuple[Any, Sequence[str]]]) -> list[Any]:
    """What the words may name: the exact one, else those that begin so, else those with a word that begins so."""
    wanted = pieces(typed)
    if not wanted:
        return []
    known = [(choice, [pieces(label) for label in labels]) for choice, labels in choices]

    def exact(label: list[str]) -> bool:
        return label == wanted or "".join(label) == "".join(wanted)

    def begun(label: list[str]) -> bool:
        return _begins(wanted, label)

    def inside(label: list[str]) -> bool:
        return any(_begins(wanted, label[i:]) for i in range(1, len(label)))

    for fits in (exact, begun, inside):
        found = [choice for choice, labels in known if any(fits(label) for label in labels)]
        if found:
            return list(dict.fromkeys(found)) if all(_hashable(one) for one in found) else found
    return []


def take(words: Sequence[str], choices: Sequence[tuple[Any, Sequence[str]]], what: str, numbered: bool = True) -> tuple[Any, int]:
    """The choice that the first words name, and how many words that took. Raises Unclear.

    `choices`: each with the names it goes by. `numbered`: a number counts along the choices as they are listed.
    """
    if not words:
        raise Unclear(f"{what}: {listed(choices)}")
    exact = candidates(words[0], choices)
    if numbered and words[0].isdigit() and not exact:
        number = int(words[0])
        if 1 <= number <= len(choices):
            return choices[number - 1][0], 1
        raise Unclear(f"{what} {number}: the list goes from 1 to {len(choices)}")
    for count in range(min(len(words), MOST), 0, -1):
        found = candidates(" ".join(words[:count]), choices)
        if len(found) == 1:
            if count < len(words) and words[count].isdigit() and _numbered(found[0], choices, words[:count]):
                break  # 'guard 3' where there is only a Guard 1
            return found[0], count
        if found:
            some = [(choice, labels) for choice, labels in choices if choice in found]
            raise Unclear(f"{' '.join(words[:count])!r} could be {listed(some, ' or ')}")
    names = [label for _, labels in choices for label in labels]
    near = nearest(words[0], names)
    hint = f"; did you mean {near!r}?" if near else ""
    known = f"none of {listed(choices)}" if choices else "nothing: there is no choice"
    raise Unclear(f"{what}: {words[0]!r} is {known}{hint}")


def _numbered(found: Any, choices: Sequence[tuple[Any, Sequence[str]]], typed: Sequence[str]) -> bool:
    """Whether a number goes on where the typed words stop in the name of the choice."""
    length = len(pieces(" ".join(typed)))
    labels = next((labels for choice, labels in choices if choice is found or choice == found), ())
    return any(len(pieces(label)) > length and pieces(label)[length].isdigit() for label in labels)


def listed(choices: Sequence[tuple[Any, Sequence[str]]], join: str = ", ") -> str:
    """The first names of some choices."""
    names = [next((label for label in labels if label), str(choice)) for choice, labels in choices]
    more = f"{join}{len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return join.join(names[:SHOWN]) + more


def whole(word: str, what: str) -> int:
    """A whole number. Raises Unclear."""
    if re.fullmatch(r"[+-]?\d{1,9}", word):
        return int(word)
    raise Unclear(f"{what}: {word!r} is no whole number")


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True
