"""Who acts when: awareness and starting Initiative, turns and rounds, ties, waiting, haste.

`up` and `queue` are functions of the state; nothing stores an order of acting. Layer three: procedures on the scene.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.ask import Choose, Roll, Why
from affray.domains import OneOf, YesNo
from affray.errors import Refusal
from affray.events import Changed
from affray.modifiers import total
from affray.rules import rule
from affray.rulesets.cepheus import conditions, damage, numbers
from affray.rulesets.cepheus.commands import Act, Begin, Finish, Hasten, Next, Wait
from affray.rulesets.cepheus.mechanics import ONE, TWO, check
from affray.rulesets.cepheus.numbers import parts_of
from affray.rulesets.cepheus.sheet import Blast, Fighter, Grip, Hit, Shift, State, Waiting
from affray.rulesets.cepheus.special import comms

Scene = Any
"""affray.scene.Scene[State]"""
FIRST = 99
"""The count before anybody has begun a turn in a round."""


def able(me: Fighter) -> bool:
    """In the fight and conscious."""
    return me.status == "up"


# ---- the order of acting


@rule("CEP-RND-5", "CEP-INI-5", "CEP-INI-6")
def queue(state: State) -> tuple[str, ...]:
    """Those who have not begun a turn this round and do not wait, in the order in which they would act now."""
    left = [f for f in state.fighters if able(f) and not f.begun and not f.waiting and f.rolled]
    if state.tied:
        rank = {who: i for i, who in enumerate(state.tied)}
        left.sort(key=lambda f: (rank.get(f.id, len(rank)), -comms.initiative(state, f), -numbers.score(f, "dexterity")))
    else:
        left.sort(key=lambda f: (-comms.initiative(state, f), -numbers.score(f, "dexterity")))
    return tuple(f.id for f in left)


@rule("CEP-INI-7")
def tie(state: State) -> tuple[str, ...]:
    """Those at the head of the queue who are equal in Initiative and Dexterity, in roster order."""
    left = queue(state)
    if not left:
        return ()
    top = state[left[0]]
    key = (comms.initiative(state, top), numbers.score(top, "dexterity"))
    same = {who for who in left if (comms.initiative(state, state[who]), numbers.score(state[who], "dexterity")) == key}
    return tuple(f.id for f in state.fighters if f.id in same)


def up(state: State) -> tuple[str, ...]:
    """Who may give orders now: whose turn it is, then those who wait and may break in."""
    if state.phase != "fight" or not state.turn:
        return ()
    return (state.turn, *(f.id for f in state.fighters if may_act(state, f) and f.id not in state.stack))


@rule("CEP-ACT-20")
def may_act(state: State, me: Fighter) -> bool:
    """Whether one who waits may act at the running count: while it is not above his own Initiative."""
    return able(me) and me.waiting and state.count <= comms.initiative(state, me) and me.id not in state.tied


def over(state: State) -> bool:
    """CEP-RND-9: nobody left who could still fight an opponent, or time has passed since: whoever wakes starts no round."""
    return state.phase == "after" or len({f.side for f in state.fighters if able(f)}) < 2


# ---- the start


@rule("CEP-AWR-1", "CEP-AWR-2")
def prepared(state: State) -> frozenset[str]:
    """Those who know of an opponent, when some do and at least one does not."""
    fighting = [f for f in state.fighters if able(f)]
    knows = {f.id for f in fighting if any(o.id in f.aware for o in fighting if o.side != f.side)}
    return frozenset(knows) if len(knows) < len(fighting) else frozenset()


@rule("CEP-AWR-3")
def may_withdraw(state: State, me: Fighter) -> bool:
    """Aware of opponents of whom none is aware of anybody on his side."""
    friends = {f.id for f in state.fighters if f.side == me.side}
    foes = [f for f in state.fighters if f.side != me.side and able(f)]
    return bool(foes) and any(o.id in me.aware for o in foes) and not any(friends & set(o.aware) for o in foes)


@rule("CEP-INI-1", "CEP-GER-16")
def starting_dm(me: Fighter, state: State) -> Any:
    """Dexterity, and what a species adds."""
    traits = me.sheet.traits
    return parts_of(
        [
            (numbers.characteristic(me, "dexterity", state.rulings), "Dexterity", "CEP-INI-1"),
            (
                2 if "fast metabolism" in traits else -2 if "slow metabolism" in traits else 0,
                "metabolism",
                "CEP-GER-16",
            ),
            (-2 if "cold-blooded" in traits and state.cold else 0, "cold-blooded", "CEP-GER-16"),
        ]
    )


@rule("CEP-RND-2", "CEP-AWR-3", "CEP-INI-1", "CEP-INI-2", "CEP-INI-3", "CEP-CHK-17")
def begin(scene: Scene, order: Begin) -> None:
    """Awareness stands; some may leave; Initiative is set; commanders' Tactics."""
    leave = [f for f in scene.state.fighters if able(f) and may_withdraw(scene.state, f)]
    asked = [Choose(OneOf(("fight", "withdraw")), Why("withdraw", "CEP-AWR-3"), f.id, "fight") for f in leave]
    for me, answer in zip(leave, scene.all(asked), strict=True):
        if answer == "withdraw":
            scene.tell(Changed(me.id, "CEP-AWR-3", (("status", "gone"),), "withdraws"))
    if not over(scene.state):
        start_initiative(scene)
        for head in [f for f in scene.state.fighters if f.sheet.commander and able(f)]:
            tactics(scene, head.id)
    scene.tell(Changed("", "CEP-RND-2", (("phase", "fight"), ("count", FIRST)), "round begins", (("round", scene.state.round),)))


