"""Resistance and the wound track: what damage does to the one who is hit, and to the dying.

Mechanics only: one fighter changes alone, with events that carry absolute values.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.ask import SELF, Ask, Why
from affray.dice import Code
from affray.domains import Number, YesNo
from affray.events import Changed, Noted
from affray.modifiers import NO_PARTS, Modifier, Parts
from affray.rules import rule
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.mechanics import Blow
from affray.rulesets.rd6.numbers import action_limit, pool, stymied, toughness
from affray.rulesets.rd6.rulings import Rulings
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


class Soak(Struct, frozen=True):
    """What somebody sets against damage: a fixed number, the dice that are rolled with it, and what the dice are made of."""

    fixed: int
    code: Code = Code(0)
    points: int = 0
    stymied: bool = False
    parts: Parts = NO_PARTS


class Harm(Struct, frozen=True):
    """What damage comes to: so many wounds (never more than kill), and whether it stuns."""

    wounds: int
    stuns: bool = False


NO_HARM = Harm(-1)
"""Damage that has no effect."""


@rule("RD6-WND-1", "RD6-WND-2", "RD6-WND-3", "RD6-WND-12", "RD6-SCL-4")
def soak(me: Fighter, blow: Blow, rulings: Rulings, base: int | None = None, points: int = 0) -> Soak:
    """The resistance of a fighter against one blow. `base`: in place of Toughness. All dice share one Wild Die."""
    armour, rolled = me.sheet.armour, rulings.resistance_toughness == "rolled"
    strength = attribute(me.sheet, "Strength") if rolled else Code(0)
    rows = (
        (armour.dice, "D", "armour", "RD6-WND-1"),
        (blow.resisted, "D", "scale", "RD6-SCL-4"),
        (strength.dice, "D", "Toughness rolled", "RD6-WND-1"),
    )
    parts = Parts(Modifier(*row) for row in rows if row[0])
    code = Code.of_pips(armour.value + strength.value + 3 * blow.resisted)
    number = toughness(me.sheet) if base is None else base
    return Soak((0 if rolled else number) - me.reduction, code, points, stymied(me), parts)


@rule("RD6-WND-4", "RD6-WND-5", "RD6-WND-6")
def harm(ask: Ask, damage: int, against: Soak) -> Harm:
    """Damage against resistance: nothing, stunned, or a wound for every full 6 points."""

    def came(dice: int) -> Harm:
        margin = damage - against.fixed - dice
        told = (("damage", damage), ("resistance", against.fixed + dice), ("margin", margin))
        ask.tell(Noted(SELF, "RD6-WND-4", "margin", told))
        return NO_HARM if margin < 0 else Harm(rung(margin), margin < 6 or ask.rulings.wound_also_stuns)

    if not against.code.dice and not against.points:
        return came(against.code.pips)
    pooled = totalled(against.code, ask.rulings, points=against.points, stymied=against.stymied)
    return ask.read(pooled, Why("resistance", "RD6-WND-1", "resistance"), SELF, came, against.parts)


@rule("RD6-WND-4", "RD6-WND-6")
def rung(margin: int) -> int:
    """Wounds by so much damage above the resistance: one for every full 6 points, never more than kill; -1: no effect."""
    return -1 if margin < 0 else min(5, margin // 6)


@rule("RD6-WND-11")
def hurt(ask: Ask, me: Fighter, blow: Blow) -> Fighter:
    """Points against a blow, the resistance, and what comes of it. Rolled cover is part of the resistance."""
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
    against = soak(me, blow, ask.rulings, base, points)
    against = replace(against, fixed=against.fixed + fate + blow.cover)
    return suffer_harm(ask, me, ask.call(harm, blow.damage, against, roles={SELF: me.id}))


@rule("RD6-WND-4", "RD6-WND-5", "RD6-WND-6", "RD6-WND-10", "RD6-MOD-17")
def suffer_harm(ask: Ask, me: Fighter, came: Harm, minutes: bool = True) -> Fighter:
    """A fighter after so much harm. `minutes`: whether the time of unconsciousness is rolled."""
    if came.wounds < 0:
        return changed(ask, me, "RD6-WND-4", "no effect")
    gained, stuns = came.wounds, came.stuns
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
    rule_of, note = ("RD6-WND-6", "wounded") if gained else ("RD6-WND-5", "stunned")
    me = changed(ask, me, rule_of, note, {"wounds": gained}, **values)
    return judged(ask, me, before, minutes) if gained else me


@rule("RD6-WND-7", "RD6-WND-8", "RD6-WND-9", "RD6-WND-10", "RD6-DEF-22")
def judged(ask: Ask, me: Fighter, before: int, minutes: bool = True) -> Fighter:
    """What the new sum of wounds means after `before` of them; levels passed over are ignored."""
    if me.wounds >= 5:
        return changed(ask, me, "RD6-WND-9", "dead", dead=True, **OUT)
    if me.wounds == 4:
        return changed(ask, me, "RD6-WND-8", "mortally wounded", dying=1, **OUT)
    if me.wounds == 3 > before and not me.unconscious:
        return stay_awake(ask, me, minutes)
    return me


OUT: dict[str, Any] = {"unconscious": True, "standing": (), "aim": Aim(), "stance": 0}
"""What everybody loses who goes down."""


@rule("RD6-WND-7")
def stay_awake(ask: Ask, me: Fighter, timed: bool) -> Fighter:
    """A Moderate roll of the better of Stamina and Willpower, without penalties; else out for 10D minutes."""
    name = max(("Stamina", "Willpower"), key=lambda a: attribute(me.sheet, a).value)
    me, points = points_spent(ask, me, "staying up", "RD6-WND-7", (tables.MODERATE,))
    parts = Parts((Modifier(attribute(me.sheet, name).dice, "D", name, "RD6-DICE-9"),))
    why = Why("stay up", "RD6-WND-7", f"{name} to stay up")
    if ask.call(passes, attribute(me.sheet, name), why, points, stymied(me), parts, roles={SELF: me.id}):
        return changed(ask, me, "RD6-WND-7", "stays up")
    if not timed:
        return changed(ask, me, "RD6-WND-7", "unconscious", {"minutes": 0}, **OUT)
    minutes = ask.roll(totalled(Code(10), ask.rulings), Why("minutes", "RD6-WND-7", "minutes unconscious"), SELF)
    values = {"out_minutes": minutes, "out_rounds": 1, **OUT}
    return changed(ask, me, "RD6-WND-7", "unconscious", {"minutes": minutes}, **values)


def passes(ask: Ask, code: Code, why: Why, points: int, low: bool, parts: Parts) -> bool:
    """Whether a Moderate test succeeds. `low`: sixes are not thrown again."""
    return ask.roll(counted(code, ask.rulings, 0, points, low), why, SELF, parts) >= tables.MODERATE


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
    """Somebody pulls at the weapon: one yet to act gives up an action for a test, everybody else loses it at once.

    Other actions can still be announced when the turn comes; whoever has none left to give up loses the weapon.
    """
    if not me.begun and not me.unconscious and me.used + me.owed < action_limit(me, ask.rulings):
        ends: dict[str, Any] = {"aim": Aim()} if me.aim.rounds else {}  # RD6-MOD-17: any other action ends an aim
        me = changed(ask, me, "RD6-SPC-5", "gives up an action", owed=me.owed + 1, **ends)
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
