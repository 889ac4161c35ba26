"""Bursts, cones and volleys of RonD6: every template, who is inside, and exact odds for one victim at a time."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from affray.dice import Code, WildPool
from affray.events import get
from affray.interpreters.exact import Exact
from affray.rulesets.rond6 import RULESET
from affray.rulesets.rond6.areas import BURSTS, CONES, Area, Template, cells, inside, screened, template_cells
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import Armor, Fighter, Sheet, State, Weapon
from affray.rulesets.rond6.special.automatic import Sweep
from affray.space import FACINGS, Space
from affray.space import Area as Box

LAUNCHER = Weapon("launcher", "ranged", Code(4), ranges=(10, 25, 50), area="burst medium", modes=("auto",))


def fighter(name: str, at: tuple[int, int], side: str = "b", agility: int = 3, **more: Any) -> Fighter:
    sheet = Sheet(
        (("Strength", Code(3)), ("Agility", Code(agility))), (("Ranged Weapons", Code(5)),), (LAUNCHER,), Armor(Code(1))
    )
    return Fighter(name, name, side, sheet, at=at, held=("launcher",), **more)


def scene(*others: Fighter, walls: tuple[Box, ...] = (), rulings: Rulings | None = None) -> State:
    return State((fighter("Ash", (0, 0), "a"), *others), rulings or Rulings(), Space(areas=walls), round=1, turn="Ash")


# ---- templates


@pytest.mark.rules("RON-AREA-1")
@pytest.mark.parametrize(
    ("metric", "counts"),
    [("chebyshev", [9, 49, 169, 625]), ("manhattan", [5, 25, 85, 313]), ("euclidean", [9, 45, 145, 517])],
)
def test_cells_of_every_burst(metric: Any, counts: list[int]) -> None:
    """Euclidean distances are rounded down, so a Space 1.41 away is 1 away."""
    rulings = Rulings(distance=metric)
    found = [template_cells(Template("burst", size, (5, -7)), None, rulings) for size in BURSTS]
    assert [len(set(one)) for one in found] == [len(one) for one in found] == counts
    for one in found:
        assert (5, -7) in one


@pytest.mark.rules("RON-AREA-4", "RON-AREA-5", "RON-AREA-6")
@pytest.mark.parametrize("facing", FACINGS)
@pytest.mark.parametrize(("row", "counts"), [("adjacent", [9, 24, 45, 72]), ("one_beyond", [10, 25, 46, 73])])
def test_cells_of_every_cone(facing: str, row: Any, counts: list[int]) -> None:
    rulings = Rulings(cone_facings=8, cone_row_1=row)
    found = [template_cells(Template("cone", size, None, facing), (3, 4), rulings) for size in CONES]
    assert [len(set(one)) for one in found] == [len(one) for one in found] == counts
    dx, dy = FACINGS[facing]
    for one, length in zip(found, CONES.values(), strict=True):
        assert (3, 4) not in one
        assert (3 + dx, 4 + dy) in one
        far = length + (row == "one_beyond")
        assert (3 + far * dx, 4 + far * dy) in one
        assert max(max(abs(x - 3), abs(y - 4)) for x, y in one) == far


@pytest.mark.rules("RON-AREA-6")
@pytest.mark.parametrize("size", CONES)
def test_cones_are_turned_copies_of_each_other(size: str) -> None:
    def turned(facing: str) -> set[tuple[int, int]]:
        return set(template_cells(Template("cone", size, None, facing), (0, 0), Rulings(cone_facings=8)))

    assert {(-y, x) for x, y in turned("east")} == turned("north")
    assert {(-x, -y) for x, y in turned("east")} == turned("west")
    assert {(-y, x) for x, y in turned("north-east")} == turned("north-west")
    assert {(y, x) for x, y in turned("north-east")} == turned("north-east")


@pytest.mark.rules("RON-AREA-8")
def test_a_wall_cuts_a_cone_and_takes_its_own_spaces() -> None:
    state = scene(fighter("Front", (2, 0)), fighter("Behind", (5, 0)), walls=(Box(3, -9, 3, 9, "wall"),))
    covered = cells(state, "Ash", Template("cone", "medium", None, "east"))
    assert set(covered) == {(x, y) for x in (1, 2) for y in (-1, 0, 1)}
    assert inside(state, "Ash", Template("cone", "medium", None, "east")) == ("Front",)


@pytest.mark.rules("RON-AREA-2", "RON-AREA-3", "RON-AREA-7")
def test_who_is_inside() -> None:
    others = (
        fighter("Friend", (3, 0), "a"),
        fighter("Out cold", (2, 1), out="unconscious"),
        fighter("Dead", (2, 0), out="dead"),
        fighter("Far", (4, 0)),
        fighter("Hid", (3, 3)),
    )
    state = scene(*others, walls=(Box(2, 2, 2, 2, "wall"),))
    burst = Template("burst", "medium", (0, 0))
    assert inside(state, "Ash", burst) == ("Ash", "Friend", "Out cold", "Hid")
    assert [who for who in ("Friend", "Out cold", "Hid") if screened(state, burst, who)] == ["Hid"]
    assert inside(state, "Ash", Template("cone", "medium", None, "east")) == ("Friend", "Out cold", "Far")


# ---- exact odds


def at_least(pool: WildPool, need: int) -> Fraction:
    outcomes = pool.outcomes()
    return Fraction(sum(w for total, w in outcomes if total >= need), sum(w for _, w in outcomes))


@pytest.mark.rules("RON-AREA-10")
@pytest.mark.parametrize(("who", "value"), [("Slow", 10), ("Quick", 15)])
def test_marginal_odds_of_one_victim_of_a_burst(who: str, value: int) -> None:
    """Stunned: 5D - 5 (Medium) reaches the Defense, and 4D reaches 16. Nobody else changes in the sum."""
    state = scene(fighter("Slow", (12, 0), agility=2), fighter("Quick", (12, 2), agility=7), fighter("Third", (13, 1)))
    exact = Exact(state, lambda who: RULESET.policies["aggressive"], watch=frozenset({who}), number=Fraction)
    order = Area("Ash", "launcher", (12, 1))
    odds = exact.odds(lambda s: RULESET.perform(s, order), lambda s: (get(s, who).stunned, s.fighters[-1].stunned))
    assert sum(odds.values()) == 1
    assert odds[(True, False)] == at_least(WildPool(5), value + 5) * at_least(WildPool(4), 16)
    assert {third for _, third in odds} == {False}


@pytest.mark.rules("RON-SPC-22")
def test_marginal_odds_of_one_target_of_sweep_fire() -> None:
    """5D + 1D at Medium against 11; 4D - 3D of damage reaches 16 when the Wild Die runs up."""
    state = scene(fighter("A", (5, 0)), fighter("B", (12, 2)))
    exact = Exact(state, lambda who: RULESET.policies["aggressive"], watch=frozenset({"B"}), number=Fraction)
    odds = exact.odds(lambda s: RULESET.perform(s, Sweep("Ash", ("A", "B"))), lambda s: get(s, "B").stunned)
    assert odds[True] == at_least(WildPool(6), 16) * at_least(WildPool(1), 16)


@pytest.mark.rules("RON-AREA-10")
def test_no_one_hit_no_damage_rolled() -> None:
    from affray.interpreters.replay import Scripted
    from affray.scene import Recorder

    state = scene(fighter("Slow", (5, 0)))
    source = Scripted((1, 1, 1, 1, 1))
    recorder = Recorder(state, source)
    RULESET.perform(recorder, Area("Ash", "launcher", (5, 0)))
    assert source.left == []
    assert [asked[1] for asked in source.asked] == ["attack"]
    assert get(recorder.state, "Slow") == get(state, "Slow")
