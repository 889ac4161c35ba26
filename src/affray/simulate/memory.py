"""Arrays of whole numbers as the kernel reads them: words that grow, a hashed table, rows of outcomes to draw from."""

from __future__ import annotations

from typing import Any

import numpy as np

from affray.simulate import lots

LINE = 8
"""Words that lie in one line of memory; records begin where one begins."""
WHOLE = 1 << 32
"""The weights of a row together."""


class Words:
    """A flat array of whole numbers that grows at its end. The kernel reads `data`, room to spare and all."""

    def __init__(self, fill: int = -1) -> None:
        self.fill = fill
        self.size = 0
        self.data = _filled(1024, fill)

    def add(self, values: list[int]) -> int:
        """Append, so that no more lines than it must are touched; returns the place of the first."""
        even = min(LINE, 1 << (len(values) - 1).bit_length())
        at = -(-self.size // even) * even
        self.size = at + len(values)
        if self.size > len(self.data):
            bigger = _filled(max(self.size, 2 * len(self.data)), self.fill)
            bigger[: len(self.data)] = self.data
            self.data = bigger
        self.data[at : self.size] = values
        return at


class Hashed:
    """An open-addressed table of keys and values in turn, a third full at most (see `lots.look_up`).

    Those that came first stand where the search begins, also when the table has grown: fights want them most often.
    """

    def __init__(self) -> None:
        self.values: dict[int, int] = {}
        self.data = _empty(1024)

    def put(self, key: int, value: int) -> None:
        self.values[key] = value
        places = len(self.data) // 2 - 1
        if 3 * len(self.values) <= places:
            self._place(key, value)
            return
        self.data = _empty(2 * places)
        for k, v in self.values.items():
            self._place(k, v)

    def _place(self, key: int, value: int) -> None:
        last = int(self.data[0])
        at = lots.place(key, last) + 2
        while self.data[at] >= 0:
            at = (at & last) + 2
        self.data[at], self.data[at + 1] = key, value


def _filled(size: int, value: int) -> Any:
    """An array that begins with a line of memory, so that what is read together lies in as few of them as it can."""
    data = np.full(size + LINE, value, np.int64)
    skipped = -(data.ctypes.data // 8) % LINE
    return data[skipped : skipped + size]


def _empty(places: int) -> Any:
    data = _filled(2 * places + 2, -1)
    data[0] = 2 * places - 2
    return data


def alias_columns(row: tuple[tuple[int, float], ...], bits: int) -> list[int]:
    """Outcomes as 2**bits columns of equal weight: two words each, an outcome with the end of its share, and another.

    Walker's alias method in whole numbers: weights in 2**-32, so that a draw is one look and no search.
    """
    count, full = 1 << bits, WHOLE >> bits
    if count == 2:
        (one, weight), (two, _) = row if row[0][1] >= row[1][1] else (row[1], row[0])
        rare = min(full, WHOLE - round(weight * WHOLE))
        return [full << lots.VALUE | one, one, full + rare << lots.VALUE | two, one]
    ordered = sorted(row, key=lambda pair: -pair[1])
    values, weights, before, total = [], [], 0, 0.0
    for value, weight in ordered:
        total += weight
        now = min(WHOLE, round(total * WHOLE))
        values.append(value)
        weights.append(now - before)
        before = now
    weights[0] += WHOLE - before
    values += [values[0]] * (count - len(values))
    weights += [0] * (count - len(weights))
    other = list(values)
    light = [c for c in range(count) if weights[c] < full]
    heavy = [c for c in range(count) if weights[c] > full]
    share = list(weights)
    while light:
        c, from_ = light.pop(), heavy[-1]
        share[c], other[c] = weights[c], values[from_]
        weights[from_] -= full - weights[c]
        if weights[from_] <= full:
            heavy.pop()
            if weights[from_] < full:
                light.append(from_)
            else:
                share[from_] = full
    words: list[int] = []
    for c in range(count):
        words += [full * c + min(share[c], full) << lots.VALUE | values[c], other[c]]
    return words
