"""Reactions: who may react to what, and what a reaction costs. The target decides before any die falls."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.ask import TARGET, Ask, Role, Why
from affray.domains import OneOf
from affray.events import Changed
from affray.rules import rule
from affray.rulesets.cepheus import damage, numbers
from affray.rulesets.cepheus.mechanics import resolve
from affray.rulesets.cepheus.numbers import Attack, Guard, Line
from affray.rulesets.cepheus.rulings import Rulings
from affray.rulesets.cepheus.sheet import Fighter, Hit, Shift, State, Suppression, Toll

Scene = Any


@rule("CEP-REA-3", "CEP-REA-8", "CEP-REA-2")
def may_react(state: State, by: str, at: str) -> bool:
    """Aware of the attacker, conscious, not held in a grapple."""
    me = state[at]
    return me.status == "up" and by in me.aware and not me.grapple and not me.helpless


@rule("CEP-REA-5", "CEP-REA-6", "CEP-REA-8", "CEP-STN-4", "CEP-SUP-1")
def reactions(state: State, by: str, at: str, attack: Attack) -> tuple[str, ...]:
    """What the target may do against this attack, 'none' first."""
    if not may_react(state, by, at) or attack.manner == "suppress" or attack.place:
        return ("none",)
    me = state[at]
    dodge = ("dodge",) if me.stance != "prone" and not attack.weapon.payload else ()
    parry = ("parry",) if attack.melee else ()
    return ("none", *dodge, *parry)


class Threat(Struct, frozen=True):
    """What one may consider who is attacked: penalties of reactions so far, aim, whether it would hurt, what reactions give."""

    used: int
    aim: int
    hurts: bool
    dodge: int
    parry: int


def threat(me: Fighter, attack: Attack, zero_g: bool, rulings: Rulings) -> Threat:
    """The threat of an attack to one of its targets."""
    used = -sum(toll.amount for toll in me.tolls if toll.rule == "CEP-REA-1")
    worn = sum(rating for rating, _ in damage.armour(me, attack.weapon.laser))
    hurts = 3.5 * numbers.dice_of(attack.weapon.damage) + 2 > worn
    return Threat(used, me.aim, hurts, numbers.dodge_dm(me), numbers.parry_dm(me, zero_g, rulings))


def considered(ask: Ask, options: tuple[str, ...], seen: Threat, by: Role) -> str:
    """The choice itself."""
    answer: str = ask.choose(OneOf(options), Why("react", "CEP-REA-9", "react to the attack"), by, "none", (seen,))
    return answer


@rule("CEP-REA-9", "CEP-ATK-1")
def ask_reaction(scene: Scene, by: str, at: str, attack: Attack) -> str:
    """The target's choice, and its price at once."""
    options = reactions(scene.state, by, at, attack)
    if len(options) == 1:
        return "none"
    state: State = scene.state
    answer = considered(scene, options, threat(state[at], attack, state.zero_g, state.rulings), at)
    if answer != "none":
        scene.become(at, react, answer)
    return answer


class Struck(Struct, frozen=True):
    """What an attack came to for its target when his reaction is part of it."""

    effect: int
    reaction: str = "none"
    harm: Hit | Suppression | None = None


@rule("CEP-ATK-1", "CEP-REA-9")
def exchange(ask: Ask, line: Line, guards: tuple[tuple[str, Guard], ...], seen: Threat) -> Struck:
    """An attack with the reaction to it, from what the two show each other (for tables)."""
    options = tuple(name for name, _ in guards)
    answer = considered(ask, options, seen, TARGET) if len(options) > 1 else "none"
    out = resolve(ask, line, dict(guards)[answer])
    return Struck(out.effect if out.to_target is None else 0, answer, out.to_target)


@rule("CEP-REA-1", "CEP-REA-4", "CEP-REA-7", "CEP-REA-10", "CEP-RND-4", "CEP-ACT-17", "CEP-GER-13")
def react(ask: Ask, me: Fighter, kind: str) -> Fighter:
    """The price of a reaction: Initiative -2 and -1 on checks in this round, or through the next for one who has acted.

    A combat drug pays the Initiative of a dodge or two. Work is dropped, aim lost, a quick reload slowed down.
    """
    rulings = ask.rulings
    if me.task is not None:
        me = ask.tell(Changed(me.id, "CEP-ACT-17", (("task", None),), "drops work"), me)
    doses = list(me.doses)
    free = next((i for i, d in enumerate(doses) if kind == "dodge" and d.onset <= 0 < d.left and d.dodges), None)
    shifts = me.shifts
    if free is None:
        shifts = (*shifts, Shift(-2, "CEP-REA-1", 1 if me.begun else 0))
    else:
        doses[free] = replace(doses[free], dodges=doses[free].dodges - 1)
    toll = -2 if rulings.reaction_named_dm_stacks else -1
    changes: list[tuple[str, Any]] = [
        ("shifts", shifts),
        ("tolls", (*me.tolls, Toll(toll, "CEP-REA-1", 2 if me.begun else 1))),
        ("held", tuple(replace(one, reacted=True) if one.progress else one for one in me.held)),
    ]
    if free is not None:
        changes.append(("doses", tuple(doses)))
    me = ask.tell(Changed(me.id, "CEP-REA-1", tuple(changes), kind, (("initiative", -2 if free is None else 0),)), me)
    if rulings.aim_lost_on_reaction == "any" or kind != "parry":
        me = damage.unaimed(ask, me, "CEP-REA-10")
    return me
