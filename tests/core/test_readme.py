"""What README and the page about simulation show is what the program prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["README.md", pytest.param("simulation.md", marks=pytest.mark.slow)])
def test_what_a_page_shows_is_real(page: str) -> None:
    done = subprocess.run([sys.executable, ROOT / "tools" / "readme.py", "--check", page], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
