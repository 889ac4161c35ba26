"""How far apart two are, corrected by the game master where a fight has distances and no map.

Each ruleset keeps them in a field of its own; which one is found by its name. It must not know any rule.
"""

from __future__ import annotations

from importlib import import_module
from math import isfinite
from typing import Any

import msgspec
from msgspec.structs import replace

from affray import referee
from affray.ask import MASTER
from affray.encounter import Encounter
from affray.errors import IllegalOrder, Refusal, nearest

FAR = 100_000


def bands(system: str) -> dict[str, float]:
    """Names of range bands that may be written for a distance, with the metres that each stands for."""
    tables = import_module(f"affray.rulesets.{system}.tables")
    names, metres = getattr(tables, "BANDS", ()), getattr(tables, "NOMINAL", ())
    return dict(zip(names, metres, strict=True)) if metres else {}


def told_in(fight: Encounter) -> str:
    """What a distance is counted in: 'Spaces', 'metres', 'metres, or a band'; '' where places decide."""
    state = fight.state
    if hasattr(state, "pairs"):
        return "metres, or a band" if fight.ruleset.ground(state)[0] == "bands" and not _lined(state) else ""
    if fight.ruleset.ground(state)[0] == "grid":
        return ""
    return "metres" if getattr(state, "distances", ()) else "Spaces"


def _lined(state: Any) -> bool:
    """Whether everybody has a place on one line."""
    return getattr(state.rulings, "space_model", "") == "line"


def corrected(fight: Encounter, who: str, other: Any, value: Any, why: str = "") -> referee.Set:
    """The correction that puts `other` so far from `who`. Raises IllegalOrder."""
    state = fight.state
    people = [f.id for f in state.fighters]
    if other not in people or other == who:
        raise IllegalOrder(Refusal(referee.RULE, "how far from whom? other = id of somebody else, value = distance"))
    if not told_in(fight):
        raise IllegalOrder(Refusal(referee.RULE, "here everybody has a place; move one of them instead"))
    far = number(fight, value)
    if hasattr(state, "pairs"):
        return referee.Set(MASTER, "", {"pairs": _pairs(state, who, other, far, str(value).strip().lower() == "extreme")}, why)
    if getattr(state, "distances", ()):
        kept = [list(one) for one in state.distances if {one[0], one[1]} != {who, other}]
        return referee.Set(MASTER, "", {"distances": [*kept, [who, other, far]]}, why)
    if far != int(far):
        raise IllegalOrder(Refusal(referee.RULE, f"a whole number of Spaces, not {far:g}"))
    space = replace(state.space, gaps=state.space.with_gap(who, other, int(far)))
    return referee.Set(MASTER, "", {"space": msgspec.to_builtins(space)}, why)


def number(fight: Encounter, value: Any) -> float:
    """A distance as it was typed: a number, '12 m', or the name of a band. Raises IllegalOrder."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        far = float(value)
    else:
        words = str(value or "").strip()
        known = {name.lower(): metres for name, metres in bands(fight.ruleset.name).items()}
        if known:
            known["extreme"] = 1000.0
        if words.lower() in known:
            return known[words.lower()]
        try:
            far = float(words.lower().removesuffix("metres").removesuffix("m").strip().replace(",", "."))
        except ValueError:
            near = nearest(words.lower(), tuple(known))
            more = f"; did you mean {near.title()}?" if near else f"; bands: {', '.join(known).title()}" if known else ""
            told = f"{words[:40]!r} is no distance; a number of {told_in(fight)}{more}"
            raise IllegalOrder(Refusal(referee.RULE, told)) from None
    if not isfinite(far) or not 0 <= far <= FAR:
        raise IllegalOrder(Refusal(referee.RULE, f"a distance is a number from 0 to {FAR}"))
    return far


def _pairs(state: Any, who: str, other: str, far: float, extreme: bool) -> list[dict[str, Any]]:
    """The pairs as plain data with this one changed; two are kept in the order of the roster."""
    first, second = sorted((who, other), key=[f.id for f in state.fighters].index)
    plain: list[dict[str, Any]] = [msgspec.to_builtins(one) for one in state.pairs]
    old = next((one for one in plain if {one["a"], one["b"]} == {first, second}), {"a": first, "b": second})
    return [*(one for one in plain if one is not old), {**old, "metres": far, "extreme": extreme}]
