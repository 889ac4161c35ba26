"""How things stand: order, places, whose turn it is, what can be done. Plain values that a printer lays out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from affray.encounter import Encounter
from affray.events import Joined
from affray.render import text
from affray.render.words import Label, labels
from affray.ruleset import Offer
from affray.table.answers import hint

SHAPES = "●■▲◆▼★"
"""Sides are told apart by shape as well as by colour."""
Cells = Sequence[tuple[int, int]]
MAP = (60, 24)
"""Largest map that is drawn, in spaces."""
DULL = {
    "id",
    "group",
    "doing",
    "rested",
    "full",
    "limit_doubled",
    "injury",
    "treated",
    "attacked",
    "barred",
    "at",
    "declared",
    "used",
}
DULL |= {"begun", "done", "moved", "exclusive", "rolled", "base", "minor", "significant", "claimed", "hastes", "name", "side"}
DULL |= {"initiative", "tie", "acted", "sheet", "out", "fainted", "unconscious", "dead", "status", "aim_at", "damage_levels"}
DULL |= {"situational", "exertion", "crawled", "moved_before", "sat_out", "aware", "held", "waiting", "hidden", "unready"}


@dataclass(frozen=True, slots=True)
class Row:
    """Somebody, or several of one group who are in the same state. `mark`: '>' up now, '' still to act, '-' has acted."""

    mark: str
    shape: str
    side: int
    party: str
    name: str
    score: str
    state: str
    out: bool


@dataclass(frozen=True, slots=True)
class Action:
    """Something that can be done now. `number` is what may be typed for it."""

    number: int
    verb: str
    cost: str
    text: str


@dataclass(frozen=True, slots=True)
class Screen:
    """All that one look shows."""

    title: str
    where: str
    rows: tuple[Row, ...]
    map: tuple[str, ...]
    """Lines of a map; () where there is none, or none that could be drawn."""
    distances: tuple[str, ...]
    """How far everybody is from the one who is up."""
    now: str
    left: str
    actions: tuple[Action, ...]
    refused: int
    hint: str = ""
    tokens: tuple[tuple[str, int], ...] = ()
    """What stands on the map, each with the number of its side."""


def look(fight: Encounter, title: str, offers: tuple[Offer, ...], hint_line: str) -> Screen:
    """The fight as the master sees it now."""
    state = fight.state
    view = fight.ruleset.view(state, "master")
    up = fight.up() if not fight.ruleset.over(state) else ()
    label = labels(state)
    who = up[0] if up else state.turn
    open_offers = [offer for offer in offers if offer.refused is None]
    actions = tuple(
        Action(n, offer.verb.replace("_", " "), offer.cost, options(offer, label)) for n, offer in enumerate(open_offers, 1)
    )
    return Screen(
        title,
        f"round {state.round} · entry {len(fight.entries)}",
        tuple(rows(fight, view, up, label)),
        whole_map(fight, who, label),
        tuple(distances(fight, who, label)),
        label(up[0]) + (f" (or one of {len(up) - 1} others)" if len(up) > 2 else f" (or {label(up[1])})" if up[1:] else "")
        if up
        else "",
        left(fight, view, up[0]) if up else "",
        actions,
        len(offers) - len(open_offers),
        hint_line,
        tuple((token, side_of(fight, who)) for who, token in tokens(fight, label).items()),
    )


def side_of(fight: Encounter, who: str) -> int:
    """The number of somebody's side, in the order in which sides came."""
    sides = list(dict.fromkeys(f.side for f in (*fight.start.fighters, *fight.state.fighters)))
    return sides.index(next(f.side for f in fight.state.fighters if f.id == who))


def options(offer: Offer, label: Label) -> str:
    """What a verb needs and may take, in a few words."""
    words = offer.text.split("\n")[0].split(". ")[0].rstrip(".")
    told = [words if words != offer.verb else ""]
    for one in offer.fields:
        if one.name in ("target", "targets", "towards", "to", "n", "actions"):
            told.append(hint(one.domain, label))
    return ": ".join(part for part in told if part)


# ---- who is where in the order


def rows(fight: Encounter, view: dict[str, Any], up: tuple[str, ...], label: Label) -> list[Row]:
    """Everybody: those who are up, those to come, those who have acted, the fallen; like members of a group together."""
    state = fight.state
    coming = [who for who in view.get("order", ()) if who not in up]
    seen = {one["id"]: one for one in view["fighters"]}
    fighters = {f.id: f for f in state.fighters}
    out = [f.id for f in state.fighters if fight.ruleset.fallen(f)]
    acted = [f.id for f in state.fighters if f.id not in (*up, *coming, *out)]
    found: list[Row] = []
    groups: list[tuple[str, int]] = []
    for who in (*up, *coming, *acted, *(one for one in out if one not in up)):
        me = fighters[who]
        mark = ">" if who in up[:1] else "=" if who in up else "" if who in coming else "-" if who in acted else "x"
        score = seen.get(who, {}).get("initiative", "")
        side = side_of(fight, who)
        how, fallen = condition(fight, me), bool(fight.ruleset.fallen(me))
        row = Row(mark, SHAPES[side % len(SHAPES)], side, me.side, label(who), str(score), how, fallen)
        group = getattr(me, "group", "")
        if found and group and groups[-1][0] == group and _alike(found[-1], row):
            groups[-1] = (group, groups[-1][1] + 1)
            continue
        if groups and groups[-1][1] > 1:
            found[-1] = _many(found[-1], *groups[-1])
        found.append(row)
        groups.append((group, 1))
    if groups and groups[-1][1] > 1:
        found[-1] = _many(found[-1], *groups[-1])
    return found


