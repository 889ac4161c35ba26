"""Tests of one's own skill, alone or against somebody; and Free Actions that need no roll."""

from __future__ import annotations

from typing import Literal

from affray.ask import ATTACKER, MASTER, TARGET, Ask, Why
from affray.domains import Number, OneOf, YesNo
from affray.errors import Refusal
from affray.events import Changed, Noted, get
from affray.modifiers import Parts, listed
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6 import feats
from affray.rulesets.rond6.actions import ACTION, FREE, FULL, Command, RondScene, pay
from affray.rulesets.rond6.checks import LEVELS, critical, difficulty, flagged, rolled
from affray.rulesets.rond6.numbers import Test, test_of
from affray.rulesets.rond6.points import cannot_spend, spend, spending_fields
from affray.rulesets.rond6.sheet import ATTRIBUTES, SKILLS, Fighter, State

SKILL = Why("skill", "RON-DICE-5", "a Test")
OPPOSED = Why("opposed", "RON-DICE-6", "the opposing Test")
LIBERTY = Why("free_action", "RON-ACT-4", "one more Free Action this turn?")

COSTS = {"action": ACTION, "full": FULL, "free": FREE}
UNQUESTIONED = 3
"""Free Actions of a turn that the Game Master is not asked about."""


class Skill(Order, frozen=True, tag="skill"):
    """A Test of `skill` (a skill or an attribute) against a `difficulty` (a number or the name of a level) and `levels` more,
    or against somebody's `resist` (the same skill unless stated). `bonus_dice` and `modifier`: what circumstances give.
    `cost`: 'action', 'full' or 'free'."""

    skill: str = ""
    difficulty: int | str = "Standard"
    levels: int = 0
    specialization: str = ""
    against: str = ""
    resist: str = ""
    bonus_dice: int = 0
    modifier: int = 0
    points: int = 0
    fate: bool = False
    cost: Literal["action", "full", "free"] = "action"


class Free(Order, frozen=True, tag="free"):
    """A Free Action without a roll: a few words, a look around, a shout, a gesture, or anything as slight."""

    what: Literal["speak", "look", "shout", "gesture", "other"] = "speak"
    text: str = ""


# ---- Tests


def skill_cost(state: State, me: Fighter, order: Skill) -> int:
    return COSTS[order.cost]


@rule("RON-DICE-5", "RON-DICE-6", "RON-DICE-11", "RON-CON-8")
def skill_refused(state: State, me: Fighter, order: Skill) -> Refusal | None:
    """Why this Test is not possible now."""
    if not order.skill:
        return Refusal("RON-DICE-11", "say which skill or attribute", known_skills(me))
    if order.against and all(f.id != order.against for f in state.fighters if f.id != me.id):
        return Refusal("RON-DICE-6", f"there is nobody {order.against!r} to oppose", tuple(f.id for f in state.fighters)[:12])
    if difficulty(state.rulings, order.difficulty, order.levels) is None:
        return Refusal("RON-DICE-5", f"{order.difficulty!r} is no level of Difficulty", LEVELS)
    return cannot_spend(me, order.points, order.fate)


def known_skills(me: Fighter) -> tuple[str, ...]:
    """Skills of the sheet, then the others that the chapter uses, then attributes."""
    return tuple(dict.fromkeys([*(name for name, _ in me.sheet.skills), *SKILLS, *ATTRIBUTES]))


def skill_fields(state: State, me: Fighter) -> tuple[Field, ...]:
    names = known_skills(me)
    others = tuple(f.id for f in state.fighters if f.id != me.id and not f.sheet.object)
    fields = (
        Field("skill", OneOf(names), names[0], "skill"),
        Field("difficulty", OneOf(LEVELS), "Standard", "Difficulty"),
        Field("levels", Number(0, 10), 0, "levels more"),
        Field("against", OneOf(("", *others)), "", "opposed by"),
        Field("cost", OneOf(tuple(COSTS)), "action", "what it takes"),
    )
    return (*fields, *spending_fields(me))


