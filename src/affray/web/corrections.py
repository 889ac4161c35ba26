"""What the master corrects, from plain data: each becomes one or several orders of `affray.referee`, or changes the past.

Fields are found by name in the fighter of the ruleset, so that nothing here knows what a value means.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from affray import compendium, referee
from affray.ask import MASTER
from affray.dice import check
from affray.encounter import Encounter
from affray.errors import BadAnswer, DataError, IllegalOrder, Problem, Refusal, nearest, unknown
from affray.events import Changed, Rolled
from affray.formats.draft import Draft as File
from affray.formats.draft import begun, checked
from affray.record import Entry
from affray.space import Area, Space
from affray.table import conditions, distances, history
from affray.table.arrivals import names as newcomers
from affray.web import arrivals, play
from affray.web.bodies import Correction

MOST = 100
"""Late arrivals, or cells to paint, at once: this many people, twenty times as many cells."""


IDLE = "that is so already; nothing has changed"


def correct(fight: Encounter, data: Correction) -> str:
    """Carry a correction out. Returns what it was in words. Raises AffrayError; nothing is changed then."""
    if data.do in PAST:
        PAST[data.do](fight, data)
    else:
        orders = NOW[data.do](fight, data)
        if not orders:
            raise IllegalOrder(Refusal(referee.RULE, "there is nothing to change"))
        base = _base(fight, data)
        orders = [one for one in orders if not referee.idle(fight.ruleset, base, one)]
        if not orders:
            return IDLE
        for one in orders:
            if data.before is not None:
                fight.amend(one, at=data.before)
            else:
                fight.order(one)
    play.settle(fight)
    return ""


def _base(fight: Encounter, data: Correction) -> Any:
    """The state that a correction changes: of the open order that before it, else that before an entry."""
    place = next((n for n, one in enumerate(fight.entries) if one.id == data.before), len(fight.entries))
    return fight.entries[place - 1].state if place else fight.start


# ---- now, or before an entry


def _set(fight: Encounter, data: Correction) -> list[Any]:
    if data.who == "":
        return [referee.Set(MASTER, "", data.fields, data.why)]
    return [referee.Set(MASTER, one, data.fields, data.why) for one in _people(fight, data)]


def _people(fight: Encounter, data: Correction) -> list[str]:
    """Whom a correction is about. Raises IllegalOrder."""
    known = [f.id for f in fight.state.fighters]
    some = [data.who] if isinstance(data.who, str) else list(data.who)
    if not some or (strange := [one for one in some if one not in known]):
        problem = unknown("combatant", strange[0] if some else "", known)
        raise IllegalOrder(Refusal(referee.RULE, str(problem)))
    return some


def _fields(**values: Any) -> Callable[[Encounter, Correction], list[Any]]:
    def orders(fight: Encounter, data: Correction) -> list[Any]:
        return [referee.Set(MASTER, one, values, data.why) for one in _people(fight, data)]

    return orders


def _move(fight: Encounter, data: Correction) -> list[Any]:
    if data.other:
        return [distances.corrected(fight, _people(fight, data)[0], data.other, data.value, data.why)]
    if data.at is None:
        raise IllegalOrder(Refusal(referee.RULE, "where to? at = [x, y]"))
    return [referee.Set(MASTER, one, {"at": list(data.at)}, data.why) for one in _people(fight, data)]


def _remove(fight: Encounter, data: Correction) -> list[Any]:
    return [referee.Remove(MASTER, one) for one in _people(fight, data)]


def _say(fight: Encounter, data: Correction) -> list[Any]:
    return [referee.Say(MASTER, data.text)] if data.text.strip() else []


def _rulings(fight: Encounter, data: Correction) -> list[Any]:
    return [referee.Set(MASTER, "", {"rulings": data.fields}, data.why)]


def _condition(fight: Encounter, data: Correction) -> list[Any]:
    """A condition, with how long it lasts, or the end of it."""
    orders = []
    for who in _people(fight, data):
        fighter = next(f for f in fight.state.fighters if f.id == who)
        fields = conditions.corrected(fight, fighter, data.name, data.end, data.lasts, data.unit)
        orders.append(referee.Set(MASTER, who, fields, data.why))
    return orders


def _revive(fight: Encounter, data: Correction) -> list[Any]:
    """Whatever changed them in the entry in which they fell is again as it was before."""
    orders = []
    for who in _people(fight, data):
        fell = _fall(fight, who)
        if fell is None:
            raise IllegalOrder(Refusal(referee.RULE, f"{who} has not fallen in this fight; set the fields by hand"))
        entry, before = fell
        names = {name for e in entry.events if isinstance(e, Changed) and e.who == who for name, _ in e.set}
        now = next(f for f in fight.state.fighters if f.id == who)
        fields = {name: getattr(before, name) for name in sorted(names) if getattr(before, name) != getattr(now, name)}
        orders.append(referee.Set(MASTER, who, msgspec.to_builtins(fields), data.why or "revived"))
    return orders


def _fall(fight: Encounter, who: str) -> tuple[Entry, Any] | None:
    """The last entry in which somebody fell, and that fighter before it."""
    found = None
    before = next((f for f in fight.start.fighters if f.id == who), None)
    for entry in fight.entries:
        after = next((f for f in entry.state.fighters if f.id == who), None)
        if before is not None and after is not None and fight.ruleset.fallen(after) and not fight.ruleset.fallen(before):
            found = entry, before
        before = after
    return found


def _add(fight: Encounter, data: Correction) -> list[Any]:
    """Late arrivals from a template or a sheet, as an encounter file would have them: one entry, however many come."""
    name = data.name or data.template.replace("-", " ").capitalize() or "Newcomer"
    if data.template and data.template not in (known := compendium.names(fight.ruleset.name, "template")):
        raise DataError([unknown("template", data.template, known)])
    names = newcomers(fight, name, data.count)
    places = arrivals.spots(fight, data.side or fight.state.fighters[0].side, data.count, data.at)
    first, *others = (msgspec.to_builtins(_made(fight, data, one, at)) for one, at in zip(names, places, strict=True))
    return [referee.Add(MASTER, first, tuple(others))]


def _made(fight: Encounter, data: Correction, name: str, at: tuple[int, int] | None) -> Any:
    side = data.side or fight.state.fighters[0].side
    file = File(begun(fight.ruleset.name))
    for table in ("side", "space"):
        if table in file.doc:
            del file.doc[table]
    sheet = dict(data.sheet)
    if at is not None:
        sheet.setdefault("at", list(at))
    file.add_person(name, side, template=data.template, sheet={k: v for k, v in sheet.items() if k != "sheet"})
    made, problems = checked(file.text, "late arrival")
    if made is None:
        raise DataError([Problem(one.text, "", 0, one.key, one.allowed, one.nearest) for one in problems])
    group = data.group or (data.name or data.template if data.count > 1 else "")
    fighter = made.state.fighters[0]
    return replace(fighter, group=group) if group and hasattr(fighter, "group") else fighter


def _paint(fight: Encounter, data: Correction) -> list[Any]:
    """Walls, cover and other ground: an area or single cells put on the map, or taken off."""
    space: Space | None = getattr(fight.state, "space", None)
    if space is None or not space.grid:
        raise IllegalOrder(Refusal(referee.RULE, "there is no map in this fight"))
    cells = [(x, y) for x, y in data.cells]
    kind = _kind(fight, data)
    small = data.area is None or _small(data.area)
    if data.area is not None and small:
        cells += Area(*data.area).cells()
    if not small or not cells or len(cells) > 20 * MOST:
        raise IllegalOrder(Refusal(referee.RULE, f"which cells? cells = [[x, y], ...], at most {20 * MOST}"))
    areas = [left for area in space.areas for left in _without(area, set(cells), kind)]
    if not data.erase:
        value = data.value if isinstance(data.value, int) else 0
        whole = [Area(*data.area, kind, value)] if data.area is not None else []
        areas += whole + [Area(x, y, x, y, kind, value) for x, y in (tuple(one) for one in data.cells)]
    return [referee.Set(MASTER, "", {"space": msgspec.to_builtins(replace(space, areas=tuple(areas)))}, data.why)]


def _kind(fight: Encounter, data: Correction) -> str:
    """What is painted, as the rules call it. Raises IllegalOrder: no such ground, or its number is out of bounds."""
    if data.erase:
        return data.kind
    some = fight.ruleset.grounds
    names, wanted = tuple(one.name for one in some), data.kind.replace("_", " ").strip().lower()
    if not some:
        raise IllegalOrder(Refusal(referee.RULE, "the map of this ruleset has no areas; say of each combatant what cover it has"))
    found = next((one for one in some if wanted in (one.name.lower(), *one.words)), None)
    if found is None:
        near = nearest(wanted, [word for one in some for word in (one.name, *one.words)])
        told = f"there is no ground {data.kind!r}" if wanted else "what is painted?"
        raise IllegalOrder(Refusal(referee.RULE, told + (f"; did you mean {near!r}?" if near else ""), names))
    value = data.value if isinstance(data.value, int) else 0
    if not 0 <= value <= max(found.most, 0 if found.value else 99):
        raise IllegalOrder(Refusal(referee.RULE, f"{found.value or 'value'}: a number from 0 to {found.most or 99}, not {value}"))
    return found.name


def _small(area: tuple[int, int, int, int]) -> bool:
    return (abs(area[2] - area[0]) + 1) * (abs(area[3] - area[1]) + 1) <= 20 * MOST


def _without(area: Area, cells: set[tuple[int, int]], kind: str) -> list[Area]:
    """What is left of an area where something else is painted of its kind (erasing: of that kind, or of all)."""
    if kind not in ("", area.kind) or not any(area.holds(cell) for cell in cells):
        return [area]
    return [Area(x, y, x, y, area.kind, area.value) for x, y in area.cells() if (x, y) not in cells]


# ---- the past


def _entry(fight: Encounter, data: Correction) -> Entry:
    for one in fight.entries:
        if one.id == data.entry:
            return one
    raise IllegalOrder(Refusal(referee.RULE, f"there is no entry {data.entry}"))


def _reorder(fight: Encounter, data: Correction) -> None:
    entry = _entry(fight, data)
    fight.revise(entry.id, order=fight.ruleset.order({"by": entry.order.by, **data.order}))


def _reaim(fight: Encounter, data: Correction) -> None:
    entry = _entry(fight, data)
    if not hasattr(entry.order, "target"):
        raise IllegalOrder(Refusal(referee.RULE, "this order has no target"))
    if entry.order.target == data.target:
        return
    fight.revise(entry.id, order=replace(entry.order, target=data.target))


def _overrule(fight: Encounter, data: Correction) -> None:
    """Other faces for a roll, or another answer; the open order too."""
    if data.n is None:
        raise BadAnswer("which request of the entry? n = ...")
    if data.do == "roll" and not data.faces:
        raise BadAnswer("which faces did the dice show? faces = [...]")
    if not data.faces:
        if any(isinstance(one, Rolled) and one.n == data.n for one in _entry(fight, data).events):
            raise BadAnswer("that was a roll: do = 'roll', faces = [...]")
        fight.revise(_entry(fight, data).id, answers={data.n: data.value})
        return
    entry = _entry(fight, data)
    pool = history.pool_of(fight, entry, data.n)
    if (missing := check(pool, data.faces)) is not None:
        raise BadAnswer(f"{pool} needs more dice here: next comes {missing}")
    fight.revise(entry.id, answers={data.n: tuple(data.faces)})


def _drop(fight: Encounter, data: Correction) -> None:
    fight.drop(_entry(fight, data).id)


NOW: dict[str, Callable[[Encounter, Correction], list[Any]]] = {
    "set": _set, "move": _move, "remove": _remove, "say": _say, "rulings": _rulings, "condition": _condition, "revive": _revive,
    "add": _add, "paint": _paint, "hide": _fields(hidden=True), "reveal": _fields(hidden=False),
    "group": lambda fight, data: [referee.Set(MASTER, one, {"group": data.group}, data.why) for one in _people(fight, data)],
}  # fmt: skip
PAST: dict[str, Callable[[Encounter, Correction], None]] = {
    "order": _reorder, "reaim": _reaim, "roll": _overrule, "answer": _overrule, "drop": _drop,
}  # fmt: skip
