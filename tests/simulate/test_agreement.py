"""Tables, live play and the exact duel are one game: chances, rounds and final states of many fights agree.

`pytest -s` shows the figures.
"""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from math import sqrt
from pathlib import Path
from typing import Any

import pytest
from simulate import chances, starts

from affray.cli.fight import chosen_policies
from affray.formats.encounter import load_fight
from affray.ruleset import find
from affray.simulate.live import one
from affray.simulate.mass import Simulation

ROOT = Path(__file__).parent.parent.parent
RULESETS = ("rond6", "rd6", "cepheus")
ROUNDS = 200
LEAST_P = 0.001
"""Below this a chi-square test has failed."""


def start_of(name: str) -> tuple[Any, dict[str, str]]:
    """The state and the policies of a fight: '5v5' files, else a duel."""
    if name.endswith("5v5"):
        fight = load_fight(str(ROOT / "examples" / f"{name}.toml"))
        return fight.state, chosen_policies(fight, ())[1]
    return starts.STARTS[name](1, 1), {"a": "aggressive", "b": "aggressive", "master": "aggressive"}


def live_part(name: str, seeds: range) -> list[tuple[str, int, tuple[str, ...]]]:
    state, policies = start_of(name)
    fought = [one(name.split("-")[0], state, policies, seed, ROUNDS) for seed in seeds]
    return [(f.winner, f.rounds, f.fates) for f in fought]


Counts = tuple[Counter[Any], Counter[Any], list[Counter[Any]]]


def counted(found: list[tuple[str, int, tuple[str, ...]]]) -> Counts:
    """Winners, rounds, fates of each."""
    fates = [Counter(f[2][i] for f in found) for i in range(len(found[0][2]))]
    return Counter(f[0] for f in found), Counter(min(f[1], ROUNDS) for f in found), fates


def live_counts(name: str, fights: int) -> Counts:
    step = 50
    parts = [range(i, min(fights, i + step)) for i in range(1, fights + 1, step)]
    if fights <= 500:
        return counted([f for part in parts for f in live_part(name, part)])
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return counted([f for part in pool.map(partial(live_part, name), parts) for f in part])


@cache
def simulation_of(name: str) -> Simulation:
    """With the rows that shorter tests have built already."""
    state, policies = start_of(name)
    rules = find(name.split("-")[0])
    return Simulation(rules, state, {key: rules.policies[policy] for key, policy in policies.items()}, ROUNDS)


def table_counts(name: str, fights: int) -> Counts:
    simulation = simulation_of(name)
    winners: Counter[Any] = Counter()
    rounds: Counter[Any] = Counter()
    fates: list[Counter[Any]] = [Counter() for _ in simulation.ids]
    for first in range(0, fights, 100_000):
        raw = simulation.run(min(100_000, fights - first), seed=7, first=first)
        words = {-1: "?", -2: "", **dict(enumerate(simulation.sides))}
        winners.update(words[k] for k in raw.winner.tolist())
        rounds.update(raw.rounds.tolist())
        known = [simulation.tabular.fate(seat) for seat in simulation.tables.seats]
        for i, counter in enumerate(fates):
            counter.update(known[seat] for seat in raw.final[:, i].tolist())
    return winners, rounds, fates


LENGTHS = [
    pytest.param(1500, 100, id="fast"),
    pytest.param(200_000, 2_000, id="slow", marks=pytest.mark.slow),
    pytest.param(1_000_000, 200_000, id="endurance", marks=[pytest.mark.slow, pytest.mark.endurance]),
]


@pytest.mark.parametrize(("tables", "lively"), LENGTHS)
@pytest.mark.parametrize("name", RULESETS)
def test_duels_are_as_exact(name: str, tables: int, lively: int) -> None:
    exact = starts.exact(name)
    rounds = {r + 1: chance for r, chance in enumerate(exact.rounds)}
    rounds[ROUNDS] = rounds.get(ROUNDS, 0.0) + exact.undecided  # such fights stop with the last round
    for how, (winners, lasted, fates) in (("tables", table_counts(name, tables)), ("live", live_counts(name, lively))):
        n = sum(winners.values())
        for side, p in zip(exact.sides, exact.win, strict=True):
            z = (winners[side] / n - p) / sqrt(p * (1 - p) / n)
            print(f"{name} {how} z {side} {z:.2f}")
            assert abs(z) <= 4 + exact.error / sqrt(p * (1 - p) / n), (how, side)
        p = chances.against(lasted, rounds)
        print(f"{name} {how} p rounds {p:.3f}")
        assert p > LEAST_P, (how, "rounds")
        for i, counter in enumerate(fates):
            chance: Counter[Any] = Counter()
            for words, weight in exact.fates:
                chance[words[i]] += weight  # type: ignore[assignment]
            p = chances.against(counter, chance)
            print(f"{name} {how} p fate {i} {p:.3f}")
            assert p > LEAST_P, (how, exact.ids[i])


MANY = [
    pytest.param(1000, 30, id="fast"),
    pytest.param(200_000, 800, id="slow", marks=pytest.mark.slow),
    pytest.param(1_000_000, 20_000, id="endurance", marks=[pytest.mark.slow, pytest.mark.endurance]),
]


@pytest.mark.parametrize(("tables", "lively"), MANY)
@pytest.mark.parametrize("name", [f"{name}-5v5" for name in RULESETS])
def test_five_against_five(name: str, tables: int, lively: int) -> None:
    ours, theirs = table_counts(name, tables), live_counts(name, lively)
    for what, one_way, other in (
        ("winner", ours[0], theirs[0]),
        ("rounds", ours[1], theirs[1]),
        *((f"fate {i}", a, b) for i, (a, b) in enumerate(zip(ours[2], theirs[2], strict=True))),
    ):
        p = chances.alike(one_way, other)
        print(f"{name} p {what} {p:.3f}")
        assert p > LEAST_P, what


def test_the_chi_square_of_tables_in_books() -> None:
    for degrees, x, p in ((1, 3.841, 0.05), (5, 11.070, 0.05), (10, 18.307, 0.05), (10, 29.588, 0.001), (30, 59.703, 0.001)):
        assert abs(chances.above(x, degrees) - p) < 2e-5
