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
from affray.rulesets.rond6.damage import ARMOR, rung
from affray.rulesets.rond6.mechanics import ATTACK, DAMAGE, Hit, Slip, missed, receive
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
    state, roles = scene.state, {ATTACKER: by}
    marks = tuple(mark(state, by, weapon, one) for one in victims)
    came = tuple(Came(True, id=one.id) for one in marks) if sure else scene.call(compare, brought.test, marks, roles=roles)
    for one, result in zip(marks, came, strict=True):
        if result.slip:
            scene.become(one.id, receive, Slip(result.slip), roles=roles)
    hit = tuple(one for one, result in zip(marks, came, strict=True) if result.hit)
    if hit:
        levels = [result.levels for result in came if result.hit]
        for one, over, level in zip(hit, scene.call(deal, floored(brought.damage), hit, roles=roles), levels, strict=True):
            scene.become(one.id, struck, over, one.met.armor, weapon.stun, level, roles=roles)
    for one in marks:
        after_attack(scene, by, one.id)
    return tuple(one.id for one in hit)


class Mark(Struct, frozen=True):
    """A victim as the common rolls see it: what its own modifiers add to the total, what it offers, what has to be known."""

    id: str
    plus: int
    met: Guard
    half: bool = False
    thing: bool = False
    parts: Parts = NO_PARTS


class Came(Struct, frozen=True):
    """What the common Test did to one of them. `slip`: points of a Defense Test that won; `levels`: points, where they tell."""

    hit: bool
    slip: int = 0
    levels: int = 0
    id: str = ""


def mark(state: State, by: str, weapon: Weapon, one: Victim) -> Mark:
    """A victim, with its Defense against this attacker."""
    me: Fighter = get(state, one.id)
    met = guard(me, weapon.kind, circumstances(state, by, one.id, weapon), state.rulings, weapon.stun)
    return Mark(one.id, total(one.parts), met, one.half, me.sheet.object, one.parts)


@rule("RON-AREA-10", "RON-SPC-22", "RON-ATK-2", "RON-DEF-8", "RON-RP-1")
def compare(ask: Ask, test: Test, marks: tuple[Mark, ...]) -> tuple[Came, ...]:
    """One attack total against each Defense; a miss may leave points with a defender."""
    thrown = ask.roll(test.pool(ask.rulings), ATTACK, ATTACKER, test.parts) + test.plus
    came = []
    for one in marks:
        reached = thrown + one.plus
        points = feats.result_points(max(0, reached - one.met.value), ask.rulings)
        result = (("result", "hit"), ("result_points", points)) if reached >= one.met.value else (("result", "miss"),)
        data = (("total", reached), ("need", one.met.value), *result)
        ask.tell(Noted(one.id, "RON-ATK-2", "attack.total", data, one.met.parts + one.parts))
        if reached >= one.met.value:
            came.append(Came(True, 0, points if one.thing else 0, one.id))
        else:
            slip = missed(ask, one.met, reached)
            came.append(Came(False, slip.points if slip else 0, 0, one.id))
    return tuple(came)


@rule("RON-DMG-1", "RON-DMG-3", "RON-DMG-5")
def deal(ask: Ask, test: Test, marks: tuple[Mark, ...]) -> tuple[int, ...]:
    """One damage roll: by how much it passes each resistance, told apart no finer than the one who is hit must know."""
    dealt = ask.roll(test.pool(ask.rulings), DAMAGE, ATTACKER, test.parts) + test.plus
    overs = []
    for one in marks:
        mine = dealt // 2 if one.half else dealt
        over = mine - one.met.drt
        ask.tell(Noted(one.id, "RON-DMG-3", "damage.total", (("total", mine), ("drt", one.met.drt), ("over", over))))
        overs.append(over if one.met.precise or one.met.armor is not None else rung(over))
    return tuple(overs)


@rule("RON-DICE-12")
def floored(damage: Test) -> Test:
    """The common damage roll, never below 1D."""
    return replace(damage, dice=max(1, damage.dice))


@rule("RON-DMG-3", "RON-DMG-5")
def struck(ask: Ask, me: Fighter, over: int, armor: Code | None, stun: bool, levels: int) -> Fighter:
    """Damage that was rolled for several reaches one of them, through its armor where that is rolled."""
    if armor is not None:
        over -= ask.roll(WildPool(armor.dice, armor.pips), ARMOR, me.id)
    return receive(ask, me, Hit(over, stun, (), levels))
