"""Areas at the table: what a burst or a cone would cover, drawn on the map, and its odds for each of those inside."""

from __future__ import annotations

from pathlib import Path

from cli.playing import table, told

from affray.table.session import Session

AREAS = """
ruleset = "rond6"
title = "Fire"
seed = 5
[space]
walls = [[6, -2, 6, 2]]
[[combatant]]
name = "Ash"
side = "a"
at = [0, 0]
attributes = { Agility = "4D", Perception = "9D" }
skills = { "Ranged Weapons" = "5D" }
weapons = [
    { name = "launcher", kind = "ranged", damage = "4D", ranges = [10, 25, 50], area = "burst small" },
    { name = "flamer", kind = "ranged", damage = "4D", ranges = [3, 3, 3], area = "cone medium" },
]
[[combatant]]
name = "Bo"
side = "b"
at = [4, 1]
attributes = { Perception = "1D" }
[[combatant]]
name = "Cy"
side = "b"
at = [2, -2]
attributes = { Perception = "1D" }
"""


def fire(folder: Path) -> Session:
    file = folder / "fire.toml"
    file.write_text(AREAS)
    session = table(folder, file)
    assert session.actor() == "Ash"
    return session


def test_a_burst_is_drawn_on_the_map(tmp_path: Path) -> None:
    out = told(fire(tmp_path), "map area launcher at 4,0")
    assert "*BO" in out.upper()
    assert "*CY" not in out.upper()
    assert "9 spaces, with these inside: Bo" in out


def test_a_cone_stops_at_the_wall(tmp_path: Path) -> None:
    out = told(fire(tmp_path), "map area flamer facing east")
    rows = [line for line in out.splitlines() if "*" in line]
    assert len(rows) == 5
    assert max(row.count("*") for row in rows) == 5
    assert "*##" not in out and "19 spaces, with these inside: Bo" in out


def test_other_orders_cover_nothing_and_odds_name_everybody_inside(tmp_path: Path) -> None:
    session = fire(tmp_path)
    assert "covers no area" in told(session, "map aim")
    odds = told(session, "odds area launcher at 3,-1")
    assert "Cy:" in odds and "Bo:" not in odds
