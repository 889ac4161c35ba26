"""What happened since the last look, in lines: each order with its number, and what it did."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.ask import MASTER
from affray.encounter import Encounter
from affray.events import Chose, Event
from affray.render import text
from affray.render.words import Label, in_words, labels
from affray.ruleset import Field
from affray.table.answers import hint, menu
from affray.table.lines import Line
from affray.table.orders import told
from affray.table.screen import condition


class Tape:
    """Remembers what has been told: finished entries, and of the order that follows them its headline and events."""

    def __init__(self, fight: Encounter) -> None:
        self.fight = fight
        self.entries = 0
        self.events = 0
        self.head = False

    def skip(self) -> None:
        """Everything so far counts as told."""
        self.entries = len(self.fight.entries)
        self.events = len(self.fight.open.events) if self.fight.open else 0
        self.head = self.fight.open is not None

    def back_to(self, entries: int) -> None:
        """Tell again from behind this entry."""
        self.entries, self.events, self.head = entries, 0, False

    def news(self, label: Label, secrets: bool = False, brief: bool = False) -> list[Line]:
        """What has not been told yet. `brief`: orders that were not interrupted by a question take one line each."""
        if self.entries > len(self.fight.entries):
            self.skip()
        lines: list[Line] = []
        for number in range(self.entries, len(self.fight.entries)):
            entry = self.fight.entries[number]
            if brief and not self.head:
                lines += self._brief(number, label)
            else:
                if not entry.auto and not self.head:
                    lines.append(headline(number + 1, entry.order, label))
                lines += happened(self.fight, entry.events[self.events :], label, secrets)
            self.events, self.head = 0, False
        self.entries = len(self.fight.entries)
        if opened := self.fight.open:
            if not opened.auto and not self.head:
                lines.append(headline(self.entries + 1, opened.order, label))
            lines += happened(self.fight, opened.events[self.events :], label, secrets)
            self.events, self.head = len(opened.events), True
        return lines

    def _brief(self, number: int, label: Label) -> list[Line]:
        entry = self.fight.entries[number]
        if entry.auto:
            return happened(self.fight, entry.events, label, False) if not entry.order.by else []
        return [] if entry.order.verb == "end" else [one_line(self.fight, number, label)]

    def recent(self, count: int) -> list[Line]:
        """The last few orders in one line each."""
        label = labels(self.fight.state)
        found = [n for n, entry in enumerate(self.fight.entries) if not entry.auto][-count:]
        return [one_line(self.fight, n, label) for n in found]


def headline(number: int, order: Any, label: Label) -> Line:
    """An order with its number in the log."""
    who = label(order.by) if order.by not in ("", MASTER) else "Game master"
    return Line(f"{number:>4}  {who}: {in_words(order, label)}", "entry", 6)


def happened(fight: Encounter, events: tuple[Event, ...], label: Label, secrets: bool) -> list[Line]:
    """Events in words. What is for the master only is hidden unless `secrets`."""
    lines = []
    for event in events:
        if getattr(event, "seen", "") and not secrets:
            lines.append(Line("      (something that only the game master sees; secrets shows it)", "event", 6))
            continue
        told = [named(as_typed(fight, event, label), label)]
        lines += [Line(f"      {one}", "event", 8) for one in text.lines(told, fight.ruleset.texts)]
    return lines


def as_typed(fight: Encounter, event: Event, label: Label) -> Event:
    """A choice that is an order, as it could be typed."""
    if isinstance(event, Chose) and isinstance(event.answer, dict) and "do" in event.answer:
        return replace(event, answer=in_words(fight.ruleset.order(event.answer), label))
    return event


def named(event: Event, label: Label) -> Event:
    """The event with names in the place of ids."""
    event = replace(event, who=label(event.who)) if event.who else event
    if data := getattr(event, "data", ()):
        renamed = tuple((key, label(value) if isinstance(value, str) else value) for key, value in data)
        return replace(event, data=renamed) if renamed != data else event
    return event


def one_line(fight: Encounter, number: int, label: Label) -> Line:
    """A finished entry in one line: the order and what came of it."""
    entry = fight.entries[number]
    head = headline(number + 1, entry.order, label).text
    what = "; ".join(text.brief([named(event, label) for event in entry.events], fight.ruleset.texts))
    if entry.order.by == MASTER and what:
        return Line(f"{number + 1:>4}  {what}", "entry", 6)
    return Line(head + (f": {what}" if what else ""), "entry", 6)


def ask_option(one: Field, label: Label) -> list[Any]:
    """An option of an order that has to be named."""
    listed = menu(one.domain, label)
    lines = [
        Line(f"{told(one)}? ({hint(one.domain, label) if not listed else 'number or name; cancel drops the order'})", "ask", 2)
    ]
    return [*lines, *(Line(f"{n:>3} {option}", "option", 4) for n, option in enumerate(listed, 1))]


def ending(fight: Encounter, label: Label) -> list[Any]:
    """The fight is over: who holds the field, and how everybody is."""
    state = fight.state
    sides = list(dict.fromkeys(f.side for f in state.fighters if not fight.ruleset.fallen(f)))
    verdict = f"{sides[0]} hold the field" if len(sides) == 1 else "nobody is left standing" if not sides else "it is over"
    lines = [Line(f"The fight is over after round {state.round}: {verdict}.", "head", 2)]
    wide = max(len(label(f.id)) for f in state.fighters)
    lines += [Line(f"  {label(f.id):<{wide}}  ({f.side})  {condition(fight, f)}", "", wide + 4) for f in state.fighters]
    if due := fight.ruleset.due(state):
        lines.append(Line("Time will bring (let it pass with rest):", "head", 2))
        lines += [Line(f"  {label(one.who)}, in {one.minutes} min: {one.what}", "", 4) for one in due]
    return [*lines, Line("undo takes the last decision back; quit leaves; the fight is saved.", "note", 2)]
