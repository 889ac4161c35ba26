"""Exact duels: CPU time to a bound of 1e-6, with and without standing dodges, and a few against a few. Medians, fresh tables."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

from timing import show, told

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from simulate.starts import players, start

from affray.simulate.duel import Duel, duel

RUNS = 3
PRUNE = 5e-7


def timed(name: str, a: int, b: int, foe: str = "aggressive") -> tuple[float, Duel]:
    """Median CPU seconds, and what was found."""
    ruleset, state = start(name, a, b)
    seconds: list[float] = []
    found: Callable[[], Duel] = lambda: duel(ruleset, state, players(ruleset, b=foe), PRUNE)  # noqa: E731
    for _ in range(RUNS):
        began = process_time()
        last = found()
        seconds.append(process_time() - began)
    return median(seconds), last


def main() -> None:
    timed("rond6", 1, 1)  # whatever is loaded once
    rows = []
    for name in ("rond6", "rd6", "cepheus"):
        seconds, found = timed(name, 1, 1)
        rows.append((f"{name}, nobody dodges (error {found.error:.0e}, {found.states} states)", told(seconds), "1 s"))
    for name in ("rond6", "cepheus"):
        seconds, found = timed(name, 1, 1, "cautious")
        rows.append((f"{name}, one dodges (error {found.error:.0e}, {found.states} states)", told(seconds), "6 s"))
    seconds, found = timed("rond6", 2, 1)
    rows.append((f"rond6, two against one (error {found.error:.0e}, {found.states} states)", told(seconds), ""))
    show(rows)


if __name__ == "__main__":
    main()
