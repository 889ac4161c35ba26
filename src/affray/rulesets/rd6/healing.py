"""Healing after the fight: rest, and the hands of somebody with Medicine. No actions, no wound dice."""

from __future__ import annotations

from typing import Any

from affray.ask import SELF, Ask, Why
from affray.dice import Code
from affray.modifiers import Modifier, Parts
from affray.rules import rule
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.actions import pay_points
from affray.rulesets.rd6.commands import Rest, Treat
from affray.rulesets.rd6.damage import changed
from affray.rulesets.rd6.mechanics import test
from affray.rulesets.rd6.sheet import Fighter, State, code
from affray.rulesets.rd6.successes import Marked, counted
from affray.rulesets.rd6.telling import fighter, note
from affray.scene import Scene


def rest_needed(me: Fighter) -> int:
    """Days until natural healing may be tried; 0: a minute, for a stun alone."""
    if me.wounds >= 4:
        return tables.RECOVERY["mortally_wounded"]
    if me.wounds == 3:
        return tables.RECOVERY["incapacitated"]
    return tables.RECOVERY["per_wound"] * me.wounds


@rule("RD6-WND-13")
def rest(scene: Scene[State], order: Rest) -> None:
    """Natural healing: Fortitude after the time of the injury."""
    pay_points(scene, order.by, order.points)
    scene.become(order.by, heal, order.days, order.rested, order.points)


@rule("RD6-WND-13")
def heal(ask: Ask, me: Fighter, days: int, rested: bool, points: int) -> Fighter:
    """One test of natural healing: 1 wound, 2 with 2 Result Points, one more on a critical failure."""
    extra = 1 if rest_needed(me) and days >= 2 * rest_needed(me) else 0
    need = tables.MODERATE + (0 if rested else 1)
    written = code(me.sheet, "Fortitude")
    rows = ((written.dice, "D", "Fortitude", "RD6-DICE-9"), (extra, "D", "twice the time", "RD6-WND-13"))
    parts = Parts(Modifier(*row) for row in rows if row[0])
    pooled = Marked(counted(Code(written.dice + extra, written.pips), ask.rulings, points=points))
    hits, critical = ask.roll(pooled, Why("heal", "RD6-WND-13", "Fortitude"), SELF, parts)
    told = {"successes": hits, "difficulty": need, "days": days}
    if not me.wounds:
        return changed(ask, me, "RD6-WND-13", "recovers" if hits >= need else "stays stunned", told, stunned=hits < need)
    if hits >= need:
        return mended(ask, me, 2 if hits - need >= 2 else 1, told)
    if critical:
        return changed(ask, me, "RD6-WND-13", "heals badly", told, wounds=me.wounds + 1, treated=False)
    return changed(ask, me, "RD6-WND-13", "heals not", told)


def mended(ask: Ask, me: Fighter, healed: int, told: dict[str, Any], **more: Any) -> Fighter:
    """Fewer wounds, and what that ends: dying at 3, unconsciousness below 3."""
    left = max(0, me.wounds - healed)
    values: dict[str, Any] = {"wounds": left, "dying": me.dying if left >= 4 else 0, **more}
    if left < 3:
        values |= {"unconscious": False, "out_minutes": 0, "out_rounds": 0}
    return changed(ask, me, "RD6-WND-13", "heals", told | {"healed": me.wounds - left, "left": left}, **values)


@rule("RD6-WND-13")
def treat(scene: Scene[State], order: Treat) -> None:
    """Assisted healing: Medicine, harder with each wound, once per injury."""
    pay_points(scene, order.by, order.points)
    me, patient = fighter(scene, order.by), fighter(scene, order.target)
    need = tables.EASY if not patient.wounds else tables.MODERATE + patient.wounds - 1
    written = code(me.sheet, "Medicine")
    rows = ((written.dice, "D", "Medicine", "RD6-DICE-9"), (order.bonus, "D", "bonus", "RD6-DICE-2"))
    parts = Parts(Modifier(*row) for row in rows if row[0])
    dice = Code(max(1, written.dice + order.bonus), written.pips)
    hits = scene.call(test, dice, Why("treat", "RD6-WND-13", "Medicine"), me.id, 0, order.points, False, parts)
    if hits < need:
        note(scene, me.id, "RD6-WND-13", "treats in vain", {"target": patient.id, "successes": hits, "difficulty": need})
        return
    told = {"successes": hits, "difficulty": need}
    scene.become(patient.id, treated, 2 if hits > need else 1, tuple(told.items()))


def treated(ask: Ask, me: Fighter, healed: int, told: tuple[tuple[str, int], ...]) -> Fighter:
    """The patient after a treatment that worked."""
    if not me.wounds:
        return changed(ask, me, "RD6-WND-13", "recovers", dict(told), stunned=False, treated=True)
    return mended(ask, me, healed, dict(told), treated=True)
