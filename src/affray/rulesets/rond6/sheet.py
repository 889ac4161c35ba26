"""Who fights: the unchanging sheet, the changing fighter, and the state of a fight.

Facts only; what they mean for a roll is in `numbers`. Codes of skills are full totals (RON-DICE-11).
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from affray.dice import Code
from affray.rulesets.rond6.rulings import Rulings
from affray.space import Cell, Space

Kind = Literal["ranged", "melee", "unarmed", "thrown"]
Attempt = Literal["intimidation", "maneuver", "taunt", "trick", "acrobatic_trick"]
"""A kind of interaction attack (RON-INT-2)."""
Defence = Literal["dodge", "parry", "block", "resolve", "athletics", "acrobatics"]

AVERAGE = Code(2)
"""The code of an attribute that a sheet leaves out."""
ATTRIBUTES = ("Strength", "Agility", "Stamina", "Perception", "Presence", "Will Power")
SKILLS = {
    "Ranged Weapons": "Agility",
    "Throwing": "Agility",
    "Dodge": "Agility",
    "Acrobatics": "Agility",
    "Melee Weapons": "Strength",
    "Fighting": "Strength",
    "Athletics": "Strength",
    "Fortitude": "Stamina",
    "Resolve": "Will Power",
    "Persuasion": "Presence",
    "Medicine": "Perception",
}
"""Skills that the chapter uses, with their attribute. A sheet may hold others, and specializations as 'Athletics (Climbing)'."""


class Weapon(Struct, frozen=True):
    """A weapon's profile. `strength`: `damage` is added to the wielder's Strength Damage (RON-DMG-2). Ranges in Spaces."""

    name: str
    kind: Kind
    damage: Code
    strength: bool = False
    ranges: tuple[int, int, int] = (0, 0, 0)
    """Ends of Short, Medium and Long."""
    thrown_by_strength: bool = False
    reach: int = 0
    """0: no Reach property; otherwise the farthest Space it strikes (RON-ATK-10)."""
    ammo: int = 0
    """Rounds in a full magazine; 0: not counted."""
    modes: tuple[str, ...] = ("single",)
    """Of 'single', 'semi', 'burst', 'auto'."""
    rounds_auto: int = 0
    """Rounds that automatic fire spends; 0: none tracked."""
    stun: bool = False
    ready: int = 1
    """Actions to make it ready or to reload it."""
    hands: int = 1
    area: str = ""
    """A burst or cone it makes: 'burst medium', 'cone small', ..."""
    bonus: int = 0
    """Added to attack totals made with it."""


UNARMED = Weapon("unarmed", "unarmed", Code(0), strength=True, hands=0)


class Armor(Struct, frozen=True):
    """What is worn: dice (worth four each, RON-DMG-5) or, with `flat`, a plain number."""

    code: Code = Code(0)
    flat: int = 0
    name: str = ""


class Sheet(Struct, frozen=True, cache_hash=True):
    """What a fight does not change."""

    attributes: tuple[tuple[str, Code], ...] = ()
    skills: tuple[tuple[str, Code], ...] = ()
    weapons: tuple[Weapon, ...] = ()
    armor: Armor = Armor()
    shield: int = 0
    """Added to Passive Defense (RON-DEF-5)."""
    move: int = 0
    """0: worked out (RON-MOVE-2)."""
    talents: tuple[tuple[str, int], ...] = ()
    initiative: int = 0
    """Bonus to initiative rolls (RON-TIME-5)."""
    resistance: int = 0
    """Abilities and the like, added to the Damage Resistance Total (RON-DMG-5)."""
    scale: str = "Medium"
    scale_dice: int = 0
    """Dice of a size that the table does not list."""
    object: bool = False
    """A thing: its Strength is its toughness (RON-SPC-2 to -4)."""
    kit: int = 0
    """Bonus dice of a medical kit (RON-HEAL-11)."""

    def attribute(self, name: str) -> Code:
        for known, code in self.attributes:
            if known == name:
                return code
        return AVERAGE

    def talent(self, name: str) -> int:
        return next((rank for known, rank in self.talents if known == name), 0)

    def weapon(self, name: str) -> Weapon | None:
        if name == UNARMED.name:
            return UNARMED
        for weapon in self.weapons:
            if weapon.name == name:
                return weapon
        return None


class Standing(Struct, frozen=True):
    """An Active Defense that holds until its owner's next turn: its type and its Test's total."""

    kind: Defence
    total: int


CONDITIONS = ("confused", "stymied", "untrained", "grappled", "surprised", "immobilized")
"""Conditions that the rules know by name."""


class Condition(Struct, frozen=True):
    """'confused', 'stymied', 'untrained', 'setback', 'grappled' or 'surprised'; or any word of the Game Master's.

    `turns`: ends at the end of that many more turns of its owner; `rounds`: ends when that many more Rounds have opened;
    both 0: until its source is gone (RON-CON-1).
    """

    name: str
    turns: int = 0
    rounds: int = 0


class Dropped(Struct, frozen=True):
    """Something of a fighter's that lies on the ground: what, and in which Space (None: where no map is used)."""

    name: str
    at: Cell | None = None


