"""Stock gear and combatants by name: `find("rond6", "weapon", "long bow")`.

One TOML file per family of systems, facts only. What the numbers mean in a fight is the business of each ruleset.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from importlib.resources import files
from typing import Any

from affray.errors import DataError, Problem, unknown

Entry = dict[str, Any]
"""One entry, as it stands in the file."""

_FILES = {"d6": "d6.toml", "rond6": "d6.toml", "rd6": "d6.toml", "cepheus": "cepheus.toml"}
_KINDS = {"armor": "armour", "weapons": "weapon", "templates": "template"}
_RENAMED = {"rd6": {"Will Power": "Willpower"}}
"""Attributes that go by another name in a system than in the file."""


def systems() -> tuple[str, ...]:
    """Names that `find` and `entries` take for a system."""
    return tuple(_FILES)


def kinds(system: str) -> tuple[str, ...]:
    """What a system has entries of: weapon, armour, template..."""
    return tuple(kind for kind, table in _load(system).items() if table)


def names(system: str, kind: str) -> tuple[str, ...]:
    """Names of all entries of a kind, in the order of the file. An unknown kind raises DataError."""
    return tuple(entry["name"] for entry in _table(system, kind))


def entries(system: str, kind: str) -> tuple[Entry, ...]:
    """All entries of a kind (copies). An unknown kind raises DataError."""
    return tuple(_renamed(system, deepcopy(entry)) for entry in _table(system, kind))


def find(system: str, kind: str, name: str) -> Entry:
    """The entry of that name or id (a copy), upper and lower case alike. Raises DataError with the nearest name."""
    wanted = name.strip().lower()
    for entry in _table(system, kind):
        if wanted in (str(entry["name"]).lower(), str(entry.get("id", "")).lower()):
            return _renamed(system, deepcopy(entry))
    raise DataError([missing(system, kind, name)])


def missing(system: str, kind: str, name: str) -> Problem:
    """The problem that there is no such entry, with the nearest name."""
    known = names(system, kind)
    problem = unknown(kind, name, known)
    if problem.nearest:
        return problem
    hits = [one for one in known if name.lower() in one.lower() or one.lower() in name.lower()]
    return unknown(kind, name, tuple(hits[:6]) or known)


def _table(system: str, kind: str) -> tuple[Entry, ...]:
    loaded = _load(system)
    kind = _KINDS.get(kind, kind)
    if kind not in loaded:
        raise DataError([unknown("kind of compendium entry", kind, tuple(loaded))])
    return loaded[kind]


@cache
def _load(system: str) -> Mapping[str, tuple[Entry, ...]]:
    if system not in _FILES:
        raise DataError([unknown("system", system, systems())])
    source = files(__name__).joinpath(_FILES[system])
    data = tomllib.loads(source.read_text(encoding="utf-8")) if source.is_file() else {}
    tables = {kind: tuple(table) for kind, table in data.items() if isinstance(table, list)}
    return {"weapon": (), "armour": (), "template": ()} | tables


def _renamed(system: str, entry: Entry) -> Entry:
    names_here = _RENAMED.get(system, {})
    if names_here and isinstance(entry.get("attributes"), dict):
        entry["attributes"] = {names_here.get(key, key): value for key, value in entry["attributes"].items()}
    return entry
