"""A fight: orders and answers in, events and states out; pausing, undo, redo, corrections.

State = fold of events. An `Entry` is an order with its answers and events. A half-finished order is the order plus the
answers so far: it is run again from the same state with each new answer. It must not know any ruleset.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from affray import referee
from affray.ask import MASTER, Open, Pending, Roll
from affray.dice import check
from affray.errors import AffrayError, BadAnswer, IllegalOrder, LimitReached, Refusal, ReplayMismatch, StaleOrder
from affray.interpreters.live import Live, picker
from affray.interpreters.replay import Answer, Replay
from affray.interpreters.typed import Typed
from affray.policies import Policy
from affray.record import Entry, Held, Job, Journal, OpenOrder, Record, decided
from affray.ruleset import Ruleset
from affray.scene import Recorder, Source, checked, plain

MAX_FLOW = 10_000
"""Automatic steps in a row after which a fight is said to go nowhere."""


class Encounter:
    """A running fight.

    `policies`: who decides by itself, by fighter id, side, or 'master'; everybody else is a person, whose questions stay
    open. `typed`: whose dice are thrown by hand (None: nobody's; 'all', or ids). `auto`: take due steps at once.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        start: Any,
        seed: int = 0,
        policies: Mapping[str, Policy] | None = None,
        typed: Collection[str] | None = None,
        journal: Journal | None = None,
        auto: bool = True,
    ) -> None:
        self.ruleset, self.start, self.seed = ruleset, start, seed
        self.policies: dict[str, Policy] = dict(policies or {})
        self.typed = typed
        self.journal = journal
        self.auto = auto
        self.record = Record()
        self.forgotten = 0
        """Answers of the open order that no longer fitted when it was loaded; people are asked anew."""
        self.memo: dict[str, Any] = {}
        """What the table keeps beside the fight, such as a group's orders still to come. It takes no part in undo."""
        self.script: Source | None = None
        """Where answers come from instead of seeded dice and policies (cases and tests)."""

    # ---- what is known

    @property
    def entries(self) -> list[Entry]:
        """The finished orders."""
        return self.record.entries

    @property
    def open(self) -> OpenOrder | None:
        """The order that waits for answers."""
        return self.record.open

    @property
    def undone(self) -> list[tuple[str, Any]]:
        """Decisions that were taken back and can be made again."""
        return self.record.undone

    @property
    def settled(self) -> Any:
        """The state after the last finished order."""
        return self.entries[-1].state if self.entries else self.start

    @property
    def state(self) -> Any:
        """The state now, in the middle of an open order."""
        return self.open.state if self.open else self.settled

    @property
    def version(self) -> int:
        """Grows or shrinks with every decision; a stale order names another one."""
        return self.record.version

    def next_id(self) -> int:
        """The id of the next entry."""
        return self.record.next_id()

    def up(self) -> tuple[str, ...]:
        """Who may act now."""
        return self.ruleset.up(self.state)

    def copy(self) -> Encounter:
        """The fight as it is, which nobody keeps."""
        one = copy.copy(self)
        one.record, one.memo, one.policies, one.journal = self.record.copy(), dict(self.memo), dict(self.policies), None
        return one

    # ---- deciding

    def order(self, order: Any, seen: int | None = None) -> tuple[Open, ...]:
        """Carry out an order; returns the requests that it leaves open. Raises IllegalOrder: nothing has changed then."""
        if seen is not None and seen != self.version:
            raise StaleOrder("the fight has moved on since; look again before you decide")
        if isinstance(order, referee.RefereeOrder) and self.open:
            return self.amend(order)
        if self.open:
            waiting = ", ".join(f"{r.request.by} ({r.request.why.text or r.request.why.key})" for r in self.open.requests)
            raise IllegalOrder(Refusal("", f"an answer is awaited first: {waiting}"))
        if not isinstance(order, referee.RefereeOrder) and (refusal := self.ruleset.why_not(self.state, order)):
            raise IllegalOrder(refusal)
        self._commit(*self._run(order, False, self.next_id(), ()))
        return self._after()

    def answer(self, n: int, value: Any, by: str | None = None, seen: int | None = None) -> tuple[Open, ...]:
        """Answer request `n`: faces of a roll (all, or more of them), or a choice. Raises BadAnswer: it stays open then."""
        if seen is not None and seen != self.version:
            raise StaleOrder("the fight has moved on since; look again before you answer")
        request = self._asked(n)
        if isinstance(request.request, Roll):
            return self._answer_dice(request, value, by)
        why = request.request.why.key
        value = plain(checked(request.request, value))
        return self._given((Answer(n, why, request.request.by, value, given=True),))

    def die(self, n: int, face: int) -> tuple[Open, ...]:
        """One die as it fell, for request `n`. Raises BadAnswer."""
        request = self._asked(n)
        if not isinstance(request.request, Roll):
            raise BadAnswer(f"{request.request.by} is asked to choose, not to throw")
        check(request.request.pool, (*request.faces, face))
        return self._given((Answer(n, request.request.why.key, request.request.by, face, die=True, given=True),))

    def flow(self) -> bool:
        """Take the one step that is due by itself; False where somebody decides."""
        if self.open or (due := self.ruleset.flow(self.settled)) is None:
            return False
        self._commit(*self._run(due, True, self.next_id(), ()))
        return True

    def advance(self) -> tuple[Open, ...]:
        """Take all steps that are due by themselves."""
        for _ in range(MAX_FLOW):
            if not self.flow():
                return self.open.requests if self.open else ()
        raise LimitReached(f"{MAX_FLOW} automatic steps in a row: nobody in this fight can ever act")

    def step(self) -> tuple[Open, ...]:
        """Let the policy of the one who is up give the next order."""
        who = self.up()[0]
        policy = self.policy(who)
        if policy is None:
            raise AffrayError(f"{who} is played by a person")
        entry = self.next_id()
        return self.order(policy.order(self.state, who, picker(self.seed, entry, 1_000_000)))

    def played(self) -> bool:
        """Whether a policy gives the next order."""
        if self.open or self.ruleset.over(self.state):
            return False
        up = self.up()
        return bool(up) and self.policy(up[0]) is not None

    def throw_by_hand(self, typed: Collection[str] | None) -> None:
        """Whose dice people throw from now on, those of the open order included; see `typed`."""
        self.remember(typed=typed)
        self.typed = typed
        self.reopen()

    def remember(self, **notes: Any) -> None:
        """Keep plain data beside the fight, over what was kept under these names before."""
        self._write({"t": "memo", "memo": notes})
        self.memo |= notes

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Whatever is decided inside is one line of the journal, so that a machine that stops keeps all of it or nothing.

        When the journal cannot be written, the fight is as it was before.
        """
        before = self.record.copy(), dict(self.memo), self.typed, dict(self.policies)
        outer, held = self.journal, Held()
        self.journal = held
        try:
            yield
        finally:
            self.journal = outer
            try:
                lines = held.gathered()
                if lines:
                    self._write({"t": "all", "then": lines} if len(lines) > 1 else lines[0])
            except BaseException:
                self.record, self.memo, self.typed, self.policies = before
                raise

    # ---- taking back

    def undo(self) -> str:
        """Take back the last decision with all that followed from it. Returns what it was. Raises AffrayError if none.

        A change of the past is one decision: what it had made different is again as it was.
        """
        return self._take_back(past=self.record.changed_last() is not None)

    def redo(self) -> str:
        """Return the last decision that was taken back. Raises AffrayError if there is none."""
        if not self.undone:
            raise AffrayError("there is nothing to return")
        kind, what = self.undone[-1]
        kept = self.undone[:-1]
        if kind == "order":
            entry, order, auto = what
            self._commit(*self._run(order, auto, entry, ()))
            told = f"{order.by}: {order.verb}"
        elif kind == "past":
            told = self.record.bring_back()
            self._write({"t": "redo"})
            self.reopen()
        else:
            self._given((what,), after=False)
            told = f"{what.by}: {what.why}"
        self.record.undone = kept
        self._after()
        return told

    def back_to(self, entry: int) -> None:
        """Take back decisions until the entry with that id is the last one left (0: to the beginning)."""
        if entry:
            self.record.index(entry)
        with self.together():
            while self.open or any(map(decided, self.entries[self.record.index(entry) + 1 if entry else 0 :])):
                self._take_back()

    def amend(self, correction: Any, at: int | None = None) -> tuple[Open, ...]:
        """Insert a correction before the open order, or before the entry `at`; what followed is run again.

        Answers are kept as far as they fit; from the first misfit people are asked anew, and what came after that is dropped.
        """
        index = len(self.entries) if at is None else self.record.index(at)
        tail = self.record.tail(index)
        return self._rewrite(index, [(self.next_id(), correction, False, ()), *tail])

    def revise(self, at: int, order: Any = None, answers: Mapping[int, Any] | None = None) -> tuple[Open, ...]:
        """Give the entry `at` (or the open one) another order, or other answers by ordinal (a roll overruled).

        What followed is run again as in `amend`. Raises BadAnswer for an answer that is none to its request: nothing has
        changed then.
        """
        index = len(self.entries) if self.open and self.open.id == at else self.record.index(at)
        (entry, old, auto, given), *tail = self.record.tail(index)
        asked = {a.n: a for a in (self.entries[index].answers if index < len(self.entries) else given)}
        kept = [a for a in given if a.n not in (answers or {})]
        for n, value in (answers or {}).items():
            if n not in asked:
                raise BadAnswer(f"entry {at} has no request {n}")
            kept.append(Answer(n, asked[n].why, asked[n].by, value, given=True))
        base = self.entries[index - 1].state if index else self.start
        for n in sorted(answers or {}):
            self._overruled(n, order or old, auto, entry, kept, base)
        return self._rewrite(index, [(entry, order or old, auto, tuple(kept)), *tail])

    def _overruled(self, n: int, order: Any, auto: bool, entry: int, given: Sequence[Answer], base: Any) -> None:
        """Whether what is now said to request `n` of an order answers it, and wholly. Raises BadAnswer."""
        waiting = {request.n for request in self.open.requests} if self.open and self.open.id == entry else set()
        try:
            _, opened = self._run(order, auto, entry, tuple(a for a in given if a.n <= n), base)
        except ReplayMismatch as wrong:
            raise BadAnswer(f"that is no answer: {wrong}") from None
        if opened and n not in waiting and (left := next((one for one in opened.requests if one.n == n), None)):
            roll = left.request
            wanted = roll.pool.wanted(left.faces) if isinstance(roll, Roll) else ""
            raise BadAnswer(f"{roll.why.text or roll.why.key} ({roll.by}) needs more dice: next comes {wanted}")

    def drop(self, at: int) -> tuple[Open, ...]:
        """Take the entry `at` out, whatever came after it. What followed is run again as in `amend`."""
        index = self.record.index(at)
        return self._rewrite(index, self.record.tail(index)[1:])

    # ---- how it works

    def policy(self, who: str) -> Policy | None:
        """The policy that decides for a fighter (by id, else by its side), or None for a person."""
        if who in self.policies or who == MASTER:
            return self.policies.get(who)
        return next((self.policies.get(f.side) for f in self.settled.fighters if f.id == who), None)

    def source(self, entry: int) -> Source:
        """Where the answers that people do not give come from."""
        if self.script is not None:
            return self.script
        live: Source = Live(self.seed, entry, self.policy)
        typed = self.by_hand(entry)
        if typed is None:
            return live
        return Typed(live, None if "all" in typed else typed)

    def by_hand(self, entry: int) -> Collection[str] | None:
        """Whose dice are thrown by hand in an entry: as always (`typed`), unless it was said otherwise for this one order."""
        once = self.memo.get("once")
        if not once or entry not in once["entries"]:
            return self.typed
        if once["typed"]:
            return {*(self.typed or ()), *once["who"]}
        return (self.throwing() - set(once["who"])) or None

    def throwing(self) -> set[str]:
        """Everybody whose dice are always thrown by hand, each by name."""
        now = set(self.typed or ())
        return {MASTER, *(f.id for f in self.settled.fighters)} if "all" in now else now

    def throw_once(self, who: Collection[str], typed: bool) -> None:
        """Whether the dice of these are thrown by hand in the order that is given next, and in no other."""
        told = {"entries": [self.next_id()], "who": sorted(who), "typed": typed} if who else None
        if told != self.memo.get("once"):
            self.remember(once=told)

    def _run(
        self, order: Any, auto: bool, entry: int, given: tuple[Answer, ...], base: Any = None
    ) -> tuple[Entry | None, OpenOrder | None]:
        """Run an order from `base`; either finished or open. Raises IllegalOrder, ReplayMismatch."""
        before = self.settled if base is None else base
        replay = Replay(given, self.source(entry))
        scene = Recorder(before, replay)
        try:
            if isinstance(order, referee.RefereeOrder):
                referee.perform(scene, self.ruleset, order)
            else:
                self.ruleset.perform(scene, order)
        except Pending as pending:
            _used_up(replay, {request.n for request in pending.requests})
            return None, OpenOrder(entry, order, auto, given, pending.requests, tuple(scene.events), scene.state)
        _used_up(replay)
        answers = tuple(replay.used[n] for n in sorted(replay.used))
        return Entry(entry, order, auto, given, answers, tuple(scene.events), scene.state), None

    def _commit(self, done: Entry | None, opened: OpenOrder | None) -> None:
        """Make a finished or opened order part of the fight, on disk first."""
        what = done or opened
        assert what is not None
        lines = []
        if self.open is None:
            lines.append({"t": "order", "id": what.id, "auto": what.auto, "order": what.order})
        answers = what.given[len(self.open.given) if self.open else 0 :]
        lines += [{"t": "answer", "answer": answer} for answer in answers]
        if done:
            lines.append({"t": "done", "answers": [a for a in done.answers if not a.given], "events": done.events})
        self._write(*lines)
        if self.open is None:
            self.record.begin(what.id, what.order, what.auto)
        for answer in answers:
            self.record.take(answer)
        if done:
            self.record.finish(done)
        else:
            self.record.open = opened

    def _after(self) -> tuple[Open, ...]:
        if self.open:
            return self.open.requests
        return self.advance() if self.auto else ()

    def _given(self, answers: tuple[Answer, ...], after: bool = True) -> tuple[Open, ...]:
        opened = self.open
        assert opened is not None
        try:
            done, still = self._run(opened.order, opened.auto, opened.id, (*opened.given, *answers))
        except (IllegalOrder, ReplayMismatch) as wrong:
            raise BadAnswer(str(wrong)) from None
        self._commit(done, still)
        return self._after() if after else ()

    def _answer_dice(self, request: Open, value: Any, by: str | None) -> tuple[Open, ...]:
        roll = request.request
        faces = (value,) if isinstance(value, int) else tuple(value)
        check(roll.pool, (*request.faces, *faces))  # type: ignore[union-attr]
        return self._given(tuple(Answer(request.n, roll.why.key, roll.by, face, die=True, given=True) for face in faces))

    def _asked(self, n: int) -> Open:
        for request in self.open.requests if self.open else ():
            if request.n == n:
                return request
        raise BadAnswer("nobody is asked that now")

    def _take_back(self, past: bool = False) -> str:
        taken = self.record.take_back(past)
        self._write({"t": "undo", "past": True} if past else {"t": "undo"})
        self.reopen()
        return taken

    def reopen(self) -> None:
        """Run the open order again after undo or loading. Its dice are the same ones, so it stops where it stopped."""
        if self.open is None:
            return
        opened = self.open
        for keep in range(len(opened.given), -1, -1):
            try:
                done, still = self._run(opened.order, opened.auto, opened.id, opened.given[:keep])
            except ReplayMismatch:
                continue
            self.forgotten = len(opened.given) - keep
            if done:
                self.record.finish(done)
                self._write({"t": "done", "answers": [a for a in done.answers if not a.given], "events": done.events})
            else:
                self.record.open = still
            return

    def _rewrite(self, index: int, tail: list[Job]) -> tuple[Open, ...]:
        """Cut the fight at `index` and run these orders instead, each with as many of its answers as still fit.

        Steps that come by themselves are taken where they are due now. Raises IllegalOrder if the first order cannot be.
        """
        first = tail[0][1] if tail else None
        base = self.entries[index - 1].state if index else self.start
        number = max([self.next_id(), *(entry + 1 for entry, *_ in tail)])
        fresh: list[Entry] = []
        opened: OpenOrder | None = None
        while tail:
            entry, order, auto, given = tail[0]
            due = self.ruleset.flow(base) if self.auto and not isinstance(order, referee.RefereeOrder) else order
            if auto and order != due:  # it came by itself and is no longer due
                del tail[0]
                continue
            if not auto and due is not None and due is not order:  # now something else comes first by itself
                entry, order, auto, given = number, due, True, ()
                number += 1
            else:
                del tail[0]
            try:
                done, opened = self._fit(order, auto, entry, given, base)
            except IllegalOrder:
                if not fresh and order is first:
                    raise
                break
            if done is None:
                break
            fresh.append(done)
            base = done.state
        self._replace(index, fresh, opened)
        return self._after()

    def _replace(self, index: int, fresh: Sequence[Entry], opened: OpenOrder | None) -> None:
        """Put these entries in the place of those from `index` on, whole or not at all."""
        with self.together():
            self._write({"t": "cut", "keep": index})
            self.record.cut_off(index)
            for entry in fresh:
                self._commit(entry, None)
            if opened:
                self._commit(None, opened)
            self._write({"t": "changed"})
            self.record.sew_on()

    def _fit(
        self, order: Any, auto: bool, entry: int, given: tuple[Answer, ...], base: Any
    ) -> tuple[Entry | None, OpenOrder | None]:
        if not isinstance(order, referee.RefereeOrder) and not auto and (refusal := self.ruleset.why_not(base, order)):
            raise IllegalOrder(refusal)
        for end in sorted({answer.n for answer in given}, reverse=True):
            with contextlib.suppress(ReplayMismatch):
                return self._run(order, auto, entry, tuple(a for a in given if a.n <= end), base)
        with contextlib.suppress(ReplayMismatch):
            return self._run(order, auto, entry, (), base)
        raise ReplayMismatch("this order cannot be run again")

    def _write(self, *lines: dict[str, Any]) -> None:
        if self.journal and lines:
            self.journal.append(lines)


def _used_up(replay: Replay, waiting: Collection[int] = ()) -> None:
    """Every recorded answer was asked for, or belongs to a request that waits for more dice. Raises ReplayMismatch."""
    if left := [answer for answer in replay.leftover() if answer.n not in waiting]:
        raise ReplayMismatch(f"answers left over: {', '.join(f'{a.why} by {a.by}' for a in left)}")

