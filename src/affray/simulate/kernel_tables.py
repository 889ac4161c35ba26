"""Outcome tables as the kernel reads them: nodes with a record of numbers each, rows of outcomes, two hashed tables.

A node is a seat at a point of its turn: between turns, about to attack, or going on after an attack. A turn up to the next
attack is one row, made from the rows of the steps in it. Everything grows in place and nothing is ever moved within an
array, so what has been built stays valid for a fight that is run again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from affray.ruleset import Ruleset
from affray.simulate import layout
from affray.simulate.layout import (
    AFTER,
    BARE,
    BRINGS,
    ENDS,
    FIRST,
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
from affray.simulate.memory import LINE, Hashed, Words, alias_columns
from affray.simulate.tables import ACTS, BEGINS, Tables
from affray.simulate.tables import ENDS as OP_ENDS
from affray.simulate.tables import FIRST as OP_FIRST
from affray.simulate.tables import INITIATIVE as OP_INITIATIVE
from affray.simulate.tables import OPENS as OP_OPENS
from affray.tabular import END, as_it_is

BETWEEN, GOING = 0, -1
"""What a node is about to do: nothing (it is between turns), to go on with its turn; else the number of an attack."""
MAX_STEPS = 40
"""Steps of one's own in one turn after which it is ended."""


class KernelTables:
    """The arrays of one simulation. `policies`: names in the order of their ranks in a record."""

    def __init__(self, tables: Tables, policies: list[str], ruleset: Ruleset) -> None:
        self.tables, self.ruleset = tables, ruleset
        self.policies = policies
        self.stride = -(-(RANK + len(policies)) // LINE) * LINE
        self.record, self.entries, self.told = Words(), Words(), Words()
        self.bouts, self.receives, self.joins = Hashed(), Hashed(), Hashed()
        self.nodes: dict[tuple[int, int], int] = {}
        self.seat: list[int] = []
        """Seat of each node; nodes are numbered by the place of their record, `stride` apart."""
        self._seats = Words()
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
        seen = (tabular.shift(one) << layout.SCORES) + (tabular.tie_now(one) << layout.MOMENT)
        words = [-1] * self.stride
        words[layout.SEEN] = seen + layout.ABLE * able + layout.ACTING * tabular.acting(one)
        if doing > 0:
            words[BRINGS] = self.tables.brings(seat, doing)
        if able:
            words[OFFERS] = self.tables.offers(seat)
        words[layout.HEALTH], words[SPENDS] = self.ruleset.health(one.me), 0
        ranks = [self.tables.rank(one, name) if able else NOBODY for name in self.policies]
        words[RANK : RANK + len(ranks)] = ranks
        return words

    def seats_of(self, nodes: Any) -> Any:
        """Seats of nodes, in arrays."""
        return self._seats.data[nodes // self.stride]

    # ---- rows

    def build(self, kind: int, a: int, b: int, c: int) -> None:
        """The row that a fight has missed."""
        if kind == layout.MISS_STEP:
            if TURN <= b < TURN + LOOKS:
                self._looks.add(b)
            self.record.data[a + b] = self._step(a // self.stride, b)
        elif kind == layout.MISS_BOUT:
            self._bout(a, b, c)
        elif kind == layout.MISS_RECEIVE:
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
            if self.record.data[node + layout.SEEN] & layout.ACTING:
                steps = (*self._looks, OPEN, *rerolls) if self.doing[place] == BETWEEN else tuple(self._looks)
                for field in steps:
                    if self.record.data[node + field] < 0:
                        self.record.data[node + field] = self._step(place, field)
        self._new = []

    def _step(self, place: int, field: int) -> int:
        seat, doing, t = self.seat[place], self.doing[place], self.tables
        if field in (FIRST, REROLL):
            values, weights = t.rows.row(t.row_solo(OP_FIRST if field == FIRST else OP_INITIATIVE, seat))
            return self._code(zip([value + layout.SHIFTED for value in values], weights, strict=True))
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
                    self.build(layout.MISS_STEP, other, field, 0)
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
        self.bouts.put(brings << layout.BOUT | between << layout.BETWEEN | offers, code)

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
            at = self.entries.add(alias_columns(row, columns))
            code = self._codes[row] = at << 6 | (32 - columns) << 1 | 1
        return code
