"""The page about a fair fight shows what really comes out: its commands and its Python, run in order."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from affray.cli import affray

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/fair-fight.md").read_text(encoding="utf-8")
SECONDS = re.compile(r"\d+\.\d+ s of processor time")


def commands() -> list[tuple[str, str]]:
    """Every command of the page with what it should print."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        line, _, printed = block.partition("\n")
        found.append((line.removeprefix("$ "), printed))
    return found


def plain(text: str) -> str:
    return SECONDS.sub("1.0 s of processor time", text).rstrip()


@pytest.mark.parametrize(("line", "printed"), commands(), ids=[line.split()[1] for line, _ in commands()])
def test_commands_print_what_stands_there(line: str, printed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    name, *arguments = shlex.split(line)
    assert name == "affray"
    done = CliRunner().invoke(affray, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    assert plain(done.output) == plain(printed)


def test_python_gives_what_stands_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
    examples = doctest.DocTestParser().get_doctest(text, {}, "docs/fair-fight.md", "docs/fair-fight.md", 0)
    results = doctest.DocTestRunner().run(examples)
    assert results.attempted > 10 and results.failed == 0
