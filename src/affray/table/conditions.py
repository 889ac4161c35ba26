"""Conditions that the game master gives and takes away, in the fields that a fighter of the ruleset has for them."""

from __future__ import annotations

from typing import Any, get_args, get_type_hints

import msgspec

from affray import referee
from affray.encounter import Encounter
from affray.errors import IllegalOrder, Refusal


def corrected(fight: Encounter, fighter: Any, name: str, ends: bool, lasts: int | None = None, unit: str = "") -> dict[str, Any]:
    """The fields of a fighter with a condition that `lasts` so many turns or rounds (the usual unit, where the one that is
    named is not kept), or without it. Yes/no fields count as conditions. Raises IllegalOrder."""
    if lasts is not None and lasts < 0:
        raise IllegalOrder(Refusal(referee.RULE, f"how long? a number of {unit or 'turns'} from 0 on, not {lasts}"))
    if isinstance(getattr(fighter, name, None), bool):
        return {name: not ends}
    if not hasattr(fighter, "conditions"):
        raise IllegalOrder(Refusal(referee.RULE, f"there is no condition {name!r} here; set a field by hand"))
    struct = get_args(get_type_hints(type(fighter))["conditions"])[0]
    key, *known = (f.name for f in msgspec.structs.fields(struct))
    rest = [msgspec.to_builtins(one) for one in fighter.conditions if getattr(one, key) != name]
    if ends:
        return {"conditions": rest}
    lasting: dict[str, int] = {}
    if "until" in known:
        lasting = {"until": fight.state.round + (lasts or 0)}
    elif lasts is not None and (kept := next((one for one in (unit, "turns", "rounds") if one in known), "")):
        lasting = {kept: lasts}
    return {"conditions": [*rest, {key: name, **lasting}]}
