"""Forecasts from every point of random fights: chances that sum to 1, equal for a seed and a number of fights, in time."""

from __future__ import annotations

from functools import cache
from itertools import count
from math import inf
from typing import Any

import pytest
from conformance.rulesets import Entrant, entrants
from msgspec.structs import replace
from simulate.starts import players, start

from affray.encounter import Encounter
from affray.interpreters.exact import Exact
from affray.policies.ahead import Ahead
from affray.simulate import steps
from affray.simulate.chain import Chain
from affray.simulate.forecast import Forecaster, forecast
from affray.simulate.mass import Simulation

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
        found = forecaster.at(encounter, fights=2, how="live")
        assert abs(summed(found) - 1) < 1e-12
        assert found.fights == 2 or found.how == "exact"
        assert all(0 <= c.low <= c.win <= c.high <= 1 for c in found.sides)
        assert [c.side for c in found.sides] == ["a", "b"]
        again = Forecaster(game.ruleset, {}, seed=5).at(encounter.settled, fights=2, how="live")
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
    """By a clock that goes on by a millisecond each time it is asked: work ends within a few questions of its time."""
    ticks = count()
    forecaster = Forecaster(game.ruleset, {}, now=lambda: next(ticks) / 1000)
    for _ in range(4):
        assert budget <= forecaster.at(fight(game, 1, "aggressive"), budget).seconds < budget + 0.02


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


@cache
def two_against_two(name: str) -> Forecaster:
    """What it tells depends on nothing that was asked before, so its tables serve all tests."""
    ruleset, _ = start(name, 2, 2)
    return Forecaster(ruleset, players(ruleset), seed=2)


@pytest.mark.parametrize("name", ["rond6", "rd6", "cepheus"])
@pytest.mark.parametrize("steps", [0, 1, 4, pytest.param(7, marks=pytest.mark.slow)])
def test_tables_take_over_from_the_middle_of_a_round(name: str, steps: int) -> None:
    """Before a turn, within one and late in the fight: as fights played live from there."""
    ruleset, state = start(name, 2, 2)
    who = players(ruleset)
    encounter = Encounter(ruleset, state, 5, who)
    encounter.advance()
    for _ in range(steps):
        if not ruleset.over(encounter.state):
            encounter.step()
    forecaster = two_against_two(name)
    tables = forecaster.at(encounter, fights=1210, how="tables")
    live = forecaster.at(encounter, fights=120, how="live")
    if ruleset.over(encounter.state):
        assert tables == replace(live, seconds=tables.seconds)
        return
    assert tables.how == "tables" and tables.fights == 1210 and live.how == "live"
    for one, other in zip(tables.sides, live.sides, strict=True):
        error = ((one.high - one.low) ** 2 + (other.high - other.low) ** 2) ** 0.5 / 3.92
        assert abs(one.win - other.win) < 4 * error


@pytest.mark.parametrize("name", ["rond6", "rd6", "cepheus"])
def test_a_duel_is_exact_from_the_middle_of_a_round(name: str) -> None:
    ruleset, state = start(name)
    who = players(ruleset)
    encounter = Encounter(ruleset, state, 5, who, auto=False)
    while encounter.state.round < 1 or not _between_turns(ruleset, encounter):
        encounter.flow()
    forecaster = Forecaster(ruleset, who)
    exact = forecaster.at(encounter, fights=1, how="exact")
    tables = forecaster.at(encounter, fights=2000, how="tables")
    assert exact.how == "exact" and exact.fights == 0 and tables.how == "tables"
    for one, other in zip(exact.sides, tables.sides, strict=True):
        assert abs(one.win - other.win) < 4 * (other.high - other.low) / 3.92 + (one.high - one.low)


def _between_turns(ruleset: Any, encounter: Encounter) -> bool:
    """A round is under way and the next turn has not begun."""
    midway = ruleset.tabular(encounter.settled).midway(encounter.settled)
    return midway is not None and not all(midway[1])


def test_warm_tables_are_used_within_a_budget() -> None:
    ruleset, state = start("rond6")
    encounter = Encounter(ruleset, state, 5, players(ruleset))
    forecaster = Forecaster.of(encounter)
    assert forecaster.at(encounter, 0.05).how == "live"
    assert forecaster.warm(encounter, 3.0)
    assert {forecaster.at(encounter, 1.0).how for _ in range(5)} & {"tables", "exact"}
    encounter.advance()
    assert abs(summed(forecaster.at(encounter, 1.0)) - 1) < 1e-9


def test_warming_ends_with_a_clock_that_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when it says so from the beginning, in the middle of a turn that has to be finished first."""
    ruleset, state = start("rond6")
    encounter = Encounter(ruleset, state, 5, players(ruleset))
    encounter.advance()
    monkeypatch.setattr("affray.simulate.forecast_tables.made_apart", lambda: False)
    forecaster = Forecaster(ruleset, encounter.policies, now=lambda: inf)
    assert not forecaster.warm(encounter) and not forecaster._tables.warmed


class Clock:
    """Time that passes only with work: so much for a row that is solved, an order that is carried out, a pass of the kernel."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(steps, "perf_counter", lambda: self.now)
        self.costs(monkeypatch, Exact, "solve_as", 0.002)
        self.costs(monkeypatch, Ahead, "after", 0.003)
        self.costs(monkeypatch, Simulation, "_pass", 0.003)
        self.costs(monkeypatch, Chain, "step", 0.002)

    def costs(self, monkeypatch: pytest.MonkeyPatch, where: Any, name: str, seconds: float) -> None:
        work = getattr(where, name)

        def done(*args: Any, **kwargs: Any) -> Any:
            self.now += seconds
            return work(*args, **kwargs)

        monkeypatch.setattr(where, name, done)


@pytest.mark.parametrize("name", ["rond6", "rd6", "cepheus"])
@pytest.mark.parametrize("how", ["exact", "tables", "live"])
def test_the_clock_is_asked_often_enough(name: str, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With tables still to be built, two against one in the middle of a fight: no way goes on for long after its time."""
    ruleset, state = start(name, 1 if how == "exact" else 2)
    encounter = Encounter(ruleset, state, 5, players(ruleset, b="cautious"))
    encounter.advance()
    clock = Clock(monkeypatch)
    for budget in (0.05, 0.1, 0.2, 0.4):
        forecaster = Forecaster(ruleset, encounter.policies, now=lambda: clock.now)
        forecaster._tables.warmed = True
        began = clock.now
        found = forecaster.at(encounter, budget, how=how)
        assert clock.now - began <= budget + 0.02 and found.seconds <= budget + 0.02
        encounter.step()
