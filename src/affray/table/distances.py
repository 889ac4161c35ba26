"""How far apart two are, corrected by the game master where a fight has distances and no map.

How they are kept, and what they are counted in, is the ruleset's business (`Ruleset.distances`).
"""

from __future__ import annotations

from math import isfinite
from typing import Any

import msgspec

from affray import referee
from affray.ask import MASTER
from affray.encounter import Encounter
from affray.errors import IllegalOrder, Refusal, nearest
from affray.ruleset import Ruleset

FAR = 100_000


def bands(ruleset: Ruleset) -> tuple[str, ...]:
    """Names of range bands that may be written for a distance."""
    return ruleset.distances.bands if ruleset.distances else ()


def unit(fight: Encounter) -> str:
    """What a distance is counted in: 'Spaces', 'metres', 'metres, or a band'; '' where places decide."""
    return fight.ruleset.distances.unit(fight.state) if fight.ruleset.distances else ""


def corrected(fight: Encounter, who: str, other: Any, value: Any, why: str = "") -> referee.Set:
    """The correction that puts `other` so far from `who`. Raises IllegalOrder."""
    state, kept = fight.state, fight.ruleset.distances
    if other == who or all(f.id != other for f in state.fighters):
        raise IllegalOrder(Refusal(referee.RULE, "how far from whom? other = id of somebody else, value = distance"))
    if kept is None or not unit(fight):
        raise IllegalOrder(Refusal(referee.RULE, "here everybody has a place; move one of them instead"))
    far = stated(fight, value)
    if kept.whole and far != int(far):
        raise IllegalOrder(Refusal(referee.RULE, f"a whole number of {unit(fight)}, not {far:g}"))
    return referee.Set(MASTER, "", msgspec.to_builtins(kept.put(state, who, other, far)), why)


def stated(fight: Encounter, value: Any) -> float | str:
    """A distance as it was typed: a number, '12 m', or the name of a band. Raises IllegalOrder."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        far = float(value)
    else:
        words = str(value or "").strip()
        known = {name.lower(): name for name in bands(fight.ruleset)}
        if words.lower() in known:
            return known[words.lower()]
        try:
            far = float(words.lower().removesuffix("metres").removesuffix("m").strip().replace(",", "."))
        except ValueError:
            near = nearest(words.lower(), tuple(known))
            more = f"; did you mean {known[near]}?" if near else f"; bands: {', '.join(known.values())}" if known else ""
            told = f"{words[:40]!r} is no distance; a number of {unit(fight)}{more}"
            raise IllegalOrder(Refusal(referee.RULE, told)) from None
    if not isfinite(far) or not 0 <= far <= FAR:
        raise IllegalOrder(Refusal(referee.RULE, f"a distance is a number from 0 to {FAR}"))
    return far
