"""Resistance and the wound track: what damage does to the one who is hit, and to the dying.

Mechanics only: one fighter changes alone, with events that carry absolute values.
"""

from __future__ import annotations

from typing import Any

from affray.ask import SELF, Ask, Why
from affray.dice import Code
from affray.domains import Number, YesNo
from affray.events import Changed
from affray.modifiers import Modifier, Parts
from affray.rules import rule
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.mechanics import Blow
from affray.rulesets.rd6.numbers import pool, stymied, toughness
from affray.rulesets.rd6.sheet import Aim, Fighter, attribute
from affray.rulesets.rd6.successes import counted, totalled

ROUNDS_A_MINUTE = 60 // tables.ROUND_SECONDS


def changed(ask: Ask, me: Fighter, why: str, note: str, data: dict[str, Any] | None = None, **values: Any) -> Fighter:
    """Tell that these fields of `me` have these values now; the fighter after it."""
    return ask.tell(Changed(me.id, why, tuple(values.items()), note, tuple((data or {}).items())), me)


@rule("RD6-DMG-8")
def receive(ask: Ask, me: Fighter, blow: Blow) -> Fighter:
    """Everything that a blow does to the one it reaches."""
    if blow.damage >= 0:
        me = hurt(ask, me, blow)
    if blow.prone and not me.prone and not me.dead:
        me = changed(ask, me, "RD6-RPF-9", "prone", prone=True)
    if blow.keep and me.weapon and not me.dead:
        me = keep_hold(ask, me, blow.keep, blow.flies)
    return me


@rule("RD6-DICE-11", "RD6-WND-11")
def points_spent(ask: Ask, me: Fighter, key: str, why: str, seen: tuple[Any, ...]) -> tuple[Fighter, int]:
    """How many Character Points go into a roll that was not ordered: asked only of somebody who has some."""
    if not me.character_points or me.unconscious:
        return me, 0
    asked = Why(f"points on {key}", why, f"Character Points on {key}")
    spent = ask.choose(Number(0, me.character_points), asked, SELF, 0, seen)
    if spent:
        left = me.character_points - spent
        me = changed(ask, me, why, "points spent", {"points": spent, "left": left}, character_points=left)
    return me, spent


@rule("RD6-WND-1", "RD6-WND-2", "RD6-WND-11", "RD6-WND-12", "RD6-SCL-4")
def resistance(ask: Ask, me: Fighter, blow: Blow) -> tuple[Fighter, int]:
    """The resistance total against one blow. Toughness is fixed, everything else is rolled, with one Wild Die in all."""
    base = toughness(me.sheet)
    me, points = points_spent(ask, me, "resistance", "RD6-WND-11", (blow.damage, base))
    fate = 0
    if me.fate_points and not me.unconscious:
        asked = Why("fate on resistance", "RD6-WND-11", "a Fate Point on resistance")
        if ask.choose(YesNo(), asked, SELF, False, (blow.damage, base)):
            me = changed(ask, me, "RD6-WND-11", "fate spent", fate_points=me.fate_points - 1)
            why = Why("strength", "RD6-WND-11", "Strength by a Fate Point")
            fate = ask.roll(totalled(attribute(me.sheet, "Strength"), ask.rulings, stymied=stymied(me)), why, SELF)
            if ask.rulings.resistance_fate_point == "replaces_toughness":
                base = 0
    armour, rolled = me.sheet.armour, ask.rulings.resistance_toughness == "rolled"
    strength = attribute(me.sheet, "Strength") if rolled else Code(0)
    rows = (
        (armour.dice, "D", "armour", "RD6-WND-1"),
        (blow.resisted, "D", "scale", "RD6-SCL-4"),
        (strength.dice, "D", "Toughness rolled", "RD6-WND-1"),
    )
    parts = Parts(Modifier(*row) for row in rows if row[0])
    code = Code.of_pips(armour.value + strength.value + 3 * blow.resisted)
    dice = code.pips
    if code.dice or points:
        pooled = totalled(code, ask.rulings, points=points, stymied=stymied(me))
        dice = ask.roll(pooled, Why("resistance", "RD6-WND-1", "resistance"), SELF, parts)
    return me, (0 if rolled else base) + dice + fate - me.reduction


@rule("RD6-WND-4", "RD6-WND-5", "RD6-WND-6", "RD6-WND-10", "RD6-MOD-17")
def hurt(ask: Ask, me: Fighter, blow: Blow) -> Fighter:
    """Damage against resistance: nothing, stunned, or wounds."""
    me, resists = resistance(ask, me, blow)
    margin = blow.damage - blow.cover - resists
    told = {"damage": blow.damage, "resistance": resists + blow.cover, "margin": margin}
    if margin < 0:
        return changed(ask, me, "RD6-WND-4", "no effect", told)
    gained, stuns = margin // 6, margin < 6 or ask.rulings.wound_also_stuns
    if not gained and me.wounds and ask.rulings.wound_small_hit_escalates:
        gained, stuns = 1, False
    values: dict[str, Any] = {}
    if stuns:
        values |= {"stunned": True, "sat_out": False}
    if gained:
        values |= {"wounds": me.wounds + gained, "treated": False}
    if me.aim.rounds and ask.rulings.aim_breaks_on == "action_or_new_target_or_injury":
        values["aim"] = Aim()
    before = me.wounds
    note = "wounded" if gained else "stunned"
    me = changed(ask, me, "RD6-WND-6" if gained else "RD6-WND-5", note, told | {"wounds": gained}, **values)
    return _level(ask, me, before) if gained else me


