"""What has been decided in a fight: its entries, the order that is open, what was taken back and how the past was changed.

A record follows decisions one by one, as the lines of a journal tell them. Nothing is run here and nothing is written: an
`Encounter` does that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from msgspec import Struct
from msgspec.structs import replace

from affray.ask import Open
from affray.errors import AffrayError
from affray.events import Event, evolve
from affray.interpreters.replay import Answer


class Entry(Struct, frozen=True):
    """A finished order. `given`: answers by people in the order they came (typed dice one by one); `answers`: all, by request.

    `auto`: it was due by itself (a new round, a turn that begins). `state`: the state after it.
    """

    id: int
    order: Any
    auto: bool
    given: tuple[Answer, ...]
    answers: tuple[Answer, ...]
    events: tuple[Event, ...]
    state: Any


class OpenOrder(Struct, frozen=True):
    """An order that waits for answers: those given so far, the requests that are open, and what has happened up to there."""

    id: int
    order: Any
    auto: bool
    given: tuple[Answer, ...]
    requests: tuple[Open, ...]
    events: tuple[Event, ...]
    state: Any


def decided(one: Entry | OpenOrder) -> bool:
    """Whether people had a hand in it; else it came by itself."""
    return not one.auto or bool(one.given)


Standing = tuple[tuple[Entry, ...], OpenOrder | None]
"""The entries of a fight and the order that is open."""
Job = tuple[int, Any, bool, tuple[Answer, ...]]
"""What it takes to run an entry again: its id, its order, whether it came by itself, what people answered."""


class Rewritten(Struct, frozen=True):
    """What was decided before and after the past was changed, so that the change can be taken back."""

    before: Standing
    after: Standing


class Record:
    """Everything that was decided in one fight.

    `undone`: decisions that were taken back and can be made again, the last one last. `rewritten`: changes of the past.
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.open: OpenOrder | None = None
        self.undone: list[tuple[str, Any]] = []
        self.rewritten: list[Rewritten] = []
        self._cut: Standing | None = None
        """What stood before the past was written anew, while that goes on."""

    def copy(self) -> Record:
        """A record of its own with the same decisions."""
        one = Record()
        one.entries, one.open, one._cut = list(self.entries), self.open, self._cut
        one.undone, one.rewritten = list(self.undone), list(self.rewritten)
        return one

    # ---- what is known

    @property
    def version(self) -> int:
        """Grows or shrinks with every decision."""
        return len(self.entries) * 1000 + (len(self.open.given) + 1 if self.open else 0)

    def next_id(self) -> int:
        """The id of the next entry."""
        return max([entry.id for entry in self.entries] + ([self.open.id] if self.open else []), default=0) + 1

    def index(self, entry: int) -> int:
        """The place of the entry with that id. Raises AffrayError when there is none."""
        for index, known in enumerate(self.entries):
            if known.id == entry:
                return index
        raise AffrayError(f"there is no entry {entry}")

    def tail(self, index: int) -> list[Job]:
        """The entries from `index` on and the open order, as jobs."""
        left: list[Entry | OpenOrder] = [*self.entries[index:], *([self.open] if self.open else [])]
        return [(one.id, one.order, one.auto, one.given) for one in left]

    def standing(self) -> Standing:
        """The entries, and the open order without what running it gives."""
        opened = replace(self.open, requests=(), events=(), state=None) if self.open else None
        return tuple(self.entries), opened

    def changed_last(self) -> Rewritten | None:
        """The change of the past after which nothing has been decided yet."""
        now = _up_to_last(*self.standing())
        return next((change for change in reversed(self.rewritten) if _up_to_last(*change.after) == now), None)

    # ---- decisions

    def begin(self, entry: int, order: Any, auto: bool) -> None:
        """An order is given."""
        if not auto:
            self._again(("order", (entry, order, auto)))
        self.open = OpenOrder(entry, order, auto, (), (), (), None)

    def take(self, answer: Answer) -> None:
        """A person answers the open order."""
        assert self.open is not None
        self._again(("answer", answer))
        self.open = replace(self.open, given=(*self.open.given, answer))

    def finish(self, done: Entry) -> None:
        """The open order is done."""
        assert self.open is not None
        self.entries.append(done)
        self.open = None

    def cut_off(self, keep: int) -> None:
        """Only so many entries are kept: what comes now is the past anew, until `sew_on`."""
        self._cut = self.standing()
        del self.entries[keep:]
        self.open, self.undone = None, []

    def sew_on(self) -> None:
        """The past is written anew."""
        assert self._cut is not None
        self.rewritten.append(Rewritten(self._cut, self.standing()))

    def take_back(self, past: bool) -> str:
        """The last single decision, whatever has been made of the past since; or (`past`) the last change of the past."""
        if past:
            change = self.changed_last()
            assert change is not None
            self.rewritten.remove(change)
            self.entries[:], self.open = change.before
            self.undone.append(("past", change))
            return "a change of what had happened"
        opened = self.open if self.open and decided(self.open) else self._reopened()
        if opened.given:
            taken = opened.given[-1]
            self.undone.append(("answer", taken))
            self.open = replace(opened, given=opened.given[:-1])
            return f"{taken.by}: {taken.why}"
        self.undone.append(("order", (opened.id, opened.order, opened.auto)))
        self.open = None
        return f"{opened.order.by}: {opened.order.verb}"

    def _reopened(self) -> OpenOrder:
        """The last entry in which people had a hand, taken off with all that came by itself since."""
        if not any(map(decided, self.entries)):
            raise AffrayError("there is nothing to take back")
        while not decided(self.entries[-1]):
            self.entries.pop()
        last = self.entries.pop()
        return OpenOrder(last.id, last.order, last.auto, last.given, (), (), None)

    def bring_back(self) -> str:
        """The change of the past that was taken back last."""
        change: Rewritten = self.undone.pop()[1]
        self.entries[:], self.open = change.after
        self.rewritten.append(change)
        return "a change of what had happened"

    def _again(self, decision: tuple[str, Any]) -> None:
        """A decision that was taken back and is made again leaves the others returnable; any other ends that."""
        if self.undone and self.undone[-1] == decision:
            self.undone = self.undone[:-1]
        else:
            self.undone = []


def _up_to_last(entries: tuple[Entry, ...], opened: OpenOrder | None) -> Standing:
    """What stands up to the last decision: without the steps that came by themselves since."""
    if opened and decided(opened):
        return entries, opened
    last = len(entries)
    while last and not decided(entries[last - 1]):
        last -= 1
    return entries[:last], None


def refold(start: Any, entries: Iterable[Entry]) -> Any:
    """The state that the events of these entries make of `start`."""
    for entry in entries:
        for event in entry.events:
            start = evolve(event, start)
    return start


# ---- where it is kept


class Journal(Protocol):
    """Where a fight is kept: lines of plain data, durable when `append` returns."""

    def append(self, lines: Sequence[dict[str, Any]]) -> None: ...


class Held:
    """A journal in memory."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def append(self, lines: Sequence[dict[str, Any]]) -> None:
        self.lines += lines

    def gathered(self) -> list[dict[str, Any]]:
        """The lines, with what was kept beside the fight last of all and once."""
        memo: dict[str, Any] = {}
        for line in self.lines:
            memo |= line["memo"] if line["t"] == "memo" else {}
        kept = [line for line in self.lines if line["t"] != "memo"]
        return [*kept, {"t": "memo", "memo": memo}] if memo else kept
