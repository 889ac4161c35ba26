"""Commands that only look: the screen, refused actions, sheets, numbers and their parts, rules, odds, the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from affray import rules
from affray.errors import AffrayError, nearest
from affray.events import Rolled
from affray.modifiers import explain
from affray.render import text
from affray.render.words import shown
from affray.ruleset import Offer, Shown
from affray.table import agenda, telling
from affray.table.answers import hint
from affray.table.lines import Line, bad, note
from affray.table.orders import told
from affray.table.words import Unclear, pieces, split, whole

if TYPE_CHECKING:
    from affray.table.session import Output, Session

MOST = 8
"""Numbers that `why` opens at once."""
NOTHING: tuple[Any, ...] = ([], (), "", None, 0, False)
"""Values that go without saying."""


def look(session: Session, rest: str) -> Output:
    session.show_again()
    return [session.screen(), *([] if not session.requests else session.view_now())]


def refused(session: Session, rest: str) -> Output:
    """Every action that is refused, with its reason."""
    found = [offer for offer in session.offers() if offer.refused is not None]
    if not found:
        return [note("nothing is refused now")]
    wide = max(len(offer.verb) for offer in found)
    return [Line(f"  {offer.verb.replace('_', ' '):<{wide}}  {offer.refused}", "", wide + 4) for offer in found]


def action(session: Session, offer: Offer) -> Output:
    """An action with its options."""
    cost = f" ({offer.cost})" if offer.cost else ""
    out: Output = [Line(f"  {offer.verb.replace('_', ' ')}{cost}: {offer.text}", "", 4)]
    if offer.refused is not None:
        out.append(Line(f"    not now: {offer.refused}", "", 6))
    for one in offer.fields:
        default = f" [{shown(one.default, session.label)}]" if one.default is not None else ""
        out.append(Line(f"    {one.name}: {told(one)}; {hint(one.domain, session.label)}{default}", "", 6))
    return out


def _one(session: Session, words: list[str]) -> tuple[str, list[str]]:
    """Whom the words begin with, else the one who is up. Raises Unclear."""
    named = agenda.people(session.fight, words, session.label) if words else None
    if named is not None:
        return named[0][0], words[named[1] :]
    who = session.actor()
    if not who:
        raise Unclear("name somebody")
    return who, words


def sheet(session: Session, rest: str) -> Output:
    """All that the master may see of somebody."""
    who, _ = _one(session, split(rest))
    seen = next(one for one in session.fight.ruleset.view(session.fight.state, "master")["fighters"] if one["id"] == who)
    fighter = next(f for f in session.fight.state.fighters if f.id == who)
    out: Output = [Line(session.label(who), "head")]
    state = ", ".join(
        f"{key.replace('_', ' ')} {text.plain(value)}" for key, value in seen.items() if value not in NOTHING
    )
    out.append(Line(f"  now: {state}", "", 4))
    whole_sheet = msgspec.to_builtins(fighter.sheet)
    for key, value in whole_sheet.items():
        if _tells(value):
            out.append(Line(f"  {key}: {_of_sheet(value)}", "", 4))
    return out + numbers(session, rest)[1:]


def _tells(value: Any) -> bool:
    """Whether a value of a sheet is worth a word."""
    return value not in NOTHING and not (isinstance(value, list | tuple) and not any(value))


def _of_sheet(value: Any) -> str:
    """Part of a sheet in words: lists of pairs, die codes, weapons by name."""
    if isinstance(value, dict):
        if set(value) == {"dice", "pips"}:
            return f"{value['dice']}D" + (f"+{value['pips']}" if value["pips"] else "")
        name = value.get("name", "")
        rest = ", ".join(f"{k} {_of_sheet(v)}" for k, v in value.items() if k != "name" and _tells(v))
        return f"{name} ({rest})" if name else rest
    if isinstance(value, list | tuple):
        if len(value) == 2 and isinstance(value[0], str):
            return f"{value[0]} {_of_sheet(value[1])}"
        return "; ".join(map(_of_sheet, value))
    return text.plain(value)


def numbers(session: Session, rest: str) -> Output:
    """Derived numbers of somebody."""
    who, _ = _one(session, split(rest))
    found = session.fight.ruleset.numbers(session.fight.state, who)
    out: Output = [Line(f"{session.label(who)}: numbers", "head")]
    return out + [
        Line(f"  {text.number(name.replace('_', ' ').replace('.', ' to '), shown_)}", "", 6) for name, shown_ in found.items()
    ]


def places(session: Session, rest: str) -> Output:
    """Where everybody is; with an order on an area, what it would cover (after a *)."""
    from affray.table import forecast
    from affray.table import screen as drawing

    if rest:
        order = forecast.considered(session, rest)
        covered = session.fight.ruleset.covered(session.fight.state, order)
        if not covered:
            return [note("that covers no area of the map")]
        drawn = drawing.whole_map(session.fight, order.by, session.label, covered)
        inside = [session.label(f.id) for f in session.fight.state.fighters if getattr(f, "at", None) in covered]
        told = f"{len(covered)} spaces, with these inside: {', '.join(inside) or 'nobody'}"
        return [*(Line(f"  {line}") for line in drawn), note(told)]
    screen = session.screen()
    lines = [Line(f"  {line}") for line in screen.map] + [Line(f"  {line}", "", 4) for line in screen.distances]
    return lines or [note("nobody is anywhere in particular")]  # type: ignore[return-value]


def log(session: Session, rest: str) -> Output:
    """The last entries in a line each, or some of them in full."""
    fight, label = session.fight, session.label
    words = split(rest)
    if not words:
        return list(session.tape.recent(15)) or [note("nothing has happened yet")]
    first = whole(words[0], "entry")
    last = whole(words[1], "entry") if len(words) > 1 else first
    if not 1 <= first <= last <= len(fight.entries):
        raise Unclear(f"entries go from 1 to {len(fight.entries)}")
    out: Output = []
    for number in range(first, last + 1):
        entry = fight.entries[number - 1]
        out.append(telling.headline(number, entry.order, label))
        out += telling.happened(fight, entry.events, label, session.secrets)
    return out


def secrets(session: Session, rest: str) -> Output:
    """Secret events of the last entries."""
    fight = session.fight
    events = [event for entry in fight.entries[-30:] for event in entry.events if event.seen]
    events += [event for event in (fight.open.events if fight.open else ()) if event.seen]
    return list(telling.happened(fight, tuple(events), session.label, True)) or [note("nothing secret has happened lately")]


# ---- numbers that explain themselves


def why(session: Session, rest: str) -> Output:
    """A number opened into its parts: by how it reads, or by whose it is and its name."""
    words = split(rest)
    if not words:
        raise Unclear("why which number? for example: why 5D, why 11, why kess dodge")
    named = agenda.people(session.fight, words, session.label)
    some = named[0] if named else tuple(f.id for f in session.fight.state.fighters)
    wanted = " ".join(words[named[1] :]) if named else " ".join(words)
    found = ([] if named else _of_events(session, wanted)) + _of_people(session, some, wanted)
    if not found:
        names = list(session.fight.ruleset.numbers(session.fight.state, some[0]))
        near = nearest(wanted, names)
        raise Unclear(f"no number here reads or is called {wanted!r}" + (f"; did you mean {near!r}?" if near else ""))
    more = [note(f"and {len(found) - MOST} more; name somebody: why kess {wanted}")] if len(found) > MOST else []
    return [*[Line(f"  {line}", "", 4) for line in dict.fromkeys(found[:MOST])], *more]


def _of_events(session: Session, wanted: str) -> list[str]:
    """Numbers in what happened last, the newest first."""
    fight, label = session.fight, session.label
    events = list(fight.open.events) if fight.open else []
    for entry in reversed(fight.entries[-3:]):
        events = [*entry.events, *events]
    found = []
    for event in reversed(events):
        if event.seen and not session.secrets:
            continue
        parts = getattr(event, "parts", ())
        if isinstance(event, Rolled):
            readings = {event.pool, str(text.roll_total(event)), text.plain(event.result)}
            if wanted in readings or pieces(wanted) == pieces(event.why):
                found.append(text.rolled(telling.named(event, label)) + f" [{event.rule}]")  # type: ignore[arg-type]
        elif parts and wanted in {text.plain(value) for _, value in getattr(event, "data", ())}:
            line = text.worded(event.note, label(event.who), dict(event.data), fight.ruleset.texts)  # type: ignore[union-attr]
            found.append(f"{line}: {explain(parts)}")
    return found[:3]


def _of_people(session: Session, some: tuple[str, ...], wanted: str) -> list[str]:
    """Derived numbers that read so or are called so; of the one who is up first."""
    actor = session.actor()
    found = []
    for who in sorted(some, key=lambda one: one != actor):
        for name, number in session.fight.ruleset.numbers(session.fight.state, who).items():
            called = wanted and pieces(name)[: len(pieces(wanted))] == pieces(wanted)
            if called or wanted in (number.text, str(number.value)) or not wanted:
                found.append(_opened(session, who, name, number))
    return found


def _opened(session: Session, who: str, name: str, number: Shown) -> str:
    parts = f" = {explain(number.parts)}" if number.parts and explain(number.parts) not in number.text else ""
    return f"{session.label(who)}, {name.replace('_', ' ')}: {number.text}{parts}"


def rule(session: Session, rest: str) -> Output:
    """A rule in the project's words, or those that contain the words."""
    if not rest:
        raise Unclear("which rule? for example: rule RON-ATK-4, or words to search for")
    package = session.fight.ruleset.package
    known = rules.index(package)
    entry = known.get(rest.strip("[] ").upper())
    if entry is not None:
        out: Output = [Line(f"{entry.id}  {entry.title}  ({entry.section})", "head"), Line(f"  {entry.text}", "", 2)]
        return out + ([Line(f"  Note: {entry.note}", "note", 2)] if entry.note else [])
    found = rules.search(package, rest)
    if not found:
        near = nearest(rest.upper(), known)
        return [bad(f"no rule is called {rest!r} or contains that" + (f"; did you mean {near}?" if near else ""))]
    lines: Output = [Line(f"  {one.id:<14} {one.title}", "", 17) for one in found[:12]]
    return lines + ([note(f"and {len(found) - 12} more")] if len(found) > 12 else [])


def odds(session: Session, rest: str) -> Output:
    """Exact odds of the action being considered."""
    from affray.table.forecast import forecast

    try:
        return list(forecast(session, rest))
    except AffrayError as wrong:
        raise Unclear(f"no odds: {wrong}") from None
