"""`affray duel` and `affray simulate`: figures that agree, formats, refusals in words."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NOON = str(EXAMPLES / "rond6-noon.toml")


def run(*args: str) -> tuple[int, str, str]:
    done = subprocess.run([sys.executable, "-m", "affray", *args], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_duel_and_simulation_agree() -> None:
    code, out, _ = run("duel", NOON, "--json", "--prune", "1e-8", "--rounds", "60")
    assert code == 0
    duel = json.loads(out)
    whole = sum(duel["win"]) + duel["both_out"] + duel["undecided"] + duel["lost"]
    assert abs(whole - 1) < 1e-9
    code, out, _ = run("simulate", NOON, "--json", "--fights", "1500", "--rounds", "60")
    assert code == 0
    found = json.loads(out)
    assert found["fights"] == 1500 and found["how"] == "tables" and found["cpu_seconds"] > 0
    for side, chance in zip(found["sides"], duel["win"], strict=True):
        assert abs(side["win"] - chance) < 4 * (chance * (1 - chance) / 1500) ** 0.5
        assert side["low"] <= side["win"] <= side["high"]
    for one in found["combatants"]:
        assert abs(sum(one["fates"].values()) - 1) < 1e-9


def test_what_tables_cannot_hold_runs_live_and_says_so() -> None:
    code, out, _ = run("simulate", str(EXAMPLES / "rond6-duel.toml"), "--fights", "4")
    assert code == 0 and "live: " in out and "has to move" in out
    code, _, err = run("duel", str(EXAMPLES / "rond6-duel.toml"))
    assert code == 2 and "affray simulate" in err and "Traceback" not in err


def test_until_stops_early_and_nonsense_is_refused() -> None:
    code, out, _ = run("simulate", NOON, "--fights", "60000", "--until", "5%", "--csv")
    assert code == 0
    lines = out.splitlines()
    assert lines[0] == "side,fights,win,low,high" and int(lines[1].split(",")[1]) < 60000
    code, _, err = run("simulate", NOON, "--until", "much")
    assert code == 2 and "0.5%" in err
    code, _, err = run("simulate", "nowhere.toml")
    assert code == 2 and "Traceback" not in err