@rule("RD6-WND-7", "RD6-WND-8", "RD6-WND-9", "RD6-WND-10", "RD6-DEF-22")
def _level(ask: Ask, me: Fighter, before: int) -> Fighter:
    """What the new sum of wounds means; levels passed over are ignored."""
    if me.wounds >= 5:
        return changed(ask, me, "RD6-WND-9", "dead", dead=True, **OUT)
    if me.wounds == 4:
        return changed(ask, me, "RD6-WND-8", "mortally wounded", dying=1, **OUT)
    if me.wounds == 3 > before and not me.unconscious:
        return stay_awake(ask, me)
    return me


OUT: dict[str, Any] = {"unconscious": True, "standing": (), "aim": Aim(), "stance": 0}
"""What everybody loses who goes down."""


@rule("RD6-WND-7")
def stay_awake(ask: Ask, me: Fighter) -> Fighter:
    """A Moderate roll of the better of Stamina and Willpower, without penalties; else out for 10D minutes."""
    name = max(("Stamina", "Willpower"), key=lambda a: attribute(me.sheet, a).value)
    me, points = points_spent(ask, me, "staying up", "RD6-WND-7", (tables.MODERATE,))
    pooled = counted(attribute(me.sheet, name), ask.rulings, 0, points, stymied(me))
    parts = Parts((Modifier(attribute(me.sheet, name).dice, "D", name, "RD6-DICE-9"),))
    if ask.roll(pooled, Why("stay up", "RD6-WND-7", f"{name} to stay up"), SELF, parts) >= tables.MODERATE:
        return changed(ask, me, "RD6-WND-7", "stays up")
    minutes = ask.roll(totalled(Code(10), ask.rulings), Why("minutes", "RD6-WND-7", "minutes unconscious"), SELF)
    values = {"out_minutes": minutes, "out_rounds": 1, **OUT}
    return changed(ask, me, "RD6-WND-7", "unconscious", {"minutes": minutes}, **values)


@rule("RD6-WND-8")
def dying(ask: Ask, me: Fighter, rounds: int) -> Fighter:
    """The Strength roll of a mortally wounded character after so many full rounds; a total below that is death.

    Counted in minutes, it is rolled only when a minute is full.
    """
    passed = rounds
    if ask.rulings.mortal_death_test == "minutes_instead_of_rounds":
        if rounds % ROUNDS_A_MINUTE:
            return me
        passed = rounds // ROUNDS_A_MINUTE
    why = Why("death", "RD6-WND-8", "Strength against death")
    total = ask.roll(totalled(attribute(me.sheet, "Strength"), ask.rulings), why, SELF)
    if total < passed:
        return changed(ask, me, "RD6-WND-8", "dies", {"total": total, "passed": passed}, dead=True)
    return changed(ask, me, "RD6-WND-8", "lives on", {"total": total, "passed": passed})


@rule("RD6-SPC-5", "RD6-RPF-11")
def keep_hold(ask: Ask, me: Fighter, difficulty: int, flies: int) -> Fighter:
    """Somebody pulls at the weapon: one yet to act gives up an action for a test, everybody else loses it at once."""
    if not me.begun and not me.unconscious:
        me = changed(ask, me, "RD6-SPC-5", "gives up an action", owed=me.owed + 1)
        dice, parts = pool(me, "Athletics")
        pooled = counted(dice, ask.rulings, stymied=stymied(me))
        if ask.roll(pooled, Why("keep hold", "RD6-SPC-5", "Athletics to keep hold"), SELF, parts) >= difficulty:
            return changed(ask, me, "RD6-SPC-5", "keeps hold")
    lost = (*me.lost, (me.weapon, flies))
    return changed(ask, me, "RD6-SPC-5", "disarmed", {"weapon": me.weapon, "spaces": flies}, weapon="", lost=lost)


@rule("RD6-WND-5")
def recover(ask: Ask, me: Fighter, points: int) -> Fighter:
    """Shaking off a stun: one success on Fortitude, itself a penalised physical action."""
    dice, parts = pool(me, "Fortitude")
    pooled = counted(dice, ask.rulings, 0, points, stymied(me))
    if ask.roll(pooled, Why("recover", "RD6-WND-5", "Fortitude"), SELF, parts) >= 1:
        return changed(ask, me, "RD6-WND-5", "recovers", stunned=False)
    return changed(ask, me, "RD6-WND-5", "stays stunned")
