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
    for side in found["sides"]:
        assert sum(side["lost"]) == sum(side["dead"]) == 1500
        assert side["disasters"]["all_lost"]["share"] == side["lost"][1] / 1500
    for one in found["combatants"]:
        assert abs(sum(one["fates"].values()) - 1) < 1e-9


def test_what_tables_cannot_hold_runs_live_and_says_so() -> None:
    code, out, _ = run("simulate", str(EXAMPLES / "rond6-duel.toml"), "--fights", "4")
    assert code == 0 and "fight by fight" in out and "has to move" in out
    code, out, _ = run("duel", str(EXAMPLES / "rond6-duel.toml"), "--fights", "4")
    assert code == 0 and "simulated, not worked out" in out and "has to move" in out
    code, out, _ = run("duel", str(EXAMPLES / "rd6-5v5.toml"), "--fights", "4")
    assert code == 0 and "simulated, not worked out: it can go in too many ways" in out and "4 fights" in out
    code, out, _ = run("duel", NOON, "--states", "100", "--fights", "4")
    assert code == 0 and "more than 100 different situations" in out and "(4 fights, in tables" in out
    code, out, _ = run("duel", NOON, "--fights", "4", "--seconds", "0.1", "--policy", "outlaw=cautious")
    assert code == 0 and "simulated, not worked out" in out and "longer than 0.1 seconds" in out


def test_the_bound_of_an_exact_fight_is_told_in_percent() -> None:
    from affray.cli.duel import within

    assert [within(error) for error in (0.0, 5.9e-7, 1e-6, 0.00999, 0.0123, 0.1)] == ["", *(f", each chance to {x} %" for x in
        ("0.00006", "0.0001", "1", "2", "10"))]  # fmt: skip
    code, out, _ = run("duel", NOON)
    assert code == 0 and "worked out exactly, each chance to 0.0000" in out and "e-" not in out


def test_until_stops_early_and_nonsense_is_refused() -> None:
    code, out, _ = run("simulate", NOON, "--fights", "60000", "--until", "5%", "--csv")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].startswith("side,fights,win,low,high,") and int(lines[1].split(",")[1]) < 60000
    code, _, err = run("simulate", NOON, "--until", "much")
    assert code == 2 and "0.5%" in err
    code, _, err = run("simulate", "nowhere.toml")
    assert code == 2 and "Traceback" not in err


def test_the_report_tells_fates_losses_and_what_is_used_up(tmp_path: Path) -> None:
    picture = tmp_path / "noon.svg"
    code, out, err = run("simulate", NOON, "--fights", "300", "--plot", str(picture))
    assert code == 0, err
    for words in ("95 % sure", "Rounds:", "untouched", "puts out", "outlaw: falls in", "used", "rounds"):
        assert words in out
    assert all(line == line.rstrip() for line in out.splitlines())
    assert picture.read_text(encoding="utf-8").lstrip().startswith("<?xml")
    code, out, _ = run("simulate", NOON, "--fights", "20", "--csv", "--per", "combatant")
    assert code == 0 and out.splitlines()[0].startswith("combatant,side,untouched,wounded,out,dead,puts_out,")
    assert len(out.splitlines()) == 3
    code, _, err = run("simulate", NOON, "--plot", str(tmp_path / "noon.txt"))
    assert code == 2 and ".png" in err


def test_a_fight_that_never_ends_says_so(tmp_path: Path) -> None:
    file = tmp_path / "dull.toml"
    text = Path(NOON).read_text(encoding="utf-8")
    file.write_text(text.replace("[[combatant]]\n", "[[combatant]]\narmor = \"90D\"\n"), encoding="utf-8")
    code, out, err = run("simulate", str(file), "--fights", "5000", "--rounds", "3")
    assert code == 0, err
    assert "not one of these fights came to an end" in out and "This fight can never end" in out
    code, out, err = run("simulate", NOON, "--fights", "4", "--rounds", "1", "--seed", "4", "--json")
    assert code == 0 and not json.loads(out)["endless"], err  # too short for anybody to fall, but somebody could have


def test_a_saved_fight_has_a_line_of_chances(tmp_path: Path) -> None:
    log, picture = tmp_path / "noon.jsonl", tmp_path / "line.svg"
    assert run("fight", NOON, "--seed", "3", "--log", str(log), "-q")[0] == 0
    code, out, _ = run("log", str(log), "--forecast", "--seconds", "1", "--plot", str(picture))
    assert code == 0 and "Who was winning" in out and picture.read_text().startswith("<?xml")
    code, out, _ = run("log", str(log), "--forecast", "--seconds", "1", "--json")
    found = json.loads(out)
    assert code == 0 and all(abs(sum(s["win"] for s in point["sides"]) - 1) < 0.5 for point in found["points"])
    code, _, err = run("log", str(log), "--forecast", "--policy", "law=agressive")
    assert code == 2 and "aggressive" in err
