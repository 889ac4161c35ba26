"""Fights by number: the same whatever the batches and processes; tables and live play count the same things alike."""

from __future__ import annotations

import json
import subprocess
import sys
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from affray.errors import AffrayError
from affray.formats.vary import Base
from affray.simulate import tables
from affray.simulate.duel import duel
from affray.simulate.report import Share
from affray.simulate.run import Fights
from affray.simulate.tally import Batch, Roster, Tally
from affray.simulate.workers import Workers

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NOON = str(EXAMPLES / "rond6-noon.toml")
NAMES = {"law": "aggressive", "outlaw": "aggressive", "master": "aggressive"}


def noon(live: bool = False) -> Fights:
    fight = Base.load(NOON).fight
    return Fights(fight.ruleset, fight.state, NAMES, 60, live, Workers(1))


def tallied(fights: Fights, count: int, first: int = 0, batch: int = 50_000) -> Tally:
    tally = Tally(fights.roster)
    for one in fights.run(3, count, first, batch):
        tally.take(one)
    return tally


@pytest.mark.parametrize("live", [False, True])
def test_batches_change_nothing(live: bool) -> None:
    fights = noon(live)
    whole = Batch.joined(list(fights.run(3, 24)))
    parts = Batch.joined([*fights.run(3, 10, 0, 3), *fights.run(3, 14, 10, 5)])
    for name in ("winner", "rounds", "fates", "downed_by", "left"):
        assert np.array_equal(getattr(whole, name), getattr(parts, name))
    assert fights.cpu_seconds > 0


RELOADING = """
ruleset = "cepheus"
distances = [{ between = ["A", "B"], is = 12 }]
[space]
kind = "distances"
[[side]]
name = "A"
policy = "aggressive"
[[side]]
name = "B"
policy = "aggressive"
[[combatant]]
name = "Shooter"
side = "A"
upp = "777777"
skills = { "Slug Rifle" = 2 }
weapons = ["Accelerator Rifle"]
armor = [{ name = "stone", rating = 400 }]
[[combatant]]
name = "Golem"
side = "B"
count = 2
upp = "FFFFFF"
armor = [{ name = "stone", rating = 400 }]
weapons = ["Accelerator Rifle"]
"""


def fight_of(text: str, path: Path, rounds: int, live: bool = False) -> Fights:
    path.write_text(text)
    fight = Base.load(str(path)).fight
    return Fights(fight.ruleset, fight.state, {"A": "aggressive", "B": "aggressive"}, rounds, live, Workers(1))


@pytest.mark.parametrize("live", [False, True])
def test_rounds_are_counted_when_they_are_shot_also_after_a_reload(tmp_path: Path, live: bool) -> None:
    fights = fight_of(RELOADING, tmp_path / "fight.toml", 60, live)
    assert fights.how.startswith("live" if live else "tables"), fights.how
    shooter = tallied(fights, 8).report(3, fights.how, 0.0, fights.endless).combatants[0]
    (used,) = shooter.used
    assert used.name == "rounds" and used.mean > 2 * used.start > 0
    assert shooter.harm > 0 and not fights.endless  # a fine hit goes through


