"""Character and Fate Points on one's own rolls: whether they can be spent, the options, the spending.

Points against damage are asked for in `damage`, since they are named after the roll.
"""

from __future__ import annotations

from affray.domains import Number, YesNo
from affray.errors import Refusal
from affray.events import Changed, get
from affray.rules import rule
from affray.ruleset import Field
from affray.rulesets.rond6.actions import RondScene
from affray.rulesets.rond6.sheet import Fighter


@rule("RON-DICE-8", "RON-DICE-9", "RON-CON-3")
def cannot_spend(me: Fighter, points: int, fate: bool, damage_points: int = 0) -> Refusal | None:
    """Why these points cannot be spent on a roll and on the damage that follows it."""
    if points < 0 or damage_points < 0:
        return Refusal("RON-DICE-8", "points are spent in whole numbers from 0 up")
    if (points or damage_points or fate) and me.has("confused"):
        return Refusal("RON-CON-3", "a Confused character may not spend points")
    if points + damage_points > me.character:
        return Refusal("RON-DICE-8", f"{me.name} has {me.character} Character Points")
    return Refusal("RON-DICE-9", f"{me.name} has no Fate Point") if fate and not me.fate else None


def spending_fields(me: Fighter, on: str = "", damage: bool = False) -> tuple[Field, ...]:
    """Options for those who have points to spend. `on`: which roll, in words; `damage`: also on the damage."""
    if me.has("confused"):
        return ()
    fields = []
    if me.character:
        fields.append(Field("points", Number(0, me.character), 0, f"Character Points{on}"))
        if damage:
            fields.append(Field("damage_points", Number(0, me.character), 0, "Character Points on the damage"))
    if me.fate:
        fields.append(Field("fate", YesNo(), False, f"a Fate Point{on}"))
    return tuple(fields)


@rule("RON-DICE-8", "RON-DICE-9")
def spend(scene: RondScene, who: str, points: int, fate: bool) -> None:
    """Points leave the purse as the roll is made."""
    me: Fighter = get(scene.state, who)
    if points or fate:
        fields = (("character", me.character - points), ("fate", me.fate - fate))
        scene.tell(Changed(who, "RON-DICE-8", fields, "points.spent", (("points", points), ("fate", fate))))
