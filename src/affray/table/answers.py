"""Reading an answer typed by a person into the shape that a domain checks, and saying what may be typed.

One reader for each domain of `affray.domains`; the domains themselves judge the result. A reader also says how many words
it took, so that the options of an order can stand in one line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from affray import domains
from affray.render.words import Label, shown
from affray.table.words import Unclear, listed, take, whole

YES = {"yes", "y", "true", "on"}
NO = {"no", "n", "false", "off"}


def choices(options: Sequence[Any], label: Label = str) -> list[tuple[Any, tuple[str, ...]]]:
    """Values with the names they go by."""
    found: list[tuple[Any, tuple[str, ...]]] = []
    for option in options:
        names = (label(option), str(option)) if option not in ("", None) else ("none", "any")
        found.append((option, tuple(dict.fromkeys(name.replace("_", " ") for name in names))))
    return found


def read(domain: Any, words: Sequence[str], what: str, label: Label = str, numbered: bool = True) -> tuple[Any, int]:
    """An answer and the number of words it took. Raises Unclear, BadAnswer."""
    kind = type(domain)
    if kind is domains.OneOf:
        return take(words, choices(domain.options, label), what, numbered)
    if kind is domains.YesNo:
        return _yes(words, what), 1
    if not words:
        raise Unclear(f"{what}: {hint(domain, label)}")
    if kind is domains.Number:
        return domain.check(whole(words[0], what)), 1
    if kind is domains.Place:
        return _place(words, domain, what)
    if kind is domains.Text:
        return domain.check(" ".join(words)), len(words)
    if kind is domains.Subset:
        return domain.check([] if words[0].lower() == "none" else _several(domain.options, words, what, label)), len(words)
    if kind is domains.Ranking:
        return domain.check(_several(domain.options, words, what, label, rest=True)), len(words)
    if kind is domains.Split:
        return domain.check(_shares(domain, words, what)), len(words)
    raise Unclear(f"{what}: this cannot be typed here")


def _yes(words: Sequence[str], what: str) -> bool:
    if words and words[0].lower() in YES:
        return True
    if words and words[0].lower() in NO:
        return False
    raise Unclear(f"{what}: yes or no")


def _place(words: Sequence[str], domain: Any, what: str) -> tuple[Any, int]:
    """'5,3', '(5, 3)' or '5 3'."""
    for count in (1, 2):
        found = re.fullmatch(r"[(\[]?\s*(-?\d+)\s*[,; ]\s*(-?\d+)\s*[)\]]?", " ".join(words[:count]))
        if found:
            return domain.check([int(found[1]), int(found[2])]), count
    raise Unclear(f"{what}: {words[0]!r} is no place; write for example 5,3")


def _several(options: Sequence[Any], words: Sequence[str], what: str, label: Label, rest: bool = False) -> list[Any]:
    """Several of the options, with commas or without. `rest`: those left out follow in their order."""
    left = [word for word in re.split(r"[\s,]+", " ".join(words)) if word and word != "and"]
    found: list[Any] = []
    if left == ["all"]:
        return list(options)
    while left:
        one, used = take(left, choices(options, label), what)
        if one in found:
            raise Unclear(f"{what}: {label(one)} is named twice")
        found.append(one)
        left = left[used:]
    return found + [option for option in options if rest and option not in found]


def _shares(domain: Any, words: Sequence[str], what: str) -> Any:
    """'3 2 0' in the order of the places, or 'endurance 3, strength 2'; a single place takes everything."""
    left = [word for word in re.split(r"[\s,=]+", " ".join(words)) if word]
    if all(re.fullmatch(r"\d+", word) for word in left):
        return [int(word) for word in left]
    names = choices([name for name, _ in domain.places])
    shares: dict[str, int] = {}
    while left:
        place, used = take(left, names, what, numbered=False)
        left = left[used:]
        if left and re.fullmatch(r"\d+", left[0]):
            shares[place] = int(left.pop(0))
        else:
            shares[place] = domain.total - sum(shares.values())
    return shares


def hint(domain: Any, label: Label = str) -> str:
    """What may be typed, in a few words."""
    kind = type(domain)
    if kind is domains.OneOf:
        return listed(choices(domain.options, label))
    if kind is domains.YesNo:
        return "yes or no"
    if kind is domains.Number:
        return f"{domain.least} to {domain.most}"
    if kind is domains.Place:
        if domain.around:
            return f"a place such as {domain.around[0]},{domain.around[1]}, at most {domain.reach} away from there"
        return "a place such as 5,3"
    if kind is domains.Text:
        return "words"
    if kind is domains.Subset:
        return f"some of {listed(choices(domain.options, label))}, with commas; or none"
    if kind is domains.Ranking:
        return f"all in order, the first ones are enough: {listed(choices(domain.options, label))}"
    if kind is domains.Split:
        places = ", ".join(f"{name} (at most {most})" for name, most in domain.places)
        return f"{domain.total} over {places}: one number each"
    if kind is domains.AnOrder:
        return "one of the orders, or pass"
    return kind.__name__


def menu(domain: Any, label: Label = str) -> list[str]:
    """The options that are worth a numbered list; empty where the hint says enough."""
    if type(domain) in (domains.OneOf, domains.Subset, domains.Ranking):
        return [names[0] for _, names in choices(domain.options, label)]
    return []


def default_text(field: Any, label: Label = str) -> str:
    """What Enter means where an option is asked for; '' becomes 'must be named'."""
    return shown(field.default, label) if field.default is not None else "must be named"