@rule("CEP-INI-1", "CEP-INI-2", "CEP-INI-3", "CEP-INI-4")
def start_initiative(scene: Scene) -> None:
    """The prepared count as having thrown 12; everybody else throws, in roster order."""
    state: State = scene.state
    ready = prepared(state)
    fighting = [f for f in state.fighters if able(f) and not f.rolled]
    if not ready and state.rulings.initiative_all_aware == "auto12" and fighting:
        everyone = all(any(o.id in f.aware for o in fighting if o.side != f.side) for f in fighting)
        ready = frozenset(f.id for f in fighting) if everyone else ready
    throw = [f for f in fighting if f.id not in ready]
    parts = {f.id: starting_dm(f, state) for f in fighting}
    rolls = scene.all([Roll(TWO, Why("initiative", "CEP-INI-1"), f.id, parts[f.id]) for f in throw])
    thrown = {f.id: value for f, value in zip(throw, rolls, strict=True)}
    for me in fighting:
        base = thrown.get(me.id, 12) + total(parts[me.id])
        rule_id = "CEP-INI-1" if me.id in thrown else "CEP-INI-2"
        scene.tell(Changed(me.id, rule_id, (("base", base), ("rolled", True)), "initiative", (("total", base),), parts[me.id]))


@rule("CEP-INI-8")
def arrive(scene: Scene, who: str) -> None:
    """Somebody joins late: he throws now, and acts in this round if the count has not passed."""
    state: State = scene.state
    me = state[who]
    parts = starting_dm(me, state)
    base = scene.roll(TWO, Why("initiative", "CEP-INI-8"), who, parts) + total(parts)
    late = base > state.count != FIRST
    scene.tell(
        Changed(
            who,
            "CEP-INI-8",
            (("base", base), ("rolled", True), ("begun", late)),
            "initiative",
            (("total", base),),
            parts,
        )
    )


@rule("CEP-LDR-1", "CEP-INI-9", "CEP-ARM-7", "CEP-COM-1")
def tactics(scene: Scene, head: str) -> None:
    """The commander's Tactics check: its Effect for all of the unit who hear him."""
    state: State = scene.state
    me = state[head]
    level = me.sheet.level("Tactics")
    dress = max((layer.expert_tactics for layer in me.sheet.armour), default=0)
    if level is None and not dress:
        return
    by = {"int": "intelligence", "edu": "education", "soc": "standing", "none": ""}[state.rulings.tactics_characteristic]
    counted = max(level + 1 if level is not None and dress else level or 0, dress - 1)
    parts = parts_of(
        [
            (counted, "Tactics", "CEP-LDR-1"),
            (numbers.characteristic(me, by, state.rulings) if by else 0, by.capitalize(), "CEP-CHK-5"),
            (-2 if me.fatigued else 0, "fatigue", "CEP-FAT-1"),
        ]
    )
    effect = check(scene, parts, Why("tactics", "CEP-LDR-1"), head)
    if effect < 0 and state.rulings.tactics_negative_effect == "ignore":
        effect = 0
    for f in scene.state.fighters:
        if able(f) and comms.unit(f) == comms.unit(me) and effect and comms.in_touch(scene.state, f, head):
            scene.tell(Changed(f.id, "CEP-LDR-1", (("tactics", effect),), "tactics", (("effect", effect),)))


