"""All verbs of the ruleset in one table: what may be ordered, why not, what it costs, and carrying it out."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

import msgspec

from affray.errors import IllegalOrder, Refusal, ReplayMismatch, plainly
from affray.events import Noted, get
from affray.rules import rule
from affray.ruleset import Field, Offer, Order
from affray.rulesets.rond6 import (
    actions,
    areas,
    attack,
    conditions,
    defence,
    exertion,
    gear,
    healing,
    initiative,
    interaction,
    movement,
    rest,
    skills,
)
from affray.rulesets.rond6.actions import ACTION, FREE, FULL, Command, RondScene, must_be_legal, unaffordable
from affray.rulesets.rond6.sheet import Fighter, State
from affray.rulesets.rond6.special import automatic, charge, coordinate, grapple, heads_down, manners

MODULES = (
    actions,
    attack,
    manners,
    charge,
    automatic,
    heads_down,
    coordinate,
    areas,
    defence,
    grapple,
    interaction,
    movement,
    exertion,
    conditions,
    gear,
    skills,
    healing,
    rest,
    initiative,
)
"""The modules that bring verbs, in the order in which they are offered. Each has `COMMANDS`."""

COMMANDS: dict[type, Command] = {kind: command for module in MODULES for kind, command in module.COMMANDS.items()}
"""Every verb that a person may order."""

FLOW: dict[type, Any] = {initiative.Round: initiative.new_round, initiative.Turn: initiative.begin_turn}
"""What comes by itself."""

ORDERS = reduce(or_, [*COMMANDS, *FLOW])
WITHOUT_TURN = (actions.Declare, actions.Wait, actions.End, coordinate.Coordinate)
"""Nobody is interrupted by these: no effect is pending."""


AFTER = (rest.Rest, rest.Aftermath, healing.Treat, skills.Skill, skills.Free, gear.Ready, gear.Drop, exertion.Stand)
"""What may be ordered when the fight is over and no turn is counted."""


@rule("RON-TIME-2")
def after_fight(state: State, me: Fighter, order: Any) -> bool:
    """Whether an order belongs to the time after the fight: what costs no turn, or none that is left."""
    if not isinstance(order, AFTER) or not initiative.over(state):
        return False
    if state.after or isinstance(order, rest.Rest | rest.Aftermath) or me.id not in initiative.up(state):
        return True
    command = COMMANDS[type(order)]
    return unaffordable(state, me, command.cost(state, me, order), command.single) is not None


@rule("RON-TIME-7", "RON-TIME-8")
def why_not(state: State, order: Any) -> Refusal | None:
    """The one judge of legality: None, or why this order is not possible now."""
    if type(order) in FLOW:
        return None if order == initiative.flow(state) else Refusal("RON-TIME-4", "that is not due now")
    me: Fighter | None = next((f for f in state.fighters if f.id == order.by), None)
    if me is None:
        return Refusal("RON-TIME-7", f"there is no combatant {order.by!r}", tuple(f.id for f in state.fighters)[:12])
    command = COMMANDS[type(order)]
    if after_fight(state, me, order):
        awake = not me.out or (isinstance(order, rest.Rest | rest.Aftermath) and me.out not in rest.LOST)
        return command.refused(state, me, order) if awake else Refusal("RON-TIME-8", f"{me.name} is {me.out}")
    if state.after:
        return Refusal("RON-TIME-2", "the fight is over and nobody counts Rounds")
    if isinstance(order, rest.Rest | rest.Aftermath):
        return Refusal("RON-TIME-2", "the fight is not over: Rounds are counted")
    if me.out and not (type(order) is actions.End and state.turn == me.id):
        return Refusal("RON-TIME-8", f"{me.name} is {me.out}")
    who = initiative.up(state)
    if order.by not in who:
        return Refusal("RON-TIME-7", f"it is the turn of {' or '.join(who) or 'nobody'}", who)
    return unaffordable(state, me, command.cost(state, me, order), command.single) or command.refused(state, me, order)


@rule("RON-ACT-3", "RON-ACT-5")
def offers(state: State, who: str) -> tuple[Offer, ...]:
    """Every verb with its cost and options; the refused ones with their reason."""
    me: Fighter = get(state, who)
    found = []
    for kind, command in COMMANDS.items():
        verb = str(kind.__struct_config__.tag)  # type: ignore[attr-defined]
        fields = command.fields(state, me)
        if isinstance(fields, Refusal):
            refused = why_not(state, actions.End(who)) or fields
            found.append(Offer(verb, "", (), refused, command.text))
            continue
        order = kind(by=who, **{f.name: f.default for f in fields})
        refusal = _of_turn(state, me, order, command, fields)
        price = command.price(state.rulings) if command.price and not state.after else cost(state, order)
        found.append(Offer(verb, price, fields, refusal, command.text))
    return tuple(found)


def _of_turn(state: State, me: Fighter, order: Any, command: Command, fields: tuple[Field, ...]) -> Refusal | None:
    """Why a verb is refused whatever its options: turn and cost; with no options to choose, anything else too."""
    if initiative.over(state):
        return why_not(state, order)
    if me.out or me.id not in initiative.up(state) or not fields:
        return why_not(state, order)
    if isinstance(order, movement.Move):
        return unaffordable(state, me, FREE, True) or command_blocked(state, me)
    return unaffordable(state, me, command.cost(state, me, order), command.single) or (
        command.refused(state, me, order) if not isinstance(order, attack.Attack) else None
    )


def command_blocked(state: State, me: Fighter) -> Refusal | None:
    """Whether not even the smallest move is affordable."""
    return unaffordable(state, me, ACTION, True) if state.rulings.movement_costs == "categories" else None


@rule("RON-ACT-3", "RON-MOVE-3")
def cost(state: State, order: Any) -> str:
    """What this order takes of the turn as it stands, in words; after the fight nothing is counted."""
    me: Fighter | None = next((f for f in state.fighters if f.id == order.by), None)
    if me is None or type(order) not in COMMANDS:
        return ""
    if after_fight(state, me, order):
        return words(FREE)
    return words(COMMANDS[type(order)].cost(state, me, order))


def words(cost: int) -> str:
    """A cost in words."""
    if cost == FULL:
        return "Full Action"
    return "free" if cost == FREE else "1 Action" if cost == 1 else f"{cost} Actions"


def as_order(data: Any) -> Any:
    """An answer that is an order, in its proper type."""
    if isinstance(data, Order):
        return data
    try:
        return msgspec.convert(data, ORDERS)
    except msgspec.ValidationError as wrong:
        raise IllegalOrder(Refusal("RON-ACT-14", f"that is no order to cut in with: {plainly(wrong)}")) from None


@rule("RON-TIME-4", "RON-ACT-13", "RON-ACT-14")
def perform(scene: RondScene, data: Any) -> None:
    """Carry out an order: declaration, interruptions, and, if it is still possible, its effects."""
    order = as_order(data)
    if type(order) in FLOW:
        FLOW[type(order)](scene, order)
        return
    doer = next((f for f in scene.state.fighters if f.id == order.by), None)
    if doer is not None and after_fight(scene.state, doer, order):
        must_be_legal(why_not(scene.state, order))
        rest.aftermath(scene, order)
        COMMANDS[type(order)].run(scene, order)
        return
    if scene.state.turn != order.by and not scene.state.interrupting and order.by in initiative.up(scene.state):
        initiative.begin_turn(scene, initiative.Turn(order.by))
    must_be_legal(why_not(scene.state, order))
    command = COMMANDS[type(order)]
    if order.because:
        scene.tell(Noted(order.by, "", "plan.because", (("because", order.because),)))
    if not isinstance(order, WITHOUT_TURN) and actions.waiters(scene.state, order.by):
        scene.tell(Noted(order.by, "RON-ACT-14", "action.declares", (("verb", order.verb),)))
        actions.interruptions(scene, order, cut_ins, cut_in)
        initiative.close_waits(scene)
        if why_not(scene.state, order) is not None:
            forfeit(scene, order, command)
            return
    command.run(scene, order)


@rule("RON-ACT-14")
def cut_in(scene: RondScene, data: Any) -> None:
    """Carry out the order of one who cuts in. One that the rules do not allow is a wrong answer: it is asked again."""
    try:
        order = as_order(data)
        must_be_legal(why_not(scene.state, order))
    except IllegalOrder as wrong:
        raise ReplayMismatch(str(wrong)) from None
    perform(scene, order)


@rule("RON-ACT-14")
def forfeit(scene: RondScene, order: Any, command: Command) -> None:
    """An interrupted Action that has become impossible is lost."""
    me: Fighter = get(scene.state, order.by)
    if not me.out:
        cost = command.cost(scene.state, me, order)
        if unaffordable(scene.state, me, cost, command.single) is None:
            actions.pay(scene, order.by, cost, order.verb)
    scene.tell(Noted(order.by, "RON-ACT-14", "action.lost", (("verb", order.verb),)))


@rule("RON-ACT-14", "RON-DEF-2")
def cut_ins(state: State, waiter: Fighter, order: Any) -> tuple[Order, ...]:
    """Ready orders for one who may cut in: attacks on each enemy, the doer first, then one for every other plain Action."""
    if waiter.waiting == "charge":  # a set weapon has its own moment, in the course of the charge
        return ()
    then = msgspec.structs.replace(state, interrupting=(*state.interrupting, waiter.id))
    foes = sorted((f for f in state.fighters if f.side != waiter.side), key=lambda f: f.id != order.by)
    options: list[Order] = [attack.Attack(waiter.id, f.id) for f in foes if not f.out]
    for kind, command in COMMANDS.items():
        if kind is attack.Attack or kind in WITHOUT_TURN or isinstance(fields := command.fields(then, waiter), Refusal):
            continue
        example = kind(by=waiter.id, **{f.name: f.default for f in fields})
        if command.cost(then, waiter, example) == ACTION:
            options.append(example)
    return tuple(option for option in options if why_not(then, option) is None)
