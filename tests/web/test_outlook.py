"""Forecasts of running fights: kept with their fight, surer with time, and what others are told knows no secrets."""

from __future__ import annotations

from math import inf
from types import SimpleNamespace
from typing import Any

import pytest
from waiting import PATIENCE, until

from affray import sight
from affray.encounter import Encounter
from affray.formats import samples
from affray.formats.draft import whole
from affray.simulate.forecast import Chance, Forecast, Forecaster
from affray.web.hall import read_source
from affray.web.outlook import Outlook, Position, Watchman, summed


def fight(sample: str = "cepheus-corridor") -> Encounter:
    opening = read_source(whole(samples.path(sample)), {})
    made = Encounter(opening.ruleset, opening.state, 3)
    made.advance()
    return made


def told(how: str, win: float, half: float, fights: int) -> Forecast:
    return Forecast((Chance("A", win, win - half, win + half), Chance("B", 1 - win, 0, 1)), 0, 0, fights, how, 0.1)


def test_forecasts_of_one_position_are_put_together() -> None:
    assert summed([]) is None and summed([told("live", 1, 0, 0)]) is None
    live = summed([told("live", 1.0, 0.4, 2), told("live", 0.5, 0.4, 6)])
    assert live is not None and live["chance"] == 5 / 8 and live["fights"] == 8 and 0.2 < live["error"] < 0.4
    tables = summed([told("tables", 0.4, 0.1, 100), told("tables", 0.6, 0.1, 100)])
    assert tables is not None and abs(tables["chance"] - 0.5) < 1e-9 and abs(tables["error"] - 0.1 / 2**0.5) < 1e-9


def test_better_forecasts_take_the_place_of_worse_ones() -> None:
    position = Position("v", None)
    for one, kept in (
        (told("live", 1, 0.4, 0), []), (told("live", 1, 0.4, 2), ["live"]), (told("live", 1, 0.4, 2), ["live", "live"]),
        (told("tables", 0.5, 0.1, 99), ["tables"]), (told("live", 1, 0.4, 2), ["tables"]),
        (told("tables", 0.5, 0.1, 99), ["tables", "tables"]), (told("exact", 0.5, 0, 0), ["exact"]),
        (told("exact", 0.5, 0, 0), ["exact"]),
    ):  # fmt: skip
        position.add(one)
        assert [found.how for found in position.found] == kept
    assert position.tries == 8


def test_the_same_once_more_plays_other_fights() -> None:
    made = fight("rond6-noon")
    forecaster = Forecaster.of(made)
    shares = {forecaster.at(made, fights=20, how="live", again=n).sides[0].win for n in range(6)}
    assert len(shares) > 1
    again = [forecaster.at(made, fights=20, how="live", again=3).sides[0].win for _ in range(2)]
    assert again[0] == again[1]


def test_a_clock_at_its_end_stops_the_work() -> None:
    made = fight()
    found = Forecaster(made.ruleset, now=lambda: inf).at(made, fights=50, how="live")
    assert found.fights == 0


def test_an_outlook_grows_surer_and_begins_anew_when_the_fight_moves_on() -> None:
    made = fight()
    outlook = Outlook(made, True)
    outlook.look("one", made)
    first = outlook.told()
    for _ in range(30):
        if outlook.sure:
            break
        outlook.work()
    then = outlook.told()
    assert first is not None and then is not None and then["error"] < first["error"] and then["fights"] > first["fights"]
    position = outlook.position
    outlook.look("one", made)
    assert outlook.position is position
    outlook.look("two", made)
    assert outlook.position is not position and not outlook.position.found
    assert outlook.suits(made)
    made.policies = {"Marines": made.ruleset.policies["random"]}
    assert not outlook.suits(made)


def test_others_forecast_from_what_everybody_knows() -> None:
    made = fight()
    outlook = Outlook(made, False)
    outlook.look("one", made)
    assert outlook.position.where.state is sight.eyes(made, sight.SPECTATOR).judged


def test_the_watchman_works_on_what_somebody_looks_at_and_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    made = fight()
    hall: Any = SimpleNamespace(decided=0.0, tables={}, faults=[], note_fault=lambda wrong: hall.faults.append(wrong))
    watchman = Watchman(hall)
    monkeypatch.setattr("affray.simulate.forecast_tables.made_apart", lambda *stopped: True)
    monkeypatch.setattr("affray.web.outlook.made_apart", lambda *stopped: True)
    outlook = Outlook(made, True, watchman.now)
    outlook.look("one", made)
    hall.tables = {"f": SimpleNamespace(outlooks={True: outlook})}
    watchman.start()
    until(lambda: outlook.position.tries >= 2 or outlook.sure, "the watchman has worked")
    assert outlook.position.found and not hall.faults
    watchman.end()
    watchman.join(PATIENCE)
    assert not watchman.is_alive()
