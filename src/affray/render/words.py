"""Names and values as people read them: ids by their names, answers and orders as they could be typed."""

from __future__ import annotations

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
    "education_dm": "Education DM", "standing_dm": "Social Standing DM",
}  # fmt: skip
"""Derived numbers whose name alone says too little."""


def figure(name: str) -> str:
    """What a derived number is called on a sheet."""
    return FIGURES.get(name) or name.replace("_", " ")


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
