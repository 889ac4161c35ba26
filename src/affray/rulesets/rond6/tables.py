"""The printed tables of `tables.toml`, as values ready for use."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

_RAW: dict[str, list[dict[str, Any]]] = tomllib.loads(files(__package__).joinpath("tables.toml").read_text(encoding="utf-8"))


def rows(name: str) -> list[dict[str, Any]]:
    """The rows of a table. Raises KeyError."""
    return _RAW[name]


BAND_MODIFIER = {row["name"]: (row["modifier"], row["rule"]) for row in _RAW["range_band"]}
ATTACK_SKILL = {row["kind"]: row["skill"] for row in _RAW["attack"]}
DEFENCE = {row["name"]: (row["skill"], tuple(row["against"])) for row in _RAW["defence"]}
INTERACTION = {row["name"]: (row["skill"], row["specialization"], row["resist"]) for row in _RAW["interaction"]}
"""Kind: the skill and specialization that try it, and the skill that resists it (RON-INT-2)."""
EFFECT = {row["name"]: row["price"] for row in _RAW["effect"]}
SETBACK = {row["face"]: row["name"] for row in _RAW["setback"]}
SCALE = {row["name"]: (row["dice"], row["side"]) for row in _RAW["scale"]}
