"""Chances of who goes before whom, from what each throws for initiative."""

from __future__ import annotations

from itertools import product
from typing import Any

Throw = tuple[dict[int, float], list[int]]
"""Chances of the scores, and the members of the group that throws them together."""


def orders(throws: list[Throw], tie: list[int]) -> list[tuple[tuple[int, ...], float]]:
    """Orders of a round with their chances: the highest score first, equal ones by `tie`, then by the roster.

    Scores are gone through from the highest; at each some of those who are left come up.
    """
    found: dict[tuple[int, ...], float] = {}
    going: dict[tuple[tuple[int, ...], int], float] = {((), 0): 1.0}
    everybody = (1 << len(throws)) - 1
    for score in sorted({score for chances, _ in throws for score in chances}, reverse=True):
        now: dict[tuple[tuple[int, ...], int], float] = {}
        for (order, placed), weight in going.items():
            there = [u for u, (chances, _) in enumerate(throws) if not placed >> u & 1 and score in chances]
            for choice in product((False, True), repeat=len(there)):
                units = [u for u, comes in zip(there, choice, strict=True) if comes]
                p, mask = weight, placed
                for u in units:
                    p *= throws[u][0][score]
                    mask |= 1 << u
                members = sorted((i for u in units for i in throws[u][1]), key=lambda i: (-tie[i], i))
                key = ((*order, *members), mask)
                target: dict[Any, float] = found if mask == everybody else now
                name: Any = key[0] if mask == everybody else key
                target[name] = target.get(name, 0.0) + p
        going = now
    return list(found.items())


def classes(throws: list[Throw], n: int, reach: int) -> list[tuple[tuple[int, ...], float]]:
    """Scores that stay, with their chances, as far as they matter when shifts differ by `reach` at most.

    A gap that no shift can close is as good as any other such gap.
    """
    found: dict[tuple[int, ...], float] = {}
    for thrown in product(*(chances.items() for chances, _ in throws)):
        p = 1.0
        for _, chance in thrown:
            p *= chance
        distinct = sorted({score for score, _ in thrown})
        level, levels = 0, {}
        for before, score in zip([distinct[0], *distinct], distinct, strict=False):
            level += min(score - before, reach + 1)
            levels[score] = level
        scores = [0] * n
        for (score, _), (_, members) in zip(thrown, throws, strict=True):
            for i in members:
                scores[i] = levels[score]
        key = tuple(scores)
        found[key] = found.get(key, 0.0) + p
    return list(found.items())
