"""Plays the steps of a case: orders and the steps that are none (referee, advance, undo, saving, showing, odds)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from affray import referee
from affray.ask import MASTER
from affray.encounter import Encounter
from affray.errors import AffrayError, IllegalOrder
from affray.events import Event
from affray.formats import models
from affray.formats.chances import order_in, verify_odds
from affray.formats.encounter import Fight
from affray.formats.expect import Seen, verify
from affray.formats.script import Failed, Script
from affray.render import text
from affray.store.lines import encode, head, restore

MAX_TURNS = 100_000
"""Orders given while time passes, after which a case is said to hang."""
END_TURN = ("end", "pass", "end_turn", "done")
"""Verbs with which somebody lets the turn go, whichever the ruleset knows."""
REST = ("rest", "pass_time", "heal")
"""Verbs with which longer time passes for somebody."""


class _ByHand:
    """Everybody's dice come from the script, secret ones too."""

    def __contains__(self, who: object) -> bool:
        return who != "all"

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 1


class Play:
    """A fight that follows the steps of a case."""

    def __init__(self, fight: Fight, defaults: bool = False) -> None:
        self.fight, self.ruleset, self.defaults = fight, fight.ruleset, defaults
        self.lines: list[Mapping[str, Any]] = []
        self.script = Script()
        self.encounter = self._encounter(fight.state)
        self.before = fight.state
        self.first = 0
        self.marks: list[int] = []

    def _encounter(self, state: Any) -> Encounter:
        self.lines = [head(self.ruleset, state, self.fight.seed)]
        return Encounter(self.ruleset, state, self.fight.seed, typed=_ByHand(), journal=self)

    def append(self, lines: Any) -> None:
        """The journal of the fight is kept in memory."""
        self.lines += lines

    def go_on(self, rulings: Any, defaults: bool | None) -> None:
        """A branch begins here: from this state, under these rulings."""
        self.encounter = self._encounter(replace(self.encounter.state, rulings=rulings))
        self.defaults = self.defaults if defaults is None else defaults
        self.marks = []

    # ---- one step

    def step(self, step: models.Step, check: bool = True) -> None:
        """Do what a step says and compare. Raises Failed, AffrayError."""
        encounter = self.encounter
        self.before, self.first = encounter.state, len(encounter.entries)
        defaults = self.defaults if step.defaults is None else step.defaults
        answers = [(one.of, one.why, one.is_) for one in step.answers]
        self.script = Script.of(step.dice, answers, defaults=defaults, seed=self.fight.seed)
        self.script.free = step.do == "advance" and defaults
        do = SPECIAL.get(step.do, Play._order)
        if encounter.open and step.do in ("answer", "advance", "show") + (("begin",) if encounter.open.auto else ()):
            self._feed()
        elif encounter.open and encounter.open.auto and step.do not in ("referee", "undo", "redo", "save_and_load"):
            self._feed()
            self.first = len(encounter.entries)
        do(self, step)
        self._feed()
        self._finished(step)
        if check:
            seen = self.seen(step)
            for path, expected in step.expect.items():
                if step.do != "odds":
                    verify(seen, path, expected, step.exact or bool(step.expect.get("exact")))

    def seen(self, step: models.Step) -> Seen:
        """What can be looked at after a step."""
        encounter = self.encounter
        opened = encounter.open.requests if encounter.open else ()
        actor = step.by or getattr(encounter.state, "turn", "")
        return Seen(self.ruleset, encounter.state, self.events(), opened, actor)

    def events(self) -> list[Event]:
        """The events of the step so far."""
        found = [event for entry in self.encounter.entries[self.first :] for event in entry.events]
        return found + list(self.encounter.open.events if self.encounter.open else ())

    def _feed(self) -> None:
        """Answer what is asked from the script, until it has nothing more for any open question."""
        while opened := self.encounter.open:
            for request in opened.requests:
                answer = self.script.answer(request, opened.id)
                if answer is not None:
                    self.encounter.answer(request.n, order_in(answer[0], request.request.by))
                    break
            else:
                return

    def _finished(self, step: models.Step) -> None:
        opened = self.encounter.open
        if opened and "asked" not in step.expect and not (opened.auto and not step.refused):
            raise Failed("answers", "every question answered", "; ".join(map(text.question, opened.requests)))
        if left := self.script.left():
            raise Failed(left[0], "all used up", f"left over: {left[1]}")

    # ---- what a step may do

    def _order(self, step: models.Step) -> None:
        given = {"do": step.do, "by": step.by, **(step.model_extra or {})}
        if not step.by and step.do == "begin":
            self.encounter.advance()
            return
        self.marks.append(len(self.encounter.entries))
        try:
            order = self.ruleset.order(given) if step.do not in REFEREE else _referee_order(given)
            self.encounter.order(order)
        except IllegalOrder as illegal:
            self.marks.pop()
            if step.refused is None:
                raise Failed("order", "accepted", f"refused: {illegal}") from None
            if illegal.refusal.rule != step.refused:
                raise Failed("refused", step.refused, str(illegal)) from None
            if self.encounter.state is not self.before:
                raise Failed("refused", "nothing changed", "the state has changed") from None
            return
        if step.refused is not None:
            raise Failed("refused", step.refused, "the order was accepted")

    def _show(self, step: models.Step) -> None:
        """Nothing is done; only `expect`."""

    def _referee(self, step: models.Step) -> None:
        self.marks.append(len(self.encounter.entries))
        for key, value in (step.model_extra or {}).items():
            if key in ("set", "move", "add", "answer") and not isinstance(value, dict):
                raise Failed(f"referee.{key}", "a table { name = value }", value)
            match key:
                case "set":
                    for who, fields in _by_owner(value, self.encounter.state).items():
                        self.encounter.order(referee.Set(by=MASTER, who=who, fields=fields))
                case "move":
                    for who, place in value.items():
                        self.encounter.order(referee.Set(by=MASTER, who=who, fields={"at": place}))
                case "add":
                    self.encounter.order(referee.Add(by=MASTER, fighter=value))
                case "remove":
                    for who in value if isinstance(value, list) else [value]:
                        self.encounter.order(referee.Remove(by=MASTER, who=who))
                case "say":
                    self.encounter.order(referee.Say(by=MASTER, text=str(value)))
                case "answer":
                    self._overrule(value)
                case _:
                    raise Failed(f"referee.{key}", "set, move, add, remove, say or answer", key)

    def _overrule(self, given: Mapping[str, Any]) -> None:
        """Another answer to the last question of that key: { of, why, is }."""
        for index, entry in reversed(list(enumerate(self.encounter.entries))):
            for answer in reversed(entry.answers):
                if answer.by == given.get("of") and answer.why == given.get("why"):
                    self.first = index
                    self.encounter.revise(entry.id, answers={answer.n: order_in(given.get("is"), answer.by)})
                    return
        raise Failed("referee.answer", f"{given.get('of')} was asked {given.get('why')}", "nobody was asked that")

    def _advance(self, step: models.Step) -> None:
        """Let time pass: everybody who is up ends the turn, until it is so far."""
        until = str((step.model_extra or {}).get("until", ""))
        if found := re.fullmatch(r"(\d+) (minute|hour|day|week)s?", until):
            self._rest(int(found[1]), f"{found[2]}s")
            return
        reached = _until(until, self.encounter)
        for _ in range(MAX_TURNS):
            self._feed()
            if self.encounter.open:
                return
            if reached():
                return
            if not self.encounter.auto or self.ruleset.flow(self.encounter.state) is not None:
                self.encounter.advance()
                continue
            if not (up := self.encounter.up()):
                raise Failed("until", until, "nobody can act any more and no time passes")
            self.encounter.order(self._end(up[0]))
        raise Failed("until", until, f"not reached in {MAX_TURNS} turns")

    def _end(self, who: str) -> Any:
        kinds = {str(kind.__struct_config__.tag) for kind in self.ruleset.orders.__args__}
        verb = next((verb for verb in END_TURN if verb in kinds), None)
        if verb is None:
            raise AffrayError("this ruleset has no order that ends a turn")
        return self.ruleset.order({"do": verb, "by": who})

    def _rest(self, count: int, unit: str) -> None:
        """Let longer time pass for everybody: one order, by the first who is offered it."""
        for fighter in self.encounter.state.fighters:
            for offer in self.ruleset.offers(self.encounter.state, fighter.id):
                if offer.verb in REST and offer.refused is None and unit in [one.name for one in offer.fields]:
                    self.encounter.order(self.ruleset.order({"do": offer.verb, "by": fighter.id, unit: count}))
                    self._feed()
                    return
        raise Failed("until", f"{count} {unit}", "this ruleset offers nobody a rest of that kind now")

    def _undo(self, step: models.Step) -> None:
        """Take back the last order with all its dice and answers, or so many single `decisions`."""
        count = (step.model_extra or {}).get("decisions")
        if count is not None:
            for _ in range(_whole("undo", count)):
                self.encounter.undo()
            return
        target = self.marks.pop() if self.marks else 0
        self.encounter.undo()
        while len(self.encounter.entries) > target or self.encounter.open:
            self.encounter.undo()

    def _redo(self, step: models.Step) -> None:
        """Return what was taken back: all of it, or so many single `decisions`."""
        count = (step.model_extra or {}).get("decisions")
        self.marks.append(len(self.encounter.entries))
        for _ in range(_whole("redo", count) if count is not None else max(1, len(self.encounter.undone))):
            self.encounter.redo()

    def _save_and_load(self, step: models.Step) -> None:
        """Write the fight, read it, compare, and go on with what was read."""
        written = b"\n".join(encode(line) for line in self.lines)
        lines = [msgspec.json.decode(line) for line in written.split(b"\n")]
        loaded = restore(lines, None, self, self.ruleset, auto=False)
        loaded.auto, loaded.typed = True, _ByHand()
        if loaded.state != self.encounter.state:
            raise Failed("save_and_load", self.encounter.state, loaded.state)
        if loaded.up() != self.encounter.up():
            raise Failed("save_and_load", self.encounter.up(), loaded.up())
        self.encounter = loaded

    def _answer(self, step: models.Step) -> None:
        """Dice and answers for a question that an earlier step left open."""

    def _odds(self, step: models.Step) -> None:
        """Exact chances of the order in `of`: `expect` has words of its result, or 'PATH = VALUE', and fractions."""
        given = dict(step.model_extra or {})
        given = {"by": step.by, **(given.pop("of", None) or given)}
        try:
            order = self.ruleset.order(given)
            if refusal := self.ruleset.why_not(self.encounter.state, order):
                raise IllegalOrder(refusal)
        except IllegalOrder as illegal:
            raise Failed("odds", "an order that is possible", str(illegal)) from None
        answers = {(one.of, one.why): order_in(one.is_, one.of) for one in step.answers}
        self.script.answers = []
        verify_odds(self.ruleset, self.encounter.state, order, answers, step.expect)

    # ---- telling

    def report(self) -> list[str]:
        """What was asked and answered in the step, what the script has left, and the events so far."""
        told = ["  asked"]
        told += [f"    {one}" for one in self.script.asked] or ["    nothing"]
        opened = self.encounter.open.requests if self.encounter.open else ()
        told += [f"    open: {text.question(one)}" for one in opened]
        if left := self.script.left():
            told.append(f"  left in the script\n    {left[1]}")
        told.append("  events")
        for event in self.events():
            told.append(f"    {event.rule:<12} {text.told(event, self.ruleset.texts) or '(bookkeeping)'}")
        return told


