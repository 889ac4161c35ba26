"""The tactical policy: what it chooses in plain situations, that it says why, and that it beats the plain doctrines."""

from __future__ import annotations

from typing import Any

import pytest

from affray.dice import Code
from affray.encounter import Encounter
from affray.events import Noted, get
from affray.interpreters.live import picker
from affray.rulesets.rond6 import RULESET
from affray.rulesets.rond6.sheet import Armor, Fighter, Sheet, State, Weapon
from affray.space import Area, Space

PISTOL = Weapon("pistol", "ranged", Code(4), ranges=(10, 25, 50), ammo=8, modes=("single", "semi"))
RIFLE = Weapon("rifle", "ranged", Code(4), ranges=(10, 25, 50))
BOW = Weapon("bow", "ranged", Code(3), ranges=(10, 25, 50))
SWORD = Weapon("sword", "melee", Code(4))
GRENADE = Weapon("grenade", "thrown", Code(5), ranges=(10, 15, 20), area="burst small")
POLICY = RULESET.policies["tactical"]


def fighter(name: str, side: str, at: tuple[int, int], *weapons: Weapon, dice: int = 4, **more: Any) -> Fighter:
    skills = ("Ranged Weapons", "Melee Weapons", "Throwing", "Fighting", "Dodge", "Fortitude")
    sheet = Sheet(
        (("Strength", Code(3)), ("Agility", Code(3)), ("Stamina", Code(3)), ("Perception", Code(3))),
        tuple((skill, Code(dice)) for skill in skills), weapons, Armor(Code(1)),
    )  # fmt: skip
    return Fighter(name, name, side, sheet, at=at, held=tuple(w.name for w in weapons), **more)


def chosen(*fighters: Fighter, areas: tuple[Area, ...] = ()) -> Any:
    """What the first fighter orders on its turn."""
    state = State(fighters, space=Space(areas=areas), round=1, turn=fighters[0].id)
    order = POLICY.order(state, fighters[0].id, picker(1, 1, 1))
    assert order == POLICY.order(state, fighters[0].id, picker(2, 2, 2))
    assert RULESET.why_not(state, order) is None
    assert order.because or order.verb == "end"
    return order


@pytest.mark.rules("RON-SPC-9")
def test_it_agrees_with_allies_who_can_reach_the_target() -> None:
    order = chosen(
        fighter("Ash", "a", (0, 0), BOW), fighter("Bo", "a", (0, 1), BOW), fighter("Far", "a", (-60, 1), SWORD),
        fighter("Foe", "b", (8, 0), SWORD),
    )  # fmt: skip
    assert (order.verb, order.target, order.members) == ("coordinate", "Foe", ("Ash", "Bo"))


@pytest.mark.rules("RON-ACT-16")
def test_it_aims_at_what_it_can_hardly_hit() -> None:
    assert chosen(fighter("Ash", "a", (0, 0), BOW), fighter("Foe", "b", (40, 0), SWORD)).verb == "aim"


@pytest.mark.rules("RON-SPC-7")
def test_it_charges_who_is_in_reach_of_a_charge() -> None:
    order = chosen(fighter("Ash", "a", (0, 0), SWORD), fighter("Foe", "b", (7, 0), SWORD))
    assert (order.verb, order.target) == ("charge", "Foe")


@pytest.mark.rules("RON-SPC-18")
def test_it_uses_rapid_fire() -> None:
    order = chosen(fighter("Ash", "a", (0, 0), PISTOL), fighter("Foe", "b", (8, 0), RIFLE))
    assert order.verb == "attack"
    assert order.rounds > 1


@pytest.mark.rules("RON-ATK-12")
def test_it_goes_into_cover_from_better_shots() -> None:
    """Two marksmen far away, and cover of 10 two Spaces off: nothing it could do pays as much."""
    foes = [fighter(f"Foe {n}", "b", (24, n), RIFLE, dice=7) for n in range(2)]
    order = chosen(fighter("Ash", "a", (0, 0), BOW, dice=3), *foes, areas=(Area(2, 0, 2, 1, "cover", 10),))
    assert (order.verb, order.to) in (("move", (2, 0)), ("move", (2, 1)))
    assert "cover of 10" in order.because


@pytest.mark.rules("RON-DEF-11")
def test_the_badly_hurt_defend_themselves() -> None:
    foes = [fighter(f"Foe {n}", "b", (1, n), SWORD, dice=6) for n in range(3)]
    order = chosen(fighter("Ash", "a", (0, 0), SWORD, wounds=3, stunned=True), *foes)
    assert order.verb in ("dodge", "move")
    assert "Wound" in order.because


def test_the_badly_hurt_fall_back_from_swords() -> None:
    foes = [fighter(f"Foe {n}", "b", (8, n), SWORD, dice=6) for n in range(3)]
    order = chosen(fighter("Ash", "a", (0, 0), SWORD, wounds=3), *foes)
    assert order.verb == "move"
    assert order.to[0] < 0
    assert "fall back" in order.because


@pytest.mark.rules("RON-AREA-2")
def test_it_throws_a_grenade_among_enemies_and_not_among_friends() -> None:
    foes = [fighter(f"Foe {n}", "b", (9, n), RIFLE) for n in range(3)]
    order = chosen(fighter("Ash", "a", (0, 0), GRENADE), *foes)
    assert (order.verb, order.at) == ("area", (9, 1))
    friend = fighter("Bo", "a", (8, 1), RIFLE, acted=True)
    assert chosen(fighter("Ash", "a", (0, 0), GRENADE, BOW), friend, *foes).verb != "area"


def side(name: str, x: int) -> tuple[Fighter, ...]:
    weapons = ((PISTOL,), (BOW,), (SWORD,), (SWORD,))
    return tuple(fighter(f"{name}{n}", name, (x, 2 * n), *held, dice=5) for n, held in enumerate(weapons))


def play(seed: int, **policies: str) -> Encounter:
    players = {who: RULESET.policies[name] for who, name in policies.items()} | {"master": RULESET.policies["aggressive"]}
    start = State(
        (*side("a", 0), *side("b", 16)), space=Space(areas=(Area(2, 0, 2, 6, "cover", 3), Area(14, 0, 14, 6, "cover", 3)))
    )
    encounter = Encounter(RULESET, start, seed, players)
    encounter.advance()
    while not RULESET.over(encounter.state) and encounter.state.round < 40:
        encounter.step()
    return encounter


def test_the_log_says_why() -> None:
    encounter = play(1, a="tactical", b="aggressive")
    told = [e for entry in encounter.entries for e in entry.events if isinstance(e, Noted) and e.note == "plan.because"]
    assert told
    assert {get(encounter.state, e.who).side for e in told} == {"a"}
    for entry in encounter.entries:
        assert RULESET.problems(entry.state) == ()


@pytest.mark.slow
def test_it_beats_the_plain_doctrines_from_either_side() -> None:
    won = fought = 0
    for seed in range(12):
        for mine, theirs in (("a", "b"), ("b", "a")):
            state = play(seed, **{mine: "tactical", theirs: "aggressive"}).state
            able = {f.side for f in state.fighters if not f.out}
            fought += len(able) == 1
            won += able == {mine}
    assert won >= 0.6 * fought, (won, fought)
