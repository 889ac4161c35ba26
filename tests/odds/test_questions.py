"""Questions of dice: against brute force, against icepool, and what is said of them."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from pathlib import Path

import icepool
import pytest

from affray import odds
from affray.dice import PlainPool
from affray.errors import AffrayError, BadAnswer
from affray.odds.questions import CUT_NOTE, ways
from affray.totals import CUT


@pytest.mark.parametrize("dice", range(1, 25))
def test_tests_against_icepool(dice: int) -> None:
    wild = icepool.d6.explode(depth=CUT).map(lambda total: min(total, 6 * (CUT + 1)))
    die = wild + (dice - 1) @ icepool.d6
    for need in (1, dice, 10, 15, 3 * dice, 5 * dice, 6 * dice + 1, 6 * dice + 20):
        reached, whole = ways(odds.questions.pool_of(f"{dice}D"), need)
        assert Fraction(reached, whole) == die.probability(">=", need)
        assert odds.chance(f"{dice}D", need) == pytest.approx(float(die.probability(">=", need)), abs=1e-15)


def test_opposed_rolls_by_brute_force() -> None:
    """2D6 against 1D6, without Wild Dice: 36 × 6 ways."""
    found = odds.opposed(PlainPool(2), PlainPool(1))
    ahead = [a + b - c for a, b, c in product(range(1, 7), repeat=3)]
    assert found.ahead.exact(0) == Fraction(ahead.count(0), 216)
    assert found.ahead.exactly_at_least(1) == Fraction(sum(by > 0 for by in ahead), 216)
    assert found.wins + found.ties + found.loses == pytest.approx(1)
    assert sum(weight for _, weight in found.ahead.outcomes) == found.ahead.whole


def test_opposed_rolls_are_even_between_equals() -> None:
    found = odds.opposed("4D", "4D")
    assert found.ahead.exactly_at_least(1) == 1 - found.ahead.exactly_at_least(0)
    assert found.ahead.mean() == 0


def test_checks_by_hand() -> None:
    """8 or more on two dice: 15 of 36 ways; with +2, 26 of 36."""
    assert Fraction(odds.check(0, ruleset="").exact) == Fraction(15, 36)
    assert Fraction(odds.check(2, ruleset="").exact) == Fraction(26, 36)
    assert odds.check(2, ruleset="").margin.exact(4) == Fraction(1, 36) * 3


@pytest.mark.rules("RON-DMG-3")
def test_damage_in_the_words_of_the_ruleset() -> None:
    """1D against 8: 6 and 2 to 5, or 6, 6, 1 stun (25/216); more wounds (5/216)."""
    found = odds.damage("1D", 8)
    assert found.values[:3] == ("nothing", "stunned", "1 wound")
    assert found.exact("stunned") == Fraction(25, 216)
    assert found.exact("nothing") == 1 - Fraction(30, 216)
    assert sum(found.exact(word) for word in found.values) == 1


def test_a_table_holds_what_single_questions_say() -> None:
    table = odds.table([f"{n}D" for n in range(1, 13)], (5, 10, 15))
    assert table.rows[0] == "1D" and table.columns == (5, 10, 15)
    for row, cells, exact in zip(table.rows, table.cells, table.exact, strict=True):
        for need, cell, fraction in zip(table.columns, cells, exact, strict=True):
            one = odds.test(row, need)
            assert (cell, fraction) == (one.success, one.exact)


def test_float_tables_agree_with_whole_numbers() -> None:
    from affray.odds.floats import all_totals

    found = all_totals(24)
    for dice in range(1, 25):
        exact = odds.total(f"{dice}D")
        for total, weight in exact.outcomes:
            assert found[dice - 1, total] == pytest.approx(weight / exact.whole, rel=1e-12, abs=0)
        assert found[dice - 1].sum() == pytest.approx(1, abs=1e-13)


def test_the_cut_is_stated_where_dice_explode() -> None:
    assert odds.total("4D").note == CUT_NOTE
    assert odds.total(PlainPool(4)).note == ""
    assert odds.check(1).total.note == ""


def test_plain_data_is_json_with_fractions_as_text() -> None:
    plain = json.loads(json.dumps(odds.test("2D", 7).plain()))
    assert Fraction(plain["success"]["exact"]) == Fraction(odds.test("2D", 7).exact)
    assert sum(Fraction(row["exact"]) for row in plain["total"]["results"]) == 1


def test_what_is_no_die_code_is_refused() -> None:
    with pytest.raises(BadAnswer, match="no die code"):
        odds.test("5X", 10)
    with pytest.raises(AffrayError, match="unknown ruleset"):
        odds.test("5D", 10, "rond7")


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_charts_are_written(tmp_path: Path, kind: str) -> None:
    path = str(tmp_path / f"chart.{kind}")
    odds.total("4D").plot(path)
    odds.table(["1D", "2D"], (5, 10)).plot(path)
    assert Path(path).read_bytes()[:4] in (b"\x89PNG", b"<?xm")
    with pytest.raises(AffrayError, match="pictures are written as"):
        odds.total("4D").plot(f"{tmp_path}/chart.bmp")
