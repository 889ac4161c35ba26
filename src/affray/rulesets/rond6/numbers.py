"""Every number of a fight, from the state. The first layer: nothing rolls, asks or changes here.

`circumstances` alone reads the scene. `line` is what an attacker brings, `guard` what a target offers; they carry their
provenance, which takes no part in equality.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from affray import space
from affray.dice import Code, WildPool, wild_pool
from affray.events import get
from affray.modifiers import NO_PARTS, Modifier, Parts, listed, total
from affray.rules import rule
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import SKILLS, Attempt, Defence, Fighter, Kind, State, Weapon
from affray.rulesets.rond6.tables import ATTACK_SKILL, BAND_MODIFIER, DEFENCE, SCALE

PHYSICAL = ("Strength", "Agility", "Stamina")
"""RON-CON-2, a fixed reading."""


class Test(Struct, frozen=True):
    """A roll ready to be made: dice (one of them Wild), Wild Dice from points, pips, and what is added to the total."""

    dice: int
    pips: int = 0
    plus: int = 0
    points: int = 0
    rethrow: bool = True
    parts: Parts = NO_PARTS

    @rule("RON-DICE-2", "RON-DICE-3")
    def pool(self, rulings: Rulings) -> WildPool:
        """The dice, one of them Wild and thrown again on every 6."""
        return wild_pool(self.dice + self.points, self.pips, 1 + self.points, self.rethrow, WILD_ONE[rulings.wild_one])


WILD_ONE = {
    "complication": "plain",
    "remove_highest": "remove_highest",
    "house_table_1": "table_1",
    "house_table_2": "table_2",
}


class Circumstances(Struct, frozen=True):
    """What lies between an attacker and a target."""

    distance: int = 1
    band: str = ""
    """'' for melee and unarmed attacks."""
    cover: int = 0
    prone: bool = False
    allies: int = 1
    """Participants of a coordinated attack that profit."""
    scale: int = 0
    """Dice of size: added to the attack, taken from the damage (negative for a larger attacker)."""
    visible: bool = True


class Line(Struct, frozen=True):
    """What an attacker brings."""

    test: Test
    damage: Test
    kind: Kind
    stun: bool = False
    feats: bool = True
    """Result Points may be spent by the attacker."""
    barred: tuple[str, ...] = ()
    """Combat Feats that would change nothing here, so that they are not offered."""
    harmless: bool = False
    """A hit does no damage."""
    called: str = ""
    """The spot of a called shot: extra damage is asked of the Game Master."""


class Guard(Struct, frozen=True):
    """What a target offers: the number to beat, the standing Test behind it (0: none), the Damage Resistance Total.

    `precise`: exact damage matters to the receiver (points to spend, a stun weapon's minutes); else only rungs do.
    """

    value: int
    test: int
    drt: int
    armor: Code | None = None
    """Armor dice that are rolled on each hit (ruling armor_value)."""
    precise: bool = False
    thing: bool = False
    """An object: Result Points that are left over break it (RON-SPC-3)."""
    parts: Parts = NO_PARTS
    drt_parts: Parts = NO_PARTS


# ---- difficulties and codes


@rule("RON-DICE-5")
def level(rulings: Rulings, step: int) -> int:
    """Difficulty of a level: 0 Easy, 1 Standard, ... and 5 more for each beyond the last."""
    ladder = rulings.difficulty_ladder
    return ladder[step] if step < len(ladder) else ladder[-1] + 5 * (step - len(ladder) + 1)


@rule("RON-DICE-7")
def passive(code: Code) -> int:
    """Passive value of a code: its dice."""
    return code.dice


@rule("RON-DICE-11", "RON-CON-8")
def skill_code(me: Fighter, skill: str, specialization: str = "") -> tuple[Code, str, str]:
    """The code that a Test of a skill uses, the attribute behind it, and words for it."""
    attribute = SKILLS.get(skill, skill)
    if not me.has("untrained"):
        for known, code in me.sheet.skills:
            if specialization and known == f"{skill} ({specialization})":
                return code, attribute, known
        for known, code in me.sheet.skills:
            if known == skill:
                return code, attribute, known
    code = me.sheet.attribute(attribute)
    return code, attribute, attribute if attribute == skill else f"{attribute} (no {skill})"


@rule("RON-DICE-4", "RON-DICE-8", "RON-DICE-9", "RON-DICE-10", "RON-ACT-9")
def test_of(
    me: Fighter,
    skill: str,
    rulings: Rulings,
    extra: Iterable[Modifier] = (),
    *,
    specialization: str = "",
    action: bool = True,
    hurt: int = -1,
    stunned: bool = True,
    standard: bool = True,
    points: int = 0,
    fate: bool = False,
) -> Test:
    """A Test of a skill or attribute, built in the order of RON-DICE-10.

    `extra`: modifiers in dice ('D') and in points (''). `action`: the multiple-action penalty counts. `hurt`: Wounds that
    count (-1: all). `standard`: a Test at the Standard level (ruling confused_scope).
    """
    code, attribute, words = skill_code(me, skill, specialization)
    extra = tuple(extra)
    bonus = [part for part in extra if part.unit == "D" and part.amount > 0]
    less = [part for part in extra if part.unit == "D" and part.amount < 0]
    parts = list(listed((code.dice, "D", words, "RON-DICE-11"), (code.dice if fate else 0, "D", "Fate Point", "RON-DICE-9")))
    parts += bonus
    parts += penalties(me, attribute, rulings, action, hurt, stunned)
    parts += less
    dice = total(parts, "D")
    pips = 2 * code.pips if fate else code.pips
    if dice < 1:
        parts.append(Modifier(1 - dice, "D", "never below 1D", "RON-ACT-9"))
        dice, pips = 1, 0
    parts += listed(
        (points, "W", "Character Points", "RON-DICE-8"),
        (pips, "", "pips", "RON-DICE-1"),
        (confused(me, rulings, standard), "", "confused", "RON-CON-3"),
    )
    parts += [part for part in extra if part.unit == ""]
    plus = total(parts) - pips
    return Test(dice, pips, plus, points, not me.has("stymied"), Parts(parts))


@rule("RON-ACT-7", "RON-DMG-10", "RON-DMG-11", "RON-CON-2", "RON-CON-4")
def penalties(me: Fighter, attribute: str, rulings: Rulings, action: bool, hurt: int = -1, stunned: bool = True) -> Parts:
    """Dice that a Test loses to further Actions, Wounds, being Stunned and Fatigue."""
    physical = attribute in PHYSICAL
    return listed(
        (1 - me.declared if action and me.declared > 1 else 0, "D", f"{me.declared} actions", "RON-ACT-7"),
        (wound_dice(me.wounds if hurt < 0 else hurt, rulings), "D", "wounds", "RON-DMG-11"),
        (-1 if physical and stunned and me.stunned else 0, "D", "stunned", "RON-DMG-10"),
        (-me.fatigue if physical else 0, "D", "fatigue", "RON-CON-4"),
    )


@rule("RON-DMG-11", "RON-DMG-12")
def wound_dice(wounds: int, rulings: Rulings) -> int:
    """Dice lost to that many Wounds."""
    if wounds == 3 and rulings.incapacitated_penalty == "adds":
        return -6
    return -wounds


@rule("RON-CON-3")
def confused(me: Fighter, rulings: Rulings, standard: bool) -> int:
    """What a Test's total loses to being Confused."""
    return -5 if me.has("confused") and (standard or rulings.confused_scope == "all_tests") else 0


# ---- the scene


def distance(state: State, a: Fighter, b: Fighter) -> int:
    """Spaces between two fighters: by the map where both stand on it, else the stated distance (RON-MOVE-1)."""
    if a.at is not None and b.at is not None:
        return space.distance(a.at, b.at, state.rulings.distance)
    return state.space.gap(a.id, b.id)


@rule("RON-ATK-4", "RON-ATK-5", "RON-ATK-7")
def band(weapon: Weapon, spaces: int) -> str:
    """The range band of a target that many Spaces away; '' beyond Long. A limit belongs to the nearer band."""
    if spaces <= 1:
        return "Point Blank"
    for name, end in zip(("Short", "Medium", "Long"), weapon.ranges, strict=True):
        if spaces <= end:
            return name
    return ""


@rule("RON-DICE-12")
def scale(attacker: Fighter, target: Fighter) -> int:
    """Dice of size for the attack Test: positive for the smaller attacker; the damage gets the opposite."""
    return scale_between(size(attacker), size(target))


def size(me: Fighter) -> tuple[int, int]:
    dice, side = SCALE[me.sheet.scale]
    return (me.sheet.scale_dice or dice, side)


def scale_between(attacker: tuple[int, int], target: tuple[int, int]) -> int:
    """Signed size difference: sizes on one side of Medium are subtracted, on opposite sides added."""
    return target[0] * target[1] - attacker[0] * attacker[1]


@rule("RON-ATK-3", "RON-ATK-12", "RON-SPC-9")
def circumstances(state: State, by: str, at: str, weapon: Weapon) -> Circumstances:
    """What lies between an attacker with a weapon and a target: the only number that reads the scene."""
    me, target = get(state, by), get(state, at)
    spaces = distance(state, me, target)
    ranged = weapon.kind in ("ranged", "thrown")
    on_map = me.at is not None and target.at is not None and bool(state.space.areas)
    cover = max(target.cover, state.space.at(target.at, "cover") if target.at is not None and on_map else 0)
    return Circumstances(
        spaces,
        band(weapon, spaces) if ranged else "",
        cover,
        target.prone,
        coordinated(state, by, at),
        scale(me, target),
        not on_map or space.visible(me.at, target.at, state.space.walls()),
    )


@rule("RON-SPC-9")
def coordinated(state: State, by: str, at: str) -> int:
    """How many profit from the coordinated attack that this attacker takes part in; 1 if it takes part in none.

    Those who fell before their turn take no part. Past four only the first by initiative profit.
    """
    for team in state.teams:
        if team.target == at and team.round == state.round:
            taking = [who for who in team.members if takes_part(state, who)][:4]
            return len(taking) if by in taking else 1
    return 1


def takes_part(state: State, who: str) -> bool:
    """Whether one who was named has attacked or still can."""
    return any(f.id == who and (f.acted or not f.out) for f in state.fighters)


# ---- what the attacker brings


def line(
    me: Fighter,
    weapon: Weapon,
    c: Circumstances,
    rulings: Rulings,
    extra: Iterable[Modifier] = (),
    extra_damage: Iterable[Modifier] = (),
    *,
    points: int = 0,
    fate: bool = False,
    damage_points: int = 0,
    feats: bool = True,
    harmless: bool = False,
    called: str = "",
    barred: tuple[str, ...] = (),
) -> Line:
    """An attack with a weapon under these circumstances; `extra` and `extra_damage` come from special actions."""
    ranged = weapon.kind in ("ranged", "thrown")
    parts = [*extra, *range_part(c, weapon, rulings), *situation_parts(me, weapon, c, ranged)]
    test = test_of(me, ATTACK_SKILL[weapon.kind], rulings, parts, points=points, fate=fate)
    size_part = listed((-c.scale, "D", "size", "RON-DICE-12"))
    damage = damage_of(me, weapon, rulings, (*extra_damage, *size_part), damage_points)
    return Line(test, damage, weapon.kind, weapon.stun, feats and not harmless, barred, harmless, called)


@rule("RON-ATK-4", "RON-ATK-5")
def range_part(c: Circumstances, weapon: Weapon, rulings: Rulings) -> Parts:
    """What the range adds to an attack total."""
    if c.band:
        amount, cited = BAND_MODIFIER[c.band]
        return listed((amount, "", c.band, cited))
    if rulings.point_blank_bonus == "all_attacks" and c.distance <= 1:
        return listed((5, "", "Point Blank", "RON-ATK-5"))
    return NO_PARTS


@rule("RON-SPC-16", "RON-SPC-9", "RON-ATK-9", "RON-RP-10", "RON-ACT-16")
def situation_parts(me: Fighter, weapon: Weapon, c: Circumstances, ranged: bool) -> Parts:
    """What position, allies and the scene add to an attack."""
    before = listed(
        (me.aim if ranged else 0, "D", "aiming", "RON-ACT-16"),
        (c.scale, "D", "size", "RON-DICE-12"),
        (1 if c.allies >= 4 else 0, "D", "coordinated", "RON-SPC-9"),
        (c.allies - 1 if c.allies < 4 else 0, "", "coordinated", "RON-SPC-9"),
    )
    return before + prone_part(c, ranged) + listed(
        (weapon.bonus, "", weapon.name, "RON-ATK-3"),
        (me.aware, "", "battlefield awareness", "RON-RP-10"),
        (me.situational, "", "situation", "RON-ATK-9"),
    )


@rule("RON-SPC-16")
def prone_part(c: Circumstances, ranged: bool) -> Parts:
    """What a Prone target changes: harder to shoot except at Point Blank, easier to strike."""
    if not c.prone:
        return NO_PARTS
    return listed((5 if not ranged else 0 if c.distance <= 1 else -5, "", "target prone", "RON-SPC-16"))


@rule("RON-DMG-2")
def strength_damage(strength: Code) -> int:
    """Dice of Strength Damage: Strength without pips, halved and rounded up."""
    return (strength.dice + 1) // 2


@rule("RON-DMG-1", "RON-CON-7", "RON-DICE-12")
def damage_of(me: Fighter, weapon: Weapon, rulings: Rulings, extra: Iterable[Modifier] = (), points: int = 0) -> Test:
    """The damage roll before Result Points. Further Actions and Wounds do not touch it (RON-ACT-8)."""
    strength = strength_damage(me.sheet.attribute("Strength")) if weapon.strength else 0
    parts = listed((weapon.damage.dice, "D", weapon.name, "RON-DMG-1"), (strength, "D", "Strength Damage", "RON-DMG-2")) + Parts(
        extra
    )
    parts += listed((points, "W", "Character Points", "RON-DICE-8"), (weapon.damage.pips, "", "pips", "RON-DICE-1"))
    rethrow = not me.has("stymied") or rulings.stymied_scope == "tests_only"
    return Test(total(parts, "D"), weapon.damage.pips, total(parts) - weapon.damage.pips, points, rethrow, parts)


# ---- what the target offers


@rule("RON-DEF-4", "RON-DEF-5", "RON-ATK-12", "RON-DEF-8")
def passive_defence(me: Fighter, rulings: Rulings, cover: int) -> Parts:
    """Passive Defense, as its parts."""
    agility = passive(me.sheet.attribute("Agility"))
    if (me.out or me.has("grappled")) and rulings.helpless_defense == "agility_zero":
        agility = 0
    base = 10 if me.sheet.object else level(rulings, 1)
    return Parts([Modifier(base, "", "Standard", "RON-DEF-4")]) + listed(
        (agility - 2 if not me.sheet.object else 0, "", f"Agility {agility}", "RON-DEF-4"),
        (me.sheet.shield, "", "shield", "RON-DEF-5"),
        (me.defence_bonus, "", "until next turn", "RON-DEF-5"),
        (cover, "", "cover", "RON-ATK-12"),
        (me.carried, "", "carried points", "RON-DEF-8"),
    )


@rule("RON-DEF-3", "RON-DEF-9", "RON-SPC-21")
def standing_test(me: Fighter, kind: Kind | Attempt) -> int:
    """The best standing Defense Test against this kind of attack or interaction; 0 if there is none or surprise forbids it."""
    if me.has("surprised") and not me.attacked:
        return 0
    return max((s.total for s in me.standing if covers(s.kind, kind)), default=0)


@rule("RON-DEF-9")
def covers(defence: Defence, kind: Kind | Attempt) -> bool:
    """Whether a type of Active Defense serves against a kind of attack."""
    return kind in DEFENCE[defence][1]


@rule("RON-DMG-6")
def toughness(me: Fighter, rulings: Rulings) -> Parts:
    """Base Toughness: four for each die of Strength, and its pips (ruling toughness_pips)."""
    strength = me.sheet.attribute("Strength")
    return listed((4 * strength.dice + pips_worth(strength, rulings), "", f"toughness {strength}", "RON-DMG-6"))


@rule("RON-DMG-5")
def resistance(me: Fighter, rulings: Rulings) -> Parts:
    """The Damage Resistance Total, as its parts (armor dice that are rolled are not in it)."""
    armor = me.sheet.armor
    worn = armor.flat
    if rulings.armor_value == "x4":
        worn += 4 * armor.code.dice + pips_worth(armor.code, rulings)
    elif rulings.armor_value == "flat":
        worn += armor.code.dice
    return toughness(me, rulings) + listed(
        (worn, "", armor.name or "armor", "RON-DMG-5"),
        (me.sheet.resistance, "", "abilities", "RON-DMG-5"),
    )


def pips_worth(code: Code, rulings: Rulings) -> int:
    return code.pips if rulings.toughness_pips == "add" else 0


@rule("RON-DMG-9")
def doubled_by_fate(me: Fighter, rulings: Rulings) -> Parts:
    """What a Fate Point adds to the Damage Resistance Total: toughness and armor once more."""
    doubled = sum(part.amount for part in resistance(me, rulings) if part.source != "abilities")
    return listed((doubled, "", "Fate Point: toughness and armor doubled", "RON-DMG-9"))


@rule("RON-DEF-6", "RON-ATK-1")
def guard(me: Fighter, kind: Kind, c: Circumstances, rulings: Rulings, stun: bool = False) -> Guard:
    """What the target sets against an attack of this kind."""
    parts = passive_defence(me, rulings, c.cover)
    test, value = standing_test(me, kind), total(parts)
    if test and (rulings.active_vs_passive == "replace" or test > value):
        value = test
        parts = Parts([Modifier(test, "", "standing defense", "RON-DEF-6")])
    drt_parts = resistance(me, rulings)
    rolled = me.sheet.armor.code if rulings.armor_value == "rolled" and me.sheet.armor.code.dice else None
    precise = stun or bool(me.character or me.fate) or me.sheet.object
    return Guard(value, test, total(drt_parts), rolled, precise, me.sheet.object, parts, drt_parts)
