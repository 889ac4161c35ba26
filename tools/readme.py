"""Fill the fight of README.md with what the program prints. `--check` only compares (exit code 1 when it is stale)."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
EXAMPLE = "examples/first.toml"
COMMAND = ["fight", EXAMPLE, "--seed", "5", "--log", "-"]


def section() -> str:
    """The example and its output, as Markdown."""
    run = [sys.executable, "-m", "affray", *COMMAND]
    output = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    words = " ".join(COMMAND[:4])
    toml = (ROOT / EXAMPLE).read_text(encoding="utf-8").strip()
    lines = toml.replace("\n\n[[", "\n[[")
    return f"`{EXAMPLE}`:\n\n```toml\n{lines}\n```\n\n`affray {words}`:\n\n```text\n{output.strip()}\n```\n"


def filled(text: str) -> str:
    """The README with a fresh fight."""
    fresh = section()
    return re.sub(r"(<!-- fight -->\n).*?(<!-- /fight -->)", lambda m: m[1] + fresh + m[2], text, flags=re.DOTALL)


def main() -> int:
    old = README.read_text(encoding="utf-8")
    new = filled(old)
    if "--check" in sys.argv:
        if new != old:
            print("out of date: run python tools/readme.py")
        return int(new != old)
    README.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
