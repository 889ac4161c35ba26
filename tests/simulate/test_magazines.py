"""Ammunition beside the states of an exact fight: nothing but speed comes of it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace
from simulate.starts import players, start
from simulate.test_duel import tables_agree, whole

from affray.simulate.duel import duel
from affray.simulate.mass import Simulation

RULESETS = ("rond6", "rd6", "cepheus")
ROUNDS = {"rond6": 4, "rd6": 4, "cepheus": 3}
"""In a full magazine: few enough to be shot empty again and again."""


def short(name: str) -> tuple[Any, Any]:
    """A duel in which everybody has to reload soon; one side begins with half a magazine."""
    ruleset, state = start(name)
    rounds = ROUNDS[name]
    fighters = []
    for me, left in zip(state.fighters, (rounds, rounds // 2), strict=True):
        weapon = me.sheet.weapons[0]
        if name == "rond6":
            given: dict[str, Any] = {"weapon": {"ammo": rounds}, "me": {"ammo": ((weapon.name, left),)}}
        elif name == "rd6":
            given = {"weapon": {"clip": rounds}, "me": {"loaded": ((weapon.name, left),)}}
        else:
            given = {"weapon": {"magazine": rounds}, "me": {"held": (replace(me.held[0], rounds=left),)}}
        sheet = replace(me.sheet, weapons=(replace(weapon, **given["weapon"]),))
        fighters.append(replace(me, sheet=sheet, **given["me"]))
    return ruleset, replace(state, fighters=tuple(fighters))


@pytest.mark.parametrize("name", RULESETS)
def test_the_same_with_every_round_in_the_seats(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no number of rounds is enough, everybody is shown with the rounds that are left, in each turn."""
    ruleset, state = short(name)
    rounds, prune = (5, 1e-4) if name == "cepheus" else (12, 1e-8)
    found = duel(ruleset, state, players(ruleset), prune=prune, max_rounds=rounds)
    assert found.lost <= prune
    monkeypatch.setattr(type(ruleset.tabular(state)), "enough", lambda self, seat: 10**5)
    plain = duel(ruleset, state, players(ruleset), prune=prune, max_rounds=rounds)
    assert plain.states > found.states
    assert found.win == pytest.approx(plain.win, abs=2 * prune)
    assert found.rounds == pytest.approx(plain.rounds, abs=2 * prune)


@pytest.mark.parametrize("name", ["rond6", "rd6", pytest.param("cepheus", marks=pytest.mark.slow)])
def test_short_magazines_agree_with_tables(name: str) -> None:
    ruleset, state = short(name)
    found = duel(ruleset, state, players(ruleset))
    whole(found)
    assert found.error < 1e-6
    tables_agree(found, Simulation(ruleset, state, players(ruleset)).run(4000, seed=3, compiled=False), 4000)


@pytest.mark.parametrize("name", RULESETS)
def test_more_than_enough_rounds_change_nothing_in_a_turn(name: str) -> None:
    """From `enough` on, what is done does not depend on how many there are."""
    ruleset, state = short(name)
    simulation = Simulation(ruleset, state, players(ruleset, b="cautious"))
    simulation.run(60, seed=1, compiled=False)
    t, tables = simulation.tabular, simulation.tables
    tried = 0
    for number, look in sorted(tables.next):
        seat = tables.seats[number]
        if t.acting(seat) and t.supply(seat) <= t.capacity(seat):
            few, many = (tables.seat(t.stocked(seat, rounds)) for rounds in (t.enough(seat), 99))
            assert t.supply(tables.seats[few]) == t.enough(seat)
            assert tables.next_action(few, look) == tables.next_action(many, look)
            tried += 1
    assert tried > 5
