"""Sweep fire over several targets. Full auto, rapid fire and the single round are manners of an attack."""

from __future__ import annotations

from typing import Any

from affray.domains import OneOf, Subset
from affray.errors import Refusal
from affray.events import get
from affray.modifiers import listed
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import FULL, Command, RondScene, pay
from affray.rulesets.rond6.attack import (
    hidden_from,
    loaded,
    out_of_reach,
    points_fields,
    poor,
    spend_points,
    spend_rounds,
    targets,
)
from affray.rulesets.rond6.sheet import Fighter, State, Weapon
from affray.rulesets.rond6.volley import common_line, victim, volley


class Sweep(Order, frozen=True, tag="sweep"):
    """Spray `weapon` over the `targets` that the Game Master says may be hit. Points as for an attack."""

    targets: tuple[str, ...] = ()
    weapon: str = ""
    situational: int = 0
    points: int = 0
    damage_points: int = 0
    fate: bool = False


def sweeping_weapon(me: Fighter, name: str) -> Weapon | None:
    """The named weapon in hand, or the first that has automatic or rapid fire."""
    if name:
        return next((weapon for weapon in loaded(me) if weapon.name == name), None)
    return next((weapon for weapon in loaded(me) if sprays(weapon)), None)


def sprays(weapon: Weapon) -> bool:
    """Has automatic or rapid fire."""
    return weapon.kind == "ranged" and ("auto" in weapon.modes or "semi" in weapon.modes)


@rule("RON-SPC-22", "RON-SPC-20", "RON-ATK-8")
def sweep_refused(state: State, me: Fighter, order: Sweep) -> Refusal | None:
    """Why these cannot be swept with that weapon."""
    weapon = sweeping_weapon(me, order.weapon)
    if weapon is None or not sprays(weapon):
        return Refusal("RON-SPC-22", f"sweep fire needs automatic or rapid fire in hand, not {order.weapon or 'this'!r}")
    if weapon.ammo and me.rounds(weapon) < max(1, weapon.rounds_auto):
        return Refusal("RON-SPC-20", f"the {weapon.name} has {me.rounds(weapon)} rounds left: reload it first")
    if not order.targets or len(set(order.targets)) < len(order.targets):
        return Refusal("RON-SPC-22", "name those in the area who may be hit, each once", targets(state, me)[:12])
    for who in order.targets:
        target = next((f for f in state.fighters if f.id == who), None)
        if target is None or target.id == me.id or target.out in ("dead", "destroyed", "gone"):
            return Refusal("RON-SPC-22", f"there is no target {who!r}", targets(state, me)[:12])
        if wrong := out_of_reach(state, me, target, weapon) or hidden_from(state, me, target):
            return wrong
    return poor(me, order)


def sweep_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    weapons = tuple(weapon.name for weapon in loaded(me) if sprays(weapon))
    if not weapons:
        return Refusal("RON-SPC-22", f"{me.name} has no automatic or rapid fire in hand")
    found = tuple(who for who in targets(state, me) if sweep_refused(state, me, Sweep(me.id, (who,), weapons[0])) is None)
    if not found:
        return Refusal("RON-ATK-8", "nobody is in range")
    first = tuple(who for who in found if get(state, who).side != me.side) or found[:1]
    return (
        Field("targets", Subset(found, 1), first, "who may be hit"),
        Field("weapon", OneOf(weapons), weapons[0], "weapon"),
        *points_fields(me),
    )


@rule("RON-SPC-12", "RON-SPC-22", "RON-ACT-6")
def open_fire(scene: RondScene, order: Any) -> Weapon:
    """Begin to fire over an area: the Full Action, the rounds, the points. Returns the weapon (the order is legal)."""
    weapon = sweeping_weapon(get(scene.state, order.by), order.weapon)
    assert weapon is not None
    pay(scene, order.by, FULL, order.verb)
    spend_rounds(scene, order.by, weapon, weapon.rounds_auto)
    spend_points(scene, order)
    return weapon


@rule("RON-SPC-22", "RON-ACT-6")
def sweep(scene: RondScene, order: Sweep) -> None:
    """Pay, spend the rounds, one roll against each Defense in its own range band, one damage roll."""
    weapon = open_fire(scene, order)
    state = scene.state
    victims = tuple(victim(state, order.by, who, weapon, own_band=True) for who in order.targets)
    extra = listed(
        (1, "D", "sweep fire", "RON-SPC-22"), (order.situational, "", "the Game Master's modifier", "RON-ATK-9")
    )
    brought = common_line(
        state, order.by, weapon, victims, "", extra, listed((-3, "D", "sweep fire", "RON-SPC-22")),
        points=order.points, fate=order.fate, damage_points=order.damage_points,
    )  # fmt: skip
    volley(scene, order.by, weapon, brought, victims)


COMMANDS: dict[type, Command] = {
    Sweep: Command(lambda state, me, order: FULL, sweep_refused, sweep_fields, sweep, "sweep several with fire"),
}
