"""Events, numbers and states as lines of text for a terminal or a report.

The words come from the ruleset (`texts`, by the `note` of an event). A number is followed by what it is made of.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec
from msgspec import structs

from affray.ask import Choose, Open, Roll
from affray.events import Changed, Chose, Event, Joined, Left, Noted, Rolled
from affray.modifiers import Modifier, explain
from affray.ruleset import Ruleset, Shown

REFEREE = {
    "referee.set": "the game master sets {who}: {fields}",
    "referee.joined": "{who} joins the fight",
    "referee.left": "{who} leaves the fight",
    "referee.say": "the game master: {text}",
}


_LESS = re.compile(r"(?:(?<=D6)|(?<=\dD)|(?<![\w\-–]))-(?=\d)")


def minus(text: str) -> str:
    """A text for people to read on a page: one sign for less, `−5` where a rule writes `-5`."""
    return _LESS.sub("−", text) if "-" in text else text


def field_words(texts: Mapping[str, str], name: str) -> str:
    """What a field of a combatant is called, by the texts of its ruleset."""
    return texts.get(f"field.{name}") or name.replace("_", " ")


def chains(pool: str, faces: Sequence[int]) -> tuple[list[list[int]], list[int]]:
    """Faces as thrown: a chain for each Wild Die (a 6 is thrown again and added), and the regular dice."""
    more = re.search(r"\+ (\d+) Wild", pool)
    wilds = int(more[1]) + 1 if more else 1
    left = list(faces)
    if "no Wild" in pool or "D6" in pool or "D" not in pool:
        return [], left
    found: list[list[int]] = []
    while left and len(found) < wilds:
        chain = [left.pop(0)]
        while chain[-1] == 6 and left:
            chain.append(left.pop(0))
        found.append(chain)
    return found, left


def faces_text(pool: str, faces: Sequence[int]) -> str:
    """Faces as people write them: `W6>5 | 6 5 4`; plain dice `5 4`."""
    wild, left = chains(pool, faces)
    if not wild:
        return " ".join(map(str, left))
    return " ".join("W" + ">".join(map(str, chain)) for chain in wild) + (f" | {' '.join(map(str, left))}" if left else "")


def roll_total(event: Rolled) -> int | None:
    """The total of a roll with everything that is added to it; None where a roll is no number."""
    if event.total is not None:
        return event.total
    result = event.result[0] if isinstance(event.result, tuple | list) and event.result else event.result
    if isinstance(result, bool) or not isinstance(result, int):
        return None
    return result + sum(part.amount for part in added(event))


def added(event: Rolled) -> tuple[Modifier, ...]:
    """What is added to the dice of a roll (pips count as part of the dice)."""
    return tuple(part for part in event.parts if part.unit == "" and part.source != "pips")


def rolled(event: Rolled) -> str:
    """A roll with its dice, its result, and where both come from."""
    made_of = [part for part in event.parts if part.unit != "" or part.source == "pips"]
    told = f"{event.who} rolls {event.why}: {event.pool}"
    if len(made_of) > 1:
        told += f" = {explain(made_of)}"
    faces = faces_text(event.pool, event.faces)
    if faces:
        told += f"; dice {faces}"
    if event.total is not None:
        told += f" → {event.total}, counts as {plain(event.result)}"
        return told + (f" ({event.flag})" if event.flag else "")
    result = event.result
    told += f" → {plain(result[0] if isinstance(result, tuple) and len(result) == 2 else result)}"
    if plus := added(event):
        sign = "" if plus[0].amount < 0 else "+"
        told += f" {sign}{explain(plus)} = {roll_total(event)}"
    return told + (f" ({event.flag})" if event.flag else "")


def told(event: Event, texts: Mapping[str, str]) -> str:
    """One event in words; '' for bookkeeping that is not worth a line."""
    if isinstance(event, Rolled):
        return rolled(event)
    if isinstance(event, Chose):
        if not event.answer or event.answer in ("none", "pass", "stop"):
            return ""
        return f"{event.who} chooses, {event.why}: {plain(event.answer).replace('_', ' ')}"
    if isinstance(event, Joined | Left):
        return worded(event.note, event.who, {}, texts) or f"{event.who} {'joins' if isinstance(event, Joined) else 'leaves'}"
    line = worded(event.note, event.who, dict(event.data), texts)
    if line and event.parts:
        line += f" ({explain(event.parts)})"
    if line and event.rule and event.rule not in line:
        line += f" [{event.rule}]"
    return line


def worded(note: str, who: str, data: Mapping[str, Any], texts: Mapping[str, str]) -> str:
    """The words for a note; a note without words is told as it stands, with its data."""
    if not note:
        return ""
    template = texts.get(note, REFEREE.get(note))
    if template == "":
        return ""
    if template is not None:
        words = {key: _Word(plain(value)) for key, value in data.items()}
        return template.format_map(_Given({"who": who or "the scene", **words}))
    rest = ", ".join(f"{key} {plain(value)}" for key, value in data.items())
    return f"{who}: {note}" + (f" ({rest})" if rest else "")


class _Word(str):
    """A value in a template; `{wounds:|s}` is '' for one of them and 's' for any other number."""

    def __format__(self, spec: str) -> str:
        one, bar, many = spec.partition("|")
        return (one if self == "1" else many) if bar else str.__format__(self, spec)


class _Given(dict[str, str]):
    """A word that a template wants and the event does not have shows as its name."""

    def __missing__(self, key: str) -> str:
        return _Word(f"<{key}>")


def plain(value: Any) -> str:
    """A value in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {plain(one)}" for key, one in value.items())
    if isinstance(value, list | tuple) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], int):
        return f"{value[0]} {value[1]}"
    if isinstance(value, list | tuple | frozenset):
        return ", ".join(plain(one) for one in value) or "none"
    if isinstance(value, msgspec.Struct):
        return plain(msgspec.to_builtins(value))
    return str(value)


