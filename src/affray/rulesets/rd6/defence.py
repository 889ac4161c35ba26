"""Defence rolls: active, partial (also announced early or granted), full; and what each of them costs."""

from __future__ import annotations

from typing import Any

from affray.ask import MASTER, SELF, Ask, Choose, Why
from affray.domains import OneOf, YesNo
from affray.modifiers import Modifier
from affray.rules import rule
from affray.rulesets.rd6.actions import pay, pay_points
from affray.rulesets.rd6.commands import Block, Dodge, Grant, Parry, Resist
from affray.rulesets.rd6.damage import changed
from affray.rulesets.rd6.mechanics import test
from affray.rulesets.rd6.numbers import action_limit, environment, pool, stymied
from affray.rulesets.rd6.sheet import Fighter, Standing, State, weapon_named
from affray.rulesets.rd6.telling import able, change, fighter
from affray.scene import Scene

SKILL = {"dodge": "Dodge", "block": "Fighting", "parry": "Melee Weapons", "resist": "Resolve"}
KIND = {"Dodge": "dodge", "Fighting": "block", "Melee Weapons": "parry"}


@rule("RD6-DEF-6", "RD6-DEF-7", "RD6-DEF-8", "RD6-DEF-10", "RD6-DEF-11", "RD6-DEF-15", "RD6-DEF-16", "RD6-DEF-20", "RD6-RND-10")
def defend(scene: Scene[State], order: Dodge | Block | Parry | Resist) -> None:
    """Roll a defence on the own turn; it holds until the own turn of the next round."""
    pay(scene, order.by, whole_round=order.mode == "full")
    pay_points(scene, order.by, order.points)
    me, mode = fighter(scene, order.by), order.mode
    if mode == "active" and me.declared > 1 and scene.rulings.defence_mixed_turn == "forced_partial":
        mode = "partial"
    held = isinstance(order, Block) and order.held
    roll_defence(scene, me.id, order.verb, mode, 1, held, order.points)
    if mode == "full":
        change(scene, me.id, "RD6-DEF-20", "", turtled=True)


def roll_defence(
    scene: Scene[State], who: str, verb: str, mode: str, turns: int, held: bool = False, points: int = 0, action: bool = True
) -> None:
    """Roll the skill of a defence and let it stand until so many own turns have begun."""
    me = fighter(scene, who)
    more: tuple[Modifier, ...] = environment(scene.state) if scene.rulings.cover_environment_affects_defence else ()
    scene.become(who, stand_guard, verb, mode, turns, held or (me.weapon != "" and verb == "parry"), points, action, more)


@rule("RD6-DEF-6", "RD6-DEF-15", "RD6-DEF-19")
def stand_guard(
    ask: Ask,
    me: Fighter,
    verb: str,
    mode: Any,
    turns: int,
    held: bool,
    points: int,
    action: bool,
    more: tuple[Modifier, ...],
) -> Fighter:
    """The Defence Result of one fighter."""
    dice, parts = pool(me, SKILL[verb], tuple(more), action)
    why = Why(verb, "RD6-DEF-6", f"{SKILL[verb]} ({mode} defence)")
    result = test(ask, dice, why, SELF, points=points, stymied=stymied(me), parts=parts)
    kind: Any = "resolve" if verb == "resist" else verb
    standing = Standing(kind, mode, result, turns, me.weapon if verb == "parry" else "", held)
    told = {"mode": mode, "defence": kind, "result": result}
    note = "RD6-DEF-19" if mode == "full" else "RD6-DEF-15" if mode == "partial" else "RD6-DEF-6"
    return changed(ask, me, note, "defends", told, standing=(*me.standing, standing))


@rule("RD6-DEF-17")
def announce(scene: Scene[State]) -> None:
    """When the fight begins, whoever can take two actions may announce a partial defence, and rolls it at once."""
    asked = [(f, early_options(f, action_limit(f, scene.rulings))) for f in scene.state.fighters if able(f)]
    asked = [(me, options) for me, options in asked if len(options) > 1]
    why = Why("announce", "RD6-DEF-17", "a partial defence from the beginning, with so many actions")
    answers = scene.all([Choose(OneOf(options), why, me.id, "none") for me, options in asked])
    turns = 2 if scene.rulings.partial_early_end == "turn_of_next_round" else 1
    for (me, _), answer in zip(asked, answers, strict=True):
        if answer == "none":
            continue
        verb, actions = answer.split()
        values = {"declared": int(actions), "used": 1}
        scene.become(me.id, _announced, tuple(values.items()), int(actions))
        roll_defence(scene, me.id, verb, "partial", turns)


def _announced(ask: Ask, me: Fighter, values: tuple[tuple[str, int], ...], actions: int) -> Fighter:
    return changed(ask, me, "RD6-DEF-17", "announces", {"actions": actions}, **dict(values))


def early_options(me: Fighter, limit: int) -> tuple[str, ...]:
    """'none', and each defence with each number of actions from two on (at most five are listed)."""
    verbs = ["dodge", "block", "parry"] if weapon_named(me.sheet, me.weapon).kind == "melee" else ["dodge", "block"]
    return ("none", *(f"{verb} {count}" for verb in verbs for count in range(2, min(limit, 5) + 1)))


@rule("RD6-DEF-18")
def grant(scene: Scene[State], order: Grant) -> None:
    """A free partial defence until the own turn, if the game master grants it; no action, no multi-action penalty."""
    me = fighter(scene, order.by)
    why = Why("grant", "RD6-DEF-18", f"a free partial defence for {me.name}")
    if not scene.choose(YesNo(), why, MASTER, False):
        return
    roll_defence(scene, me.id, KIND[order.skill], "partial", 1, action=False)
