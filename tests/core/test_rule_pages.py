"""The pages of rules are what their generator writes now, and they hold every rule."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from affray import rules

ROOT = Path(__file__).resolve().parents[2]


def test_the_pages_are_fresh() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools" / "rules_pages.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("name", "count"), [("rond6", 176), ("rd6", 129), ("cepheus", 226)])
def test_every_rule_stands_on_its_page(name: str, count: int) -> None:
    text = (ROOT / "docs" / f"rules-{name}.md").read_text(encoding="utf-8")
    index = rules.index(f"affray.rulesets.{name}")
    assert len(index) == count
    for entry in index.values():
        assert f"### {entry.id} · {entry.title}\n" in text
    assert text.count("\n### ") == count