# ---- turns


def take_turn(scene: Scene, who: str, waited: bool = False) -> None:
    """CEP-RND-3: a turn begins; one who waited gets the running count as his score, for good."""
    state: State = scene.state
    me = state[who]
    changes: list[tuple[str, Any]] = [
        ("begun", True), ("minor", 0), ("significant", 0), ("crawled", 0.0), ("moved_before", me.moved), ("moved", 0.0),
        ("wrestled", me.wrestled and state.rulings.grapple_checks == "one_per_round"),
    ]  # fmt: skip
    if waited:
        kept = tuple(shift for shift in me.shifts if shift.in_rounds)
        base = me.base + state.count - comms.initiative(state, replace(me, shifts=kept))
        changes += [("waiting", False), ("base", base), ("shifts", kept)]
        scene.tell(Changed(who, "CEP-ACT-20", tuple(changes), "acts late", (("count", state.count),)))
        scene.tell(
            Changed(
                "",
                "CEP-ACT-20",
                (("stack", (*state.stack, state.turn) if state.turn else ()), ("turn", who), ("just_waited", "")),
            )
        )
        return
    count = comms.initiative(state, me)
    scene.tell(Changed(who, "CEP-RND-3", tuple(changes), "turn", (("count", count),)))
    scene.tell(Changed("", "CEP-RND-3", (("turn", who), ("count", count), ("just_waited", ""))))


def finish_turn(scene: Scene) -> None:
    """The turn is over: the lock of suppression ends, a lost action has been lost, and an interrupted one goes on."""
    state: State = scene.state
    me = state[state.turn]
    changes: tuple[tuple[str, Any], ...] = (("suppressed", -1), ("lost", 0 if me.lost == 1 else me.lost))
    scene.tell(Changed(me.id, "CEP-SUP-5", changes, "turn ends"))
    back = state.stack[-1] if state.stack else ""
    scene.tell(Changed("", "CEP-RND-2", (("turn", back), ("stack", state.stack[:-1]))))


@rule("CEP-RND-2", "CEP-RND-5", "CEP-ACT-20", "CEP-INI-7")
def next_turn(scene: Scene, order: Next) -> None:
    """What is due between turns: held-back results, arrivals, those who wait, the next in order, or a new round."""
    state: State = scene.state
    if state.tied and not any(able(state[who]) and not state[who].begun and not state[who].waiting for who in state.tied):
        release(scene)
        return
    for f in state.fighters:
        if able(f) and not f.rolled:
            arrive(scene, f.id)
            return
    if state.count != FIRST:
        for me in sorted(
            (f for f in state.fighters if may_act(state, f) and f.id != state.just_waited),
            key=lambda f: -comms.initiative(state, f),
        ):
            if scene.choose(YesNo(), Why("act now", "CEP-ACT-20"), me.id, False):
                take_turn(scene, me.id, waited=True)
                return
    left = queue(scene.state)
    if not left:
        close_round(scene)
        return
    same = tie(state) if not state.tied else ()
    if len(same) > 1 and state.rulings.initiative_full_tie != "roster_order":
        same = roll_off(scene, same) if state.rulings.initiative_full_tie == "roll_off" else same
        scene.tell(Changed("", "CEP-INI-7", (("tied", same),), "full tie", (("names", ", ".join(same)),)))
    take_turn(scene, queue(scene.state)[0])


@rule("CEP-INI-7")
def roll_off(scene: Scene, same: tuple[str, ...]) -> tuple[str, ...]:
    """A die each, the higher first; those who are equal again throw again."""
    faces = dict(zip(same, scene.all([Roll(ONE, Why("roll-off", "CEP-INI-7"), who) for who in same]), strict=True))
    ordered: list[str] = []
    for face in sorted(set(faces.values()), reverse=True):
        group = tuple(who for who in same if faces[who] == face)
        ordered += roll_off(scene, group) if len(group) > 1 else group
    return tuple(ordered)


