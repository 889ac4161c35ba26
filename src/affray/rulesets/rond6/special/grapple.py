"""Grappling, escaping, letting go, disarming: attacks that hold or strip and do no damage."""

from __future__ import annotations

from affray.ask import ATTACKER, TARGET, Ask, Why
from affray.domains import OneOf
from affray.errors import Refusal
from affray.events import Changed, Noted, get
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import ACTION, FREE, Command, RondScene, pay
from affray.rulesets.rond6.attack import (
    Attack,
    attack_refused,
    chosen_weapon,
    loaded,
    out_of_reach,
    points_fields,
    spend_rounds,
    strike,
    targets,
)
from affray.rulesets.rond6.checks import rolled
from affray.rulesets.rond6.numbers import Test, level, test_of
from affray.rulesets.rond6.points import cannot_spend, spend, spending_fields
from affray.rulesets.rond6.sheet import UNARMED, Condition, Fighter, State, let_go
from affray.rulesets.rond6.ways import no_spot

ESCAPE = Why("escape", "RON-SPC-10", "break free")
HOLD = Why("hold", "RON-SPC-10", "keep hold")

class Grapple(Order, frozen=True, tag="grapple"):
    """Take hold of `target`: Fighting against its Defense; a hit grapples and does no damage (RON-SPC-23)."""

    target: str = ""
    points: int = 0
    fate: bool = False


class Escape(Order, frozen=True, tag="escape"):
    """Try to break a grapple: Fighting against Fighting (RON-SPC-10)."""

    points: int = 0
    fate: bool = False


class Release(Order, frozen=True, tag="release"):
    """Let go of `target`."""

    target: str = ""


class Disarm(Order, frozen=True, tag="disarm"):
    """Strike or shoot a weapon out of the hand of `target`. `item`: which ('': the first in hand); `weapon`: with what."""

    target: str = ""
    weapon: str = ""
    item: str = ""
    size: str = "Small"
    points: int = 0
    fate: bool = False


# ---- taking hold


def one_action(state: State, me: Fighter, order: Order) -> int:
    return ACTION


@rule("RON-SPC-23", "RON-ATK-6")
def grapple_refused(state: State, me: Fighter, order: Grapple) -> Refusal | None:
    """Why this grapple is not possible now: as for a blow, and nobody is held twice."""
    if wrong := attack_refused(state, me, as_blow(order)):
        return wrong
    target: Fighter = get(state, order.target)
    if target.sheet.object:
        return Refusal("RON-SPC-23", f"{target.name} is a thing")
    if target.grappled_by == me.id:
        return Refusal("RON-SPC-23", f"{me.name} holds {target.name} already")
    return None


def as_blow(order: Grapple) -> Attack:
    return Attack(order.by, order.target, "unarmed", points=order.points, fate=order.fate)


def grapple_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    near = tuple(who for who in targets(state, me) if grapple_refused(state, me, Grapple(me.id, who)) is None)
    if not near:
        return Refusal("RON-ATK-6", "nobody to grapple is within 1 Space")
    return (Field("target", OneOf(near), near[0], "target"), *points_fields(me, damage=False))


@rule("RON-SPC-23", "RON-CON-9")
def grapple(scene: RondScene, order: Grapple) -> None:
    """An unarmed attack whose hit holds instead of hurting."""
    pay(scene, order.by, ACTION, order.verb)
    if strike(scene, as_blow(order), UNARMED, harmless=True).hit:
        target: Fighter = get(scene.state, order.target)
        held = (*(c for c in target.conditions if c.name != "grappled"), Condition("grappled"))
        fields = (("grappled_by", order.by), ("conditions", held))
        scene.tell(Changed(order.target, "RON-SPC-23", fields, "grapple.held", (("by", order.by),)))


# ---- getting free


@rule("RON-SPC-10")
def escape_refused(state: State, me: Fighter, order: Escape) -> Refusal | None:
    held = None if me.has("grappled") else Refusal("RON-SPC-10", f"nobody holds {me.name}")
    return held or cannot_spend(me, order.points, order.fate)


def escape_fields(state: State, me: Fighter) -> tuple[Field, ...]:
    return spending_fields(me)