def test_processes_change_nothing() -> None:
    command = ["simulate", NOON, "--live", "--fights", "24", "--rounds", "60", "--seed", "3", "--json"]
    done = subprocess.run([sys.executable, "-m", "affray", *command], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    alone = tallied(noon(True), 24).report(3, "", 0.0).plain()
    same = ("fights", "sides", "rounds", "combatants", "mean_rounds")
    assert {key: found[key] for key in same} == {key: alone[key] for key in same}


@pytest.mark.parametrize(("tables", "live"), [(290, 150), pytest.param(20_000, 1000, marks=pytest.mark.slow)])
def test_tables_and_live_play_count_alike(tables: int, live: int) -> None:
    a, b = (tallied(noon(way), count).report(3, "", 0.0) for way, count in ((False, tables), (True, live)))
    spread = 4 * sqrt(1 / tables + 1 / live)
    for one, two in zip(a.combatants, b.combatants, strict=True):
        for (_, p), (_, q) in zip(one.fates, two.fates, strict=True):
            assert abs(p - q) < spread * 0.5
        assert abs(one.downed - two.downed) < spread * 0.5
        assert 0.2 < one.harm < 5 and abs(one.harm - two.harm) < spread * 2.5
        for u, v in zip(one.used, two.used, strict=True):
            assert u.name == v.name and u.start == v.start and abs(u.mean - v.mean) < spread * u.start / 2


def made(winner: list[int], fates: list[list[int]], downed: list[list[int]], left: list[list[list[int]]]) -> Batch:
    used = np.maximum(0, np.array([[6], [6], [0]]) - np.array(left))
    harm = np.array([[0, 1, 2]] * len(winner))
    return Batch(*(np.array(part) for part in (winner, winner, fates, downed, left)), used, harm)


def test_a_tally_counts_what_a_person_would() -> None:
    roster = Roster(("Guard 1", "Guard 2", "Orc"), ("A", "A", "B"), ("rounds",), ((6,), (6,), (0,)))
    tally = Tally(roster)
    nobody = [[6], [6], [0]]
    downed = [[-1, -1, 0], [2, -1, 1], [2, 2, -1]]
    tally.take(made([0, 0, 1], [[0, 1, 2], [2, 0, 3], [3, 2, 1]], downed, [nobody, [[0], [4], [0]], nobody]))
    tally.take(made([-1, -2], [[0, 0, 0], [3, 3, 3]], [[-1, -1, -1], [2, 2, -1]], [nobody, nobody]))
    report = tally.report(1, "tables", 0.0)
    first, second = report.sides
    assert (report.fights, first.win.count, second.win.count, report.undecided.count, report.nobody.count) == (5, 2, 1, 1, 1)
    assert (first.lost, first.dead, first.lost_won) == ((2, 1, 2), (3, 1, 1), (1, 1, 0))
    assert (second.lost, second.dead) == ((2, 3), (3, 2))
    assert first.at_least(2).share == 0.4 and first.dear.count == 1 and first.worst() == 2
    guard = report.combatants[0]
    assert dict(guard.fates) == {"untouched": 0.4, "wounded": 0, "out": 0.2, "dead": 0.4}
    assert guard.downs == (("Orc", 0.2),) and report.combatants[2].downed == pytest.approx(1.0)  # five in five fights
    assert [one.harm for one in report.combatants] == [0, 1, 2]
    assert guard.used[0].mean == pytest.approx(1.2) and guard.used[0].ran_out == 0.2 and not report.combatants[2].used


@pytest.mark.parametrize("name", ["rond6-noon", "rd6-street", "cepheus-5v5"])
def test_every_ruleset_tells_what_runs_out(name: str) -> None:
    fight = Base.load(EXAMPLES / f"{name}.toml").fight
    roster = Roster.of(fight.ruleset, fight.state)
    assert "rounds" in roster.means and sum(map(sum, roster.stock)) > 0


@pytest.mark.parametrize(("count", "fights"), [(0, 10), (10, 10), (3, 10), (0, 0), (1, 1_000_000)])
def test_intervals_hold_the_share_and_stay_within_bounds(count: int, fights: int) -> None:
    share: Any = Share.of(count, fights)
    assert 0 <= share.low <= share.share <= share.high <= 1


def test_what_has_no_room_in_tables_is_played_live_or_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST", 20)
    with pytest.raises(AffrayError, match="more than 20 different situations for tables; --live"):
        tallied(noon(), 24)
    monkeypatch.setattr(tables, "MOST_GROUND", 0)
    fights = noon()
    assert fights.how.startswith("live: more than 0 different") and tallied(fights, 2).fights == 2
    fight = Base.load(NOON).fight
    with pytest.raises(ValueError, match="in too many ways: more than 0 "):
        duel(fight.ruleset, fight.state, {side: fight.ruleset.policies[name] for side, name in NAMES.items()})
