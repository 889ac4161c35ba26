"""The log as an audience may read it: each order in a headline, what came of it in lines, numbers open into their parts.

An event is told by what was known when it happened, and of somebody who is hidden now nothing is told at all. Entries of
which nothing can be seen are not there: the numbers of a log are the audience's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any
from weakref import WeakKeyDictionary

import msgspec
from msgspec.structs import replace

from affray import referee
from affray.ask import MASTER
from affray.audience import Audience
from affray.encounter import Encounter
from affray.events import Changed, Chose, Event, Joined, Left, Noted, Rolled, evolve
from affray.modifiers import Modifier
from affray.record import Entry, OpenOrder
from affray.render import text
from affray.render.words import in_words
from affray.sight.eyes import NOBODY, SPOKEN, Eyes, Names, eyes

Item = dict[str, Any]
_KEPT: WeakKeyDictionary[Encounter, dict[Audience, Kept]] = WeakKeyDictionary()


class Kept:
    """Items that were made for an audience, by entry, as long as the same people are known."""

    def __init__(self, there: frozenset[str]) -> None:
        self.there = there
        self.items: list[tuple[Any, Item | None, str]] = []
        """Entry, item, and what tells this item and all before it from others."""
        self.shown: list[Item] = []
        """The items that are some, with their numbers."""
        self.open: tuple[OpenOrder | None, Item | None] = (None, None)
        """The order that is under way, and what is seen of it."""


def log(fight: Encounter, audience: Audience) -> list[Item]:
    """All entries of which the audience can see something, the oldest first; an order that is under way comes last.

    Items that are as they were are the same objects; they are not to be changed.
    """
    view = eyes(fight, audience)
    kept = _KEPT.setdefault(fight, {})
    known = kept.get(audience)
    if known is None or known.there != view.there:
        known = kept[audience] = Kept(view.there)
    at = 0
    for (entry, *_), now in zip(known.items, fight.entries, strict=False):
        if entry is not now:
            break
        at += 1
    gone = sum(one is not None for _, one, _ in known.items[at:])
    del known.items[at:], known.shown[len(known.shown) - gone :]
    for number in range(at, len(fight.entries)):
        before = fight.entries[number - 1].state if number else fight.start
        made = item(fight, view, fight.entries[number], before)
        mark = known.items[-1][2] if known.items else ""
        if made is not None:
            mark = blake2b(mark.encode() + msgspec.json.encode(made), digest_size=9).hexdigest()
            known.shown.append({"n": len(known.shown) + 1, **made})
        known.items.append((fight.entries[number], made, mark))
    if known.open[0] is not fight.open:
        last = item(fight, view, fight.open, fight.settled) if fight.open is not None else None
        known.open = fight.open, None if last is None else {**last, "open": True}
    last = known.open[1]
    return [*known.shown, {"n": len(known.shown) + 1, **last}] if last is not None else list(known.shown)


def marks(fight: Encounter, audience: Audience) -> list[Any]:
    """What changes when the log of this audience does, and only then; call it after `log`."""
    known = _KEPT[fight][audience]
    return [known.items[-1][2] if known.items else "", known.open[1]]


def item(fight: Encounter, view: Eyes, entry: Entry | OpenOrder, before: Any) -> Item | None:
    """One entry, None where the audience sees nothing of it."""
    then = view.then(before, entry.state)
    lines = list(told(fight, then, entry.events, before))
    by = entry.order.by
    title = "" if entry.auto else headline(then, entry)
    if not title and not lines and not view.audience.master:
        return None
    made: Item = {
        "who": by if by in then.there or (by == MASTER and view.audience.master) else "",
        "round": entry.state.round,
        "head": title,
        "verb": entry.order.verb if title or view.audience.master else "",
        "auto": bool(entry.auto),
        "lines": lines,
        "open": False,
    }
    if view.audience.master:
        made["id"] = entry.id
    return made


def headline(view: Names, entry: Entry | OpenOrder) -> str:
    """Who ordered what, '' where that is not theirs to see."""
    given = entry.order
    if isinstance(given, referee.RefereeOrder) or given.by in ("", MASTER):
        return view.read(corrected(view, given)) if view.audience.master else ""
    if view.whole(given.by):
        return view.read(_headed(view, given, in_words(_told(given, view), _label(view))))
    if given.by not in view.there:
        return ""
    words = [given.verb.replace("_", " ")]
    for name in ("target", "targets"):
        value = getattr(given, name, "")
        words += [view.label(one) for one in ((value,) if isinstance(value, str) else value) if one and one not in view.hidden]
    return view.read(_headed(view, given, " ".join(dict.fromkeys(words))))


def _headed(view: Names, given: Any, words: str) -> str:
    who = view.label(given.by)
    return f"{who} ends the turn" if words == "end" else f"{who}: {words}"


def corrected(view: Names, given: Any) -> str:
    """The headline of what the game master did outside the rules; what it was stands in the lines."""
    if isinstance(given, referee.Set):
        return f"Game master corrects {view.label(given.who) if given.who else 'the scene'}"
    if isinstance(given, referee.Add):
        names = [str(one.get("name") or one.get("id")) for one in (given.fighter, *given.others)]
        return f"Game master brings in {', '.join(names)}"
    if isinstance(given, referee.Remove):
        return f"Game master takes out {view.label(given.who)}"
    return f"Game master: {in_words(given, view.label)}"


def _label(view: Names) -> Any:
    return lambda value: NOBODY if value in view.hidden else view.label(value)


def _told(given: Any, view: Names) -> Any:
    """The order without people of whom the audience does not know, where it lists several."""
    several = getattr(given, "targets", ())
    if isinstance(several, tuple) and any(one in view.hidden for one in several):
        return replace(given, targets=tuple(one for one in several if one not in view.hidden))
    return given


# ---- events


def told(fight: Encounter, view: Names, events: Sequence[Event], before: Any) -> Iterator[dict[str, Any]]:
    """Events in lines. What several do alike in a row is one line."""
    texts = fight.ruleset.texts
    for alike in text.together(_visible(fight, view, events, before)):
        note = getattr(alike[0], "note", "")
        if f"{note}.all" in texts:
            each = [text.worded(f"{note}.each", view.name(e.who), named(view, e), texts) for e in alike]
            words = texts[f"{note}.all"].format(all=", ".join(each))
            yield line(view, words, "", getattr(alike[0], "rule", ""))
        elif isinstance(alike[0], Chose):
            if words := _words(fight, view, alike[0]):
                times = f" (×{len(alike)})" if len(alike) > 1 else ""
                yield line(view, words + times, alike[0].who, getattr(alike[0], "rule", ""))
        else:
            for event in alike:
                yield from _line(fight, view, event)


def _visible(fight: Encounter, view: Names, events: Sequence[Event], before: Any) -> Iterator[Event]:
    """The events that are theirs to see; somebody who comes into view is told of by an event of its own."""
    if view.audience.master:
        yield from events
        return
    ruleset, audience = fight.ruleset, view.audience
    state, known = before, ruleset.knows(before, audience)
    for event in events:
        state = evolve(event, state)
        after = ruleset.knows(state, audience) if type(event) in (Changed, Joined, Left) else known
        new = after - known if type(event) is not Joined else frozenset()
        there = (known | after) & view.there
        known = after
        for who in sorted(new & view.there):
            yield Noted(who, "", "sight.appears")
        if event.seen and event.seen not in audience.own:
            continue
        if event.who and event.who != MASTER and event.who not in there:
            continue
        if type(event) is Changed and event.who in new and event.rule == referee.RULE:
            continue
        if not event.who and type(event) in (Changed, Noted) and view.mentions(event.data):  # type: ignore[union-attr]
            continue
        yield event


def _line(fight: Encounter, view: Names, event: Event) -> Iterator[dict[str, Any]]:
    words = _words(fight, view, event)
    if not words:
        return
    dice = None
    parts: tuple[Modifier, ...] = ()
    if _open(view, event):
        parts = getattr(event, "parts", ())
        if isinstance(event, Rolled):
            wild, rest = text.chains(event.pool, event.faces)
            dice = {
                "pool": event.pool,
                "faces": list(event.faces),
                "wild": [list(chain) for chain in wild],
                "plain": list(rest),
                "exploded": any(len(chain) > 1 for chain in wild),
                "total": text.roll_total(event),
                "flag": event.flag,
            }
            if view.audience.master:
                dice["n"] = event.n
    yield line(view, words, event.who, getattr(event, "rule", ""), parts, dice, bool(event.seen))


def _words(fight: Encounter, view: Names, event: Event) -> str:
    """An event in words; '' where it is not worth a line."""
    texts = fight.ruleset.texts
    who = view.name(event.who) if event.who else ""
    if isinstance(event, Rolled):
        if not _open(view, event):
            total = text.roll_total(event)
            return f"{who} rolls {view.plainly(event.who, event.why)}" + (f": {total}" if total is not None else "")
        return _rolled(event, who, texts.get(f"why.{event.why}", event.why))
    if isinstance(event, Chose):
        if not event.answer or event.answer in ("none", "pass", "stop") or not view.whole(event.who):
            return ""
        answer = event.answer
        if isinstance(answer, dict) and "do" in answer:
            answer = in_words(fight.ruleset.order(answer), _label(view))
        return f"{who} chooses, {event.why}: {text.plain(_names(view, answer)).replace('_', ' ')}"
    if event.note == "sight.appears":
        return f"{who} comes into view"
    if isinstance(event, Joined | Left):
        return text.worded(event.note, who, {}, texts) or f"{who} {'joins' if isinstance(event, Joined) else 'leaves'}"
    if event.note == "referee.set" and not (event.who and _open(view, event)) and not view.audience.master:
        return f"the game master corrects {who or 'the scene'}"
    note = event.note
    if f"{note}.seen" in texts and not _open(view, event):
        note = f"{note}.seen"
    return text.worded(note, who, named(view, event), texts)


def _rolled(event: Rolled, who: str, why: str) -> str:
    """A roll in a few words; dice and parts come with the line."""
    total = text.roll_total(event)
    reads = text.plain(event.result[0] if isinstance(event.result, tuple) and len(event.result) == 2 else event.result)
    told = f"{who} rolls {why}: {event.pool} → {reads if total is None else total}"
    if event.total is not None and reads != str(total):
        told += f", counts as {reads}"
    return told + (f" ({event.flag})" if event.flag else "")


def _open(view: Names, event: Event) -> bool:
    """Whether the numbers of an event are theirs: of all whom it is about, they may see everything."""
    if view.audience.master or view.audience.numbers:
        return True
    people = view.there | view.hidden
    data = getattr(event, "data", ())
    about = {event.who} | {value for _, value in data if isinstance(value, str)}
    if not all(view.whole(who) for who in about & people):
        return False
    side = next((value for name, value in data if name == "side"), None)
    return side is None or side in view.sides


def named(view: Names, event: Any) -> dict[str, Any]:
    """The data of an event with names for ids, and without those of whom they do not know."""
    return {key: _names(view, value) for key, value in event.data}


def _names(view: Names, value: Any) -> Any:
    if isinstance(value, str):
        parts = value.split(", ")
        if len(parts) > 1 and view.hidden and SPOKEN not in value:
            return ", ".join(view.veiled(view.label(part), True) for part in parts if not view.mentions(part)) or "nobody"
        return NOBODY if value in view.hidden else view.veiled(view.label(value), True)
    if isinstance(value, list | tuple):
        return tuple(_names(view, one) for one in value if not (isinstance(one, str) and one in view.hidden))
    if isinstance(value, dict):
        return {key: _names(view, one) for key, one in value.items()}
    return value


def line(
    view: Names,
    words: str,
    who: str,
    rule: str,
    parts: Iterable[Modifier] = (),
    dice: dict[str, Any] | None = None,
    secret: bool = False,
) -> dict[str, Any]:
    return {
        "text": view.read(words),
        "who": who if who in view.there or who == MASTER else "",
        "rule": rule,
        "parts": [part(view, one) for one in parts],
        "dice": dice,
        "secret": secret,
    }


def part(view: Names, one: Modifier) -> dict[str, Any]:
    """A part of a number."""
    return {"value": one.amount, "unit": one.unit, "text": view.read(one.source), "rule": one.rule}
