"""Timing for the scripts here: CPU time, runs of what is compared alternating, medians. By itself it prints nothing."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from statistics import median
from time import process_time
from typing import Any

RUNS = 9


def alternating(*things: tuple[Callable[[], Any], int]) -> list[float]:
    """Median seconds of a call of each (function, calls in a row), in turns, so that a busy machine hurts all alike."""
    found: list[list[float]] = [[] for _ in things]
    for function, _ in things:
        function()
    gc.collect()
    for _ in range(RUNS):
        for times, (function, calls) in zip(found, things, strict=True):
            start = process_time()
            for _ in range(calls):
                function()
            times.append((process_time() - start) / calls)
    return [median(times) for times in found]


def show(rows: Sequence[tuple[str, str, str]]) -> None:
    """One table: what, how much, and what it should be."""
    head = ("what", "measured", "aim")
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(3)]
    for row in (head, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def told(seconds: float) -> str:
    """A time in a fitting unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"
