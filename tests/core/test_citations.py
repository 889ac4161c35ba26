"""The index of citations that ships with the package is up to date."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from affray import rules
from affray.render.citations import cited, index

ROOT = Path(__file__).resolve().parents[2]


def test_the_index_is_fresh() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools" / "citations.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_index_counts() -> None:
    assert len(index()) == 176 + 129 + 226
    code, tests = cited("RON-ATK-4")
    assert code > 0 and tests > 0
    assert cited("RON-NOPE-1") == (0, 0)


@pytest.mark.parametrize("ruleset", ["rond6", "rd6", "cepheus"])
def test_what_is_done_is_cited_by_code_and_by_a_test(ruleset: str) -> None:
    for rule, entry in rules.index(f"affray.rulesets.{ruleset}").items():
        code, tests = cited(rule)
        if entry.status == "done":
            assert code and tests, f"{rule} is done, but cited by {code} places in the code and {tests} tests"
        if entry.status == "not-modelled":
            assert entry.note, f"{rule} is not modelled; its note must say why"


def test_every_rule_that_is_cited_exists() -> None:
    sys.path.insert(0, str(ROOT / "tools"))
    try:
        import citations
    finally:
        sys.path.pop(0)
    known = set(citations.known())
    assert sorted({*citations.in_code(), *citations.in_tests()} - known) == []
