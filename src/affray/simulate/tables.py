"""Outcome tables, built as they are missed: seats and messages become numbers, mechanics become rows of outcomes.

Rows are solved by the exact interpreter and kept in canonical order (most likely first), so a fight with its seed is the
same whatever was built before it. Tables belong to one ruleset, one set of rulings and one set of policies.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from msgspec.structs import replace

from affray.ask import ATTACKER, SELF, TARGET
from affray.interpreters.exact import Exact, Spread
from affray.policies import Policy
from affray.policies.ahead import Late, no_clock
from affray.simulate.book import Numbered
from affray.tabular import END, OUTLOOKS, Bout, Seat, Tabular, as_it_is

OPENS, BEGINS, ENDS, INITIATIVE, FIRST = range(5)
ACTS = 5
"""Solo operations: these five, then two for each action: its doer's part, and what an attack has used up."""
STEPS = ("opens", "begins", "ends", "initiative", "initiative")
MISSING = -1
MAX_ACTIONS = 60
MOST, MOST_GROUND = 1 << 21, 1 << 12
"""So many seats (or what they show and tell each other), and kinds of ground between two, have room in keys of the kernel."""

NO_HARM = (MISSING, MISSING)
Told = tuple[int, int, int, int]
"""Numbers of what an attack tells the target and the attacker at once, and of the harm, now or when it was held back."""
Row = tuple[tuple[int, ...], tuple[float, ...]]


class Rows:
    """Rows of outcomes: their values and their weights, most likely first."""

    def __init__(self) -> None:
        self._rows: list[Row] = []

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, values: tuple[int, ...], weights: tuple[float, ...]) -> int:
        self._rows.append((values, weights))
        return len(self._rows) - 1

    def row(self, index: int) -> Row:
        """One row as values and plain weights."""
        return self._rows[index]


