"""The page about odds shows what really comes out: its commands and its Python, run in order."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from affray.cli import affray

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/odds.md").read_text(encoding="utf-8")


def commands() -> list[tuple[str, str]]:
    """Every command of the page with what it should print."""
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, printed = part.partition("\n")
            found.append((line, printed))
    return found


@pytest.mark.parametrize(("line", "printed"), commands(), ids=[line for line, _ in commands()])
def test_commands_print_what_stands_there(line: str, printed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    name, *arguments = shlex.split(line)
    assert name == "affray"
    done = CliRunner().invoke(affray, arguments, catch_exceptions=False)
    assert done.exit_code == 0
    assert done.output.rstrip() == printed.rstrip()


def test_python_gives_what_stands_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = "\n".join(re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))
    examples = doctest.DocTestParser().get_doctest(text, {}, "docs/odds.md", "docs/odds.md", 0)
    results = doctest.DocTestRunner().run(examples)
    assert results.attempted > 10 and results.failed == 0
