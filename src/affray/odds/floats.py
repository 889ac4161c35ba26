"""Whole tables of chances as floats, for large ranges: all totals of 1 to n dice at once. Needs numpy.

Only sums of positive numbers, so that even the rarest totals keep their digits.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from affray.totals import CUT


@cache
def _wild() -> Any:
    chain = np.zeros(6 * (CUT + 1) + 1)
    for sixes in range(CUT + 1):
        chain[6 * sixes + 1 : 6 * sixes + 6] = 6.0 ** -(sixes + 1)
    chain[6 * (CUT + 1)] = 6.0 ** -(CUT + 1)
    return chain


@cache
def _shares(most: int) -> Any:
    return 6.0 ** -np.arange(most, dtype=float)[:, None]


def all_totals(most: int) -> Any:
    """Array [dice - 1, total] of the chances of every total of 1 to `most` dice, one of them Wild. Pips shift a row."""
    wild = _wild()
    padded = np.zeros((most, 6 * most + len(wild)))  # six columns of nothing before the total 0
    padded[0, 6 : 6 + len(wild)] = wild
    last = padded[0]
    for into in padded[1:]:
        pairs = last[:-1] + last[1:]
        window = into[6:]
        np.add(pairs[:-5], pairs[2:-3], window)
        window += pairs[4:-1]
        last = into
    found = padded[:, 6:]
    found *= _shares(most)
    return found
