"""The pages about odds and about a fair fight show what really comes out: their commands and their Python, run in order."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from affray.cli import affray

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("docs/odds.md", "docs/fair-fight.md")
SECONDS = re.compile(r"\d+\.\d+ s of processor time")


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def commands() -> list[tuple[str, str]]:
    """Every command with what it should print."""
    parts = [part for page in PAGES for block in blocks(page, "console") for part in re.split(r"^\$ ", block, flags=re.M)[1:]]
    return [(line, printed) for line, _, printed in (part.partition("\n") for part in parts)]


def plain(text: str) -> str:
    return SECONDS.sub("1.0 s of processor time", text).rstrip()


@pytest.mark.parametrize(("line", "printed"), commands(), ids=[line for line, _ in commands()])
def test_commands_print_what_stands_there(line: str, printed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    name, *arguments = shlex.split(line)
    assert name == "affray"
    done = CliRunner().invoke(affray, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    assert plain(done.stdout) == plain(printed)


@pytest.mark.parametrize("page", PAGES)
def test_python_gives_what_stands_there(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks(page, "python")), {}, page, page, 0)
    results = doctest.DocTestRunner().run(examples)
    assert results.attempted > 10 and results.failed == 0