class Fighter(Struct, frozen=True):
    """A combatant as it is now. Clocks are counters, so that two fighters in one condition are equal."""

    id: str
    name: str
    side: str
    sheet: Sheet
    group: str = ""
    """Those of one group share an initiative roll (RON-TIME-6)."""
    player: bool = False
    hidden: bool = False
    at: Cell | None = None
    # initiative and the turn
    initiative: int = 0
    tie: int = 0
    """Place in a tie that the Game Master decided; higher first (RON-TIME-9)."""
    acted: bool = False
    """Has had its turn this Round."""
    declared: int = 0
    used: int = 0
    full: bool = False
    """A Full Action has been taken this Round."""
    limit_doubled: bool = False
    extra: int = 0
    """Actions beyond the limit that count for the penalty alone (ruling two_weapons)."""
    waiting: str = ""
    """'' or what it waits for: 'any', or 'charge' with a set weapon."""
    open_turn: bool = False
    """Its turn goes on: it waits, or has waited and cut in, and the end of its turn is still to come."""
    lost: int = 0
    """Actions to be forfeited (RON-INT-6)."""
    doing: str = ""
    """The last thing done this turn (a verb)."""
    moved: int = 0
    """Spaces moved this turn."""
    rested: bool = False
    """Took nothing but Free Actions on its last turn (RON-CON-6)."""
    # body
    wounds: int = 0
    stunned: bool = False
    fatigue: int = 0
    out: str = ""
    """'', 'unconscious', 'dead', 'destroyed' or 'gone' (fled, surrendered)."""
    massive: int = 0
    """Held to a single thing through its next turn (RON-DMG-17): 1 from the hit on, 2 when that turn has begun."""
    mortal: int = 0
    """Rounds on the mortal clock, counting the one of the wound; 0: not Mortally Wounded (RON-DMG-13)."""
    asleep: int = 0
    """Rounds of a knock-out still to come (RON-DMG-16)."""
    fainted: str = ""
    """Why unconscious without a known end: '', 'wounds' or 'fatigue'."""
    injury: int = 0
    """Counts injuries, for assisted healing (RON-HEAL-10)."""
    treated: int = 0
    """Above `injury`: helped with success since the last new Wound."""
    damage_levels: int = 0
    """Structural damage of an object."""
    # mind and position
    conditions: tuple[Condition, ...] = ()
    prone: bool = False
    grappled_by: str = ""
    attacked: bool = False
    """Has suffered an attack since it was surprised (RON-SPC-21)."""
    # defence
    standing: tuple[Standing, ...] = ()
    carried: int = 0
    """Defense Result Points added to Passive Defense (RON-DEF-8)."""
    defence_bonus: int = 0
    """Until its next turn: a charge's −1, a Defensive Stance's +1."""
    barred: bool = False
    """No Active Defense until its next turn."""
    cover: int = 0
    # means
    character: int = 0
    fate: int = 0
    held: tuple[str, ...] = ()
    """Weapons in hand."""
    readying: tuple[tuple[str, int], ...] = ()
    """Weapons on the way to being ready, with the Actions spent."""
    ammo: tuple[tuple[str, int], ...] = ()
    """Rounds left in weapons that count them."""
    dropped: tuple[Dropped, ...] = ()
    """What it had in hand and now lies about; picking it up makes it ready (RON-SPC-20)."""
    aim: int = 0
    aware: int = 0
    """Bonus on the next attack total (RON-RP-10)."""
    exertion: int = 0
    """Rounds of strenuous activity so far (RON-MOVE-15)."""
    strenuous: bool = False
    """What is done this Round is strenuous."""
    breath_rounds: int = 0
    """Rounds of held breath that are left; -1: out of breath and still unable to breathe; 0: breathing (RON-MOVE-13)."""
    liberties: int = 0
    """Free Actions taken this turn (RON-ACT-4)."""
    mending: int = 0
    """Minute after the fight at which the recovery time now running began (RON-HEAL-5)."""
    disturbed: bool = False
    """Has had no proper rest in that time (RON-HEAL-3)."""
    situational: int = 0
    """The Game Master's modifier to its attack totals (RON-ATK-9)."""

    def has(self, condition: str) -> bool:
        return bool(self.conditions) and any(c.name == condition for c in self.conditions)

    def rounds(self, weapon: Weapon) -> int:
        """Rounds left in a weapon that counts them."""
        return next((left for name, left in self.ammo if name == weapon.name), weapon.ammo)

    def holds(self, weapon: Weapon) -> bool:
        return weapon.kind == "unarmed" or weapon.name in self.held


def let_go(me: Fighter, name: str, at: Cell | None = None) -> tuple[tuple[str, Any], ...]:
    """The fields of a fighter who no longer holds a weapon: it lies in the Space `at` (None: the fighter's own)."""
    held = tuple(weapon for weapon in me.held if weapon != name)
    return (("held", held), ("dropped", (*me.dropped, Dropped(name, at or me.at))))


class Team(Struct, frozen=True):
    """Allies named for a coordinated attack on one target (RON-SPC-9)."""

    target: str
    members: tuple[str, ...]
    round: int


class State(Struct, frozen=True):
    """A fight as it is now."""

    fighters: tuple[Fighter, ...]
    rulings: Rulings = Rulings()
    space: Space = Space()
    round: int = 0
    turn: str = ""
    """Whose turn it is; '' between turns."""
    interrupting: tuple[str, ...] = ()
    """Who is cutting in, the last one acting (RON-ACT-14)."""
    teams: tuple[Team, ...] = ()
    pool: int = 0
    """Character Points of the party (RON-RP-6)."""
    minutes: int = 0
    """Minutes gone by after the fight."""
    closed: bool = False
    """The Game Master has ended the fight (RON-TIME-3)."""
    after: bool = False
    """The fight is over and Rounds are no longer counted (RON-TIME-2)."""
