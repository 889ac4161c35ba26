"""One attack roll and one damage roll against several: what bursts, cones and sweep fire have in common.

Each target compares the one total with its own Defense and changes alone, so that odds can be worked out for one of them
at a time. Result Points buy nothing here, since the damage is rolled once for all.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from affray.ask import ATTACKER, Ask
from affray.dice import Code, WildPool
from affray.events import Noted, get
from affray.modifiers import NO_PARTS, Modifier, Parts, total
from affray.rules import rule
from affray.rulesets.rond6 import feats
from affray.rulesets.rond6.actions import RondScene
from affray.rulesets.rond6.attack import after_attack
from affray.rulesets.rond6.checks import rolled
from affray.rulesets.rond6.mechanics import ARMOR, ATTACK, DAMAGE, Hit, missed, receive
from affray.rulesets.rond6.numbers import (
    Circumstances,
    Guard,
    Line,
    Test,
    circumstances,
    guard,
    line,
    prone_part,
    range_part,
    scale,
)
from affray.rulesets.rond6.sheet import Fighter, State, Weapon


class Victim(Struct, frozen=True):
    """One who may be hit. `parts`: what changes the total against this one alone; `half`: a wall weakens the damage."""

    id: str
    parts: Parts = NO_PARTS
    half: bool = False


@rule("RON-SPC-22", "RON-SPC-16", "RON-ATK-4")
def victim(state: State, by: str, at: str, weapon: Weapon, own_band: bool, half: bool = False) -> Victim:
    """A target with the modifiers that are its own: lying Prone, and its band where there is no common one."""
    c = circumstances(state, by, at, weapon)
    parts = prone_part(c, ranged=weapon.kind in ("ranged", "thrown"))
    return Victim(at, parts + range_part(c, weapon, state.rulings) if own_band else parts, half)


@rule("RON-DICE-12", "RON-AREA-2")
def common_line(
    state: State,
    by: str,
    weapon: Weapon,
    victims: Iterable[Victim],
    band: str,
    extra: Iterable[Modifier] = (),
    extra_damage: Iterable[Modifier] = (),
    *,
    points: int = 0,
    fate: bool = False,
    damage_points: int = 0,
) -> Line:
    """What the attacker brings against all of them. Size counts where all are of one size."""
    me: Fighter = get(state, by)
    sizes = {scale(me, get(state, one.id)) for one in victims}
    c = Circumstances(2, band, scale=sizes.pop() if len(sizes) == 1 else 0)
    return line(
        me, weapon, c, state.rulings, extra, extra_damage,
        points=points, fate=fate, damage_points=damage_points, feats=False,
    )  # fmt: skip


@rule("RON-AREA-10", "RON-SPC-22", "RON-ATK-2", "RON-DMG-1")
def volley(
    scene: RondScene, by: str, weapon: Weapon, brought: Line, victims: tuple[Victim, ...], sure: bool = False
) -> tuple[str, ...]:
    """One Test against each Defense, then one damage roll for all who are hit. `sure`: no Test, all are hit.

    Returns the ids of those who are hit.
    """
    thrown = 0 if sure else scene.call(rolled, brought.test, ATTACK, ATTACKER, roles={ATTACKER: by})
    hit: list[tuple[Victim, Guard, int]] = []
    for one in victims:
        state = scene.state
        met = guard(get(state, one.id), weapon.kind, circumstances(state, by, one.id, weapon), state.rulings, weapon.stun)
        reached = thrown + total(one.parts)
        if sure or reached >= met.value:
            hit.append((one, met, 0 if sure else feats.result_points(reached - met.value, state.rulings)))
        if not sure:
            compare(scene, one, met, reached, by)
    if hit:
        damage = scene.call(rolled, floored(brought), DAMAGE, ATTACKER, roles={ATTACKER: by})
        for one, met, points in hit:
            dealt = damage // 2 if one.half else damage
            scene.become(one.id, struck, dealt, met.drt, met.armor, weapon.stun, points, roles={ATTACKER: by})
    for one in victims:
        after_attack(scene, by, one.id)
    return tuple(one.id for one, _, _ in hit)


@rule("RON-ATK-2", "RON-DEF-8")
def compare(scene: RondScene, one: Victim, met: Guard, reached: int, by: str) -> None:
    """The total against one Defense: told, and a miss may leave points with the defender."""
    if reached >= met.value:
        points = feats.result_points(reached - met.value, scene.state.rulings)
        result: tuple[tuple[str, str | int], ...] = (("result", "hit"), ("result_points", points))
    else:
        result = (("result", "miss"),)
    data = (("total", reached), ("need", met.value), *result)
    scene.tell(Noted(one.id, "RON-ATK-2", "attack.total", data, met.parts + one.parts))
    slip = missed(scene, met, reached) if reached < met.value else None
    if slip is not None:
        scene.become(one.id, receive, slip, roles={ATTACKER: by})


@rule("RON-DICE-12")
def floored(brought: Line) -> Test:
    """The common damage roll, never below 1D."""
    return replace(brought.damage, dice=max(1, brought.damage.dice))


@rule("RON-DMG-3", "RON-DMG-5")
def struck(ask: Ask, me: Fighter, damage: int, drt: int, armor: Code | None, stun: bool, levels: int) -> Fighter:
    """A Damage Total that was rolled for several reaches one of them."""
    if armor is not None:
        drt += ask.roll(WildPool(armor.dice, armor.pips), ARMOR, me.id)
    ask.tell(Noted(me.id, "RON-DMG-3", "damage.total", (("total", damage), ("drt", drt), ("over", damage - drt))))
    return receive(ask, me, Hit(damage - drt, stun, (), levels))
