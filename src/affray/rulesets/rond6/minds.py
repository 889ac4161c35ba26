"""Interaction attacks on one target: their numbers, what they try, and what they do to the one who falls for them.

First and second layer: nothing here reads the scene. Scenes and orders are in `interaction`.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from affray.ask import ATTACKER, MASTER, TARGET, Ask, Why
from affray.dice import PlainPool
from affray.domains import OneOf, Text
from affray.events import Changed, Noted
from affray.modifiers import NO_PARTS, Modifier, Parts, listed, total
from affray.rules import rule
from affray.rulesets.rond6.actions import left
from affray.rulesets.rond6.checks import rolled
from affray.rulesets.rond6.conditions import afflict, tire
from affray.rulesets.rond6.feats import result_points
from affray.rulesets.rond6.numbers import Test, level, passive, skill_code, standing_test, test_of
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import Attempt, Condition, Fighter, let_go
from affray.rulesets.rond6.tables import EFFECT, INTERACTION, SETBACK

INTERACT = Why("interaction", "RON-INT-1", "interaction")
RESIST = Why("resist interaction", "RON-INT-3", "resist an interaction")
BUY = Why("effect", "RON-INT-4", "which effect to inflict")
SET_BACK = Why("setback", "RON-CON-5", "what goes wrong")

NEXT_DEFENCE = "next defense -1D"


class MindGuard(Struct, frozen=True):
    """What a target sets against an interaction: the number to reach and, where it rolls for free, that Test."""

    value: int
    free: Test | None = None
    parts: Parts = NO_PARTS


# ---- numbers


@rule("RON-INT-2", "RON-INT-8", "RON-INT-9", "RON-INT-10", "RON-INT-11", "RON-INT-12")
def attempt_test(
    me: Fighter, kind: Attempt, rulings: Rulings, *, action: bool = True, points: int = 0, fate: bool = False
) -> Test:
    """The roll of an interaction. Words go with Persuasion, movements with the skill that resists them."""
    skill, specialization, _ = INTERACTION[kind]
    return test_of(me, skill, rulings, specialization=specialization, action=action, points=points, fate=fate)


@rule("RON-INT-3", "RON-DICE-7")
def resist_parts(me: Fighter, skill: str, rulings: Rulings) -> Parts:
    """The passive number of a resisting skill, made like Passive Defense: Standard, and its dice less 2."""
    code, _, words = skill_code(me, skill)
    return listed(
        (level(rulings, 1), "", "Standard", "RON-INT-3"), (passive(code) - 2, "", f"{words} {passive(code)}", "RON-INT-3")
    )


@rule("RON-INT-3", "RON-ACT-8")
def mind_guard(me: Fighter, kind: Attempt, rulings: Rulings, free: bool | None = None) -> MindGuard:
    """What resists an interaction: a passive number, a Test left standing by an Action, or a free roll.

    `free`: roll whatever the ruling interaction_defense says (heads-down fire).
    """
    skill = INTERACTION[kind][2]
    standing = standing_test(me, kind)
    if free or (free is None and rulings.interaction_defense == "opposed_free"):
        return MindGuard(standing, test_of(me, skill, rulings, action=False))
    parts = resist_parts(me, skill, rulings)
    if standing and (rulings.active_vs_passive == "replace" or standing > total(parts)):
        parts = Parts([Modifier(standing, "", "standing defense", "RON-INT-3")])
    return MindGuard(total(parts), None, parts)


# ---- the attempt


@rule("RON-INT-1", "RON-INT-4", "RON-SPC-12", "RON-SPC-21")
def withstand(
    ask: Ask, me: Fighter, tried: int, guard: MindGuard, barred: tuple[str, ...], acting: bool, pins: bool = False
) -> Fighter:
    """An interaction reaches its target, who changes alone: the comparison, and what follows from it.

    `acting`: it is the target's turn. `pins`: whoever fails loses the next Action whatever is bought.
    """
    done, effects = ask.call(sway, tried, guard, barred)
    if me.has("surprised") and not me.attacked:
        me = ask.tell(Changed(me.id, "RON-SPC-21", (("attacked", True),)), me)
    if effects:
        me = suffer(ask, me, effects, acting)
    return lose_action(ask, me, acting) if pins and done else me


@rule("RON-INT-1", "RON-INT-3", "RON-DICE-6", "RON-RP-16")
def sway(ask: Ask, tried: int, guard: MindGuard, barred: tuple[str, ...]) -> tuple[bool, tuple[str, ...]]:
    """An interaction with a known total: whether it succeeds, and the effects that are bought."""
    need = guard.value
    if guard.free is not None:
        need = max(need, ask.call(rolled, guard.free, RESIST, TARGET))
    points = result_points(max(0, tried - need), ask.rulings)
    result = (("result", "hit"), ("result_points", points)) if tried >= need else (("result", "miss"),)
    ask.tell(Noted(TARGET, "RON-INT-1", "interaction.total", (("total", tried), ("need", need), *result), guard.parts))
    if tried < need:
        return False, ()
    return True, inflict(ask, points, barred)


@rule("RON-INT-4", "RON-INT-5")
def inflict(ask: Ask, points: int, barred: tuple[str, ...]) -> tuple[str, ...]:
    """Effects bought one after another, none of them twice; what is left over is lost."""
    bought: tuple[str, ...] = ()
    while options := affordable(points, bought, barred):
        choice = ask.choose(OneOf((*options, "stop")), BUY, ATTACKER, options[-1], (points, bought))
        if choice == "stop":
            break
        bought, points = (*bought, choice), points - EFFECT[choice]
    return bought


@rule("RON-INT-4", "RON-INT-5")
def affordable(points: int, bought: tuple[str, ...], barred: tuple[str, ...]) -> tuple[str, ...]:
    """Effects that may still be bought, the cheapest first. The bundle goes with neither of its parts."""
    excluded = {*bought, *barred}
    if "setback_and_lost_action" in excluded:
        excluded |= {"setback", "lost_action"} if "setback_and_lost_action" in bought else set()
    if excluded & {"setback", "lost_action"}:
        excluded.add("setback_and_lost_action")
    return tuple(name for name, price in EFFECT.items() if price <= points and name not in excluded)


# ---- the one who falls for it changes alone


@rule("RON-INT-4", "RON-CON-1", "RON-CON-7", "RON-CON-8")
def suffer(ask: Ask, me: Fighter, effects: tuple[str, ...], acting: bool) -> Fighter:
    """Effects of an interaction. `acting`: it is the victim's turn, so its next turn is the one after this."""
    turns = 2 if acting else 1
    for effect in effects:
        if effect in ("stymied", "untrained"):
            me = afflict(ask, me, Condition(effect, turns), "RON-CON-7" if effect == "stymied" else "RON-CON-8")
        elif effect == "fatigued":
            me = tire(ask, me)
        if effect in ("setback", "setback_and_lost_action"):
            me = set_back(ask, me)
        if effect in ("lost_action", "setback_and_lost_action"):
            me = lose_action(ask, me, acting)
    return me


