"""How mass simulation grows: from 1 against 1 to 20 against 20, and from a thousand fights to ten million.

    python bench/growth.py                       a small table
    python bench/growth.py --full docs/growth    all of it, written to docs/growth.csv and docs/growth.svg

Each figure comes from a process of its own, so that memory is its own; CPU time, the compiled kernel in its cache.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from timing import show

SIDES = (1, 2, 5, 10, 20)
FIGHTS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)
RULESETS = ("rond6", "rd6", "cepheus")
GUN = {
    "rond6": """attributes = {{ Strength = "3D", Agility = "3D", Stamina = "3D", Perception = "3D", "Will Power" = "2D" }}
skills = {{ "Ranged Weapons" = "{dice}D", Dodge = "4D" }}
weapons = [{{ name = "pistol", kind = "ranged", damage = "4D", ranges = [10, 25, 50] }}]
at = [{x}, 0]
""",
    "rd6": """attributes = {{ Agility = "3D", Strength = "3D", Stamina = "3D", Perception = "3D", Willpower = "2D" }}
skills = {{ "Ranged Weapons" = "{dice}D", Dodge = "4D" }}
weapons = [{{ name = "pistol", kind = "ranged", damage = "4D", ranges = [60, 90, 120] }}]
at = [{x}, 0]
""",
    "cepheus": """upp = "788676"
skills = {{ "Slug Rifle" = {dice} }}
weapons = ["Accelerator Rifle"]
armor = ["Jack"]
""",
}
"""What one of each side is like; {dice} and {x} differ."""


def encounter(ruleset: str, each: int) -> str:
    """So many equal shooters on each side, in reach of one another."""
    head = f'ruleset = "{ruleset}"\ntitle = "{each} against {each}"\n'
    if ruleset == "cepheus":
        head += 'distances = [{ between = ["A", "B"], is = 12 }]\n[space]\nkind = "distances"\n'
    for side in "AB":
        head += f'[[side]]\nname = "{side}"\npolicy = "aggressive"\n'
    dice = (1, 2) if ruleset == "cepheus" else (5, 6)
    for side, skill, x in zip("AB", dice, (0, 6), strict=True):
        head += f'[[combatant]]\nname = "{side}er"\nside = "{side}"\ncount = {each}\n' + GUN[ruleset].format(dice=skill, x=x)
    return head


MEASURE = """
import json, resource, sys, tempfile, time
from pathlib import Path
from affray.cli.fight import chosen_policies
from affray.formats.encounter import load_fight
from affray.simulate.run import Fights
from affray.simulate.tally import Tally
from affray.simulate.workers import Workers
path = Path(tempfile.mkdtemp()) / "growth.toml"
path.write_text(sys.argv[1])
fight = load_fight(str(path))
fights = Fights(fight.ruleset, fight.state, chosen_policies(fight, ())[1], workers=Workers(1))
assert fights.how == "tables", fights.how
def played(seed, count):
    start, tally = time.process_time(), Tally(fights.roster)
    for batch in fights.run(seed, count):
        tally.take(batch)
    return time.process_time() - start
played(1, 500)
cold = played(2, int(sys.argv[2]))
warm = played(2, int(sys.argv[2])) if int(sys.argv[2]) <= 100_000 else 0.0
memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"cold": cold, "warm": warm, "memory": memory}))
"""


def measured(ruleset: str, each: int, fights: int) -> dict[str, Any]:
    text = encounter(ruleset, each)
    out = subprocess.run([sys.executable, "-c", MEASURE, text, str(fights)], check=True, capture_output=True, text=True)
    return {"ruleset": ruleset, "each": each, "fights": fights, **json.loads(out.stdout)}


def drawn(rows: list[dict[str, Any]], path: Path) -> None:
    """Four small charts: time and memory, by people and by fights."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams |= {"svg.hashsalt": "affray", "font.size": 8, "svg.fonttype": "none"}
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(2, 2, figsize=(8, 6), layout="constrained")
    for ruleset in RULESETS:
        mine = [row for row in rows if row["ruleset"] == ruleset]
        sizes = [row for row in mine if row["fights"] == 10_000]
        lengths = [row for row in mine if row["each"] == 5]
        people = [row["each"] for row in sizes]
        axes[0, 0].plot(people, [1e6 * row["warm"] / row["fights"] for row in sizes], "o-", label=ruleset)
        axes[0, 1].plot(people, [row["memory"] for row in sizes], "o-", label=ruleset)
        numbers = [row["fights"] for row in lengths]
        axes[1, 0].plot(numbers, [row["cold"] for row in lengths], "o-", label=ruleset)
        axes[1, 1].plot(numbers, [row["memory"] for row in lengths], "o-", label=ruleset)
    names = (
        ("µs a fight, warm", "on each side"),
        ("MB at most", "on each side"),
        ("s of CPU, tables built", "fights"),
        ("MB at most", "fights"),
    )
    for axis, (y, x) in zip(axes.flat, names, strict=True):
        axis.set_xlabel(x)
        axis.set_ylabel(y)
        axis.set_xscale("log")
        axis.grid(alpha=0.3)
        axis.legend(fontsize=7)
    axes[0, 0].set_yscale("log")
    axes[1, 0].set_yscale("log")
    for axis in (axes[0, 1], axes[1, 1]):
        axis.set_ylim(bottom=0)
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--full", metavar="PATH", help="Measure all of it; write PATH.csv and PATH.svg.")
    options.add_argument("--draw", metavar="PATH", help="Draw PATH.svg from PATH.csv again.")
    chosen = options.parse_args()
    if chosen.draw:
        with open(f"{chosen.draw}.csv", newline="") as file:
            read = [{k: v if k == "ruleset" else float(v) for k, v in row.items()} for row in csv.DictReader(file)]
        drawn(read, Path(f"{chosen.draw}.svg"))
        return
    jobs = [(ruleset, each, 10_000) for ruleset in RULESETS for each in (SIDES if chosen.full else (1, 5))]
    if chosen.full:
        jobs += [(ruleset, 5, fights) for fights in FIGHTS for ruleset in RULESETS if fights != 10_000]
    rows: list[dict[str, Any]] = []
    for job in jobs:
        rows.append(measured(*job))
        rows.sort(key=lambda row: (RULESETS.index(row["ruleset"]), row["each"], row["fights"]))
        if chosen.full:  # after each, so that nothing is lost
            with open(f"{chosen.full}.csv", "w", newline="") as file:
                writer = csv.DictWriter(file, list(rows[0]))
                writer.writeheader()
                writer.writerows(rows)
    if chosen.full:
        drawn(rows, Path(f"{chosen.full}.svg"))
    told = [(f"{r['ruleset']} {r['each']}v{r['each']}, {r['fights']:,} fights", r) for r in rows]
    show([(name, f"{r['cold']:.2f} s, then {r['warm']:.2f} s, {r['memory']:.0f} MB", "") for name, r in told])


if __name__ == "__main__":
    main()
