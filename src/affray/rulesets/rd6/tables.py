"""The printed tables, read once from tables.toml. Numbers only; which of them applies is decided by the rules."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

_ALL: dict[str, Any] = tomllib.loads(files(__package__).joinpath("tables.toml").read_text(encoding="utf-8"))

POINT_BLANK_M: int = _ALL["band"][0]["upto"]
"""Far end of Point Blank in metres [RD6-MOD-4]."""
BANDS: dict[str, int] = {row["name"]: row["difficulty"] for row in _ALL["band"]}
SMOKE: dict[str, int] = _ALL["smoke"]
LIGHT: dict[str, int] = _ALL["light"]
COVER: tuple[tuple[int, int], ...] = tuple((row["least"], row["difficulty"]) for row in _ALL["cover"])
SIZE: dict[str, int] = _ALL["size"]
TERRAIN: dict[str, int] = _ALL["terrain"]
LADDER: dict[str, int] = _ALL["difficulty"]
TOUGHNESS: dict[str, int] = _ALL["toughness"]
INTERACTION: dict[str, tuple[tuple[str, ...], ...]] = {
    kind: tuple(map(tuple, rows)) for kind, rows in _ALL["interaction"].items()
}
FEATS: dict[str, int] = _ALL["feat"]
OPEN_FEATS: tuple[str, ...] = tuple(_ALL["feats"]["open"])
RECOVERY: dict[str, int] = _ALL["recovery"]

EASY, MODERATE = LADDER["easy"], LADDER["moderate"]
METRES_PER_SPACE = 2
"""Fixed reading of RD6-RND-12."""
ROUND_SECONDS = 5
"""RD6-RND-1."""
