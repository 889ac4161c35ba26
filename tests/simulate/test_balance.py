"""The search for a fair value, on made-up fights whose chances are known."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from affray.simulate.balance import Search
from affray.simulate.tally import Batch, Roster

ROSTER = Roster(("a", "b"), ("a", "b"), (), ((), ()))


class Coin:
    """Fights that side a wins with a known chance."""

    how = "tables"
    roster = ROSTER
    cpu_seconds = 0.0

    def __init__(self, chance: float) -> None:
        self.chance = chance

    def run(self, seed: int, count: int, first: int = 0, batch: int = 1000) -> Iterator[Batch]:
        winner = (np.random.default_rng([seed, first, int(1e6 * self.chance)]).random(count) >= self.chance).astype(int)
        none, nothing = np.zeros((count, 2), np.int8), np.zeros((count, 2, 0), int)
        yield Batch(winner, winner, none, none, nothing, nothing, none)


def search(chances: list[float], target: float, ordered: bool = True, most: int = 20_000) -> Any:
    return Search(range(len(chances)), lambda at: Coin(chances[at]), "a", target, seed=3, most=most).run(ordered)  # type: ignore[arg-type, return-value]


@pytest.mark.parametrize("falling", [False, True])
def test_halving_finds_the_nearest_and_leaves_most_values_alone(falling: bool) -> None:
    chances = [k / 40 for k in range(1, 40)]
    found = search(chances[::-1] if falling else chances, 0.7)
    assert found.tried[found.best].value == (11 if falling else 27)
    assert found.sure and found.way == "halving" and found.reach == "between"
    assert sum(one.fights > 0 for one in found.tried) <= 10


def test_a_target_out_of_reach_is_told() -> None:
    found = search([0.1, 0.2, 0.3, 0.4, 0.5], 0.9)
    assert found.best == 4 and found.reach == "below" and found.sure
    found = search([0.6, 0.7, 0.8, 0.9, 0.95], 0.1)
    assert found.best == 0 and found.reach == "above"


def test_what_goes_up_and_down_is_tried_in_full() -> None:
    found = search([0.2, 0.5, 0.8, 0.6, 0.3, 0.1, 0.69], 0.7)
    assert found.way.startswith("all:") and found.best == 6
    assert all(one.fights for one in found.tried)


def test_words_race_and_the_hopeless_drop_out_early() -> None:
    found = search([0.1, 0.55, 0.9], 0.5, ordered=False)
    assert found.best == 1 and found.sure
    assert found.tried[0].fights < 2000 and found.tried[2].fights < 2000


def test_two_that_are_equally_near_are_not_told_apart() -> None:
    found = search([0.4, 0.6], 0.5, most=2000)
    assert not found.sure and {one.fights for one in found.tried} == {2000}


def test_an_interruption_gives_what_there_is() -> None:
    def stop(words: str) -> None:
        if "%" in words:
            raise KeyboardInterrupt

    found = Search([1, 2], lambda value: Coin(0.5), "a", 0.5, tell=stop).run(True)  # type: ignore[arg-type, return-value]
    assert found.interrupted and not found.sure
    assert found.plain()["best"] in (1, 2)
