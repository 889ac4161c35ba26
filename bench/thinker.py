"""How much better `thinker` fights than `aggressive`: the same fights with the same dice, one side played by each.

Slow (minutes): not part of `make bench`, which runs it only with `--fights`. The table stands in docs/fair-fight.md.
"""

from __future__ import annotations

import sys
from math import sqrt
from pathlib import Path
from time import process_time

from affray.formats.encounter import load_fight
from affray.simulate.playout import Players, Playout, Standing
from affray.simulate.report import Share

FILES = ("thinker-rond6", "thinker-rd6", "thinker-cepheus")
SIDE = "Heroes"
ROUNDS = 40


def compare(file: str, fights: int, limit: float) -> str:
    """One row: wins of the side by each policy, the difference with its interval, time. Stops after `limit` seconds."""
    fight = load_fight(str(Path(__file__).resolve().parent / "fights" / f"{file}.toml"))
    won: list[list[bool]] = [[], []]
    seconds = [0.0, 0.0]
    playouts = [Playout(fight.ruleset, Players(fight.ruleset, {SIDE: who}), ROUNDS) for who in ("aggressive", "thinker")]
    number = 0
    while number < fights and sum(seconds) < limit:
        for which, playout in enumerate(playouts):
            began = process_time()
            won[which].append(playout.fight(Standing(fight.state), number) == SIDE)
            seconds[which] += process_time() - began
        number += 1
    fights = number
    seconds = [one / fights for one in seconds]
    shares = [Share.of(sum(one), fights) for one in won]
    gains = [int(b) - int(a) for a, b in zip(*won, strict=True)]
    mean = sum(gains) / fights
    half = 1.96 * sqrt(sum((gain - mean) ** 2 for gain in gains) / max(1, fights - 1) / fights)
    told = [f"{100 * s.share:.0f} % ({100 * s.low:.0f} to {100 * s.high:.0f})" for s in shares]
    gain = f"{100 * mean:+.0f} ± {100 * half:.0f} points"
    return f"| {fight.title} | {fights} | {told[0]} | {told[1]} | {gain} | {seconds[0]:.3f} | {seconds[1]:.1f} |"


def main() -> None:
    if "--fights" not in sys.argv:
        print("slow; give --fights N to run it")
        return
    fights = int(sys.argv[sys.argv.index("--fights") + 1])
    limit = float(sys.argv[sys.argv.index("--seconds") + 1]) if "--seconds" in sys.argv else 1e9
    wanted = [name for name in FILES if name in sys.argv] or FILES
    print("| fight | fights | aggressive wins | thinker wins | difference | s a fight | s a fight, thinker |")
    print("|---|---|---|---|---|---|---|")
    for name in wanted:
        print(compare(name, fights, limit), flush=True)


if __name__ == "__main__":
    main()
