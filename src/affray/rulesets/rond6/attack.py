"""Attacking somebody: the procedure, what makes it impossible, and what follows a hit in the scene."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from affray.ask import ATTACKER, MASTER, SELF, TARGET, Why
from affray.domains import Number, OneOf, Text, YesNo
from affray.errors import Refusal
from affray.events import Changed, Noted, get
from affray.modifiers import Modifier
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6 import ways
from affray.rulesets.rond6.actions import Command, RondScene, pay
from affray.rulesets.rond6.followups import follow, pointless
from affray.rulesets.rond6.mechanics import Outcome, exchange, stand_as
from affray.rulesets.rond6.numbers import Guard, Line, circumstances, distance, guard, line
from affray.rulesets.rond6.points import cannot_spend, spend, spending_fields
from affray.rulesets.rond6.sheet import UNARMED, Fighter, State, Weapon
from affray.rulesets.rond6.tables import SCALE

SPOT_EFFECT = Why("called_effect", "RON-SPC-6", "what the called shot does")


class Attack(Order, frozen=True, tag="attack"):
    """Attack `target` with `weapon` ('': the first in hand that reaches), perhaps in a special `manner`.

    `rounds`: more than 1 is Rapid Fire. `size`, `spot`: what a called shot aims at. `situational`: the Game Master's modifier.
    `points`, `damage_points`: Character Points on the two rolls; `fate`: a Fate Point on the attack (RON-DICE-8, -9).
    """

    target: str = ""
    weapon: str = ""
    manner: ways.Manner = ""
    rounds: int = 1
    off_hand: bool = False
    size: str = "Small"
    spot: str = ""
    situational: int = 0
    points: int = 0
    damage_points: int = 0
    fate: bool = False


def in_hand(me: Fighter) -> tuple[Weapon, ...]:
    """Weapons ready for use, the bare hands last."""
    sheet = me.sheet
    held = [weapon for name in me.held if (weapon := sheet.weapon(name))]
    return (*held, UNARMED)


def chosen_weapon(state: State, me: Fighter, target: str, name: str) -> Weapon | None:
    """The named weapon, or the first in hand that is loaded and reaches the target."""
    if name:
        return me.sheet.weapon(name)
    options = loaded(me)
    return next((w for w in options if out_of_reach(state, me, get(state, target), w) is None), options[0])


def loaded(me: Fighter) -> tuple[Weapon, ...]:
    """Weapons in hand that are not empty."""
    return tuple(weapon for weapon in in_hand(me) if not weapon.ammo or me.rounds(weapon))


@rule("RON-ATK-4", "RON-ATK-6", "RON-ATK-8", "RON-ATK-10")
def out_of_reach(state: State, me: Fighter, target: Fighter, weapon: Weapon, more: int = 0) -> Refusal | None:
    """Why a weapon does not reach; `more`: Spaces of reach gained."""
    spaces = distance(state, me, target)
    if weapon.kind == "unarmed":
        return Refusal("RON-ATK-6", f"{target.name} is {spaces} Spaces away; blows reach 1") if spaces > 1 else None
    if weapon.kind == "melee":
        reach = max(1, weapon.reach) + more
        if spaces > reach:
            return Refusal("RON-ATK-10", f"{target.name} is {spaces} Spaces away; the {weapon.name} reaches {reach}")
        return None
    if spaces > max(1, weapon.ranges[2]):
        return Refusal("RON-ATK-8", f"{target.name} is {spaces} Spaces away, beyond Long ({weapon.ranges[2]})")
    return None


def targets(state: State, me: Fighter) -> tuple[str, ...]:
    """Everybody who may be attacked at all, enemies first, the able before the fallen, the near before the far."""
    others = [f for f in state.fighters if f.id != me.id and f.out not in ("dead", "destroyed", "gone")]
    return tuple(f.id for f in sorted(others, key=lambda f: (f.side == me.side, bool(f.out), distance(state, me, f))))


def attack_cost(state: State, me: Fighter, order: Attack) -> int:
    if order.rounds < 2:  # the weapon matters to rapid fire alone
        return ways.cost(me, None, order, state.rulings)
    known = any(f.id == order.target for f in state.fighters)
    return ways.cost(me, chosen_weapon(state, me, order.target, order.weapon) if known else None, order, state.rulings)


@rule("RON-ATK-1", "RON-DICE-8", "RON-DICE-9", "RON-CON-3", "RON-SPC-20")
def attack_refused(state: State, me: Fighter, order: Attack) -> Refusal | None:
    """Why this attack is not possible now."""
    target = next((f for f in state.fighters if f.id == order.target), None)
    if target is None or target.id == me.id:
        return Refusal("RON-ATK-1", f"there is no target {order.target!r}", targets(state, me)[:12])
    if target.out in ("dead", "destroyed", "gone"):
        return Refusal("RON-ATK-1", f"{target.name} is {target.out}")
    weapon = chosen_weapon(state, me, order.target, order.weapon)
    if weapon is None:
        return Refusal("RON-SPC-20", f"{me.name} has no {order.weapon!r}", tuple(w.name for w in in_hand(me)))
    if not me.holds(weapon):
        return Refusal("RON-SPC-20", f"the {weapon.name} is not in hand: ready it first")
    return (
        ways.refused(me, target, weapon, order, state.rulings)
        or out_of_reach(state, me, target, weapon, ways.reach_gained(order))
        or hidden_from(state, me, target)
        or poor(me, order)
    )


def hidden_from(state: State, me: Fighter, target: Fighter) -> Refusal | None:
    """A wall stands between, so there is no line of sight."""
    weapon = in_hand(me)[0]
    if me.at is None or target.at is None or not state.space.areas:
        return None
    if circumstances(state, me.id, target.id, weapon).visible:
        return None
    return Refusal("RON-ATK-12", f"a wall stands between {me.name} and {target.name}")


class Spending(Protocol):
    """The part of an order that spends points on its rolls."""

    @property
    def by(self) -> str: ...
    @property
    def points(self) -> int: ...
    @property
    def damage_points(self) -> int: ...
    @property
    def fate(self) -> bool: ...


def poor(me: Fighter, order: Spending) -> Refusal | None:
    """Points that cannot be spent."""
    return cannot_spend(me, order.points, order.fate, order.damage_points)


def attack_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    """The options of an attack: targets in reach of something in hand, and the manners that something in hand allows."""
    weapons = loaded(me)
    reachable = tuple(
        who
        for who in targets(state, me)
        if any(out_of_reach(state, me, get(state, who), w, 1 if w.reach else 0) is None for w in weapons)
        and hidden_from(state, me, get(state, who)) is None
    )
    if not reachable:
        return Refusal("RON-ATK-10", "nobody is in reach")
    plain = next((who for who in reachable if any(not out_of_reach(state, me, get(state, who), w) for w in weapons)), "")
    fields = [
        Field("target", OneOf(reachable), plain or reachable[0], "target"),
        Field("weapon", OneOf(("", *(w.name for w in weapons))), "", "weapon"),
        *manner_fields(me, weapons, state.rulings.rapid_fire_max == "capacity"),
    ]
    return (*fields, *points_fields(me))


def manner_fields(me: Fighter, weapons: tuple[Weapon, ...], capacity: bool) -> tuple[Field, ...]:
    """Options for how the attack is made, as far as some weapon allows them."""
    fields = []
    manners = tuple(name for name in ways.WAYS if any(ways.suits(name, w) for w in weapons))
    if len(manners) > 1:
        fields.append(Field("manner", OneOf(manners), "", "manner"))
    if "called" in manners:
        fields.append(Field("size", OneOf(tuple(SCALE)), "Small", "size of the spot of a called shot"))
        fields.append(Field("spot", Text(60), "", "spot of a called shot"))
    rounds = max((w.ammo if capacity else me.rounds(w) for w in weapons if "semi" in w.modes and w.ammo), default=1)
    if rounds > 1:
        fields.append(Field("rounds", Number(1, rounds), 1, "rounds: more than 1 is Rapid Fire"))
    if len(me.held) > 1:
        fields.append(Field("off_hand", YesNo(), False, "with the off hand"))
    return tuple(fields)


def points_fields(me: Fighter, damage: bool = True) -> tuple[Field, ...]:
    """Options for spending points on an attack and (`damage`) on what it does."""
    return spending_fields(me, " on the attack", damage)


@rule("RON-TIME-4", "RON-ATK-1", "RON-DMG-1", "RON-SPC-1", "RON-SPC-11", "RON-SPC-19")
def attack(scene: RondScene, order: Attack) -> None:
    """An attack after its declaration and any interruption: pay, spend rounds, resolve, apply, follow up."""
    me: Fighter = get(scene.state, order.by)
    weapon = chosen_weapon(scene.state, me, order.target, order.weapon)
    assert weapon is not None
    pay(scene, order.by, attack_cost(scene.state, me, order), order.verb)
    if ways.WAYS[order.manner].full:
        scene.tell(Changed(order.by, ways.WAYS[order.manner].rule, (("barred", True),)))
    spend_rounds(scene, order.by, weapon, ways.rounds_spent(weapon, order))
    strike(scene, order, weapon)


@rule("RON-ATK-1", "RON-ATK-2", "RON-ATK-11", "RON-DMG-1", "RON-SPC-6")
def strike(
    scene: RondScene,
    order: Attack,
    weapon: Weapon,
    extra: Iterable[Modifier] = (),
    extra_damage: Iterable[Modifier] = (),
    harmless: bool = False,
) -> Outcome:
    """One attack with its roll, whatever it cost: numbers from the state now, the roll, the message, what follows.

    The only way in which a single target is attacked. `harmless`: a hit does no damage (a grapple, a disarm).
    """
    by, at = order.by, order.target
    spend_points(scene, order)
    brought, met = prepared(scene.state, order, weapon, extra, extra_damage, harmless)
    target = get(scene.state, at)
    outcome, struck = scene.call(exchange, brought, met, target, roles={ATTACKER: by, TARGET: at, SELF: at})
    scene.become(at, stand_as, struck)
    after_attack(scene, by, at)
    if outcome.hit and order.manner == "called" and not harmless:
        spot_effect(scene, order)
    for feat, points in outcome.then:
        follow(scene, by, at, feat, points, weapon)
    return outcome


def prepared(
    state: State,
    order: Attack,
    weapon: Weapon,
    extra: Iterable[Modifier] = (),
    extra_damage: Iterable[Modifier] = (),
    harmless: bool = False,
) -> tuple[Line, Guard]:
    """The numbers of an attack as the scene stands: what the attacker brings, and what the target sets against it."""
    by, at = order.by, order.target
    me, target = get(state, by), get(state, at)
    c = circumstances(state, by, at, weapon)
    brought = line(
        me,
        weapon,
        c,
        state.rulings,
        (*ways.attack_parts(me, target, order), *extra),
        (*ways.damage_parts(order), *extra_damage),
        points=order.points,
        fate=order.fate,
        damage_points=order.damage_points,
        harmless=harmless,
        barred=pointless(state, by, at, weapon),
        called=(order.spot or order.size) if order.manner == "called" else "",
    )
    return brought, guard(target, weapon.kind, c, state.rulings, weapon.stun)


@rule("RON-SPC-6")
def spot_effect(scene: RondScene, order: Attack) -> None:
    """What hitting the spot brings beside damage is the Game Master's word, which is kept in the log."""
    spot = order.spot or order.size
    words = scene.choose(Text(), SPOT_EFFECT, MASTER, "", (spot,))
    scene.tell(Noted(order.target, "RON-SPC-6", "attack.called", (("spot", spot), ("effect", words))))


