"""Exact duels: CPU time to a bound of 1e-6, with and without standing dodges, and a few against a few. Medians, fresh tables.

    python bench/duel.py            all cases, three runs each (a minute)
    python bench/duel.py --runs 1
"""

from __future__ import annotations

import argparse
from pathlib import Path
from runpy import run_path
from statistics import median
from time import process_time
from typing import Any

from timing import show, told

from affray.simulate.duel import Duel, duel

STARTS = run_path(str(Path(__file__).resolve().parents[1] / "tests" / "simulate" / "starts.py"))
"""By path: `simulate` is a script beside this one too."""
CASES = (
    ("rond6", 1, 1, "aggressive", "nobody dodges", "<= 1 s"),
    ("rd6", 1, 1, "aggressive", "nobody dodges", "<= 1 s"),
    ("cepheus", 1, 1, "aggressive", "nobody dodges", "<= 1 s"),
    ("rond6", 1, 1, "cautious", "one dodges", "<= 6 s"),
    ("rd6", 1, 1, "cautious", "one dodges", "<= 6 s"),
    ("cepheus", 1, 1, "cautious", "one dodges", "<= 6 s"),
    ("rond6", 2, 1, "aggressive", "two against one", ""),
    ("rond6", 2, 2, "aggressive", "two against two, once", "<= 60 s"),
)


def timed(runs: int, name: str, a: int, b: int, foe: str) -> tuple[float, Duel]:
    """Median CPU seconds, and what was found."""
    ruleset, state = STARTS["start"](name, a, b)
    who: dict[str, Any] = STARTS["players"](ruleset, b=foe)
    seconds: list[float] = []
    for _ in range(runs):
        began = process_time()
        found = duel(ruleset, state, who)
        seconds.append(process_time() - began)
    return median(seconds), found


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--runs", type=int, default=3)
    runs = options.parse_args().runs
    rows = []
    for name, a, b, foe, what, aim in CASES:
        timed(1, name, 1, 1, "aggressive")  # whatever is loaded once
        try:
            seconds, found = timed(1 if a + b > 3 else runs, name, a, b, foe)
        except ValueError as reason:
            rows.append((f"{name}, {what}", str(reason), aim))
            continue
        rows.append((f"{name}, {what} (error {found.error:.0e}, {found.states} states)", told(seconds), aim))
    show(rows)


if __name__ == "__main__":
    main()
