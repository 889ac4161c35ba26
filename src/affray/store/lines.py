"""The line format of a saved fight, and the fight that lines make.

Lines: head (ruleset, start, seed), order, answer, done (events: the truth), undo, redo (of a change of the past), cut and
changed (between them the past is written anew), memo (what the table keeps beside the fight; its `policies` and `typed` say
who plays and whose dice are thrown by hand), and all (lines that hold together).
Loading folds events and runs no rule but those of the open order at the end. It must not know where lines are kept.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec

from affray import __version__, referee
from affray.encounter import Encounter
from affray.errors import AffrayError, DataError, Problem
from affray.events import Event, evolve, thaw, tuples
from affray.interpreters.replay import Answer, folded
from affray.policies import Policy
from affray.record import Entry, Journal, OpenOrder
from affray.ruleset import Ruleset, find

FORMAT = 1


def head(ruleset: Ruleset, start: Any, seed: int, title: str = "", typed: Collection[str] | None = None) -> dict[str, Any]:
    """The first line of a saved fight."""
    return {
        "t": "affray",
        "format": FORMAT,
        "version": __version__,
        "ruleset": ruleset.name,
        "title": title,
        "seed": seed,
        "typed": sorted(typed) if typed is not None else None,
        "start": start,
    }


def encode(line: Mapping[str, Any]) -> bytes:
    """One line as JSON, without the line break."""
    return msgspec.json.encode(line)


def restore(
    lines: Iterable[Mapping[str, Any]],
    policies: Mapping[str, Policy] | None = None,
    journal: Journal | None = None,
    ruleset: Ruleset | None = None,
    auto: bool = True,
) -> Encounter:
    """The fight that decoded lines make, its open order run up to where it waits. Raises DataError naming the line."""
    iterator = iter(lines)
    first = next(iterator, None)
    if first is None or first.get("t") != "affray":
        raise DataError([Problem("this is no saved fight: its first line does not say so", line=1)])
    if first.get("format") != FORMAT:
        raise DataError([Problem(f"saved in format {first.get('format')}, this version reads {FORMAT}", line=1)])
    if not isinstance(first.get("ruleset"), str):
        raise DataError([Problem("its first line names no ruleset", line=1)])
    rules = ruleset or find(str(first["ruleset"]))
    try:
        start: Any = msgspec.convert(first["start"], rules.State)
        fight = Encounter(rules, start, int(first["seed"]), policies, first.get("typed"), auto=auto)
    except _DAMAGED as wrong:
        raise DataError([Problem(f"the first line cannot be read: {_why(wrong)}", line=1)]) from None
    number = 1
    try:
        for line in iterator:
            number += 1
            _read(fight, line)
        if "typed" in fight.memo:
            fight.typed = fight.memo["typed"]
        if policies is None:
            named = fight.memo.get("policies", {}).items()
            fight.policies = {who: rules.policies[name] for who, name in named if name in rules.policies}
        fight.journal = journal
        fight.reopen()
    except _DAMAGED as wrong:
        raise DataError([Problem(f"this line does not fit the fight before it: {_why(wrong)}", line=number)]) from None
    if auto and fight.open is None:
        fight.advance()
    return fight


_DAMAGED = (AffrayError, LookupError, TypeError, ValueError, AttributeError, AssertionError, OverflowError)
"""What a line that somebody changed or cut may cause while it is read; a ValidationError of msgspec is a ValueError."""


def _why(wrong: Exception) -> str:
    """In words; what Python says of a key or an attribute is none."""
    if isinstance(wrong, KeyError):
        return f"{wrong} is missing or unknown"
    if isinstance(wrong, AffrayError | msgspec.ValidationError) and str(wrong):
        return str(wrong)
    return "it is damaged, or a line before it is missing"


def _read(fight: Encounter, line: Mapping[str, Any]) -> None:
    kind, record = line["t"], fight.record
    if kind == "order":
        record.begin(line["id"], decode_order(fight.ruleset, line["order"]), bool(line["auto"]))
    elif kind == "answer":
        record.take(msgspec.convert(tuples(line["answer"]), Answer))
    elif kind == "done":
        assert fight.open is not None
        record.finish(_done(fight, fight.open, line))
    elif kind == "undo":
        record.take_back(bool(line.get("past")))
    elif kind == "redo":
        record.bring_back()
    elif kind == "cut":
        record.cut_off(line["keep"])
    elif kind == "changed":
        record.sew_on()
    elif kind == "all":
        for inner in line["then"]:
            _read(fight, inner)
    elif kind == "memo":
        fight.memo |= line["memo"]
    else:
        raise KeyError(f"unknown kind of line {kind!r}")


def _done(fight: Encounter, opened: OpenOrder, line: Mapping[str, Any]) -> Entry:
    rules = fight.ruleset
    events = tuple(thaw(event, rules.State, rules.Fighter) for event in msgspec.convert(line["events"], tuple[Event, ...]))
    state = fight.settled
    for event in events:
        state = evolve(event, state)
    dice = msgspec.convert(tuples(line["answers"]), tuple[Answer, ...])
    by_n = folded((*dice, *opened.given))
    answers = tuple(by_n[n] for n in sorted(by_n))
    return Entry(opened.id, opened.order, opened.auto, opened.given, answers, events, state)


def decode_order(ruleset: Ruleset, data: Any) -> Any:
    """An order of the ruleset or of the referee from plain data."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in referee.RefereeOrder.__args__}
    if data.get("do") in kinds:
        return msgspec.convert(data, kinds[data["do"]])
    return ruleset.order(data)
