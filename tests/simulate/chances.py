"""Chi-square tests of counts, without a library: whether two samples, or a sample and exact chances, are of one distribution."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import exp, lgamma, log

LEAST = 10.0
"""Expected count below which classes are thrown together."""


def above(x: float, degrees: int) -> float:
    """Probability that a chi-square variable exceeds x: the upper incomplete gamma function, by series or fraction."""
    a, z = degrees / 2, x / 2
    if z <= 0:
        return 1.0
    front = exp(-z + a * log(z) - lgamma(a))
    if z < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-15:
            n += 1
            term *= z / n
            total += term
        return 1 - front * total
    b, c = z + 1 - a, 1e300
    d = 1 / b
    h = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return front * h


def against(counts: Mapping[Hashable, int], chances: Mapping[Hashable, float]) -> float:
    """The p-value of counts under exact chances (which may leave a little open)."""
    n = sum(counts.values())
    rare, rare_chance, x, classes = 0, 0.0, 0.0, 0
    for key in sorted(counts.keys() | chances.keys(), key=repr):
        expected = n * chances.get(key, 0.0)
        if expected < LEAST:
            rare, rare_chance = rare + counts.get(key, 0), rare_chance + chances.get(key, 0.0)
            continue
        x += (counts.get(key, 0) - expected) ** 2 / expected
        classes += 1
    if n * rare_chance >= 1:
        x += (rare - n * rare_chance) ** 2 / (n * rare_chance)
        classes += 1
    return above(x, classes - 1) if classes > 1 else 1.0


def alike(one: Mapping[Hashable, int], other: Mapping[Hashable, int]) -> float:
    """The p-value of two samples being of one distribution."""
    n, m = sum(one.values()), sum(other.values())
    pairs: list[tuple[int, int]] = []
    rare = (0, 0)
    for key in sorted(one.keys() | other.keys(), key=repr):
        a, b = one.get(key, 0), other.get(key, 0)
        if (a + b) * min(n, m) / (n + m) < LEAST:
            rare = (rare[0] + a, rare[1] + b)
        else:
            pairs.append((a, b))
    if sum(rare):
        pairs.append(rare)
    x = 0.0
    for a, b in pairs:
        whole = a + b
        for count, size in ((a, n), (b, m)):
            expected = whole * size / (n + m)
            x += (count - expected) ** 2 / expected
    return above(x, len(pairs) - 1) if len(pairs) > 1 else 1.0
