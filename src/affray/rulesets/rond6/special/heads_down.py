"""Heads-down fire: automatic or rapid fire that pins an area instead of doing damage."""

from __future__ import annotations

from typing import ClassVar

from affray import space
from affray.ask import ATTACKER, Why
from affray.domains import OneOf, Place, Subset
from affray.errors import Refusal
from affray.events import Changed, get
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import FULL, Command, RondScene
from affray.rulesets.rond6.areas import BURSTS, Template, inside
from affray.rulesets.rond6.attack import hidden_from, loaded, points_fields, poor
from affray.rulesets.rond6.checks import rolled
from affray.rulesets.rond6.followups import slide
from affray.rulesets.rond6.interaction import interact, listeners
from affray.rulesets.rond6.mechanics import ATTACK
from affray.rulesets.rond6.movement import move_value
from affray.rulesets.rond6.numbers import band, distance
from affray.rulesets.rond6.sheet import Fighter, State, Weapon
from affray.rulesets.rond6.special.automatic import open_fire, sprays, sweeping_weapon
from affray.rulesets.rond6.volley import common_line
from affray.space import Cell

SEEK = Why("seek_cover", "RON-SPC-12", "dive for cover: where to")
FORFEITED = ("lost_action", "setback_and_lost_action")
"""Not to be bought on top: whoever is pinned loses the next Action anyway."""


class HeadsDown(Order, frozen=True, tag="heads_down"):
    """Pin an area with `weapon`: all in a burst of `size` around `at`, or just the `targets` if some are named."""

    targets: tuple[str, ...] = ()
    weapon: str = ""
    at: Cell | None = None
    size: str = "small"
    points: int = 0
    fate: bool = False
    damage_points: ClassVar[int] = 0


def pinned_area(state: State, order: HeadsDown) -> tuple[str, ...]:
    """Those who are in the area and can be frightened, in the order of the roster."""
    able = {f.id for f in listeners(state, get(state, order.by))}
    named = order.targets or inside(state, order.by, Template("burst", order.size, order.at)) if order.at or order.targets else ()
    return tuple(f.id for f in state.fighters if f.id in named and f.id in able)


@rule("RON-SPC-12", "RON-ATK-4")
def centre(state: State, me: Fighter, order: HeadsDown) -> int:
    """Spaces to the middle of the area: the band of that distance counts."""
    if order.at is not None and me.at is not None:
        return space.distance(me.at, order.at, state.rulings.distance)
    return distance(state, me, get(state, order.targets[0]))


@rule("RON-SPC-12", "RON-SPC-20", "RON-ATK-8")
def heads_down_refused(state: State, me: Fighter, order: HeadsDown) -> Refusal | None:
    """Why this area cannot be pinned."""
    weapon = sweeping_weapon(me, order.weapon)
    if weapon is None or not sprays(weapon):
        return Refusal("RON-SPC-12", f"that needs automatic or rapid fire in hand, not {order.weapon or 'this'!r}")
    if weapon.ammo and me.rounds(weapon) < max(1, weapon.rounds_auto):
        return Refusal("RON-SPC-20", f"the {weapon.name} has {me.rounds(weapon)} rounds left: reload it first")
    if order.size not in BURSTS:
        return Refusal("RON-SPC-12", f"there is no size {order.size!r}", tuple(BURSTS))
    known = tuple(f.id for f in listeners(state, me))
    if unknown := [who for who in order.targets if who not in known]:
        return Refusal("RON-SPC-12", f"{unknown[0]!r} cannot be pinned", known[:12])
    if not order.targets and (order.at is None or me.at is None):
        return Refusal("RON-SPC-12", "name the middle of the area, or those who are in it", known[:12])
    if not band(weapon, centre(state, me, order)):
        return Refusal("RON-ATK-8", f"the area is beyond Long ({weapon.ranges[2]})")
    for who in order.targets:
        if wrong := hidden_from(state, me, get(state, who)):
            return wrong
    return poor(me, order)


def heads_down_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    weapons = tuple(weapon.name for weapon in loaded(me) if sprays(weapon))
    if not weapons:
        return Refusal("RON-SPC-12", f"{me.name} has no automatic or rapid fire in hand")
    found = tuple(
        f.id for f in listeners(state, me) if heads_down_refused(state, me, HeadsDown(me.id, (f.id,), weapons[0])) is None
    )
    if not found:
        return Refusal("RON-ATK-8", "nobody is in range")
    return (
        Field("targets", Subset(found, 1), found[:1], "who is in the area"),
        Field("weapon", OneOf(weapons), weapons[0], "weapon"),
        *points_fields(me, damage=False),
    )


@rule("RON-SPC-12", "RON-ACT-6")
def heads_down(scene: RondScene, order: HeadsDown) -> None:
    """One attack roll stands as Intimidation against everybody in the area; whoever does not beat it is pinned."""
    weapon = open_fire(scene, order)
    total = roll_of_fire(scene, order, weapon)
    for who in pinned_area(scene.state, order):
        before: Fighter = get(scene.state, who)
        interact(scene, order.by, who, "intimidation", total, free=True, barred=FORFEITED, pins=True)
        after: Fighter = get(scene.state, who)
        if (after.lost, after.used) != (before.lost, before.used):
            seek_cover(scene, who)


@rule("RON-SPC-12")
def roll_of_fire(scene: RondScene, order: HeadsDown, weapon: Weapon) -> int:
    """The attack total, with the weapon's own skill and the band of the middle of the area."""
    state = scene.state
    reach = band(weapon, centre(state, get(state, order.by), order))
    brought = common_line(state, order.by, weapon, (), reach, points=order.points, fate=order.fate)
    total = scene.call(rolled, brought.test, ATTACK, ATTACKER, roles={ATTACKER: order.by})
    me: Fighter = get(scene.state, order.by)
    if me.aim or me.aware:
        scene.tell(Changed(order.by, "RON-ACT-16", (("aim", 0), ("aware", 0))))
    return total


@rule("RON-SPC-12")
def seek_cover(scene: RondScene, who: str) -> None:
    """The pinned dive for cover at once, where their player says; somebody held stays where it is."""
    me: Fighter = get(scene.state, who)
    if me.at is None or me.out or me.has("grappled"):
        return
    reach = move_value(me)
    wanted = scene.choose(Place(me.at, reach), SEEK, who, nearest_cover(scene.state, me), (me,))
    cell = slide(scene.state, me, wanted, reach)
    if cell != me.at:
        scene.tell(Changed(who, "RON-SPC-12", (("at", cell),), "move.dives"))


def nearest_cover(state: State, me: Fighter) -> Cell:
    """The nearest free Space within half Move that offers more cover than one's own; else one's own."""
    assert me.at is not None
    at, half = me.at, move_value(me) // 2
    filled = {f.at for f in state.fighters if f.id != me.id and f.out not in ("dead", "gone", "destroyed")} | state.space.walls()
    here = state.space.at(at, "cover")
    around = [cell for cell in space.burst(at, half, state.rulings.distance) if cell not in filled]
    better = [cell for cell in around if state.space.at(cell, "cover") > here]
    return min(better, key=lambda c: (space.distance(at, c, state.rulings.distance), c), default=at)


COMMANDS: dict[type, Command] = {
    HeadsDown: Command(
        lambda state, me, order: FULL, heads_down_refused, heads_down_fields, heads_down, "pin an area with fire"
    ),
}
