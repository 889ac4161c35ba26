"""The one rule of turn order, on plain whole numbers, so that the same source runs in Python and compiled."""

from __future__ import annotations

from collections.abc import Sequence


def first(score: Sequence[int], tie: Sequence[int], left: Sequence[bool], n: int) -> int:
    """Index of the highest score among those `left` (ties: higher `tie`, then the earlier index); -1 when nobody is left."""
    best = -1
    for i in range(n):
        if left[i] and (best < 0 or score[i] > score[best] or (score[i] == score[best] and tie[i] > tie[best])):
            best = i
    return best
