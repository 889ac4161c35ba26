"""A policy that looks at the whole scene: it weighs what it could do against what may come, and says why it chose.

It works live only: what it reads is far more than a table could hold. Each idea is a function that offers choices; the
one with the highest gain (harm done less harm to be feared) is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec.structs import replace

from affray.ask import Choose
from affray.domains import Pick
from affray.events import get, put
from affray.modifiers import Modifier
from affray.rulesets.rond6 import actions, areas, attack, conditions, defence, estimate, exertion, gear, movement, policies
from affray.rulesets.rond6.commands import why_not
from affray.rulesets.rond6.estimate import danger, foes_of, friends_of, worth
from affray.rulesets.rond6.numbers import distance, test_of
from affray.rulesets.rond6.sheet import Fighter, State
from affray.rulesets.rond6.special.automatic import Sweep, sprays
from affray.rulesets.rond6.special.charge import Charge, striking_weapon
from affray.rulesets.rond6.special.coordinate import Coordinate, may_join

CHARGE = (Modifier(2, "D", "charge", "RON-SPC-7"),)
CLEARLY = 1.15
"""How much better than the plain attack something has to be before it is done instead."""


NEAR = 6
"""Enemies that are thought about, the nearest first."""


class Choice(NamedTuple):
    """Something to do, what is gained by it, and why."""

    gain: float
    order: Any
    because: str


class Tactical:
    """Coordinates, aims, takes cover, charges, uses the modes of its weapons, defends when hurt, falls back when beaten."""

    name = "tactical"

    def order(self, state: State, who: str, pick: Pick) -> Any:
        """The best of all legal ideas, with the reason in it."""
        me: Fighter = get(state, who)
        ideas = sorted(self.ideas(state, me), key=lambda choice: -choice.gain)
        for choice in ideas:
            if choice.gain > -99 and why_not(state, choice.order) is None:
                return replace(choice.order, because=choice.because)
        return actions.End(who)

    def ideas(self, state: State, me: Fighter) -> Iterator[Choice]:
        """All that comes to mind now."""
        foes = considered(state, me)
        if not foes or me.full:
            return
        if not me.doing and not state.interrupting and (together := agree(state, me, foes)):
            yield together
            return
        fear = danger(state, me) * (1 + me.wounds / 2)
        if me.declared:
            if actions.left(me) > 0:
                yield from plain(state, me, foes, fear)
                yield from unusual(state, me, foes, fear)
            return
        for n in range(2, min(3, actions.limit(me, state.rulings)) + 1):
            yield from several(state, me, foes, fear, n)
        yield from plain(state, me, foes, fear)
        yield from unusual(state, me, foes, fear)
        yield from whole_turn(state, me, foes, fear)

    def answer(self, request: Choose, state: Any, pick: Pick) -> Any:
        """As the cautious doctrine does."""
        return policies.CAUTIOUS.answer(request, state, pick)


def considered(state: State, me: Fighter) -> tuple[Fighter, ...]:
    """The enemies worth a thought: the nearest ones, and whoever is attacked together this Round."""
    foes = foes_of(state, me)
    agreed = {team.target for team in state.teams if team.round == state.round and me.id in team.members}
    return (*foes[:NEAR], *(foe for foe in foes[NEAR:] if foe.id in agreed))


def best_attack(state: State, me: Fighter, foes: tuple[Fighter, ...]) -> tuple[float, attack.Attack] | None:
    """The plain attack that promises most."""
    options = estimate.attacks(state, me, foes, full=False)
    return max(options, key=lambda pair: pair[0], default=None)


def agree(state: State, me: Fighter, foes: tuple[Fighter, ...]) -> Choice | None:
    """Name the allies who can reach the best target, before the first attack."""
    best = best_attack(state, me, foes)
    if best is None or any(team.round == state.round and me.id in team.members for team in state.teams):
        return None
    target: Fighter = get(state, best[1].target)
    busy = {who for team in state.teams if team.round == state.round for who in team.members}
    others = [f for f in friends_of(state, me) if f.id != me.id and f.id not in busy and may_join(f)]
    helpers = [f for f in others if policies.why_not_reach(state, f, target)][:3]
    if not helpers:
        return None
    members = (me.id, *(f.id for f in helpers))
    order = Coordinate(me.id, target.id, members)
    because = f"{len(members)} of us can reach {target.name} this Round"
    return Choice(50.0, order, because) if why_not(state, order) is None else None


def plain(state: State, me: Fighter, foes: tuple[Fighter, ...], fear: float) -> Iterator[Choice]:
    """One Action: the best attack, or a dodge."""
    best = best_attack(state, me, foes)
    if best is not None:
        gain, order = best
        weapon = me.sheet.weapon(order.weapon)
        assert weapon is not None
        chance = estimate.hit_chance(state, order, weapon)
        how = f", {order.rounds} rounds" if order.rounds > 1 else f", {order.manner}" if order.manner else ""
        yield Choice(gain - fear, order, f"the {weapon.name}{how} hits {get(state, order.target).name} at {chance:.0%}")
    if not me.standing and not me.barred and me.declared:
        spared = fear - calm(state, me, 0)
        yield Choice(spared - fear, defence.Dodge(me.id), "there is more to fear than to gain by another attack")


def calm(state: State, me: Fighter, extra: int) -> float:
    """What would be feared behind a dodge with so many dice more."""
    dice = test_of(me, "Dodge", state.rulings).dice + extra
    return danger(estimate.dodging(state, me, dice), me_now(state, me)) * (1 + me.wounds / 2)


def me_now(state: State, me: Fighter) -> Fighter:
    return get(state, me.id)  # type: ignore[no-any-return]


def several(state: State, me: Fighter, foes: tuple[Fighter, ...], fear: float, n: int) -> Iterator[Choice]:
    """Several Actions: attacks only, or a dodge among them."""
    then = put(state, replace(me, declared=n))
    hurried = get(then, me.id)
    best = best_attack(then, hurried, foes)
    if best is None:
        return
    gain = best[0]
    yield Choice(n * gain - fear, actions.Declare(me.id, n), f"{n} attacks, each at -{n - 1}D, promise more than one")
    if not me.barred:
        spared = fear - calm(then, hurried, 0)
        because = "hurt: attack and dodge" if me.wounds else "attack, and dodge what comes back"
        yield Choice((n - 1) * gain + spared - fear, actions.Declare(me.id, n), because)


def unusual(state: State, me: Fighter, foes: tuple[Fighter, ...], fear: float) -> Iterator[Choice]:
    """Other things for one Action: areas, getting up, getting a weapon ready, shaking off a stun, coming closer."""
    yield from bursts(state, me, foes, fear)
    near = distance(state, me, foes[0])
    if me.prone and near <= 2:
        yield Choice(0.3 - fear, exertion.Stand(me.id), "easy to strike while lying down")
    if me.stunned and near > 3:
        yield Choice(0.25 - fear, conditions.Recover(me.id), "nobody is near: time to get over the stun")
    if me.has("grappled"):
        return
    armed = [weapon for weapon in attack.loaded(me) if weapon.kind != "unarmed"]
    if not armed:
        for weapon in me.sheet.weapons:
            yield Choice(0.3 - fear, gear.Ready(me.id, weapon.name), f"nothing loaded in hand: the {weapon.name} first")


def bursts(state: State, me: Fighter, foes: tuple[Fighter, ...], fear: float) -> Iterator[Choice]:
    """Areas that catch more enemies than friends."""
    for weapon in areas.area_weapons(me):
        if me.at is None:
            continue
        orders = [areas.Area(me.id, weapon.name, foe.at) for foe in foes if foe.at is not None]
        if not areas.bursting(weapon):
            orders = [areas.Area(me.id, weapon.name, None, facing) for facing in areas.facings(state.rulings)]
        for order in orders:
            if areas.area_refused(state, me, order) is not None:
                continue
            inside = [get(state, who) for who in areas.inside(state, me.id, areas.of_weapon(weapon, order.at, order.facing))]
            caught = [f for f in inside if not f.out]
            each = [(worth(state, attack.Attack(me.id, f.id, weapon.name), weapon), f.side == me.side) for f in caught if f != me]
            gain = sum(-2 * value if friend else value for value, friend in each)
            gain -= 99 if me in caught else 0
            yield Choice(gain - fear, order, f"it catches {sum(not friend for _, friend in each)} of them")


def whole_turn(state: State, me: Fighter, foes: tuple[Fighter, ...], fear: float) -> Iterator[Choice]:
    """Full Actions: reckless attacks, sweeps, charges, aiming, Full Defense, moving into cover, away or closer."""
    for gain, order in estimate.attacks(state, me, foes, full=True):
        words = order.manner.replace("_", " ") or f"{order.rounds} rounds"
        yield Choice(gain - fear * CLEARLY, order, f"{words}: worth the whole turn")
    for weapon in attack.loaded(me):
        swept = tuple(f for f in foes if policies.why_not_reach(state, me, f)) if sprays(weapon) else ()
        if len(swept) > 1:
            less = [worth(state, attack.Attack(me.id, f.id, weapon.name), weapon) / 2 for f in swept]
            sweep = Sweep(me.id, tuple(f.id for f in swept), weapon.name)
            yield Choice(sum(less) - fear, sweep, f"{len(swept)} of them stand in the field of fire")
    yield from charges(state, me, foes, fear)
    yield from patience(state, me, foes, fear)
    spared = fear - calm(state, me, 2)
    if me.wounds and not me.barred:
        yield Choice(spared - fear, defence.Dodge(me.id, full=True), f"Wounds {me.wounds}: nothing but defense")
    yield from moves(state, me, foes, fear)


def charges(state: State, me: Fighter, foes: tuple[Fighter, ...], fear: float) -> Iterator[Choice]:
    """Charges, one point of defense given away."""
    blow = striking_weapon(me, "")
    if blow is None or (blow.kind == "unarmed" and any(w.kind == "ranged" for w in attack.loaded(me))):
        return
    for foe in foes:
        order = Charge(me.id, foe.id, blow.name)
        if why_not(state, order) is None:
            gain = worth(state, attack.Attack(me.id, foe.id, blow.name), blow, CHARGE)
            yield Choice(gain - fear * CLEARLY, order, f"{foe.name} is in reach of a charge")


def patience(state: State, me: Fighter, foes: tuple[Fighter, ...], fear: float) -> Iterator[Choice]:
    """Aiming, where the shot is poor and a die more would pay for the Round."""
    best = best_attack(state, me, foes)
    weapon = me.sheet.weapon(best[1].weapon) if best else None
    if best is None or weapon is None or weapon.kind not in ("ranged", "thrown") or me.aim >= 3:
        return
    better = best_attack(put(state, replace(me, aim=me.aim + 1)), replace(me, aim=me.aim + 1), foes)
    if better is not None and better[0] / 2 > best[0] * CLEARLY:
        chance = estimate.hit_chance(state, best[1], weapon)
        yield Choice(better[0] / 2 - fear, actions.Aim(me.id), f"only {chance:.0%} to hit: aim first")


def moves(state: State, me: Fighter, foes: tuple[Fighter, ...], fear: float) -> Iterator[Choice]:
    """Into cover, out of the fight when badly hurt, towards the enemy when nobody is in reach."""
    if me.has("grappled"):
        return
    reach, hurt = movement.move_value(me), 1 + me.wounds / 2
    can_hit = best_attack(state, me, foes) is not None
    for cell in estimate.cells_with_cover(state, me, reach):
        there = estimate.moved(state, me, cell)
        left = danger(there, me_now(there, me)) * hurt
        after = best_attack(there, me_now(there, me), foes)
        later = after[0] / 2 if after else 0.0
        worthy = "out of their fire and still in range" if after else "out of their fire"
        yield Choice(later - left, movement.Move(me.id, to=cell), f"cover of {state.space.at(cell, 'cover')}: {worthy}")
    if me.wounds >= 2:
        yield from retreats(state, me, foes, reach)
    if not can_hit:
        for number, order in enumerate(policies.advance(state, me)):
            yield Choice(0.2 - 0.02 * number - fear, order, "nobody is in reach")


def retreats(state: State, me: Fighter, foes: tuple[Fighter, ...], reach: int) -> Iterator[Choice]:
    """Steps away from the enemy, for those who are badly hurt."""
    hurt = 1 + me.wounds / 2
    if me.at is None:
        order = movement.Move(me.id, towards=foes[0].id, steps=-reach)
        yield Choice(-danger(state, me) * hurt / 2, order, f"{me.wounds} Wounds: fall back")
        return
    x, y = me.at
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)):
        order = movement.Move(me.id, to=(x + dx * reach, y + dy * reach))
        if why_not(state, order) is None and order.to is not None:
            there = estimate.moved(state, me, order.to)
            left = danger(there, me_now(there, me)) * hurt
            yield Choice(-left, order, f"{me.wounds} Wounds: fall back from {foes[0].name}")


TACTICAL = Tactical()
