"""Fights worked out exactly: weights that sum to one, and agreement with tables and with live play, in each ruleset."""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np
import pytest
from simulate.starts import exact, players, start

from affray.simulate.book import Book, each
from affray.simulate.chain import Chain, Space, Weights
from affray.simulate.duel import Duel, Far, duel
from affray.simulate.mass import Simulation
from affray.simulate.order import classes, orders
from affray.simulate.playout import Players, Playout, Standing

RULESETS = ("rond6", "rd6", "cepheus")


def close(count: int, fights: int, chance: float, error: float = 0.0) -> bool:
    return abs(count / fights - chance) <= 4 * sqrt(max(chance * (1 - chance), 1 / fights) / fights) + error


def whole(found: Duel) -> None:
    assert abs(sum(found.win) + found.both_out + found.undecided + found.lost - 1) < 1e-9
    ended = sum(found.win) + found.both_out
    assert abs(sum(weight for _, weight in found.fates) - ended) < 1e-9
    assert abs(sum(found.rounds) - ended) < 1e-9
    assert found.lost <= 1e-6 and len(found.fates[0][0]) == len(found.ids)


def tables_agree(found: Duel, raw: Any, fights: int) -> None:
    for side, chance in enumerate(found.win):
        assert close(int((raw.winner == side).sum()), fights, chance, found.error)
    assert close(int((raw.winner == -2).sum()), fights, found.both_out, found.error)
    for number in range(min(4, len(found.rounds))):
        assert close(int((raw.rounds == number + 1).sum()), fights, found.rounds[number], found.error)


@pytest.mark.parametrize("name", RULESETS)
def test_a_duel_agrees_with_tables_and_live_play(name: str) -> None:
    ruleset, state = start(name)
    who = players(ruleset)
    found = exact(name)
    whole(found)
    assert found.error < 1e-6 or len(found.rounds) == found.limit
    tables_agree(found, Simulation(ruleset, state, who).run(4000, seed=1, compiled=False), 4000)
    playout = Playout(ruleset, Players(ruleset, who))
    won = sum(playout.fight(Standing(state), number) == "a" for number in range(150))
    assert close(won, 150, found.win[0], found.error)


@pytest.mark.slow
@pytest.mark.parametrize("fights", [1_000, pytest.param(20_000, marks=pytest.mark.endurance)])
@pytest.mark.parametrize("name", RULESETS)
def test_a_duel_agrees_with_many_fights(name: str, fights: int) -> None:
    ruleset, state = start(name)
    for foe in ("aggressive", "cautious"):
        who = players(ruleset, b=foe)
        found = exact(name, foe)
        whole(found)
        tables_agree(found, Simulation(ruleset, state, who).run(1_000_000, seed=2), 1_000_000)
        playout = Playout(ruleset, Players(ruleset, who))
        won = sum(playout.fight(Standing(state), number) == "a" for number in range(fights))
        assert close(won, fights, found.win[0], found.error)


@pytest.mark.parametrize(
    ("name", "a", "b"),
    [("rond6", 2, 1), pytest.param("rond6", 2, 2, marks=pytest.mark.slow), pytest.param("rd6", 2, 1, marks=pytest.mark.slow)],
)
def test_a_few_on_each_side(name: str, a: int, b: int) -> None:
    ruleset, state = start(name, a, b)
    who = players(ruleset)
    found = duel(ruleset, state, who, prune=1e-6 if a + b < 4 else 1e-4)
    assert found.sides == ("a", "b") and len(found.ids) == a + b
    assert abs(sum(found.win) + found.both_out + found.undecided + found.lost - 1) < 1e-9
    tables_agree(found, Simulation(ruleset, state, who).run(3000, seed=1, compiled=False), 3000)


def test_too_many_states_are_said_to_be() -> None:
    ruleset, state = start("rond6", 2, 2)
    with pytest.raises(ValueError, match="too many ways: more than 500 different situations"):
        duel(ruleset, state, players(ruleset), most=500)
    ruleset, state = start("cepheus", 5, 5)
    with pytest.raises(ValueError, match="initiative alone"):
        duel(ruleset, state, players(ruleset))


