"""The READMEs of the rulesets say what each models, in one table with the same rows."""

from __future__ import annotations

import re
from pathlib import Path

from affray.ruleset import NAMES

RULESETS = Path(__file__).resolve().parents[2] / "src" / "affray" / "rulesets"


def rows(name: str) -> list[str]:
    """The subjects of the table under 'What is modelled'."""
    text = (RULESETS / name / "README.md").read_text(encoding="utf-8")
    table = text.split("## What is modelled", 1)[1].split("\n## ", 1)[0]
    return [row for row in re.findall(r"^\| ([^|]+?) \|", table, re.M) if row != "Subject"]


def test_the_same_rows_in_every_ruleset() -> None:
    assert len(rows("rd6")) > 15
    assert all(rows(name) == rows("rd6") for name in NAMES)
