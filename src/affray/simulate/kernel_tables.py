"""Outcome tables as the kernel reads them: nodes with a record of numbers each, rows of outcomes, a hashed table.

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
    DOING,
    FIRST,
    LAST_STEP,
    LOOKS,
    NOBODY,
    OFFERS,
    OPEN,
    RANK,
    REROLL,
    RIDER,
    SEAT,
    SEATS,
    SPENDS,
    TURN,
)
from affray.simulate.lots import PLACE, UNKNOWN
from affray.simulate.memory import LINE, Hashed, Words, alias_columns
from affray.simulate.tables import ACTS, BEGINS, ENDS, INITIATIVE, OPENS, Tables
from affray.simulate.tables import FIRST as OP_FIRST
from affray.tabular import END, as_it_is

BETWEEN, GOING = 0, -1
"""What a node is about to do: nothing (it is between turns), to go on with its turn; else the number of an attack."""
MAX_STEPS = 40
"""Steps of one's own in one turn after which it is ended."""
FEW = 16
"""Outcomes of the second half of an attack, up to which both halves are drawn as one: more would be multiplied out."""
NOTHING = [-1, -1, -1, -1]
"""What an attack tells that tells nothing; it stands at place 0."""


class KernelTables:
    """The arrays of one simulation. `policies`: names in the order of their ranks in a record."""

    def __init__(self, tables: Tables, policies: list[str], ruleset: Ruleset) -> None:
        self.tables, self.ruleset = tables, ruleset
        self.policies = policies
        self.stride = -(-(RANK + len(policies)) // LINE) * LINE
        self.words, self.keys = Words(), Hashed()
        self.nodes: dict[tuple[int, int], int] = {}
        """Places of the records, by seat and what it is about to do."""
        self._codes: dict[Any, int] = {}
        self._row_codes: dict[int, int] = {}
        self._bout_codes: dict[int, int] = {}
        self._staged_codes: dict[tuple[int, tuple[int, ...]], int] = {}
        self._riders: list[tuple[Any, int]] = []
        self._rider_number: dict[tuple[Any, int], int] = {}
        self._told: list[int] = [self.words.add(NOTHING)]
        """Where the pairs of messages stand."""
        self._new: list[int] = []
        self._looks: set[int] = set()
        """Fields of turns that fights have asked for."""

    # ---- nodes

    def node(self, seat: int, doing: int = BETWEEN) -> int:
        """The node of a seat at a point of its turn."""
        key = (seat, doing)
        found = self.nodes.get(key)
        if found is None:
            found = self.nodes[key] = self.words.add(self._record(seat, doing))
            self._new.append(found)
        return found

    def _record(self, seat: int, doing: int) -> list[int]:
        tabular, one = self.tables.tabular, self.tables.seats[seat]
        able = tabular.able(one)
        ranks = [self.tables.rank(one, name) if able else NOBODY for name in self.policies]
        seen = (tabular.shift(one) << layout.SCORES) + (tabular.tie_now(one) << layout.MOMENT)
        words = [UNKNOWN] * self.stride
        words[layout.SEEN] = seen + layout.ABLE * able + layout.ACTING * tabular.acting(one)
        if doing > 0:
            words[BRINGS] = layout.OF_BOUT | self.tables.brings(seat, doing) << layout.BROUGHT
        if able:
            words[OFFERS] = self.tables.offers(seat)
        words[layout.HEALTH], words[SPENDS] = self.ruleset.health(one.me), 0
        words[SEAT], words[DOING] = seat, doing
        words[RANK : RANK + len(ranks)] = ranks
        return words

    # ---- rows

    def build(self, kind: int, a: int, b: int, c: int) -> None:
        """The row that a fight has missed."""
        if kind == layout.MISS_STEP:
            if TURN <= b < TURN + LOOKS:
                self._looks.add(b)
            self.words.data[a + b] = self._step(a, b)
        elif kind == layout.MISS_BOUT:
            self._bout(a, b, c)
        elif kind == layout.MISS_RECEIVE:
            self._receive(a, b)
        else:
            self._join(a, b)

    def _receive(self, node: int, message: int) -> None:
        """What a message does: a row of seats without what rides along."""
        data, kind = self.words.data, message & 1
        if data[node + BARE + kind] < 0:
            seat, doing = int(data[node + SEAT]), int(data[node + DOING])
            bare, back = self.tables.receiver(seat, message)
            if bare != seat and self.tables.seat(back(self.tables.seats[bare])) != seat:
                bare, back = seat, as_it_is
            rider = (back, doing)
            number = self._rider_number.setdefault(rider, len(self._riders))
            if number == len(self._riders):
                self._riders.append(rider)
            data[node + BARE + kind], data[node + RIDER + kind] = bare, number
        bare = int(data[node + BARE + kind])
        key = bare << SEATS | message
        if key not in self.keys.values:
            self.keys.put(key, self._row_code(self.tables.row_receive(bare, message)))

    def _join(self, seat: int, rider: int) -> None:
        """The node of a seat and of what rides along with it."""
        back, doing = self._riders[rider]
        node = self.node(self.tables.seat(back(self.tables.seats[seat])), doing)
        self.keys.put(layout.OF_JOIN | seat << SEATS | rider, node)

    def foresee(self) -> None:
        """The steps that new nodes will take next, before a fight has to stop for them. Those they lead to must wait."""
        new, self._new = self._new, []
        rerolls = (REROLL,) if self.tables.tabular.rerolls else ()
        for node in new:
            if self.words.data[node + layout.SEEN] & layout.ACTING:
                between = self.words.data[node + DOING] == BETWEEN
                for field in (*self._looks, OPEN, *rerolls) if between else tuple(self._looks):
                    if self.words.data[node + field] == UNKNOWN:
                        self.words.data[node + field] = self._step(node, field)
        self._new = []

    def _step(self, node: int, field: int) -> int:
        seat, doing, t = int(self.words.data[node + SEAT]), int(self.words.data[node + DOING]), self.tables
        if field in (FIRST, REROLL):
            values, weights = t.rows.row(t.row_solo(OP_FIRST if field == FIRST else INITIATIVE, seat))
            return self._code(zip([value + layout.SHIFTED for value in values], weights, strict=True))
        if field == OPEN:
            return self._code(self._nodes(t.row_solo(OPENS, seat), BETWEEN, 1.0))
        if field == LAST_STEP:
            return self._code(self._nodes(t.row_solo(ENDS, seat), BETWEEN, 1.0))
        if field == AFTER:
            return self._code(self._nodes(t.row_solo(ACTS + 2 * doing + 1, seat), GOING, 1.0))
        if doing == GOING:
            return self._code(self._going(seat, field - TURN, 1.0, MAX_STEPS))
        if doing == BETWEEN and (simpler := t.tabular.simpler(t.seats[seat], "begins")) and simpler[1] is as_it_is:
            other = self.node(t.seat(simpler[0]))
            if other != node:
                if self.words.data[other + field] == UNKNOWN:
                    self.build(layout.MISS_STEP, other, field, 0)
                return int(self.words.data[other + field])
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
            return self._nodes(t.row_solo(ENDS, seat), BETWEEN, weight)
        row = t.row_solo(ACTS + 2 * action, seat)
        if t.tabular.attacks(t.actions[action]):
            begun = self._nodes(row, action, weight)
            for node, _ in begun:
                spent = self._rounds(seat) - self._rounds(int(self.words.data[node + SEAT]))
                self.words.data[node + SPENDS] = spent
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

    def _bout(self, a: int, b: int, ground: int) -> None:
        t, data = self.tables, self.words.data
        brings, offers, between = int(data[a + BRINGS]), int(data[b + OFFERS]), ground >> layout.GROUNDS
        throw, rows = t.staged(brings >> layout.BROUGHT, between, offers)
        for target, attacker, harm, held in t.pairs[len(self._told) :]:
            self._told.append(self.words.add([target, harm, attacker, held]))
        self.keys.put(brings | ground | offers, self._staged_code(throw, rows) if rows else self._bout_code(throw))

    def _row_code(self, row: int) -> int:
        """What stands for a row of tables as it is."""
        code = self._row_codes.get(row)
        if code is None:
            code = self._row_codes[row] = self._code(zip(*self.tables.rows.row(row), strict=True))
        return code

    def _bout_code(self, row: int) -> int:
        """What stands for a row of pairs of messages."""
        code = self._bout_codes.get(row)
        if code is None:
            pairs, weights = self.tables.rows.row(row)
            code = self._bout_codes[row] = self._code(zip([self._told[pair] for pair in pairs], weights, strict=True))
        return code

    def _staged_code(self, throw: int, rows: tuple[int, ...]) -> int:
        """What stands for a draw and, for each of its results, a row: one draw where few things can come of it, else two."""
        code = self._staged_codes.get((throw, rows))
        if code is None:
            found = self.tables.rows.row
            if max(len(found(row)[0]) for row in set(rows)) > FEW:
                code = -(self.words.add([self._row_code(throw), *map(self._bout_code, rows)]) << PLACE)
            else:
                chances: dict[int, float] = {}
                for row, weight in zip(rows, found(throw)[1], strict=True):
                    chances[row] = chances.get(row, 0.0) + weight
                pairs = [(self._told[pair], c * w) for row, c in chances.items() for pair, w in zip(*found(row), strict=True)]
                code = self._code(pairs)
            self._staged_codes[throw, rows] = code
        return code

    def _code(self, outcomes: Iterable[tuple[int, float]]) -> int:
        """What stands for a row: its only outcome, or where its table stands. Equal rows are kept once."""
        merged: dict[int, float] = {}
        for value, weight in outcomes:
            merged[value] = merged.get(value, 0.0) + weight
        if len(merged) == 1:
            return next(iter(merged))
        row = tuple(merged.items())
        code = self._codes.get(row)
        if code is None:
            columns = max(1, (len(row) - 1).bit_length())
            at = self.words.add(alias_columns(row, columns))
            code = self._codes[row] = -(at << PLACE | 32 - columns)
        return code
