"""`balance`, `compare` and `sweep` as they are called: figures, formats, refusals, and a sweep that is killed in the middle."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from waiting import PATIENCE, until

from affray.cli import main

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
NOON = str(EXAMPLES / "rond6-noon.toml")
AIM = "ada.skills.Ranged Weapons"


def run(*args: str, code: int = 0) -> tuple[str, str]:
    """The program, in this process."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), pytest.raises(SystemExit) as end:
        main(list(args))
    assert end.value.code == code, err.getvalue()
    return out.getvalue(), err.getvalue()


def test_balance_finds_the_nearest_value(tmp_path: Path) -> None:
    out, _ = run("balance", NOON, "--vary", f"{AIM}=4D..7D", "--target", "50%", "--fights", "150", "--json")
    found = json.loads(out)
    assert found["best"] == "6D" and found["side"] == "law" and found["how"] == ["tables"]
    assert [one["value"] for one in found["tried"]] == ["4D", "5D", "6D", "7D"]
    assert sum(one["fights"] for one in found["tried"]) <= 600
    picture = tmp_path / "b.svg"
    out, _ = run("balance", NOON, "--vary", f"{AIM}=3D,6D", "--target", "50%", "--fights", "100", "--plot", str(picture))
    assert f"Nearest to 50 % is {AIM}=6D" in out and picture.exists()
    out, _ = run("balance", NOON, "--vary", "policy.law=aggressive,cautious", "--target", "20%", "--fights", "100", "--csv")
    assert len(list(csv.reader(out.splitlines()))) == 3


def test_balance_says_when_the_target_is_out_of_reach() -> None:
    out, _ = run("balance", NOON, "--vary", f"{AIM}=3D..5D", "--target", "90%", "--for", "law", "--fights", "100")
    assert "below the target" in out


def test_compare_tells_the_difference() -> None:
    out, _ = run("compare", NOON, "--with", f"{AIM}=9D", "--fights", "200", "--json")
    found = json.loads(out)
    assert found["fights"] == 200 and found["sides"][0]["clear"] and found["sides"][0]["difference"] > 0.2
    out, _ = run("compare", NOON, NOON, "--fights", "100")
    assert "no difference" in out
    out, _ = run("compare", NOON, "--policy", "law=cautious", "--fights", "100", "--csv")
    assert out.startswith("measure,first,second,")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("balance", NOON, "--vary", "adda.count=1..3", "--target", "50%"), "did you mean 'Ada'"),
        (("balance", NOON, "--vary", "ada.count", "--target", "50%"), "PATH=VALUES"),
        (("balance", NOON, "--vary", "ada.count=1..3", "--target", "half"), "percentage"),
        (("balance", NOON, "--vary", "ada.count=1..3", "--target", "50%", "--for", "lw"), "did you mean 'law'"),
        (("balance", NOON, "--vary", "ada.count=1..3", "--target", "50%", "--plot", "x.txt"), ".png"),
        (("compare", NOON), "--with"),
        (("compare", NOON, "--with", "ada.count=1..3"), "one value"),
        (("compare", NOON, "nowhere.toml"), "no such file"),
        (("sweep", "nowhere.toml"), "no such file"),
        (("sweep", NOON), "there is no such key"),
        (("simulate", NOON, "--with", "ada.count=x"), "ada.count"),
    ],
)
def test_refusals(args: tuple[str, ...], words: str) -> None:
    _, err = run(*args, code=2)
    assert words in err


def grid(folder: Path, fights: int = 20, values: str = "4D..6D", extra: str = "") -> Path:
    file = folder / "grid.toml"
    head = f"files = [{json.dumps(NOON)}]\nfights = {fights}\nrounds = 60\n{extra}"
    file.write_text(f'{head}[[vary]]\npath = "{AIM}"\nvalues = "{values}"\nname = "aim"\n', encoding="utf-8")
    return file


