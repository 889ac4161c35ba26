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
from msgspec.structs import replace

from affray import __version__, referee
from affray.encounter import Encounter, Entry, Journal, OpenOrder, Rewritten
from affray.errors import AffrayError, DataError, Problem
from affray.events import Event, evolve, thaw, tuples
from affray.interpreters.replay import Answer, folded
from affray.policies import Policy
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
        fight._reopen()
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
    kind = line["t"]
    if kind == "order":
        order = decode_order(fight.ruleset, line["order"])
        auto = bool(line["auto"])
        if not auto:
            fight._decided(("order", (line["id"], order, auto)))
        fight.open = OpenOrder(line["id"], order, auto, (), (), (), None)
    elif kind == "answer":
        assert fight.open is not None
        answer = msgspec.convert(line["answer"], Answer)
        answer = replace(answer, value=tuples(answer.value))
        fight._decided(("answer", answer))
        fight.open = replace(fight.open, given=(*fight.open.given, answer))
    elif kind == "done":
        assert fight.open is not None
        _finish(fight, fight.open, line)
    elif kind == "undo" and line.get("past"):
        change = fight._changed_last()
        assert change is not None
        fight._restore_past(change)
    elif kind == "undo":
        fight._undo()
    elif kind == "redo":
        fight._return_change(fight.undone.pop()[1])
    elif kind == "cut":
        fight.cut = fight.standing()
        del fight.entries[line["keep"] :]
        fight.open, fight.undone = None, []
    elif kind == "changed":
        assert fight.cut is not None
        fight.rewritten.append(Rewritten(fight.cut, fight.standing()))
    elif kind == "all":
        for inner in line["then"]:
            _read(fight, inner)
    elif kind == "memo":
        fight.memo |= line["memo"]
    else:
        raise KeyError(f"unknown kind of line {kind!r}")


def _finish(fight: Encounter, opened: OpenOrder, line: Mapping[str, Any]) -> None:
    rules = fight.ruleset
    events = tuple(thaw(event, rules.State, rules.Fighter) for event in msgspec.convert(line["events"], tuple[Event, ...]))
    state = fight.settled
    for event in events:
        state = evolve(event, state)
    dice = msgspec.convert(tuples(line["answers"]), tuple[Answer, ...])
    by_n = folded((*dice, *opened.given))
    answers = tuple(by_n[n] for n in sorted(by_n))
    fight.entries.append(Entry(opened.id, opened.order, opened.auto, opened.given, answers, events, state))
    fight.open = None


def decode_order(ruleset: Ruleset, data: Any) -> Any:
    """An order of the ruleset or of the referee from plain data."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in referee.RefereeOrder.__args__}
    if data.get("do") in kinds:
        return msgspec.convert(data, kinds[data["do"]])
    return ruleset.order(data)
