"""Questions of odds against the same asked of icepool, and previews of orders. Medians of alternating runs, CPU time."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

import icepool
from timing import RUNS, alternating, show, told

from affray import dice, odds, totals
from affray.dice import Code
from affray.odds.floats import all_totals
from affray.odds.questions import pool_of, ways
from affray.rulesets.rond6 import RULESET
from affray.rulesets.rond6.areas import Area
from affray.rulesets.rond6.attack import Attack
from affray.rulesets.rond6.sheet import Armor, Fighter, Sheet, State, Weapon
from affray.totals import CUT

WILD = icepool.d6.explode(depth=CUT)
SCRIPT = f"""
import icepool
wild = icepool.d6.explode(depth={CUT})
print(float((wild + 5 @ icepool.d6).probability(">=", 15)))
"""
COMMAND = "import sys; from affray.cli import main; main(['odds', 'test', '6D', '--difficulty', '15'])"


def questions() -> list[tuple[str, str, str]]:
    """One question, warm; the same exactly; all totals of 1D to 24D."""
    pool = pool_of("6D")

    def theirs() -> float:
        return float((WILD + 5 @ icepool.d6).probability(">=", 15))

    def theirs_exactly() -> Fraction:
        return Fraction((WILD + 5 @ icepool.d6).probability(">=", 15))

    def all_theirs() -> list[Any]:
        return [(WILD + n @ icepool.d6).probabilities() for n in range(24)]

    def all_exactly() -> list[Any]:
        for cache in (totals.pool_sums, dice._wild_totals):
            cache.cache_clear()
        return [odds.total(f"{n}D").outcomes for n in range(1, 25)]

    def cold() -> tuple[int, int]:
        for cache in (totals.pool_sums, dice._wild_totals, odds.questions.tail):
            cache.cache_clear()
        return ways(pool, 15)

    ask, ice = alternating((lambda: odds.chance("6D", 15), 2000), (theirs, 20))
    exact, ice_exact = alternating((lambda: Fraction(*ways(pool, 15)), 2000), (theirs_exactly, 20))
    first, ice_again = alternating((cold, 20), (theirs_exactly, 20))
    table, ice_table, integers = alternating((lambda: all_totals(24), 50), (all_theirs, 1), (all_exactly, 1))
    return [
        ("icepool / warm question, 6D against 15", f"{ice / ask:.0f} ({told(ask)})", "100"),
        ("icepool / the same as a fraction", f"{ice_exact / exact:.0f} ({told(exact)})", "15"),
        ("icepool / the same, nothing kept from before", f"{ice_again / first:.1f} ({told(first)})", ""),
        ("icepool / all totals 1D to 24D, floats", f"{ice_table / table:.0f} ({told(table)})", "400"),
        ("icepool / all totals 1D to 24D, whole numbers", f"{ice_table / integers:.1f} ({told(integers)})", ""),
    ]


def processes() -> list[tuple[str, str, str]]:
    """CPU of `affray odds test` as a whole process over that of a bare script with icepool."""
    source = str(Path(dice.__file__).resolve().parents[1])
    environment = {**os.environ, "PYTHONPATH": source}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if not os.access(source, os.W_OK) or "PYTHONDONTWRITEBYTECODE" in os.environ:
        environment.setdefault("PYTHONPYCACHEPREFIX", "/tmp/affray-bench-bytecode")

    def cpu(code: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    cpu(COMMAND)
    pairs = [(cpu(COMMAND), cpu(SCRIPT)) for _ in range(2 * RUNS)]
    ours, theirs = median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)
    return [("`affray odds test` / bare script with icepool", f"{ours / theirs:.2f} ({told(ours)}, {told(theirs)})", "0.9")]


def sheet(points: int = 0) -> State:
    """Two swordsmen, and eight in a crowd for the burst."""
    plain = tuple((name, Code(3)) for name in ("Strength", "Agility", "Stamina", "Perception", "Will Power"))
    sword = Weapon("sword", "melee", Code(2), strength=True)
    bomb = Weapon("bomb", "thrown", Code(5), ranges=(5, 10, 20), area="burst medium")
    kit = Sheet(plain, (("Melee Weapons", Code(6)), ("Throwing", Code(5)), ("Dodge", Code(5))), (sword, bomb), Armor(Code(1)))
    ash = Fighter("Ash", "Ash", "a", kit, at=(0, 0), held=("sword", "bomb"))
    foes = [Fighter(f"Foe {n}", f"Foe {n}", "b", kit, at=(1 + n // 3, n % 3), character=points) for n in range(8)]
    return State((ash, *foes), round=1, turn="Ash")


def previews() -> list[tuple[str, str, str]]:
    """Previews of RonD6 orders, with nothing solved before (dice included), and asked again."""

    def forget() -> None:
        for cache in (totals.pool_sums, dice._wild_totals):
            cache.cache_clear()

    def preview(points: int) -> Any:
        forget()
        return odds.of(RULESET, sheet(points), Attack("Ash", "Foe 0", "sword"))

    kept = odds.Lab(RULESET, sheet())
    feats = odds.Lab(RULESET, sheet())
    feats.of(Attack("Ash", "Foe 0", "sword"))
    names = feats.options("Ash", "feat")

    def table() -> None:
        forget()
        lab = odds.Lab(RULESET, sheet())
        for name in names:
            lab.of(Attack("Ash", "Foe 0", "sword"), wishes=(("Ash", "feat", name),))

    burst = Area("Ash", "bomb", (2, 1))

    def blast() -> Any:
        forget()
        return odds.of(RULESET, sheet(), burst, watch=("Foe 4",))

    cold, points, warm, all_feats, area = alternating(
        (lambda: preview(0), 1),
        (lambda: preview(2), 1),
        (lambda: kept.of(Attack("Ash", "Foe 0", "sword")), 3),
        (table, 1),
        (blast, 1),
    )
    return [
        ("RonD6 attack, feats bought by the policy, cold", told(cold), "30 ms"),
        ("the same against one with Character Points", told(points), ""),
        ("the same attack asked again", told(warm), ""),
        (f"a row for each of its {len(names)} feats, cold", f"{told(all_feats)}, {told(all_feats / len(names))} a row", ""),
        ("burst over 8 victims, one watched, cold", told(area), "300 ms"),
    ]


if __name__ == "__main__":
    show([*questions(), *processes(), *previews()])
