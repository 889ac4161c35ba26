"""Attacking somebody: the procedure, what makes it impossible, and what follows a hit in the scene."""

from __future__ import annotations

from collections.abc import Iterable

from affray.ask import ATTACKER, TARGET
from affray.domains import Number, OneOf, YesNo
from affray.errors import Refusal
from affray.events import Changed, get
from affray.modifiers import Modifier
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import ACTION, Command, RondScene, pay
from affray.rulesets.rond6.followups import follow
from affray.rulesets.rond6.mechanics import Outcome, receive, resolve
from affray.rulesets.rond6.numbers import circumstances, distance, guard, line
from affray.rulesets.rond6.sheet import UNARMED, Fighter, State, Weapon


class Attack(Order, frozen=True, tag="attack"):
    """Attack `target` with `weapon` ('' : the first in hand that reaches). `points`, `damage_points`: Character Points on the
    two rolls; `fate`: a Fate Point on the attack (RON-DICE-8, -9)."""

    target: str = ""
    weapon: str = ""
    points: int = 0
    damage_points: int = 0
    fate: bool = False


def in_hand(me: Fighter) -> tuple[Weapon, ...]:
    """Weapons ready for use, the bare hands last."""
    held = [weapon for name in me.held if (weapon := me.sheet.weapon(name))]
    return (*held, UNARMED)


def chosen_weapon(state: State, me: Fighter, target: str, name: str) -> Weapon | None:
    """The named weapon, or the first in hand that reaches the target."""
    if name:
        return me.sheet.weapon(name)
    options = in_hand(me)
    return next((w for w in options if out_of_reach(state, me, get(state, target), w) is None), options[0])


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
    return ACTION


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
    if weapon.ammo and me.rounds(weapon) < 1:
        return Refusal("RON-SPC-20", f"the {weapon.name} is empty: reload it first")
    return out_of_reach(state, me, target, weapon) or hidden_from(state, me, target) or poor(me, order)


def hidden_from(state: State, me: Fighter, target: Fighter) -> Refusal | None:
    """A wall stands between, so there is no line of sight."""
    weapon = in_hand(me)[0]
    if me.at is None or target.at is None or circumstances(state, me.id, target.id, weapon).visible:
        return None
    return Refusal("RON-ATK-12", f"a wall stands between {me.name} and {target.name}")


@rule("RON-CON-3")
def poor(me: Fighter, order: Attack) -> Refusal | None:
    """Points that cannot be spent."""
    if order.points < 0 or order.damage_points < 0:
        return Refusal("RON-DICE-8", "points are spent in whole numbers from 0 up")
    if order.points + order.damage_points > me.character:
        return Refusal("RON-DICE-8", f"{me.name} has {me.character} Character Points")
    if order.fate and not me.fate:
        return Refusal("RON-DICE-9", f"{me.name} has no Fate Point")
    if (order.points or order.damage_points or order.fate) and me.has("confused"):
        return Refusal("RON-CON-3", "a Confused character may not spend points")
    return None


def attack_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    """The options of an attack: targets in reach of something in hand."""
    weapons = [w for w in in_hand(me) if not w.ammo or me.rounds(w)]
    reachable = tuple(
        who
        for who in targets(state, me)
        if any(out_of_reach(state, me, get(state, who), w) is None for w in weapons)
        and hidden_from(state, me, get(state, who)) is None
    )
    if not reachable:
        return Refusal("RON-ATK-10", "nobody is in reach")
    fields = [
        Field("target", OneOf(reachable), reachable[0], "target"),
        Field("weapon", OneOf(("", *(w.name for w in weapons))), "", "weapon"),
    ]
    return (*fields, *points_fields(me))


def points_fields(me: Fighter) -> tuple[Field, ...]:
    """Options for spending points, for those who have some."""
    if me.has("confused"):
        return ()
    fields = []
    if me.character:
        fields.append(Field("points", Number(0, me.character), 0, "Character Points on the attack"))
        fields.append(Field("damage_points", Number(0, me.character), 0, "Character Points on the damage"))
    if me.fate:
        fields.append(Field("fate", YesNo(), False, "a Fate Point on the attack"))
    return tuple(fields)


@rule("RON-TIME-4", "RON-ATK-1", "RON-DMG-1")
def attack(scene: RondScene, order: Attack) -> None:
    """An attack after its declaration and any interruption: pay points, resolve, apply, follow up."""
    weapon = chosen_weapon(scene.state, get(scene.state, order.by), order.target, order.weapon)
    assert weapon is not None
    pay(scene, order.by, ACTION, order.verb)
    spend_rounds(scene, order.by, weapon, 1)
    strike(scene, order, weapon)


def strike(
    scene: RondScene, order: Attack, weapon: Weapon, extra: Iterable[Modifier] = (), extra_damage: Iterable[Modifier] = ()
) -> Outcome:
    """One attack with its roll, whatever it cost: numbers from the state now, the roll, the message, what follows."""
    by, at = order.by, order.target
    spend_points(scene, order)
    state = scene.state
    me, target = get(state, by), get(state, at)
    c = circumstances(state, by, at, weapon)
    brought = line(
        me,
        weapon,
        c,
        state.rulings,
        extra,
        extra_damage,
        points=order.points,
        fate=order.fate,
        damage_points=order.damage_points,
    )
    met = guard(target, weapon.kind, c, state.rulings, weapon.stun)
    outcome = scene.call(resolve, brought, met, roles={ATTACKER: by, TARGET: at})
    after_attack(scene, by, at)
    if outcome.to_target is not None:
        scene.become(at, receive, outcome.to_target, roles={ATTACKER: by})
    for feat, points in outcome.then:
        follow(scene, by, at, feat, points)
    return outcome


@rule("RON-ACT-16", "RON-RP-10", "RON-SPC-21")
def after_attack(scene: RondScene, by: str, at: str) -> None:
    """What an attack uses up: an aim, a bonus held ready, the surprise of its target."""
    me: Fighter = get(scene.state, by)
    if me.aim or me.aware:
        scene.tell(Changed(by, "RON-ACT-16", (("aim", 0), ("aware", 0))))
    target: Fighter = get(scene.state, at)
    if target.has("surprised") and not target.attacked:
        scene.tell(Changed(at, "RON-SPC-21", (("attacked", True),)))


@rule("RON-DICE-8", "RON-DICE-9")
def spend_points(scene: RondScene, order: Attack) -> None:
    """Character and Fate Points leave the purse as the roll is made."""
    me: Fighter = get(scene.state, order.by)
    spent = order.points + order.damage_points
    if spent or order.fate:
        fields = (("character", me.character - spent), ("fate", me.fate - order.fate))
        scene.tell(Changed(order.by, "RON-DICE-8", fields, "points.spent", (("points", spent), ("fate", order.fate))))


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
