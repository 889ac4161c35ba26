"""How far the bands of an attack reach on the map, found by asking for the band at each distance."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.encounter import Encounter
from affray.errors import AffrayError
from affray.events import get, put
from affray.sight.eyes import Eyes

FARTHEST = 60
"""Cells that are looked at."""


def ranges(fight: Encounter, view: Eyes, order: Any) -> list[dict[str, Any]]:
    """[{name, from, to}] in cells from the one who acts; [] without a map or for an order that has no bands."""
    state = view.judged
    by, target = order.by, getattr(order, "target", "")
    ids = {f.id for f in state.fighters}
    if by not in ids or target not in ids or target == by or fight.ruleset.ground(state)[0] != "grid":
        return []
    start, aimed = getattr(get(state, by), "at", None), get(state, target)
    if start is None or getattr(aimed, "at", None) is None:
        return []
    found: list[dict[str, Any]] = []
    for steps in range(1, FARTHEST + 1):
        there = put(state, replace(aimed, at=(start[0] + steps, start[1])))
        try:
            name = fight.ruleset.band(there, order)
        except AffrayError:
            name = ""
        if found and found[-1]["name"] == name:
            found[-1]["to"] = steps
        else:
            found.append({"name": name, "from": steps, "to": steps})
    return [one for one in found if one["name"] and one["to"] < FARTHEST]
