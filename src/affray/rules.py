"""The index of rules: ids, own paraphrases, status, and which function carries which rule.

It must not know any ruleset: it reads whatever `rules.toml` it is given.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
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


def search(package: str, words: str) -> list[Rule]:
    """Rules that contain every word (any case, beginnings of words count), best first: title, then text."""
    wanted = words.lower().split()

    def score(entry: Rule) -> int:
        title, body = entry.title.lower(), f"{entry.id} {entry.section} {entry.text} {entry.note}".lower()
        if not all(word in title or word in body for word in wanted):
            return 0
        return 1 + sum(3 for word in wanted if word in title)

    found = [(score(entry), entry) for entry in index(package).values()]
    return [entry for points, entry in sorted(found, key=lambda pair: -pair[0]) if points]
