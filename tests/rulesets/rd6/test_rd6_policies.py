"""Rd6: policies choose between attack and the defences, and finish what they begin."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from affray.ask import Choose, Why
from affray.dice import Code
from affray.domains import OneOf
from affray.encounter import Encounter
from affray.formats.encounter import load_fight
from affray.rulesets.rd6 import RULESET, commands
from affray.rulesets.rd6.sheet import Fighter, Sheet, Skill, State, Weapon

ROOT = Path(__file__).resolve().parents[3]
SWORD = Weapon("sword", "melee", Code(2), strength=True)
ATTRIBUTES = (("Agility", Code(3)), ("Strength", Code(3)), ("Stamina", Code(3)))


def someone(name: str, side: str, at: tuple[int, int], dodge: int = 4, **more: object) -> Fighter:
    skills = (Skill("Dodge", Code(dodge)), Skill("Melee Weapons", Code(4)))
    sheet = Sheet(attributes=ATTRIBUTES, skills=skills, weapons=(SWORD,))
    return Fighter(name, name, side, sheet, at=at, weapon="sword", **more)  # type: ignore[arg-type]


def first_order(foes: int, policy: str = "guarded", wounds: int = 0, dodge: int = 4) -> object:
    me = someone("Me", "a", (0, 0), dodge, wounds=wounds, begun=True)
    state = State((me, *(someone(f"Foe {n}", "b", (1, n)) for n in range(foes))), round=1, turn="Me")
    return RULESET.policies[policy].order(state, "Me", lambda bound: 0)


def test_one_foe_is_attacked() -> None:
    assert isinstance(first_order(1), commands.Attack)


@pytest.mark.rules("RD6-RND-10", "RD6-DEF-6")
def test_outnumbered_an_active_defence_goes_with_the_attack() -> None:
    assert first_order(2) == commands.Declare("Me", 2)
    declared = someone("Me", "a", (0, 0), declared=2, begun=True)
    state = State((declared, someone("Foe", "b", (1, 0))), round=1, turn="Me")
    assert RULESET.policies["guarded"].order(state, "Me", lambda bound: 0) == commands.Dodge("Me", "active")


@pytest.mark.rules("RD6-DEF-20")
def test_badly_hurt_and_outnumbered_the_whole_round_goes_into_defence() -> None:
    assert first_order(2, wounds=2) == commands.Dodge("Me", "full")
    assert first_order(2, wounds=2, dodge=1) == commands.Dodge("Me", "full")  # both down to 1D: a dodge covers more
    assert first_order(2, wounds=1, dodge=1) == commands.Parry("Me", "full")
    assert isinstance(first_order(2, "aggressive", wounds=2), commands.Attack)


def test_teeth_need_no_weapon_in_hand() -> None:
    teeth = Weapon("teeth", "unarmed", Code(1), strength=True)
    beast = replace(someone("Me", "a", (0, 0), begun=True), weapon="")
    beast = replace(beast, sheet=replace(beast.sheet, weapons=(teeth, SWORD)))
    state = State((beast, someone("Foe", "b", (1, 0))), round=1, turn="Me")
    assert RULESET.policies["aggressive"].order(state, "Me", lambda bound: 0) == commands.Attack("Me", "Foe")
    bare = replace(state, fighters=(replace(beast, sheet=replace(beast.sheet, weapons=(SWORD,))), state.fighters[1]))
    assert RULESET.policies["aggressive"].order(bare, "Me", lambda bound: 0) == commands.Ready("Me", "sword")


@pytest.mark.rules("RD6-DEF-17")
def test_a_partial_defence_is_announced_when_the_fight_begins() -> None:
    asked = Choose(OneOf(("none", "dodge 2", "dodge 3", "block 2")), Why("announce", "RD6-DEF-17"), "Me", "none")
    assert RULESET.policies["guarded"].answer(asked, None, lambda bound: 0) == "dodge 2"
    assert RULESET.policies["cautious"].answer(asked, None, lambda bound: 0) == "none"


@pytest.mark.rules("RD6-WND-11")
def test_points_are_spent_on_heavy_damage_only() -> None:
    why = Why("points on resistance", "RD6-WND-11")
    light, heavy = (Choose(OneOf((0, 1)), why, "Me", 0, (damage, 12)) for damage in (14, 19))
    policy = RULESET.policies["guarded"]
    assert [policy.answer(one, None, lambda bound: 0) for one in (light, heavy)] == [0, 1]


@pytest.mark.parametrize("file", sorted((ROOT / "examples").glob("rd6-*.toml")), ids=lambda path: path.stem)
@pytest.mark.parametrize("policy", ["aggressive", "cautious", "guarded"])
def test_sample_fights_come_to_an_end(file: Path, policy: str) -> None:
    described = load_fight(file)
    players = {side.name: RULESET.policies[policy] for side in described.sides} | {"master": RULESET.policies["aggressive"]}
    encounter = Encounter(RULESET, described.state, described.seed, players)
    encounter.advance()
    while not RULESET.over(encounter.state):
        encounter.step()
        assert encounter.state.round < 250
    assert RULESET.problems(encounter.state) == ()


def test_wounds_only_grow_in_a_fight() -> None:
    described = load_fight(ROOT / "examples" / "rd6-5v5.toml")
    players = {side.name: RULESET.policies["aggressive"] for side in described.sides}
    encounter = Encounter(RULESET, replace(described.state), 3, players | {"master": RULESET.policies["aggressive"]})
    encounter.advance()
    before = {f.id: f.wounds for f in encounter.state.fighters}
    for _ in range(60):
        if RULESET.over(encounter.state):
            break
        encounter.step()
        after = {f.id: f.wounds for f in encounter.state.fighters}
        assert all(after[who] >= before[who] for who in before)
        before = after
