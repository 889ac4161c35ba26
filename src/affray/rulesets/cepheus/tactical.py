"""A policy that weighs the whole scene: cover, aim, bursts, suppression, leadership, retreat. For live play only.

A turn: save your skin, get a weapon that works, then the best attack that the eye can judge, with an aim before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from affray.ask import Choose
from affray.domains import Pick
from affray.rulesets.cepheus import actions, attack, damage, numbers
from affray.rulesets.cepheus import commands as c
from affray.rulesets.cepheus.numbers import dice_of
from affray.rulesets.cepheus.policies import CAUTIOUS, Doctrine, approach, chance, first_legal, hurt
from affray.rulesets.cepheus.sheet import PHYSICAL, Fighter, State

POOR = 1.0
"""Expected points below which a shot is not worth the trouble when there is something better."""
LOOK_AT = 6
"""Nearest enemies that are weighed against each other."""


@dataclass(frozen=True)
class Tactician:
    """`like`: the doctrine that answers questions; `nerve`: points lost until it thinks of itself."""

    name: str
    like: Doctrine
    nerve: int

    # ---- orders

    def order(self, state: State, who: str, pick: Pick) -> Any:
        """The next order of a turn."""
        return first_legal(state, who, self.ideas(state, state[who]))

    def ideas(self, state: State, me: Fighter) -> Iterator[Any]:
        """Orders, the best first."""
        who = me.id
        if me.task is not None:
            yield c.Continue(who)
        if me.grapple:
            yield c.Wrestle(who)
            return
        foes = nearest_foes(state, me)
        if not foes:
            return
        yield from self.safety(state, me, foes)
        if actions.significant_left(me):
            best = best_attack(state, me, foes)
            if best is not None:
                yield from self.instead(state, me, best)
                yield from self.before(state, me, best)
                yield best
        yield from self.arm(state, me)
        yield from approach(state, me, foes)
        if me.significant and not me.serious:
            best = best_attack(state, me, foes)
            if best is not None and not attack.built(state, best).melee:
                yield c.Aim(who, best.target)

    def safety(self, state: State, me: Fighter, foes: list[Fighter]) -> Iterator[Any]:
        """Get behind what there is, lie down in the open, get away when badly hurt."""
        far = numbers.band(state, me.id, foes[0].id) >= 3
        shoots = any(weapon.kind != "melee" for weapon, _ in numbers.ready_weapons(me))
        if shoots and me.stance == "standing" and actions.minor_left(me):
            if 0 < me.cover < 4:
                yield c.Stance(me.id, "crouched", because="low behind cover is harder to hit")
            elif far and not me.cover:
                yield c.Stance(me.id, "prone", because="far from everybody, lying down is harder to hit")
        if me.stance == "prone" and not shoots:
            yield c.Stance(me.id, "standing")
        loaded = any(weapon.kind != "melee" and held.rounds for weapon, held in numbers.ready_weapons(me))
        close = numbers.band(state, me.id, foes[0].id) <= 1
        fit = me.stance == "standing" and not me.minor and not me.serious
        if loaded and close and fit and hurt(me) >= self.nerve:
            yield c.Move(me.id, away=(foes[0].id,), because="hurt, and too close")  # one step back, then a shot

    def instead(self, state: State, me: Fighter, best: Any) -> Iterator[Any]:
        """When a shot promises little: lead a friend who has not acted, or keep the heads of the enemy down."""
        if worth(state, me, state[best.target], best) >= POOR or attack.built(state, best).melee:
            return
        if (numbers.level(me, "Leadership") or 0) >= 1:
            for friend in state.fighters:
                if friend.side == me.side and friend.id != me.id and not friend.begun and friend.status == "up":
                    yield c.Lead(me.id, friend.id, because="a shot promises little, a friend has still to act")
        foe = state[best.target]
        if not foe.begun and foe.suppressed < 0 and not damage.unsuppressable(foe):
            for weapon, held in numbers.ready_weapons(me):
                for mode in weapon.modes:
                    if mode.rounds > 1 and 3 * mode.rounds <= held.rounds:
                        yield c.Suppress(
                            me.id, foe.id, weapon.name, mode.name, "spray", because="a shot promises little, so keep heads down"
                        )

    def before(self, state: State, me: Fighter, best: Any) -> Iterator[Any]:
        """One aiming action before a shot, if there is one to spare and it can miss."""
        if actions.minor_left(me) and not me.minor and not me.serious and isinstance(best, c.Attack):
            built = attack.built(state, best)
            if not built.melee and (me.aim_at != best.target or me.aim < 2):
                yield c.Aim(me.id, best.target)

    def arm(self, state: State, me: Fighter) -> Iterator[Any]:
        """Reload what is in hand, or draw what would work."""
        for weapon, held in numbers.ready_weapons(me):
            if weapon.magazine and held.rounds < min(mode.rounds for mode in weapon.modes):
                yield c.Reload(me.id, weapon.name)
        if not numbers.ready_weapons(me):
            for weapon in me.sheet.weapons:
                yield c.Draw(me.id, weapon.name)

    def answer(self, request: Choose, state: Any, pick: Pick) -> Any:
        """As the doctrine it builds on, but for whole turns inside an order."""
        if request.why.key == "order":
            return self.order(state, request.seen[0], pick) if state is not None else None
        return self.like.answer(request, state, pick)


def nearest_foes(state: State, me: Fighter) -> list[Fighter]:
    """Conscious opponents he knows of (all, when he knows of none), the nearest first."""
    foes = [f for f in state.fighters if f.side != me.side and f.status == "up"]
    known = [f for f in foes if f.id in me.aware] or foes
    return sorted(known, key=lambda f: numbers.metres(state, me.id, f.id))[:LOOK_AT]


def ways(me: Fighter, foe: Fighter) -> Iterator[Any]:
    """Attacks with what is in hand, in every mode and manner of fire; bare hands last."""
    for weapon, _ in numbers.ready_weapons(me):
        for mode in weapon.modes:
            for fire in ("spray", "grouped") if mode.rounds > 1 and not weapon.payload else ("",):
                yield c.Attack(me.id, foe.id, weapon.name, mode=mode.name, fire=fire)
    yield c.Attack(me.id, foe.id, "Unarmed Strike")


def worth(state: State, me: Fighter, foe: Fighter, order: Any) -> float:
    """Points expected to get through: chance to hit times damage after armour, with a little for nearly done targets."""
    built = attack.built(state, order)
    circ = numbers.circumstances(state, me.id, foe.id)
    line = numbers.line(me, built, circ, state.rulings)
    guard = numbers.guard(foe, built, circ, state.rulings)
    dm = line.dm + guard.dm
    dealt = 3.5 * (line.dice + line.burst) + line.plus + max(0, dm)
    if built.weapon.payload:
        friends = [
            f for f in state.fighters if f.side == me.side and numbers.metres(state, foe.id, f.id) <= 9 and f.status == "up"
        ]
        dealt = 0.0 if friends or not built.weapon.rings else 3.5 * dice_of(built.weapon.rings[0].damage)
    through = max(0.3, dealt - sum(rating for rating, _ in damage.armour(foe, built.weapon.laser)))
    left = sum(getattr(foe, name) for name in PHYSICAL)
    return float(chance(dm) * min(through, left) * (1 + 2 / (4 + left)) - 0.01 * built.rounds)


def best_attack(state: State, me: Fighter, foes: list[Fighter]) -> Any:
    """The legal attack that promises most, or None."""
    best, most = None, 0.0
    for foe in foes:
        for order in ways(me, foe):
            if attack.refusal(state, order) is None and (value := worth(state, me, foe, order)) > most:
                best, most = order, value
    return best


TACTICAL = Tactician("tactical", CAUTIOUS, nerve=6)
