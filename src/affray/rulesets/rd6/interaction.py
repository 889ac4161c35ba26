"""Interaction attacks: words and feints that leave effects, not wounds."""

from __future__ import annotations

from affray.ask import Why
from affray.modifiers import Modifier, Parts, total
from affray.rules import rule
from affray.rulesets.rd6.actions import pay, pay_points
from affray.rulesets.rd6.commands import Intimidate, Maneuver, Taunt, Trick
from affray.rulesets.rd6.conditions import suffer
from affray.rulesets.rd6.mechanics import test
from affray.rulesets.rd6.numbers import S, pool, stymied
from affray.rulesets.rd6.rulings import Rulings
from affray.rulesets.rd6.sheet import Fighter, State
from affray.rulesets.rd6.telling import fighter, note
from affray.scene import Scene

SPECIALISATION = {
    "intimidate": {"Persuasion": "Persuasion: Intimidation"},
    "taunt": {"Persuasion": "Persuasion: Taunt"},
    "trick": {"Persuasion": "Persuasion: Trick", "Acrobatics": "Acrobatics: Trick"},
    "maneuver": {"Athletics": "Athletics: Maneuver", "Acrobatics": "Acrobatics: Maneuver"},
}


@rule("RD6-SPC-20")
def interact(scene: Scene[State], order: Intimidate | Taunt | Trick | Maneuver) -> None:
    """An action against the Resolve of one target."""
    pay(scene, order.by)
    pay_points(scene, order.by, order.points)
    broad = order.skill if isinstance(order, Trick | Maneuver) else "Persuasion"
    play(scene, order.by, order.target, order.verb, broad, order.points)


def play(scene: Scene[State], who: str, at: str, kind: str, broad: str, points: int = 0, action: bool = True) -> None:
    """The roll of an interaction and its effects. `action` false: a free one, by a feat."""
    me = fighter(scene, who)
    skill = SPECIALISATION[kind][broad]
    dice, parts = pool(me, skill, action=action)
    hits = scene.call(test, dice, Why(kind, "RD6-SPC-20", skill), who, 0, points, stymied(me), parts)
    take_effect(scene, who, at, kind, hits)


@rule("RD6-SPC-20", "RD6-DEF-2")
def resolve_parts(target: Fighter, rulings: Rulings) -> Parts:
    """What an interaction must reach: the base, or a running Resolve."""
    base = Modifier(rulings.difficulty_base, S, "base", "RD6-DEF-1")
    found = [Parts((base,))] if not any(s.kind == "resolve" for s in target.standing) else []
    for standing in target.standing:
        if standing.kind == "resolve":
            result = Modifier(standing.result, S, f"resolve ({standing.mode})", "RD6-DEF-6")
            full = (Modifier(2, S, "full defence", "RD6-DEF-19"),) if standing.mode == "full" else ()
            own = () if standing.mode == "partial" else (base,)
            found.append(Parts((*own, result, *full)))
    best = max(found, key=lambda parts: total(parts, S))
    low = total(best, S)
    return best if low >= 1 else Parts((*best, Modifier(1 - low, S, "never below 1", "RD6-MOD-2")))


@rule("RD6-SPC-20", "RD6-SPC-21")
def take_effect(scene: Scene[State], who: str, at: str, kind: str, hits: int) -> None:
    """Compare the successes with the target's Resolve and let the effects begin."""
    target = fighter(scene, at)
    parts = resolve_parts(target, scene.rulings)
    need = total(parts, S)
    enough = hits > need if scene.rulings.interaction_success == "more" else hits >= need
    points = hits - need if enough else -1
    data = {"target": at, "kind": kind, "successes": hits, "difficulty": need}
    data |= {"result": "hit" if enough else "miss", "result_points": max(0, points)}
    note(scene, who, "RD6-SPC-20", "interaction hit" if enough else "interaction miss", data, parts)
    if points > 0:
        scene.become(at, suffer, kind, points)
