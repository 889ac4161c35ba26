"""Fill README.md and docs/simulation.md with what the program prints. `--check` only compares (exit code 1 when stale).

Names of pages (`simulation.md`) limit it to them.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
SIMULATION = ROOT / "docs" / "simulation.md"
SECONDS = re.compile(r"\d+\.\d s of processor time")
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


def played(text: str) -> str:
    """A page whose blocks of console are what its commands print, but for the seconds."""

    def block(found: re.Match[str]) -> str:
        lines = [line for line in found[1].splitlines() if line.startswith("$ affray ")]
        return "```console\n" + "".join(f"{line}\n{printed(line[2:])}" for line in lines) + "```"

    return re.sub(r"^```console\n(.*?)^```", block, text, flags=re.MULTILINE | re.DOTALL)


def printed(line: str) -> str:
    """What a command prints; seconds are always 1.0."""
    (ROOT / "build").mkdir(exist_ok=True)
    run = [sys.executable, "-m", *shlex.split(line)]
    output = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return SECONDS.sub("1.0 s of processor time", output).rstrip() + "\n"


def main() -> int:
    for kept in (ROOT / "build").glob("*.jsonl"):  # results of an earlier state of the program
        kept.unlink()
    stale, wanted = False, [word for word in sys.argv[1:] if word != "--check"]
    for page, fill in ((README, filled), (SIMULATION, played)):
        if wanted and page.name not in wanted:
            continue
        old = page.read_text(encoding="utf-8")
        new = fill(old)
        if new != old and "--check" in sys.argv:
            print(f"{page.name} is out of date: run python tools/readme.py")
            stale = True
        elif new != old:
            page.write_text(new, encoding="utf-8")
    return int(stale)


if __name__ == "__main__":
    sys.exit(main())
