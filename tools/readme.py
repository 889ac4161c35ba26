"""Puts a fight with its real output into README.md, between the marks `<!-- fight -->` and `<!-- /fight -->`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "examples" / "rond6-alley.toml"
WIDTH = 118


def told() -> list[str]:
    """The output of the fight, cut to what shows how it reads: the beginning, the first hit, the end."""
    command = [sys.executable, "-m", "affray", "fight", str(FILE), "--seed", "1", "--log", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={"PYTHONPATH": str(ROOT / "src")})
    lines = done.stdout.splitlines()
    hit = next(number for number, line in enumerate(lines) if ": hit" in line)
    end = next(number for number, line in enumerate(lines) if line.startswith("Winner"))
    parts = [lines[:9], lines[hit - 2 : hit + 5], lines[end:]]
    return [line for number, part in enumerate(parts) for line in (["    ..."] if number else []) + part]


def cut(line: str) -> str:
    return line if len(line) <= WIDTH else line[: WIDTH - 3] + "..."


def main() -> None:
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    before, _, rest = text.partition("<!-- fight -->")
    _, _, after = rest.partition("<!-- /fight -->")
    source = FILE.read_text(encoding="utf-8").strip()
    output = "\n".join(map(cut, told()))
    said = f"`affray fight {FILE.relative_to(ROOT)} --seed 1` tells, in part:"
    block = f"\n```toml\n{source}\n```\n\n{said}\n\n```\n{output}\n```\n"
    readme.write_text(f"{before}<!-- fight -->{block}<!-- /fight -->{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
