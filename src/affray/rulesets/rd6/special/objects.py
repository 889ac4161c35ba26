"""Breaking things."""

from __future__ import annotations

from affray.ask import ATTACKER, Why
from affray.rules import rule
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.actions import pay, pay_points
from affray.rulesets.rd6.attack import in_hand, used_up
from affray.rulesets.rd6.commands import Break
from affray.rulesets.rd6.mechanics import Bought, attack_roll, damage_roll
from affray.rulesets.rd6.numbers import Circumstances, Option, band, environment, line, pool, stymied
from affray.rulesets.rd6.sheet import Cover, Fighter, State
from affray.rulesets.rd6.special.fire import fire_option, spend_rounds
from affray.rulesets.rd6.special.followups import damage_object
from affray.rulesets.rd6.successes import totalled
from affray.rulesets.rd6.telling import fighter, note
from affray.scene import Scene
from affray.space import distance


def object_named(state: State, name: str) -> Cover | None:
    """The object of that name, broken or not."""
    return next((cover for cover in state.covers if cover.name == name), None)


def object_metres(state: State, me: Fighter, thing: Cover | None) -> float:
    """How far an object is away; one without a place is within reach."""
    if thing is None or thing.at is None:
        return tables.POINT_BLANK_M
    return float(tables.METRES_PER_SPACE * distance(me.at, thing.at))


@rule("RD6-SPC-3", "RD6-SPC-4", "RD6-MOD-13")
def smash(scene: Scene[State], order: Break) -> None:
    """An attack on an object compares its damage, brute force its skill total, with the object's rolled Toughness."""
    pay(scene, order.by)
    pay_points(scene, order.by, order.points)
    total = _force(scene, order) if order.skill else _blow(scene, order)
    if total < 0:
        return
    cover = object_named(scene.state, order.object)
    assert cover is not None
    why = Why("object", "RD6-SPC-3", f"Toughness of the {cover.name}")
    toughness = scene.roll(totalled(cover.toughness, scene.rulings), why, order.by)
    damage_object(scene, order.by, cover.name, total - toughness)


def _force(scene: Scene[State], order: Break) -> int:
    me = fighter(scene, order.by)
    dice, parts = pool(me, order.skill)
    pooled = totalled(dice, scene.rulings, points=order.points, stymied=stymied(me))
    return scene.roll(pooled, Why("force", "RD6-SPC-3", order.skill), me.id, parts)


def _blow(scene: Scene[State], order: Break) -> int:
    """Damage of an attack on the object, -1 on a miss: base Difficulty and range."""
    me = fighter(scene, order.by)
    weapon = in_hand(me, order.weapon)
    spend_rounds(scene, order.by, weapon, fire_option(weapon, "normal", 1, scene.rulings).shots)
    dark = environment(scene.state)
    thing = object_named(scene.state, order.object)
    name = band(object_metres(scene.state, me, thing), weapon)
    close = weapon.kind != "ranged" and not scene.rulings.range_point_blank_close_combat
    ranged = 0 if close else tables.BANDS[name]
    here = Circumstances(environment=sum(part.amount for part in dark), parts=dark)
    mine = line(me, weapon, Option(), here, points=order.points)
    roles = {ATTACKER: order.by}
    hits = scene.call(attack_roll, mine, roles=roles)
    need = max(1, scene.rulings.difficulty_base + ranged)
    used_up(scene, order.by, weapon)
    data = {"object": order.object, "successes": hits, "difficulty": need}
    note(scene, me.id, "RD6-SPC-3", "object hit" if hits >= need else "object missed", data)
    if hits < need:
        return -1
    bought = Bought(hits - need)
    return scene.call(damage_roll, mine.damage, bought, mine.stymied, mine.damage_parts, roles=roles)
