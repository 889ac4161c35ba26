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
    attributes = {"Strength": Code(3), "Agility": Code(3), "Stamina": Code(3), "Perception": Code(3, 1), "Will Power": Code(2)}
    skills = {"Ranged Weapons": Code(5), "Melee Weapons": Code(4), "Fighting": Code(4), "Dodge": Code(5), "Fortitude": Code(4)}
    sheet = Sheet(tuple(attributes.items()), tuple(skills.items()), (pistol, sword), Armor(Code(1)))
    fighters = (
        Fighter("Ash", "Ash", "a", sheet, at=(0, 0), held=("pistol",), character=2, fate=1),
        Fighter("Kess", "Kess", "a", sheet, at=(0, 2), held=("sword",)),
        Fighter("Thug 1", "Thug 1", "b", sheet, group="Thug", at=(4, 0), held=("sword",)),
        Fighter("Thug 2", "Thug 2", "b", sheet, group="Thug", at=(4, 1), held=("pistol",)),
    )
    return State(fighters)


STARTS: dict[str, tuple[Callable[[], Any], str]] = {"rond6": (rond6_start, "aggressive")}


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
