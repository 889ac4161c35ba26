"""Weapons and other things in hand: drawing, picking up, reloading, letting fall."""

from __future__ import annotations

from typing import Any

from affray.ask import Why
from affray.domains import OneOf
from affray.errors import Refusal
from affray.events import Changed, Noted, get
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import ACTION, FREE, Command, RondScene, pay
from affray.rulesets.rond6.checks import LEVELS, difficulty, reaches
from affray.rulesets.rond6.numbers import test_of
from affray.rulesets.rond6.sheet import Dropped, Fighter, State, Weapon, let_go
from affray.rulesets.rond6.skills import liberty
from affray.space import distance

READY = Why("ready", "RON-SPC-20", "readying a weapon under stress")


class Ready(Order, frozen=True, tag="ready"):
    """Draw, pick up or reload a weapon: an Action, or as many as its entry says, which may be spread over Rounds.

    `skill` and `difficulty`: a Test that the Game Master asks for under stress; a failure gets nowhere.
    """

    weapon: str = ""
    skill: str = ""
    difficulty: int | str = "Standard"


class Drop(Order, frozen=True, tag="drop"):
    """Let something fall: a weapon in hand, or any other thing by its name."""

    item: str = ""


@rule("RON-SPC-20")
def needed(me: Fighter, weapon: Weapon) -> int:
    """Actions that it takes until the weapon is ready: to have it in hand, else to reload it; 0: it is ready."""
    if not me.holds(weapon):
        return 1 if weapon.ammo else weapon.ready
    return weapon.ready if weapon.ammo and me.rounds(weapon) < weapon.ammo else 0


@rule("RON-SPC-20")
def ready_cost(state: State, me: Fighter, order: Ready) -> int:
    """One Action at a time; Quick Draw makes drawing free."""
    weapon = me.sheet.weapon(order.weapon)
    quick = weapon is not None and not me.holds(weapon) and not lying(me, weapon) and me.sheet.talent("Quick Draw")
    return FREE if quick or (weapon is not None and weapon.ready == 0) else ACTION


def lying(me: Fighter, weapon: Weapon) -> Dropped | None:
    """The weapon where it has fallen, if it has."""
    return next((one for one in me.dropped if one.name == weapon.name), None)


@rule("RON-SPC-20")
def ready_refused(state: State, me: Fighter, order: Ready) -> Refusal | None:
    """Why this weapon cannot be readied now."""
    weapon = me.sheet.weapon(order.weapon)
    if weapon is None:
        return Refusal("RON-SPC-20", f"{me.name} has no {order.weapon!r}", tuple(w.name for w in me.sheet.weapons))
    if not needed(me, weapon):
        return Refusal("RON-SPC-20", f"the {weapon.name} is ready")
    fallen = lying(me, weapon)
    if fallen and fallen.at and me.at and distance(fallen.at, me.at) > 1:
        return Refusal("RON-SPC-20", f"the {weapon.name} lies at {list(fallen.at)}: go there first")
    if order.skill and difficulty(state.rulings, order.difficulty) is None:
        return Refusal("RON-DICE-5", f"{order.difficulty!r} is no level of Difficulty", LEVELS)
    return None


def ready_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    names = tuple(w.name for w in me.sheet.weapons if ready_refused(state, me, Ready(me.id, w.name)) is None)
    if not names:
        return Refusal("RON-SPC-20", "every weapon is ready")
    return (Field("weapon", OneOf(names), names[0], "weapon"),)


@rule("RON-SPC-20", "RON-ACT-5")
def ready(scene: RondScene, order: Ready) -> None:
    """An Action towards readiness; the last one needed makes the weapon ready."""
    me: Fighter = get(scene.state, order.by)
    weapon = me.sheet.weapon(order.weapon)
    assert weapon is not None
    pay(scene, order.by, ready_cost(scene.state, me, order), order.verb)
    me = get(scene.state, order.by)
    if order.skill:
        need = difficulty(scene.state.rulings, order.difficulty)
        assert need is not None
        if not scene.call(reaches, test_of(me, order.skill, scene.state.rulings), need, READY, order.by):
            failed = (("weapon", weapon.name), ("result", "failure"))
            scene.tell(Noted(order.by, "RON-SPC-20", "gear.fumbles", failed))
            return
    spent = next((n for name, n in me.readying if name == weapon.name), 0) + 1
    others = tuple((name, n) for name, n in me.readying if name != weapon.name)
    more = needed(me, weapon) - spent
    if more > 0:
        data = (("weapon", weapon.name), ("more", more))
        readying = (*others, (weapon.name, spent))
        scene.tell(Changed(order.by, "RON-SPC-20", (("readying", readying),), "gear.goes_on", data))
        return
    fields: list[tuple[str, Any]] = [("readying", others)] if me.readying != others else []
    note = "gear.reloaded" if me.holds(weapon) else "gear.ready"
    fields += full(me, weapon) if me.holds(weapon) else in_hand(me, weapon)
    scene.tell(Changed(order.by, "RON-SPC-20", tuple(fields), note, (("weapon", weapon.name),)))


def full(me: Fighter, weapon: Weapon) -> list[tuple[str, Any]]:
    """A full magazine."""
    return [("ammo", (*((name, left) for name, left in me.ammo if name != weapon.name), (weapon.name, weapon.ammo)))]


def in_hand(me: Fighter, weapon: Weapon) -> list[tuple[str, Any]]:
    """Drawn or picked up, and the first in hand."""
    held = (weapon.name, *me.held)
    left = tuple(one for one in me.dropped if one.name != weapon.name)
    return [("held", held), *([("dropped", left)] if left != me.dropped else [])]


# ---- letting fall


def drop_cost(state: State, me: Fighter, order: Drop) -> int:
    return FREE


def drop_refused(state: State, me: Fighter, order: Drop) -> Refusal | None:
    if not order.item or len(order.item) > 100:
        return Refusal("RON-ACT-4", "say what is let fall", me.held)
    if order.item not in me.held and me.sheet.weapon(order.item):
        return Refusal("RON-ACT-4", f"the {order.item} is not in hand", me.held)
    return None


def drop_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    if not me.held:
        return Refusal("RON-ACT-4", "nothing is in hand")
    return (Field("item", OneOf(me.held), me.held[0], "what"),)


@rule("RON-ACT-4")
def drop(scene: RondScene, order: Drop) -> None:
    """Letting something fall is free."""
    if not liberty(scene, order.by):
        return
    me: Fighter = get(scene.state, order.by)
    fields = let_go(me, order.item) if order.item in me.held else ()
    scene.tell(Changed(order.by, "RON-ACT-4", fields, "gear.drops", (("item", order.item),)))


COMMANDS: dict[type, Command] = {
    Ready: Command(ready_cost, ready_refused, ready_fields, ready, "draw, pick up or reload a weapon", single=True),
    Drop: Command(drop_cost, drop_refused, drop_fields, drop, "let something fall"),
}