class Tables:
    """All rows met so far. Numbers of seats, actions and messages are given as they turn up."""

    def __init__(self, tabular: Tabular, state: Any, policies: Mapping[str, Policy]) -> None:
        self.tabular = tabular
        self.policies = dict(policies)
        self.exact = Exact(replace(state, fighters=()), self._policy)
        self._seats, self._attackers, self._targets = Numbered(most=MOST), Numbered(most=MOST), Numbered(most=MOST)
        self._actions, self._between = Numbered(END, most=MAX_ACTIONS), Numbered(most=MOST_GROUND)
        self._pairs = Numbered((MISSING, MISSING, *NO_HARM), most=MOST)
        self.seats: list[Seat] = self._seats.things
        self.actions: list[str] = self._actions.things
        self.messages: list[Any] = []
        self._message_number: dict[Any, int] = {}
        self.between: list[Any] = self._between.things
        self.pairs: list[Told] = self._pairs.things
        self.rows = Rows()
        self.solo: dict[tuple[int, int], int] = {}
        self.next: dict[tuple[int, int], int] = {}
        self._brings: dict[tuple[int, int], int] = {}
        self._offers: dict[int, int] = {}
        self.bouts: dict[tuple[int, int, int], int] = {}
        self.receives: dict[tuple[int, int], int] = {}
        self._solved_bouts: dict[Any, int] = {}
        self._throws: dict[Any, int] = {}
        self._labelled: dict[Any, dict[Hashable, int]] = {}
        self._first_alike: dict[Row, int] = {}
        self._playing = ""
        self.late: Callable[[], bool] = no_clock
        """Asked before each row that has to be solved; when it says so, Late is raised."""

    # ---- numbering

    def seat(self, seat: Seat) -> int:
        return self._seats.number(seat)

    def _message(self, message: Any) -> int:
        """Twice the place of a message, and one more for those that are received in another way (see `Tabular.aside`)."""
        key = (type(message), message)
        number = self._message_number.get(key)
        if number is None:
            number = self._message_number[key] = 2 * len(self.messages) + self.tabular.aside(message)
            self.messages.append(message)
        return number

    def ground(self, between: Hashable) -> int:
        return self._between.number(between)

    def action(self, action: str) -> int:
        return self._actions.number(action)

    # ---- rows

    def row_solo(self, op: int, seat: int) -> int:
        """Row of a solo operation."""
        key = (op, seat)
        found = self.solo.get(key)
        if found is None:
            found = self.solo[key] = self._solve_solo(op, seat)
        return found

    def _solve_solo(self, op: int, number: int) -> int:
        t, seat = self.tabular, self.seats[number]
        action = self.actions[(op - ACTS) // 2] if op >= ACTS else None
        step = STEPS[op] if op < ACTS else "after" if (op - ACTS) % 2 else "acts"
        if simpler := t.simpler(seat, step, action):
            one, back = simpler
            if (other := self.seat(one)) != number:
                return self._same(self.row_solo(op, other), back, op in (INITIATIVE, FIRST))
        if op in (INITIATIVE, FIRST):
            spread = self._solve(seat, lambda ask, one: t.initiative(ask, one, op == FIRST), seat)
            return self._add([(score, weight) for score, weight in spread])
        mechanic: Callable[..., Any] = getattr(t, step)
        spread = self._solve(seat, mechanic, seat, *(() if action is None else (action,)))
        return self._add([(self.seat(result), weight) for result, weight in spread])

    def _same(self, row: int, back: Callable[[Seat], Seat], as_it_is: bool = False) -> int:
        """The row of a seat from that of a simpler one."""
        if as_it_is:
            return row
        values, weights = self.rows.row(row)
        return self._add([(self.seat(back(self.seats[v])), w) for v, w in zip(values, weights, strict=True)])

    def next_action(self, seat: int, outlook: int) -> int:
        """What the seat's policy does next in its turn."""
        key = (seat, outlook)
        found = self.next.get(key)
        if found is None:
            simpler = self.tabular.simpler(self.seats[seat], "next")
            if simpler and (other := self.seat(simpler[0])) != seat:
                found = self.next_action(other, outlook)
            else:
                found = self.action(self.tabular.next(self.seats[seat], OUTLOOKS[outlook]))
            self.next[key] = found
        return found

    def row_attack(self, brings: int, ground: int, offers: int) -> int:
        """Row of an attack, by what the two show each other; its outcomes are pairs of messages."""
        key = (brings, ground, offers)
        if key not in self.bouts:
            (seat, action), target = self._attackers.things[brings], self._targets.things[offers]
            self.bouts[key] = self._row_of(self._bout(seat, action, ground, target), seat.policy, target.policy)
        return self.bouts[key]

    def brings(self, seat: int, action: int) -> int:
        """The number of what a seat shows in an attack."""
        key = (seat, action)
        if key not in self._brings:
            word = self.actions[action]
            self._brings[key] = self._attackers.number((self.tabular.brings(self.seats[seat], word), word))
        return self._brings[key]

    def offers(self, seat: int) -> int:
        """The number of what a seat shows when it is attacked."""
        if seat not in self._offers:
            self._offers[seat] = self._targets.number(self.tabular.offers(self.seats[seat]))
        return self._offers[seat]

    def staged(self, brings: int, ground: int, offers: int) -> tuple[int, tuple[int, ...]]:
        """An attack as the row of its first throw and, for each result of that, the row of what comes of it.

        The results are numbered from 0. Nothing comes after the first row where an attack is solved in one piece.
        """
        (seat, action), target = self._attackers.things[brings], self._targets.things[offers]
        bout = self._bout(seat, action, ground, target)
        if bout.then is None:
            return self._row_of(bout, seat.policy, target.policy), ()
        spread, rows = self._labels(bout, seat.policy, target.policy)
        key = (bout.resolve, bout.args, seat.policy, target.policy)
        if key not in self._throws:
            self._throws[key] = self.rows.add(tuple(range(len(spread))), tuple([weight for _, weight in spread]))
        return self._throws[key], rows

    def _labels(self, bout: Bout, by: str, at: str) -> tuple[Spread, tuple[int, ...]]:
        """The results of the first throw of a bout, and for each the row of the bout that its label stands for."""
        then = bout.then
        assert then is not None
        self._in_time()
        spread = self.exact.solve_as({ATTACKER: by, TARGET: at}, bout.resolve, *bout.args, keep=True)
        known = self._labelled.setdefault((then.bout, then.alike, by, at), {})
        label, given = then.label, then.given
        labels = [label(outcome, *given) for outcome, _ in spread]
        for one in labels:
            if one not in known:
                known[one] = self._row_of(then.bout(one, *then.alike), by, at)
        return spread, tuple([known[one] for one in labels])

    def _bout(self, seat: Seat, action: str, ground: int, target: Seat) -> Bout:
        return self.tabular.bout(seat, action, self.between[ground], target)

    def _row_of(self, bout: Bout, by: str, at: str) -> int:
        """Row of a bout between two policies."""
        key = (bout, by, at)
        if key not in self._solved_bouts:
            found: dict[int, float] = {}
            spread: Spread = ()
            if bout.then is not None:
                rows: dict[int, float] = {}
                for (_, weight), row in zip(*self._labels(bout, by, at), strict=True):
                    rows[row] = rows.get(row, 0.0) + weight
                for row, weight in rows.items():
                    for number, share in zip(*self.rows.row(row), strict=True):
                        found[number] = found.get(number, 0.0) + weight * share
            else:
                self._in_time()
                spread = self.exact.solve_as({ATTACKER: by, TARGET: at}, bout.resolve, *bout.args, keep=True)
            for outcome, weight in spread:
                told = tuple(MISSING if m is None else self._message(m) for m in self.tabular.messages(outcome, bout.at))
                number = self._pairs.number(told if len(told) > 2 else (*told, *NO_HARM))
                found[number] = found.get(number, 0.0) + weight
            self._solved_bouts[key] = self._alike(list(found.items()))
        return self._solved_bouts[key]

    def row_receive(self, seat: int, message: int) -> int:
        """Row of what a message does to a seat."""
        key = (seat, message)
        found = self.receives.get(key)
        if found is None:
            other, back = self.receiver(seat, message)
            if other != seat:
                found = self._same(self.row_receive(other, message), back)
            else:
                heard = self._message(self.tabular.heard(self.seats[seat], self.messages[message >> 1]))
                found = self.row_receive(seat, heard) if heard != message else self._solve_receive(seat, message)
            self.receives[key] = found
        return found

    def receiver(self, seat: int, message: int) -> tuple[int, Callable[[Seat], Seat]]:
        """The simpler seat that receives a message in place of another, and what makes of its result that of the other."""
        simpler = self.tabular.simpler(self.seats[seat], "receives", self.messages[message >> 1])
        return (self.seat(simpler[0]), simpler[1]) if simpler else (seat, as_it_is)

    def _solve_receive(self, seat: int, message: int) -> int:
        one = self.seats[seat]
        spread = self._solve(one, self.tabular.receives, one, self.messages[message >> 1])
        return self._add([(self.seat(result), weight) for result, weight in spread])

    def _alike(self, spread: list[tuple[int, float]]) -> int:
        """The same row for bouts that come to the same."""
        row = self._add(spread)
        return self._first_alike.setdefault(self.rows.row(row), row)

    def _add(self, spread: list[tuple[int, float]]) -> int:
        merged: dict[int, float] = {}
        for value, weight in spread:
            merged[value] = merged.get(value, 0.0) + weight
        ordered = sorted(merged.items(), key=lambda pair: -pair[1])
        return self.rows.add(tuple(v for v, _ in ordered), tuple(w for _, w in ordered))

    def _solve(self, seat: Seat, mechanic: Callable[..., Any], *args: Any) -> Spread:
        self._playing = seat.policy
        self._in_time()
        return self.exact.solve_as({SELF: seat.policy}, mechanic, *args)

    def _in_time(self) -> None:
        if self.late():
            raise Late

    def _policy(self, name: str) -> Policy:
        """The policy by its own name; in a scene of one, any other name is the one who is there."""
        return self.policies.get(name) or self.policies[self._playing]

    # ---- what the kernel reads of a seat

    def facts(self, seats: list[Seat]) -> list[tuple[bool, bool, int, int]]:
        """(able, acting, shift, what breaks ties) of each seat."""
        t = self.tabular
        return [(t.able(seat), t.acting(seat), t.shift(seat), t.tie_now(seat)) for seat in seats]

    def rank(self, seat: Seat, policy: str) -> int:
        """How much a policy likes a seat as its target, as one number: the tuple of small numbers that sorts alike."""
        packed = 0
        for part in self.tabular.rank(seat, policy):
            packed = packed * 4096 + part + 2048
        return packed
