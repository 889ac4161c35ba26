"""What dice promise on average: pools in words, Wild Dice, plain words for the difference."""

from __future__ import annotations

import pytest

from affray.dice import PlainPool, WildPool
from affray.render.luck import WILD, WILD_VARIANCE, Luck, of_roll, pool_of


@pytest.mark.parametrize(
    "pool,dice",
    [
        (WildPool(4, 2), (4, 1)),
        (WildPool(5, 0, 2), (5, 2)),
        (WildPool(4, 1, 0), (4, 0)),
        (PlainPool(2), (2, 0)),
        (PlainPool(3, 1), (3, 0)),
        (PlainPool(3, 0, 2), (3, 0)),
    ],
)
def test_pools_in_words(pool: object, dice: tuple[int, int]) -> None:
    assert pool_of(str(pool)) == dice


def test_expectation_is_that_of_the_pool() -> None:
    outcomes = WildPool(4, 0).outcomes()
    weight = sum(w for _, w in outcomes)
    mean = sum(total * w for total, w in outcomes) / weight
    variance = sum((total - mean) ** 2 * w for total, w in outcomes) / weight
    luck = of_roll("4D", (2, 3, 4, 5))
    assert luck.expected == pytest.approx(mean, abs=1e-6)
    assert luck.variance == pytest.approx(variance, rel=1e-5)
    assert pytest.approx(4.2) == WILD and pytest.approx(10.64) == WILD_VARIANCE


def test_faces_that_do_not_count() -> None:
    assert of_roll("3D", (1, 5, 2, 3)).total == 6  # the house table's die
    assert of_roll("3D", (6, 4, 2, 3)).total == 15
    assert of_roll("2D", (6, 3)).expected == 7.0  # not thrown again
    assert of_roll("", ()) == Luck()


def test_verdicts() -> None:
    assert Luck().verdict == "no dice thrown"
    assert Luck(3, 18, 10.5, 9).verdict == "too few dice to tell"
    assert Luck(20, 70, 70, 58).verdict == "as expected"
    assert Luck(20, 80, 70, 58).verdict == "lucky"
    assert Luck(20, 50, 70, 58).verdict == "very unlucky"
