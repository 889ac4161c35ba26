"""The index of rules: ids, own paraphrases, status, and which function carries which rule.

It must not know any ruleset: it reads whatever `rules.toml` it is given.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from math import log
from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

F = TypeVar("F", bound=Callable[..., object])

Status = Literal["done", "referee", "open", "not-modelled"]


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """One numbered rule. `text` is the project's own paraphrase; `note` holds fixed readings and reasons."""

    id: str
    title: str
    section: str
    text: str
    status: Status = "open"
    note: str = ""
    words: str = ""
    """Further words under which the rule is to be found."""


class RuleFile(Struct, frozen=True, forbid_unknown_fields=True):
    """The shape of a `rules.toml`."""

    rule: tuple[Rule, ...]


def rule(*ids: str) -> Callable[[F], F]:
    """Mark a function as the place where these rules live. It returns the function as it is."""

    def mark(function: F) -> F:
        function.__rules__ = ids  # type: ignore[attr-defined]
        return function

    return mark


@cache
def index(package: str) -> dict[str, Rule]:
    """All rules of a ruleset package ('affray.rulesets.rond6'), by id, in the order of the file."""
    text = files(package).joinpath("rules.toml").read_text(encoding="utf-8")
    loaded = msgspec.convert(tomllib.loads(text), RuleFile)
    return {entry.id: entry for entry in loaded.rule}


def told(package: str, rule_id: str) -> str:
    """What a rule says, as one line beside its name: without a name and a price before the colon; '' for no rule."""
    found = index(package).get(rule_id)
    if found is None:
        return ""
    head, colon, rest = found.text.partition("): ")
    text = rest if colon and "(" in head and "." not in head else found.text
    return text[:1].upper() + text[1:]


COMMON = (
    "a about after all also an and any are as at be been before but by can cannot do does for from has have her his how if in "
    "into is it its may more most must no not of on one only or other out own she so such than that the their them then there "
    "they this to until up when which while who whom whose will with within without you your he each every"
)
WEAK = frozenset(COMMON.split())
"""Words that are not searched for unless a query has no others."""
ENDINGS = ("ations", "ation", "ingly", "ings", "ing", "edly", "ed", "ies", "es", "ers", "er", "ly", "s", "e", "y")


def stem(word: str) -> str:
    """A word without its ending, so that 'shooting', 'shoots' and 'shoot' are one."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            cut = word[: -len(ending)]
            return cut[:-1] if len(cut) > 3 and (cut[-1] == cut[-2] or cut[-1] in "ey") else cut
    return word


def stems(text: str) -> list[str]:
    """The stems of a text, each once, in its order; weak words are left out if there are others."""
    words = re.findall(r"[a-z0-9]+-[a-z0-9]+-[0-9]+|[0-9]+d|[a-z]+|[0-9]+", text.lower().replace("\u2019", "'"))
    strong = [word for word in words if word not in WEAK and len(word) > 1] or words
    return list(dict.fromkeys(stem(word) for word in strong))


FIELDS = (("title", 3.0), ("id", 2.0), ("text", 1.5), ("words", 1.2), ("section", 0.7), ("note", 0.7))
"""Where a word may stand, and what it is worth there."""


@cache
def _stems(package: str) -> tuple[tuple[Rule, tuple[tuple[str, float], ...]], ...]:
    found = []
    for entry in index(package).values():
        worth: dict[str, float] = {}
        for name, weight in FIELDS:
            for one in stems(getattr(entry, name)):
                worth[one] = max(weight, worth.get(one, 0.0))
        found.append((entry, tuple(worth.items())))
    return tuple(found)


def _worth(wanted: str, known: tuple[tuple[str, float], ...]) -> float:
    """What a wanted stem is worth among the stems of a rule; the beginning of a word counts less than the word."""
    best = 0.0
    for one, weight in known:
        if one == wanted:
            best = max(best, weight)
        elif len(wanted) >= 3 and (one.startswith(wanted) or (len(one) >= 4 and wanted.startswith(one))):
            best = max(best, 0.6 * weight)
    return best


def search(package: str, words: str, most: int = 12) -> list[Rule]:
    """Rules that fit the words, best first: in any case and with any ending, rare words counting most.

    A rule may lack some of them; of rules that lack any at most `most` are given.
    """
    wanted = stems(words)
    rows = [(entry, [_worth(one, known) for one in wanted]) for entry, known in _stems(package)]
    rarity = [log(1 + len(rows) / (1 + sum(1 for _, got in rows if got[n]))) for n in range(len(wanted))]
    rarity = [weight if any(got[n] for _, got in rows) else 0.0 for n, weight in enumerate(rarity)]
    shares = [sum(weight for weight, one in zip(rarity, got, strict=True) if one) for _, got in rows]
    least, scored = 0.55 * max(shares, default=0.0), []
    for (entry, got), share in zip(rows, shares, strict=True):
        if share and share >= least:
            points = share * sum(weight * one for weight, one in zip(rarity, got, strict=True))
            scored.append((all(got), points, entry))
    scored.sort(key=lambda row: -row[1])
    complete = sum(1 for row in scored if row[0])
    return [entry for _, _, entry in scored[: max(most, complete)]]
