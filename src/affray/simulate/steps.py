"""What one combatant does or is told in an exact fight, for many states at once: the rows of the tables, looked up by column.

Seats stand in states with full magazines; whoever shoots is filled up at the end of its turn, and the state notes what that
took (see `magazines`).
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from affray.policies.ahead import Late
from affray.simulate.book import Book, Numbered, Outcomes, each
from affray.simulate.columns import Branches
from affray.simulate.mass import Simulation
from affray.simulate.tables import ENDS, MISSING
from affray.tabular import PLENTY

PLAN, HELD, SPENT, SEAT = range(4)
"""Columns of a state: who acts when, harm held back, what has been shot; seats are the last ones."""


class Steps:
    """The steps of one fight. `until`: a time of `perf_counter` after which Late is raised."""

    def __init__(self, simulation: Simulation, until: float | None) -> None:
        self.tables, self.tabular, self.until = simulation.tables, simulation.tabular, until
        self.n = len(simulation.ids)
        self.first = [self.tables.seats[int(seat)] for seat in simulation.first_seat]
        self.supply = [self.tabular.supply(seat) for seat in self.first]
        self.capacity = [
            self.tabular.capacity(seat) if supply < PLENTY else PLENTY
            for seat, supply in zip(self.first, self.supply, strict=True)
        ]
        """Rounds in a full magazine; PLENTY where they are not counted."""
        self._books: dict[Any, Book] = {}
        self._blows, self._received = Book(3, self._blow), Book(1, self._receive)
        self._kinds: dict[int, int] = {}
        """A message of each kind (see `Tabular.aside`)."""
        self._riding = Numbered()

    def book(self, name: tuple[Any, ...], width: int, solve: Callable[..., Outcomes]) -> Book:
        """The rows of that name: of one kind, and for the numbers that are given to it before those of the key."""
        found = self._books.get(name)
        if found is None:
            found = self._books[name] = Book(width, each(lambda *key: self._solved(solve, *name[1:], *key)))
        return found

    def _solved(self, solve: Callable[..., Outcomes], *key: int) -> Outcomes:
        self.in_time()
        return solve(*key)

    def in_time(self) -> None:
        """Raises Late when the time is over."""
        if self.until is not None and perf_counter() > self.until:
            raise Late

    # ---- alone

    def solo(self, op: int, i: int, live: Branches) -> Branches:
        """A step of combatant i alone. At the end of its turn the magazine seems full again."""
        seats = live.columns[SEAT + i]
        if op != ENDS or self.capacity[i] >= PLENTY:
            at, (seat,), weight = self.book(("solo", op), 1, self._solo_row).expand(seats)
            return live.became(at, weight, {SEAT + i: seat})
        at, (seat, spent), weight = self.book(("ends", i), 2, self._ends).expand(seats)
        return live.became(at, weight, {SEAT + i: seat, SPENT: spent})

    def _solo_row(self, op: int, seat: int) -> Outcomes:
        return self._row(self.tables.row_solo(op, seat))

    def _row(self, row: int) -> Outcomes:
        values, weights = self.tables.rows.row(row)
        return [(value,) for value in values], list(weights)

    def _ends(self, i: int, seat: int) -> Outcomes:
        values, weights = self._solo_row(ENDS, seat)
        return [self.filled(i, value) for (value,) in values], weights

    def filled(self, i: int, number: int) -> tuple[int, int]:
        """The seat with a full magazine, and how many rounds that gave it, together with who it is.

        Raises ValueError where another weapon is in use.
        """
        seat = self.tables.seats[number]
        supply = self.tabular.supply(seat)
        if supply >= PLENTY:
            return number, 0
        if self.tabular.in_use(seat) != self.tabular.in_use(self.first[i]):
            raise ValueError("somebody changes to another weapon with a magazine")
        missing = self.capacity[i] - supply
        return self.tables.seat(self.tabular.stocked(seat, self.capacity[i])), missing * self.n + i if missing else 0

    def next_actions(self, seats: Any, looks: Any) -> Any:
        """What the policies of the seats do next, by what they see of the rest."""
        _, (actions,), _ = self.book(("next",), 1, self._next_action).expand(seats, looks)
        return actions

    def _next_action(self, seat: int, look: int) -> Outcomes:
        return [(self.tables.next_action(seat, look),)], [1.0]

    # ---- one against another

    def blow(self, action: int, ground: int, by: Any, at: Any, tied: Any) -> tuple[Any, list[Any], Any]:
        """An attack, as `Book.expand` tells it: the target's seat, what the attacker is told, harm that is held back."""
        _, (brings,), _ = self.book(("brings", action), 1, self._brings).expand(by)
        _, (offers,), _ = self.book(("offers",), 1, self._offers).expand(at)
        _, (rows,), _ = self.book(("bout", ground), 1, self._bout).expand(brings, offers)
        return self._blows.expand(rows, at, tied)

    def _brings(self, action: int, seat: int) -> Outcomes:
        return [(self.tables.brings(seat, action),)], [1.0]

    def _offers(self, seat: int) -> Outcomes:
        return [(self.tables.offers(seat),)], [1.0]

    def _bout(self, ground: int, brings: int, offers: int) -> Outcomes:
        return [(self.tables.row_attack(brings, ground, offers),)], [1.0]

    def _blow(self, rows: Any, targets: Any, tied: Any) -> Branches:
        """What attacks do to their targets: the seat after it, what the attacker is told, and harm that is held back."""
        at, (pairs,), weights = self.book(("outcomes",), 1, self._row).expand(rows)
        entry = np.arange(len(rows))[at]
        at_once, to_self, harm, held = np.array(self.tables.pairs).T[:, pairs]
        waits = tied[entry] == 1
        held, harm = np.where(waits & (harm != MISSING), held, MISSING), np.where(waits, MISSING, harm)
        weights = np.ones(len(entry)) if weights is None else weights
        live = self.tell(0, at_once, Branches(entry, [targets[entry], to_self, held, harm], weights))
        entry, columns, weights = self.tell(0, live.columns[3], live)
        return Branches(entry, columns[:3], weights).merged()

    def tell(self, column: int, messages: Any, live: Branches) -> Branches:
        """Messages to the seats in a column."""
        told = messages != MISSING
        if not told.any():
            return live
        part = live.part(told)
        at, (seat,), weight = self._received.expand(part.columns[column], messages[told])
        return Branches.joined([live.part(~told), part.became(at, weight, {column: seat})], len(part.columns))

    def _receive(self, seats: Any, messages: Any) -> Branches:
        """Rows of what messages do to seats: worked out for simpler ones, to which what rides along is put back."""
        kinds = messages & 1
        for kind in (0, 1):
            if kind not in self._kinds and (kinds == kind).any():
                self._kinds[kind] = int(messages[np.argmax(kinds == kind)])
        _, (simple, riding), _ = self.book(("receiver",), 2, self._receiver).expand(seats, kinds)
        entry, (after,), weights = self.book(("receive",), 1, self._receive_simply).expand(simple, messages)
        _, (after,), _ = self.book(("riding",), 1, self._put_back).expand(after, riding[entry])
        return Branches(np.arange(len(seats))[entry], [after], weights)

    def _receiver(self, seat: int, kind: int) -> Outcomes:
        simple, back = self.tables.receiver(seat, self._kinds[kind])
        return [(simple, self._riding.number(back))], [1.0]

    def _receive_simply(self, seat: int, message: int) -> Outcomes:
        return self._row(self.tables.row_receive(seat, message))

    def _put_back(self, seat: int, riding: int) -> Outcomes:
        return [(self.tables.seat(self._riding.things[riding](self.tables.seats[seat])),)], [1.0]
