"""Words that a player types. They are shown as typed, whoever's name stands in them: a veil over the name of somebody hidden
would tell that there is somebody of that name.

They are set between two signs that are not seen and that nobody can type. The veil passes over what stands between them, and
whatever people read is without the signs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affray.encounter import Encounter
from affray.sight.eyes import SPOKEN, Eyes, unspoken

WORDS = ("because", "deals_with", "name", "skill", "specialization", "spot", "text")
"""Options of orders that are words, where the name of anybody may stand: it is nobody of whom they learn by it."""
FREE = ("because", "name", "spot", "text")
"""Those of them in which no rule looks for a word it knows."""


def spoken(fight: Encounter, view: Eyes, what: Mapping[str, Any]) -> dict[str, Any]:
    """A plain order of a player, with what it says marked as said; the order of a master as it is."""
    if view.audience.master:
        return dict(what)
    found = {name: typed(value) for name, value in what.items()}
    for name in WORDS:
        value = found.get(name)
        if isinstance(value, str) and value and (name in FREE or _guessed(fight, view, found, name)):
            found[name] = f"{SPOKEN}{value}{SPOKEN}"
    return found


def order_of(fight: Encounter, view: Eyes, what: Any) -> Any:
    """An order in its proper type, with what a player says in it marked as said. Raises IllegalOrder for nonsense."""
    return fight.ruleset.order(spoken(fight, view, what) if isinstance(what, dict) else what)


def typed(value: Any) -> Any:
    """Plain data without the signs."""
    if isinstance(value, str):
        return unspoken(value)
    if isinstance(value, dict):
        return {key: typed(one) for key, one in value.items()}
    return [typed(one) for one in value] if isinstance(value, list | tuple) else value


def _guessed(fight: Encounter, view: Eyes, what: Mapping[str, Any], name: str) -> bool:
    """Whether a word names somebody hidden, or what he has, and is none that the rules offer for this field."""
    value, who = what[name], what.get("by", "")
    if view.veiled(value, things=True) == value:
        return False
    offers = fight.ruleset.offers(view.judged, who) if any(f.id == who for f in view.judged.fighters) else ()
    fields = [field for one in offers if one.verb == what.get("do") for field in one.fields if field.name == name]
    return not any(value in getattr(field.domain, "options", ()) for field in fields)
