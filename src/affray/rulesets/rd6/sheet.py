"""What a character brings to the fight (Sheet), how it stands in it (Fighter), and the scene (State).

Values only, all of them immutable. Numbers that follow from them are worked out in numbers.py.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from msgspec import Struct

from affray.dice import Code
from affray.rules import rule
from affray.rulesets.rd6.rulings import Rulings
from affray.space import Space

SKILLS: dict[str, str] = {
    "Acrobatics": "Agility",
    "Dodge": "Agility",
    "Ranged Weapons": "Agility",
    "Throwing": "Agility",
    "Athletics": "Strength",
    "Fighting": "Strength",
    "Melee Weapons": "Strength",
    "Fortitude": "Stamina",
    "Medicine": "Perception",
    "Search": "Perception",
    "Persuasion": "Presence",
    "Resolve": "Willpower",
}
"""The skills that the rules name, each with its attribute."""
ATTRIBUTES = ("Agility", "Strength", "Stamina", "Perception", "Presence", "Willpower")
PHYSICAL = ("Agility", "Strength", "Stamina")
"""Attributes whose tests are physical [RD6-WND-5]."""
AVERAGE = Code(2)
"""An attribute that a sheet leaves out."""

WeaponKind = Literal["ranged", "melee", "unarmed"]
Mode = Literal["single", "semi", "burst", "auto"]


class Weapon(Struct, frozen=True):
    """Something to attack with. `strength`: the listed dice are added to Strength Damage. Lengths and ranges in metres."""

    name: str
    kind: WeaponKind
    damage: Code = Code(0)
    strength: bool = False
    ranges: tuple[int, ...] = ()
    length: float = 1.0
    hands: int = 1
    min_strength: Code = Code(0)
    sharp: bool = False
    modes: tuple[Mode, ...] = ("single",)
    clip: int = 0
    single_load: bool = False
    skill: str = ""

    @property
    def uses(self) -> str:
        """The skill that attacks with it."""
        return self.skill or {"ranged": "Ranged Weapons", "melee": "Melee Weapons", "unarmed": "Fighting"}[self.kind]


UNARMED = Weapon("unarmed", "unarmed", Code(0), strength=True, length=0.0)
"""Fists and feet [RD6-DMG-7]."""


class Skill(Struct, frozen=True):
    """A skill or specialisation ('Athletics: Lift') of a sheet: its code and ranks, -1 where it does not say."""

    name: str
    code: Code | None = None
    ranks: int = -1


class Sheet(Struct, frozen=True, cache_hash=True):
    """A character as written down. `toughness` -1: from Strength [RD6-WND-3]. `hero`: player character or boss."""

    hero: bool = False
    attributes: tuple[tuple[str, Code], ...] = ()
    skills: tuple[Skill, ...] = ()
    weapons: tuple[Weapon, ...] = ()
    armour: Code = Code(0)
    toughness: int = -1
    size: str = "medium"
    move: int = 5
    melee_parry: bool = False
    body_safe: bool = False
    strength_special: int = 0
    policy: str = ""


class Standing(Struct, frozen=True):
    """A defence roll in force. `turns`: it ends when that many more turns of its owner have begun."""

    kind: Literal["dodge", "block", "parry", "resolve"]
    mode: Literal["active", "partial", "full"]
    result: int
    turns: int = 1
    weapon: str = ""
    held: bool = False


class Condition(Struct, frozen=True):
    """An effect of an interaction. `turns`: it ends when that many more turns of its owner have ended."""

    kind: Literal["stymied", "untrained"]
    turns: int = 1


class Aim(Struct, frozen=True):
    """Rounds of aiming in a row at one target; `age` rounds have begun since the last of them."""

    target: str = ""
    rounds: int = 0
    age: int = 0


class Fighter(Struct, frozen=True):
    """A combatant in the fight. All that changes is here; the sheet never does. Those of one `group` roll together.

    Clocks are counters, so that two fighters in one condition are equal. `dying` and `out_rounds`: rounds in which somebody
    was mortally wounded (unconscious by a failed roll), this one included; 0: not so. `owed`: actions of this
    round given up before the turn. `turtled`: the last thing done was a full defence. `rested`: minutes of rest since the
    last test of healing.
    """

    id: str
    name: str
    side: str
    sheet: Sheet
    group: str = ""
    at: tuple[int, int] = (0, 0)
    wounds: int = 0
    stunned: bool = False
    fatigued: int = 0
    unconscious: bool = False
    dead: bool = False
    left: bool = False
    out_minutes: int = 0
    out_rounds: int = 0
    dying: int = 0
    prone: bool = False
    initiative: int = 0
    declared: int = 0
    used: int = 0
    exclusive: bool = False
    begun: bool = False
    done: bool = False
    moved: int = 0
    lost_turns: int = 0
    sat_out: bool = False
    turtled: bool = False
    standing: tuple[Standing, ...] = ()
    aim: Aim = Aim()
    conditions: tuple[Condition, ...] = ()
    ready: int = 0
    stance: int = 0
    exposed: int = 0
    held_by: str = ""
    holding: str = ""
    grip: Literal["", "grab", "hold", "pin", "lift"] = ""
    grip_fresh: bool = False
    grip_on_arm: bool = False
    pinned: bool = False
    rising: bool = False
    owed: int = 0
    weapon: str = ""
    loaded: tuple[tuple[str, int], ...] = ()
    unready: tuple[str, ...] = ()
    lost: tuple[tuple[str, int], ...] = ()
    character_points: int = 0
    fate_points: int = 0
    reduction: int = 0
    treated: bool = False
    behind: str = ""
    hidden: bool = False
    rested: int = 0


class Cover(Struct, frozen=True):
    """An object to hide behind or to break. `hides` in per cent; `toughness` of 0D protects from nothing.

    `at` None: somewhere within reach, or in a fight without a map.
    """

    name: str
    hides: int = 0
    toughness: Code = Code(0)
    at: tuple[int, int] | None = None
    broken: bool = False


class State(Struct, frozen=True):
    """The whole fight. `round` 0: before the first round; `turn`: whose turn it is, '' between turns.

    `distances` in metres between two ids, where the fight is played without a map. `party_pool`: Character Points by side.
    """

    fighters: tuple[Fighter, ...]
    rulings: Rulings = Rulings()
    round: int = 0
    turn: str = ""
    light: Literal["good", "poor", "moonlit", "dark"] = "good"
    smoke: Literal["none", "light", "thick", "very thick"] = "none"
    covers: tuple[Cover, ...] = ()
    space: Space = Space()
    distances: tuple[tuple[str, str, float], ...] = ()
    party_pool: tuple[tuple[str, int], ...] = ()
    opened_by: str = ""
    after: bool = False
    """The fight is over and time has passed since; whoever wakes starts no round."""


def attribute(sheet: Sheet, name: str) -> Code:
    """The code of an attribute; `AVERAGE` when the sheet leaves it out."""
    for known, code in sheet.attributes:
        if known == name:
            return code
    return AVERAGE


def attribute_of(skill: str) -> str:
    """The attribute under a skill, a specialisation ('Athletics: Lift') or an attribute itself."""
    return SKILLS.get(skill.partition(":")[0], skill)


def _written(sheet: Sheet, skill: str) -> Skill | None:
    return next((entry for entry in sheet.skills if entry.name == skill), None)


@cache
@rule("RD6-DICE-9")
def code(sheet: Sheet, skill: str) -> Code:
    """The dice of a skill: its own code, else the attribute and 1D a rank; a specialisation falls back on its skill."""
    entry = _written(sheet, skill)
    under = attribute(sheet, attribute_of(skill))
    if entry and entry.code is not None:
        return entry.code
    if entry and entry.ranks >= 0:
        return under.plus(entry.ranks)
    broad = skill.partition(":")[0]
    return code(sheet, broad) if broad != skill else under


@cache
@rule("RD6-DICE-9")
def ranks(sheet: Sheet, skill: str) -> int:
    """Ranks of a skill; where only a code is written, its whole dice beyond the attribute."""
    entry = _written(sheet, skill)
    if entry is None:
        return 0
    if entry.ranks >= 0:
        return entry.ranks
    return max(0, code(sheet, skill).dice - attribute(sheet, attribute_of(skill)).dice)


def trained(sheet: Sheet, skill: str) -> bool:
    """Whether the sheet lists this very skill or specialisation."""
    return _written(sheet, skill) is not None


def weapon_named(sheet: Sheet, name: str) -> Weapon:
    """The weapon of that name, or bare hands."""
    return next((weapon for weapon in sheet.weapons if weapon.name == name), UNARMED)
