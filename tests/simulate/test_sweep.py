"""Sweeps: cells, what is kept on disk, executors that break down, and tables that are equal however they were made."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from waiting import PATIENCE

from affray.cli.sweep import cells_of
from affray.errors import AffrayError, DataError
from affray.formats.grid import Plan, load_grid
from affray.simulate.results import HEAD, Results
from affray.simulate.sweep import Cell, Here, Row, play, played, table
from affray.simulate.workers import let_go, processes

NOON = Path(__file__).resolve().parents[2] / "examples" / "rond6-noon.toml"
NAMES = (("law", "aggressive"), ("master", "aggressive"), ("outlaw", "aggressive"))


def plan(folder: Path, **more: Any) -> Plan:
    text = "".join(f"{key} = {json.dumps(value)}\n" for key, value in more.items())
    grid = folder / "grid.toml"
    vary = '[[vary]]\npath = "ada.skills.Ranged Weapons"\nvalues = "5D..6D"\n'
    vary += '[[vary]]\npath = "Bo.skills.Dodge"\nvalues = ["3D", "4D"]\n'
    grid.write_text(f"files = [{json.dumps(str(NOON))}]\n{text}{vary}", encoding="utf-8")
    return load_grid(grid)


def cells(found: Plan, fights: int = 20, live: bool = False, within: float = 0.0) -> list[Cell]:
    return [Cell(f.ruleset.name, f.state, NAMES, fights, within, found.grid.seed, 60, live) for _, f in found.cells]


def comparable(rows: list[Row]) -> dict[str, Any]:
    return {row.key: (row.fights, row.how, row.mean_rounds, row.undecided, row.sides) for row in rows}


def test_a_grid_has_all_combinations_in_order(tmp_path: Path) -> None:
    found = plan(tmp_path, title="Noon", seed=4)
    assert found.columns == ("file", "ada.skills.Ranged Weapons", "Bo.skills.Dodge") and found.title == "Noon"
    assert [values[1:] for values, _ in found.cells] == [(a, b) for a in ("5D", "6D") for b in ("3D", "4D")]
    assert len({cell.key() for cell in cells(found)}) == 4


def test_a_cell_does_not_depend_on_who_plays_it_or_what_was_before(tmp_path: Path) -> None:
    some = cells(plan(tmp_path))
    once = comparable(list(played(some, Here, 1)))
    assert comparable([play(cell) for cell in reversed(some)]) == once
    assert len(once) == 4


@pytest.mark.parametrize("live", [False, True])
def test_the_stop_rule_ends_a_cell_early_and_always_at_the_same_fight(tmp_path: Path, live: bool) -> None:
    cell = cells(plan(tmp_path), 5000, live, within=0.14)[0]
    row = play(cell)
    assert row.fights < 5000 and comparable([row]) == comparable([play(cell)])
    assert all((side.high - side.low) / 2 <= 0.14 for side in row.sides)


class Shaky(Executor):
    """Breaks down on every third cell that is handed in."""

    count = 0

    def __init__(self) -> None:
        self.broken = False

    def submit(self, work: Callable[..., Any], /, *args: Any, **more: Any) -> Future[Any]:
        Shaky.count += 1
        future: Future[Any] = Future()
        self.broken = self.broken or Shaky.count % 3 == 0
        if self.broken:
            future.set_exception(BrokenExecutor("gone"))
        else:
            future.set_result(work(*args, **more))
        return future


def test_cells_of_a_process_that_dies_are_played_again(tmp_path: Path) -> None:
    some = cells(plan(tmp_path), 20)
    assert comparable(list(played(some, Shaky, 2))) == comparable([play(cell) for cell in some])


@pytest.mark.parametrize(("wrong", "raised"), [(BrokenExecutor("no memory"), AffrayError), (KeyError("a bug"), KeyError)])
def test_a_cell_that_never_succeeds_is_told_and_a_bug_stays_a_bug(wrong: Exception, raised: type[Exception]) -> None:
    tries = []

    def fail(cell: Any) -> Row:
        tries.append(cell)
        raise wrong

    with pytest.raises(raised, match=str(wrong.args[0])):
        list(played(["cell"], Here, 1, work=fail))  # type: ignore[list-item]
    assert len(tries) == (4 if raised is AffrayError else 1)


def test_results_are_kept_and_a_torn_line_is_cut_off(tmp_path: Path) -> None:
    rows = [play(cell) for cell in cells(plan(tmp_path), 20)[:3]]
    file = tmp_path / "kept.jsonl"
    with Results(file) as kept:
        for row in rows:
            kept.add(row)
        with pytest.raises(DataError, match="another sweep"):
            Results(file)
    whole = file.read_bytes()
    for cut in (1, 30):
        file.write_bytes(whole[:-cut])
        with Results(file) as kept:
            assert list(kept.rows.values()) == rows[:2]
            kept.add(rows[2])
        assert file.read_bytes() == whole
    with Results(file) as kept:
        assert list(kept.rows.values()) == rows
    with Results(file, fresh=True) as kept:
        assert not kept.rows
    assert file.read_bytes() == HEAD


@pytest.mark.parametrize("text", [b"", HEAD[:5], HEAD])
def test_a_file_that_has_just_begun_is_begun_again(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "kept.jsonl"
    file.write_bytes(text)
    Results(file).close()
    assert file.read_bytes() == HEAD


@pytest.mark.parametrize("text", [b"hello\n", b"x", HEAD + b"{}\n", HEAD + b"nonsense\n"])
def test_files_of_something_else_are_left_alone(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "kept.jsonl"
    file.write_bytes(text)
    with pytest.raises(DataError):
        Results(file)
    assert file.read_bytes() == text
    with pytest.raises(DataError):
        Results(tmp_path / "nowhere" / "kept.jsonl")


def test_processes_do_not_hear_ctrl_c_from_their_first_moment_on() -> None:
    executor = processes(1)
    try:
        for child in executor._processes:  # type: ignore[attr-defined]
            os.kill(child, signal.SIGINT)
        assert executor.submit(abs, -3).result() == 3
    finally:
        let_go(executor)


def late(mark: Path) -> None:
    time.sleep(20)
    mark.touch()


def test_jobs_that_were_cancelled_are_no_matter_when_processes_are_ended(tmp_path: Path) -> None:
    executor = processes(2)
    for future in [executor.submit(late, tmp_path / "mark") for _ in range(12)]:
        future.cancel()
    let_go(executor)  # an error in the thread of the executor would be a warning, and so a failure
    assert not (tmp_path / "mark").exists(), "it waited for those that were under way"


def test_the_table_has_a_line_for_each_cell_and_side(tmp_path: Path) -> None:
    found = plan(tmp_path)
    rows = [play(cell) for cell in cells(found, 10)]
    head, lines = table(found.columns, zip([values for values, _ in found.cells], rows, strict=True))
    assert len(lines) == 8 and all(len(line) == len(head) for line in lines)
    assert {line[head.index("side")] for line in lines} == {"law", "outlaw"}


FIGHT = """ruleset = "rond6"
[[combatant]]
name = "Guard"
side = "a"
template = "guard"
[[combatant]]
name = "Orc"
side = "b"
template = "orc"
"""
GOOD = 'files = ["a.toml"]\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ["the file is empty"]),
        ("fights = 0\n", ["needs files = ", ":1: fights: 0: must be at least 1"]),
        ('files = ["a.toml", "b.toml"]\n', [":1: files[2]: b.toml: no such file"]),
        ("files = [3]\nfight = 3\n", [":1: files[1]", ":2: fight: there is no such key; did you mean 'fights'"]),
        (GOOD + '[[vary]]\npath = "gard.count"\nvalues = "1..3"\n', [":4: vary[1].values", "did you mean 'Guard'"]),
        (GOOD + '[[vary]]\npath = "guard.count"\nvalues = [1,\n 2,\n 9999]\n', [":6: vary[1].values[3]", "at most 500"]),
        (GOOD + '[[vary]]\npath = "guard.count"\nvalues = "3..1"\n', [":4: vary[1].values", "must go upward"]),
        (GOOD + '[[vary]]\npath = "guard.count"\n', [":2: vary[1]: needs values"]),
        (GOOD + 'until = "much"\n', [":2: until", "such as 0.5%"]),
        (GOOD + 'until = "0.5"\n', [":2: until", "write 0.5% or 50%"]),
        ('files = ["a.toml", "./a.toml"]\n', [":1: files[2]: ./a.toml stands here twice"]),
        (GOOD + '[[vary]]\npath = "guard.count"\nvalues = "1..3"\nname = "win"\n', ["two columns would be called 'win'"]),
        (GOOD + 'with = ["guard.count=1,2", "x"]\n', [":2: with[1]", "one value", ":2: with[2]", "PATH=VALUES"]),
        (
            GOOD + '[[vary]]\npath = "guard.count"\nvalues = "1..900"\n[[vary]]\npath = "guard.count"\nvalues = "1..900"\n',
            ["810000 combinations", "two columns would be called 'guard.count'"],
        ),
    ],
)
def test_everything_wrong_with_a_grid_is_told_with_its_line(tmp_path: Path, text: str, told: list[str]) -> None:
    (tmp_path / "a.toml").write_text(FIGHT, encoding="utf-8")
    grid = tmp_path / "grid.toml"
    grid.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as wrong:
        load_grid(grid)
    for words in told:
        assert words in str(wrong.value)


WORDS = st.sampled_from([
    "files", "vary", "path", "values", "fights", "until", "seed", "live", "with", "side", "a.toml", "guard.count", "policy.a",
    "rulings.x", "1..3", "5%", "x" * 80, "", "\N{SNOWMAN}", "../..", "nul\0",
])  # fmt: skip
SCALARS = WORDS | st.integers(-5, 5) | st.booleans() | st.floats(allow_nan=False, allow_infinity=False)
AXES = st.lists(st.dictionaries(WORDS, SCALARS | st.lists(SCALARS, max_size=3), max_size=3), max_size=3)
GRIDS = st.dictionaries(WORDS, SCALARS | st.lists(SCALARS, max_size=3) | AXES, max_size=6)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=GRIDS, axes=AXES)
def test_no_grid_ends_in_a_traceback(tmp_path: Path, data: dict[str, Any], axes: list[dict[str, Any]]) -> None:
    import tomlkit

    (tmp_path / "a.toml").write_text(FIGHT, encoding="utf-8")
    grid = tmp_path / "grid.toml"
    for whole in (data, {"files": ["a.toml"], "vary": axes}, {"files": ["a.toml"]} | data):
        try:
            text = tomlkit.dumps(whole)
        except Exception:  # what the writer cannot write is not our matter
            continue
        grid.write_text(text, encoding="utf-8")
        with contextlib.suppress(DataError):
            cells_of(load_grid(grid))


FORKING = """
import os, signal
from affray.simulate.workers import processes
os.register_at_fork(before=lambda: os.kill(os.getpid(), signal.SIGINT))
try:
    processes(2)
except KeyboardInterrupt:
    print("heard")
"""


def test_ctrl_c_while_processes_start_is_heard() -> None:
    done = subprocess.run([sys.executable, "-c", FORKING], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.stdout, done.stderr, done.returncode) == ("heard\n", "", 0)
