"""Charging somebody, step by step, and weapons set to receive the charge."""

from __future__ import annotations

from affray.ask import Why
from affray.domains import OneOf, YesNo
from affray.errors import Refusal
from affray.events import Changed, Noted, get
from affray.modifiers import Modifier
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import ACTION, FULL, Command, RondScene, pay, waiters
from affray.rulesets.rond6.attack import Attack, hidden_from, in_hand, out_of_reach, points_fields, poor, strike, targets
from affray.rulesets.rond6.movement import move_value
from affray.rulesets.rond6.numbers import distance
from affray.rulesets.rond6.sheet import Fighter, State, Weapon
from affray.space import Cell, step_towards
from affray.space import distance as spaces_between

SET_WEAPON = Why("set_weapon", "RON-SPC-8", "strike the charger with the set weapon")
NEAREST = 2
"""Spaces that a charge covers at the least."""


class Charge(Order, frozen=True, tag="charge"):
    """Run straight at `target` and strike once with a melee weapon ('': the first in hand). Points as for an attack."""

    target: str = ""
    weapon: str = ""
    points: int = 0
    damage_points: int = 0
    fate: bool = False


def striking_weapon(me: Fighter, name: str) -> Weapon | None:
    """The named weapon if it strikes in melee, or the first one in hand that does (bare hands if there is none)."""
    options = [weapon for weapon in in_hand(me) if weapon.kind in ("melee", "unarmed")]
    return next((weapon for weapon in options if name in ("", weapon.name)), None)


def reach_of(weapon: Weapon) -> int:
    """Spaces that a melee weapon or a blow reaches."""
    return 1 if weapon.kind == "unarmed" else max(1, weapon.reach)


def run_needed(state: State, me: Fighter, target: Fighter, weapon: Weapon) -> int:
    """Spaces to run until the weapon reaches; with a long weapon at least as many as a charge needs, if there is room."""
    far = distance(state, me, target)
    return max(far - reach_of(weapon), min(NEAREST, far - 1))


@rule("RON-SPC-7")
def lane(state: State, me: Fighter, target: Fighter, steps: int) -> tuple[Cell, ...] | None:
    """Free cells of a run of so many steps, each nearer to the target than the one before; None if there is no such way."""
    if me.at is None or target.at is None:
        return ()
    taken = {f.at for f in state.fighters if f.id != me.id and f.at and f.out not in ("dead", "gone", "destroyed")}
    blocked, goal = taken | state.space.walls(), target.at

    dead: set[tuple[Cell, int]] = set()

    def far(cell: Cell) -> int:
        return spaces_between(cell, goal, state.rulings.distance)

    def on(here: Cell, left: int) -> tuple[Cell, ...] | None:
        """The rest of the way, the straightest first; a Space from which there is none is not tried again."""
        if not left:
            return ()
        if (here, left) in dead:
            return None
        x, y = here
        nearer = [(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx or dy) and (x + dx, y + dy) not in blocked]
        nearer = [cell for cell in nearer if far(cell) < far(here)]
        for cell in sorted(nearer, key=lambda cell: (abs(cell[0] - goal[0]) + abs(cell[1] - goal[1]), cell)):
            if (rest := on(cell, left - 1)) is not None:
                return (cell, *rest)
        dead.add((here, left))
        return None

    straight, here = [], me.at
    for _ in range(steps):
        here = step_towards(here, goal)
        straight.append(here)
    return tuple(straight) if blocked.isdisjoint(straight) else on(me.at, steps)


@rule("RON-SPC-7", "RON-CON-9", "RON-SPC-17")
def charge_refused(state: State, me: Fighter, order: Charge) -> Refusal | None:
    """Why there can be no charge: whom, with what, from how far, along which way."""
    if me.has("grappled"):
        return Refusal("RON-CON-9", f"{me.name} is held and cannot move away")
    if me.prone:
        return Refusal("RON-SPC-17", f"{me.name} is Prone: stand up first")
    target = next((f for f in state.fighters if f.id == order.target), None)
    if target is None or target.id == me.id or target.out in ("dead", "destroyed", "gone"):
        return Refusal("RON-SPC-7", f"there is no target {order.target!r}", targets(state, me)[:12])
    weapon = striking_weapon(me, order.weapon)
    if weapon is None:
        return Refusal("RON-SPC-7", f"{order.weapon!r} is no melee weapon in hand")
    steps, most = run_needed(state, me, target, weapon), 2 * move_value(me)
    if steps < NEAREST:
        return Refusal("RON-SPC-7", f"{target.name} is too near: a charge covers at least {NEAREST} Spaces")
    if steps > most:
        return Refusal("RON-SPC-7", f"{target.name} is too far: a charge covers at most {most} Spaces, this needs {steps}")
    if hidden_from(state, me, target) or lane(state, me, target, steps) is None:
        return Refusal("RON-SPC-7", f"there is no straight way to {target.name}")
    return poor(me, _blow(order, weapon))


