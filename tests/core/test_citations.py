"""The index of citations that ships with the package is up to date."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

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
