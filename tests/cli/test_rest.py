"""`affray rest`, and rest at the table: what comes after a saved fight."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli.playing import Call

from affray.ruleset import find
from affray.rulesets.rond6.sheet import Fighter, Sheet, State
from affray.store import jsonl
from affray.table import layout, resting
from affray.table.session import Session


def saved(path: Path, over: bool = True) -> Path:
    """A fight whose last foe is dead: Ash has a Wound and is Stunned, Bo is dying."""
    from affray.dice import Code

    sheet = Sheet((("Strength", Code(3)),), (("Fortitude", Code(6)), ("Medicine", Code(12))))
    fighters = (
        Fighter("Ash", "Ash", "a", sheet, wounds=1, stunned=True, declared=2, used=2),
        Fighter("Bo", "Bo", "a", sheet, wounds=4, out="unconscious", fainted="wounds", mortal=4),
        Fighter("Foe", "Foe", "b", sheet, **({"wounds": 5, "out": "dead"} if over else {})),
    )
    fight = jsonl.create(path, find("rond6"), State(fighters, round=3, turn="Ash"), 7)
    fight.journal.close()  # type: ignore[union-attr]
    return path


@pytest.mark.rules("RON-HEAL-5", "RON-DMG-13", "RON-TIME-2")
def test_what_is_due_and_a_day(affray: Call, tmp_path: Path) -> None:
    path = saved(tmp_path / "x.jsonl")
    code, out, _ = affray("rest", path)
    assert code == 0
    assert "Bo: Strength against death, every minute" in out and "3 days" in out
    code, out, _ = affray("rest", path, "--do", "Ash treat Bo", "--days", 3)
    assert code == 0 and "treat" in out and "natural healing of Ash" in out
    code, out, _ = affray("rest", path, "--json")
    told = json.loads(out)
    assert code == 0 and all(one["what"] == "natural healing" for one in told["due"])
    assert affray("log", path, "--verify")[0] == 0


@pytest.mark.rules("RON-HEAL-5")
def test_until_nothing_is_due(affray: Call, tmp_path: Path) -> None:
    path = saved(tmp_path / "x.jsonl")
    assert affray("rest", path, "--next")[0] == 0
    code, out, _ = affray("rest", path, "--healed", "--json")
    assert code == 0 and json.loads(out)["due"] == []
    code, out, _ = affray("rest", path, "--healed")
    assert code == 0 and "time will bring" not in out


@pytest.mark.rules("RON-TIME-2")
def test_not_before_the_end(affray: Call, tmp_path: Path) -> None:
    path = saved(tmp_path / "x.jsonl", over=False)
    code, _, err = affray("rest", path, "--days", 3)
    assert code == 2 and "RON-TIME-2" in err
    code, _, err = affray("rest", tmp_path / "nothing.jsonl")
    assert code == 2 and "Traceback" not in err


def test_a_line_that_is_refused_ends_it(affray: Call, tmp_path: Path) -> None:
    path = saved(tmp_path / "x.jsonl")
    code, _, _ = affray("rest", path, "--do", "Ash treat Foe", "--days", 3)
    assert code == 1
    assert len(jsonl.look(path).entries) == 0


def test_a_question_that_waits_is_told_with_the_way_to_answer_it(affray: Call, tmp_path: Path) -> None:
    path = saved(tmp_path / "x.jsonl")
    fight = jsonl.load(path)
    fight.throw_by_hand(["all"])
    fight.order(resting.order(fight, 3 * 24 * 60, False))
    assert fight.open
    fight.journal.close()  # type: ignore[union-attr]
    before = path.read_bytes()
    code, _, err = affray("rest", path, "--days", 1)
    assert code == 2 and "is asked" in err and f"affray play {path}" in err and path.read_bytes() == before


def test_an_empty_line_is_no_order(affray: Call, tmp_path: Path) -> None:
    """Enter ends a turn at the table; here it was left out by mistake."""
    path = saved(tmp_path / "x.jsonl")
    before = path.read_bytes()
    code, _, err = affray("rest", path, "--do", " ", "--days", 1)
    assert code == 2 and "--do" in err and path.read_bytes() == before


def test_a_line_that_is_no_order_is_wrong_input(affray: Call, tmp_path: Path) -> None:
    """Exit code 2 with the nearest name, in JSON too; nothing has happened, and no later line is carried out."""
    path = saved(tmp_path / "x.jsonl")
    before = path.read_bytes()
    for form in ((), ("--json",)):
        code, out, err = affray("rest", path, "--do", "Ash trat Bo", "--do", "Ash treat Bo", "--days", 3, *form)
        assert code == 2 and "did you mean 'treat'" in err and not out.strip() and path.read_bytes() == before
    code, _, err = affray("rest", path, "--do", "foo bar")
    assert code == 2 and "'foo bar' is neither an action nor a command" in err
    for given in (("--healed", "--next"), ("--next", "--days", 1), ("--disturbed",)):
        code, _, err = affray("rest", path, *given)
        assert code == 2 and ("leave out" in err or "say how long" in err)
    assert path.read_bytes() == before


def test_what_is_no_saved_fight_is_told_with_what_it_is(affray: Call, tmp_path: Path) -> None:
    path = saved(tmp_path / "gate-1.jsonl")
    file = tmp_path / "gate.toml"
    file.write_text('ruleset = "rond6"\n', encoding="utf-8")
    for command in ("rest", "log"):
        code, _, err = affray(command, file)
        assert code == 2 and "gate.toml: this is no saved fight" in err and "affray fight" in err
    code, _, err = affray("log", tmp_path / "gaet-1.jsonl")
    assert code == 2 and "did you mean" in err and "gate-1.jsonl" in err
    code, _, err = affray("log", path, "--json", "--markdown")
    assert code == 2 and "--markdown" in err


def test_resting_at_the_table_and_taking_it_back(tmp_path: Path) -> None:
    fight = jsonl.load(saved(tmp_path / "x.jsonl"))
    session = Session(fight)
    session.begin()
    out = [*session.take("Ash rest minutes 1")]
    assert any("no longer stunned" in line for line in layout.plain(out))
    assert fight.state.minutes == 1 and not session.failed
    session.take("undo")
    assert fight.state.minutes == 0 and not fight.state.after
    fight.journal.close()  # type: ignore[union-attr]
