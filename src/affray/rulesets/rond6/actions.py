"""The economy of a turn: how many Actions, what they cost, waiting and cutting in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from affray.ask import Why
from affray.domains import AnOrder, Number, OneOf, Text, YesNo
from affray.errors import IllegalOrder, Refusal
from affray.events import Changed, Noted, get
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import CONDITIONS, Fighter, State
from affray.scene import Scene

RondScene = Scene[State]

FREE, ACTION, FULL = 0, 1, -1
"""Costs: any positive number counts Actions; a Full Action takes the whole turn (RON-ACT-3)."""

INTERRUPT = Why("interrupt", "RON-ACT-14", "cut in before this happens")


@dataclass(frozen=True)
class Command:
    """A verb: its cost, what forbids it beyond cost and turn, its options (or why there are none), and its procedure."""

    cost: Callable[[State, Fighter, Any], int]
    refused: Callable[[State, Fighter, Any], Refusal | None]
    fields: Callable[[State, Fighter], tuple[Field, ...] | Refusal]
    run: Callable[[RondScene, Any], None]
    text: str
    single: bool = False
    """A move, a defense or one plain Action: allowed to those held to a single thing (RON-DMG-17)."""
    price: Callable[[Rulings], str] | None = None
    """The cost in words before any option is chosen, where it hangs on them."""


class Declare(Order, frozen=True, tag="declare"):
    """State the number of Actions of this turn, before anything is rolled (RON-ACT-2). `fate`: a Fate Point doubles the limit."""

    n: int = 1
    fate: bool = False


class End(Order, frozen=True, tag="end"):
    """End the turn; Actions that were not used are lost (RON-ACT-15)."""


class Wait(Order, frozen=True, tag="wait"):
    """Hold an Action to cut in later this Round (RON-ACT-13); `against` 'charge' sets a weapon against one (RON-SPC-8)."""

    against: str = "any"


class Aim(Order, frozen=True, tag="aim"):
    """Aim carefully, a Full Action: +1D on the next ranged attack for each unbroken Round, at most +3D (RON-ACT-16)."""


class Act(Order, frozen=True, tag="act"):
    """Any other Action without a Test, in words: a Talent, an ability, a lever; `full` for complex machinery.

    `deals_with`: a complication (a Setback in the Game Master's words) that this puts right.
    """

    text: str = ""
    full: bool = False
    deals_with: str = ""


# ---- the budget


@rule("RON-ACT-10", "RON-ACT-11", "RON-ACT-12", "RON-DMG-17")
def limit(me: Fighter, rulings: Rulings) -> int:
    """Most Actions in a Round: Agility's dice and Quickness, doubled by a Fate Point; one under massive damage."""
    if me.massive:
        return 1
    most = max(1, me.sheet.attribute("Agility").dice + min(3, me.sheet.talent("Quickness")))
    return 2 * most if me.limit_doubled else most


def left(me: Fighter) -> int:
    """Declared Actions that are still unused."""
    return 0 if me.full else me.declared - me.used


@rule("RON-ACT-1", "RON-ACT-2", "RON-ACT-4", "RON-ACT-6", "RON-DMG-17")
def unaffordable(state: State, me: Fighter, cost: int, single: bool) -> Refusal | None:
    """Why an order of this cost is not possible now. `single`: it is one of the things massive damage leaves."""
    if cost == FREE:
        return None
    if me.full:
        return Refusal("RON-ACT-6", "a Full Action leaves room for no other Action")
    if me.massive and (me.used or me.doing) and not state.interrupting:
        return Refusal("RON-DMG-17", "massive damage leaves a single move, defense or Action")
    if cost == FULL:
        if state.interrupting:
            return Refusal("RON-ACT-14", "one who cuts in has no time for a Full Action")
        if me.massive and (not single or state.rulings.massive_allows == "one_plain_action"):
            return Refusal("RON-DMG-17", "massive damage allows no such Full Action")
        if me.declared > 1 or me.used or me.lost:
            return Refusal("RON-ACT-6", "a Full Action must be the only Action of the turn")
        return None
    declared = me.declared or cost + me.lost
    if declared - me.extra > limit(me, state.rulings):
        return Refusal("RON-ACT-10", f"{declared} Actions are more than the limit of {limit(me, state.rulings)}")
    if declared - me.used - (0 if me.declared else me.lost) < cost:
        return Refusal("RON-ACT-1", f"{me.name} has {left(me)} of {me.declared} Actions left, this costs {cost}")
    return None


@rule("RON-ACT-2", "RON-INT-6")
def pay(scene: RondScene, who: str, cost: int, verb: str) -> None:
    """Take an order's cost. Whoever has not stated a number of Actions states just what the first one needs.

    After the fight nothing costs Actions (RON-TIME-2).
    """
    if scene.state.after:
        return
    me: Fighter = get(scene.state, who)
    fields: list[tuple[str, Any]] = [("doing", verb)] if cost != FREE else []
    if cost == FULL:
        fields += [("declared", 1), ("used", 1), ("full", True)]
    elif cost:
        declared, used, lost = (me.declared, me.used, me.lost) if me.declared else (cost + me.lost, me.lost, 0)
        fields += [("declared", declared), ("used", used + cost), ("lost", lost)]
    if fields:
        scene.tell(Changed(who, "RON-ACT-1", tuple(fields)))


# ---- declaring, ending, aiming


@rule("RON-ACT-2", "RON-ACT-10", "RON-ACT-12")
def declare_refused(state: State, me: Fighter, order: Declare) -> Refusal | None:
    if me.declared or me.doing:
        return Refusal("RON-ACT-2", "the number of Actions has been stated for this Round")
    if order.fate and not me.fate:
        return Refusal("RON-ACT-12", f"{me.name} has no Fate Point")
    if order.fate and me.has("confused"):
        return Refusal("RON-CON-3", "a Confused character may not spend points")
    most = limit(me, state.rulings) * (2 if order.fate and not me.massive else 1)
    if not 1 <= order.n <= most:
        return Refusal("RON-ACT-10", f"{me.name} may take 1 to {most} Actions")
    return None


def declare_fields(state: State, me: Fighter) -> tuple[Field, ...]:
    fate = (Field("fate", YesNo(), False, "Fate Point: double the limit"),) if me.fate else ()
    return (Field("n", Number(1, limit(me, state.rulings) * (2 if me.fate else 1)), 1, "Actions"), *fate)


@rule("RON-ACT-2", "RON-ACT-7", "RON-ACT-12", "RON-INT-6")
def declare(scene: RondScene, order: Declare) -> None:
    """State the number of Actions; forfeited ones are the first of them."""
    me: Fighter = get(scene.state, order.by)
    if order.fate:
        fields = (("fate", me.fate - 1), ("limit_doubled", True))
        scene.tell(Changed(order.by, "RON-ACT-12", fields, "action.fate_limit"))
    lost = min(order.n, me.lost)
    fields_now = (("declared", order.n), ("used", lost), ("lost", me.lost - lost))
    scene.tell(Changed(order.by, "RON-ACT-2", fields_now, "action.declared", (("n", order.n),)))
    if lost:
        scene.tell(Noted(order.by, "RON-INT-6", "action.forfeited", (("n", lost),)))


@rule("RON-ACT-16")
def aim(scene: RondScene, order: Aim) -> None:
    """A Round of careful aiming."""
    pay(scene, order.by, FULL, order.verb)
    me: Fighter = get(scene.state, order.by)
    bonus = min(3, me.aim + 1)
    scene.tell(Changed(order.by, "RON-ACT-16", (("aim", bonus),), "action.aims", (("dice", bonus),)))


# ---- anything else


def act_cost(state: State, me: Fighter, order: Act) -> int:
    return FULL if order.full else ACTION


@rule("RON-ACT-5", "RON-CON-5")
def act_refused(state: State, me: Fighter, order: Act) -> Refusal | None:
    if len(order.text) > 500:
        return Refusal("RON-ACT-5", "say it in fewer words (at most 500 letters)")
    known = complications(me)
    if order.deals_with and order.deals_with not in known:
        return Refusal("RON-CON-5", f"nothing of {me.name} is called {order.deals_with!r}", known)
    return None


def complications(me: Fighter) -> tuple[str, ...]:
    """Conditions in the Game Master's own words, which last until somebody deals with them."""
    return tuple(c.name for c in me.conditions if c.name not in CONDITIONS and not c.turns and not c.rounds)


def act_fields(state: State, me: Fighter) -> tuple[Field, ...]:
    words = (Field("text", Text(), "", "what"), Field("full", YesNo(), False, "a Full Action"))
    known = complications(me)
    return (*words, Field("deals_with", OneOf(("", *known)), "", "puts right")) if known else words


@rule("RON-ACT-5", "RON-ACT-6", "RON-CON-5")
def act(scene: RondScene, order: Act) -> None:
    """An Action of the player's own description; a complication that it deals with is over."""
    pay(scene, order.by, act_cost(scene.state, get(scene.state, order.by), order), order.verb)
    scene.tell(Noted(order.by, "RON-ACT-5", "action.does", (("text", order.text or "something else"),)))
    if order.deals_with:
        me: Fighter = get(scene.state, order.by)
        fields = (("conditions", tuple(c for c in me.conditions if c.name != order.deals_with)),)
        scene.tell(Changed(order.by, "RON-CON-5", fields, "condition.dealt_with", (("condition", order.deals_with),)))


# ---- waiting and cutting in


def wait_cost(state: State, me: Fighter, order: Wait) -> int:
    return FREE if state.rulings.wait_cost == "holds_action" else ACTION


@rule("RON-ACT-13", "RON-ACT-14")
def wait_refused(state: State, me: Fighter, order: Wait) -> Refusal | None:
    """Waiting needs an Action to wait with and (ruling wait_cost) one more to be used later."""
    if state.interrupting:
        return Refusal("RON-ACT-13", "one who cuts in cannot wait again")
    if me.full:
        return Refusal("RON-ACT-6", "a Full Action leaves room for no other Action")
    if order.against not in ("any", "charge"):
        return Refusal("RON-ACT-13", f"{order.against!r} is nothing to wait for", ("any", "charge"))
    needed = 1 if state.rulings.wait_cost == "holds_action" else 2
    if (left(me) if me.declared else 1 - me.lost) < needed:
        return Refusal("RON-ACT-14", f"waiting needs {needed} unused declared Actions: declare them first")
    return None


def wait_fields(state: State, me: Fighter) -> tuple[Field, ...]:
    return (Field("against", OneOf(("any", "charge")), "any", "wait for"),)


@rule("RON-ACT-13")
def wait(scene: RondScene, order: Wait) -> None:
    """Wait: the turn ends for now, with an Action in hand."""
    pay(scene, order.by, wait_cost(scene.state, get(scene.state, order.by), order), order.verb)
    me: Fighter = get(scene.state, order.by)
    declared = max(1, me.declared)
    fields = (("waiting", order.against), ("acted", True), ("open_turn", True), ("doing", "wait"), ("declared", declared))
    scene.tell(Changed(order.by, "RON-ACT-13", fields, "action.waits", (("left", declared - me.used),)))
    scene.tell(Changed("", "RON-ACT-13", (("turn", ""),)))


def waiters(state: State, but: str) -> tuple[Fighter, ...]:
    """Those who may cut in, the highest initiative first (RON-ACT-14)."""
    able = [
        f for f in state.fighters if f.waiting and f.id != but and not f.out and left(f) > 0 and f.id not in state.interrupting
    ]
    return tuple(sorted(able, key=lambda f: -f.initiative))


@rule("RON-ACT-14", "RON-ACT-15")
def interruptions(
    scene: RondScene,
    order: Order,
    offers: Callable[[State, Fighter, Order], tuple[Order, ...]],
    perform: Callable[[RondScene, Any], None],
) -> bool:
    """After a declaration and before its effects, each waiter may act first. True if the order is still possible.

    `offers`: ready orders a waiter may give in answer to this one. The interrupted order goes on if it still can.
    """
    cut_in = False
    for waiter in waiters(scene.state, order.by):
        options = offers(scene.state, get(scene.state, waiter.id), order)
        if not options or get(scene.state, waiter.id).out:
            continue
        answer = scene.choose(AnOrder(waiter.id, options), INTERRUPT, waiter.id, None, (order,))
        if answer is None:
            continue
        cut_in = True
        outer = scene.state.interrupting
        scene.tell(Changed(waiter.id, "RON-ACT-14", (("waiting", ""),), "action.interrupts"))
        scene.tell(Changed("", "RON-ACT-14", (("interrupting", (*outer, waiter.id)),)))
        perform(scene, answer)
        if waiter.id in scene.state.interrupting:
            scene.tell(Changed("", "RON-ACT-14", (("interrupting", outer),)))
    return not cut_in or not get(scene.state, order.by).out


def must_be_legal(refusal: Refusal | None) -> None:
    """Raise IllegalOrder if there is a refusal."""
    if refusal is not None:
        raise IllegalOrder(refusal)


def nothing(state: State, me: Fighter) -> tuple[Field, ...]:
    """No options."""
    return ()


def allowed(state: State, me: Fighter, order: Any) -> Refusal | None:
    """Nothing beyond cost and turn forbids it."""
    return None


COMMANDS: dict[type, Command] = {
    Declare: Command(lambda state, me, order: FREE, declare_refused, declare_fields, declare, "state the number of Actions"),
    Aim: Command(lambda state, me, order: FULL, allowed, nothing, aim, "aim carefully"),
    Act: Command(act_cost, act_refused, act_fields, act, "do something else", single=True),
    Wait: Command(wait_cost, wait_refused, wait_fields, wait, "wait to cut in"),
}