def lines(events: Iterable[Event], texts: Mapping[str, str], audience: str = "master") -> Iterator[str]:
    """All events worth telling to this audience. What several do alike in a row is told in one line.

    A note with the texts 'NOTE.each' and 'NOTE.all' is such: '{who} {score}' and 'initiative: {all}'.
    """
    seen = [event for event in events if not event.seen or audience in ("master", event.seen)]
    for alike in together(seen):
        note = getattr(alike[0], "note", "")
        if f"{note}.all" in texts:
            each = [worded(f"{note}.each", e.who, dict(e.data), texts) for e in alike if isinstance(e, Noted | Changed)]
            yield texts[f"{note}.all"].format(all=", ".join(each)) + f" [{alike[0].rule}]"
        elif isinstance(alike[0], Chose):
            if line := told(alike[0], texts):
                yield line + (f" (×{len(alike)})" if len(alike) > 1 else "")
        else:
            yield from (line for event in alike if (line := told(event, texts)))


def together(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Events in a row that are told together."""

    def key(event: Event) -> tuple[str, ...]:
        if isinstance(event, Chose):
            return ("chose", event.who, event.why, plain(event.answer))
        return (getattr(event, "note", "") or event.who,)

    return (list(run) for _, run in groupby(events, key))


def brief(events: Iterable[Event], texts: Mapping[str, str]) -> Iterator[str]:
    """What happened without dice, rules and parts: for one line about a whole order."""
    for event in events:
        if not isinstance(event, Noted | Changed) or event.seen:
            continue
        if line := worded(event.note, event.who, dict(event.data), texts):
            yield line


def ordered(order: Any) -> str:
    """An order in words: who, what, and its options as far as they were given."""
    told = f"{order.by}: {order.verb}"
    given = []
    for field in fields_of(type(order)):
        value = getattr(order, field.name)
        if field.name != "by" and value != field.default and value not in ("", (), None):
            given.append(f"{field.name.replace('_', ' ')} {plain(value)}")
    return told + (f" ({', '.join(given)})" if given else "")


def number(name: str, shown: Shown) -> str:
    """A derived number and what it is made of."""
    return f"{name} {shown.text}" + (f" = {explain(shown.parts)}" if len(shown.parts) > 1 else "")


def question(opened: Open) -> str:
    """An open request in words."""
    request = opened.request
    asked = request.why.text or request.why.key
    if isinstance(request, Roll):
        so_far = f" (so far {' '.join(map(str, opened.faces))})" if opened.faces else ""
        return f"{request.by} throws {request.pool} for {asked}{so_far} [{request.why.rule}]"
    assert isinstance(request, Choose)
    return f"{request.by} is asked: {asked} [{request.why.rule}]; {domain(request.domain)}; else {plain(request.default)}"


def domain(what: Any) -> str:
    """What may be answered."""
    tag = type(what).__name__
    if tag in ("OneOf", "Subset"):
        return f"{'some' if tag == 'Subset' else 'one'} of {plain(what.options)}"
    if tag == "Number":
        return f"{what.least} to {what.most}"
    if tag == "AnOrder":
        return "pass or an order: " + ", ".join(sorted({order.verb for order in what.orders}))
    return {"YesNo": "yes or no", "Text": "words", "Place": "a place [x, y]"}.get(tag, tag)


def standing(ruleset: Ruleset, start: Any, state: Any) -> Iterator[str]:
    """How everybody is, one line each: side, able to fight or not, and what has changed since `start`."""
    before = {fighter.id: fighter for fighter in start.fighters}
    width = max((len(fighter.id) for fighter in state.fighters), default=0)
    for fighter in state.fighters:
        word = ruleset.fallen(fighter) or "able to fight"
        changed = ", ".join(changes(before.get(fighter.id), fighter))
        yield f"{fighter.id:<{width}}  ({fighter.side})  {word}" + (f": {changed}" if changed else "")


_FIELDS: dict[Any, tuple[structs.FieldInfo, ...]] = {}


def fields_of(struct: Any) -> tuple[structs.FieldInfo, ...]:
    """The fields of a struct; looking them up takes longer than everything that is done with them."""
    if struct not in _FIELDS:
        _FIELDS[struct] = structs.fields(struct)
    return _FIELDS[struct]


DULL = {
    *("id", "name", "side", "group"),
    *("initiative", "tie", "acted", "declared", "used", "begun", "done", "moved", "sheet", "out", "full", "doing"),
    *("rested", "injury", "treated", "attacked", "mortal", "fainted", "massive", "standing", "carried", "aim"),
    *("unconscious", "dead", "limit_doubled", "waiting", "barred", "status", "fell", "was_hurt", "hurt_at", "mortal_since"),
    *("base", "rolled", "minor", "significant", "shifts", "tolls", "aware", "moved_before", "exclusive", "behind", "aided"),
    *("mending", "disturbed", "liberties", "strenuous", "exertion"),
}
"""Fields that belong to the running round, or say what the one word says already."""


def changes(before: Any, now: Any, dull: Collection[str] = DULL) -> Iterator[str]:
    """What is different about somebody, in words; `dull` fields are left out."""
    for field in fields_of(type(now)):
        value = getattr(now, field.name)
        if field.name in dull or (before is not None and value == getattr(before, field.name)):
            continue
        if before is None and value == field.default:
            continue
        words = field.name.replace("_", " ")
        if isinstance(value, bool):
            yield words if value else f"no longer {words}"
        elif not _nested(value):
            yield f"{words} {plain(value)}"
        elif isinstance(value, tuple) and (told := [small for one in value if (small := _small(one))]):
            yield f"{words} {plain(told)}"


def _small(value: Any) -> str:
    """A small fact in words: its name or kind, and numbers that are not as usual; of larger ones the name only."""
    if not isinstance(value, msgspec.Struct):
        return plain(value)
    known = {field.name: getattr(value, field.name) for field in fields_of(type(value))}
    if len(known) > 5 or not all(isinstance(one, str | int) for one in known.values()):
        return str(known.get("name", ""))
    told = [one for one in known.values() if isinstance(one, str) and one]
    for name, one in known.items():
        if not isinstance(one, str) and one:
            told.append(str(one) if name in ("total", "result") else name if one is True else f"{name} {one}")
    return " ".join(told)


def _nested(value: Any) -> bool:
    return isinstance(value, msgspec.Struct) or (
        isinstance(value, tuple) and any(isinstance(one, msgspec.Struct) for one in value)
    )
