"""Time after a fight: the ruleset's order `rest` for so many minutes, how long until something is due, spans in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from affray.encounter import Encounter
from affray.errors import BadAnswer, IllegalOrder, Refusal

MAX_STEPS = 1000
"""Rests in a row until nothing is due any more."""
HOUR, DAY = 60, 24 * 60
LONGEST = 3650 * DAY
UNITS = {"m": 1, "min": 1, "minute": 1, "h": HOUR, "hour": HOUR, "d": DAY, "day": DAY, "w": 7 * DAY, "week": 7 * DAY}


def order(fight: Encounter, minutes: int, disturbed: bool = False) -> Any:
    """The order `rest` of the ruleset, in the units that it knows. Raises IllegalOrder."""
    refused = Refusal("", "this ruleset has no rest")
    for fighter in fight.state.fighters:
        offer = next((one for one in fight.ruleset.offers(fight.state, fighter.id) if one.verb == "rest"), None)
        if offer is None or offer.refused is not None:
            refused = offer.refused if offer is not None and offer.refused is not None else refused
            continue
        known = {one.name for one in offer.fields}
        parts = [("days", DAY), ("hours", HOUR), ("minutes", 1)]
        data: dict[str, Any] = {"do": "rest", "by": fighter.id}
        for name, size in parts:
            if name in known:
                data[name], minutes = minutes // size, minutes % size
        if minutes:
            raise IllegalOrder(Refusal("", f"rest is counted in {' and '.join(n for n, _ in parts if n in known)} here"))
        return fight.ruleset.order(data | ({"disturbed": True} if disturbed else {}))
    raise IllegalOrder(refused)


def spans(fight: Encounter, stated: int, until_next: bool, healed: bool) -> Iterator[int]:
    """Minutes to let pass, one rest after the other: those stated, until the next thing is due, until nothing is."""
    if stated:
        yield stated
    for _ in range(MAX_STEPS if healed else 1 if until_next else 0):
        due = fight.ruleset.due(fight.state)
        if not due:
            return
        yield max(1, min(one.minutes for one in due))


def span(minutes: int) -> str:
    """So many minutes in words: 'now', '3 days', '1 day 2 hours'."""
    counts = ((minutes // DAY, "day"), (minutes % DAY // HOUR, "hour"), (minutes % HOUR, "minute"))
    return " ".join(f"{count} {unit}{'s' if count > 1 else ''}" for count, unit in counts if count) or "now"


def read_span(text: str) -> int:
    """Minutes of '3 days', '1 day 2 hours', '90 min' or '2h'. Raises BadAnswer with what may be written."""
    told = f"{text!r} is no time; write for example 30 minutes, 8 hours or 3 days"
    parts = re.findall(r"(\d{1,6})\s*([a-z]+)[\s,]*", text.lower())
    if not parts or re.sub(r"(\d{1,6})\s*([a-z]+)[\s,]*", "", text.lower()).strip():
        raise BadAnswer(told)
    minutes = 0
    for count, unit in parts:
        size = UNITS.get(unit) or UNITS.get(unit.removesuffix("s"))
        if size is None:
            raise BadAnswer(told)
        minutes += int(count) * size
    if not 0 < minutes <= LONGEST:
        raise BadAnswer(f"{text!r}: from a minute to {LONGEST // DAY} days can pass at once")
    return minutes