@rule("RON-ACT-16", "RON-RP-10", "RON-SPC-21")
def after_attack(scene: RondScene, by: str, at: str) -> None:
    """What an attack uses up: an aim, a bonus held ready, the surprise of its target."""
    me: Fighter = get(scene.state, by)
    if me.aim or me.aware:
        scene.tell(Changed(by, "RON-ACT-16", (("aim", 0), ("aware", 0))))
    target: Fighter = get(scene.state, at)
    if target.has("surprised") and not target.attacked:
        scene.tell(Changed(at, "RON-SPC-21", (("attacked", True),)))


def spend_points(scene: RondScene, order: Spending) -> None:
    """Character and Fate Points leave the purse as the roll is made."""
    spend(scene, order.by, order.points + order.damage_points, order.fate)


@rule("RON-SPC-20")
def spend_rounds(scene: RondScene, who: str, weapon: Weapon, rounds: int) -> None:
    """Rounds leave the magazine of a weapon that counts them."""
    me: Fighter = get(scene.state, who)
    if weapon.ammo and rounds:
        left = max(0, me.rounds(weapon) - rounds)
        ammo = (*((n, r) for n, r in me.ammo if n != weapon.name), (weapon.name, left))
        scene.tell(Changed(who, "RON-SPC-20", (("ammo", ammo),), "attack.rounds", (("weapon", weapon.name), ("left", left))))


COMMANDS: dict[type, Command] = {
    Attack: Command(attack_cost, attack_refused, attack_fields, attack, "attack somebody", single=True),
}
