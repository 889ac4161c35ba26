"""Options of `duel`, `simulate`, `balance`, `compare` and `sweep` are never ignored silently, and limits are told as they are."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from affray.cli import main

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
FILE = str(EXAMPLES / "rd6-5v5.toml")
TARGET = ("--target", "70%")
COUNT = ("--vary", "Raider.count=1..6")
NOON = str(EXAMPLES / "rond6-noon.toml")
CASES = str(EXAMPLES.parent / "tests" / "examples" / "rd6" / "dice.toml")
GRID = str(EXAMPLES / "grids" / "depot.toml")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("simulate", FILE, "--per", "round"), "ask for --csv too"),
        (("simulate", FILE, "--per", "side", "--json"), "ask for --csv too"),
        (("simulate", FILE, "--json", "--csv"), "ask for one of them"),
        (("simulate", FILE, "--json", "--each"), "leave it out with --json"),
        (("simulate", FILE, "--with", "Raider.count=2", "--with", "raider.count=3"), "sets the same"),
        (("simulate", FILE, "--with", "policy.Guards=cautious", "--policy", "Guards=guarded"), "sets the same"),
        (("simulate", FILE, "--policy", "Guards=cautious", "--policy", "Guards=guarded"), "sets the same"),
        (("duel", FILE, "--policy", "Guards=cautious", "--policy", "Guards=guarded"), "sets the same"),
        (("simulate", FILE, "--with", "Raider.count=-1"), "at least 0"),
        (("duel", FILE, "--prune", "nan"), "not a number"),
        (("duel", FILE, "--seconds", "inf"), "not a number"),
        (("simulate", FILE, "--with", "Raider.count=501"), "at most 500"),
        (("balance", FILE, *COUNT, *TARGET, "--json", "--csv"), "ask for one of them"),
        (("balance", FILE, *COUNT, *TARGET, "--with", "Raider.count=3"), "--vary Raider.count sets the same"),
        (("balance", FILE, "--vary", "Guards.policy=cautious,guarded", *TARGET, "--policy", "Guards=guarded"), "sets the same"),
        (("balance", FILE, "--vary", "Raider.count=1..6/0", *TARGET), "the step '0' of the range must be a number above 0"),
        (("balance", FILE, "--vary", "Raider.count=1..6/x", *TARGET), "the step 'x' of the range must be a number above 0"),
        (("balance", FILE, "--vary", "Raider.count=6..1", *TARGET), "must go upward, as 1..6"),
        (("balance", FILE, "--vary", "Raider.skills.Dodge=3D..6D/0", *TARGET), "the step '0' of the range must be above 0"),
        (("balance", FILE, "--vary", "Raider.skills.Dodge=3D..1001D", *TARGET), "beyond 1000 dice"),
        (("balance", FILE, "--vary", "Raider.skills.Dodge=1D..900D/+1", *TARGET), "more than 1000 values"),
        (("balance", FILE, *COUNT, "--target", "0.5"), "write 0.5% or 50%, since 0.5 may mean either"),
        (("balance", FILE, *COUNT, "--target", "1_0"), "a percentage above 0% and below 100% is expected"),
        (("balance", FILE, *COUNT, "--target", "100%"), "a percentage above 0% and below 100% is expected"),
        (("balance", FILE, *COUNT, *TARGET, "--for", ""), "unknown side ''"),
        (("balance", FILE, *COUNT, *TARGET, "--plot", "nowhere/x.png"), "there is no directory"),
        (("simulate", FILE, "--until", "0.01"), "write 0.01% or 1%"),
        (("simulate", FILE, "--plot", "nowhere/x.png"), "there is no directory"),
        (("simulate", FILE, "--with", "Guards.count=0", "--with", "Raiders.count=0"), "Raiders.count=0: nobody fights"),
        (("compare", FILE, "--policy", "Guards=cautious", "--json", "--csv"), "ask for one of them"),
        (("compare", FILE, "--with", "Raider.count=2", "--both", "raider.count=3"), "--both raider.count sets the same"),
        (("compare", FILE, "--policy", "Guards=cautious", "--both", "Guards.policy=guarded"), "sets the same"),
        (("compare", FILE, "--with", "Guards.policy=guarded", "--policy", "Guards=cautious"), "sets the same"),
        (("sweep", GRID, "--json", "--csv"), "ask for one of them"),
        (("sweep", GRID, "--workers", "2", "--cluster", "tcp://localhost:8786"), "Leave one of them out"),
        (("sweep", GRID, "--csv", "--side", "Guards"), "hold every side"),
        (("sweep", GRID, "--side", ""), "unknown side ''"),
        (("sweep", GRID, "--out", "nowhere/x.csv"), "there is no directory"),
        (("sweep", GRID, "--out", "x.csv", "--out", "./x.csv"), "read or written for something else"),
        (("sweep", GRID, "--out", "x.json", "--results", "x.json"), "read or written for something else"),
        (("sweep", GRID, "--results", "/dev/full"), "a plain file"),
        (("sweep", GRID, "--results", ""), "a plain file"),
        (("fight", NOON, "--log", "."), "this is a directory"),
        (("fight", NOON, "--log", "nowhere/x.jsonl"), "there is no directory"),
        (("fight", NOON, "--log", FILE), "exists and is no log of a fight"),
        (("rules", "rond6", "RON-ATK-4", "--status"), "leave it out with an ID"),
        (("rules", "rond6", "RON-ATK-4", "--search", "range"), "ask one of them"),
        (("rules", "rond6", "RON-ATK-4", "--rulings"), "ask one of them"),
        (("rules", "rond6", "--rulings", "--status"), "leave it out with --rulings"),
        (("rules", "rond6", "--search", " "), "say for which words"),
        (("log", "x.jsonl", "--verify", "--at", "3"), "--at would be ignored"),
        (("log", "x.jsonl", "--verify", "--forecast"), "--forecast would be ignored"),
        (("log", "x.jsonl", "--seconds", "3"), "ask for --forecast too"),
        (("log", "x.jsonl", "--forecast", "--markdown"), "leave it out with --forecast"),
        (("log", "x.jsonl", "--plot", "nowhere/x.png"), "there is no directory"),
        (("demo", "--terminal", "--port", "81"), "--port would be ignored"),
        (("demo", "--seed", "4", "--no-open"), "--no-open would be ignored"),
        (("schema", "grid", "--ruleset", "rond6"), "--ruleset would be ignored"),
        (("convert", NOON, "--to", "rd6", "--force"), "--force would be ignored"),
        (("convert", "x.toml", "--to", "rd6", "--out", "nowhere/x.toml"), "there is no directory"),
        (("convert", "x.toml", "--to", "rd6", "--out", "."), "this is a directory"),
        (("convert", "x.toml", "--to", "rd6", "--out", FILE), "exists already; --force overwrites it"),
        (("run", CASES, "--only", "RD6-DICE-0"), "did you mean 'RD6-DICE-"),
        (("play", "--seed", "4"), "--seed would be ignored"),
        (("play", "--list", FILE), "[FILE|SAVE] would be ignored"),
        (("play", "x.jsonl", "--dice", "typed", "--people"), "--dice, --people would be ignored"),
        (("odds", "test", "5D", "--pips", "2", "-d", "10"), "write pips into the code"),
        (("odds", "total", "5D", "--plot", "nowhere/x.png"), "there is no directory"),
        (("odds", "attack", NOON, "--by", "Ada", "--at", "Bo", "--plot", "nowhere/x.png"), "there is no directory"),
        (("odds", "attack", NOON, "--from-save", "x.jsonl", "--by", "Ada"), "FILE would be ignored"),
        (("odds", "open", "--from-save", "x.jsonl", "--by", "Ada"), "--by would be ignored"),
        (("odds", "attack", NOON, "--by", "Ada", "--at", "Bo", "--sort", "out"), "say what with --compare"),
        (("odds", "attack", NOON, "--by", "Ada", "--compare", "weapon", "--answer", "feat=done"), "--answer would be"),
        (("odds", "attack", NOON, "--by", "Ada", "--at", "Bo", "--policy", "lav=aggressive"), "did you mean 'law'"),
        (("odds", "atack", NOON), "did you mean 'attack'"),
    ],
)
def test_what_would_be_ignored_or_is_out_of_bounds_is_refused(
    given: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(list(given))
    caught = capsys.readouterr()
    assert stop.value.code == 2 and told in " ".join(caught.err.split()) and not caught.out


def test_two_rulesets_are_told_and_no_difference_of_chances_goes_beyond_all(capsys: pytest.CaptureFixture[str]) -> None:
    other = str(EXAMPLES / "rond6-noon.toml")
    for form in ((), ("--json",)):
        with pytest.raises(SystemExit) as stop:
            main(["compare", FILE, other, "--with", "Bo.count=0", "--fights", "4", *form])
        assert stop.value.code == 0
    out = capsys.readouterr().out
    words, _, found = out.rpartition("\n{")
    assert "Two rulesets, " in words and ": the rules differ too." in words
    assert json.loads("{" + found)["rulesets"] == ["rd6", "rond6"]
    assert all(-1 <= side["low"] <= side["high"] <= 1 for side in json.loads("{" + found)["sides"])


def test_a_side_without_anybody_to_fight_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    noon = (EXAMPLES / "rond6-noon.toml").read_text(encoding="utf-8")
    alone = tmp_path / "alone.toml"
    alone.write_text(noon[: noon.rindex("[[combatant]]")], encoding="utf-8")
    for command in ("simulate", "duel"):
        with pytest.raises(SystemExit) as stop:
            main([command, str(alone)])
        assert stop.value.code == 0 and "over before it begins" in capsys.readouterr().out


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)])
def test_a_full_disk_is_told_in_words(form: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        given = [sys.executable, "-m", "affray", "simulate", str(EXAMPLES / "rond6-noon.toml"), "--fights", "2", *form]
        done = subprocess.run(given, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1 and done.stderr.startswith("the output cannot be written: ") and done.stderr.count("\n") == 1


def test_a_grid_sets_nothing_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grid = tmp_path / "grid.toml"
    axis = '[[vary]]\npath = "raider.count"\nvalues = [1, 2]\nname = "{}"\n'
    head = f'files = [{json.dumps(FILE)}]\nwith = ["Raider.count=3"]\n'
    grid.write_text(head + axis.format("one") + axis.format("two"), encoding="utf-8")
    with pytest.raises(SystemExit) as stop:
        main(["sweep", str(grid)])
    err = capsys.readouterr().err
    assert stop.value.code == 2 and "raider.count is varied already" in err and "set or varied already" in err
