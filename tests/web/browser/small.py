"""Small fights for one test each, as encounter files."""

from __future__ import annotations

from typing import Any

import tomlkit

ANN = {"name": "Ann", "side": "Heroes", "template": "duellist", "at": [4, 4]}
THUG = {"name": "Thug", "side": "Gang", "template": "thug", "at": [5, 4]}
SMALL = {"size": [12, 8]}
"""A map, for `space`."""


def source(ruleset: str, *people: dict[str, Any], **head: Any) -> str:
    """An encounter file; `head`: whatever else it says."""
    return tomlkit.dumps({"ruleset": ruleset, **head, "combatant": list(people)})
