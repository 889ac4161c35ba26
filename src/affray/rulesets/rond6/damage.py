"""Damage, resistance and wounds: what happens to one fighter's body."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.ask import SELF, Ask, Why
from affray.dice import WildPool, wild_pool
from affray.domains import Number, OneOf, YesNo
from affray.events import Changed
from affray.modifiers import Modifier, Parts, total
from affray.rules import rule
from affray.rulesets.rond6.checks import reaches
from affray.rulesets.rond6.numbers import Test, doubled_by_fate, level, test_of
from affray.rulesets.rond6.sheet import Fighter

POINTS = Why("points", "RON-DMG-7", "Character Points on resistance")
FATE = Why("fate", "RON-DMG-9", "a Fate Point on resistance")
ARMOR = Why("armor", "RON-DMG-5", "armor")
RESIST = Why("resist", "RON-DMG-7", "resistance")
STAY_AWAKE_BY = Why("stay awake by", "RON-DMG-12", "which attribute to stay awake with")
STAY_AWAKE = Why("stay awake", "RON-DMG-12", "stay awake")
MORTAL = Why("mortal", "RON-DMG-13", "Strength against death")

MINUTE = 12
"""Rounds in a minute (RON-TIME-1)."""


CERTAIN_DEATH = 30
"""Damage over the resistance that kills anybody: more is not told apart."""


def rung(over: int) -> int:
    """Damage over the resistance as far as Wounds tell it apart: −1 for any lack, else full sixes."""
    return -1 if over < 0 else min(CERTAIN_DEATH, over // 6 * 6)


@rule("RON-DMG-7", "RON-DMG-9", "RON-CON-3")
def resist(ask: Ask, me: Fighter, over: int, precise: bool) -> tuple[Fighter, int]:
    """Points spent against damage that would otherwise tell, once the Damage Total is known.

    Unless `precise`, the damage that is left tells only full Wounds apart.
    """
    helpless = me.out or me.has("confused") or me.sheet.object
    if over < 0 or helpless or not (me.fate or me.character):
        return me, over if precise else rung(over)
    fate, points, over = ask.call(spare, me, over, precise)
    if fate or points:
        me = replace(me, fate=me.fate - fate, character=me.character - points)
    return me, over


def spare(ask: Ask, me: Fighter, over: int, precise: bool) -> tuple[int, int, int]:
    """Fate Points and Character Points spent, and the damage that is left over the resistance."""
    fate = 0
    if me.fate and ask.choose(YesNo(), FATE, SELF, False, (me, over)):
        fate = 1
        me = ask.tell(Changed(me.id, "RON-DMG-9", (("fate", me.fate - 1),), "resist.fate"), me)
        over -= total(doubled_by_fate(me, ask.rulings))
        armor = me.sheet.armor.code
        if ask.rulings.armor_value == "rolled" and armor.dice:  # as many regular dice more as were rolled
            over -= ask.roll(WildPool(armor.dice, armor.pips, 0), ARMOR, SELF)
    points = ask.choose(Number(0, me.character), POINTS, SELF, 0, (me, over)) if me.character and over >= 0 else 0
    if not points:
        return fate, 0, over if precise else rung(over)
    data = (("points", points),)
    ask.tell(Changed(me.id, "RON-DMG-7", (("character", me.character - points),), "resist.points", data), me)
    return ask.finish(soak, fate, points, over, not me.has("stymied"), precise)


@rule("RON-DMG-7")
def soak(ask: Ask, fate: int, points: int, over: int, rethrow: bool, precise: bool) -> tuple[int, int, int]:
    """The Wild Dice that Character Points throw against damage."""
    def left(soaked: int) -> int:
        return over - soaked if precise else rung(over - soaked)

    return fate, points, ask.read(wild_pool(points, 0, points, rethrow), RESIST, SELF, left)


@rule("RON-DMG-3", "RON-DMG-4", "RON-DMG-15", "RON-DMG-16", "RON-DMG-17")
def hurt(ask: Ask, me: Fighter, over: int, stun: bool = False) -> Fighter:
    """Damage that reaches the resistance by `over`: Stunned, and a Wound for each full 6; then the rungs of injury."""
    before = me
    wounds = over // 6
    minutes = over if stun else 0
    if stun:
        wounds = max(0, wounds - 2)
    fields: list[tuple[str, Any]] = [("wounds", me.wounds + wounds)]
    if not wounds or ask.rulings.wound_also_stuns:
        fields.append(("stunned", True))
    if wounds:
        fields.append(("injury", me.injury + 1))
    if wounds >= 2:
        fields.append(("massive", 1))
    note = "damage.wounds" if wounds else "damage.stunned"
    me = ask.tell(Changed(me.id, "RON-DMG-3", tuple(fields), note, (("wounds", wounds), ("now", me.wounds + wounds))), me)
    if minutes:
        me = knocked_out(ask, me, minutes)
    return injured(ask, before, me) if wounds else me


@rule("RON-DMG-16")
def knocked_out(ask: Ask, me: Fighter, minutes: int) -> Fighter:
    """A stun weapon's knock-out; a longer one replaces a shorter one."""
    if me.out in ("dead", "destroyed") or minutes * MINUTE <= me.asleep:
        return me
    fields = (("out", "unconscious"), ("asleep", minutes * MINUTE), *FALLEN)
    return ask.tell(Changed(me.id, "RON-DMG-16", fields, "damage.knocked_out", (("minutes", minutes),)), me)


