"""Layer 1: every number of the ruleset, each with its parts.

`circumstances` is the only number that reads the scene. From it and one fighter follow `line` (what the attacker
brings) and `guard` (what the target offers). Nothing here rolls, asks or changes anything.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from affray.dice import Code
from affray.modifiers import NO_PARTS, Modifier, Parts, total
from affray.rules import rule
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.rulings import Rulings
from affray.rulesets.rd6.sheet import (
    PHYSICAL,
    UNARMED,
    Cover,
    Fighter,
    Sheet,
    Standing,
    State,
    Weapon,
    attribute,
    attribute_of,
    code,
    ranks,
    trained,
    weapon_named,
)

S = "S"
"""Unit of Difficulty modifiers: successes."""


class Circumstances(Struct, frozen=True):
    """What the scene does to one attack. `scale`: above 0 the attacker is larger by that many dice, below 0 smaller."""

    metres: float = 1.0
    band: str = "Point Blank"
    range_difficulty: int = 0
    environment: int = 0
    cover_difficulty: int = 0
    wall: Code = Code(0)
    scale: int = 0
    aim: int = 0
    parts: Parts = NO_PARTS
    """Difficulty parts (unit S) and dice parts (unit D)."""


class Option(Struct, frozen=True):
    """A way of attacking: what it adds, whether it takes the whole round, and its effect in place of damage."""

    name: str = "attack"
    rule: str = "RD6-SUC-1"
    dice: int = 0
    plus: int = 0
    damage: int = 0
    whole_round: bool = False
    effect: str = "damage"
    shots: int = 1


class Line(Struct, frozen=True):
    """What the attacker brings. `listed`: the weapon's own damage without Strength, Result Points or options."""

    code: Code
    plus: int
    damage: Code
    listed: Code
    close: bool
    unarmed: bool = False
    sharp: bool = False
    melee: bool = False
    reloads: bool = False
    effect: str = "damage"
    lessen: int = 0
    resisted: int = 0
    points: int = 0
    stymied: bool = False
    enemies_near: bool = False
    parts: Parts = NO_PARTS
    damage_parts: Parts = NO_PARTS


class Guard(Struct, frozen=True):
    """What the target offers against one attack. `defence`: the roll that counts ('' passive), with its result."""

    need: int
    defence: str = ""
    result: int = 0
    body: bool = False
    exempt: bool = False
    blade: Code = Code(0)
    wall: Code = Code(0)
    parts: Parts = NO_PARTS


# ---- the pool of any roll


@rule("RD6-DICE-2", "RD6-DICE-10", "RD6-RND-9", "RD6-WND-5", "RD6-WND-6", "RD6-WND-7")
def pool(me: Fighter, skill: str, more: tuple[Modifier, ...] = (), action: bool = True) -> tuple[Code, Parts]:
    """Dice of a test after all bonuses and penalties, summed and applied once, at least 1D; pips stay.

    `action`: whether it is one of the round's actions and so takes their penalty.
    """
    written = skill_code(me, skill)
    parts = [Modifier(written.dice, "D", skill, "RD6-DICE-9")]
    if written.pips:
        parts.append(Modifier(written.pips, "", "pips", "RD6-DICE-1"))
    parts += penalties(me, skill, action)
    parts += more
    return Code(max(1, total(parts, "D")), written.pips), Parts(parts)


def skill_code(me: Fighter, skill: str) -> Code:
    """The code of a skill, or of its attribute alone while untrained [RD6-SPC-21]."""
    if any(condition.kind == "untrained" for condition in me.conditions):
        return attribute(me.sheet, attribute_of(skill))
    return code(me.sheet, skill)


def penalties(me: Fighter, skill: str, action: bool) -> list[Modifier]:
    """Dice that the state of a fighter takes from a test."""
    found = []
    if action and me.declared > 1:
        found.append(Modifier(1 - me.declared, "D", f"{me.declared} actions", "RD6-RND-9"))
    if me.wounds:
        amount = min(3, me.wounds)
        found.append(Modifier(-amount, "D", "wounds", "RD6-WND-6" if amount < 3 else "RD6-WND-7"))
    if attribute_of(skill) in PHYSICAL:
        if me.stunned:
            found.append(Modifier(-1, "D", "stunned", "RD6-WND-5"))
        if me.fatigued:
            found.append(Modifier(-me.fatigued, "D", "fatigued", "RD6-SPC-21"))
    return found


def stymied(me: Fighter) -> bool:
    """Whether this fighter's Wild Dice stay as they fall."""
    return any(condition.kind == "stymied" for condition in me.conditions)


# ---- single numbers of a sheet


