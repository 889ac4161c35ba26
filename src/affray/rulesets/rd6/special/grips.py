"""Holding somebody: grab, flip, hold, arm pin, lift and slam, squeezing, and breaking free."""

from __future__ import annotations

from affray.ask import ATTACKER, TARGET, Why
from affray.dice import Code
from affray.rules import rule
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.actions import pay, pay_points
from affray.rulesets.rd6.commands import ArmPin, Escape, Flip, Grab, Hold, Lift, Release, Slam, Squeeze
from affray.rulesets.rd6.damage import receive
from affray.rulesets.rd6.mechanics import Blow, damage_roll, test
from affray.rulesets.rd6.numbers import Option, pool, stymied, weapon_damage
from affray.rulesets.rd6.sheet import UNARMED, State, weapon_named
from affray.rulesets.rd6.telling import able, change, fighter, note
from affray.scene import Scene

OPTION = {
    "grab": Option("grab", "RD6-SPC-9", effect="grab"),
    "flip": Option("flip", "RD6-SPC-10", effect="flip"),
    "hold": Option("hold", "RD6-SPC-11", effect="hold"),
    "arm_pin": Option("arm pin", "RD6-SPC-12", effect="pin"),
    "lift": Option("lift", "RD6-SPC-13", effect="lift"),
}


@rule("RD6-SPC-9", "RD6-SPC-10", "RD6-SPC-11", "RD6-SPC-12", "RD6-SPC-13")
def seize(scene: Scene[State], order: Grab | Flip | Hold | ArmPin | Lift) -> None:
    """An attack with Fighting that takes hold; one who is held already is lifted without a roll."""
    from affray.rulesets.rd6.attack import strike_at

    pay(scene, order.by)
    pay_points(scene, order.by, order.points)
    if isinstance(order, Lift) and fighter(scene, order.by).holding == order.target:
        grip(scene, order.by, order.target, "lift")
        return
    less = order.less if isinstance(order, Hold) else 0
    strike_at(scene, order.by, order.target, UNARMED, OPTION[order.verb], points=order.points, lessen=less)


def grip(scene: Scene[State], who: str, at: str, kind: str) -> None:
    """`who` holds `at` from now on, and nobody else; whoever held `at` before does so no more."""
    if fighter(scene, who).holding not in ("", at):
        let_go(scene, who)
    if (before := fighter(scene, at).held_by) not in ("", who):
        let_go(scene, before)
    data = {"target": at, "grip": kind}
    change(scene, who, "RD6-SPC-9", "holds", data, holding=at, grip=kind, grip_fresh=True)
    change(scene, at, "RD6-SPC-9", "", held_by=who, grip_on_arm=kind == "pin")


@rule("RD6-SPC-13")
def slam(scene: Scene[State], order: Slam) -> None:
    """The one lifted takes the damage score of what it hits, its Toughness code."""
    pay(scene, order.by)
    me = fighter(scene, order.by)
    at = me.holding
    code = Code(tables.TOUGHNESS[order.into])
    roles = {ATTACKER: order.by, TARGET: at}
    damage = scene.call(damage_roll, code, roles=roles)
    note(scene, order.by, "RD6-SPC-13", "slams", {"target": at, "into": order.into})
    scene.become(at, receive, Blow(damage), roles=roles)
    let_go(scene, order.by)


@rule("RD6-SPC-9")
def squeeze(scene: Scene[State], order: Squeeze) -> None:
    """Strength Damage, or that of a natural weapon, without a roll to hit."""
    pay(scene, order.by)
    me = fighter(scene, order.by)
    weapon = weapon_named(me.sheet, order.weapon) if order.weapon else UNARMED
    roles = {ATTACKER: order.by, TARGET: me.holding}
    damage = scene.call(damage_roll, weapon_damage(me.sheet, weapon), roles=roles)
    note(scene, order.by, "RD6-SPC-9", "squeezes", {"target": me.holding, "weapon": weapon.name})
    scene.become(me.holding, receive, Blow(damage), roles=roles)
    loosen(scene)


@rule("RD6-SPC-9", "RD6-RND-6")
def escape(scene: Scene[State], order: Escape) -> None:
    """Fighting against the holder's Fighting, ties to the one who escapes; one pinned down needs a Moderate Athletics."""
    pay(scene, order.by)
    pay_points(scene, order.by, order.points)
    me = fighter(scene, order.by)
    skill = "Athletics" if me.pinned else "Fighting"
    dice, parts = pool(me, skill)
    mine = scene.call(test, dice, Why("escape", "RD6-SPC-9", skill), me.id, 0, order.points, stymied(me), parts)
    if me.pinned:
        free = mine >= tables.MODERATE
    else:
        holder = fighter(scene, me.held_by)
        dice, parts = pool(holder, "Fighting", action=False)
        theirs = scene.call(
            test, dice, Why("hold fast", "RD6-SPC-9", "Fighting to hold"), holder.id, 0, 0, stymied(holder), parts
        )
        free = mine >= theirs
    note(scene, me.id, "RD6-SPC-9", "breaks free" if free else "stays held", {"successes": mine})
    if free and me.pinned:
        change(scene, me.id, "RD6-RND-6", "", pinned=False)
    elif free:
        let_go(scene, me.held_by)


def release(scene: Scene[State], order: Release) -> None:
    """Letting go is free."""
    let_go(scene, order.by)


def let_go(scene: Scene[State], who: str) -> None:
    """`who` holds nobody any more."""
    held = fighter(scene, who).holding
    change(scene, who, "RD6-SPC-9", "lets go", {"target": held}, holding="", grip="", grip_fresh=False)
    if held:
        change(scene, held, "RD6-SPC-9", "", held_by="", grip_on_arm=False)


def loosen(scene: Scene[State]) -> None:
    """Whoever can no longer fight lets go; whoever holds somebody dead lets go too."""
    for me in scene.state.fighters:
        if me.holding and (not able(me) or fighter(scene, me.holding).dead):
            let_go(scene, me.id)
