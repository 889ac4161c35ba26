"""Effects of interactions and what ends them. Mechanics only: one fighter changes alone."""

from __future__ import annotations

from affray.ask import MASTER, Ask, Why
from affray.domains import Text
from affray.rules import rule
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.damage import OUT, changed
from affray.rulesets.rd6.sheet import Condition, Fighter

MOST_FATIGUE = 3
"""More than that knocks out."""


@rule("RD6-SPC-21", "RD6-SPC-22")
def suffer(ask: Ask, me: Fighter, kind: str, points: int) -> Fighter:
    """The effects of so many Result Points of an interaction, through the next own turn."""
    if points < 1:
        return me
    for effect in tables.INTERACTION[kind][min(points, 6) - 1]:
        if effect in ("stymied", "untrained"):
            kept = tuple(condition for condition in me.conditions if condition.kind != effect)
            added = Condition(effect)  # type: ignore[arg-type]
            me = changed(ask, me, "RD6-SPC-21", effect, conditions=(*kept, added))
        elif effect == "fatigued":
            me = changed(ask, me, "RD6-SPC-21", "fatigued", fatigued=me.fatigued + 1)
            if me.fatigued > MOST_FATIGUE and not me.unconscious:
                me = changed(ask, me, "RD6-SPC-21", "exhausted", **OUT)
        elif effect == "lose turn":
            me = changed(ask, me, "RD6-SPC-21", "loses a turn", lost_turns=me.lost_turns + 1)
        else:
            words = ask.choose(Text(), Why("setback", "RD6-SPC-21", f"a setback for {me.name}"), MASTER, "")
            me = changed(ask, me, "RD6-SPC-21", "setback", {"words": words})
    return me
