"""A state machine that orders, answers, takes back, corrects, saves and loads at random."""

from __future__ import annotations

from typing import Any

import msgspec
import toy
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from affray.ask import Roll
from affray.errors import AffrayError
from affray.interpreters.live import picker
from affray.record import refold
from affray.referee import Set
from affray.ruleset import sample_order
from affray.store.lines import head, restore


class Table(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[dict[str, Any]] = []
        self.append([head(toy.TOY, toy.ring(), 7, typed=["all"])])
        self.fight = restore(list(self.lines), {}, self, toy.TOY)
        self.past: list[tuple[Any, Any]] = []

    def append(self, new: Any) -> None:
        self.lines.extend(msgspec.json.decode(msgspec.json.encode(new)))

    def remember(self) -> None:
        self.past.append((self.fight.state, self.fight.open))

    @precondition(lambda self: not self.fight.open and not toy.over(self.fight.state))
    @rule(seed=st.integers(0, 999))
    def order(self, seed: int) -> None:
        self.remember()
        who = self.fight.up()[0]
        self.fight.order(sample_order(toy.TOY, self.fight.state, who, picker(seed, 0, 0)))

    @precondition(lambda self: self.fight.open)
    @rule(seed=st.integers(0, 999), which=st.integers(0, 9))
    def answer(self, seed: int, which: int) -> None:
        self.remember()
        requests = self.fight.open.requests  # type: ignore[union-attr]
        asked = requests[which % len(requests)]
        if isinstance(asked.request, Roll):
            self.fight.die(asked.n, seed % 6 + 1)
        else:
            self.fight.answer(asked.n, asked.request.domain.sample(picker(seed, 1, 1)))

    @precondition(lambda self: self.past)
    @rule()
    def undo_is_the_value_before(self) -> None:
        before = self.past.pop()
        self.fight.undo()
        assert (self.fight.state, self.fight.open) == before

    @precondition(lambda self: self.past)
    @rule()
    def undo_and_redo_is_nothing(self) -> None:
        now = (self.fight.state, self.fight.open, self.fight.entries[-1:])
        self.fight.undo()
        self.fight.redo()
        assert (self.fight.state, self.fight.open, self.fight.entries[-1:]) == now

    @rule(vigour=st.integers(-2, 9))
    def correct(self, vigour: int) -> None:
        count = len(self.fight.entries)
        try:
            self.fight.order(Set("master", who="a1", fields={"vigour": vigour}))
        except AffrayError:
            assert vigour < 0 and len(self.fight.entries) == count
        else:
            self.past.clear()

    @precondition(lambda self: self.fight.entries)
    @rule(vigour=st.integers(-2, 9), which=st.integers(0, 99))
    def correct_the_past(self, vigour: int, which: int) -> None:
        entry = self.fight.entries[which % len(self.fight.entries)]
        self.remember()
        try:
            self.fight.amend(Set("master", who="a1", fields={"vigour": vigour}), at=entry.id)
        except AffrayError:
            self.past.pop()

    @rule()
    def save_and_load(self) -> None:
        state, opened, entries, undone = self.fight.state, self.fight.open, self.fight.entries, self.fight.undone
        self.fight = restore(list(self.lines), {}, self, toy.TOY)
        assert (self.fight.state, self.fight.open, self.fight.entries) == (state, opened, entries)
        assert self.fight.undone == undone

    @invariant()
    def sound(self) -> None:
        assert toy.problems(self.fight.state) == ()
        assert refold(self.fight.start, self.fight.entries) == self.fight.settled


Table.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
TestTable = Table.TestCase
