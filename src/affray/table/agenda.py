"""Orders that are still to come: the same for a whole group, or several in one line. Each becomes an entry of its own.

What is left is kept with the save, so that a fight that was broken off goes on in the middle of a group.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from affray.encounter import Encounter
from affray.errors import AffrayError, IllegalOrder, Refusal
from affray.render import text
from affray.render.words import Label
from affray.table.lines import Line, bad, note
from affray.table.words import Unclear, candidates, pieces, split

if TYPE_CHECKING:
    from affray.table.session import Session

END = "end of turn"
"""Stands among the orders of a group: end the turn if that is possible and somebody of the group comes after."""


def refused(refusal: Refusal) -> IllegalOrder:
    return IllegalOrder(refusal)


def people(fight: Encounter, words: Sequence[str], label: Label) -> tuple[tuple[str, ...], int] | None:
    """Those whom the first words name: one combatant, a group or a side; and how many words. None when they name nobody."""
    able = [f for f in fight.state.fighters if not fight.ruleset.fallen(f)]
    groups: dict[str, list[str]] = {}
    for fighter in able:
        alike = fighter.id.rstrip("0123456789 ") if fighter.id[-1:].isdigit() else ""
        for name in sorted({getattr(fighter, "group", ""), fighter.side, alike} - {""}):
            groups.setdefault(name, []).append(fighter.id)
    for count in range(min(4, len(words)), 0, -1):
        typed = " ".join(words[:count])
        one = candidates(typed, [(f.id, (label(f.id), f.id)) for f in fight.state.fighters])
        some = [name for name in groups if _plural(typed, name)]
        if some and not (len(one) == 1 and pieces(typed) == pieces(label(one[0]))):
            return tuple(groups[some[0]]), count
        if len(one) == 1:
            return (one[0],), count
        if one and count == 1 and len(words) > 1:
            begun = candidates(typed, [(name, (name,)) for name in groups])
            if len(begun) == 1 and set(one) <= set(groups[begun[0]]):
                return tuple(groups[begun[0]]), count
            raise Unclear(f"{typed!r} could be {', '.join(map(label, one[:8]))}")
    return None


def _plural(typed: str, name: str) -> bool:
    """'guards' or 'guard' for the group Guard, in any case."""
    mine, theirs = "".join(pieces(typed)), "".join(pieces(name))
    return mine in (theirs, theirs + "s", theirs + "es") or theirs in (mine + "s", mine + "es")


def begin(fight: Encounter, who: tuple[str, ...], jobs: Sequence[tuple[str, Any]], words: str) -> None:
    """Put orders on the agenda (in words, or as plain data). Members of a group end their turns in between."""
    listed: list[list[Any]] = [list(job) for job in jobs]
    if len(who) > 1:
        listed = [entry for one in who for entry in [*([one, part] for who_, part in jobs if who_ == one), [one, END]]]
    fight.remember(
        agenda=listed, at=fight.next_id(), job={"who": list(who), "words": words, "from": len(fight.entries), "rows": []}
    )


def waiting(fight: Encounter) -> bool:
    return bool(fight.memo.get("agenda"))


def resume(fight: Encounter) -> None:
    """After loading: the first order on the agenda may have been given already."""
    listed, at = fight.memo.get("agenda") or [], int(fight.memo.get("at") or 0)
    if not listed:
        return
    given = [(entry.id, entry.order.by) for entry in fight.entries if not entry.auto]
    if fight.open:
        given.append((fight.open.id, fight.open.order.by))
    if any(number >= at and by == listed[0][0] for number, by in given):
        fight.remember(agenda=listed[1:], at=fight.next_id())


def grouped(fight: Encounter) -> bool:
    """Whether a group's orders are being carried out: they are told in a line each."""
    return len((fight.memo.get("job") or {}).get("who", ())) > 1


def clear(fight: Encounter) -> list[Line]:
    """Drop what is left. Told, when there was something."""
    left = [job for job in fight.memo.get("agenda") or [] if job[1] != END]
    if not fight.memo.get("agenda") and not fight.memo.get("job"):
        return []
    fight.remember(agenda=[], job=None)
    return [note(f"the orders that were still to come are dropped ({len(left)})")] if left else []


def step(session: Session) -> list[Any]:
    """Give the next order on the agenda; a refusal is told, and the next one follows."""
    fight = session.fight
    (who, words), *rest = fight.memo["agenda"]
    label = session.label
    out: list[Any] = []
    try:
        _order(session, who, words)
    except AffrayError as wrong:
        out.append(bad(f"      {label(who)}: {wrong}"))
        rest, more = _after_refusal(session, who, rest)
        out += more
    fight.remember(agenda=rest, at=fight.next_id())
    return out


def _after_refusal(session: Session, who: str, rest: list[Any]) -> tuple[list[Any], list[Any]]:
    """What is still to come when an order was refused: whoever has done nothing is passed over and may act later; whoever
    was in the middle of his orders stops them all, for a person to decide."""
    fight, start = session.fight, (session.fight.memo.get("job") or {}).get("from", 0)
    begun = any(not entry.auto and entry.order.by == who for entry in fight.entries[start:])
    mine = [job for job in rest if job[0] == who and job[1] != END]
    told: list[Any] = [bad(f"      {session.label(who)}: {words} is dropped") for _, words in mine]
    left = [job for job in rest if job[0] != who]
    if begun and left:
        names = ", ".join(dict.fromkeys(session.label(job[0]) for job in left))
        return [], [*told, note(f"the orders of {names} wait for you")]
    return left, told


def _order(session: Session, who: str, words: Any) -> None:
    fight = session.fight
    if fight.ruleset.fallen(next(f for f in fight.state.fighters if f.id == who)):
        raise Unclear("can no longer act")
    if words == END:
        if who in fight.up() and any(o.verb == "end" and o.refused is None for o in session.offers(who)):
            fight.order(fight.ruleset.order({"do": "end", "by": who}))
        return
    if not isinstance(words, str):
        fight.order(fight.ruleset.order(words))
        return
    from affray.table import orders

    draft = session.drafted(who, split(words))
    fight.order(orders.build(fight.ruleset, draft, session.label))


def finish(session: Session) -> list[Any]:
    """When everything has been done: a line for each order, and what it came to."""
    fight, job = session.fight, session.fight.memo.get("job")
    if not job or fight.memo.get("agenda") or fight.open:
        return []
    fight.remember(job=None)
    who = job["who"]
    if len(who) < 2:
        return []
    numbers = [e for e in fight.entries[job["from"] :] if not e.auto and e.order.by in who and e.order.verb != "end"]
    if not numbers:
        return []
    return total(fight, job["from"], who, session.label, f"{len(numbers)} × {job['words']}")


def total(fight: Encounter, start: int, who: list[str], label: Label, words: str) -> list[Line]:
    """What all of it did to everybody else."""
    before = fight.entries[start - 1].state if start else fight.start
    were = {f.id: f for f in before.fighters}
    told = []
    for fighter in fight.state.fighters:
        if fighter.id in who or fighter == were.get(fighter.id):
            continue
        word = fight.ruleset.fallen(fighter)
        changed = ", ".join([*([word] if word else []), *text.changes(were.get(fighter.id), fighter)])
        if changed:
            told.append(f"{label(fighter.id)}: {changed}")
    return [Line(f"      {words}, in all: {'; '.join(told) or 'nothing has changed'}", "total", 8)]
