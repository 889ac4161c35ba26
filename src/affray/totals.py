"""Every total of some dice with its exact weight, by multiplying polynomials packed into big integers.

The weights of one answer share one denominator, their sum. Dice have six sides. Needs nothing but the standard library.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import comb
from typing import TypeVar

R = TypeVar("R")
Outcomes = tuple[tuple[R, int], ...]
"""Results with integer weights."""
CUT = 10
"""Exact outcomes follow a Wild Die for this many re-throws; the tail of weight 6**-11 counts as its least value."""
DIE = (0, 1, 1, 1, 1, 1, 1)
"""Weights of one die, index = face."""


def _pack(weights: Sequence[int], slot: int) -> int:
    return int.from_bytes(b"".join(w.to_bytes(slot, "little") for w in weights), "little")


def _unpack(packed: int, slot: int, count: int) -> list[int]:
    data = packed.to_bytes(slot * count, "little")
    return [int.from_bytes(data[i : i + slot], "little") for i in range(0, slot * count, slot)]


def _chain_weights(rethrow: bool) -> list[int]:
    """Weights of one Wild Die, index = value, of 6**(CUT+1) (or 6)."""
    if not rethrow:
        return list(DIE)
    weights = [0] * (6 * (CUT + 1) + 1)
    for sixes in range(CUT + 1):
        for face in range(1, 6):
            weights[6 * sixes + face] = 6 ** (CUT - sixes)
    weights[6 * (CUT + 1)] = 1
    return weights


@cache
def sums(dice: int) -> Outcomes[int]:
    """Totals of ordinary dice."""
    slot = (3 * dice + 8) // 8
    packed = _pack([1] * 6, slot) ** dice
    return tuple((dice + i, w) for i, w in enumerate(_unpack(packed, slot, 5 * dice + 1)))


@cache
def pool_sums(regular: int, wilds: int, rethrow: bool) -> list[int]:
    """Weights by total of regular dice and Wild Dice together, index = total."""
    chain = _chain_weights(rethrow)
    bits = 3 * regular + max(1, wilds) * (3 * (CUT + 1) if rethrow else 3)
    slot = (bits + 8) // 8
    packed = _pack(DIE, slot) ** regular * _pack(chain, slot) ** wilds
    return _unpack(packed, slot, 6 * regular + (len(chain) - 1) * wilds + 1)


def listed(weights: Sequence[int], pips: int) -> Outcomes[int]:
    """The totals that have a weight, each with `pips` added."""
    return tuple((total + pips, weight) for total, weight in enumerate(weights) if weight)


@cache
def by_first(
    dice: int, pips: int, wilds: int, rethrow: bool, after: tuple[tuple[bool, bool], ...]
) -> Outcomes[tuple[int, bool]]:
    """Outcomes (total, flagged) of a pool by cases on the first face of its first Wild Die. `after`: what a 1 there does for each
    face of one more die: (the 1 and the highest other die are left out, the flag is raised)."""
    found: dict[tuple[int, bool], int] = {}

    def add(total: int, flagged: bool, weight: int) -> None:
        found[total + pips, flagged] = found.get((total + pips, flagged), 0) + weight

    others = pool_sums(dice - wilds, wilds - 1, rethrow)
    chain = _chain_weights(rethrow)
    for value, first in enumerate(chain):
        if value == 1 or not first:
            continue
        for rest, weight in enumerate(others):
            if weight:
                add(value + rest, False, 6 * first * weight)
    dropped: tuple[tuple[int, int], ...] = ()
    for drops, flagged in after:
        if drops:
            dropped = dropped or _less_highest_die(dice - wilds, wilds - 1, rethrow)
            for rest, weight in dropped:
                add(rest, flagged, chain[1] * weight)
        else:
            for rest, weight in enumerate(others):
                if weight:
                    add(1 + rest, flagged, chain[1] * weight)
    return tuple(sorted(found.items()))


@cache
def _less_highest_die(regular: int, wilds: int, rethrow: bool) -> Outcomes[int]:
    """Sum less the highest die, of regular dice and Wild Dice (a chain counts as one die)."""
    chain = _chain_weights(rethrow)
    joint = {(0, 0): 1}
    for weights in [*[DIE] * regular, *[chain] * wilds]:
        step: dict[tuple[int, int], int] = {}
        for (total, top), weight in joint.items():
            for value, times in enumerate(weights):
                if times:
                    key = (total + value, max(top, value))
                    step[key] = step.get(key, 0) + weight * times
        joint = step
    found: dict[int, int] = {}
    for (total, top), weight in joint.items():
        found[total - top] = found.get(total - top, 0) + weight
    return tuple(sorted(found.items()))


@cache
def without_highest(dice: int, drop: int) -> Outcomes[int]:
    """Sum of all but the `drop` highest of `dice` dice: count dice from face 6 down, the first `drop` of them are left out."""
    state = {(0, 0): 1}  # (dice placed, total)
    for face in range(6, 0, -1):
        step: dict[tuple[int, int], int] = {}
        for (placed, total), weight in state.items():
            for here in range(dice - placed + 1):
                left_out = max(0, min(here, drop - placed))
                key = (placed + here, total + face * (here - left_out))
                step[key] = step.get(key, 0) + weight * comb(dice - placed, here)
        state = step
    return tuple(sorted((total, weight) for (placed, total), weight in state.items() if placed == dice))