def test_a_sweep_keeps_what_it_has_and_writes_one_table(tmp_path: Path) -> None:
    file = grid(tmp_path)
    outs = [str(tmp_path / f"t.{ending}") for ending in ("csv", "json", "parquet")]
    out, _ = run("sweep", str(file), "--workers", "1", *[part for one in outs for part in ("--out", one)])
    assert "3 of 3 combinations" in out and "law wins" in out
    kept = tmp_path / "grid.results.jsonl"
    before = kept.read_bytes()
    again, _ = run("sweep", str(file), "--csv")
    assert kept.read_bytes() == before and again == Path(outs[0]).read_text(encoding="utf-8")
    lines = list(csv.DictReader(again.splitlines()))
    assert len(lines) == 6 and list(lines[0])[:4] == ["file", "aim", "side", "fights"]
    from_json = json.loads(Path(outs[1]).read_text(encoding="utf-8"))
    parquet = pytest.importorskip("pyarrow.parquet").read_table(outs[2]).to_pylist()
    assert from_json == parquet == [typed(line) for line in lines]
    grid(tmp_path, values="4D..7D")
    run("sweep", str(file), "--workers", "1")
    assert kept.read_bytes().startswith(before) and kept.read_bytes().count(b"\n") == before.count(b"\n") + 1


def typed(line: dict[str, str]) -> dict[str, Any]:
    words = ("file", "aim", "side", "how")
    return {key: value if key in words else int(value) if key == "fights" else float(value) for key, value in line.items()}


def test_on_two_processes_the_table_is_the_same(tmp_path: Path) -> None:
    file = grid(tmp_path, 300, "5D..7D", 'until = "12%"\n')
    alone, _ = run("sweep", str(file), "--workers", "1", "--csv", "--results", str(tmp_path / "a.jsonl"))
    command = ["sweep", str(file), "--workers", "2", "--csv", "--results", str(tmp_path / "b.jsonl")]
    both = subprocess.run([sys.executable, "-m", "affray", *command], capture_output=True, text=True, check=True)
    assert alone == both.stdout


@pytest.mark.slow
def test_a_sweep_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    file = grid(tmp_path, 300, "3D..8D/+1")
    whole, _ = run("sweep", str(file), "--csv", "--results", str(tmp_path / "whole.jsonl"))
    kept = tmp_path / "kept.jsonl"
    command = [sys.executable, "-m", "affray", "sweep", str(file), "--csv", "--results", str(kept)]
    for lines in (2, 5):
        process = subprocess.Popen([*command, "--workers", "2"], stdout=subprocess.DEVNULL)
        until(lambda process=process, lines=lines: process.poll() is not None or lines_of(kept) >= lines, "rows are kept", 0.02)
        workers = children(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
        until(lambda workers=workers: not any(alive(pid) for pid in workers), "the workers end with the one that started them")
    done = kept.read_bytes().count(b"\n") - 1
    assert done >= 2
    resumed = subprocess.run(command, capture_output=True, text=True)
    assert resumed.stdout == whole and lines_of(kept) == 17


def lines_of(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


def children(pid: int) -> list[int]:
    try:
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return []
    return [int(one) for one in found.split()]


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.slow
def test_ctrl_c_prints_what_there_is_and_can_be_resumed(tmp_path: Path) -> None:
    file = grid(tmp_path, 20_000, "3D..8D/+1", "live = true\n")
    kept = tmp_path / "kept.jsonl"
    command = [sys.executable, "-m", "affray", "sweep", str(file), "--results", str(kept), "--workers", "2"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        until(lambda: lines_of(kept), "it has begun")
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert process.returncode == 1, err
    assert "Interrupted" in out and "Traceback" not in err


JUNK = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=30)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=JUNK, values=JUNK)
def test_no_nonsense_ends_in_a_traceback(path: str, values: str) -> None:
    from click.testing import CliRunner

    from affray.cli.balance import command
    from affray.errors import AffrayError

    for vary in (f"{path}={values}", f"ada.{path}={values}", f"rulings.{path}={values}", f"ada.skills.{path}={values}"):
        done = CliRunner().invoke(command, [NOON, "--vary", vary, "--target", "50%", "--fights", "10", "--rounds", "3", "--json"])
        assert done.exception is None or isinstance(done.exception, AffrayError | SystemExit), (vary, done.exception)