FALLEN: tuple[tuple[str, Any], ...] = (("standing", ()), ("carried", 0), ("waiting", ""), ("aim", 0))
"""What ends when one can no longer act (RON-DEF-3)."""


@rule("RON-DMG-11", "RON-DMG-12", "RON-DMG-13", "RON-DMG-14", "RON-DMG-15")
def injured(ask: Ask, before: Fighter, me: Fighter) -> Fighter:
    """Judge the new total of Wounds; rungs that were jumped over do not matter."""
    if me.wounds >= 5:
        fields = (("out", "dead"), ("mortal", 0), ("asleep", 0), *FALLEN)
        return ask.tell(Changed(me.id, "RON-DMG-14", fields, "damage.dead"), me)
    if me.wounds == 4:
        clock = before.mortal or 1
        fields = (("out", "unconscious"), ("fainted", "wounds"), ("mortal", clock), *FALLEN)
        return ask.tell(Changed(me.id, "RON-DMG-13", fields, "damage.mortal"), me)
    if me.wounds == 3 and before.wounds < 3 and not me.out:
        return incapacitated(ask, before, me)
    return me


@rule("RON-DMG-12")
def incapacitated(ask: Ask, before: Fighter, me: Fighter) -> Fighter:
    """Three Wounds: a Standard Test of Stamina or Will Power keeps one awake."""
    hurt_by = {"unpenalised": 0, "prior_wounds": before.wounds, "all_wounds": 3}[ask.rulings.incapacitated_test]

    def test(attribute: str) -> Test:
        counted = [Modifier(-hurt_by, "D", "wounds", "RON-DMG-12")] if hurt_by else []
        return test_of(me, attribute, ask.rulings, counted, action=False, hurt=0, stunned=before.stunned)

    stamina, will = test("Stamina"), test("Will Power")
    better = "Stamina" if (stamina.dice, stamina.pips) >= (will.dice, will.pips) else "Will Power"
    chosen = ask.choose(OneOf(("Stamina", "Will Power")), STAY_AWAKE_BY, SELF, better, (me, better))
    if ask.call(reaches, stamina if chosen == "Stamina" else will, level(ask.rulings, 1), STAY_AWAKE):
        return me
    fields = (("out", "unconscious"), ("fainted", "wounds"), *FALLEN)
    return ask.tell(Changed(me.id, "RON-DMG-12", fields, "damage.fainted"), me)


@rule("RON-DMG-13")
def unpenalised(me: Fighter, ask: Ask) -> Test:
    """Strength as it is on the sheet: nothing lowers the roll against death."""
    code = me.sheet.attribute("Strength")
    parts = Parts([Modifier(code.dice, "D", "Strength", "RON-DMG-13")])
    return Test(max(1, code.dice), code.pips, rethrow=not me.has("stymied"), parts=parts)


@rule("RON-DMG-13")
def mortal_clock(ask: Ask, me: Fighter) -> Fighter:
    """The close of a Round for the Mortally Wounded: each minute, a Strength roll under the minutes gone by is death."""
    unit = 1 if ask.rulings.mortal_clock == "round" else MINUTE
    gone = me.mortal - 1
    if gone and gone % unit == 0:
        test = unpenalised(me, ask)
        if not ask.call(reaches, test, gone // unit, MORTAL):
            return ask.tell(Changed(me.id, "RON-DMG-13", (("out", "dead"), ("mortal", 0)), "damage.died"), me)
    return ask.tell(Changed(me.id, "RON-DMG-13", (("mortal", me.mortal + 1),)), me)