@rule("RD6-DMG-5", "RD6-DMG-6")
def strength_damage(sheet: Sheet) -> Code:
    """Half the whole dice of Lift where it is trained, else of Strength, rounded up."""
    lift = "Athletics: Lift"
    source = code(sheet, lift) if trained(sheet, lift) else attribute(sheet, "Strength")
    return Code((source.dice + sheet.strength_special + 1) // 2)


@rule("RD6-DMG-4", "RD6-DMG-7")
def weapon_damage(sheet: Sheet, weapon: Weapon) -> Code:
    """The weapon part of the damage: the listed code, with Strength Damage where the weapon is listed with a plus."""
    if not weapon.strength:
        return weapon.damage
    return Code.of_pips(weapon.damage.value + strength_damage(sheet).value)


@rule("RD6-WND-3")
def toughness(sheet: Sheet) -> int:
    """Toughness from the sheet, else four times the whole dice of Strength."""
    return sheet.toughness if sheet.toughness >= 0 else 4 * attribute(sheet, "Strength").dice


@rule("RD6-RND-9")
def action_limit(me: Fighter, rulings: Rulings) -> int:
    """Most actions of one round; 99 where there is no limit."""
    return 99 if rulings.map_limit == "none" else max(1, attribute(me.sheet, "Agility").dice)


@rule("RD6-RND-12")
def free_spaces(me: Fighter) -> int:
    """Spaces that may be moved without an action."""
    return me.sheet.move // 2


@rule("RD6-RND-4")
def initiative_bonus(sheet: Sheet) -> int:
    """The better of ranks of Search and dice of Agility, for player characters and bosses only."""
    if not sheet.hero:
        return 0
    return max(ranks(sheet, "Search") // 2, attribute(sheet, "Agility").dice // 4)


@rule("RD6-RND-5")
def tie_break(me: Fighter) -> tuple[int, int]:
    """Agility in pips, then the best combat skill that can be used."""
    skills = {"Fighting"} | {weapon.uses for weapon in me.sheet.weapons}
    return attribute(me.sheet, "Agility").value, max(code(me.sheet, skill).value for skill in sorted(skills))


@rule("RD6-SCL-2")
def scale(mine: str, theirs: str) -> int:
    """Dice by which the first size is the larger; negative: the smaller."""
    return tables.SIZE[mine] - tables.SIZE[theirs]


# ---- defence


@rule("RD6-DEF-3")
def passive_modifier(sheet: Sheet, rulings: Rulings) -> int:
    """1 for high Agility or many ranks of Dodge, never 2."""
    agility = attribute(sheet, "Agility")
    worth = agility.value if rulings.passive_compare == "pips" else 3 * agility.dice
    if rulings.passive_threshold == "at_least_4":
        return int(worth >= 12 or ranks(sheet, "Dodge") >= 4)
    return int(worth > 12 or ranks(sheet, "Dodge") > 4)


@rule("RD6-DEF-4", "RD6-DEF-5")
def parry_bonus(me: Fighter, rulings: Rulings) -> int:
    """1 while a fitting one-handed weapon is in a skilled hand; counts in close combat only."""
    weapon = weapon_named(me.sheet, me.weapon)
    if weapon.kind != "melee" or weapon.hands != 1 or me.grip_on_arm or ranks(me.sheet, "Melee Weapons") < 4:
        return 0
    at_most = 2 * weapon.min_strength.value <= attribute(me.sheet, "Strength").value
    return int(at_most == (rulings.parry_min_strength == "at_most_half"))


@rule("RD6-DEF-9")
def covers(standing: Standing, line: Line) -> bool:
    """Whether a running defence counts against this attack; Resolve is for words and feints alone."""
    return standing.kind == "dodge" or (standing.kind in ("block", "parry") and line.close)


@rule("RD6-DEF-1", "RD6-DEF-2", "RD6-DEF-6", "RD6-DEF-15", "RD6-DEF-19", "RD6-DEF-21")
def core(me: Fighter, standing: Standing | None, close: bool, rulings: Rulings) -> Parts:
    """The Difficulty before range and cover, against close combat or not, with this defence roll or passive."""
    base = Modifier(rulings.difficulty_base, S, "base", "RD6-DEF-1")
    if me.unconscious or me.dead:
        return Parts((base,))
    passive = [
        Modifier(amount, S, source, why)
        for amount, source, why in (
            (passive_modifier(me.sheet, rulings), "passive modifier", "RD6-DEF-3"),
            (parry_bonus(me, rulings) if close else 0, "parry bonus", "RD6-DEF-4"),
        )
        if amount
    ]
    if standing is None:
        return Parts((base, *passive))
    result = Modifier(standing.result, S, f"{standing.kind} ({standing.mode})", "RD6-DEF-6")
    if standing.mode == "active":
        parts = [base, result]
    elif standing.mode == "partial":
        parts = [replace(result, rule="RD6-DEF-15")]
    else:
        own = [base] if rulings.full_formula == "base_plus_result_plus_2" else []
        parts = [*own, result, Modifier(2, S, "full defence", "RD6-DEF-19")]
    if rulings.active_keeps_passive:
        parts += passive
    rolled, unrolled = Parts(parts), Parts((base, *passive))
    if rulings.active_at_least_passive and total(unrolled, S) > total(rolled, S):
        return unrolled
    return rolled


def best_defence(me: Fighter, line: Line, rulings: Rulings) -> Standing | None:
    """Of the running defences that cover the attack the one with the highest core; None: passive."""
    fitting = [s for s in me.standing if covers(s, line)]
    return max(fitting, key=lambda s: total(core(me, s, line.close, rulings), S), default=None)


@rule("RD6-MOD-1", "RD6-MOD-2", "RD6-DEF-22", "RD6-RPF-10", "RD6-SPC-8", "RD6-DEF-13", "RD6-DEF-14")
def guard(me: Fighter, line: Line, c: Circumstances, rulings: Rulings) -> Guard:
    """What this target offers against this attack; the floor of 1 comes last."""
    standing = None if me.unconscious or me.dead else best_defence(me, line, rulings)
    parts = core(me, standing, line.close, rulings)
    more = [
        (c.range_difficulty, f"{c.band} range", "RD6-MOD-4"),
        (c.cover_difficulty, "cover", "RD6-MOD-12"),
        (me.stance, "defensive stance", "RD6-RPF-10"),
        (-me.exposed, "open after a tackle", "RD6-SPC-8"),
    ]
    if me.unconscious or me.dead:
        more = more[:2]
    parts += Parts(Modifier(amount, S, source, why) for amount, source, why in more if amount)
    sum_of = total(parts, S)
    if sum_of < 1:
        parts += (Modifier(1 - sum_of, S, "never below 1", "RD6-MOD-2"),)
    kind, result = (standing.kind, standing.result) if standing else ("", 0)
    bare = bool(standing) and kind == "block" and not standing.held  # type: ignore[union-attr]
    exempt = me.sheet.armour.value > 0 or me.sheet.body_safe or me.sheet.melee_parry
    parrying = weapon_named(me.sheet, standing.weapon) if standing and kind == "parry" else UNARMED
    return Guard(
        max(1, sum_of), kind, result, bare, exempt, parrying.damage if parrying.sharp else Code(0), c.wall, parts
    )


# ---- attack


@rule("RD6-MOD-3", "RD6-MOD-4", "RD6-MOD-5", "RD6-MOD-6", "RD6-MOD-7")
def band(metres: float, weapon: Weapon) -> str:
    """The range band of a distance in metres for a weapon; '' when it does not reach."""
    if metres <= tables.POINT_BLANK_M:
        return "Point Blank"
    if weapon.kind == "unarmed":
        return ""
    if weapon.kind == "melee" and not weapon.ranges:
        return "Short" if weapon.length > 2 and metres <= MELEE_SHORT_M else ""
    if weapon.kind == "melee":
        return "Short" if weapon.length > 2 and metres <= weapon.ranges[0] else ""
    for name, end in zip(("Short", "Medium", "Long"), weapon.ranges, strict=False):
        if metres <= end:
            return name
    return ""


MELEE_SHORT_M = 4
"""How far a long melee weapon without listed ranges reaches, in metres [RD6-MOD-7]."""


@rule("RD6-MOD-8", "RD6-MOD-9", "RD6-MOD-10", "RD6-MOD-11")
def environment(state: State) -> Parts:
    """Dice that light and smoke take from an attack: one row of each kind."""
    found = []
    if tables.SMOKE[state.smoke]:
        found.append(Modifier(tables.SMOKE[state.smoke], "D", f"{state.smoke} smoke or fog", "RD6-MOD-9"))
    if tables.LIGHT[state.light]:
        words = {"poor": "poor light", "moonlit": "moonlit night", "dark": "complete darkness"}[state.light]
        found.append(Modifier(tables.LIGHT[state.light], "D", words, "RD6-MOD-10"))
    return Parts(found)


@rule("RD6-MOD-12", "RD6-MOD-13")
def cover_difficulty(cover: Cover | None) -> int:
    """What personal cover adds to the Difficulty; full cover that protects adds nothing and is struck instead."""
    if cover is None or cover.broken or (cover.hides >= 100 and cover.toughness.dice):
        return 0
    return next((amount for least, amount in tables.COVER if cover.hides >= least), 0)


def cover_of(state: State, me: Fighter) -> Cover | None:
    """The object that this fighter hides behind, if it still stands; else the cover of the area it is in."""
    for cover in state.covers:
        if cover.name == me.behind and not cover.broken:
            return cover
    hides = state.space.at(me.at, "cover") if state.space.areas else 0
    return Cover("cover", hides) if hides else None


def metres(state: State, one: Fighter, other: Fighter) -> float:
    """Distance in metres: as stated for the pair, else from the grid of 2 m Spaces."""
    for a, b, stated in state.distances:
        if {a, b} == {one.id, other.id}:
            return stated
    return tables.METRES_PER_SPACE * max(abs(one.at[0] - other.at[0]), abs(one.at[1] - other.at[1]))


@rule("RD6-MOD-1", "RD6-MOD-3", "RD6-MOD-16", "RD6-MOD-17", "RD6-SCL-3", "RD6-SCL-4")
def circumstances(state: State, attacker: Fighter, target: Fighter, weapon: Weapon, part: str = "") -> Circumstances:
    """What the scene does to this attack. `part`: size of the spot that a called shot aims at."""
    far = metres(state, attacker, target)
    name = band(far, weapon)
    difficulty = tables.BANDS.get(name, 0)
    if weapon.kind != "ranged" and not state.rulings.range_point_blank_close_combat:
        difficulty = 0
    dark, cover = environment(state), cover_of(state, target)
    walled = cover is not None and cover.hides >= 100 and cover.toughness.dice > 0
    size = scale(attacker.sheet.size, part or target.sheet.size)
    aimed = 0
    if weapon.uses == "Ranged Weapons" and attacker.aim.target == target.id and attacker.aim.age == 1:
        aimed = min(3, attacker.aim.rounds)
    return Circumstances(
        far,
        name,
        difficulty,
        total(dark, "D"),
        cover_difficulty(cover),
        cover.toughness if walled and cover else Code(0),
        size,
        aimed,
        dark,
    )


@rule("RD6-DMG-1", "RD6-DMG-3", "RD6-SPC-2", "RD6-SPC-11")
def damage_made_of(damage: Code, weapon: Weapon, option: Option, larger: Modifier, vital: bool, lessen: int) -> Parts:
    """What the damage is made of before Result Points. `larger`: dice of a larger attacker."""
    rows = [
        Modifier(damage.dice, "D", weapon.name, "RD6-DMG-1"),
        Modifier(damage.pips, "", "pips", "RD6-DICE-1"),
        Modifier(option.damage, "D", option.name, option.rule),
        larger,
        Modifier(int(vital), "D", "vital spot", "RD6-SPC-2"),
        Modifier(-lessen, "D", "held back", "RD6-SPC-11"),
    ]
    return Parts(row for row in rows if row.amount)


@rule("RD6-SCL-3", "RD6-SPC-1", "RD6-SPC-19", "RD6-SUC-1")
def line(
    me: Fighter,
    weapon: Weapon,
    option: Option,
    c: Circumstances,
    prone_target: bool = False,
    part: str = "",
    vital: bool = False,
    points: int = 0,
    lessen: int = 0,
) -> Line:
    """What the attacker brings with this weapon and option under these circumstances."""
    size_rule = "RD6-SPC-1" if part else "RD6-SCL-3" if c.scale > 0 else "RD6-SCL-4"
    more = [
        Modifier(amount, unit, source, why)
        for amount, unit, source, why in (
            (option.dice, "D", option.name, option.rule),
            (-c.scale, "D", "called shot" if part else "scale", size_rule),
            (c.aim, "D", "aim", "RD6-MOD-16"),
        )
        if amount
    ]
    dice, parts = pool(me, weapon.uses, (*c.parts, *more))
    close = weapon.kind != "ranged"
    flat = [
        (option.plus, option.name, option.rule),
        (3 if prone_target and close else 0, "prone target", "RD6-SPC-19"),
        (me.ready, "battlefield awareness", "RD6-RPF-8"),
    ]
    parts += Parts(Modifier(amount, "", source, why) for amount, source, why in flat if amount)
    damage = weapon_damage(me.sheet, weapon)
    larger = Modifier(max(0, c.scale), "D", "called shot" if part else "scale", size_rule)
    damage_parts = damage_made_of(damage, weapon, option, larger, vital, lessen)
    return Line(
        dice,
        sum(row[0] for row in flat),
        Code(total(damage_parts, "D"), damage.pips),
        weapon.damage,
        close,
        unarmed=weapon.kind == "unarmed",
        sharp=weapon.sharp and close,
        melee=close,
        reloads=weapon.single_load,
        effect=option.effect,
        resisted=max(0, -c.scale),
        points=points,
        stymied=stymied(me),
        parts=parts,
        damage_parts=damage_parts,
    )
