"""Layer one: numbers from values, each with what it is made of. No dice, no questions.

`circumstances` is the only function here that reads the scene. From it and one fighter come `line` (what an attacker
brings) and `guard` (what a target offers). All modifiers are added to two dice; 8 is always the number to reach.
"""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from affray.modifiers import NO_PARTS, Modifier, Parts, total
from affray.recent import remembered
from affray.rules import rule
from affray.rulesets.cepheus import tables
from affray.rulesets.cepheus.rulings import Rulings
from affray.rulesets.cepheus.sheet import Fighter, Held, Pair, State, Weapon

UNSKILLED = -3
MELEE_ROWS = ("close_quarters", "extended_reach")
Raw = tuple[int, str, str]
"""Amount, source, rule."""


def parts_of(raw: list[Raw]) -> Parts:
    """Modifiers of what amounts to something."""
    return Parts([Modifier(amount, "", source, rule_id) for amount, source, rule_id in raw if amount])


@rule("CEP-CHK-5")
def score_dm(score: int, rulings: Rulings) -> int:
    """The modifier of a score."""
    if score <= 0:
        return int(rulings.check_zero_score_dm)
    return min(score // 3 - 2, 9)


@rule("CEP-CHK-16")
def lowered_dm(score: int, maximum: int, rulings: Rulings) -> int:
    """The modifier of a score that may be damaged, by the ruling on how damage counts."""
    if rulings.wound_dm_model == "per_point" and score < maximum:
        return score_dm(maximum, rulings) - (maximum - score)
    return score_dm(score, rulings)


def bonus(me: Fighter, name: str) -> int:
    """CEP-ARM-7: what worn armour adds to Strength or Dexterity."""
    if name == "strength":
        return sum(layer.str_bonus for layer in me.sheet.armour)
    return sum(layer.dex_bonus for layer in me.sheet.armour) if name == "dexterity" else 0


@rule("CEP-CHK-15", "CEP-ARM-7", "CEP-GER-16")
def score(me: Fighter, name: str) -> int:
    """The current score for every use but taking damage: battle dress adds, an aquatic creature on land has half Dexterity."""
    value: int = getattr(me, name) + bonus(me, name)
    return value // 2 if name == "dexterity" and "aquatic" in me.sheet.traits else value


@rule("CEP-CHK-15", "CEP-CHK-16")
def characteristic(me: Fighter, name: str, rulings: Rulings) -> int:
    """The modifier of a current characteristic."""
    maximum = getattr(me.sheet, name) + bonus(me, name)
    return lowered_dm(score(me, name), maximum, rulings)


@rule("CEP-CHK-7")
def unskilled(me: Fighter) -> int:
    """The modifier without the skill: each level of Jack-of-All-Trades takes a point off it."""
    return UNSKILLED + min(-UNSKILLED, me.sheet.level("Jack-of-All-Trades") or 0)


def level(me: Fighter, skill: str) -> int | None:
    """The level of a skill, with Natural Weapons-0 for those who grew theirs."""
    found = me.sheet.level(skill)
    if found is None and skill == "Natural Weapons" and "natural weapon" in me.sheet.traits:
        return 0
    return found


@rule("CEP-CHK-6", "CEP-ZRG-1", "CEP-ZRG-2", "CEP-BLD-1")
def combat_level(me: Fighter, skill: str, zero_g: bool, blind: bool = False) -> int | None:
    """The level that counts in a fight; None: unskilled. Blind fire is at level 0, weightless nobody exceeds his Zero-G."""
    known = 0 if blind else level(me, skill)
    if not zero_g:
        return known
    weightless = me.sheet.level("Zero-G")
    return None if known is None or weightless is None else min(known, weightless)


def skill_raw(me: Fighter, skill: str, counted: int | None) -> Raw:
    """The skill as one part of a check."""
    if counted is None:
        return unskilled(me), f"no {skill}", "CEP-CHK-6"
    return counted, skill, "CEP-CHK-1"


@rule("CEP-ARM-6")
def untrained_armour(me: Fighter) -> int:
    """The penalty for wearing armour without the skill that it wants."""
    wants = [layer.skill for layer in me.sheet.armour if layer.skill]
    return unskilled(me) if any(me.sheet.level(skill) is None for skill in wants) else 0


@rule("CEP-GER-15")
def load(me: Fighter) -> tuple[int, float]:
    """Modifier on physical checks, and the share of a movement that is left, by the load carried (0: not counted)."""
    kg, strength = me.sheet.load, score(me, "strength")
    if kg <= 2 * strength:
        return 0, 1.0
    if kg <= 4 * strength:
        return -1, 0.75
    return (-2, 0.75) if kg <= 6 * strength else (-2, 0.0)


@rule("CEP-MOD-6", "CEP-FAT-1", "CEP-RND-7", "CEP-SUP-4", "CEP-REA-1")
def own_penalties(me: Fighter, physical: bool) -> list[Raw]:
    """What lowers each of one's own skill checks: fatigue, haste, reactions, suppression, armour, load."""
    raw: list[Raw] = [
        (-2 if me.fatigued else 0, "fatigue", "CEP-FAT-1"),
        (-1 if me.hasted else 0, "haste", "CEP-RND-6"),
    ]
    for source, rule_id in (("reactions", "CEP-REA-1"), ("suppressed", "CEP-SUP-4")):
        raw.append((sum(toll.amount for toll in me.tolls if toll.rule == rule_id), source, rule_id))
    if physical:
        raw.append((untrained_armour(me), "armour without its skill", "CEP-ARM-6"))
        raw.append((load(me)[0], "load", "CEP-GER-15"))
    return raw


@rule("CEP-CHK-1", "CEP-CHK-2", "CEP-CHK-8", "CEP-CHK-10", "CEP-CHK-11")
def check(
    me: Fighter,
    rulings: Rulings,
    skill: str = "",
    by: str = "",
    difficulty: int = 0,
    dm: int = 0,
    things: int = 1,
    zero_g: bool = False,
    action: bool = True,
) -> Parts:
    """All modifiers of a check: on `skill` with the characteristic `by` ('' none), or without a skill on `by` alone.

    `action`: false for what the body does by itself (waking, resisting a stun), which haste does not touch.
    """
    raw: list[Raw] = []
    if skill:
        raw.append(skill_raw(me, skill, combat_level(me, skill, zero_g)))
    if by:
        raw.append((characteristic(me, by, rulings), by.capitalize(), "CEP-CHK-5"))
    raw.append((difficulty, "difficulty", "CEP-CHK-2"))
    if skill:
        raw += own_penalties(me, by in ("strength", "dexterity", "endurance"))
        raw.append((-2 * (things - 1), "several things at once", "CEP-CHK-11"))
    else:
        raw.append((-2 if me.fatigued else 0, "fatigue", "CEP-FAT-1"))
        raw.append((-1 if me.hasted and action else 0, "haste", "CEP-RND-7"))
        raw.append((load(me)[0] if action and by in ("strength", "dexterity", "endurance") else 0, "load", "CEP-GER-15"))
    raw.append((dm, "circumstances", "CEP-CHK-10"))
    return parts_of(raw)


# ---- pairs and circumstances

FEW_PAIRS = 60
"""So many pairs are looked through; more are looked up, since the scene asks for each pair many times."""


def pair(state: State, a: str, b: str) -> Pair:
    """What lies between two combatants; a pair that was never set is at the nominal distance of Medium."""
    if len(state.pairs) > FEW_PAIRS:
        return _pairs(state.pairs).get((a, b)) or Pair(a, b)
    for found in state.pairs:
        if (found.a == a and found.b == b) or (found.a == b and found.b == a):
            return found
    return Pair(a, b)


@remembered(4)
def _pairs(pairs: tuple[Pair, ...]) -> dict[tuple[str, str], Pair]:
    """Pairs by who they are, both ways; the first counts."""
    return {who: one for one in reversed(pairs) for who in ((one.a, one.b), (one.b, one.a))}


@rule("CEP-RNG-2", "CEP-RNG-3")
def metres(state: State, a: str, b: str) -> float:
    """Metres between two combatants in the model of space that is played."""
    if a == b:
        return 0.0
    model = state.rulings.space_model
    if model in ("pair", "bands"):
        return pair(state, a, b).metres
    (x, y), (u, v) = state[a].at, state[b].at
    return float(abs(x - u)) if model == "line" else max(abs(x - u), abs(y - v)) * tables.SQUARE


@rule("CEP-RNG-1", "CEP-RNG-2", "CEP-RNG-6")
def band(state: State, a: str, b: str) -> int:
    """Index of the band between two combatants, the same both ways."""
    if state.rulings.space_model == "grid" and a != b:
        (x, y), (u, v) = state[a].at, state[b].at
        return tables.band_of_squares(max(abs(x - u), abs(y - v)))
    return tables.band_of_metres(metres(state, a, b))


class Circumstances(Struct, frozen=True):
    """What the scene adds to one attack: the band, and the modifiers of light, smoke and weather after sensors."""

    band: int
    light: int = 0
    smoke: int = 0
    weather: int = 0
    mist: bool = False
    zero_g: bool = False
    into_combat: bool = False
    extreme: bool = False
    blind: bool = False
    through_cover: bool = False


@rule("CEP-SEN-1")
def sees(me: Fighter, target: Fighter) -> tuple[bool, bool]:
    """Whether this one's sensors cancel (darkness, and everything that infra-red sees through) against that target."""
    warm = "infra_red" in me.sheet.sensors and not target.sheet.cold
    return warm or bool({"light_intensification", "laser_targeting"} & set(me.sheet.sensors)), warm


@rule("CEP-FIC-1")
def in_combat(state: State, shooter: str, target: str) -> bool:
    """Whether the target is at Personal range to another conscious combatant."""
    return any(f.id not in (shooter, target) and f.status == "up" and band(state, target, f.id) == 0 for f in state.fighters)


@rule("CEP-ENV-1", "CEP-ENV-2", "CEP-ENV-3", "CEP-GER-3", "CEP-MOD-2", "CEP-BLD-4")
def circumstances(state: State, by: str, at: str) -> Circumstances:
    """What the scene adds to an attack of `by` on `at`. Smoke of the place and of a grenade is one source: the thicker counts."""
    me, target = state[by], state[at]
    light, warm = sees(me, target)
    clouds = [cloud.kind for cloud in state.clouds if by in cloud.inside or at in cloud.inside]
    smoke = min(tables.SMOKE[state.smoke], -2 if "smoke" in clouds else 0)
    between = pair(state, by, at)
    return Circumstances(
        band(state, by, at),
        0 if light else tables.LIGHT[state.light],
        0 if warm else smoke,
        0 if not state.storm else -1 if light else -2,
        "aerosol" in clouds,
        state.zero_g,
        in_combat(state, by, at),
        between.extreme,
        between.unseen and not warm,
        warm,
    )


# ---- attack and target


class Attack(Struct, frozen=True):
    """One attack as it was declared. `manner`: '' or 'suppress' or 'panic'; `fire`: '' or 'spray' or 'grouped'."""

    weapon: Weapon
    row: str
    rounds: int = 1
    fire: str = ""
    manner: str = ""
    by: str = "dexterity"
    aim: int = 0
    kill: int = 0
    dm: int = 0
    things: int = 1
    jarred: bool = False
    place: bool = False

    @property
    def melee(self) -> bool:
        return self.row in MELEE_ROWS

    @property
    def thrown(self) -> bool:
        return self.row == "thrown"


class Line(Struct, frozen=True):
    """What the attacker brings: his modifiers, the dice thrown to hit (3: the highest is dropped), damage dice and points."""

    dm: int
    pool: int = 2
    dice: int = 0
    factor: int = 1
    burst: int = 0
    plus: int = 0
    laser: bool = False
    mist: bool = False
    halved: bool = False
    manner: str = ""
    payload: bool = False
    tolerance: int = -1
    jarred: bool = False
    parts: Parts = NO_PARTS


class Guard(Struct, frozen=True):
    """What the target offers: modifiers on the attacker's roll (usually negative)."""

    dm: int = 0
    parts: Parts = NO_PARTS


@cache
@rule("CEP-GER-1")
def dice_of(text: str) -> int:
    """Dice of a damage code such as 3D6; '' is none."""
    return int(text.upper().split("D")[0]) if text else 0


@rule("CEP-ATK-9", "CEP-ATK-4")
def skill_of(me: Fighter, attack: Attack) -> str:
    """The skill that the attack uses: the best one of those that fit the weapon, Athletics for throws."""
    if attack.thrown:
        return attack.weapon.thrown_skill
    known = [(level(me, skill), skill) for skill in attack.weapon.skills]
    return max(known, key=lambda pair: -99 if pair[0] is None else pair[0])[1]


@rule("CEP-ATK-2", "CEP-ATK-3")
def characteristic_of(me: Fighter, attack: Attack, rulings: Rulings) -> str:
    """Dexterity; for blows the better of Strength and Dexterity unless the attacker chose (Strength on a tie)."""
    if not attack.melee:
        return "dexterity"
    if attack.by:
        return attack.by
    better = characteristic(me, "dexterity", rulings) > characteristic(me, "strength", rulings)
    return "dexterity" if better else "strength"


@rule("CEP-GER-8", "CEP-GER-9")
def weakness(me: Fighter, weapon: Weapon) -> int:
    """-1 for each point of Strength that a heavy weapon misses."""
    return min(0, score(me, "strength") - weapon.min_str) if weapon.min_str else 0


@rule("CEP-MOD-3")
def sights(attack: Attack) -> int:
    """+1 for each sight on a weapon that was aimed (not: aimed for the kill)."""
    return (attack.weapon.laser_sight + attack.weapon.telescopic_sight) if attack.aim else 0


@rule("CEP-ENV-4", "CEP-ZRG-3")
def _scene_raw(attack: Attack, c: Circumstances) -> list[Raw]:
    """CEP-ENV-4: light, smoke and weather are for ranged attacks."""
    if attack.melee:
        return []
    smoke = c.smoke * (2 if attack.weapon.laser else 1)
    recoil = -1 if attack.weapon.gyrostabilizer else -2
    return [
        (c.light, "darkness", "CEP-ENV-1"),
        (smoke, "smoke", "CEP-ENV-2"),
        (c.weather, "weather", "CEP-ENV-3"),
        (
            recoil if c.zero_g and attack.weapon.recoil and not attack.thrown else 0,
            "recoil in zero gravity",
            "CEP-ZRG-3",
        ),
        (-2 if c.into_combat else 0, "firing into combat", "CEP-FIC-1"),
        (-2 if c.extreme else 0, "extreme range", "CEP-XRF-1"),
    ]


def spread(attack: Attack, c: Circumstances) -> bool:
    """CEP-SHO-2: flechettes at Medium or Long."""
    return attack.weapon.flechette and c.band in (3, 4)


@rule("CEP-XRF-4", "CEP-MOD-1", "CEP-MOD-2", "CEP-ATK-5", "CEP-BUR-2", "CEP-PAN-1", "CEP-SUP-1", "CEP-SHO-2", "CEP-ACT-3")
def line(me: Fighter, attack: Attack, c: Circumstances, rulings: Rulings) -> Line:
    """What `me` brings to this attack. The attack must exist at this band."""
    weapon = attack.weapon
    skill = skill_of(me, attack)
    by = characteristic_of(me, attack, rulings)
    spray, points, dice = tables.burst(attack.rounds, rulings.burst_row_2)
    grouped = attack.fire == "grouped" or attack.manner == "panic"
    raw: list[Raw] = [
        skill_raw(me, skill, combat_level(me, skill, c.zero_g, c.blind)),
        (characteristic(me, by, rulings), by.capitalize(), "CEP-CHK-5"),
        (tables.difficulty(attack.row, 6 if c.extreme else c.band) or 0, f"{tables.BANDS[c.band]} range", "CEP-ATK-5"),
        *own_penalties(me, physical=True),
        (attack.aim, "aim", "CEP-ACT-3"),
        (sights(attack), "sights", "CEP-MOD-3"),
        (spray if attack.fire == "spray" else 0, "spray", "CEP-BUR-2"),
        *_scene_raw(attack, c),
        (-2 if attack.manner == "panic" else 0, "panic fire", "CEP-PAN-1"),
        (-2 if attack.manner == "suppress" else 0, "suppression fire", "CEP-SUP-1"),
        (1 if spread(attack, c) else 0, "flechettes", "CEP-SHO-2"),
        (weakness(me, weapon), "too little Strength", "CEP-GER-9" if weapon.radiates else "CEP-GER-8"),
        (-2 * (attack.things - 1), "several things at once", "CEP-CHK-11"),
        (attack.dm, "circumstances", "CEP-CHK-10"),
    ]
    parts = parts_of(raw)
    claws = (
        1 if attack.row == "close_quarters" and "natural weapon" in me.sheet.traits and "Natural Weapons" in weapon.skills else 0
    )
    return Line(
        dm=total(parts),
        pool=3 if c.blind and not attack.melee else 2,
        dice=2 if spread(attack, c) else dice_of(weapon.damage),
        burst=dice if grouped else 0,
        plus=(points if grouped else 0) + attack.kill + claws,
        laser=weapon.laser,
        mist=weapon.laser and c.mist,
        halved=c.extreme and (weapon.laser or weapon.energy),
        manner=attack.manner,
        payload=bool(weapon.payload),
        tolerance=weapon.tolerance,
        jarred=attack.jarred,
        parts=parts,
    )


@rule("CEP-COV-1", "CEP-COV-2", "CEP-STN-2")
def cover_quarters(me: Fighter, through: bool = False, built: bool = False) -> int:
    """The cover that counts, in quarters: a step better when low (not for a place, `built`); none when seen through."""
    if not me.cover or (me.soft_cover and through):
        return 0
    low = me.stance != "standing" and not built
    return min(4, me.cover + low)


@rule("CEP-COV-3")
def untouchable(me: Fighter) -> bool:
    """In full cover and low: cannot be hit, cannot shoot."""
    return me.cover == 4 and me.stance != "standing"


@rule("CEP-STN-3")
def stance_dm(me: Fighter, attack: Attack, c: Circumstances, rulings: Rulings) -> int:
    """The modifier against somebody prone, by range."""
    if me.stance != "prone":
        return 0
    if c.band == 0:
        return 2
    if c.band == 1 or attack.melee:
        return 0
    return int(rulings.prone_short) if c.band == 2 else -2


@rule("CEP-REA-5")
def dodge_dm(me: Fighter) -> int:
    """-1, or -2 behind any cover or with something to duck behind."""
    return -2 if me.cover or me.obstruction else -1


def ready_weapons(me: Fighter) -> list[tuple[Weapon, Held]]:
    """The weapons in hand."""
    return [(w, h) for w, h in zip(me.sheet.weapons, me.held, strict=False) if h.ready]


@rule("CEP-REA-6", "CEP-ZRG-2")
def parry_dm(me: Fighter, zero_g: bool, rulings: Rulings) -> int:
    """Minus the level in the skill of the best blade or club in hand, else of Natural Weapons."""
    in_hand = [weapon for weapon, _ in ready_weapons(me) if set(weapon.rows) & set(MELEE_ROWS)]
    skills = [skill for weapon in in_hand for skill in weapon.skills] or ["Natural Weapons"]
    best = max((UNSKILLED if (n := combat_level(me, s, zero_g)) is None else n) for s in skills)
    return -best if rulings.parry_minimum == "literal" else -max(0, best)


@rule("CEP-MOD-5")
def movement_dm(me: Fighter) -> int:
    """-1 for each full ten metres moved in the latest turn."""
    return -int(me.moved // 10)


@rule("CEP-MOD-1", "CEP-THR-3", "CEP-SUP-1", "CEP-BLD-2")
def guard(me: Fighter, attack: Attack, c: Circumstances, rulings: Rulings, reaction: str = "none") -> Guard:
    """What the target offers against this attack: cover, stance, movement, size, and the reaction taken."""
    if attack.manner == "suppress" or (c.blind and rulings.blind_target_dms == "none"):
        return Guard()
    sheltered = not attack.melee or rulings.cover_melee == "applies"
    cover = tables.COVER[cover_quarters(me, c.through_cover, attack.place)] if sheltered else 0
    if attack.place:
        raw: list[Raw] = [(cover, "cover of the place", "CEP-COV-1")]
    else:
        answered = {"dodge": dodge_dm(me), "parry": parry_dm(me, c.zero_g, rulings)}.get(reaction, 0)
        raw = [
            (cover, "cover", "CEP-COV-1"),
            (stance_dm(me, attack, c, rulings), "prone", "CEP-STN-3"),
            (movement_dm(me), "moving target", "CEP-MOD-5"),
            (1 if "huge" in me.sheet.traits else 0, "huge target", "CEP-GER-16"),
            (answered, reaction, "CEP-REA-6" if reaction == "parry" else "CEP-REA-5"),
        ]
    parts = parts_of(raw)
    return Guard(total(parts), parts)


@rule("CEP-RND-8", "CEP-COM-2", "CEP-GER-13")
def initiative(me: Fighter) -> int:
    """Initiative with every help in force: base, Tactics, changes of this round, drugs that work."""
    drugs = sum(tables.DRUGS[dose.drug][0] for dose in me.doses if dose.onset <= 0 < dose.left)
    now = sum(shift.amount for shift in me.shifts if not shift.in_rounds)
    return me.base + me.tactics + me.led + now + drugs


def initiative_parts(me: Fighter) -> Parts:
    """What the Initiative of this round is made of."""
    raw: list[Raw] = [
        (me.base, "starting score", "CEP-INI-4"),
        (me.tactics, "Tactics", "CEP-LDR-1"),
        (me.led, "Leadership", "CEP-LDR-3"),
    ]
    raw += [(shift.amount, WORDS.get(shift.rule, "change"), shift.rule) for shift in me.shifts if not shift.in_rounds]
    raw += [(tables.DRUGS[d.drug][0], d.drug.replace("_", " "), "CEP-GER-13") for d in me.doses if d.onset <= 0 < d.left]
    return parts_of(raw)


WORDS = {"CEP-REA-1": "reaction", "CEP-RND-6": "haste", "CEP-SUP-3": "suppression", "CEP-LDR-2": "Leadership"}