SPECIAL: dict[str, Callable[[Play, models.Step], None]] = {
    "show": Play._show,
    "referee": Play._referee,
    "advance": Play._advance,
    "undo": Play._undo,
    "redo": Play._redo,
    "save_and_load": Play._save_and_load,
    "answer": Play._answer,
    "odds": Play._odds,
}
REFEREE = {str(kind.__struct_config__.tag): kind for kind in referee.RefereeOrder.__args__}


def _referee_order(given: Mapping[str, Any]) -> Any:
    try:
        return msgspec.convert({**given, "by": given["by"] or MASTER}, REFEREE[given["do"]])
    except msgspec.ValidationError as wrong:
        raise Failed("order", "a correction", str(wrong)) from None


def _whole(verb: str, count: Any) -> int:
    if type(count) is not int or not 0 < count <= MAX_TURNS:
        raise Failed(f"{verb}.decisions", "a whole number from 1", count)
    return count


def _by_owner(given: Mapping[str, Any], state: Any) -> dict[str, dict[str, Any]]:
    """{'Ash.wounds': 1, 'light': 'dusk'} as fields by fighter ('' is the scene)."""
    found: dict[str, dict[str, Any]] = {}
    ids = sorted((fighter.id for fighter in state.fighters), key=len, reverse=True)
    for path, value in given.items():
        owner = next((who for who in ids if path.startswith(f"{who}.")), "")
        found.setdefault(owner, {})[path[len(owner) + 1 :] if owner else path] = value
    return found


def _until(words: str, encounter: Encounter) -> Callable[[], bool]:
    """Whether the time named is reached: 'round 64', 'turn Ash', '3 rounds'."""
    if found := re.fullmatch(r"round (\d+)", words):
        number = int(found[1])
        return lambda: bool(encounter.state.round >= number)
    if found := re.fullmatch(r"(\d+) rounds?", words):
        last = encounter.state.round + int(found[1])
        return lambda: bool(encounter.state.round >= last)
    if found := re.fullmatch(r"turn (.+)", words):
        who = found[1]
        if all(fighter.id != who for fighter in encounter.state.fighters):
            raise Failed("until", "somebody's turn", f"nobody is called {who!r}")
        return lambda: who in encounter.up()
    raise Failed("until", "'round 64', 'turn NAME' or '6 days'", words or "nothing")
