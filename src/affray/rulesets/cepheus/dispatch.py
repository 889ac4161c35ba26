"""Every verb with its judge and its procedure, and what may be ordered now. The only module that knows all the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from affray.domains import Number, OneOf, Subset, YesNo
from affray.errors import IllegalOrder, Refusal
from affray.events import Changed
from affray.rules import rule
from affray.ruleset import Field, Offer
from affray.rulesets.cepheus import (
    actions,
    attack,
    conditions,
    healing,
    initiative,
    movement,
    numbers,
    rest,
    tables,
)
from affray.rulesets.cepheus import commands as c
from affray.rulesets.cepheus.sheet import Fighter, State
from affray.rulesets.cepheus.special import explosions, grapple, leadership, turns

Scene = Any
Judge = Callable[[State, Any], Refusal | None]
Procedure = Callable[[Scene, Any], None]


def never(state: State, order: Any) -> Refusal | None:
    return None


def end(scene: Scene, order: c.End) -> None:
    initiative.finish_turn(scene)


TURN: dict[type, tuple[Judge, Procedure, str]] = {
    c.Attack: (attack.refusal, attack.perform, "significant"),
    c.Suppress: (attack.refusal, attack.perform, "significant"),
    c.Panic: (attack.refusal, attack.perform, "significant"),
    c.Coup: (leadership.coup_refusal, leadership.coup, "significant"),
    c.Grapple: (grapple.grapple_refusal, grapple.seize, "significant"),
    c.Wrestle: (grapple.wrestle_refusal, grapple.wrestle, "significant"),
    c.Aim: (actions.aim_refusal, actions.aim, "minor"),
    c.Stance: (actions.stance_refusal, actions.stance, "minor"),
    c.Draw: (actions.draw_refusal, actions.draw, "minor"),
    c.Drop: (actions.drop_refusal, actions.drop, "free"),
    c.Reload: (actions.reload_refusal, actions.reload, "minor"),
    c.Mode: (actions.mode_refusal, actions.mode, "free"),
    c.Stock: (actions.stock_refusal, actions.stock, "minor"),
    c.FixSight: (actions.fix_refusal, actions.fix_sight, "minor"),
    c.Move: (movement.move_refusal, movement.move, "minor"),
    c.Leap: (movement.leap_refusal, movement.leap, "significant"),
    c.Check: (actions.check_refusal, actions.check, "significant"),
    c.Help: (actions.help_refusal, actions.help_out, "significant"),
    c.Oppose: (actions.oppose_refusal, actions.oppose, "significant"),
    c.Work: (actions.work_refusal, actions.work, "the whole round"),
    c.Continue: (actions.continue_refusal, actions.go_on, "the whole round"),
    c.Abandon: (actions.abandon_refusal, actions.abandon, "free"),
    c.Free: (actions.free_refusal, actions.free, "free"),
    c.Lead: (leadership.lead_refusal, leadership.lead, "significant"),
    c.FirstAid: (healing.first_aid_refusal, healing.first_aid, "significant"),
    c.Take: (actions.take_refusal, conditions.take, "minor"),
    c.Charge: (explosions.charge_refusal, explosions.charge, "significant"),
    c.Wait: (initiative.wait_refusal, initiative.wait, "the turn for now"),
    c.End: (never, end, "free"),
}
"""Orders given in one's own turn: judge, procedure, cost in words."""
ANYTIME: dict[type, tuple[Judge, Procedure, str]] = {
    c.Act: (initiative.act_refusal, initiative.act, "the whole turn, now"),
    c.Hasten: (initiative.hasten_refusal, initiative.hasten, "-1 on all actions of the round"),
    c.Tire: (never, conditions.tire, ""),
    c.Rest: (rest.refusal, rest.rest, ""),
    c.Surgery: (healing.surgery_refusal, rest.surgery, "1D6 hours"),
    c.Poison: (never, conditions.poison, ""),
    c.Fall: (never, conditions.fall, ""),
    c.Knock: (never, actions.knock, ""),
}
"""Orders that do not wait for a turn."""
FLOW: dict[type, Procedure] = {c.Begin: initiative.begin, c.Next: initiative.next_turn, c.Finish: initiative.finish}


def spent(me: Fighter) -> bool:
    """Whether nothing but free acts is left in the turn."""
    return actions.nothing_left(me)


def flow(state: State) -> Any:
    """The step that is due by itself, if any."""
    if state.phase == "after":
        return None
    if state.phase == "begin":
        return c.Begin("")
    if initiative.over(state) and not state.waiting:
        return None
    if not state.turn:
        return c.Next("")
    me = state[state.turn]
    return c.Finish(state.turn) if not initiative.able(me) or spent(me) else None


