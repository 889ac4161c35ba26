"""What the conformance suite needs of each ruleset: a start of two small sides, and an order to work out exactly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import toy

from affray.dice import Code
from affray.errors import DataError
from affray.ruleset import NAMES, Ruleset, find


class Entrant(NamedTuple):
    ruleset: Ruleset
    start: Callable[[], Any]
    """A fresh start with the sides 'a' and 'b'."""
    policy: str
    """A policy that has exact odds."""


def rond6_start() -> Any:
    from affray.rulesets.rond6.sheet import Armor, Fighter, Sheet, State, Weapon

    pistol = Weapon("pistol", "ranged", Code(4), ranges=(10, 25, 50), ammo=9, modes=("single", "semi"))
    sword = Weapon("sword", "melee", Code(2), strength=True)
    spear = Weapon("spear", "melee", Code(3), reach=2)
    gun = Weapon("gun", "ranged", Code(3), ranges=(8, 20, 40), ammo=20, modes=("semi", "burst", "auto"), rounds_auto=5, hands=2)
    flamer = Weapon("flamer", "ranged", Code(3), ranges=(3, 3, 3), area="cone medium")
    grenade = Weapon("grenade", "thrown", Code(3), ranges=(5, 10, 15), area="burst small")
    attributes = {"Strength": Code(3), "Agility": Code(3), "Stamina": Code(3), "Perception": Code(3, 1), "Will Power": Code(2)}
    skills = {"Ranged Weapons": Code(5), "Melee Weapons": Code(4), "Fighting": Code(4), "Dodge": Code(5), "Fortitude": Code(4)}
    sheet = Sheet(tuple(attributes.items()), tuple(skills.items()), (pistol, sword, spear, gun, flamer, grenade), Armor(Code(1)))
    fighters = (
        Fighter("Ash", "Ash", "a", sheet, at=(0, 0), held=("pistol", "sword"), character=2, fate=1),
        Fighter("Kess", "Kess", "a", sheet, at=(0, 2), held=("spear", "flamer")),
        Fighter("Thug 1", "Thug 1", "b", sheet, group="Thug", at=(4, 0), held=("sword", "grenade")),
        Fighter("Thug 2", "Thug 2", "b", sheet, group="Thug", at=(4, 1), held=("gun",)),
    )
    return State(fighters)


def cepheus_start() -> Any:
    from affray.rulesets.cepheus.movement import starting_pairs
    from affray.rulesets.cepheus.sheet import SCORES, Armour, Fighter, Held, Mode, Ring, Sheet, State, Weapon

    modes = (Mode("single"), Mode("burst", 4))
    rifle = Weapon("rifle", "ranged", ("rifle",), "3D6", ("P",), ("Slug Rifle",), modes=modes, recoil=True, magazine=20)
    sword = Weapon("sword", "melee", ("extended_reach",), "3D6", ("S",), ("Slashing Weapons",))
    rings = (Ring(3, "5D6"), Ring(6, "3D6"), Ring(9, "1D6"))
    grenade = Weapon("grenade", "grenade", ("thrown",), payload="grenade", grenade="frag", rings=rings, magazine=1)
    skills = tuple((name, 1) for name in ("Slug Rifle", "Slashing Weapons", "Natural Weapons", "Medicine", "Leadership"))

    def fighter(name: str, side: str, weapons: tuple[Any, ...], armour: tuple[Any, ...], **more: Any) -> Any:
        sheet = Sheet(7, 8, 7, 8, 7, 6, skills, weapons, armour)
        held = tuple(Held(w.name, i == 0, w.magazine, 0 if w.kind == "grenade" else -1) for i, w in enumerate(weapons))
        aware = tuple(one for one in ("Mara", "Voss", "Kell", "Brod") if one != name)
        return Fighter(name, side, sheet, **{n: getattr(sheet, n) for n in SCORES}, held=held, aware=aware, **more)

    mesh = (Armour("mesh", 5),)
    fighters = (
        fighter("Mara", "a", (rifle, sword), (), cover=2),
        fighter("Voss", "a", (sword, grenade), mesh, supplies=("stim", "combat_drug")),
        fighter("Kell", "b", (rifle, grenade), (), supplies=("plastic",)),
        fighter("Brod", "b", (sword,), mesh),
    )
    state = State(fighters)
    return State(fighters, pairs=starting_pairs(state))


def rd6_start() -> Any:
    from affray.rulesets.rd6.sheet import Cover, Fighter, Sheet, Skill, State, Weapon

    modes = ("single", "semi")
    pistol = Weapon("pistol", "ranged", Code(4), ranges=(10, 30, 60), modes=modes, clip=9)
    rifle = Weapon("rifle", "ranged", Code(5), ranges=(20, 75, 200), hands=2, modes=("burst", "auto"), clip=30)
    sword = Weapon("sword", "melee", Code(2), strength=True, min_strength=Code(1), sharp=True)
    attributes = {"Strength": Code(3), "Agility": Code(3), "Stamina": Code(3), "Perception": Code(3, 1), "Willpower": Code(2)}
    codes = {"Ranged Weapons": Code(5), "Melee Weapons": Code(4), "Fighting": Code(4), "Dodge": Code(5), "Fortitude": Code(4)}
    skills = tuple(Skill(name, code) for name, code in codes.items())
    sheet = Sheet(False, tuple(attributes.items()), skills, (pistol, rifle, sword), Code(1))
    fighters = (
        Fighter("Ash", "Ash", "a", sheet, at=(0, 0), weapon="pistol", loaded=(("pistol", 9),), character_points=2, fate_points=1),
        Fighter("Kess", "Kess", "a", sheet, at=(0, 2), weapon="sword"),
        Fighter("Thug 1", "Thug 1", "b", sheet, group="Thug", at=(1, 0), weapon="sword", behind="crate"),
        Fighter("Thug 2", "Thug 2", "b", sheet, group="Thug", at=(4, 1), weapon="rifle", loaded=(("rifle", 30),)),
    )
    return State(fighters, covers=(Cover("crate", 100, Code(2)),))


STARTS: dict[str, tuple[Callable[[], Any], str]] = {
    "rond6": (rond6_start, "aggressive"),
    "rd6": (rd6_start, "aggressive"),
    "cepheus": (cepheus_start, "cautious"),
}


def entrants() -> list[Entrant]:
    """All rulesets of this version that the suite knows, and the toy."""
    found = [Entrant(toy.TOY, toy.ring, "steady")]
    for name in NAMES:
        try:
            ruleset = find(name)
        except DataError:
            continue
        if name not in STARTS:
            continue
        start, policy = STARTS[name]
        found.append(Entrant(ruleset, start, policy))
    return found
