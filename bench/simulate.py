"""Mass simulation: warm fights a second against the live loop, and 10,000 fights in a fresh process. CPU time.

    python bench/simulate.py            the table of figures
    python bench/simulate.py --fights 20000 --runs 9
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
from itertools import count
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from timing import show

from affray.cli.fight import chosen_policies
from affray.formats.encounter import load_fight
from affray.simulate.live import one
from affray.simulate.mass import Simulation

ROOT = Path(__file__).parent.parent
FILES = ("rond6-5v5", "rd6-5v5", "cepheus-5v5")
FRESH = """
import sys
from affray.cli.fight import chosen_policies
from affray.formats.encounter import load_fight
from affray.simulate.mass import Simulation
fight = load_fight(sys.argv[1])
simulation = Simulation(fight.ruleset, fight.state, chosen_policies(fight, ())[0])
if int(sys.argv[2]):
    simulation.run(int(sys.argv[2]), seed=1)
"""


def prepared(name: str) -> tuple[Any, dict[str, str], Simulation]:
    fight = load_fight(str(ROOT / "examples" / f"{name}.toml"))
    players, names = chosen_policies(fight, ())
    return fight, names, Simulation(fight.ruleset, fight.state, players)


def warm(name: str, fights: int, runs: int) -> tuple[float, float]:
    """Median seconds of one fight in tables and live, in turns."""
    fight, names, simulation = prepared(name)
    simulation.run(fights, seed=1, compiled=True)
    seeds = count(1)
    found: tuple[list[float], list[float]] = ([], [])
    lively = 12
    for _ in range(runs):
        start = process_time()
        simulation.run(fights, seed=1, compiled=True)
        found[0].append((process_time() - start) / fights)
        start = process_time()
        for _ in range(lively):
            one(fight.ruleset.name, fight.state, names, next(seeds), 200)
        found[1].append((process_time() - start) / lively)
    return median(found[0]), median(found[1])


def fresh(name: str, fights: int) -> float:
    """Seconds of processor time of a process of its own, its start and imports included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", FRESH, str(ROOT / "examples" / f"{name}.toml"), str(fights)], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--fights", type=int, default=10_000)
    options.add_argument("--runs", type=int, default=5)
    chosen = options.parse_args()
    rows = []
    for name in FILES:
        table, live = warm(name, chosen.fights, chosen.runs)
        rows.append((f"{name}: fights a second and core, warm", f"{1 / table:,.0f}", ">= 100,000"))
        rows.append((f"{name}: times the live loop ({1 / live:,.0f} a second)", f"{live / table:,.0f}", ">= 100"))
        fresh(name, 500)  # the compiled kernel is in its cache from here on
        cold = median(fresh(name, 10_000) for _ in range(3))
        bare = median(fresh(name, 0) for _ in range(3))
        rows.append((f"{name}: 10,000 fights in a fresh process (without them {bare:.2f} s)", f"{cold:.2f} s", "<= 3 s"))
    show(rows)


if __name__ == "__main__":
    main()