@rule("RON-ACT-5", "RON-DICE-4", "RON-DICE-5", "RON-DICE-6", "RON-RP-16")
def skill(scene: RondScene, order: Skill) -> None:
    """A skill use: pay, build the roll, roll, and tell what came of it. What success means is the Game Master's to say."""
    pay(scene, order.by, COSTS[order.cost], order.verb)
    spend(scene, order.by, order.points, order.fate)
    state = scene.state
    me: Fighter = get(state, order.by)
    test = test_of(
        me,
        order.skill,
        state.rulings,
        circumstance_parts(order.bonus_dice, order.modifier),
        specialization=order.specialization,
        action=order.cost != "free",
        standard=order.difficulty == "Standard" and not order.levels,
        points=order.points,
        fate=order.fate,
    )
    roles = {ATTACKER: order.by, TARGET: order.against}
    if order.against:
        other = test_of(get(state, order.against), order.resist or order.skill, state.rulings, action=False)
        told = scene.call(opposed, test, other, roles=roles)
    else:
        need = difficulty(state.rulings, order.difficulty, order.levels)
        assert need is not None
        told = scene.call(alone, test, need, roles=roles)
    data = tuple(zip(("total", "need", "result", "result_points"), told, strict=True))
    scene.tell(Noted(order.by, "RON-DICE-5", "skill.result", (("skill", order.skill), *data)))


def circumstance_parts(dice: int, number: int) -> Parts:
    """Bonuses and penalties that circumstances give, in dice and in points."""
    return listed((dice, "D", "circumstances", "RON-DICE-4"), (number, "", "circumstances", "RON-DICE-4"))


Told = tuple[int, int, str, int]
"""Total, number to reach, result in a word, Result Points."""


@rule("RON-DICE-3", "RON-DICE-5", "RON-RP-1")
def alone(ask: Ask, test: Test, need: int) -> Told:
    """A Test against a Difficulty."""
    total, flag = flagged(ask, test, SKILL, ATTACKER)
    return judged(ask, total, flag, need)


@rule("RON-DICE-6", "RON-RP-1")
def opposed(ask: Ask, test: Test, other: Test) -> Told:
    """A Test against somebody's Test: the one who acts rolls first and wins ties; the margin gives the Result Points."""
    total, flag = flagged(ask, test, SKILL, ATTACKER)
    return judged(ask, total, flag, rolled(ask, other, OPPOSED, TARGET))


def judged(ask: Ask, total: int, flag: bool, need: int) -> Told:
    margin = total - need
    word = "success" if margin >= 0 else "failure"
    if critical(ask.rulings, flag, margin):
        word = "critical failure"
    return (total, need, word, feats.result_points(abs(margin), ask.rulings))


# ---- Free Actions


@rule("RON-ACT-4")
def liberty(scene: RondScene, who: str) -> bool:
    """Count a Free Action of this turn; beyond a few of them the Game Master may refuse it."""
    me: Fighter = get(scene.state, who)
    if me.liberties >= UNQUESTIONED and not scene.choose(YesNo(), LIBERTY, MASTER, True, (me,)):
        scene.tell(Noted(who, "RON-ACT-4", "free.too_many"))
        return False
    scene.tell(Changed(who, "RON-ACT-4", (("liberties", me.liberties + 1),)))
    return True


def free_cost(state: State, me: Fighter, order: Free) -> int:
    return FREE


def free_refused(state: State, me: Fighter, order: Free) -> Refusal | None:
    return Refusal("RON-ACT-4", "a few words only, at most 500 letters") if len(order.text) > 500 else None


def free_fields(state: State, me: Fighter) -> tuple[Field, ...]:
    return (Field("what", OneOf(("speak", "look", "shout", "gesture", "other")), "speak", "what"),)


@rule("RON-ACT-4")
def free(scene: RondScene, order: Free) -> None:
    """A Free Action comes on top of everything else, even of a Full Action."""
    if liberty(scene, order.by):
        data = (("what", order.what), ("words", order.text))
        scene.tell(Noted(order.by, "RON-ACT-4", "free.words" if order.text else "free.done", data))


COMMANDS: dict[type, Command] = {
    Skill: Command(skill_cost, skill_refused, skill_fields, skill, "use a skill", single=True),
    Free: Command(free_cost, free_refused, free_fields, free, "a Free Action: a word, a look, a gesture"),
}
