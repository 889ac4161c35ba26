"""The command line: what it prints, what it saves, and how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from cli.playing import Call

from affray import __version__
from affray.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))


def test_help_and_version(affray: Call) -> None:
    code, out, _ = affray("--help")
    assert code == 0 and all(name in out for name in COMMANDS)
    assert affray("--version") == (0, f"affray {__version__}\n", "")
    for name in COMMANDS:
        code, out, _ = affray(name, "--help")
        assert code == 0 and out.startswith(f"Usage: affray {name}")


def test_what_is_wrong_with_a_call(affray: Call) -> None:
    code, _, err = affray("figth")
    assert code == 2 and "Did you mean 'fight'?" in err
    code, _, err = affray("fight")
    assert code == 2 and "Missing argument" in err
    code, _, err = affray("fight", "nowhere.toml")
    assert code == 2 and "no such file" in err and "Traceback" not in err


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_samples_are_sound_and_run(affray: Call, tmp_path: Path, file: Path) -> None:
    code, out, _ = affray("check", file)
    assert code == 0 and ": fine (" in out
    log = tmp_path / "log.jsonl"
    code, out, _ = affray("fight", file, "--log", log, "-q")
    assert code == 0, out
    assert "Winner: " in out or "Nobody" in out
    code, out, _ = affray("log", log, "--verify")
    assert code == 0 and out.endswith("all the same\n")


def test_check_tells_everything(affray: Call, tmp_path: Path) -> None:
    bad = tmp_path / "bad.toml"
    bad.write_text('ruleset = "rond6"\ntitel = 1\n[[combatant]]\nname = "A"\nside = "a"\nmoov = 2\n', encoding="utf-8")
    code, out, err = affray("check", bad, EXAMPLES[0])
    assert code == 2
    assert f"{bad}:2: titel:" in err and f"{bad}:6: combatant[1].moov:" in err
    assert f"{bad}: 2 problems" in out and "fine" in out
    code, out, _ = affray("check", "--json", bad)
    found = json.loads(out)["files"][0]
    assert code == 2 and found["ok"] is False and found["problems"][0]["nearest"] == "title"
    code, out, _ = affray("check", ROOT / "tests" / "examples" / "rond6" / "defence.toml")
    assert code == 0 and "cases)" in out


def test_check_knows_sheets_and_casts(affray: Call) -> None:
    code, out, _ = affray("check", ROOT / "examples" / "sheets" / "tam.toml", ROOT / "tests" / "examples" / "rond6" / "cast.toml")
    assert code == 0 and "fine (a sheet;" in out and "fine (a cast of" in out


def test_fights_with_one_seed_are_the_same(affray: Call, tmp_path: Path) -> None:
    file = ROOT / "examples" / "rond6-duel.toml"
    logs = [tmp_path / name for name in ("one", "two", "other")]
    told = [affray("fight", file, "--seed", seed, "--log", log) for log, seed in zip(logs, (5, 5, 6), strict=True)]
    assert all(code == 0 for code, _, _ in told)
    stories = [out.replace(str(log), "LOG") for (_, out, _), log in zip(told, logs, strict=True)]
    assert stories[0] == stories[1] != stories[2]
    assert logs[0].read_bytes() == logs[1].read_bytes() != logs[2].read_bytes()
    for words in ("── round 1 ──", "rolls attack:", "[RON-ATK-2]", "After "):
        assert words in told[0][1]


def test_fight_options(affray: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    file = ROOT / "examples" / "rond6-duel.toml"
    code, out, _ = affray("fight", file, "--json", "--policy", "Red=random")
    found = json.loads(out)
    assert code == 0 and found["policies"]["Red"] == "random" and found["log"] == "rond6-duel-1.jsonl"
    assert Path("rond6-duel-1.jsonl").is_file() and {one["id"] for one in found["fighters"]} == {"Ilvane", "Captain Brask"}
    assert affray("fight", file, "--json", "--policy", "Red=random")[0] == 0, "an older log of a fight is replaced"
    Path("mine.txt").write_text("my notes", encoding="utf-8")
    code, _, err = affray("fight", file, "-q", "--log", "mine.txt")
    assert code == 2 and "is no log of a fight" in err and Path("mine.txt").read_text() == "my notes"
    code, _, err = affray("fight", file, "--policy", "Rad=random", "--policy", "Red=wild", "--policy", "Red")
    assert code == 2 and "did you mean 'Red'?" in err and "unknown policy 'wild'" in err and "SIDE=NAME" in err
    timid = ("--policy", "Red=cautious", "--policy", "Blue=cautious")
    code, out, _ = affray("fight", file, "-q", "--log", "-", "--rounds", "1", *timid)
    assert code == 1 and "no decision after 1 rounds" in out


def test_log(affray: Call, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    affray("fight", ROOT / "examples" / "rond6-duel.toml", "--log", log, "-q")
    code, out, _ = affray("log", log)
    assert code == 0 and "── round 1 ──" in out and "attack (target" in out
    code, out, _ = affray("log", log, "--at", 3)
    assert code == 0 and "after entry 3, round 1:" in out and "able to fight" in out
    code, out, _ = affray("log", log, "--json", "--at", 2)
    assert code == 0 and [json.loads(line)["n"] for line in out.splitlines()] == [1, 2]
    code, _, err = affray("log", log, "--at", 9999)
    assert code == 2 and "there is no entry 9999" in err
    code, _, err = affray("log", tmp_path)
    assert code == 2 and "directory" in err
    other = tmp_path / "other.jsonl"
    other.write_text("hello\n", encoding="utf-8")
    code, _, err = affray("log", other)
    assert code == 2 and "Traceback" not in err
    _falsify(log, other)
    code, out, _ = affray("log", other, "--verify")
    assert code == 1 and "differ" in out


def test_an_interrupt_while_a_command_loads_is_no_fault(affray: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("affray.cli.affray.main", interrupted)
    code, _, err = affray("fight", "x.toml")
    assert code == 130 and err == "stopped\n"


def test_an_encounter_or_a_cast_is_no_file_of_cases(affray: Call) -> None:
    code, _, err = affray("run", ROOT / "examples" / "first.toml")
    assert code == 2 and "there is no [[case]] here; this is an encounter" in err
    code, _, err = affray("run", ROOT / "tests" / "examples" / "rond6" / "cast.toml")
    assert code == 2 and "this is a cast for cases to use" in err


def test_a_damaged_log_is_told_by_its_line(affray: Call, tmp_path: Path) -> None:
    """Every line in turn left out, emptied, or with its values exchanged: read or refused in words that name file and line."""
    log, other = tmp_path / "log.jsonl", tmp_path / "other.jsonl"
    affray("fight", ROOT / "examples" / "first.toml", "--log", log, "-q")
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    for n, line in enumerate(lines):
        exchanged = line.replace("true", '"x"').replace("null", "7")
        for bad in ("", "{}\n", "[1]\n", '{"t": "undo"}\n', '{"t": "cut", "keep": "x"}\n', exchanged):
            other.write_text("".join((*lines[:n], bad, *lines[n + 1 :])), encoding="utf-8")
            for how in ((), ("--verify",)):
                code, _, err = affray("log", other, *how)
                assert code in (0, 1) or (code == 2 and err.startswith(f"{other}:")), (n, bad, err)
    text = "".join(lines)
    for bad in (text.replace("rond6", "rond7"), text.replace("Thug", "Thgu", 1), text.replace('"seed":', '"sed":'), ""):
        other.write_text(bad, encoding="utf-8")
        code, _, err = affray("log", other)
        assert code == 2 and err.startswith(str(other)), err


def _falsify(log: Path, other: Path) -> None:
    """A log in which somebody has changed what happened."""
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        for event in line.get("events", ()):
            if event["type"] == "noted" and event.get("note") == "attack.total":
                event["data"][0][1] += 1
                other.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
                return
    raise AssertionError("no attack in this fight")


def test_run(affray: Call, tmp_path: Path) -> None:
    case = (
        '[[case]]\nid = "one"\nruleset = "rond6"\nstart = { turn = "A" }\n'
        'combatant = [{ name = "A", side = "a" }, { name = "B", side = "b" }]\n'
        'step = [{ do = "show", expect = { "A.wounds" = 0 } }]\n'
    )
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(case, encoding="utf-8")
    bad.write_text(case.replace('"A.wounds" = 0', '"A.wounds" = 1').replace('"one"', '"two"'), encoding="utf-8")
    assert affray("run", good) == (0, "1 of 1 cases passed\n", "")
    code, out, _ = affray("run", "-v", good, bad)
    assert code == 1 and "passed one" in out and "FAILED two" in out and "1 of 2 cases passed, 1 failed" in out
    code, out, _ = affray("run", "--json", good, bad)
    results = [json.loads(line) for line in out.splitlines()]
    assert code == 1 and [one["passed"] for one in results] == [True, False]
    wanted = {"id": "two", "step": "step 1 (show)", "path": "A.wounds", "expected": 1, "actual": 0}
    assert wanted.items() <= results[1].items()
    assert affray("run", "--only", "two", bad)[0] == 1
    assert affray("run", "--only", "three", bad)[0] == 2
    bad.write_text(case.replace("do =", "du ="), encoding="utf-8")
    assert affray("run", good, bad)[0] == 2


def test_rules(affray: Call) -> None:
    code, out, _ = affray("rules", "rond6", "--status", "--json")
    found: list[dict[str, Any]] = json.loads(out)
    assert code == 0 and len(found) == 176
    assert {"id", "title", "section", "status", "tests"} <= found[0].keys()
    assert {one["status"] for one in found} <= {"done", "referee", "open", "not-modelled"}
    assert "Range bands" in affray("rules", "rond6", "RON-ATK-4")[1]
    assert "RON-ATK-4" in affray("rules", "rond6", "ron-atk-4")[1]
    assert "RON-DEF-8" in affray("rules", "rond6", "--search", "carry over")[1]
    assert "result_points" in affray("rules", "rond6", "--rulings")[1]
    rulings = json.loads(affray("rules", "rond6", "--rulings", "--json")[1])
    assert {"key", "rule", "meaning", "default", "values"} <= rulings[0].keys()
    assert affray("rules", "rond6", "--search", "zeppelin")[1] == "nothing found\n"
    code, _, err = affray("rules", "rond6", "RON-ATK-44")
    assert code == 2 and "did you mean" in err
    assert affray("rules", "rond")[0] == 2


@pytest.mark.parametrize("what", ["encounter", "case"])
def test_schema(affray: Call, what: str) -> None:
    code, out, _ = affray("schema", what)
    found = json.loads(out)
    assert code == 0 and found["$schema"].startswith("https://json-schema.org/")
    one = json.loads(affray("schema", what, "--ruleset", "rond6")[1])
    text = json.dumps(one)
    assert "attributes" in text and "result_points" in text
    known = set(one["$defs"])
    assert {name.removeprefix("#/$defs/") for name in _references(one)} <= known
    assert affray("schema", what, "--ruleset", "rond7")[0] == 2


def _references(part: Any) -> set[str]:
    if isinstance(part, dict):
        own = {part["$ref"]} if isinstance(part.get("$ref"), str) else set()
        return own.union(*(_references(one) for one in part.values()))
    return set().union(*(_references(one) for one in part)) if isinstance(part, list) else set()


def test_demo(affray: Call) -> None:
    code, out, _ = affray("demo", "--terminal")
    assert code == 0 and "── round 1 ──" in out and "Try next:" in out


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_loads_next_to_nothing(option: str) -> None:
    code = (
        "import sys; old = set(sys.modules); from affray.cli import affray; "
        f"affray.main([{option!r}], standalone_mode=False); print(*sorted(set(sys.modules) - old))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment).stdout
    loaded = told.splitlines()[-1].split()
    foreign = {name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names)
    assert foreign == {"affray", "click"}
    assert [name for name in loaded if name.startswith("affray")] == ["affray", "affray.cli"]
    assert not {"asyncio", "tomllib", "sqlite3", "multiprocessing"} & set(loaded)


INTERRUPTED = """
import runpy, sys
class Impatient:
    def find_spec(self, name, *_):
        if name == "WHERE":
            exec("raise KeyboardInterrupt")
sys.meta_path.insert(0, Impatient())
sys.argv[1:] = ["schema", "grid"]
from importlib.metadata import EntryPoint
START
"""
MODULE = 'runpy.run_module("affray", run_name="__main__")'
ENTRY = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]["affray"]
SCRIPT = f'EntryPoint("affray", {ENTRY!r}, "").load()()'


@pytest.mark.parametrize("start", [MODULE, SCRIPT], ids=["module", "script"])
@pytest.mark.parametrize("where", ["affray.cli", "click", "affray.cli.schema"])
def test_an_interrupt_before_the_program_is_there_leaves_no_traceback(where: str, start: str) -> None:
    """Also where a piece of source is run by what is being loaded: Python would then end the process by the signal."""
    code = INTERRUPTED.replace("WHERE", where).replace("START", start)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr.strip()) == (130, "stopped")
