"""Layer 2: pure procedures that see only a line, a guard or one fighter.

They ask by role and never read the scene. `resolve` turns an attack into an Outcome; `receive` lets the one who was hit
change alone. Everything about wounds is in damage.py, everything about conditions in conditions.py.
"""

from __future__ import annotations

from msgspec import Struct

from affray.ask import ATTACKER, TARGET, Ask, Role, Why
from affray.dice import Code
from affray.domains import OneOf
from affray.modifiers import NO_PARTS, Parts
from affray.rules import rule
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.numbers import Guard, Line
from affray.rulesets.rd6.successes import counted, totalled


class Blow(Struct, frozen=True):
    """What reaches somebody: damage (-1: none), dice of resistance from size, rolled cover, and what else a hit does.

    `keep`: Difficulty of keeping hold of the weapon (0: nobody pulls at it), which flies `flies` Spaces otherwise.
    """

    damage: int = -1
    resisted: int = 0
    cover: int = 0
    prone: bool = False
    keep: int = 0
    flies: int = 0


Then = tuple[str, int]
"""A follow-up that needs the scene: its name and a number."""


class Outcome(Struct, frozen=True):
    """What an attack comes to. `points`: Result Points; -1 on a miss."""

    successes: int
    points: int
    to_target: Blow | None = None
    to_self: Blow | None = None
    then: tuple[Then, ...] = ()


class Bought(Struct, frozen=True):
    """What Result Points were spent on. `dice` are regular, `flips` turn a regular die into a Wild Die."""

    dice: int = 0
    flips: int = 0
    wilds: int = 0
    prone: bool = False
    disarm: int = 0
    then: tuple[Then, ...] = ()


NOTHING = Bought()


@rule("RD6-SUC-1", "RD6-DICE-6")
def attack_roll(ask: Ask, line: Line) -> int:
    """Successes of the attack."""
    pool = counted(line.code, ask.rulings, line.plus, line.points, line.stymied)
    return ask.roll(pool, Why("attack", "RD6-SUC-1", "attack"), ATTACKER, line.parts)


@rule("RD6-SUC-2", "RD6-DICE-7")
def resolve(ask: Ask, line: Line, guard: Guard) -> Outcome:
    """One attack: the roll, hit or miss, what it does."""
    return strike(ask, line, guard, attack_roll(ask, line))


@rule("RD6-SUC-2", "RD6-SUC-3", "RD6-SUC-5", "RD6-DICE-8")
def strike(ask: Ask, line: Line, guard: Guard, successes: int) -> Outcome:
    """What so many successes do against this guard."""
    if successes < guard.need:
        return _missed(ask, line, guard, successes)
    points = successes - guard.need
    if line.effect == "prone":
        return Outcome(successes, points, Blow(prone=True))
    if line.effect == "disarm":
        return Outcome(successes, points, Blow(keep=tables.MODERATE + points))
    if line.effect in ("grab", "pin", "lift", "pinned"):
        return Outcome(successes, points, None, None, ((line.effect, points),))
    if line.effect == "flip":
        damage = ask.roll(totalled(Code(3), ask.rulings, stymied=line.stymied), FALL, ATTACKER)
        return Outcome(successes, points, Blow(damage, prone=True), None, (("flip", points),))
    bought = spend(ask, line, points) if ask.rulings.result_points_mode == "feats" else Bought(points)
    return _wounding(ask, line, guard, successes, points, bought)


FALL = Why("damage", "RD6-SPC-10", "damage from the ground")
DAMAGE = Why("damage", "RD6-DMG-1", "damage")


@rule("RD6-DMG-1", "RD6-DMG-2", "RD6-DMG-3", "RD6-RPF-2", "RD6-RPF-3", "RD6-RPF-4", "RD6-SUC-4")
def damage_roll(ask: Ask, code: Code, bought: Bought = NOTHING, stymied: bool = False, parts: Parts = NO_PARTS) -> int:
    """The damage total: bonus dice are regular, flipped and bought Wild Dice explode, at least 1D."""
    dice = max(1, code.dice + bought.dice + bought.wilds)
    wilds = min(dice, 1 + bought.flips + bought.wilds)
    pool = totalled(Code(dice, code.pips), ask.rulings, stymied=stymied, wilds=wilds)
    return ask.roll(pool, DAMAGE, ATTACKER, parts)


