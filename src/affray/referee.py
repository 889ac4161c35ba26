"""The referee's corrections: orders that set, add and remove things outside the rules. They are entries like any other.

They know fields only by name: what a value means is the ruleset's business, whose `problems` refuses broken states.
"""

from __future__ import annotations

from math import isfinite
from typing import Any

import msgspec
from msgspec import field

from affray.errors import AffrayError, BadAnswer, DataError, IllegalOrder, Refusal, nearest, plainly, steering
from affray.events import Changed, Joined, Left, Noted, evolve, get, typed
from affray.reading import misfit
from affray.ruleset import Order, Ruleset
from affray.space import Space

RULE = "referee"
NAMES = ("name", "side", "group")
LONGEST = 60
"""Letters of a name, as in encounter files."""
FARTHEST, MOST = 10_000, 1_000_000_000
"""How far from 0 a place on the map and any other number may be."""


class Set(Order, frozen=True, tag="set"):
    """Give fields of the fighter `who` (of the scene, when '') these values. `why`: the referee's words."""

    who: str = ""
    fields: dict[str, Any] = field(default_factory=dict)
    why: str = ""


class Add(Order, frozen=True, tag="add"):
    """A late arrival, or a new sheet for somebody: a whole fighter of the ruleset as plain data. `others`: those who come with
    them."""

    fighter: dict[str, Any] = field(default_factory=dict)
    others: tuple[dict[str, Any], ...] = ()


class Remove(Order, frozen=True, tag="remove"):
    """Take a fighter out of the roster."""

    who: str = ""


class Say(Order, frozen=True, tag="say"):
    """Words for the log: a judgement, a remark."""

    text: str = ""


RefereeOrder = Set | Add | Remove | Say


def perform(scene: Any, ruleset: Ruleset, order: RefereeOrder) -> None:
    """Carry the correction out as events. Raises IllegalOrder when it names nothing or breaks the state."""
    if isinstance(order, Set):
        _set(scene, ruleset, order)
    elif isinstance(order, Add):
        for one in (order.fighter, *order.others):
            try:
                fighter: Any = msgspec.convert(one, ruleset.Fighter)
            except msgspec.ValidationError as wrong:
                raise IllegalOrder(Refusal(RULE, f"that is no combatant: {plainly(wrong)}")) from None
            _tell(scene, ruleset, Joined(fighter.id, RULE, fighter, "referee.joined"))
    elif isinstance(order, Remove):
        get(scene.state, order.who)
        _tell(scene, ruleset, Left(order.who, RULE, "referee.left"))
    else:
        scene.tell(Noted("", RULE, "referee.say", (("text", order.text),)))


def _set(scene: Any, ruleset: Ruleset, order: Set) -> None:
    struct = ruleset.Fighter if order.who else ruleset.State
    target = get(scene.state, order.who) if order.who else scene.state
    known = [f.name for f in msgspec.structs.fields(struct)]
    values: list[tuple[str, Any]] = []
    for name, value in order.fields.items():
        if name == "id":
            raise IllegalOrder(Refusal(RULE, "an id stays as it is; give another name"))
        if name not in known:
            near = nearest(name, known)
            raise IllegalOrder(Refusal(RULE, f"there is no field {name!r}" + (f"; did you mean {near!r}?" if near else "")))
        if problem := _unfit(name, value):
            raise IllegalOrder(Refusal(RULE, f"{name}: {problem}"))
        try:
            values.append((name, _read(ruleset, struct, target, name, value)))
            if isinstance(space := values[-1][1], Space) and (problem := space.problem()):
                raise ValueError(problem)
        except DataError as wrong:
            raise IllegalOrder(Refusal(RULE, str(wrong))) from None
        except msgspec.ValidationError as wrong:
            text, allowed = misfit(next(f.type for f in msgspec.structs.fields(struct) if f.name == name), value, name)
            raise IllegalOrder(Refusal(RULE, text or f"{name}: {plainly(wrong)}", allowed)) from None
        except (BadAnswer, ValueError) as wrong:
            raise IllegalOrder(Refusal(RULE, f"{name}: {wrong}")) from None
    changes = [told(ruleset.texts.get(f"field.{name}", name), getattr(target, name), value) for name, value in values]
    words = ("fields", ", ".join(changes)), ("why", order.why)
    _tell(scene, ruleset, Changed(order.who, RULE, tuple(values), "referee.set", words))