def charge_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    """The options of a charge: those who can be charged with something in hand."""
    weapons = [weapon for weapon in in_hand(me) if weapon.kind in ("melee", "unarmed")]
    found = [who for who in targets(state, me) if charge_refused(state, me, Charge(me.id, who)) is None]
    if not found:
        return Refusal("RON-SPC-7", "there is nobody to charge at")
    options = OneOf(("", *(weapon.name for weapon in weapons)))
    return (Field("target", OneOf(tuple(found)), found[0], "target"), Field("weapon", options, "", "weapon"), *points_fields(me))


@rule("RON-SPC-7", "RON-SPC-8", "RON-ACT-6")
def charge(scene: RondScene, order: Charge) -> None:
    """Pay, lose the point of defense, run, be met by set weapons, strike if it is still possible."""
    me: Fighter = get(scene.state, order.by)
    weapon = striking_weapon(me, order.weapon)
    assert weapon is not None
    pay(scene, order.by, FULL, order.verb)
    scene.tell(Changed(order.by, "RON-SPC-7", (("defence_bonus", me.defence_bonus - 1),), "charge.begins", _whom(order)))
    covered = run(scene, order, weapon)
    me, target = get(scene.state, order.by), get(scene.state, order.target)
    scene.tell(Noted(order.by, "RON-SPC-7", "move.goes", (("spaces", covered),)))
    if me.out or me.prone or me.has("grappled") or not me.holds(weapon) or target.out in ("dead", "destroyed", "gone"):
        scene.tell(Noted(order.by, "RON-SPC-7", "charge.fails", _whom(order)))
        return
    if out_of_reach(scene.state, me, target, weapon) is not None:
        scene.tell(Noted(order.by, "RON-SPC-7", "charge.fails", _whom(order)))
        return
    strike(scene, _blow(order, weapon), weapon, [Modifier(2, "D", "charge", "RON-SPC-7")])


def _whom(order: Charge) -> tuple[tuple[str, str], ...]:
    return (("target", order.target),)


def _blow(order: Charge, weapon: Weapon) -> Attack:
    """The attack at the end of the charge."""
    return Attack(order.by, order.target, weapon.name, points=order.points, damage_points=order.damage_points, fate=order.fate)


@rule("RON-SPC-7", "RON-SPC-8")
def run(scene: RondScene, order: Charge, weapon: Weapon) -> int:
    """The run, one Space after another; after each, set weapons that now reach the charger may strike. Returns the Spaces."""
    me, target = get(scene.state, order.by), get(scene.state, order.target)
    asked: set[str] = set()
    steps = run_needed(scene.state, me, target, weapon)
    for covered in range(steps):
        way = lane(scene.state, me, target, steps - covered)
        if way is None:
            return covered
        forward(scene, me, target, way)
        receive_charge(scene, order.by, asked)
        me, target = get(scene.state, order.by), get(scene.state, order.target)
        if me.out or me.prone or me.has("grappled"):
            return covered + 1
    return steps


def forward(scene: RondScene, me: Fighter, target: Fighter, way: tuple[Cell, ...]) -> None:
    """One Space on: to the next cell, or nearer by one where distances are stated."""
    if way:
        scene.tell(Changed(me.id, "RON-SPC-7", (("at", way[0]), ("moved", me.moved + 1))))
        return
    space = scene.state.space
    gaps = space.with_gap(me.id, target.id, distance(scene.state, me, target) - 1)
    scene.tell(Changed(me.id, "RON-SPC-7", (("moved", me.moved + 1),)))
    scene.tell(Changed("", "RON-SPC-7", (("space", space.__class__(space.grid, space.areas, gaps, space.default_gap)),)))


@rule("RON-SPC-8", "RON-ACT-14")
def receive_charge(scene: RondScene, charger: str, asked: set[str]) -> None:
    """Those who wait with a set weapon are asked once, as soon as it reaches the charger; it does 2D more damage."""
    for waiter in waiters(scene.state, charger):
        me, foe = get(scene.state, waiter.id), get(scene.state, charger)
        weapon = set_weapon(scene.state, me, foe)
        if weapon is None or me.id in asked or me.side == foe.side or foe.out:
            continue
        asked.add(me.id)
        if not scene.choose(YesNo(), SET_WEAPON, me.id, True, (charger,)):
            continue
        outer = scene.state.interrupting
        scene.tell(Changed(me.id, "RON-ACT-14", (("waiting", ""),), "action.interrupts"))
        scene.tell(Changed("", "RON-ACT-14", (("interrupting", (*outer, me.id)),)))
        pay(scene, me.id, ACTION, "attack")
        strike(scene, Attack(me.id, charger, weapon.name), weapon, (), [Modifier(2, "D", "set weapon", "RON-SPC-8")])
        scene.tell(Changed("", "RON-ACT-14", (("interrupting", outer),)))


def set_weapon(state: State, me: Fighter, charger: Fighter) -> Weapon | None:
    """The melee weapon in hand that is set and reaches the charger; None if there is none."""
    if me.waiting != "charge":
        return None
    options = [weapon for weapon in in_hand(me) if weapon.kind == "melee"]
    return next((weapon for weapon in options if out_of_reach(state, me, charger, weapon) is None), None)


COMMANDS: dict[type, Command] = {
    Charge: Command(lambda state, me, order: FULL, charge_refused, charge_fields, charge, "charge at somebody"),
}
