"""Comparisons from pairs: intervals that hold the truth, common dice that cancel out, sides that belong together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from affray.formats.vary import Base
from affray.simulate.compare import Pairs, paired
from affray.simulate.run import Fights
from affray.simulate.tally import Batch, Roster

NOON = Path(__file__).resolve().parents[2] / "examples" / "rond6-noon.toml"
NAMES = {"law": "aggressive", "outlaw": "aggressive", "master": "aggressive"}


def batch(winner: Any) -> Batch:
    n = len(winner)
    fates = np.stack([np.where(winner == 0, 0, 2), np.where(winner == 1, 0, 2)], axis=1)
    return Batch(winner, winner + 1, fates, np.zeros((n, 2), int), *[np.zeros((n, 2, 0), int)] * 2, np.zeros((n, 2), int))


def test_intervals_of_pairs_hold_the_truth_and_are_narrower() -> None:
    roster = Roster(("a", "b"), ("a", "b"), (), ((), ()))
    random = np.random.default_rng(4)
    missed = 0
    for _ in range(200):
        dice = random.random(2000)
        pairs = Pairs(roster, roster)
        pairs.take(batch((dice > 0.5).astype(int)), batch((dice > 0.55).astype(int)))
        found = pairs.result(0, ("tables", "tables"), 0.0)
        missed += not found.wins[0].low <= 0.05 <= found.wins[0].high
        assert found.worth > 4 and found.wins[0].name == "a"
    assert missed <= 20


def test_sides_of_other_names_belong_together_by_place() -> None:
    first, second = (Roster(("x", "y"), sides, (), ((), ())) for sides in (("Heroes", "Thugs"), ("Party", "Guards")))
    pairs = Pairs(first, second)
    pairs.take(batch(np.zeros(10, int)), batch(np.ones(10, int)))
    found = pairs.result(0, ("tables", "tables"), 0.0)
    assert [one.name for one in found.wins] == ["Heroes / Party", "Thugs / Guards"]
    assert [one.difference for one in found.wins] == [-1, 1] and found.same == 0


@pytest.mark.parametrize("live", [False, True])
def test_a_fight_is_no_different_from_itself_and_better_aim_helps(live: bool) -> None:
    base = Base.load(NOON)
    better = base.varied([("ada.skills.Ranged Weapons", "9D")])
    count = 40 if live else 400
    for fight, same in ((base.fight, True), (better, False)):
        sources = [Fights(one.ruleset, one.state, NAMES, 60, live) for one in (base.fight, fight)]
        pairs = Pairs(sources[0].roster, sources[1].roster)
        for a, b in paired(sources[0], sources[1], 3, count):
            pairs.take(a, b)
        found = pairs.result(3, (sources[0].how, sources[1].how), 0.0)
        assert found.fights == count
        assert (found.same == 1 and found.wins[0].difference == 0) if same else found.wins[0].low > 0
        for source in sources:
            source.workers.close()