def _alike(a: Row, b: Row) -> bool:
    return (a.mark, a.score, a.state, a.side) == (b.mark, b.score, b.state, b.side)


def _many(row: Row, group: str, count: int) -> Row:
    return replace(row, name=f"{row.name} and {count - 1} more")


def condition(fight: Encounter, me: Any) -> str:
    """How somebody is: fallen or not, and what has changed since the fight began."""
    before = next((f for f in fight.start.fighters if f.id == me.id), None) or arrived(fight, me.id)
    changed = [word for word in text.changes(before, me, DULL) if word]
    extra = [word for word in ("hidden", "waiting") if getattr(me, word, False)]
    fallen = fight.ruleset.fallen(me)
    told = [fallen] if fallen else []
    return ", ".join([*told, *extra, *changed]) or "unhurt"


def arrived(fight: Encounter, who: str) -> Any:
    """Somebody who came later, as he came."""
    came = (event for entry in fight.entries for event in entry.events if isinstance(event, Joined) and event.who == who)
    return next((event.fighter for event in came), None)


def left(fight: Encounter, view: dict[str, Any], who: str) -> str:
    """What is left of a turn."""
    seen: dict[str, Any] = next((one for one in view["fighters"] if one["id"] == who), {})
    if "minor_left" in seen:
        return f"{int(seen['significant_left'])} significant, {int(seen['minor_left'])} minor left"
    if declared := seen.get("declared", 0):
        rest = max(0, declared - seen.get("used", 0))
        return f"{rest if not seen.get('full') else 0} of {declared} Action{'s' if declared != 1 else ''} left"
    numbers = fight.ruleset.numbers(fight.state, who)
    limit = numbers.get("limit") or numbers.get("action_limit")
    return f"Actions not declared yet, at most {limit.text}" if limit else ""


# ---- places


def whole_map(fight: Encounter, who: str, label: Label, covered: Cells = ()) -> tuple[str, ...]:
    """A map of everybody who is somewhere; () where a fight has none. `covered`: cells of an area, drawn after a *."""
    state = fight.state
    here = [f for f in state.fighters if getattr(f, "at", None) is not None and fight.ruleset.fallen(f) not in ("gone", "left")]
    if not hasattr(state, "space") or fight.ruleset.ground(state)[0] != "grid" or len({f.at for f in here}) < 2:
        return ()
    return drawn_map(fight, here, who, label, covered)


def tokens(fight: Encounter, label: Label) -> dict[str, str]:
    """Two letters for everybody, no two alike: 'Guard 3' is G3."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for fighter in fight.state.fighters:
        name = label(fighter.id)
        digits = "".join(c for c in name if c.isdigit())
        letters = [c for c in name if c.isalpha()] or ["?"]
        options = [letters[0].upper() + digits[-1:]] if digits else [letters[0].upper() + other for other in letters[1:]]
        options += [letters[0].upper() + other for other in "abcdefghijklmnopqrstuvwxyz0123456789"]
        token = next((one for one in options if one not in taken), "??")
        taken.add(token)
        found[fighter.id] = token
    return found


def drawn_map(fight: Encounter, here: list[Any], who: str, label: Label, covered: Cells = ()) -> tuple[str, ...]:
    """The map around everybody, north up; () when it is too large. Walls ##, cover ::, the one who is up after a >."""
    state, area = fight.state, frozenset(covered)
    places = [*(f.at for f in here), *covered]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    west, east, south, north = min(xs) - 1, max(xs) + 1, min(ys) - 1, max(ys) + 1
    if east - west >= MAP[0] or north - south >= MAP[1]:
        return ()
    names = tokens(fight, label)
    at: dict[tuple[int, int], str] = {}
    for fighter in sorted(here, key=lambda f: bool(fight.ruleset.fallen(f)), reverse=True):
        token = names[fighter.id].ljust(2)
        at[tuple(fighter.at)] = token.lower() if fight.ruleset.fallen(fighter) else token
    up = next((tuple(f.at) for f in here if f.id == who), None)
    walls = state.space.walls()
    drawn = []
    for y in range(north, south - 1, -1):
        cells = ""
        for x in range(west, east + 1):
            cell = (x, y)
            cover = any(area.kind == "cover" and area.holds(cell) for area in state.space.areas)
            mark = at.get(cell) or ("##" if cell in walls else "::" if cover else " ·")
            cells += f"{'*' if cell in area else '>'}{mark.strip()}" if cell == up else f"{'*' if cell in area else ' '}{mark}"
        drawn.append(f"{y:>3} {cells}".rstrip())
    drawn.append("    " + "".join(f"{x:>3}" for x in range(west, east + 1)))
    return tuple(drawn)


def distances(fight: Encounter, who: str, label: Label) -> list[str]:
    """How far everybody is from the one who is up, the nearest first."""
    state = fight.state
    me = next((f for f in state.fighters if f.id == who), None)
    if me is None:
        return []
    found: list[tuple[float, str]] = []
    grid = fight.ruleset.ground(state)[0] == "grid"
    for other in state.fighters:
        if other.id != who and not fight.ruleset.fallen(other):
            words, metres, _ = fight.ruleset.apart(state, who, other.id)
            place = f", at {other.at[0]},{other.at[1]}" if grid and getattr(other, "at", None) else ""
            found.append((metres, f"{label(other.id)}: {words}{place}"))
    return [told for _, told in sorted(found)]
