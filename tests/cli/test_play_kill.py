"""kill -9 at random moments: nothing is lost but the line being typed, and the fight ends as if nothing had happened."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any

import pexpect
import pytest
from cli.playing import GATE, PROMPT, script, seated, table, told
from waiting import PATIENCE

from affray.store import jsonl
from affray.store.lines import restore
from affray.table.session import Session

TYPED = ("--dice", "typed=Travellers")
Mark = tuple[Any, ...]


def mark(save: Path) -> Mark:
    """What a save holds once whatever comes by itself has come: what was decided, is asked, and could be returned."""
    fight = restore(jsonl.read(save))
    Session(fight).begin()
    asked = tuple((one.n, one.faces) for one in fight.open.requests) if fight.open else ()
    given = fight.open.given if fight.open else ()
    ids = tuple(entry.id for entry in fight.entries)
    return ids, given, asked, len(fight.undone), fight.state


def groups(lines: list[str]) -> list[tuple[str, ...]]:
    """Lines that belong together: an order that is put together in several lines has not been decided before the last."""
    found: list[tuple[str, ...]] = []
    left = list(lines)
    while left:
        if left[:2] == ["attack", "guard 3"]:
            found.append((left.pop(0), left.pop(0)))
        else:
            found.append((left.pop(0),))
    return found


def undisturbed(folder: Path, units: list[tuple[str, ...]]) -> list[Mark]:
    """The save after each unit; first as it is before any."""
    session = table(folder, GATE, "typed=Travellers")
    save = Path(session.name)
    marks = [mark(save)]
    for unit in units:
        told(session, *unit)
        marks.append(mark(save))
    journal = session.fight.journal
    assert journal is not None
    journal.close()  # type: ignore[attr-defined]
    return marks


def play_on(child: pexpect.spawn, units: list[tuple[str, ...]], start: int, seconds: float | None) -> int:
    """Type units from `start` on until the end (returned: one more than the last) or until the process is killed."""
    at = start
    timer = None
    if seconds is not None:
        timer = threading.Timer(seconds, os.kill, (child.pid, signal.SIGKILL))
        timer.start()
    try:
        while at < len(units):
            for line in units[at]:
                child.sendline(line)
                child.expect(PROMPT)
            at += 1
    except (pexpect.EOF, OSError):
        pass
    finally:
        if timer:
            timer.cancel()
    return at


def killed_often(folder: Path, kills: int, seed: int) -> None:
    units = groups(script())
    (folder / "undisturbed").mkdir()
    marks = undisturbed(folder / "undisturbed", units)
    chance = random.Random(seed)
    count, number = 0, 0
    while count < kills:
        number += 1
        place = folder / f"run{number}"
        place.mkdir()
        child = seated(place, str(GATE), *TYPED)
        at = 0
        while True:
            at = play_on(child, units, at, chance.uniform(0, 0.6) if count < kills else None)
            child.close(force=True)
            if at == len(units):
                break
            count += 1
            found = mark(place / "saves" / "gate-1.jsonl")
            assert found in (marks[at], marks[at + 1]), f"after {units[at]!r} ({at})"
            if found == marks[at + 1] and found != marks[at]:
                at += 1
            child = resumed(place, chance if count < kills and chance.random() < 0.2 else None)
        assert mark(place / "saves" / "gate-1.jsonl") == marks[-1]


def resumed(place: Path, chance: random.Random | None) -> pexpect.spawn:
    """Sit down again; sometimes the machine stops even while it is resuming."""
    if chance is not None:
        child = pexpect.spawn(*_spawn(place), timeout=PATIENCE)
        time.sleep(chance.uniform(0, 0.5))
        child.kill(signal.SIGKILL)
        child.close(force=True)
    return seated(place, "gate-1")


def _spawn(place: Path) -> tuple[str, list[str]]:
    from cli.playing import arguments

    words = arguments(str(place / "saves" / "gate-1.jsonl"))
    return words[0], words[1:]


def test_killed_at_some_moments(tmp_path: Path) -> None:
    killed_often(tmp_path, 5, 1)


@pytest.mark.slow
def test_killed_at_60_moments(tmp_path: Path) -> None:
    killed_often(tmp_path, 60, 3)


@pytest.mark.slow
@pytest.mark.endurance
def test_killed_at_300_moments(tmp_path: Path) -> None:
    killed_often(tmp_path, 300, 2)
