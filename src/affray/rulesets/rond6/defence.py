"""Active Defense, against blows and against words: Actions spent on one's own turn, whose total stands until the next."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from affray.ask import SELF, Ask, Why
from affray.domains import OneOf, YesNo
from affray.errors import Refusal
from affray.events import Changed, get
from affray.modifiers import Modifier
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import ACTION, FULL, Command, RondScene, pay
from affray.rulesets.rond6.attack import in_hand
from affray.rulesets.rond6.checks import rolled
from affray.rulesets.rond6.minds import NEXT_DEFENCE
from affray.rulesets.rond6.numbers import Test, test_of
from affray.rulesets.rond6.points import cannot_spend, spend, spending_fields
from affray.rulesets.rond6.sheet import Defence, Fighter, Standing, State
from affray.rulesets.rond6.tables import DEFENCE

DEFEND = {kind: Why(kind, "RON-DEF-6", kind) for kind in DEFENCE}


class Dodge(Order, frozen=True, tag="dodge"):
    """Dodge: against every kind of attack. `full`: Full Defense, +2D as a Full Action (RON-DEF-11)."""

    full: bool = False
    points: int = 0
    fate: bool = False
    kind: ClassVar[Defence] = "dodge"


class Parry(Order, frozen=True, tag="parry"):
    """Parry: against melee weapons, with one in hand."""

    full: bool = False
    points: int = 0
    fate: bool = False
    kind: ClassVar[Defence] = "parry"


class Block(Order, frozen=True, tag="block"):
    """Block: against unarmed attacks."""

    full: bool = False
    points: int = 0
    fate: bool = False
    kind: ClassVar[Defence] = "block"


class Brace(Order, frozen=True, tag="brace"):
    """Brace against interactions: 'resolve' against words, 'athletics' against maneuvers, 'acrobatics' against tumblers."""

    kind: Literal["resolve", "athletics", "acrobatics"] = "resolve"
    full: bool = False
    points: int = 0
    fate: bool = False


Defend = Dodge | Parry | Block | Brace


@rule("RON-DEF-10", "RON-DEF-11")
def defend_cost(state: State, me: Fighter, order: Defend) -> int:
    return FULL if order.full else ACTION


@rule("RON-DEF-9", "RON-SPC-1", "RON-SPC-11")
def defend_refused(state: State, me: Fighter, order: Defend) -> Refusal | None:
    """Why this defense is not possible now."""
    if me.barred:
        return Refusal("RON-SPC-1", "no Active Defense until the next turn after such an attack")
    if order.kind == "parry" and not any(weapon.kind == "melee" for weapon in in_hand(me)):
        return Refusal("RON-DEF-9", "a parry needs a melee weapon in hand")
    return cannot_spend(me, order.points, order.fate)


def defend_fields(state: State, me: Fighter) -> tuple[Field, ...]:
    return (Field("full", YesNo(), False, "Full Defense"), *spending_fields(me))


def brace_fields(state: State, me: Fighter) -> tuple[Field, ...]:
    return (Field("kind", OneOf(("resolve", "athletics", "acrobatics")), "resolve", "with"), *defend_fields(state, me))


@rule("RON-INT-3", "RON-DEF-1", "RON-DEF-2", "RON-DEF-6", "RON-DEF-10", "RON-DEF-11")
def defend(scene: RondScene, order: Defend) -> None:
    """Roll the defense; its total stands until the defender's next turn."""
    pay(scene, order.by, defend_cost(scene.state, get(scene.state, order.by), order), order.verb)
    spend(scene, order.by, order.points, order.fate)
    scene.become(order.by, take_stance, order.kind, order.full, order.points, order.fate)


def defence_test(me: Fighter, kind: Defence, ask: Ask, full: bool, points: int, fate: bool) -> Test:
    """The Test of a defense."""
    extra = [Modifier(2, "D", "Full Defense", "RON-DEF-11")] if full else []
    if me.has(NEXT_DEFENCE):
        extra.append(Modifier(-1, "D", "setback", "RON-CON-5"))
    return test_of(me, DEFENCE[kind][0], ask.rulings, extra, points=points, fate=fate)


@rule("RON-DEF-3", "RON-DEF-6", "RON-DEF-11")
def take_stance(ask: Ask, me: Fighter, kind: Defence, full: bool, points: int, fate: bool) -> Fighter:
    """The defense Test, and its total left standing."""
    total = ask.call(rolled, defence_test(me, kind, ask, full, points, fate), DEFEND[kind], SELF)
    standing = (*(s for s in me.standing if s.kind != kind), Standing(kind, total))
    fields: tuple[tuple[str, Any], ...] = (("standing", standing),)
    if me.has(NEXT_DEFENCE):
        fields = (*fields, ("conditions", tuple(c for c in me.conditions if c.name != NEXT_DEFENCE)))
    return ask.tell(Changed(me.id, "RON-DEF-6", fields, "defence.stands", (("kind", kind), ("total", total))), me)


COMMANDS: dict[type, Command] = {
    Dodge: Command(defend_cost, defend_refused, defend_fields, defend, "dodge until the next turn", single=True),
    Parry: Command(defend_cost, defend_refused, defend_fields, defend, "parry until the next turn", single=True),
    Block: Command(defend_cost, defend_refused, defend_fields, defend, "block until the next turn", single=True),
    Brace: Command(defend_cost, defend_refused, brace_fields, defend, "resist words and feints until the next turn", single=True),
}