def _unfit(name: str, value: Any) -> str:
    """What is wrong with a value whatever the ruleset: names that cannot be read, numbers beyond counting. '' if nothing."""
    if name in NAMES and isinstance(value, str):
        if len(value) > LONGEST:
            return f"has more than {LONGEST} letters"
        if not value.strip() and (value or name == "side"):
            return "must not be empty"
    return _unsound(msgspec.to_builtins(value), FARTHEST if name == "at" else MOST)


def _unsound(value: Any, most: int) -> str:
    if isinstance(value, str):
        return steering(value)
    if isinstance(value, float) and not isfinite(value):
        return f"{value} is no number to count with"
    if isinstance(value, int | float) and abs(value) > most:
        return f"{value} is too far from 0; at most {most:,}"
    if isinstance(value, dict):
        value = (*value, *value.values())
    if isinstance(value, list | tuple):
        return next((told for one in value if (told := _unsound(one, most))), "")
    return ""


def idle(ruleset: Ruleset, state: Any, order: RefereeOrder) -> bool:
    """Whether a correction of this state would change nothing: all that it sets is so already."""
    if not isinstance(order, Set) or (order.who and all(f.id != order.who for f in state.fighters)):
        return False
    struct, target = (ruleset.Fighter, get(state, order.who)) if order.who else (ruleset.State, state)
    try:
        return all(_read(ruleset, struct, target, *one) == getattr(target, one[0]) for one in order.fields.items())
    except (AffrayError, msgspec.ValidationError, AttributeError, LookupError, TypeError, ValueError):
        return False  # it is refused when it is carried out


def _read(ruleset: Ruleset, struct: Any, target: Any, name: str, value: Any) -> Any:
    """A value for a field in its type. Raises DataError, BadAnswer, ValidationError."""
    if name == "rulings" and isinstance(value, dict):
        value = ruleset.rulings({**msgspec.to_builtins(target.rulings), **value})
    return typed(struct, name, value)


def _tell(scene: Any, ruleset: Ruleset, event: Any) -> None:
    after = evolve(event, scene.state)
    along = [Changed(who, RULE, fields) for who, fields in ruleset.bonds(scene.state, after)]
    if isinstance(event, Left) and scene.state.turn == event.who:
        along.append(Changed("", RULE, (("turn", ""),)))
    for one in along:
        after = evolve(one, after)
    if wrong := [problem for problem in ruleset.problems(after) if problem not in ruleset.problems(scene.state)]:
        raise IllegalOrder(Refusal(RULE, "; ".join(wrong)))
    scene.tell(event)
    for one in along:
        scene.tell(one)


def told(name: str, old: Any, new: Any) -> str:
    """'wounds 1 → 3', 'prone no → yes'; of a list only what differs in it."""
    before, after = msgspec.to_builtins(old), msgspec.to_builtins(new)
    nested = isinstance(before, list | tuple) and isinstance(after, list | tuple)
    if nested and any(isinstance(one, list | tuple | dict) for one in (*before, *after)):
        same = [one for one in before if one in after]
        before, after = ([one for one in some if one not in same] for some in (before, after))
        if len(before) == len(after) == 1:
            return f"{name.replace('_', ' ')} {_changed(before[0], after[0])}"
    elif isinstance(before, dict) and isinstance(after, dict):
        parts = [told(key, before.get(key), value) for key, value in after.items() if before.get(key) != value]
        return ", ".join(parts) if parts else f"{name.replace('_', ' ')} as before"
    return f"{name.replace('_', ' ')} {_word(before)} → {_word(after)}"


def _changed(old: Any, new: Any) -> str:
    """What both have in common at their beginning, then how they differ: 'Ann Bo 5 → 8'."""
    before, after = _word(old).replace(", ", " ").split(), _word(new).replace(", ", " ").split()
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    left, right = " ".join(before[same:]) or "none", " ".join(after[same:]) or "none"
    return " ".join([*before[:same], left, "→", right])


def _word(value: Any) -> str:
    """A value as people write it."""
    plain = msgspec.to_builtins(value)
    if isinstance(plain, bool):
        return "yes" if plain else "no"
    if isinstance(plain, dict):
        return " ".join(_word(one) for one in plain.values() if one not in (0, "", None, False, [], ())) or "none"
    if isinstance(plain, list | tuple):
        return ", ".join(map(_word, plain)) or "none"
    if isinstance(plain, float):
        return f"{plain:g}"
    return str(plain) if plain not in ("", None) else "none"