@rule("RON-INT-6")
def lose_action(ask: Ask, me: Fighter, acting: bool) -> Fighter:
    """The next Action is forfeited: one in hand (of its turn, or held while waiting), else the first of its next turn."""
    if left(me) > 0 and (acting or me.waiting):
        fields: tuple[tuple[str, Any], ...] = (("used", me.used + 1),)
        if left(me) == 1:
            fields = (*fields, ("waiting", ""))
    else:
        fields = (("lost", me.lost + 1),)
    return ask.tell(Changed(me.id, "RON-INT-6", fields, "interaction.lost_action"), me)


# ---- a Setback


@rule("RON-CON-5")
def set_back(ask: Ask, me: Fighter) -> Fighter:
    """A passing disadvantage, in the Game Master's words or by the die. Words of the table take effect at once."""
    if ask.rulings.setback == "roll_1d6":
        words = str(SETBACK[ask.roll(PlainPool(1), SET_BACK, MASTER)])
        fields = fallout(me, words) or fallout(me, "loses footing")
    else:
        default = next((words for words in SETBACK.values() if fallout(me, words)), "")
        words = ask.choose(Text(), SET_BACK, MASTER, default, (me,)).strip()
        fields = fallout(me, words.lower())
    data = (("words", words or "a setback"),)
    if fields:
        return ask.tell(Changed(me.id, "RON-CON-5", fields, "interaction.setback", data), me)
    ask.tell(Noted(me.id, "RON-CON-5", "interaction.setback", data))
    return afflict(ask, me, Condition(words or "setback"), "RON-CON-5")


@rule("RON-CON-5")
def fallout(me: Fighter, words: str) -> tuple[tuple[str, Any], ...]:
    """What a complication of the table changes; nothing if it is not of the table or would not matter to this fighter."""
    if words == "drops weapon" and me.held:
        return let_go(me, me.held[0])
    if words == "drops item" and len(me.held) > 1:
        return let_go(me, me.held[-1])
    if words == "out of ammunition":
        held = [weapon for name in me.held if (weapon := me.sheet.weapon(name)) and weapon.ammo and me.rounds(weapon)]
        if held:
            return (("ammo", (*((name, n) for name, n in me.ammo if name != held[0].name), (held[0].name, 0))),)
    if words == "loses footing" and not me.prone:
        return (("prone", True),)
    if words == NEXT_DEFENCE and not me.has(NEXT_DEFENCE):
        return (("conditions", (*me.conditions, Condition(NEXT_DEFENCE))),)
    if words == "loses cover" and me.cover:
        return (("cover", max(0, me.cover - 5)),)
    return ()
