"""Fights in tables: equal whatever the batches, equal compiled or not, and in agreement with the exact duel and live play."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from affray.dice import Code
from affray.encounter import Encounter
from affray.ruleset import find
from affray.rulesets.rond6.sheet import Armor, Fighter, Sheet, State, Weapon
from affray.simulate.duel import duel
from affray.simulate.mass import Simulation

RULES = find("rond6")
PISTOL = Weapon("pistol", "ranged", Code(4), ranges=(10, 25, 50))


def fighter(name: str, side: str, dice: int, y: int, x: int = 0, **more: Any) -> Fighter:
    attributes = {"Strength": 3, "Agility": 3, "Stamina": 3, "Perception": 3, "Will Power": 2}
    skills = {"Ranged Weapons": dice, "Dodge": 4, "Fortitude": 3}
    sheet = Sheet(
        tuple((k, Code(v)) for k, v in attributes.items()),
        tuple((k, Code(v)) for k, v in skills.items()),
        (PISTOL,),
        Armor(Code(1)),
    )
    return Fighter(name, name, side, sheet, at=(x, y), held=("pistol",), **more)


def start(each: int = 1) -> State:
    many = [fighter(f"a{i}", "a", 5, 0, i) for i in range(each)] + [fighter(f"b{i}", "b", 6, 8, i) for i in range(each)]
    return State(tuple(many))


def players(b: str = "aggressive") -> dict[str, Any]:
    return {"a": RULES.policies["aggressive"], "b": RULES.policies[b]}


def test_results_do_not_depend_on_batches_or_compilation() -> None:
    state = start(2)
    one = Simulation(RULES, state, players()).run(400, seed=5, compiled=False)
    simulation = Simulation(RULES, state, players())
    simulation.run(50, seed=9, compiled=False)  # other rows are there before
    parts = [simulation.run(150, seed=5, first=0, compiled=False), simulation.run(250, seed=5, first=150, compiled=False)]
    fates = [simulation.tabular.fate(seat) for seat in simulation.tables.seats]
    assert np.array_equal(one.winner, np.concatenate([p.winner for p in parts]))
    assert np.array_equal(one.rounds, np.concatenate([p.rounds for p in parts]))
    assert np.array_equal(one.downed_by, np.concatenate([p.downed_by for p in parts]))
    assert set(fates) <= {"untouched", "wounded", "out", "dead"}
    assert not np.array_equal(one.winner, Simulation(RULES, state, players()).run(400, seed=6, compiled=False).winner)


@pytest.mark.slow
def test_compiled_and_plain_kernel_give_the_same_fights() -> None:
    state = start(3)
    plain = Simulation(RULES, state, players()).run(500, seed=5, compiled=False)
    compiled = Simulation(RULES, state, players()).run(500, seed=5, compiled=True)
    assert np.array_equal(plain.winner, compiled.winner)
    assert np.array_equal(plain.rounds, compiled.rounds)
    assert np.array_equal(plain.downed_by, compiled.downed_by)


def live(state: State, who: dict[str, Any], fights: int) -> float:
    """Share of live fights that side a wins."""

    class Defaults:
        name = "defaults"

        def answer(self, request: Any, state: Any, pick: Any) -> Any:
            return request.default

    won = 0
    for seed in range(fights):
        encounter = Encounter(RULES, state, seed, {**who, "master": Defaults()})  # type: ignore[dict-item]
        encounter.advance()
        while not RULES.over(encounter.state):
            encounter.step()
        won += any(f.side == "a" and not f.out for f in encounter.state.fighters)
    return won / fights


@pytest.mark.parametrize(("tables", "live_fights"), [(1500, 150), pytest.param(100_000, 3000, marks=pytest.mark.slow)])
def test_exact_duel_tables_and_live_play_agree(tables: int, live_fights: int) -> None:
    exact = duel(RULES, start(), players(), prune=1e-9, undecided=1e-5)
    assert abs(sum(exact.win) + exact.both_out + exact.undecided + exact.lost - 1) < 1e-9
    assert abs(sum(w for _, w in exact.fates) - sum(exact.win) - exact.both_out) < 1e-9
    raw = Simulation(RULES, start(), players()).run(tables, seed=1, compiled=tables > 10_000)
    for share, count in (((raw.winner == 0).mean(), tables), (live(start(), players(), live_fights), live_fights)):
        p = exact.win[0]
        assert abs(share - p) <= 4 * sqrt(p * (1 - p) / count)


def test_fights_that_tables_cannot_hold_say_why() -> None:
    far = State((fighter("a", "a", 5, 0), fighter("b", "b", 5, 90)))
    with pytest.raises(ValueError, match="has to move"):
        Simulation(RULES, far, players())
    with pytest.raises(ValueError, match="random"):
        Simulation(RULES, start(), {"a": RULES.policies["random"], "b": RULES.policies["aggressive"]})


def test_a_fight_that_never_ends_is_undecided() -> None:
    harmless = Weapon("feather", "ranged", Code(1), ranges=(10, 25, 50))
    armored = tuple(_with(f, harmless) for f in start().fighters)
    raw = Simulation(RULES, State(armored), players(), max_rounds=5).run(20, compiled=False)
    assert set(raw.winner.tolist()) == {-1} and set(raw.rounds.tolist()) == {5}


def _with(f: Fighter, weapon: Weapon) -> Fighter:
    return replace(f, sheet=replace(f.sheet, weapons=(weapon,), armor=Armor(Code(60))), held=(weapon.name,))
