"""Where a fight takes place: a grid with walls, cover and terrain, or distances between pairs."""

from __future__ import annotations

from typing import Any

from affray.encounter import Encounter
from affray.sight.eyes import Eyes
from affray.space import Area

MARGIN = 2
"""Cells that are shown around everything that stands somewhere."""


def ground(fight: Encounter, view: Eyes) -> dict[str, Any]:
    """The map or the distances, of those of whom the audience knows."""
    seen = view.seen
    kind, unit, metres = fight.ruleset.ground(seen)
    areas = tuple(getattr(getattr(seen, "space", None), "areas", ())) if kind == "grid" else ()
    found: dict[str, Any] = {
        "kind": kind,
        "cell": metres,
        "unit": unit,
        "bounds": bounds(seen, areas) if kind == "grid" else None,
        "walls": cells(areas, "wall"),
        "cover": [{"value": a.value, "cells": [list(c) for c in a.cells()]} for a in areas if a.kind == "cover"],
        "terrain": [
            {"kind": a.kind, "value": a.value, "cells": [list(c) for c in a.cells()]}
            for a in areas
            if a.kind not in ("wall", "cover")
        ],
        "bands": pairs(fight, seen) if kind == "bands" else [],
        "scene": [{"name": name, "text": text} for name, text in fight.ruleset.scene(seen)],
    }
    return found


def bounds(state: Any, areas: tuple[Area, ...]) -> list[int]:
    """West, south, east, north: all that is shown, with a margin."""
    places = [f.at for f in state.fighters if getattr(f, "at", None) is not None]
    places += [corner for a in areas for corner in ((a.x1, a.y1), (a.x2, a.y2))]
    xs, ys = [x for x, _ in places] or [0], [y for _, y in places] or [0]
    return [min(xs) - MARGIN, min(ys) - MARGIN, max(xs) + MARGIN, max(ys) + MARGIN]


def cells(areas: tuple[Area, ...], kind: str) -> list[list[int]]:
    return [list(c) for c in dict.fromkeys(c for a in areas if a.kind == kind for c in a.cells())]


def pairs(fight: Encounter, state: Any) -> list[dict[str, Any]]:
    """Every pair with its distance in words and metres, and its band."""
    found = []
    ids = [f.id for f in state.fighters]
    for i, a in enumerate(ids):
        for b in ids[i + 1 :]:
            words, metres, band = fight.ruleset.apart(state, a, b)
            found.append({"a": a, "b": b, "text": words, "metres": metres, "band": band})
    return found
