"""Small fights that tables hold, one for each ruleset: `start(name, a, b)` with so many on each side."""

from __future__ import annotations

from functools import cache
from typing import Any

from affray.dice import Code
from affray.ruleset import Ruleset, find
from affray.simulate.duel import Duel, duel


def rond6(a: int, b: int) -> Any:
    from affray.rulesets.rond6.sheet import Armor, Fighter, Sheet, State, Weapon

    pistol = Weapon("pistol", "ranged", Code(4), ranges=(10, 25, 50))
    attributes = {"Strength": 3, "Agility": 3, "Stamina": 3, "Perception": 3, "Will Power": 2}

    def fighter(name: str, dice: int, at: tuple[int, int]) -> Fighter:
        skills = {"Ranged Weapons": dice, "Dodge": 4, "Fortitude": 3}
        codes = (tuple((k, Code(v)) for k, v in group.items()) for group in (attributes, skills))
        return Fighter(name, name, name[0], Sheet(*codes, (pistol,), Armor(Code(1))), at=at, held=("pistol",))

    mine = tuple(fighter(f"a{i}", 5, (i, 0)) for i in range(a))
    return State(mine + tuple(fighter(f"b{i}", 6, (i, 8)) for i in range(b)))


def rd6(a: int, b: int) -> Any:
    from affray.rulesets.rd6.sheet import Fighter, Sheet, Skill, State, Weapon

    pistol = Weapon("pistol", "ranged", Code(4), ranges=(10, 30, 60), modes=("single",), clip=30)
    attributes = {"Strength": Code(3), "Agility": Code(3), "Stamina": Code(3), "Perception": Code(3, 1), "Willpower": Code(2)}

    def fighter(name: str, dice: int, at: tuple[int, int]) -> Fighter:
        codes = {"Ranged Weapons": Code(dice), "Dodge": Code(4), "Fortitude": Code(3)}
        skills = tuple(Skill(skill, code) for skill, code in codes.items())
        sheet = Sheet(False, tuple(attributes.items()), skills, (pistol,), Code(1))
        return Fighter(name, name, name[0], sheet, at=at, weapon="pistol", loaded=(("pistol", 30),))

    mine = tuple(fighter(f"a{i}", 5, (i, 0)) for i in range(a))
    return State(mine + tuple(fighter(f"b{i}", 6, (i, 8)) for i in range(b)))


def cepheus(a: int, b: int) -> Any:
    from affray.rulesets.cepheus.movement import starting_pairs
    from affray.rulesets.cepheus.sheet import SCORES, Armour, Fighter, Held, Mode, Sheet, State, Weapon

    modes = (Mode("single"),)
    rifle = Weapon("rifle", "ranged", ("rifle",), "3D6", ("P",), ("Slug Rifle",), modes=modes, recoil=True, magazine=20)
    names = [f"a{i}" for i in range(a)] + [f"b{i}" for i in range(b)]

    def fighter(name: str) -> Fighter:
        mesh = (Armour("mesh", 5),) if name[0] == "a" else ()
        sheet = Sheet(7, 8, 7, 8, 7, 6, (("Slug Rifle", 1 if mesh else 2),), (rifle,), mesh)
        scores = {score: getattr(sheet, score) for score in SCORES}
        aware = tuple(one for one in names if one != name)
        return Fighter(name, name[0], sheet, **scores, held=(Held("rifle", True, 20, -1),), aware=aware)

    state = State(tuple(map(fighter, names)))
    return State(state.fighters, pairs=starting_pairs(state))


STARTS = {"rond6": rond6, "rd6": rd6, "cepheus": cepheus}


def start(name: str, a: int = 1, b: int = 1) -> tuple[Ruleset, Any]:
    """A ruleset, and a fight of `a` against `b`."""
    return find(name), STARTS[name](a, b)


def players(ruleset: Ruleset, a: str = "aggressive", b: str = "aggressive") -> dict[str, Any]:
    return {"a": ruleset.policies[a], "b": ruleset.policies[b], "master": ruleset.policies["aggressive"]}


@cache
def exact(name: str, b: str = "aggressive") -> Duel:
    """One against one worked out, once for all tests that compare something with it."""
    ruleset, state = start(name)
    return duel(ruleset, state, players(ruleset, b=b))
