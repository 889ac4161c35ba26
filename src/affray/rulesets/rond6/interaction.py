"""Attacks on the mind: intimidation, taunts, tricks, maneuvers. Whoever rolled the total, `interact` does the rest."""

from __future__ import annotations

from affray.ask import ATTACKER, MASTER, TARGET, Why
from affray.domains import OneOf, YesNo
from affray.errors import Refusal
from affray.events import Noted, get
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import ACTION, Command, RondScene, pay
from affray.rulesets.rond6.checks import rolled
from affray.rulesets.rond6.minds import INTERACT, attempt_test, mind_guard, withstand
from affray.rulesets.rond6.numbers import circumstances, distance
from affray.rulesets.rond6.points import cannot_spend, spend, spending_fields
from affray.rulesets.rond6.sheet import UNARMED, Attempt, Fighter, State
from affray.rulesets.rond6.tables import INTERACTION

REACHES = Why("interaction reaches", "RON-INT-1", "does this get across?")

NEAR = 5
"""Spaces within which an interaction gets across without asking the Game Master; the book gives no range."""
PLAYED_OUT = ("charm", "persuasion", "interrogation")
"""Skills that are talked through and never rolled as an attack (RON-INT-13)."""


class Interact(Order, frozen=True, tag="interact"):
    """An interaction attack on `target`. `kind`: intimidation, maneuver, taunt, trick or acrobatic_trick."""

    kind: str = "taunt"
    target: str = ""
    points: int = 0
    fate: bool = False


@rule("RON-INT-7")
def interact_cost(state: State, me: Fighter, order: Interact) -> int:
    return ACTION


@rule("RON-INT-1", "RON-INT-2", "RON-INT-13")
def interact_refused(state: State, me: Fighter, order: Interact) -> Refusal | None:
    """Why this interaction is not possible now."""
    if order.kind.lower() in PLAYED_OUT:
        return Refusal("RON-INT-13", f"{order.kind} is played out among people, not rolled as an attack", tuple(INTERACTION))
    if order.kind not in INTERACTION:
        return Refusal("RON-INT-1", f"there is no interaction {order.kind!r}", tuple(INTERACTION))
    target = next((f for f in state.fighters if f.id == order.target), None)
    if target is None or target not in listeners(state, me):
        return Refusal("RON-INT-1", f"{order.target!r} is nobody to impress", tuple(f.id for f in listeners(state, me))[:12])
    return cannot_spend(me, order.points, order.fate)


def listeners(state: State, me: Fighter) -> tuple[Fighter, ...]:
    """Those who can be impressed, enemies first, the near before the far."""
    others = [f for f in state.fighters if f.id != me.id and not f.out and not f.sheet.object]
    return tuple(sorted(others, key=lambda f: (f.side == me.side, distance(state, me, f))))


def interact_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    others = tuple(f.id for f in listeners(state, me))
    if not others:
        return Refusal("RON-INT-1", "there is nobody to impress")
    kinds = tuple(INTERACTION)
    fields = (Field("kind", OneOf(kinds), "taunt", "kind"), Field("target", OneOf(others), others[0], "target"))
    return (*fields, *spending_fields(me))


@rule("RON-INT-1", "RON-INT-7")
def attempt(scene: RondScene, order: Interact) -> None:
    """The Action of an interaction: pay, roll, and see what it does."""
    kind: Attempt = order.kind  # type: ignore[assignment]
    pay(scene, order.by, ACTION, order.verb)
    spend(scene, order.by, order.points, order.fate)
    me: Fighter = get(scene.state, order.by)
    if gets_across(scene, order.by, order.target):
        test = attempt_test(me, kind, scene.state.rulings, points=order.points, fate=order.fate)
        total = scene.call(rolled, test, INTERACT, ATTACKER, roles={ATTACKER: order.by, TARGET: order.target})
        interact(scene, order.by, order.target, kind, total)


@rule("RON-INT-1")
def gets_across(scene: RondScene, by: str, at: str) -> bool:
    """Far away, or past a wall, the Game Master says whether the target notices at all."""
    me, target = get(scene.state, by), get(scene.state, at)
    seen = circumstances(scene.state, by, at, UNARMED).visible
    if seen and distance(scene.state, me, target) <= NEAR:
        return True
    if scene.choose(YesNo(), REACHES, MASTER, True, (distance(scene.state, me, target), seen)):
        return True
    scene.tell(Noted(at, "RON-INT-1", "interaction.unheard"))
    return False


@rule("RON-INT-1", "RON-INT-4", "RON-SPC-12")
def interact(
    scene: RondScene,
    by: str,
    at: str,
    kind: Attempt,
    total: int,
    *,
    free: bool | None = None,
    barred: tuple[str, ...] = (),
    pins: bool = False,
) -> None:
    """An interaction whose total is known, on one target.

    `free`: the target rolls for free whatever the ruling says; `barred`: effects that may not be bought; `pins`: a
    target that fails loses its next Action.
    """
    guard = mind_guard(get(scene.state, at), kind, scene.state.rulings, free)
    acting = scene.state.turn == at or at in scene.state.interrupting
    scene.become(at, withstand, total, guard, barred, acting, pins, roles={ATTACKER: by, TARGET: at})


COMMANDS: dict[type, Command] = {
    Interact: Command(interact_cost, interact_refused, interact_fields, attempt, "taunt, trick, frighten or feint", single=True),
}