@rule("RD6-MOD-13", "RD6-MOD-14", "RD6-SPC-11")
def _wounding(ask: Ask, line: Line, guard: Guard, successes: int, points: int, bought: Bought) -> Outcome:
    damage = damage_roll(ask, line.damage, bought, line.stymied, line.damage_parts)
    then = bought.then + ((("hold", points),) if line.effect == "hold" else ())
    keep = tables.MODERATE + bought.disarm - tables.FEATS["disarm"] if bought.disarm else 0
    blow = Blow(damage, line.resisted, 0, bought.prone, keep, bought.disarm)
    if not guard.wall.dice:
        return Outcome(successes, points, blow, None, then)
    armour = ask.roll(totalled(guard.wall, ask.rulings), Why("cover", "RD6-MOD-13", "cover"), TARGET)
    then = (*then, ("wall", damage - armour))
    if ask.rulings.cover_full_resolution == "destroy_first":
        return Outcome(successes, points, None, None, then)
    if ask.rulings.cover_full_resolution == "armour_added_to_resistance":
        return Outcome(successes, points, Blow(damage, line.resisted, armour), None, then)
    excess = Blow(damage - armour, line.resisted) if damage > armour else None
    return Outcome(successes, points, excess, None, then)


@rule("RD6-DEF-12", "RD6-DEF-13", "RD6-DEF-14")
def _missed(ask: Ask, line: Line, guard: Guard, successes: int) -> Outcome:
    """A miss. Met by a blade it may hurt the unarmed attacker, met by the body it may hurt the defender."""
    stopped = guard.result >= 1
    if stopped and line.unarmed and guard.defence == "parry" and guard.blade.value:
        why = Why("damage", "RD6-DEF-12", "damage of the parrying blade")
        return Outcome(successes, -1, None, Blow(ask.roll(totalled(guard.blade, ask.rulings), why, TARGET)))
    if stopped and line.sharp and guard.body and not guard.exempt:
        why = Why("damage", "RD6-DEF-13", "damage of the blade stopped with the body")
        pool = totalled(line.listed, ask.rulings, stymied=line.stymied)
        return Outcome(successes, -1, Blow(ask.roll(pool, why, ATTACKER)))
    return Outcome(successes, -1)


@rule("RD6-RPF-1", "RD6-RPF-5", "RD6-RPF-6", "RD6-RPF-11")
def spend(ask: Ask, line: Line, points: int) -> Bought:
    """Feats, one at a time, until the attacker stops; what is left over becomes dice."""
    counts = dict.fromkeys(tables.FEATS, 0)
    while points:
        options = tuple(feat for feat in tables.FEATS if _offered(feat, line, counts, points))
        feat = ask.choose(
            OneOf(("done", *options)), Why("feat", "RD6-RPF-1", "Result Points left"), ATTACKER, "done", (points, options)
        )
        if feat == "done":
            break
        points -= _price(feat, counts)
        counts[feat] += 1
    follow = ("party_pool", "knockback", "rapid_reload", "battlefield_awareness", "defensive_stance", "taunt", "intimidate")
    return Bought(
        points + counts["add_die"],
        counts["wild_die_flip"],
        counts["add_wild_die"],
        counts["knock_down"] > 0,
        counts["disarm"] + 1 if counts["disarm"] else 0,
        tuple((feat, counts[feat]) for feat in follow if counts[feat]),
    )


FEAT_RULES = {
    "add_die": "RD6-RPF-2", "wild_die_flip": "RD6-RPF-3", "add_wild_die": "RD6-RPF-4", "party_pool": "RD6-RPF-5",
    "knockback": "RD6-RPF-6", "rapid_reload": "RD6-RPF-7", "battlefield_awareness": "RD6-RPF-8", "knock_down": "RD6-RPF-9",
    "defensive_stance": "RD6-RPF-10", "disarm": "RD6-RPF-11", "taunt": "RD6-RPF-12", "intimidate": "RD6-RPF-13",
}  # fmt: skip


def explains(rulings: object, key: str, value: object) -> tuple[str, str]:
    """The rule of a feat, and its price in Result Points."""
    if key != "feat" or value not in FEAT_RULES:
        return "", ""
    price, more = tables.FEATS[str(value)], value in tables.OPEN_FEATS
    return FEAT_RULES[str(value)], f"{price} point{'s' if price > 1 else ''}{' or more' if more else ''}"


def _price(feat: str, counts: dict[str, int]) -> int:
    """A feat that takes any number of points costs 1 for each further point."""
    return 1 if feat in tables.OPEN_FEATS and counts[feat] else tables.FEATS[feat]


def _offered(feat: str, line: Line, counts: dict[str, int], points: int) -> bool:
    if _price(feat, counts) > points:
        return False
    if feat == "wild_die_flip":
        return counts[feat] < line.damage.dice - 1 + counts["add_die"]
    if feat == "rapid_reload":
        return line.reloads and not counts[feat]
    if feat == "disarm":
        return line.melee
    if feat in ("taunt", "intimidate"):
        return line.enemies_near and not counts[feat]
    return feat in ("add_die", "add_wild_die", *tables.OPEN_FEATS) or not counts[feat]


@rule("RD6-DICE-7", "RD6-DICE-8")
def test(
    ask: Ask,
    code: Code,
    why: Why,
    by: Role,
    plus: int = 0,
    points: int = 0,
    stymied: bool = False,
    parts: Parts = NO_PARTS,
) -> int:
    """Successes of any test."""
    return ask.roll(counted(code, ask.rulings, plus, points, stymied), why, by, parts)
