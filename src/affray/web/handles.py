"""What the master may correct in a fighter, found in its fields: a handle for each number, switch and word.

No ruleset is known here: what fields are called is told by the texts of each, and those that matter most come first.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

from affray.render.text import field_words
from affray.web.texts import sentence

USUAL = (
    *("wounds", "strength", "dexterity", "endurance", "stunned", "prone", "stance", "status", "out", "fatigue", "fatigued"),
    *("unconscious", "dead"),
    *("character", "fate", "character_points", "fate_points", "initiative", "base", "cover", "held", "name", "side"),
)
"""Those that are wanted most, in this order."""
NEVER = ("id", "sheet", "at", "hidden", "group")
"""Those that cannot be changed, or have a button of their own."""
FAR = 9999


def handles(fighter: Any, texts: Mapping[str, str]) -> list[dict[str, Any]]:
    """[{field, label, domain, value, usual}] of a fighter, the usual ones first. `texts` of the ruleset: what they are called."""
    hints = get_type_hints(type(fighter))
    found = []
    for info in msgspec.structs.fields(type(fighter)):
        domain = None if info.name in NEVER else domain_of(hints[info.name])
        if domain is not None:
            label = sentence(field_words(texts, info.name))
            value = getattr(fighter, info.name)
            usual = info.name in USUAL
            found.append({"field": info.name, "label": label, "domain": domain, "value": value, "usual": usual})
    places = {name: n for n, name in enumerate(USUAL)}
    return sorted(found, key=lambda one: places.get(one["field"], len(places)))


def domain_of(hint: Any) -> dict[str, Any] | None:
    """The domain of a field of that type; None for what is corrected elsewhere."""
    if get_origin(hint) in (Union, UnionType):
        some = [one for one in get_args(hint) if one is not type(None)]
        return domain_of(some[0]) if len(some) == 1 and some[0] in (int, str) else None
    if get_origin(hint) is Literal:
        return {"kind": "one_of", "options": [{"value": v, "label": str(v) or "none", "note": ""} for v in get_args(hint)]}
    if hint is bool:
        return {"kind": "yes_no"}
    if hint is int:
        return {"kind": "number", "least": -FAR, "most": FAR}
    if hint is str:
        return {"kind": "text", "most": 60}
    return None
