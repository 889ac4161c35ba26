"""What an encounter says before its ruleset has read it: plain facts, checked as far as all games agree.

A ruleset turns a `Setup` into its state (`Ruleset.setup`). It must not know files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

Box = tuple[int, int, int, int]
"""x1, y1, x2, y2, both corners included."""


class Cover(Struct, frozen=True):
    """An area that gives cover; the ruleset knows what `value` is worth."""

    area: Box
    value: int | str
    name: str = ""


class Terrain(Struct, frozen=True):
    """An area of another kind of ground."""

    area: Box
    kind: str
    name: str = ""


class Ground(Struct, frozen=True):
    """Where the fight takes place. `kind`: 'grid', or 'distances' (then `apart` holds them by pairs of ids)."""

    kind: str = "grid"
    size: tuple[int, int] | None = None
    walls: tuple[Box, ...] = ()
    cover: tuple[Cover, ...] = ()
    terrain: tuple[Terrain, ...] = ()
    light: str = ""
    apart: tuple[tuple[str, str, int | float | str], ...] = ()


class Party(Struct, frozen=True):
    """A side of the fight."""

    name: str
    colour: str = ""
    policy: str = ""


class Placed(Struct, frozen=True):
    """One combatant. `number` counts from 1 within `group` (0: stands alone); `sheet` and `state` are plain data."""

    id: str
    side: str
    at: tuple[float, ...] | None
    group: str
    number: int
    player: bool
    surprised: bool
    hidden: bool
    sheet: Mapping[str, Any]
    state: Mapping[str, Any]


class Setup(Struct, frozen=True):
    """A whole encounter. `rulings` is the typed struct of the ruleset."""

    ruleset: str
    title: str
    seed: int
    rulings: Any
    ground: Ground
    sides: tuple[Party, ...]
    combatants: tuple[Placed, ...]
    start: Mapping[str, Any] = {}
    """For a stated position: round, whose turn, what is declared; empty: the fight begins at its beginning."""
