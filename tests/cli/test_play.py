"""The table at one terminal, driven as people drive it: a whole fight through pipes and through a pseudo-terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pexpect
import pytest
from cli.playing import GATE, piped, saved, say, script, seated, table, told

TYPED = ("--dice", "typed=Travellers")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The whole fight at the gate through pipes: the folder it was played in, and what was printed."""
    folder = tmp_path_factory.mktemp("gate")
    done = piped(script(), folder, str(GATE), *TYPED)
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


def test_a_whole_fight_through_pipes(played: tuple[Path, str]) -> None:
    folder, out = played
    fight = saved(folder / "saves" / "gate-1.jsonl")
    assert fight.ruleset.over(fight.state)
    assert fight.state.round == 3
    assert {f.id: f.out for f in fight.state.fighters} == {
        "Kess": "",
        "Bo": "",
        "Guard 1": "dead",
        "Guard 2": "gone",
        "Guard 3": "unconscious",
        "Serra": "dead",
    }
    assert "The fight is over after round 3: Travellers hold the field." in out
    assert "Traceback" not in out


def test_every_kind_of_decision_was_taken(played: tuple[Path, str]) -> None:
    """Typed dice, wrong ones refused, interrupts, undo and redo, corrections, a late arrival, an overruled roll."""
    _, out = played
    for words in (
        "! '9' is no face of a die; expected for 3D: Wild Die, 1 to 6",
        "Bo, attack 3D, Wild Die>",
        "die 1 of 2 (so far 5)>",
        "Bo: cut in before this happens? [RON-ACT-14]",
        "Bo cuts in [RON-ACT-14]",
        "taken back: Kess: dodge",
        "returned: Kess: dodge",
        "the game master sets Kess: initiative 9 → 20",
        "Serra joins the fight",
        "conditions none → stymied 2",
        "the game master sets Guard 3: at 8, 5 → 8, 6",
        "name Serra → Captain Serra",
        "side Watch → Travellers",
        "2 × attack kess, in all:",
        "Kess: a Fate Point on resistance? [RON-DMG-9]",
    ):
        assert words in out, words


def test_a_terminal_gives_the_same_fight(played: tuple[Path, str], tmp_path: Path) -> None:
    folder, _ = played
    child = seated(tmp_path, str(GATE), *TYPED)
    for line in script():
        say(child, line)
    child.sendline("quit")
    child.wait()
    assert child.exitstatus == 0
    one, other = saved(folder / "saves" / "gate-1.jsonl"), saved(tmp_path / "saves" / "gate-1.jsonl")
    assert other.settled == one.settled
    assert [entry.events for entry in other.entries] == [entry.events for entry in one.entries]


def test_the_log_of_the_fight_stands_up(played: tuple[Path, str]) -> None:
    """The rules give the same events again from the recorded answers."""
    from affray.cli.log import differences

    folder, _ = played
    assert list(differences(saved(folder / "saves" / "gate-1.jsonl"))) == []


def test_the_second_process_is_refused_in_words(tmp_path: Path) -> None:
    child = seated(tmp_path, str(GATE), "--dice", "typed")
    try:
        second = piped([], tmp_path, "gate-1")
        assert second.returncode == 2
        assert "open in another process" in second.stderr
        assert "Traceback" not in second.stderr
    finally:
        child.sendline("quit")
        child.wait()
    third = piped([], tmp_path, "gate-1")
    assert third.returncode == 0


def test_saves_are_listed_and_found_by_a_beginning(tmp_path: Path) -> None:
    assert "no saved fights" in piped([], tmp_path).stdout
    piped(["quit"], tmp_path, str(GATE))
    piped(["quit"], tmp_path, str(GATE), "--dice", "typed")
    (tmp_path / "saves" / "broken.jsonl").write_text("{}\n")
    out = piped([], tmp_path).stdout
    assert re.search(r"gate-1 .* round 1, \d+ entries, waits for \w+  At the old gate", out)
    assert re.search(r"gate-2 .* round 1, 0 entries, waits for Kess", out)
    assert "broken" in out and "cannot be read" in out
    unclear = piped([], tmp_path, "gate")
    assert unclear.returncode == 2 and "could be gate-1, gate-2" in unclear.stderr
    missing = piped([], tmp_path, "gaet-1")
    assert missing.returncode == 2 and "did you mean 'gate-1'" in missing.stderr


