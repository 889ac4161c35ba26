"""Things as targets: toughness and structural damage."""

from __future__ import annotations

from affray.ask import MASTER, Ask, Choose, Why
from affray.domains import Text, YesNo
from affray.events import Changed, Noted
from affray.rules import rule
from affray.rulesets.rond6.sheet import Fighter
from affray.rulesets.rond6.tables import rows

WRECKED = Why("wrecked", "RON-SPC-3", "is the thing wrecked?")
STRUCTURE = Why("structure", "RON-SPC-3", "what the damage does to the thing")

TOUGHNESS = {row["name"]: row["toughness"] for row in rows("object")}
"""Dice of Toughness by the words of the table (RON-SPC-4)."""


@rule("RON-SPC-2", "RON-SPC-3", "RON-DMG-16")
def damaged(ask: Ask, me: Fighter, over: int, levels: int, stun: bool) -> Fighter:
    """Damage that reaches an object's resistance by `over`: as many levels as the attack has Result Points left.

    The Game Master says whether that wrecks it, and in words what it does. Proposed: wrecked once the levels reach four for
    each die of Toughness. A stun weapon does nothing to things.
    """
    if over < 0 or stun:
        ask.tell(Noted(me.id, "RON-SPC-2", "object.unharmed"))
        return me
    now = me.damage_levels + levels
    data = (("levels", levels), ("now", now))
    me = ask.tell(Changed(me.id, "RON-SPC-3", (("damage_levels", now),), "object.damaged", data), me)
    if me.out:
        return me
    proposal = bool(levels) and now >= 4 * me.sheet.attribute("Strength").dice
    seen = (me, levels)
    wrecked, words = ask.all(
        [Choose(YesNo(), WRECKED, MASTER, proposal, seen), Choose(Text(), STRUCTURE, MASTER, "", seen)]
    )
    if words:
        ask.tell(Noted(me.id, "RON-SPC-3", "object.words", (("words", words),)))
    if wrecked:
        return ask.tell(Changed(me.id, "RON-SPC-3", (("out", "destroyed"),), "object.wrecked"), me)
    return me
