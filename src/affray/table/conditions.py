"""Conditions that the game master gives and takes away, in the fields that a fighter of the ruleset has for them."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import msgspec

from affray import referee
from affray.encounter import Encounter
from affray.errors import IllegalOrder, Refusal, nearest
from affray.ruleset import Ruleset

SWITCHES = ("stunned", "prone", "fatigued", "unconscious", "pinned", "helpless", "dead")
"""Yes/no fields that read as a condition."""
ALIKE = 0.75
"""How much a word may be like one of the rules without being taken for a slip of it."""


def known(ruleset: Ruleset, fighter: Any) -> tuple[str, ...]:
    """The conditions that the rules know: yes/no fields of a fighter, and those by name."""
    return (*(name for name in SWITCHES if isinstance(getattr(fighter, name, None), bool)), *ruleset.conditions)


def open_to_words(fighter: Any) -> bool:
    """Whether somebody may have conditions that are the game master's own words."""
    if not hasattr(fighter, "conditions"):
        return False
    struct = get_args(get_type_hints(type(fighter))["conditions"])[0]
    return get_type_hints(struct)[msgspec.structs.fields(struct)[0].name] is str


def endable(fighter: Any) -> frozenset[str]:
    """The conditions that can be taken from somebody, by name; other signs go when what made them goes."""
    some = getattr(fighter, "conditions", ())
    return frozenset(
        [name for name in SWITCHES if getattr(fighter, name, None) is True]
        + [getattr(one, msgspec.structs.fields(type(one))[0].name) for one in some]
    )


def checked(ruleset: Ruleset, fighter: Any, name: str) -> str:
    """The name of a condition as the rules write it. Raises IllegalOrder for none, for a slip of one, and for an unknown one
    where the rules have a closed list."""
    names = known(ruleset, fighter)
    name = name.strip()
    same = next((one for one in names if one.lower() == name.lower()), "")
    if same or isinstance(getattr(fighter, name, None), bool):
        return same or name
    near = nearest(name, names, ALIKE if open_to_words(fighter) else 0.5)
    if name and not near and open_to_words(fighter):
        return name
    told = f"there is no condition {name!r} here" if name else "which condition?"
    raise IllegalOrder(Refusal(referee.RULE, told + (f"; did you mean {near!r}?" if near else ""), names))


def corrected(fight: Encounter, fighter: Any, name: str, ends: bool, lasts: int | None = None, unit: str = "") -> dict[str, Any]:
    """The fields of a fighter with a condition that `lasts` so many turns or rounds (the usual unit, where the one that is
    named is not kept), or without it. Yes/no fields count as conditions. Raises IllegalOrder."""
    if lasts is not None and lasts < 0:
        raise IllegalOrder(Refusal(referee.RULE, f"how long? a number of {unit or 'turns'} from 0 on, not {lasts}"))
    if not ends:
        name = checked(fight.ruleset, fighter, name)
    if isinstance(getattr(fighter, name, None), bool):
        return {name: not ends}
    if not hasattr(fighter, "conditions"):
        told = f"there is no condition {name!r} here; set a field by hand"
        raise IllegalOrder(Refusal(referee.RULE, told, known(fight.ruleset, fighter)))
    struct = get_args(get_type_hints(type(fighter))["conditions"])[0]
    key, *clocks = (f.name for f in msgspec.structs.fields(struct))
    rest = [msgspec.to_builtins(one) for one in fighter.conditions if getattr(one, key) != name]
    if ends:
        return {"conditions": rest}
    lasting: dict[str, int] = {}
    if "until" in clocks:
        lasting = {"until": fight.state.round + (lasts or 0)}
    elif lasts is not None and (kept := next((one for one in (unit, "turns", "rounds") if one in clocks), "")):
        lasting = {kept: lasts}
    return {"conditions": [*rest, {key: name, **lasting}]}
