"""People as a game master jots them down: `4 thugs`, `Kess, Mox`, `Serra (watch sergeant)`, one or several a line.

Plain names first: whatever is no stock combatant and no known character is a name for somebody whose sheet is still to
be written. A line that ends with a colon names the side of those below it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from msgspec import Struct

from affray import compendium
from affray.errors import Problem, nearest
from affray.formats.models import MAX_COMBATANTS

MAX_LINES = 500
ALIKE = 0.7
"""How alike a plain name must be to a known one to be taken for a slip."""
_IN_WORDS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORDS = {word: number for number, word in enumerate(_IN_WORDS, 2)}
_COUNTED = re.compile(r"(\d{1,4})\s*(?:[x×]\s*)?(?=\D)(.+)", re.IGNORECASE)
_TIMES = re.compile(r"(.+?)\s*[x×]\s*(\d{1,4})", re.IGNORECASE)
_BOTH = (
    re.compile(r"(?P<what>.+?)\s+as\s+(?P<who>.+)"),
    re.compile(r"(?P<who>.+?)\s*\((?P<what>[^()]+)\)"),
    re.compile(r"(?P<who>.+?)\s*[:=]\s*(?P<what>.+)"),
    re.compile(r"(?P<who>.+?),? the (?P<what>.+)"),
)
_ENDINGS = (("", ""), ("s", ""), ("es", ""), ("ves", "f"), ("ves", "fe"), ("ies", "y"), ("men", "man"), ("women", "woman"))
"""Ends of words in the plural, and what they are in the singular."""


class Named(Struct, frozen=True):
    """Somebody of a list, or `count` alike. `template`: a stock combatant; `character`: one of those known by name."""

    name: str
    count: int = 1
    side: str = ""
    template: str = ""
    character: str = ""
    near: str = ""
    """The stock combatant that was perhaps meant."""

    @property
    def plain(self) -> bool:
        """Nobody that is known: average in everything until a sheet is written."""
        return not self.template and not self.character


def read_names(text: str, system: str, characters: Collection[str] = (), taken: Collection[str] = ()) -> tuple[Named, ...]:
    """Everybody of a pasted list, for a ruleset; names that are `taken` (or come twice) get a letter."""
    used = {name.lower() for name in taken}
    found = []
    for side, item in _items(text, system, characters):
        one = _named(item, system, characters)
        name = _free(one.name, used)
        used.add(name.lower())
        found.append(Named(name, min(one.count, MAX_COMBATANTS), side, one.template, one.character, one.near))
    return tuple(found)


class Doubt(Struct, frozen=True):
    """What looks like a slip of the pen: its line, what stands there, and what was perhaps meant."""

    line: int
    meant: str
    near: str
    character: bool = False


def doubts(text: str, system: str, characters: Collection[str] = ()) -> tuple[Problem, ...]:
    """Entries that look like a stock combatant with a slip of the pen: '3 thgus', 'Serra (veterann)', each with its line.

    Plain names are never doubted: somebody may well be called Wolfe.
    """
    return tuple(
        Problem(f"line {one.line}: no stock combatant is called {one.meant!r}; did you mean {one.near!r}?", "", one.line)
        for one in slips(text, system, characters)
    )


def slips(text: str, system: str, characters: Collection[str] = (), plain: bool = False) -> tuple[Doubt, ...]:
    """Entries that look like a slip of the pen. `plain`: also single names that look like a stock combatant's or character's."""
    found = []
    stock = compendium.names(system, "template")
    for number, _, item in _numbered(text, system, characters):
        one = _named(item, system, characters)
        if not one.plain:
            continue
        count, words = _counted(item)
        parts = [match["what"].strip() for shape in _BOTH if (match := shape.fullmatch(words))]
        meant = parts[0] if parts else words if count > 1 else ""
        if meant and (near := nearest(_singular(meant), stock)):
            found.append(Doubt(number, meant, near))
        elif plain and not meant and (near := nearest(words, [*characters, *stock], ALIKE)):
            found.append(Doubt(number, words, near, near in characters))
    return tuple(found)


def _items(text: str, system: str, characters: Collection[str]) -> Iterator[tuple[str, str]]:
    """Side and words of each entry."""
    return ((side, item) for _, side, item in _numbered(text, system, characters))


def _numbered(text: str, system: str, characters: Collection[str]) -> Iterator[tuple[int, str, str]]:
    """Line, side and words of each entry."""
    side = ""
    for number, line in enumerate(text.splitlines()[:MAX_LINES], 1):
        line = line.partition("#")[0].strip().lstrip("-*•").strip()
        if line.endswith(":"):
            side = line[:-1].strip()
            continue
        head, colon, rest = line.partition(":")
        if colon and rest.strip() and not _known(rest.strip(), system, characters):
            side, line = head.strip(), rest
        yield from ((number, side, part) for one in re.split(r"[,;]", line) if (part := _clean(one)))


def _clean(text: str) -> str:
    printable = "".join(c for c in text if c.isprintable())
    return re.sub(r"\s+", " ", re.sub(r"^and ", "", printable.strip())).strip(" .")


def _named(item: str, system: str, characters: Collection[str]) -> Named:
    count, words = _counted(item)
    if count == 1:
        if whole := _known(words, system, characters):
            return whole
        for shape in _BOTH:
            if (found := shape.fullmatch(words)) and (known := _known(found["what"].strip(), system, characters)):
                return Named(found["who"].strip()[:60], 1, "", known.template, known.character)
    if known := _known(words, system, characters):
        return Named(known.name, count, "", known.template, "" if count > 1 else known.character)
    return Named(words[:60], count, near=nearest(_singular(words), compendium.names(system, "template")))


def _counted(item: str) -> tuple[int, str]:
    """How many, and of what."""
    if found := _COUNTED.fullmatch(item):
        return max(1, int(found[1])), found[2].strip()
    if found := _TIMES.fullmatch(item):
        return max(1, int(found[2])), found[1].strip()
    head, _, rest = item.partition(" ")
    if rest and head.lower() in _WORDS:
        return _WORDS[head.lower()], rest.strip()
    return 1, re.sub(r"^(a|an|one) ", "", item, flags=re.IGNORECASE) or item


def _known(words: str, system: str, characters: Collection[str]) -> Named | None:
    """The character or stock combatant of that name, in the singular or the plural."""
    for name in characters:
        if name.lower() == words.lower():
            return Named(name, 1, character=name)
    stock = {name.lower(): name for name in compendium.names(system, "template")}
    for end, instead in _ENDINGS:
        if words.lower().endswith(end) and (found := stock.get(words.lower()[: len(words) - len(end)] + instead)):
            return Named(found[:1].upper() + found[1:], 1, template=found)
    return None


def _singular(words: str) -> str:
    return words[:-1] if words.endswith("s") else words


def _free(name: str, used: Collection[str]) -> str:
    """The name, with a letter behind it where somebody is called so already."""
    if name.lower() not in used:
        return name
    for letter in "BCDEFGHIJKLMNOPQRSTUVWXYZ":
        if f"{name} {letter}".lower() not in used:
            return f"{name} {letter}"
    number = 2
    while f"{name} {number}".lower() in used:
        number += 1
    return f"{name} {number}"
