"""Rd6: counting successes, tables and numbers that are plain arithmetic, against counts made another way."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from affray.dice import Code
from affray.errors import AffrayError
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.numbers import band, scale, strength_damage, toughness
from affray.rulesets.rd6.rulings import Rulings
from affray.rulesets.rd6.sheet import UNARMED, Sheet, Skill, Weapon, code, ranks
from affray.rulesets.rd6.successes import CRITICAL, Marked, counted, successes, totalled, wild
from affray.totals import CUT

PLAIN = Rulings()


def by_hand(dice: int, wild_chain: int = CUT) -> dict[int, Fraction]:
    """Chances of each number of successes: regular dice added one face at a time, the Wild Die thrown on while it shows 6."""
    sums = {0: Fraction(1)}
    for _ in range(dice - 1):
        step: dict[int, Fraction] = {}
        for total, chance in sums.items():
            for face in range(1, 7):
                step[total + face] = step.get(total + face, Fraction(0)) + chance / 6
        sums = step
    found: dict[int, Fraction] = {}
    for sixes in range(wild_chain + 2):
        faces = range(1, 6) if sixes <= wild_chain else (0,)
        for face in faces:
            weight = Fraction(1, 6 ** (sixes + 1)) if sixes <= wild_chain else Fraction(1, 6**sixes)
            for total, chance in sums.items():
                key = (total + 6 * sixes + face) // 6
                found[key] = found.get(key, Fraction(0)) + chance * weight
    return found


@pytest.mark.rules("RD6-DICE-4", "RD6-DICE-6")
@pytest.mark.parametrize("dice", range(1, 13))
def test_exact_successes_equal_a_count_by_hand(dice: int) -> None:
    outcomes = counted(Code(dice), PLAIN).outcomes()
    whole = sum(weight for _, weight in outcomes)
    exact = {value: Fraction(weight, whole) for value, weight in outcomes}
    assert sum(exact.values()) == 1
    assert exact == by_hand(dice)


@pytest.mark.rules("RD6-DICE-6")
@pytest.mark.parametrize("dice", range(1, 5))
def test_exact_successes_equal_every_throw(dice: int) -> None:
    """All throws listed one by one; a Wild Die is followed for three re-throws, beyond that only the least is known."""
    pool = counted(Code(dice), PLAIN)
    chains = [(*(6,) * n, face) for n in range(4) for face in range(1, 6)]
    found: dict[int, Fraction] = {}
    for chain in chains:
        for rest in product(range(1, 7), repeat=dice - 1):
            value = pool.read((*chain, *rest))
            found[value] = found.get(value, Fraction(0)) + Fraction(1, 6 ** (len(chain) + dice - 1))
    outcomes = pool.outcomes()
    whole = sum(weight for _, weight in outcomes)
    for value, weight in outcomes:
        if value < 4:  # four sixes in a row are 4 successes or more
            assert found[value] == Fraction(weight, whole)


@pytest.mark.rules("RD6-DICE-6")
def test_a_single_die_and_two_dice() -> None:
    """1D: 5/6 no success, 1/6 * 5/6 exactly one. 2D: 10 of 36 throws without a 6 on the Wild Die stay under 6."""
    one = counted(Code(1), PLAIN).outcomes()
    whole = sum(weight for _, weight in one)
    assert Fraction(one[0][1], whole) == Fraction(5, 6)
    assert Fraction(one[1][1], whole) == Fraction(1, 6) * Fraction(5, 6)
    two = counted(Code(2), PLAIN).outcomes()
    assert Fraction(two[0][1], sum(weight for _, weight in two)) == Fraction(10, 36)


@pytest.mark.rules("RD6-DICE-6")
def test_limits_of_successes() -> None:
    assert [successes(total) for total in (0, 5, 6, 11, 12, 17, 18)] == [0, 0, 1, 1, 2, 2, 3]
    assert [successes(total, above_six=True) for total in (0, 5, 11, 12, 18)] == [0, 0, 0, 1, 2]


@pytest.mark.rules("RD6-DICE-3", "RD6-DICE-4", "RD6-DICE-5")
def test_all_corners_of_the_wild_die() -> None:
    assert totalled(Code(4), PLAIN).read((6, 6, 2, 3, 4, 1)) == 22
    assert totalled(Code(2), PLAIN).read((3, 6)) == 9
    drop = Rulings(dice_wild_one="drop_highest")
    for dice, faces, plain, dropped in (
        (Code(4), (1, 5, 5, 2), 13, 7),
        (Code(1), (1,), 1, 0),
        (Code(2, 1), (1, 6), 8, 1),
    ):
        assert totalled(dice, PLAIN).read(faces) == plain
        assert totalled(dice, PLAIN).flag(faces) == CRITICAL
        assert totalled(dice, drop).read(faces) == dropped
    assert totalled(Code(1), PLAIN).read((6, 1)) == 7
    assert totalled(Code(1), PLAIN).flag((6, 1)) == ""
    assert totalled(Code(1), Rulings(dice_wild_one="plain")).flag((1,)) == ""
    assert wild(Code(4), PLAIN).wanted((2, 1, 1)) is not None
    assert wild(Code(4), PLAIN).wanted((2, 1, 1, 1)) is None


@pytest.mark.rules("RD6-DICE-5")
@pytest.mark.parametrize("rulings", [PLAIN, Rulings(dice_wild_one="drop_highest"), Rulings(dice_wild_one="plain")])
def test_marked_outcomes_agree_with_counted_ones(rulings: Rulings) -> None:
    pool = counted(Code(4, 1), rulings, plus=2)
    lumped: dict[int, int] = {}
    for (value, _), weight in Marked(pool).outcomes():
        lumped[value] = lumped.get(value, 0) + weight
    whole, other = sum(lumped.values()), sum(weight for _, weight in pool.outcomes())
    assert {v: Fraction(w, whole) for v, w in lumped.items()} == {v: Fraction(w, other) for v, w in pool.outcomes()}
    flagged = sum(weight for (_, flag), weight in Marked(pool).outcomes() if flag)
    assert Fraction(flagged, whole) == (0 if rulings.dice_wild_one == "plain" else Fraction(1, 6))


@pytest.mark.rules("RD6-DICE-1")
def test_three_pips_are_a_die() -> None:
    assert Code.of_pips(Code(2, 2).value + Code(2).value) == Code(4, 2)
    assert Code.of_pips(Code(2, 2).value + Code(1, 2).value) == Code(4, 1)
    assert Code(4, 1).value == 13 > Code(4).value == 12


@pytest.mark.rules("RD6-DMG-5")
@pytest.mark.parametrize(
    ("strength", "damage"),
    [((1, 0), 1), ((2, 0), 1), ((3, 0), 2), ((4, 0), 2), ((4, 2), 2), ((5, 0), 3), ((6, 2), 3), ((7, 0), 4)],
)
def test_strength_damage(strength: tuple[int, int], damage: int) -> None:
    assert strength_damage(Sheet(attributes=(("Strength", Code(*strength)),))) == Code(damage)


@pytest.mark.rules("RD6-DMG-5", "RD6-DMG-6")
def test_special_strength_counts_before_halving_and_lifting_comes_first() -> None:
    sheet = Sheet(attributes=(("Strength", Code(3)),), strength_special=2)
    assert strength_damage(sheet) == Code(3)
    assert strength_damage(Sheet(attributes=(("Strength", Code(3)),), skills=(Skill("Athletics: Lift", Code(6, 2)),))) == Code(3)


@pytest.mark.rules("RD6-WND-3")
def test_toughness() -> None:
    assert toughness(Sheet(attributes=(("Strength", Code(3, 2)),))) == 12
    assert toughness(Sheet(toughness=0)) == 0


@pytest.mark.rules("RD6-DICE-9")
def test_codes_and_ranks() -> None:
    sheet = Sheet(attributes=(("Agility", Code(3)),), skills=(Skill("Dodge", None, 2), Skill("Ranged Weapons", Code(5))))
    assert code(sheet, "Dodge") == Code(5)
    assert ranks(sheet, "Dodge") == 2
    assert ranks(sheet, "Ranged Weapons") == 2
    assert code(sheet, "Acrobatics") == Code(3)
    assert code(sheet, "Acrobatics: Trick") == Code(3)


@pytest.mark.rules("RD6-SCL-1", "RD6-SCL-2")
def test_sizes() -> None:
    assert list(tables.SIZE.values()) == [16, 12, 8, 4, 3, 2, 1, 0, -1]
    assert scale("medium", "small") == 1
    assert scale("huge", "medium") == 2
    assert scale("huge", "small") == 3
    assert scale("huge", "colossal") == -2


@pytest.mark.rules("RD6-MOD-4", "RD6-MOD-5", "RD6-MOD-6", "RD6-MOD-7")
def test_bands() -> None:
    pistol = Weapon("pistol", "ranged", ranges=(10, 30, 60))
    told = [band(m, pistol) for m in (0, 3, 3.1, 10, 10.1, 30, 60, 61)]
    assert told == ["Point Blank", "Point Blank", "Short", "Short", "Medium", "Medium", "Long", ""]
    assert band(3.5, Weapon("dart", "ranged", ranges=(3, 8, 12))) == "Medium"
    assert band(3.5, UNARMED) == ""
    spear = Weapon("spear", "melee", length=3)
    assert [band(m, spear) for m in (3, 4, 4.5)] == ["Point Blank", "Short", ""]
    assert band(4, Weapon("sword", "melee", length=2)) == ""


@pytest.mark.rules("RD6-SPC-4", "RD6-RND-12", "RD6-DICE-7")
def test_printed_tables() -> None:
    assert tables.TOUGHNESS == {"flimsy": 1, "tough": 2, "sturdy": 3, "very sturdy": 4, "reinforced": 6}
    assert list(tables.TERRAIN.values()) == [0, 1, 2, 3, 4, 5]
    assert list(tables.LADDER.values()) == [1, 2, 3, 4]
    assert all(len(rows) == 6 for rows in tables.INTERACTION.values())


def test_dice_without_end_stop_at_a_limit() -> None:
    pool = counted(Code(3), PLAIN)
    with pytest.raises(AffrayError, match="60"):
        pool.wanted((6,) * 80)
    with pytest.raises(AffrayError, match="500"):
        wild(Code(100_000), PLAIN)
    assert pool.read((3, 2, 1)) == 1
