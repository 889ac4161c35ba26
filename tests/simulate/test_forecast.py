"""Forecasts from every point of random fights: chances that sum to 1, equal for a seed and a number of fights, in time."""

from __future__ import annotations

from typing import Any

import pytest
from conformance.rulesets import Entrant, entrants

from affray.encounter import Encounter
from affray.simulate.forecast import Forecaster, forecast

GAMES = [entrant for entrant in entrants() if entrant.ruleset.name != "toy"]


@pytest.fixture(params=GAMES, ids=[g.ruleset.name for g in GAMES])
def game(request: pytest.FixtureRequest) -> Entrant:
    found: Entrant = request.param
    return found


def fight(game: Entrant, seed: int, policy: str, typed: Any = None) -> Encounter:
    who = game.ruleset.policies[policy]
    encounter = Encounter(game.ruleset, game.start(), seed, {"a": who, "b": who, "master": who}, typed)
    encounter.advance()
    return encounter


def summed(found: Any) -> float:
    return float(sum(c.win for c in found.sides) + found.nobody + found.undecided)


@pytest.mark.parametrize("seed", range(2))
def test_from_every_state_of_a_random_fight(game: Entrant, seed: int) -> None:
    encounter = fight(game, seed, "random")
    forecaster = Forecaster(game.ruleset, {}, seed=5)
    for _ in range(12):
        found = forecaster.at(encounter, fights=2)
        assert abs(summed(found) - 1) < 1e-12
        assert found.fights == 2 or found.how == "exact"
        assert all(0 <= c.low <= c.win <= c.high <= 1 for c in found.sides)
        assert [c.side for c in found.sides] == ["a", "b"]
        again = forecast(encounter.settled, game.ruleset, {}, fights=2, seed=5)
        if encounter.open is None:
            assert again.sides == found.sides
        if game.ruleset.over(encounter.state):
            break
        encounter.step()


def test_in_the_middle_of_an_order(game: Entrant) -> None:
    """Everything is typed: each request, half a throw included, is a place to forecast from."""
    encounter = fight(game, 3, "random", typed="all")
    for _ in range(25):
        found = forecast(encounter, policies={}, fights=1)
        assert abs(summed(found) - 1) < 1e-12
        if encounter.open is None:
            encounter.step()
            continue
        request = encounter.open.requests[0]
        encounter.die(request.n, 1 + request.n % 6)


@pytest.mark.parametrize("budget", [0.05, 0.2])
def test_the_budget_is_kept(game: Entrant, budget: float) -> None:
    encounter = fight(game, 1, "aggressive")
    forecaster = Forecaster(game.ruleset, {})
    over = [forecaster.at(encounter, budget).seconds - budget for _ in range(3)]
    assert min(over) < 0.02  # the best of three, since the machine may be busy with something else
    assert max(forecaster.at(encounter, budget).seconds for _ in range(1)) < budget + 1


def test_what_is_decided_is_exact(game: Entrant) -> None:
    encounter = fight(game, 2, "aggressive")
    while not game.ruleset.over(encounter.state):
        encounter.step()
    found = forecast(encounter)
    assert found.how == "exact" and found.fights == 0
    assert sorted([*(c.win for c in found.sides), found.nobody])[-1] == 1


def test_a_line_over_the_whole_fight(game: Entrant) -> None:
    from affray.simulate.line import line, plain, shares, turning_points

    encounter = fight(game, 2, "aggressive")
    while not game.ruleset.over(encounter.state) and len(encounter.entries) < 60:
        encounter.step()
    points = line(encounter, Forecaster(game.ruleset, {}), fights=3)
    orders = [n for n, entry in enumerate(encounter.entries, 1) if not entry.auto]
    assert [point.n for point in points] == [0, *orders]
    if game.ruleset.over(encounter.state):
        assert points[-1].forecast.how == "exact"
    assert all(len(chances) == len(points) for _, chances in shares(points))
    assert all(abs(turn.change) > 2 * turn.error for turn in turning_points(points))
    assert len(plain(points)["points"]) == len(points)