def test_a_step_that_leads_to_too_much_is_given_up_early() -> None:
    """Some states from all over tell how many there will be; those that meet again are not taken for more."""
    from affray.simulate.chain import SAMPLE

    def chained(width: int, reach: int) -> Chain:
        space, count = Space(1, 200_000), 30_000
        solved: list[int] = []

        def spread(columns: list[Any]) -> Any:
            solved.append(len(columns[0]))
            entry = np.repeat(np.arange(len(columns[0])), width)
            to = count + (columns[0][entry] * width + np.arange(len(entry)) % width) % reach
            return entry, [to], np.full(len(entry), 1 / width)

        numbers = space.numbers([np.arange(count)])
        chain = Chain(space)
        try:
            chain.step("", Weights(np.zeros(count, np.int64), numbers, np.full(count, 1 / count)), spread)
        finally:
            asked.append(sum(solved))
        return chain

    asked: list[int] = []
    with pytest.raises(OverflowError, match="about 2,000,000 different situations"):
        chained(50, 10**9)
    assert asked.pop() <= 2 * SAMPLE
    assert len(chained(50, 100_000).space) == 130_000 and asked == [30_000]


def test_how_far_it_is_is_told() -> None:
    ruleset, state = start("rond6")
    seen: list[Far] = []
    duel(ruleset, state, players(ruleset), progress=seen.append)
    assert seen[0].round == 1 and seen[0].left == 1 and seen[-1].left < 1e-3
    assert [(far.round, far.states) for far in seen] == sorted((far.round, far.states) for far in seen)


def test_a_round_limit_is_kept() -> None:
    ruleset, state = start("rond6")
    found = duel(ruleset, state, players(ruleset), max_rounds=2)
    assert len(found.rounds) == 2 and found.left == 0 and found.undecided > 0.1
    long = exact("rond6")
    assert found.rounds == pytest.approx(long.rounds[:2], abs=1e-6)


def test_what_is_dropped_is_within_the_bound() -> None:
    ruleset, state = start("rond6")
    rough, fine = (duel(ruleset, state, players(ruleset), prune=prune) for prune in (1e-3, 1e-9))
    assert rough.states < fine.states and fine.lost < 1e-9 < rough.lost <= 1e-3
    for worse, better in zip(rough.win, fine.win, strict=True):
        assert worse <= better + 1e-12 and better - worse <= rough.error


def test_orders_of_a_round() -> None:
    even = {1: 0.5, 2: 0.5}
    found = dict(orders([(even, [0]), (even, [1])], [0, 0]))
    assert found == {(0, 1): 0.75, (1, 0): 0.25}
    found = dict(orders([(even, [0]), (even, [1])], [0, 1]))
    assert found == {(0, 1): 0.25, (1, 0): 0.75}
    group = dict(orders([(even, [0, 2]), ({1: 1.0}, [1])], [0, 1, 0]))
    assert group == {(0, 2, 1): 0.5, (1, 0, 2): 0.5}


def test_scores_that_stay_are_told_apart_as_far_as_it_matters() -> None:
    wide = {0: 0.5, 5: 0.5}
    assert dict(classes([(wide, [0]), ({0: 1.0}, [1])], 2, 0)) == {(0, 0): 0.5, (1, 0): 0.5}
    assert dict(classes([(wide, [0]), ({0: 1.0}, [1])], 2, 2)) == {(0, 0): 0.5, (3, 0): 0.5}


def test_a_chain_steps_and_counts_what_it_drops() -> None:
    space = Space(1, 100)
    book = Book(1, each(lambda key: ([(key + 1,), (0,)], [0.5, 0.5])))

    def spread(columns: list[Any]) -> Any:
        return book.expand(columns[0])

    chain = Chain(space, 0.01)
    x = Weights(np.zeros(1, np.int64), space.numbers([np.array([0])]), np.ones(1))
    for _ in range(30):
        x = chain.step("", x, spread).summed()
    assert abs(x.total + chain.lost - 1) < 1e-12 and 0 < chain.lost <= 0.01
    assert abs(float(x.weight[x.state == space.numbers([np.array([1])])[0]].sum()) - 0.25) < 0.01