def why_not(state: State, order: Any) -> Refusal | None:
    """The one judge of legality."""
    kind = type(order)
    if kind in FLOW:
        return None if type(flow(state)) is kind else Refusal("CEP-RND-2", "this is not due now")
    if kind is c.Rest:
        return rest.refusal(state, order)
    if all(f.id != order.by for f in state.fighters):
        return Refusal("CEP-RND-2", f"{order.by!r} is nobody in this fight", tuple(f.id for f in state.fighters))
    me = state[order.by]
    if kind in ANYTIME:
        if me.status in ("dead", "gone"):
            return Refusal("CEP-DMG-4", f"{me.id} is {me.status}")
        if kind in (c.Act, c.Hasten) and (state.phase != "fight" or not initiative.able(me)):
            return Refusal("CEP-UNC-1", f"{me.id} cannot act")
        return ANYTIME[kind][0](state, order)
    if kind not in TURN:
        return Refusal("CEP-RND-3", f"{order.verb!r} is no order of this game")
    if kind is c.FirstAid and (initiative.over(state) or state.phase != "fight"):
        return healing.first_aid_refusal(state, order)
    if not initiative.able(me):
        return Refusal("CEP-UNC-1", f"{me.id} is {me.status} and cannot act")
    if state.turn != order.by:
        return Refusal("CEP-INI-5", f"it is not the turn of {me.id}" + (f"; {state.turn} acts" if state.turn else ""))
    return TURN[kind][0](state, order)


INTERRUPTIBLE = (c.Coup, c.Grapple, c.Wrestle, c.Lead, c.FirstAid, c.Charge, c.Check, c.Help, c.Oppose, c.Leap)
"""Actions with dice, beside attacks (which let others in after they are declared and paid)."""


@rule("CEP-ACT-20")
def broken_into(scene: Scene, order: Any) -> bool:
    """Those who wait may act before the dice of this action; whether it has become impossible (it is lost then)."""
    if not any(f.waiting for f in scene.state.fighters):
        return False
    turns.interrupts(scene, order.by)
    if why_not(scene.state, order) is None:
        return False
    me = scene.state[order.by]
    scene.tell(Changed(order.by, "CEP-ACT-20", (("significant", me.significant + 1),), "comes to nothing"))
    return True


def perform(scene: Scene, order: Any) -> None:
    """Carry an order out. Raises IllegalOrder."""
    if refusal := why_not(scene.state, order):
        raise IllegalOrder(refusal)
    kind = type(order)
    if kind in INTERRUPTIBLE and scene.state.turn == order.by and broken_into(scene, order):
        return
    (FLOW[kind] if kind in FLOW else (TURN.get(kind) or ANYTIME[kind])[1])(scene, order)


# ---- what may be ordered


def candidates(state: State, me: Fighter) -> Iterator[Any]:
    """A handful of orders for each verb, the likeliest first."""
    weapons = tuple(dict.fromkeys([w.name for w, _ in numbers.ready_weapons(me)] + [w.name for w in me.sheet.weapons]))
    yield from with_others(state, me, weapons)
    yield from with_weapons(me, weapons)
    yield from alone(me)


def with_others(state: State, me: Fighter, weapons: tuple[str, ...]) -> Iterator[Any]:
    """Orders about somebody else, or about somebody at all."""
    who, skill = me.id, first_skill(me)
    others = [f for f in state.fighters if f.id != who and f.status not in ("dead", "gone")]
    foes = [f.id for f in sorted(others, key=lambda f: f.status != "up") if f.side != me.side]
    friends = [f.id for f in others if f.side == me.side]
    for target, weapon in product(foes + friends, [*weapons, "Unarmed Strike"]):
        yield from (kind(who, target, weapon) for kind in (c.Attack, c.Suppress, c.Panic, c.Coup))
    for target in foes + friends:
        yield from (c.Grapple(who, target), c.Aim(who, target), c.Move(who, toward=(target,)), c.Leap(who, toward=(target,)))
        yield c.Oppose(who, target, skill)
    for target in friends:
        yield from (c.Lead(who, target), c.Help(who, target, skill))
    for target in [*friends, who, *foes]:
        yield from (c.FirstAid(who, target), c.Surgery(who, target), c.Charge(who, target=target))


def with_weapons(me: Fighter, weapons: tuple[str, ...]) -> Iterator[Any]:
    """Orders about what is carried."""
    for weapon in weapons:
        yield from (kind(me.id, weapon) for kind in (c.Draw, c.Drop, c.Reload, c.Stock, c.FixSight))
        yield from (c.Mode(me.id, weapon, mode.name) for w in me.sheet.weapons if w.name == weapon for mode in w.modes)


def alone(me: Fighter) -> Iterator[Any]:
    """Orders that are nobody else's business."""
    who, skill = me.id, first_skill(me)
    yield from (c.Stance(who, "standing"), c.Stance(who, "crouched"), c.Stance(who, "prone"))
    yield from (c.Check(who, skill), c.Work(who, "work", skill))
    yield from (c.Take(who, "stim"), c.Take(who, "combat_drug"), c.Take(who, "metabolic_accelerator"))
    yield from (c.Wrestle(who), c.Continue(who), c.Abandon(who), c.Free(who), c.Wait(who), c.Act(who), c.Hasten(who), c.End(who))
    yield c.Rest(who, minutes=1)


