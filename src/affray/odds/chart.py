"""Bar charts for the terminal: one line a result, in plain text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from affray.odds.distribution import Distribution, percent

WIDTH = 40
EIGHTHS = " ▏▎▍▌▋▊▉"
SLIGHT = 0.0005
"""Results at the ends of a list of numbers that are rarer than this are put together in one line."""


def lines(odds: Distribution, width: int = WIDTH, mark: int | None = None) -> Iterator[str]:
    """The chart. `mark`: numbers from here up are marked."""
    rows = _gathered(odds)
    most = max([share for _, share, _ in rows], default=0.0) or 1.0
    label = max([len(text) for text, _, _ in rows], default=0)
    for text, share, least in rows:
        sign = "" if mark is None or least is None else "▸ " if least >= mark else "  "
        yield f"{sign}{text:>{label}}  {percent(share):>8}  {bar(share / most, width)}".rstrip()


def bar(share: float, width: int = WIDTH) -> str:
    """A bar of `share` of `width` letters."""
    eighths = round(share * width * 8)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def _gathered(odds: Distribution) -> list[tuple[str, float, Any]]:
    """(label, probability, least number in it): rare numbers at both ends in one line each."""
    rows = [(str(value), float(weight / odds.whole), value) for value, weight in odds.outcomes]
    if not odds.numeric:
        return [(text, share, None) for text, share, _ in rows]
    low, high = 0, len(rows)
    while low < high and rows[low][1] < SLIGHT:
        low += 1
    while high > low and rows[high - 1][1] < SLIGHT:
        high -= 1
    kept = rows[low:high]
    if low > 1:
        kept = [(f"≤{rows[low - 1][0]}", sum([share for _, share, _ in rows[:low]]), rows[0][2]), *kept]
    elif low == 1:
        kept = [rows[0], *kept]
    if len(rows) - high > 1:
        kept.append((f"≥{rows[high][0]}", sum([share for _, share, _ in rows[high:]]), rows[high][2]))
    elif len(rows) - high == 1:
        kept.append(rows[-1])
    return kept


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns: the first to the left, the others to the right."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    for row in (head, *rows):
        first, *others = [(cell, width) for cell, width in zip(row, widths, strict=True)]
        yield "  ".join([first[0].ljust(first[1]), *[cell.rjust(width) for cell, width in others]]).rstrip()
