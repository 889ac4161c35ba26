"""How computers fight: named doctrines that decide from the fighter himself and a short outlook, so that tables can hold them.

A turn is a row of words ('crouch', 'aim', 'attack', ...). What needs the scene (closing in, drawing what would reach)
comes in only when nobody can be attacked from here. The richer `tactical` weighs the whole scene and is for live play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from affray.ask import Choose
from affray.domains import Pick
from affray.rulesets.cepheus import actions, attack, dispatch, movement, numbers, tables
from affray.rulesets.cepheus import commands as c
from affray.rulesets.cepheus.defence import Threat
from affray.rulesets.cepheus.sheet import PHYSICAL, UNARMED, Fighter, Held, State, Weapon
from affray.rulesets.cepheus.special import grapple
from affray.tabular import Outlook

NEAR = 2
"""An enemy up to Short is a threat."""


@cache
def chance(dm: int) -> float:
    """Probability that two dice and `dm` reach 8."""
    need = 8 - dm
    return sum(1 for a in range(1, 7) for b in range(1, 7) if a + b >= need) / 36


def hurt(me: Fighter) -> int:
    """Points lost of the three."""
    return sum(getattr(me.sheet, name) - getattr(me, name) for name in PHYSICAL)


# ---- what is in hand


def in_hand(me: Fighter) -> tuple[Weapon, Held]:
    """The weapon that a doctrine uses: the first one in hand, else bare hands."""
    ready = numbers.ready_weapons(me)
    return ready[0] if ready else (UNARMED, Held(UNARMED.name))


def shoots(weapon: Weapon) -> bool:
    return weapon.kind != "melee"


def fire_of(me: Fighter, weapon: Weapon, held: Held) -> tuple[str, str]:
    """Mode and manner of fire: the longest burst that the magazine holds, sprayed by the unsure and grouped by the good.

    Looks at the shooter alone, never at the rounds that happen to be left.
    """
    modes = [mode for mode in weapon.modes if not weapon.mode_switch or mode.name == held.mode]
    best = max(modes or weapon.modes, key=lambda mode: (mode.rounds * 5 <= weapon.magazine, mode.rounds))
    if best.rounds == 1 or weapon.payload:
        return best.name, ""
    skill = max(level if (level := numbers.level(me, name)) is not None else numbers.UNSKILLED for name in weapon.skills)
    return best.name, "grouped" if skill >= 2 else "spray"


def loaded(me: Fighter, weapon: Weapon, held: Held) -> bool:
    """Whether there are rounds for the chosen mode."""
    name, _ = fire_of(me, weapon, held)
    return not weapon.magazine or held.rounds >= next(mode.rounds for mode in weapon.modes if mode.name == name)


def shot(me: Fighter, target: str) -> c.Attack:
    """The attack that a doctrine makes on somebody."""
    weapon, held = in_hand(me)
    name, fire = fire_of(me, weapon, held)
    return c.Attack(me.id, target, weapon.name, mode=name, fire=fire)  # type: ignore[arg-type]


# ---- doctrines


def first_legal(state: State, who: str, ideas: Iterator[Any]) -> Any:
    """The first order that may be given; else the turn ends."""
    return next((order for order in ideas if dispatch.why_not(state, order) is None), c.End(who))


@dataclass(frozen=True)
class Doctrine:
    """`aims`: an action of aiming before each shot; `low`: crouches or lies down; `dodges`: reactions in a round.

    `nerve`: points lost from which a blast is dived from.
    """

    name: str
    aims: bool
    low: bool
    dodges: int
    nerve: int

    def next(self, me: Fighter, view: Outlook) -> str:
        """The next word of a turn, from the fighter and the outlook alone."""
        weapon, held = in_hand(me)
        minor, significant = actions.minor_left(me), actions.significant_left(me)
        spare = minor > 0 and not me.serious
        if not numbers.ready_weapons(me) and me.held and minor and any(not one.gone for one in me.held):
            return "draw"
        if me.stance == "prone" and minor and (not shoots(weapon) or (self.low and view.threatened and spare)):
            return "stand"
        if self.low and shoots(weapon) and me.stance == "standing" and spare:
            if 0 < me.cover < 4:
                return "crouch"
            if not me.cover and not view.threatened:
                return "lie down"
        if not loaded(me, weapon, held):
            return "reload" if minor and held.magazines else "end"
        if not significant:
            return "end"
        if self.aims and shoots(weapon) and spare and not me.minor and not me.aim:
            return "aim"
        return "attack"

    def rank(self, me: Fighter) -> tuple[int, ...]:
        """Sorts targets, lowest first: those who are nearly done before the fresh."""
        return (-hurt(me),)

    # ---- live

    def order(self, state: State, who: str, pick: Pick) -> Any:
        """The next order of a turn."""
        return first_legal(state, who, self.ideas(state, state[who]))

    def ideas(self, state: State, me: Fighter) -> Iterator[Any]:
        """Orders, the best first."""
        if me.task is not None:
            yield c.Continue(me.id)
        if me.grapple:
            yield c.Wrestle(me.id)
            return
        foes = self.foes(state, me)
        if not foes:
            return
        reach = [foe for foe in foes if attack.reaches(state, shot(me, foe.id))]
        if reach:
            yield from self.orders(me, self.next(me, outlook(state, me)), reach[0].id)
        else:
            yield from change_weapon(state, me, foes)
            yield from approach(state, me, foes)

    def foes(self, state: State, me: Fighter) -> list[Fighter]:
        """Conscious enemies he knows of (all, when he knows of none), the best target first."""
        able = [f for f in state.fighters if f.side != me.side and f.status == "up"]
        known = [f for f in able if f.id in me.aware] or able
        return sorted(known, key=lambda f: (*self.rank(f), numbers.metres(state, me.id, f.id)))

    def orders(self, me: Fighter, word: str, target: str) -> tuple[Any, ...]:
        """Orders that carry out a word."""
        weapon, _ = in_hand(me)
        ready = {
            "attack": (shot(me, target),),
            "aim": (c.Aim(me.id, target),),
            "crouch": (c.Stance(me.id, "crouched"),),
            "lie down": (c.Stance(me.id, "prone"),),
            "stand": (c.Stance(me.id, "standing"),),
            "reload": (c.Reload(me.id, weapon.name),),
            "draw": tuple(c.Draw(me.id, one.weapon) for one in me.held if not one.gone),
        }
        return ready.get(word, ())

    # ---- answers

    def answer(self, request: Choose, state: Any, pick: Pick) -> Any:
        """Answers from what the request shows, else its default."""
        key = request.why.key
        if key == "react":
            return self.react(request.seen[0], request.domain.options)
        if key == "blast":
            return self.duck(request.seen[0])
        if key == "grapple":
            return "prone" if request.seen[2] < 2 and request.seen[1].stance != "prone" else "damage"
        if key == "order":
            return self.order(state, request.seen[0], pick) if state is not None else None
        return True if key == "act now" else request.default

    def react(self, threat: Threat, options: tuple[str, ...]) -> str:
        """Parry with a trained hand, dodge what would hurt, a limited number of times in a round; a good aim is kept."""
        if threat.used >= self.dodges or threat.aim >= 3:
            return "none"
        if "parry" in options and threat.parry < threat.dodge:
            return "parry"
        return "dodge" if "dodge" in options and threat.hurts else "none"

    def duck(self, me: Fighter) -> str:
        """Dive when hurt, dodge otherwise."""
        if not self.dodges:
            return "none"
        return "dive" if hurt(me) >= self.nerve else "dodge"


def outlook(state: State, me: Fighter) -> Outlook:
    """What a doctrine may know of the rest of the fight."""
    able = [f for f in state.fighters if f.status == "up"]
    foes = [f for f in able if f.side != me.side]
    near = any(numbers.band(state, me.id, foe.id) <= NEAR for foe in foes)
    return Outlook(len(foes) > len(able) - len(foes), near)


# ---- what needs the scene


def change_weapon(state: State, me: Fighter, foes: list[Fighter]) -> Iterator[Any]:
    """Draw what reaches the nearest enemy, or let go of an empty weapon for another."""
    band = numbers.band(state, me.id, foes[0].id)
    for weapon, held in zip(me.sheet.weapons, me.held, strict=False):
        usable = not held.gone and (not weapon.magazine or held.rounds)
        if not held.ready and usable and any(tables.difficulty(row, band) is not None for row in weapon.rows):
            for other in numbers.ready_weapons(me):
                yield c.Drop(me.id, other[0].name)
            yield c.Draw(me.id, weapon.name)


def well_placed(weapons: list[Weapon], band: int) -> bool:
    """Whether a gun in hand reaches, or a blade is at the band where it is best."""
    for weapon in weapons:
        for row in weapon.rows:
            dm = tables.difficulty(row, band)
            if dm is not None and (row not in numbers.MELEE_ROWS or dm == 0):
                return True
    return False


def approach(state: State, me: Fighter, foes: list[Fighter]) -> Iterator[Any]:
    """Stand up and go for the nearest, when nothing reaches from here."""
    foe = min(foes, key=lambda f: numbers.metres(state, me.id, f.id))
    ready = [weapon for weapon, _ in numbers.ready_weapons(me)]
    far = numbers.metres(state, me.id, foe.id)
    if far <= 0 or well_placed(ready or [UNARMED], numbers.band(state, me.id, foe.id)):
        return
    if me.stance != "standing":
        yield c.Stance(me.id, "standing")
    step = movement.reach(me, state.rulings)
    if state.rulings.space_model in ("pair", "bands"):
        mates = tuple(f.id for f in foes if f.id != foe.id)
        yield c.Move(me.id, min(step, far), toward=(foe.id, *mates))
    yield c.Move(me.id, min(step, far), toward=(foe.id,))
    if grapple.SKILL and not ready:
        yield c.Grapple(me.id, foe.id)


AGGRESSIVE = Doctrine("aggressive", aims=True, low=False, dodges=0, nerve=99)
CAUTIOUS = Doctrine("cautious", aims=True, low=True, dodges=2, nerve=6)