@rule("RON-SPC-10", "RON-ACT-8")
def escape(scene: RondScene, order: Escape) -> None:
    """Both roll Fighting, the holder for free; equal is free. With nobody who holds (a net), Standard is to be reached."""
    pay(scene, order.by, ACTION, order.verb)
    spend(scene, order.by, order.points, order.fate)
    me: Fighter = get(scene.state, order.by)
    mine = test_of(me, "Fighting", scene.state.rulings, points=order.points, fate=order.fate)
    holder = next((f for f in scene.state.fighters if f.id == me.grappled_by and not f.out), None)
    theirs = test_of(holder, "Fighting", scene.state.rulings, action=False) if holder else None
    roles = {ATTACKER: order.by, TARGET: holder.id if holder else order.by}
    free = scene.call(breaks_free, mine, theirs, roles=roles)
    scene.tell(Noted(order.by, "RON-SPC-10", "grapple.tried", (("result", "success" if free else "failure"),)))
    if free:
        set_free(scene, order.by, "RON-SPC-10")


@rule("RON-SPC-10", "RON-DICE-6")
def breaks_free(ask: Ask, mine: Test, theirs: Test | None) -> bool:
    """Whether the escaper reaches the holder's roll."""
    total = ask.call(rolled, mine, ESCAPE, ATTACKER)
    return total >= (level(ask.rulings, 1) if theirs is None else ask.call(rolled, theirs, HOLD, TARGET))


def set_free(scene: RondScene, who: str, cited: str) -> None:
    """A grapple ends."""
    me: Fighter = get(scene.state, who)
    fields = (("grappled_by", ""), ("conditions", tuple(c for c in me.conditions if c.name != "grappled")))
    scene.tell(Changed(who, cited, fields, "grapple.free"))


# ---- letting go


def release_refused(state: State, me: Fighter, order: Release) -> Refusal | None:
    held = captives(state, me)
    return None if order.target in held else Refusal("RON-SPC-23", f"{me.name} does not hold {order.target!r}", held)


def captives(state: State, me: Fighter) -> tuple[str, ...]:
    return tuple(f.id for f in state.fighters if f.grappled_by == me.id)


def release_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    held = captives(state, me)
    return (Field("target", OneOf(held), held[0], "whom"),) if held else Refusal("RON-SPC-23", f"{me.name} holds nobody")


@rule("RON-SPC-23", "RON-ACT-4")
def release(scene: RondScene, order: Release) -> None:
    """Letting go is as free as letting an object fall."""
    set_free(scene, order.target, "RON-SPC-23")


# ---- disarming


@rule("RON-SPC-23", "RON-SPC-6")
def disarm_refused(state: State, me: Fighter, order: Disarm) -> Refusal | None:
    """Why nobody can be disarmed so: as for an attack, and the target must hold the thing."""
    if wrong := attack_refused(state, me, Attack(order.by, order.target, order.weapon, points=order.points, fate=order.fate)):
        return wrong
    target: Fighter = get(state, order.target)
    if not target.held or (order.item and order.item not in target.held):
        return Refusal("RON-SPC-23", f"{target.name} holds no {order.item or 'weapon'}", target.held)
    return no_spot(target, Attack(order.by, order.target, order.weapon, "called", size=order.size))


def disarm_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    weapons = loaded(me)
    armed = tuple(
        who
        for who in targets(state, me)
        if get(state, who).held and any(out_of_reach(state, me, get(state, who), w) is None for w in weapons)
    )
    if not armed:
        return Refusal("RON-SPC-23", "nobody in reach holds a weapon")
    return (
        Field("target", OneOf(armed), armed[0], "target"),
        Field("weapon", OneOf(("", *(w.name for w in weapons))), "", "with"),
        *points_fields(me, damage=False),
    )


@rule("RON-SPC-23", "RON-SPC-6")
def disarm(scene: RondScene, order: Disarm) -> None:
    """A called shot on the weapon, in melee as well: a hit makes it fall in its holder's Space and does no damage."""
    weapon = chosen_weapon(scene.state, get(scene.state, order.by), order.target, order.weapon)
    assert weapon is not None
    item = order.item or get(scene.state, order.target).held[0]
    pay(scene, order.by, ACTION, order.verb)
    spend_rounds(scene, order.by, weapon, 1)
    shot = Attack(
        order.by, order.target, weapon.name, "called", size=order.size, spot=item, points=order.points, fate=order.fate
    )
    if strike(scene, shot, weapon, harmless=True).hit:
        target: Fighter = get(scene.state, order.target)
        scene.tell(Changed(order.target, "RON-SPC-23", let_go(target, item), "feat.disarmed", (("item", item),)))


COMMANDS: dict[type, Command] = {
    Grapple: Command(one_action, grapple_refused, grapple_fields, grapple, "take hold of somebody", single=True),
    Escape: Command(one_action, escape_refused, escape_fields, escape, "break a grapple", single=True),
    Release: Command(lambda state, me, order: FREE, release_refused, release_fields, release, "let go of somebody"),
    Disarm: Command(one_action, disarm_refused, disarm_fields, disarm, "strike a weapon from a hand", single=True),
}
