"""What an attack is worth and what a place is in danger of, for policies that look at the whole scene.

Estimates, not odds: Result Points and points on resistance are left out. Harm is counted in Wounds; being Stunned for the
first time is worth part of one.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import chain
from typing import Any

from msgspec.structs import replace

from affray.dice import Code, WildPool
from affray.events import get, put
from affray.modifiers import Modifier
from affray.rulesets.rond6 import initiative
from affray.rulesets.rond6.actions import FULL
from affray.rulesets.rond6.attack import Attack, attack_refused, hidden_from, loaded, out_of_reach, prepared
from affray.rulesets.rond6.movement import move_value
from affray.rulesets.rond6.numbers import Guard, Line, distance
from affray.rulesets.rond6.sheet import Fighter, Standing, State, Weapon
from affray.rulesets.rond6.special.charge import striking_weapon
from affray.rulesets.rond6.ways import WAYS, cost, suits
from affray.space import Cell

STUN = 0.4
"""Worth of stunning somebody who is not."""


@lru_cache(maxsize=20_000)
def reaching(pool: WildPool, need: int) -> float:
    """Chance that a pool's total is at least `need`."""
    outcomes = pool.outcomes()
    whole = sum(weight for _, weight in outcomes)
    return sum(weight for total, weight in outcomes if total >= need) / whole


@lru_cache(maxsize=20_000)
def hurting(pool: WildPool, need: int, room: int, stunned: bool) -> float:
    """Wounds to be expected of a damage pool against a resistance, at most `room`, and the worth of stunning."""
    first = 0.0 if stunned else STUN
    return first * reaching(pool, need) + sum(reaching(pool, need + 6 * n) for n in range(1, room + 1))


def harm(brought: Line, met: Guard, target: Fighter, rulings: Any) -> float:
    """Harm to be expected of an attack."""
    hits = reaching(brought.test.pool(rulings), met.value - brought.test.plus)
    armor: Code | None = met.armor
    resist = met.drt + (7 * armor.dice // 2 if armor else 0) - brought.damage.plus
    damage = replace(brought.damage, dice=max(1, brought.damage.dice)).pool(rulings)
    return hits * hurting(damage, resist, max(1, 4 - target.wounds), target.stunned)


def hit_chance(state: State, order: Attack, weapon: Weapon) -> float:
    """Chance that an attack hits as the scene stands."""
    brought, met = prepared(state, order, weapon)
    return reaching(brought.test.pool(state.rulings), met.value - brought.test.plus)


def worth(state: State, order: Attack, weapon: Weapon, extra: tuple[Modifier, ...] = ()) -> float:
    """Harm to be expected of an attack as the scene stands."""
    brought, met = prepared(state, order, weapon, extra)
    return harm(brought, met, get(state, order.target), state.rulings)


def attacks(state: State, me: Fighter, foes: tuple[Fighter, ...], full: bool) -> list[tuple[float, Attack]]:
    """Attacks that are possible now with their worth: plain ones, or (`full`) those that take the whole turn."""
    found = []
    for foe in foes:
        for weapon in loaded(me):
            for order in _tries(me, foe, weapon, full):
                if (cost(me, weapon, order, state.rulings) == FULL) is full and attack_refused(state, me, order) is None:
                    found.append((worth(state, order, weapon), order))
    return found


def _tries(me: Fighter, foe: Fighter, weapon: Weapon, full: bool) -> list[Attack]:
    """Ways to attack with a weapon that are worth a thought."""
    off = weapon.name != me.held[0] if me.held and weapon.hands else False
    one_handed = off and weapon.hands == 1
    manners = [name for name, way in WAYS.items() if way.full is full and name != "called" and suits(name, weapon)]
    tries = [Attack(me.id, foe.id, weapon.name, manner, off_hand=one_handed and _both(me)) for manner in manners]  # type: ignore[arg-type]
    if weapon.kind == "ranged" and "semi" in weapon.modes and weapon.ammo:
        left = me.rounds(weapon)
        rounds = {left} if full else {left // 2, min(3, left // 2)}
        tries += [Attack(me.id, foe.id, weapon.name, rounds=n) for n in sorted(rounds) if n > 1]
    return tries


def _both(me: Fighter) -> bool:
    """Holds two one-handed weapons of which the second is in the off hand."""
    weapons = [me.sheet.weapon(name) for name in me.held]
    return len(weapons) == 2 and all(weapon is not None and weapon.hands == 1 for weapon in weapons)


def foes_of(state: State, me: Fighter) -> tuple[Fighter, ...]:
    """Enemies who can still fight, the nearest first."""
    able = [f for f in state.fighters if f.side != me.side and initiative.able(f)]
    return tuple(sorted(able, key=lambda f: (distance(state, me, f), f.id)))


def friends_of(state: State, me: Fighter) -> tuple[Fighter, ...]:
    """Those on one's side who can still fight, oneself among them."""
    return tuple(f for f in state.fighters if f.side == me.side and initiative.able(f))


def danger(state: State, me: Fighter) -> float:
    """Harm to be expected until the next turn, if each enemy makes one plain attack on somebody of this side."""
    share = 1 / max(1, min(3, len(friends_of(state, me))))
    return share * sum(threat(state, foe, me) for foe in foes_of(state, me))


def threat(state: State, foe: Fighter, me: Fighter) -> float:
    """The worth of the best plain attack of an enemy, or, for one who cannot reach yet but soon will, most of it."""
    fresh = replace(foe, declared=0, used=0, full=False)
    best, weapons = 0.0, loaded(foe)
    seen = hidden_from(state, foe, me) is None
    for weapon in weapons:
        if seen and out_of_reach(state, foe, me, weapon) is None:
            best = max(best, worth(put(state, fresh), Attack(foe.id, me.id, weapon.name), weapon))
    if best == 0.0 and (blow := striking_weapon(foe, "")) is not None and distance(state, foe, me) <= 2 * move_value(foe):
        best = 0.8 * worth(put(state, fresh), Attack(foe.id, me.id, blow.name), blow)
    return best


def dodging(state: State, me: Fighter, dice: int) -> State:
    """The state as if a dodge of so many dice had been rolled, with its average."""
    total = max(1, dice) * 7 // 2
    return put(state, replace(me, standing=(*me.standing, Standing("dodge", total))))


def moved(state: State, me: Fighter, to: Cell) -> State:
    """The state as if somebody stood elsewhere."""
    return put(state, replace(me, at=to))


def cells_with_cover(state: State, me: Fighter, reach: int) -> tuple[Cell, ...]:
    """Free Spaces within reach that give more cover than one's own, the best first."""
    if me.at is None:
        return ()
    x, y = me.at
    taken = {f.at for f in state.fighters if f.id != me.id} | state.space.walls()
    now = max(me.cover, state.space.at(me.at, "cover"))
    areas = [area for area in state.space.areas if area.kind == "cover" and area.value > now]
    inside = {
        cell
        for cell in chain.from_iterable(area.cells() for area in areas)
        if max(abs(cell[0] - x), abs(cell[1] - y)) <= reach and cell not in taken
    }
    best = sorted(inside, key=lambda c: (-state.space.at(c, "cover"), max(abs(c[0] - x), abs(c[1] - y)), c))
    return tuple(best[:3])
