"""Sitting down at the table from a test: through pipes, through a pseudo-terminal, and as a bare session."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

import pexpect
from waiting import PATIENCE

from affray.cli.play import begun
from affray.encounter import Encounter
from affray.store import jsonl
from affray.table.layout import plain
from affray.table.session import Session

ROOT = Path(__file__).resolve().parents[2]
GATE = ROOT / "tests" / "playthroughs" / "gate.toml"
LINES = ROOT / "tests" / "playthroughs" / "gate.lines"
Call = Callable[..., tuple[int, str, str]]
"""Calls the command line; answers exit code, output, errors."""
PROMPT = r"[^\r\n]*> $"


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "src"), "TERM": "dumb", "COLUMNS": "100", "LINES": "40"}


def script(path: Path = LINES) -> list[str]:
    """The lines of a playthrough, remarks left out."""
    return [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def arguments(*rest: str) -> list[str]:
    return [sys.executable, "-m", "affray", "play", *rest]


def piped(lines: Iterable[str], folder: Path, *rest: str) -> subprocess.CompletedProcess[str]:
    """Play through pipes to the end of the lines."""
    text = "".join(line + "\n" for line in lines)
    return subprocess.run(
        arguments(*rest), input=text, capture_output=True, text=True, cwd=folder, env=environment(), timeout=PATIENCE, check=False
    )


def seated(folder: Path, *rest: str) -> pexpect.spawn:
    """A table at a pseudo-terminal, waiting for its first line."""
    child = pexpect.spawn(
        arguments()[0], arguments(*rest)[1:], cwd=str(folder), env=environment(), encoding="utf-8", timeout=PATIENCE, echo=False
    )
    child.setwinsize(40, 100)
    child.delaybeforesend = None
    child.expect(PROMPT)
    return child


def say(child: pexpect.spawn, line: str) -> str:
    """Type a line; what comes before the next prompt, and the prompt."""
    child.sendline(line)
    child.expect(PROMPT)
    return str(child.before) + str(child.after)


def table(folder: Path, file: Path = GATE, dice: str = "virtual", seed: int | None = None) -> Session:
    """A session without a process around it."""
    fight, save, title = begun(file, folder, seed, dice, (), False)
    session = Session(fight, title, str(save))
    session.begin()
    return session


def told(session: Session, *lines: str) -> str:
    """What a session says to some lines."""
    return "\n".join(part for line in lines for part in plain(session.take(line)))


def saved(path: Path) -> Encounter:
    """A save, only to look at."""
    return jsonl.look(path)
