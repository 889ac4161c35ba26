"""The fight in the README is what the program prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_fight_in_the_readme_is_real() -> None:
    done = subprocess.run([sys.executable, ROOT / "tools" / "readme.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