def test_a_script_may_stop_at_the_first_refusal(tmp_path: Path) -> None:
    done = piped(["nonsense", "quit"], tmp_path, str(GATE), "--strict")
    assert done.returncode == 1
    assert "neither an action nor a command" in done.stdout


def test_resuming_in_the_middle_of_an_action(tmp_path: Path) -> None:
    piped(["kess: 4 3 2", "5 1 6"], tmp_path, str(GATE), *TYPED)
    out = piped(["4"], tmp_path, "gate-1").stdout
    assert "die 3 of 3 (so far 5 1 6)>" in out
    assert "Bo 16" in out


def test_a_fight_with_policies_needs_nobody(tmp_path: Path) -> None:
    done = piped([], tmp_path, str(GATE), "--auto", "Travellers=cautious", "--auto", "Watch")
    assert done.returncode == 0, done.stderr
    assert "hold the field" in done.stdout


def test_taking_back_skips_what_policies_did(tmp_path: Path) -> None:
    session = table(tmp_path)
    told(session, "auto Watch aggressive", "end")
    before = session.fight.state
    assert session.actor() in ("Kess", "Bo")
    told(session, "end")
    assert session.fight.state != before
    told(session, "undo")
    assert session.fight.state == before
    told(session, "redo")
    assert session.fight.state != before


def test_the_tab_key_completes(tmp_path: Path) -> None:
    child = seated(tmp_path, str(GATE))
    out = say(child, "refu\t")  # the word alone would be unknown
    assert "[RON-" in out and "neither an action" not in out
    child.sendline("quit")
    child.wait()


def test_ctrl_c_drops_the_order_and_ctrl_d_leaves(tmp_path: Path) -> None:
    child = seated(tmp_path, str(GATE))
    if "Bo" not in str(child.after):
        say(child, "end")
    assert "target [Guard 1]>" in say(child, "attack")
    for _ in range(5):  # one that comes while the line editor gets ready may be overlooked
        child.sendintr()
        if child.expect([r"dropped; nothing has happened\s+Bo> $", pexpect.TIMEOUT], timeout=6) == 0:
            break
    else:
        pytest.fail("nothing was dropped")
    child.sendeof()
    child.expect("saved; go on with: affray play gate-1")
    child.wait()
    assert child.exitstatus == 0


def test_what_only_the_master_sees_is_not_printed(tmp_path: Path) -> None:
    from affray.events import Rolled
    from affray.table.telling import happened

    session = table(tmp_path)
    roll = Rolled("Kess", "notice", "RON-TIME-5", 0, "3D", (4, 5, 6), 15, seen="master")
    hidden = happened(session.fight, (roll,), session.label, False)
    assert len(hidden) == 1 and "15" not in hidden[0].text and "master" in hidden[0].text
    assert "15" in happened(session.fight, (roll,), session.label, True)[0].text
    assert told(session, "secrets") == "nothing secret has happened lately"


def test_the_fight_as_a_markdown_page(played: tuple[Path, str]) -> None:
    from affray.render.report import report

    folder, _ = played
    fight = saved(folder / "saves" / "gate-1.jsonl")
    page = "\n".join(report(fight, fight.entries, "At the old gate"))
    assert page.startswith("# At the old gate\n")
    assert "## Round 3" in page and "## How everybody is" in page
    assert r"\[RON-DMG-14\]" in page and re.search(r"^\*\*\d+\. Bo: attack", page, re.MULTILINE)
