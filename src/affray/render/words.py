"""Names and values as people read them: ids by their names, answers and orders as they could be typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from affray.render.text import fields_of

Label = Callable[[Any], str]
"""How a value reads, for example the name of a fighter for its id."""


def called(fighter: Any) -> str:
    """The name of a fighter; the id where it has none."""
    return getattr(fighter, "name", "") or str(fighter.id)


def labels(state: Any) -> Label:
    """Names for ids; the id where a fighter has no name of its own or shares it."""
    names = [called(f) for f in state.fighters]
    known = {f.id: name if names.count(name) == 1 else f.id for f, name in zip(state.fighters, names, strict=True)}
    return lambda value: known.get(value, str(value)) if isinstance(value, str) else str(value)


FIGURES = {
    "limit": "most Actions in a Round", "action_limit": "most actions in a round", "free_spaces": "Spaces without an action",
    "minor": "minor actions left", "squares": "squares of a move", "breath_rounds": "Rounds of holding the breath",
    "effort_rounds": "Rounds of effort", "recovery_days": "days to recover", "strength_dm": "Strength DM",
    "dexterity_dm": "Dexterity DM", "endurance_dm": "Endurance DM", "intelligence_dm": "Intelligence DM",
    "education_dm": "Education DM", "standing_dm": "Social Standing DM", "dodge_dm": "dodge DM",
    "passive_defence": "Passive Defense", "passive_close": "passive defence, close",
    "passive_ranged": "passive defence, at range",
    "resistance_with_fate": "damage resistance with a Fate Point", "armour_laser": "armour against lasers",
    "swim": "Spaces swimming", "climb": "Spaces climbing",
}  # fmt: skip
"""Derived numbers whose name alone says too little."""
AGAINST = {
    "ranged": "ranged attacks", "melee": "melee attacks", "unarmed": "unarmed attacks", "thrown": "thrown weapons",
    "maneuver": "maneuvers", "taunt": "taunts", "trick": "tricks", "acrobatic trick": "acrobatic tricks",
}  # fmt: skip
"""What a defense is against, where its name is the kind alone."""


def figure(name: str) -> str:
    """What a derived number is called on a sheet."""
    if name.startswith("defence "):
        kind = name.removeprefix("defence ").replace("_", " ")
        return f"defense against {AGAINST.get(kind, kind)}"
    return FIGURES.get(name) or name.replace("_", " ")


def own_numbers(ruleset: Any, state: Any, who: str) -> dict[str, Any]:
    """Derived numbers (`Shown`) that are a combatant's own: not how far others are, and squares only where there are some."""
    found = ruleset.numbers(state, who)
    squares = ruleset.ground(state)[0] == "grid"
    return {
        name: one
        for name, one in found.items()
        if not name.startswith("distance.") and not isinstance(one.value, dict | list | tuple) and (squares or name != "squares")
    }


def plain_figure(shown: Any) -> str:
    """A derived number on paper: without its parts and rules, which nobody can open there."""
    return re.sub(r" ?\[[A-Z0-9]+-[A-Z0-9-]+\]", "", shown.text.partition(" = ")[0])


def shown(value: Any, label: Label = str) -> str:
    """A value as it would be typed."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "pass"
    if value == "":
        return "none"
    if isinstance(value, list | tuple):
        return ", ".join(shown(one, label) for one in value) or "none"
    return label(value).replace("_", " ")


def in_words(order: Any, label: Label) -> str:
    """An order as it could be typed: the verb and whatever is not as usual."""
    parts = [order.verb.replace("_", " ")]
    for one in fields_of(type(order)):
        value = getattr(order, one.name)
        if one.name in ("by", "fighter") or value in (one.default, "", None, ()):
            continue
        if one.name in ("target", "targets", "weapon", "to", "n", "actions"):
            place = one.name == "to" and not isinstance(value, str)
            parts.append(",".join(map(str, value)) if place else shown(value, label))
        elif isinstance(value, bool):
            parts.append(one.name.replace("_", " "))
        elif isinstance(value, dict):
            parts.append(", ".join(key.replace("_", " ") for key in value))
        elif one.name in ("who", "text", "why"):
            parts.append(shown(value, label))
        else:
            parts.append(f"{one.name.replace('_', ' ')} {shown(value, label)}")
    if isinstance(getattr(order, "fighter", None), dict):
        parts.append(str(order.fighter.get("name") or order.fighter.get("id")))
    return " ".join(parts)
