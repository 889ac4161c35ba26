"""The referee's corrections as they are typed. Each becomes an order of `affray.referee`, an entry like any other.

Fields are looked for by name in the fighter of the ruleset, so that every ruleset has as many as it has fields.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from affray import referee
from affray.ask import MASTER
from affray.errors import AffrayError, nearest
from affray.render import text
from affray.table import arrivals, conditions, distances, history
from affray.table.lines import Line, note
from affray.table.words import Unclear, candidates, pieces, split, take, whole

if TYPE_CHECKING:
    from affray.table.session import Output, Session

POINTS = {"character": ("character", "character_points"), "fate": ("fate", "fate_points")}
ROUNDS = ("ammo", "loaded")


def correct(session: Session, order: Any) -> Output:
    """Carry a correction out, before the open order if there is one."""
    if referee.idle(session.fight.ruleset, session.fight.settled, order):
        return [note("that is so already; nothing has changed")]
    if session.fight.open:
        return history.changed(session, lambda: session.fight.order(order))
    return session.do(lambda: session.fight.order(order))


def _set(session: Session, who: str, **fields: Any) -> Output:
    return correct(session, referee.Set(MASTER, who, msgspec.to_builtins(fields)))


def _who(session: Session, rest: str, usage: str) -> tuple[Any, list[str]]:
    """The fighter that a correction names first, and the words after. Raises Unclear."""
    words = split(rest)
    if not words:
        raise Unclear(f"write: {usage}")
    people = [(f.id, (session.label(f.id), f.id)) for f in session.fight.state.fighters]
    who, used = take(words, people, "combatant", numbered=False)
    return next(f for f in session.fight.state.fighters if f.id == who), words[used:]


def _field(session: Session, fighter: Any, *names: str) -> str:
    """The first of these fields that this ruleset has. Raises Unclear."""
    found = next((name for name in names if hasattr(fighter, name)), None)
    if found is None:
        known = [f.name for f in msgspec.structs.fields(type(fighter)) if f.name not in ("id", "sheet")]
        raise Unclear(
            f"{session.fight.ruleset.title} has no {names[0]!r} here; set WHO FIELD VALUE with one of {', '.join(known)}"
        )
    return found


def _changed(now: int, word: str, what: str) -> int:
    """A number, or a change of it with a sign."""
    value = whole(word, what)
    return now + value if word[0] in "+-" else value


def _one_word(words: list[str], usage: str) -> str:
    if len(words) != 1:
        raise Unclear(f"write: {usage}")
    return words[0]


def wounds(session: Session, rest: str) -> Output:
    """Wounds to a number, or up and down."""
    fighter, words = _who(session, rest, "wounds WHO N")
    name = _field(session, fighter, "wounds")
    return _set(session, fighter.id, **{name: _changed(getattr(fighter, name), _one_word(words, "wounds WHO N"), "wounds")})


def points(session: Session, rest: str) -> Output:
    """Character or Fate Points."""
    usage = "points WHO character|fate N"
    fighter, words = _who(session, rest, usage)
    kind = "character"
    if len(words) == 2:
        kind, used = take(words, [(kind, (kind, f"{kind} points")) for kind in POINTS], "kind of points", numbered=False)
        words = words[used:]
    name = _field(session, fighter, *POINTS[kind])
    return _set(session, fighter.id, **{name: _changed(getattr(fighter, name), _one_word(words, usage), "points")})


def initiative(session: Session, rest: str) -> Output:
    """Another initiative."""
    fighter, words = _who(session, rest, "initiative WHO N")
    name = _field(session, fighter, "initiative", "base")
    return _set(
        session, fighter.id, **{name: _changed(getattr(fighter, name), _one_word(words, "initiative WHO N"), "initiative")}
    )


def condition(session: Session, rest: str) -> Output:
    """A condition with its duration, or with '-' before its name: the end of it."""
    usage = "condition WHO NAME [N turns|rounds], or condition WHO -NAME"
    fighter, words = _who(session, rest, usage)
    if not words:
        raise Unclear(f"write: {usage}")
    name, lasts = words[0].lower(), words[1:]
    ends, name = name.startswith("-"), name.lstrip("-")
    count = whole(lasts[0], "how long") if lasts else None
    unit = lasts[1].lower() if len(lasts) > 1 else "turns"
    if not unit.startswith(("round", "turn")):
        raise Unclear(f"write: {usage}")
    unit = "rounds" if unit.startswith("round") else "turns"
    fields = conditions.corrected(session.fight, fighter, name, ends, count, unit)
    if ends and "conditions" in fields and len(fields["conditions"]) == len(fighter.conditions):
        raise Unclear(f"{session.label(fighter.id)} is not {name}")
    return _set(session, fighter.id, **fields)


def ammo(session: Session, rest: str) -> Output:
    """Rounds left in a weapon."""
    usage = "ammo WHO WEAPON N"
    fighter, words = _who(session, rest, usage)
    name = _field(session, fighter, *ROUNDS)
    weapons = [weapon.name for weapon in fighter.sheet.weapons]
    weapon, used = take(words, [(one, (one,)) for one in weapons], "weapon", numbered=False)
    now = dict(getattr(fighter, name))
    left = _changed(now.get(weapon, 0), _one_word(words[used:], usage), "rounds")
    return _set(session, fighter.id, **{name: [*([n, r] for n, r in now.items() if n != weapon), [weapon, left]]})


def place(session: Session, rest: str) -> Output:
    """Another place on the map; or, between two names, another distance."""
    usage = "place WHO X,Y, or distance A B N"
    fighter, words = _who(session, rest, usage)
    typed = " ".join(words)
    if spot := re.fullmatch(r"\(?\s*(-?\d+)\s*[, ]\s*(-?\d+)\s*\)?", typed):
        return _set(session, fighter.id, **{_field(session, fighter, "at"): [int(spot[1]), int(spot[2])]})
    other, words = _who(session, typed, usage)
    if not words:
        raise Unclear(f"write: {usage}")
    return correct(session, distances.corrected(session.fight, fighter.id, other.id, " ".join(words)))


def rename(session: Session, rest: str) -> Output:
    """Another name; the log and the orders keep to it from now on."""
    fighter, words = _who(session, rest, "rename WHO NAME")
    if not words:
        raise Unclear("write: rename WHO NAME")
    name = " ".join(words)
    if any(session.label(f.id).lower() == name.lower() for f in session.fight.state.fighters if f.id != fighter.id):
        raise Unclear(f"somebody is called {name} already")
    return _set(session, fighter.id, **{_field(session, fighter, "name"): name})


def side(session: Session, rest: str) -> Output:
    """Another side, an old one or a new one."""
    fighter, words = _who(session, rest, "side WHO SIDE")
    if not words:
        raise Unclear("write: side WHO SIDE")
    sides = list(dict.fromkeys(f.side for f in session.fight.state.fighters))
    found = candidates(" ".join(words), [(one, (one,)) for one in sides])
    return _set(session, fighter.id, side=found[0] if len(found) == 1 else " ".join(words))


def remove(session: Session, rest: str) -> Output:
    """Take somebody out of the fight."""
    fighter, _ = _who(session, rest, "remove WHO")
    return correct(session, referee.Remove(MASTER, fighter.id))


def add(session: Session, rest: str) -> Output:
    """Late arrivals, each an entry of its own."""
    out: Output = []
    fight = session.fight
    for fighter in arrivals.read(fight, rest):
        friends = {f.id for f in fight.state.fighters if f.side == fighter.side}
        if friends and friends <= set(fight.typed or ()):  # a side that throws by hand goes on doing so
            fight.typed = sorted({*(fight.typed or ()), fighter.id})
            fight.remember(typed=fight.typed)
        out += correct(session, referee.Add(MASTER, msgspec.to_builtins(fighter)))
    return out


def set_(session: Session, rest: str) -> Output:
    """Any field of somebody, or of the scene."""
    usage = "set WHO FIELD VALUE (or set scene FIELD VALUE)"
    words = split(rest)
    if words and words[0].lower() == "scene":
        target, who, words = session.fight.state, "", words[1:]
    else:
        target, words = _who(session, rest, usage)
        who = target.id
    if len(words) < 2:
        known = ", ".join(f.name for f in msgspec.structs.fields(type(target)) if f.name not in ("id", "sheet", "fighters"))
        raise Unclear(f"write: {usage}; fields: {known}")
    names = [f.name for f in msgspec.structs.fields(type(target))]
    name = next((one for one in names if pieces(one) == pieces(words[0])), "")
    if not name:
        near = nearest(words[0], names)
        raise Unclear(f"there is no field {words[0]!r}" + (f"; did you mean {near!r}?" if near else f" ({', '.join(names)})"))
    return correct(session, referee.Set(MASTER, who, {name: _value(" ".join(words[1:]), getattr(target, name))}))


def _value(typed: str, now: Any) -> Any:
    """A typed value in JSON types: yes and no, whole numbers, signs that change a number, JSON, else the words."""
    if typed.lower() in ("yes", "no", "true", "false"):
        return typed.lower() in ("yes", "true")
    if re.fullmatch(r"[+-]?\d+", typed) and not isinstance(now, str):
        return _changed(now if isinstance(now, int) else 0, typed, "number") if isinstance(now, int) else int(typed)
    if typed.lower() in ("none", "nothing"):
        return "" if isinstance(now, str) else [] if isinstance(now, tuple) else None
    if typed[:1] in "[{":
        try:
            return msgspec.json.decode(typed)
        except msgspec.DecodeError as wrong:
            raise Unclear(f"{typed!r}: {wrong}") from None
    return typed


def ruling(session: Session, rest: str) -> Output:
    """One of the switchable rulings; without a value, what there is."""
    from affray.render import rulings

    fight = session.fight
    known = {one["key"]: one for one in rulings.listed(fight.ruleset.name)}
    now = msgspec.to_builtins(fight.state.rulings)
    words = split(rest.replace("=", " "))
    if not words:
        return [
            Line(f"  {key} = {rulings.worded(now[key])}  [{one['rule']}] {one['meaning']}", "", 6) for key, one in known.items()
        ]
    key, used = take(words, [(key, (key,)) for key in known], "ruling", numbered=False)
    one = known[key]
    if len(words) == used:
        out: Output = [_ruling(one, now)]
        return out + [Line(f"    {value}: {meaning}", "", 6) for value, meaning in one["values"].items()]
    value: Any = " ".join(words[used:])
    value = int(value) if isinstance(now[key], int) and re.fullmatch(r"-?\d+", value) else value
    value = value in ("yes", "true") if isinstance(now[key], bool) else value
    return correct(session, referee.Set(MASTER, "", {"rulings": {key: value}}))


def _ruling(one: dict[str, Any], now: dict[str, Any]) -> Line:
    return Line(f"  {one['key']} = {text.plain(now[one['key']])}  [{one['rule']}] {one['meaning']}", "", 6)


def say(session: Session, rest: str) -> Output:
    """Words for the log."""
    if not rest:
        raise Unclear("say what? the words go into the log")
    return correct(session, referee.Say(MASTER, rest))


def before(session: Session, rest: str) -> Output:
    """A correction in front of an old entry; what followed is played again with the same answers as far as they fit."""
    from affray.table.commands import REFEREE, find

    number, _, line = rest.partition(" ")
    command = find(line.strip())
    if not number or command is None or command.head != REFEREE or command.names[0] == "before":
        raise Unclear("write: before N CORRECTION, for example: before 12 wounds kess 0")
    entry = history._entry(session, number)
    collected = _collect(session, command, line.strip().partition(" ")[2], int(number) - 1)
    out: Output = [note(f"before entry {number}:")]
    for order in collected:
        out += history.changed(session, lambda order=order: session.fight.amend(order, at=entry.id))
    return [*out, note(f"retract {number} takes it back again")]


def _collect(session: Session, command: Any, rest: str, keep: int) -> list[Any]:
    """The orders that a correction would give, were the fight still there: on a copy that nobody keeps."""
    from affray.encounter import Encounter
    from affray.table.session import Session as Other

    fight = session.fight
    state = fight.entries[keep - 1].state if keep else fight.start
    copy = Encounter(fight.ruleset, state, fight.seed, auto=False)
    command.run(Other(copy), rest)
    if not copy.entries:
        raise AffrayError("that is no correction")
    return [entry.order for entry in copy.entries]