# ---- simultaneous results


@rule("CEP-INI-7")
def deliver(scene: Scene, by: str, at: str, message: Any) -> None:
    """The one gate through which one combatant harms another: between tied ones the result waits until all have acted."""
    state: State = scene.state
    if state.rulings.initiative_full_tie == "simultaneous" and by != at and by in state.tied and at in state.tied:
        scene.tell(Changed("", "CEP-INI-7", (("waiting", (*state.waiting, Waiting(at, message))),), "held back", (("at", at),)))
        return
    apply(scene, at, message)


def apply(scene: Scene, at: str, message: Any) -> None:
    """A result takes effect, with what follows for others and for the clocks."""
    if isinstance(message, Grip):
        from affray.rulesets.cepheus.special import grapple  # grapples know this module

        grapple.hold(scene, at, message)
        return
    before = scene.state[at]
    scene.become(at, damage.receive, message)
    conditions.aftermath(scene, before)


@rule("CEP-INI-7")
def release(scene: Scene) -> None:
    """All tied combatants have acted: what they did to each other takes effect together."""
    held = scene.state.waiting
    scene.tell(Changed("", "CEP-INI-7", (("tied", ()), ("waiting", ()))))
    for one in held:
        message = one.message
        if isinstance(message, Hit | Blast):
            message = replace(message, quiet=True)
        apply(scene, one.who, message)


# ---- rounds


@rule("CEP-RND-1", "CEP-RND-4", "CEP-REA-4", "CEP-ACT-16", "CEP-UNC-2", "CEP-ACT-21")
def close_round(scene: Scene) -> None:
    """The round ends: work that is due, waking, what lasts for rounds; then claims for the head of the next one."""
    for f in scene.state.fighters:
        if scene.state[f.id].task is not None:
            conditions.work_on(scene, f.id)
    for f in scene.state.fighters:
        conditions.recover(scene, f.id)
    claimants = [f.id for f in scene.state.fighters if able(f) and f.waiting]
    for f in scene.state.fighters:
        scene.become(f.id, round_over)
        conditions.drugs_over(scene, f.id)
    state: State = scene.state
    clouds = tuple(replace(cloud, rounds=cloud.rounds - 1) for cloud in state.clouds if cloud.rounds > 1)
    now = (("round", state.round + 1), ("seconds", state.seconds + 6), ("count", FIRST), ("clouds", clouds))
    scene.tell(Changed("", "CEP-RND-1", now, "round begins", (("round", state.round + 1),)))
    claim_first(scene, claimants)


@rule("CEP-RND-4", "CEP-REA-4", "CEP-LDR-3")
def round_over(ask: Any, me: Fighter) -> Fighter:
    """What belonged to the round is gone, what belongs to the next one comes nearer."""
    shifts = tuple(replace(shift, in_rounds=shift.in_rounds - 1) for shift in me.shifts if shift.in_rounds)
    tolls = tuple(replace(toll, rounds=toll.rounds - 1) for toll in me.tolls if toll.rounds > 1)
    doses = tuple(conditions.next_dose(d) for d in me.doses)
    new: list[tuple[str, Any]] = [
        ("begun", False), ("waiting", False), ("hasted", False), ("claimed", False), ("wrestled", False), ("help", 0),
        ("shifts", shifts), ("tolls", tolls), ("doses", doses), ("lost", max(0, me.lost - 1)),
    ]  # fmt: skip
    if me.task is not None:
        new.append(("task", replace(me.task, counts=True, worked=False)))
    held = tuple(replace(one, mode=one.next_mode, next_mode="") if one.next_mode else one for one in me.held)
    new.append(("held", held))
    changed = tuple((name, value) for name, value in new if getattr(me, name) != value)
    return ask.tell(Changed(me.id, "CEP-RND-4", changed, "round over"), me) if changed else me


