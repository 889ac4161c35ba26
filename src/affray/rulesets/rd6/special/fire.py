"""Fire modes and ammunition: single shots of burst weapons, full automatic, several rounds, sweeps, fire that scares."""

from __future__ import annotations

from affray.rules import rule
from affray.rulesets.rd6.numbers import Option
from affray.rulesets.rd6.rulings import Rulings
from affray.rulesets.rd6.sheet import Fighter, State, Weapon
from affray.rulesets.rd6.telling import change, fighter
from affray.scene import Scene

BURST_ROUNDS = 3
"""Rounds that a burst spends; nothing printed says how many (fixed reading)."""
SWEEP = Option("sweep", "RD6-SPC-17", 1, 0, -3, True)


@rule("RD6-SPC-14", "RD6-SPC-15", "RD6-SPC-16")
def fire_option(weapon: Weapon, mode: str, shots: int, rulings: Rulings) -> Option:
    """What a way of firing adds, how many rounds it spends, and whether it takes the whole round."""
    if mode == "auto":
        return Option("full automatic", "RD6-SPC-15", 1, 0, 2, True, shots=full_auto_rounds(weapon))
    if mode == "single":
        return Option("single shot of a burst weapon", "RD6-SPC-14", 0, 0, -2)
    if shots > 1:
        extra = shots - 1
        plus = 3 if rulings.semi_attack_bonus == "plus_3_once" else 3 * extra
        whole = weapon.clip > 0 and 2 * shots >= weapon.clip
        return Option(f"{shots} rounds", "RD6-SPC-16", 0, plus, extra, whole, shots=shots)
    return Option(shots=BURST_ROUNDS if weapon.modes and weapon.modes[0] == "burst" else 1)


def full_auto_rounds(weapon: Weapon) -> int:
    """Full automatic empties half of the clip; nothing printed says how much (fixed reading)."""
    return max(1, weapon.clip // 2)


def sweep_rounds(weapon: Weapon, shots: int) -> int:
    """Rounds that a sweep spends: as in the mode that the weapon has."""
    if "auto" in weapon.modes:
        return full_auto_rounds(weapon)
    return BURST_ROUNDS if "burst" in weapon.modes else max(2, shots)


def rounds_left(me: Fighter, weapon: Weapon) -> int:
    """Rounds in the weapon; a large number where they are not counted."""
    return next((left for name, left in me.loaded if name == weapon.name), 10**6)


def spend_rounds(scene: Scene[State], who: str, weapon: Weapon, shots: int) -> None:
    """Rounds leave the weapon whether they hit or not."""
    me = fighter(scene, who)
    if not weapon.clip:
        return
    left = max(0, rounds_left(me, weapon) - shots)
    loaded = tuple((name, left if name == weapon.name else count) for name, count in me.loaded)
    change(scene, who, "RD6-SPC-16", "", {"weapon": weapon.name, "left": left}, loaded=loaded)
