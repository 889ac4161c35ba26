"""Outcome tables as the kernel reads them: nodes with a record of numbers each, rows of outcomes, two hashed tables.

A node is a seat at a point of its turn: between turns, about to attack, or going on after an attack. A turn up to the next
attack is one row, made from the rows of the steps in it. Everything grows in place and nothing is ever moved within an
array, so what has been built stays valid for a fight that is run again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from affray.ruleset import Ruleset
from affray.simulate import kernel, lots
from affray.simulate.kernel import (
    AFTER,
    BARE,
    BRINGS,
    ENDS,
    FIRST,
    LINE,
    LOOKS,
    NOBODY,
    OFFERS,
    OPEN,
    RANK,
    REROLL,
    RIDER,
    SEATS,
    SPENDS,
    TURN,
)
from affray.simulate.tables import ACTS, BEGINS, Tables
from affray.simulate.tables import ENDS as OP_ENDS
from affray.simulate.tables import FIRST as OP_FIRST
from affray.simulate.tables import INITIATIVE as OP_INITIATIVE
from affray.simulate.tables import OPENS as OP_OPENS
from affray.tabular import END, as_it_is

BETWEEN, GOING = 0, -1
"""What a node is about to do: nothing (it is between turns), to go on with its turn; else the number of an attack."""
WHOLE = 1 << 32
MAX_STEPS = 40
"""Steps of one's own in one turn after which it is ended."""


class Grown:
    """A flat array of whole numbers that grows at its end."""

    def __init__(self, fill: int = -1) -> None:
        self.fill = fill
        self.size = 0
        self.data = _filled(1024, fill)

    def add(self, values: list[int]) -> int:
        """Append; returns the place of the first."""
        at, self.size = self.size, self.size + len(values)
        if self.size > len(self.data):
            bigger = _filled(max(self.size, 2 * len(self.data)), self.fill)
            bigger[:at] = self.data[:at]
            self.data = bigger
        self.data[at : self.size] = values
        return at


class Hashed:
    """An open-addressed table of keys and values in turn, less than half full (see `kernel.look_up`)."""

    def __init__(self) -> None:
        self.count = 0
        self.data = _empty(1024)

    def put(self, key: int, value: int) -> None:
        self.count += 1
        places = len(self.data) // 2 - 1
        if 2 * self.count > places:
            old = self.data[2:].reshape(-1, 2)
            self.data = _empty(2 * places)
            for k, v in old[old[:, 0] >= 0].tolist():
                self._place(k, v)
        self._place(key, value)

    def _place(self, key: int, value: int) -> None:
        last = int(self.data[0])
        at = lots.place(key, last)
        while self.data[2 * at + 2] >= 0:
            at = at + 1 & last
        self.data[2 * at + 2], self.data[2 * at + 3] = key, value