@rule("CEP-ACT-21", "CEP-ACT-22")
def claim_first(scene: Scene, claimants: list[str]) -> None:
    """Those who waited a whole round may act first in the new one."""
    able_ones = [who for who in claimants if able(scene.state[who])]
    asked = [Choose(YesNo(), Why("first", "CEP-ACT-21"), who, True) for who in able_ones]
    first = [who for who, yes in zip(able_ones, scene.all(asked), strict=True) if yes]
    lead(scene, tuple(first))


@rule("CEP-ACT-21", "CEP-ACT-22")
def lead(scene: Scene, first: tuple[str, ...]) -> None:
    """Those who claimed it get one more than the highest of the others."""
    state: State = scene.state
    others = [comms.initiative(state, f) for f in state.fighters if able(f) and f.rolled and f.id not in first]
    if not first or not others:
        return
    head = max(others) + 1
    if state.rulings.delay_never_lower:
        head = max(head, *(comms.initiative(state, state[who]) for who in first))
    for who in first:
        me = state[who]
        base = me.base + head - comms.initiative(state, me)
        scene.tell(Changed(who, "CEP-ACT-21", (("base", base), ("claimed", True)), "first", (("total", head),)))


# ---- orders about time


def wait_refusal(state: State, order: Wait) -> Refusal | None:
    me = state[order.by]
    if me.minor or me.significant or me.moved:
        return Refusal("CEP-ACT-19", f"{me.id} has already acted this round")
    return Refusal("CEP-ACT-17", f"{me.id} is at work") if me.task else None


@rule("CEP-ACT-19")
def wait(scene: Scene, order: Wait) -> None:
    """Give up the turn for now."""
    state: State = scene.state
    me = state[order.by]
    scene.tell(Changed(me.id, "CEP-ACT-19", (("waiting", True), ("begun", False), ("moved", me.moved_before)), "waits"))
    back = state.stack[-1] if state.stack else ""
    scene.tell(Changed("", "CEP-ACT-19", (("turn", back), ("stack", state.stack[:-1]), ("just_waited", me.id))))


def act_refusal(state: State, order: Act) -> Refusal | None:
    me = state[order.by]
    if not me.waiting:
        return Refusal("CEP-ACT-19", f"{me.id} does not wait")
    if not may_act(state, me) or me.id == state.turn:
        return Refusal("CEP-ACT-20", f"the count of {state.count} is above the Initiative of {me.id}")
    return None


@rule("CEP-ACT-19", "CEP-ACT-20")
def act(scene: Scene, order: Act) -> None:
    """Stop waiting: the whole turn, now."""
    take_turn(scene, order.by, waited=True)


def hasten_refusal(state: State, order: Hasten) -> Refusal | None:
    me = state[order.by]
    started = any(f.begun and (f.id != state.turn or f.minor or f.significant) for f in state.fighters)
    if started or any(f.waiting for f in state.fighters):
        return Refusal("CEP-RND-6", "haste is declared before anybody acts in the round")
    if me.hasted or (me.hastes and state.rulings.hasten_limit == "once_per_fight"):
        return Refusal("CEP-RND-6", f"{me.id} has hastened before")
    if not any(f.id in me.aware for f in state.fighters if f.side != me.side):
        return Refusal("CEP-RND-6", f"{me.id} does not know of any opponent")
    return None


@rule("CEP-RND-6", "CEP-RND-5")
def hasten(scene: Scene, order: Hasten) -> None:
    """+2 for this round, -1 on all he does; then the order is looked at afresh, and claims for its head with it."""
    me = scene.state[order.by]
    shifts = (*me.shifts, Shift(2, "CEP-RND-6"))
    scene.tell(Changed(me.id, "CEP-RND-6", (("hasted", True), ("hastes", me.hastes + 1), ("shifts", shifts)), "hastens"))
    holder = scene.state.turn
    if holder:
        held = scene.state[holder]
        scene.tell(Changed(holder, "CEP-RND-5", (("begun", False), ("moved", held.moved_before))))
        scene.tell(Changed("", "CEP-RND-5", (("turn", ""), ("count", FIRST), ("tied", ()))))
    lead(scene, tuple(f.id for f in scene.state.fighters if f.claimed and able(f)))


def finish(scene: Scene, order: Finish) -> None:
    """A turn in which nothing is left."""
    finish_turn(scene)