def first_skill(me: Fighter) -> str:
    """A skill for orders that want one."""
    return me.sheet.skills[0][0] if me.sheet.skills else ""


HIDDEN = {
    "place",
    "rest",
    "behind",
    "line",
    "dm",
    "things",
    "silent",
    "name",
    "faster",
    "minor",
    "cost",
    "away",
    "metres",
    "to",
}
"""Options that the referee or a map gives; not drawn when orders are sampled."""


def _domain(state: State, me: Fighter, order: Any, name: str) -> Any:
    """The widget of one option."""
    others = tuple(f.id for f in state.fighters if f.id != me.id and f.status not in ("dead", "gone"))
    if name == "target":
        everybody = (*others, me.id) if isinstance(order, c.FirstAid | c.Charge | c.Surgery) else others
        return OneOf(everybody or ("",))
    if name == "toward":
        return Subset(others, 1, 1) if others else OneOf(((),))
    if name == "weapon":
        return OneOf((*dict.fromkeys(w.name for w in me.sheet.weapons), "Unarmed Strike"))
    if name == "mode":
        return OneOf(
            tuple(dict.fromkeys(m.name for w in me.sheet.weapons for m in w.modes))
            + (("",) if not isinstance(order, c.Mode) else ())
            or ("",)
        )
    choices: dict[str, tuple[Any, ...]] = {
        "fire": ("spray", "grouped"),
        "row": ("", *dict.fromkeys(row for w in me.sheet.weapons for row in w.rows)),
        "using": ("",) if isinstance(order, c.Help | c.Check | c.Work | c.Oppose) else ("", "strength", "dexterity"),
        "against_using": ("",),
        "to": ("standing", "crouched", "prone"),
        "skill": tuple(s for s, _ in me.sheet.skills) or ("",),
        "against": tuple(s for s, _ in me.sheet.skills) or ("",),
        "difficulty": tuple(tables.DIFFICULTY),
        "frame": ("rounds", "minutes"),
        "drug": ("stim", "combat_drug", "metabolic_accelerator"),
        "charge": ("plastic", "tdx", "pocket_nuke"),
        "text": ("",),
    }
    if name in choices:
        return OneOf(choices[name])
    return YesNo() if isinstance(getattr(order, name), bool) else Number(-20, 400)


@rule("CEP-ACT-1", "CEP-ACT-8", "CEP-ACT-11", "CEP-ACT-15", "CEP-CHK-14")
def cost(state: State, order: Any) -> str:
    """What this order takes of the turn as it stands, in words."""
    kind, me = type(order), next((f for f in state.fighters if f.id == order.by), None)
    if me is None or kind not in (*TURN, *ANYTIME):
        return ""
    if isinstance(order, c.Free) and order.cost:
        return order.cost
    if isinstance(order, c.Check) and order.minor:
        return "minor"
    if isinstance(order, c.Work) and actions.frame_of(order) == "seconds":
        return "significant"
    if isinstance(order, c.FirstAid) and not healing.in_turn(state):
        return ""
    if isinstance(order, c.Reload) and (held := actions.find_held(me, order.weapon)):
        needed = actions.reload_needs(*held[1:])
        return f"minor, {held[2].progress + 1} of {needed}" if needed > 1 else "minor"
    return (TURN.get(kind) or ANYTIME[kind])[2]


def offers(state: State, who: str) -> tuple[Offer, ...]:
    """Every verb with its cost and options, those refused with their reason."""
    me = state[who]
    legal: dict[type, Any] = {}
    refused: dict[type, Refusal] = {}
    for order in candidates(state, me):
        kind = type(order)
        if kind in legal:
            continue
        if refusal := why_not(state, order):
            refused.setdefault(kind, refusal)
        else:
            legal[kind] = order
    found = []
    for kind in (*TURN, c.Act, c.Hasten, c.Rest, c.Surgery):
        verb = str(kind.__struct_config__.tag)
        if kind not in legal:
            _, procedure, words = TURN.get(kind) or ANYTIME[kind]
            cited = getattr(procedure, "__rules__", ("CEP-RND-3",))[0]
            refusal = refused.get(kind, Refusal(cited, "there is nobody and nothing for it"))
            found.append(Offer(verb, words, (), refusal, kind.__doc__ or ""))
            continue
        order = legal[kind]
        own = [n for n in order.__struct_fields__ if n not in ("by", "because")]
        names = [n for n in own if n not in HIDDEN or (n == "to" and kind is c.Stance)]
        fields = tuple(Field(n, _domain(state, me, order, n), getattr(order, n)) for n in names)
        if kind is c.Rest:
            fields = rest.fields()
        found.append(Offer(verb, cost(state, order), fields, None, kind.__doc__ or ""))
    return tuple(found)


def examples(state: State, who: str) -> tuple[Any, ...]:
    """One legal order for each verb that is open to him."""
    found: dict[type, Any] = {}
    for order in candidates(state, state[who]):
        if type(order) in TURN and type(order) not in found and type(order) is not c.Wait and why_not(state, order) is None:
            found[type(order)] = order
    return tuple(found.values())