def _filled(size: int, value: int) -> Any:
    """An array that begins with a line of memory, so that what is read together lies in as few of them as it can."""
    data = np.full(size + LINE, value, np.int64)
    skipped = -(data.ctypes.data // 8) % LINE
    return data[skipped : skipped + size]


def _empty(places: int) -> Any:
    data = _filled(2 * places + 2, -1)
    data[0] = places - 1
    return data


class Packed:
    """The arrays of one simulation. `policies`: names in the order of their ranks in a record."""

    def __init__(self, tables: Tables, policies: list[str], ruleset: Ruleset) -> None:
        self.tables, self.ruleset = tables, ruleset
        self.policies = policies
        self.stride = -(-(RANK + len(policies)) // LINE) * LINE
        self.record, self.entries, self.told = Grown(), Grown(), Grown()
        self.bouts, self.receives, self.joins = Hashed(), Hashed(), Hashed()
        self.nodes: dict[tuple[int, int], int] = {}
        self.seat: list[int] = []
        """Seat of each node; nodes are numbered by the place of their record, `stride` apart."""
        self._seats = Grown()
        self.doing: list[int] = []
        self._codes: dict[Any, int] = {}
        self._row_codes: dict[int, int] = {}
        self._chains: dict[tuple[int, tuple[int, ...]], int] = {}
        self._received: set[int] = set()
        self._riders: list[tuple[Any, int]] = []
        self._rider_number: dict[tuple[Any, int], int] = {}
        self._pairs = 0
        self._new: list[int] = []
        self._looks: set[int] = set()
        """Fields of turns that fights have asked for."""

    # ---- nodes

    def node(self, seat: int, doing: int = BETWEEN) -> int:
        """The node of a seat at a point of its turn."""
        key = (seat, doing)
        found = self.nodes.get(key)
        if found is None:
            found = self.nodes[key] = self.record.add(self._record(seat, doing))
            self._new.append(found)
            self.seat.append(seat)
            self._seats.add([seat])
            self.doing.append(doing)
        return found

    def _record(self, seat: int, doing: int) -> list[int]:
        tabular, one = self.tables.tabular, self.tables.seats[seat]
        able = tabular.able(one)
        seen = (tabular.shift(one) << kernel.SCORES) + (tabular.tie_now(one) << kernel.MOMENT)
        words = [-1] * self.stride
        words[kernel.SEEN] = seen + kernel.ABLE * able + kernel.ACTING * tabular.acting(one)
        if doing > 0:
            words[BRINGS] = self.tables.brings(seat, doing)
        if able:
            words[OFFERS] = self.tables.offers(seat)
        words[kernel.HEALTH], words[SPENDS] = self.ruleset.health(one.me), 0
        ranks = [self.tables.rank(one, name) if able else NOBODY for name in self.policies]
        words[RANK : RANK + len(ranks)] = ranks
        return words

    def seats_of(self, nodes: Any) -> Any:
        """Seats of nodes, in arrays."""
        return self._seats.data[nodes // self.stride]

    # ---- rows

    def build(self, kind: int, a: int, b: int, c: int) -> None:
        """The row that a fight has missed."""
        if kind == kernel.MISS_STEP:
            if TURN <= b < TURN + LOOKS:
                self._looks.add(b)
            self.record.data[a + b] = self._step(a // self.stride, b)
        elif kind == kernel.MISS_BOUT:
            self._bout(a, b, c)
        elif kind == kernel.MISS_RECEIVE:
            self._receive(a, b)
        else:
            self._join(a, b)

    def _receive(self, node: int, message: int) -> None:
        """What a message does: a row of seats without what rides along."""
        data, kind, place = self.record.data, message & 1, node // self.stride
        if data[node + BARE + kind] < 0:
            seat = self.seat[place]
            bare, back = self.tables.receiver(seat, message)
            if bare != seat and self.tables.seat(back(self.tables.seats[bare])) != seat:
                bare, back = seat, as_it_is
            rider = (back, self.doing[place])
            number = self._rider_number.setdefault(rider, len(self._riders))
            if number == len(self._riders):
                self._riders.append(rider)
            data[node + BARE + kind], data[node + RIDER + kind] = bare, number
        bare = int(data[node + BARE + kind])
        key = bare << SEATS | message
        if key not in self._received:
            self.receives.put(key, self._row_code(self.tables.row_receive(bare, message)))
            self._received.add(key)

    def _join(self, seat: int, rider: int) -> None:
        """The node of a seat and of what rides along with it."""
        back, doing = self._riders[rider]
        self.joins.put(seat << SEATS | rider, self.node(self.tables.seat(back(self.tables.seats[seat])), doing))

    def foresee(self) -> None:
        """The steps that new nodes will take next, before a fight has to stop for them. Those they lead to must wait."""
        new, self._new = self._new, []
        rerolls = (REROLL,) if self.tables.tabular.rerolls else ()
        for node in new:
            place = node // self.stride
            if self.record.data[node + kernel.SEEN] & kernel.ACTING:
                steps = (*self._looks, OPEN, *rerolls) if self.doing[place] == BETWEEN else tuple(self._looks)
                for field in steps:
                    if self.record.data[node + field] < 0:
                        self.record.data[node + field] = self._step(place, field)
        self._new = []

    def _step(self, place: int, field: int) -> int:
        seat, doing, t = self.seat[place], self.doing[place], self.tables
        if field in (FIRST, REROLL):
            values, weights = t.rows.row(t.row_solo(OP_FIRST if field == FIRST else OP_INITIATIVE, seat))
            return self._code(zip([value + kernel.SHIFTED for value in values], weights, strict=True))
        if field == OPEN:
            return self._code(self._nodes(t.row_solo(OP_OPENS, seat), BETWEEN, 1.0))
        if field == ENDS:
            return self._code(self._nodes(t.row_solo(OP_ENDS, seat), BETWEEN, 1.0))
        if field == AFTER:
            return self._code(self._nodes(t.row_solo(ACTS + 2 * doing + 1, seat), GOING, 1.0))
        if doing == GOING:
            return self._code(self._going(seat, field - TURN, 1.0, MAX_STEPS))
        if doing == BETWEEN and (simpler := t.tabular.simpler(t.seats[seat], "begins")) and simpler[1] is as_it_is:
            other = self.node(t.seat(simpler[0]))
            if other != place * self.stride:
                if self.record.data[other + field] < 0:
                    self.build(kernel.MISS_STEP, other, field, 0)
                return int(self.record.data[other + field])
        found: list[tuple[int, float]] = []
        op = BEGINS if doing == BETWEEN else ACTS + 2 * doing + 1
        for begun, weight in zip(*t.rows.row(t.row_solo(op, seat)), strict=True):
            found += self._going(begun, field - TURN, weight, MAX_STEPS)
        return self._code(found)

    def _going(self, seat: int, look: int, weight: float, steps: int) -> list[tuple[int, float]]:
        """Where a turn leads from here: to nodes about to attack, or to the end of the turn."""
        t = self.tables
        action = t.next_action(seat, look) if steps and t.tabular.acting(t.seats[seat]) else 0
        if t.actions[action] == END:
            return self._nodes(t.row_solo(OP_ENDS, seat), BETWEEN, weight)
        row = t.row_solo(ACTS + 2 * action, seat)
        if t.tabular.attacks(t.actions[action]):
            begun = self._nodes(row, action, weight)
            for node, _ in begun:
                self.record.data[node + SPENDS] = self._rounds(seat) - self._rounds(self.seat[node // self.stride])
            return begun
        found: list[tuple[int, float]] = []
        for after, share in zip(*t.rows.row(row), strict=True):
            found += self._going(after, look, weight * share, steps - 1)
        return found

    def _rounds(self, seat: int) -> int:
        """Rounds left in all weapons."""
        return dict(self.ruleset.stock(self.tables.seats[seat].me)).get("rounds", 0)

    def _nodes(self, row: int, doing: int, weight: float) -> list[tuple[int, float]]:
        return [(self.node(seat, doing), weight * share) for seat, share in zip(*self.tables.rows.row(row), strict=True)]

    def _bout(self, a: int, b: int, between: int) -> None:
        t, data = self.tables, self.record.data
        brings, offers = int(data[a + BRINGS]), int(data[b + OFFERS])
        throw, rows = t.staged(brings, between, offers)
        code = self._row_code(throw)
        if rows:
            code = self._chain(code, rows)
        for target, attacker, harm, held in t.pairs[self._pairs :]:
            self.told.add([target, harm, attacker, held])
        self._pairs = len(t.pairs)
        self.bouts.put(brings << kernel.BOUT | between << kernel.BETWEEN | offers, code)

    def _row_code(self, row: int) -> int:
        """What stands for a row of tables as it is."""
        code = self._row_codes.get(row)
        if code is None:
            code = self._row_codes[row] = self._code(zip(*self.tables.rows.row(row), strict=True))
        return code

    def _chain(self, first: int, rows: tuple[int, ...]) -> int:
        """A draw, and for each of its results the code of the next one."""
        code = self._chains.get((first, rows))
        if code is None:
            codes = [self._row_code(row) for row in rows]
            words = [first, *codes] + [-1] * (1 - len(codes) % 2)  # even, so that no column of a row lies across two lines
            code = codes[0] if len(set(codes)) == 1 else self.entries.add(words) << 6 | 1
            self._chains[first, rows] = code
        return code

    def _code(self, outcomes: Iterable[tuple[int, float]]) -> int:
        """What stands for a row: twice its only outcome, or where its table stands. Equal rows are kept once."""
        merged: dict[int, float] = {}
        for value, weight in outcomes:
            merged[value] = merged.get(value, 0.0) + weight
        if len(merged) == 1:
            return next(iter(merged)) << 1
        row = tuple(merged.items())
        code = self._codes.get(row)
        if code is None:
            columns = max(1, (len(row) - 1).bit_length())
            at = self.entries.add(_columns(row, columns))
            code = self._codes[row] = at << 6 | (32 - columns) << 1 | 1
        return code


def _columns(row: tuple[tuple[int, float], ...], bits: int) -> list[int]:
    """Outcomes as 2**bits columns of equal weight: two words each, an outcome with its share of the column, and another.

    Walker's alias method in whole numbers: weights in 2**-32, so that a draw is one look and no search.
    """
    count, full = 1 << bits, WHOLE >> bits
    if count == 2:
        (one, weight), (two, _) = row if row[0][1] >= row[1][1] else (row[1], row[0])
        rare = min(full, WHOLE - round(weight * WHOLE))
        return [full << lots.VALUE | one, one, rare << lots.VALUE | two, one]
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
        words += [min(share[c], full) << lots.VALUE | values[c], other[c]]
    return words
