"""Dice as people write them: `4D+1: W6>5 | 6 5 4 -> 27`, in every spelling that rule books and players use.

One text describes one roll that has been thrown. It becomes the faces in the order in which the rules consume them:
each Wild Die with its re-throws, then the regular dice. Whether they suit the roll that is asked for is not known here.

    4D+1: W6>5 | 6 5 4 -> 27        Wild Die 6, thrown again 5; regular dice 6 5 4; the total is 27
    3D+1W: W2 W5 | 4 1              3D with one more Wild Die (2W: only Wild Dice)
    4D: W6! | 3 2 5 -> 16           this 6 is not thrown again
    4D: R[2,3,4] W[6,3] +1 = 19 → 3 successes
    2D6 5 4    2D6[5,4]    [5,4]    5 4    plain dice
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from affray.errors import BadAnswer

MAX_FACES = 1000


class DiceText(Struct, frozen=True, forbid_unknown_fields=True):
    """One thrown roll. `dice` counts every die but re-throws (0: the text does not say); `pips` is added to the sum."""

    faces: tuple[int, ...]
    dice: int = 0
    pips: int = 0
    wilds: tuple[tuple[int, ...], ...] = ()
    total: int | None = None
    successes: int | None = None
    flags: tuple[str, ...] = ()

    @property
    def regular(self) -> tuple[int, ...]:
        """The faces that belong to no Wild Die."""
        return self.faces[sum(map(len, self.wilds)) :]


def parse(text: str | Sequence[int]) -> DiceText:
    """Read one dice text, or a bare list of faces. Raises BadAnswer saying what was expected and where."""
    if not isinstance(text, str):
        return _listed(text)
    body = text.strip()
    if body.startswith("{") and body.endswith("}"):
        body = body[1:-1].strip()
    body, total, successes = _result(body, text)
    code, body = _code(body, text)
    if re.search(r"[RW]\s*\[", body):
        wilds, regular, stays, pips = _brackets(body, text)
        code = code._replace_pips(pips, text)
    elif "W" in body.upper():
        wilds, regular, stays = _bars(body, text)
    else:
        wilds, regular, stays = (), _faces(body, text), False
    _check_counts(code, wilds, regular, text)
    faces = tuple(face for chain in wilds for face in chain) + regular
    if not faces:
        raise _bad(text, "no dice in it")
    flags = ("no_rethrow",) if stays else ()
    return DiceText(faces, code.dice or 0, code.pips or 0, wilds, total, successes, flags)


class _Code(Struct, frozen=True):
    """What stands before the colon. dice None: nothing stands there; wilds None: as many as written."""

    dice: int | None = None
    pips: int | None = None
    wilds: int | None = None

    def _replace_pips(self, pips: int | None, text: str) -> _Code:
        if pips is None or pips == self.pips:
            return self
        if self.pips is not None and self.pips != 0:
            raise _bad(text, f"the code has +{self.pips}, after the dice stands +{pips}")
        return _Code(self.dice, pips, self.wilds)


def _bad(text: object, why: str) -> BadAnswer:
    return BadAnswer(f"dice {text!r}: {why}; write for example '4D+1: W6>5 | 6 5 4 -> 27', '2D6 5 4' or [5, 4]")


def _listed(faces: Sequence[int]) -> DiceText:
    if len(faces) > MAX_FACES:
        raise BadAnswer(f"{len(faces)} dice in one roll; at most {MAX_FACES}")
    for face in faces:
        if type(face) is not int or not 1 <= face <= 6:
            raise _bad(list(faces), f"{face!r} is no face of a six-sided die")
    if not faces:
        raise _bad(list(faces), "no dice in it")
    return DiceText(tuple(faces))


def _result(body: str, text: str) -> tuple[str, int | None, int | None]:
    """Split off `-> 27`, `= 12 → 2 successes`: what is left, the total, the successes."""
    successes = None
    if found := re.search(r"(?:->|→)\s*(\d+)\s+success(?:es)?\s*$", body):
        successes, body = int(found[1]), body[: found.start()].strip()
    if found := re.search(r"(?:->|→|=)\s*(-?\d+)\s*$", body):
        return body[: found.start()].strip(), int(found[1]), successes
    if re.search(r"->|→|=", body):
        raise _bad(text, "the total after -> or = must be a whole number at the end")
    return body, None, successes


_CODE = re.compile(
    r"(?:(?P<dice>\d+)\s*[dD]6?(?!\d))?\s*(?:\+\s*(?P<pips>\d+)(?![\dWw]))?\s*(?:\+?\s*(?P<wilds>\d+)\s*[Ww](?![\[\d]))?\s*"
)


def _code(body: str, text: str) -> tuple[_Code, str]:
    """The die code in front (with or without a colon), and the rest."""
    head, colon, rest = body.partition(":")
    if not colon:
        found = re.match(r"\s*(\d+)\s*[dD]6?(?!\d)\s*(?:\+\s*(\d+)(?!\d))?\s*", body)
        if not found:
            return _Code(), body
        head, rest = found[0], body[found.end() :]
    found = _CODE.fullmatch(head.strip())
    if not found or not (found["dice"] or found["wilds"]):
        raise _bad(text, f"{head.strip()!r} is no die code")
    pips, dice = int(found["pips"] or 0), int(found["dice"] or 0)
    if pips > 2:
        raise _bad(text, f"{head.strip()!r} has {pips} pips; a code has 0, 1 or 2, three make one die")
    extra = None if found["wilds"] is None else int(found["wilds"])
    if extra is None:
        return _Code(dice, pips), rest.strip()
    return _Code(dice + extra, pips, extra + (1 if dice else 0)), rest.strip()


def _faces(part: str, text: str) -> tuple[int, ...]:
    """Faces separated by spaces or commas, perhaps in square brackets."""
    part = part.strip()
    if part.startswith("[") and part.endswith("]"):
        part = part[1:-1]
    words = [word for word in re.split(r"[\s,]+", part.strip()) if word]
    if len(words) > MAX_FACES:
        raise _bad(text[:40], f"at most {MAX_FACES} dice in one roll")
    for word in words:
        if not re.fullmatch("[1-6]", word):
            raise _bad(text, f"{word!r} is no face of a six-sided die")
    return tuple(map(int, words))


def _bars(body: str, text: str) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...], bool]:
    """`W6>3 W5 | 4 1`: Wild Dice, regular dice, whether a 6 stays."""
    left, bar, right = body.partition("|")
    wilds, stays = [], False
    for word in left.replace(",", " ").split():
        found = re.fullmatch(r"[Ww]([1-6](?:>[1-6])*)(!?)", word)
        if not found:
            stray = re.fullmatch("[1-6]", word) and not bar
            hint = "regular dice stand after |" if stray else "expected W and faces, as in W6>3"
            raise _bad(text, f"{word!r}: {hint}")
        wilds.append(tuple(map(int, found[1].split(">"))))
        stays = stays or bool(found[2])
    return _chains(wilds, text), _faces(right, text), stays


def _brackets(body: str, text: str) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...], bool, int | None]:
    """`R[2,3] W[6,1] W[4] +2`: Wild Dice, regular dice, False, what is added at the end (None: nothing)."""
    wilds: list[tuple[int, ...]] = []
    regular: tuple[int, ...] = ()

    def take(found: re.Match[str]) -> str:
        nonlocal regular
        faces = _faces(found[2], text)
        if found[1] == "W":
            wilds.append(faces)
        else:
            regular += faces
        return " "

    rest = re.sub(r"([RW])\s*\[([^\]]*)\]", take, body).strip()
    added = re.fullmatch(r"\+\s*(\d+)", rest)
    if rest and not added:
        raise _bad(text, f"{rest!r} was not understood; expected R[faces] and W[faces]")
    return _chains(wilds, text), regular, False, int(added[1]) if added else None


def _chains(wilds: list[tuple[int, ...]], text: str) -> tuple[tuple[int, ...], ...]:
    """Only a 6 is thrown again; a first 1 may be followed by the one die of a house table."""
    for chain in wilds:
        if not chain:
            raise _bad(text, "a Wild Die without a face")
        again = [face for face in chain[:-1] if face != 6]
        if again and not (chain[0] == 1 and len(chain) == 2):
            raise _bad(text, f"the Wild Die goes on after a {again[0]}; only a 6 is thrown again")
    return tuple(wilds)


def _check_counts(code: _Code, wilds: tuple[tuple[int, ...], ...], regular: tuple[int, ...], text: str) -> None:
    if code.wilds is not None and len(wilds) != code.wilds:
        raise _bad(text, f"{code.wilds} Wild Dice by the code, {len(wilds)} written")
    if code.dice is not None and code.dice != len(wilds) + len(regular):
        raise _bad(text, f"the code wants {code.dice - len(wilds)} regular dice, {len(regular)} are written")
