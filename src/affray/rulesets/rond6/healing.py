"""Getting well: help by others, in a fight or after it, and what rest does by itself. Time is in `rest`."""

from __future__ import annotations

from typing import Any

from affray.ask import ATTACKER, Ask, Why
from affray.domains import OneOf
from affray.errors import Refusal
from affray.events import Changed, Noted, get
from affray.modifiers import listed
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6 import feats
from affray.rulesets.rond6.actions import ACTION, Command, RondScene, pay
from affray.rulesets.rond6.checks import critical, flagged, rolled
from affray.rulesets.rond6.damage import injured
from affray.rulesets.rond6.numbers import Test, distance, level, test_of
from affray.rulesets.rond6.points import cannot_spend, spend, spending_fields
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import Fighter, State
from affray.rulesets.rond6.tables import rows

MEDICINE = Why("medicine", "RON-HEAL-8", "Medicine")
HEALING = Why("healing", "RON-HEAL-2", "Fortitude after the recovery time")

RECOVERY = {row["name"]: row for row in rows("recovery")}
MOST = 2
"""Most Wounds that one natural healing Test removes (RON-HEAL-7)."""


class Treat(Order, frozen=True, tag="treat"):
    """Assisted healing: Medicine on `target`, who is Stunned or wounded, within one Space."""

    target: str = ""
    points: int = 0
    fate: bool = False


# ---- what all healing does


@rule("RON-HEAL-1", "RON-HEAL-12", "RON-HEAL-13")
def healed(ask: Ask, me: Fighter, amount: int, cited: str) -> Fighter:
    """So many Wounds fewer; what is left decides: below four the mortal clock stops, below three one wakes."""
    amount = min(amount, me.wounds)
    now = me.wounds - amount
    fields: list[tuple[str, Any]] = [("wounds", now)]
    if now < 4 and me.mortal:
        fields.append(("mortal", 0))
    by_wounds = me.fainted == "wounds" or not (me.fainted or me.asleep)
    wakes = me.out == "unconscious" and now < 3 and by_wounds
    if wakes and me.fainted:
        fields.append(("fainted", ""))
    if wakes and not me.asleep:
        fields.append(("out", ""))
    note = "healing.wakes" if wakes and not me.asleep else "healing.healed"
    return ask.tell(Changed(me.id, cited, tuple(fields), note, (("healed", amount), ("now", now))), me)


# ---- helped by another


@rule("RON-HEAL-8")
def treatment(rulings: Rulings, patient: Fighter) -> int:
    """Difficulty of assisted healing: Easy for the Stunned, Standard for one Wound, a level more for each further Wound."""
    return level(rulings, patient.wounds)


def treat_cost(state: State, me: Fighter, order: Treat) -> int:
    return ACTION


@rule("RON-HEAL-8", "RON-HEAL-10")
def treat_refused(state: State, me: Fighter, order: Treat) -> Refusal | None:
    """Why this patient cannot be helped now."""
    patient = next((f for f in state.fighters if f.id == order.target), None)
    if patient is None or patient.id == me.id or patient.sheet.object:
        return Refusal("RON-HEAL-8", f"there is no patient {order.target!r}; another person is helped", patients(state, me))
    if patient.out in ("dead", "gone", "destroyed"):
        return Refusal("RON-HEAL-8", f"{patient.name} is {patient.out}")
    if not patient.wounds and not patient.stunned:
        return Refusal("RON-HEAL-8", f"{patient.name} is neither wounded nor Stunned")
    if patient.wounds and patient.treated > patient.injury:
        return Refusal("RON-HEAL-10", f"{patient.name} has been helped; the rest takes time, or a new injury")
    if distance(state, me, patient) > 1 and not state.after:
        return Refusal("RON-HEAL-8", f"{patient.name} is {distance(state, me, patient)} Spaces away")
    return cannot_spend(me, order.points, order.fate)


def patients(state: State, me: Fighter) -> tuple[str, ...]:
    """Those who can be helped now, one's own side first, the worst first."""
    found = [f for f in state.fighters if f.id != me.id and treat_refused(state, me, Treat(me.id, f.id)) is None]
    return tuple(f.id for f in sorted(found, key=lambda f: (f.side != me.side, -f.wounds)))


def treat_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    known = [f.id for f in state.fighters if f.id != me.id and not f.sheet.object]
    found = tuple(who for who in known if treat_refused(state, me, Treat(me.id, who)) is None)
    if not found:
        return Refusal("RON-HEAL-8", "nobody near needs help that can be given")
    first = sorted((get(state, who) for who in found), key=lambda f: (f.side != me.side, -f.wounds))
    names = tuple(f.id for f in first)
    return (Field("target", OneOf(names), names[0], "whom"), *spending_fields(me))


@rule("RON-HEAL-8", "RON-HEAL-11")
def treat(scene: RondScene, order: Treat) -> None:
    """Help somebody: an Action in a fight; a kit adds its dice."""
    pay(scene, order.by, ACTION, order.verb)
    spend(scene, order.by, order.points, order.fate)
    me: Fighter = get(scene.state, order.by)
    rulings = scene.state.rulings
    kit = listed((me.sheet.kit, "D", "medical kit", "RON-HEAL-11"))
    need = treatment(rulings, get(scene.state, order.target))
    standard = need == level(rulings, 1)
    test = test_of(me, "Medicine", rulings, kit, points=order.points, fate=order.fate, standard=standard)
    scene.become(order.target, helped, test, need, roles={ATTACKER: order.by})


@rule("RON-HEAL-9", "RON-HEAL-10", "RON-RP-16")
def helped(ask: Ask, me: Fighter, test: Test, need: int) -> Fighter:
    """The healer's Test: success heals a Wound at once, a Result Point or more two; a Stunned patient recovers."""
    margin = ask.call(rolled, test, MEDICINE, ATTACKER) - need
    points = feats.result_points(max(0, margin), ask.rulings)
    result = "success" if margin >= 0 else "failure"
    data = (("total", margin + need), ("need", need), ("result", result), ("result_points", points))
    ask.tell(Noted(me.id, "RON-HEAL-8", "healing.treated", data))
    if margin < 0:
        return me
    if not me.wounds:
        return ask.tell(Changed(me.id, "RON-HEAL-9", (("stunned", False),), "condition.recovered"), me)
    me = healed(ask, me, 2 if points else 1, "RON-HEAL-9")
    return ask.tell(Changed(me.id, "RON-HEAL-10", (("treated", me.injury + 1),)), me)


# ---- by itself


@rule("RON-HEAL-5", "RON-HEAL-12")
def recovery_days(me: Fighter) -> int:
    """Days of rest before the next natural healing Test, by the most severe row; 0 for those without a Wound."""
    if not me.wounds:
        return 0
    row = RECOVERY["Mortally Wounded" if me.wounds >= 4 else "Incapacitated" if me.wounds == 3 else "Wounded"]
    return int(row["days"]) * (me.wounds if row["each"] else 1)


@rule("RON-HEAL-2", "RON-HEAL-3")
def natural_difficulty(me: Fighter, rulings: Rulings) -> int:
    """Standard, or by the number of Wounds; a level harder without proper rest."""
    step = me.wounds if rulings.natural_difficulty == "by_wounds" else 1
    return level(rulings, step + me.disturbed)


@rule("RON-HEAL-2", "RON-HEAL-4", "RON-HEAL-6", "RON-HEAL-7", "RON-DICE-3", "RON-RP-16")
def mend(ask: Ask, me: Fighter, double: bool, now: int) -> Fighter:
    """The Test after the recovery time (`double`: after twice that time), at the minute `now`."""
    longer = listed((1 if double else 0, "D", "twice the rest", "RON-HEAL-4"))
    hurt = -1 if ask.rulings.natural_penalty else 0
    need = natural_difficulty(me, ask.rulings)
    test = test_of(me, "Fortitude", ask.rulings, longer, action=False, hurt=hurt, standard=need == level(ask.rulings, 1))
    total, flag = flagged(ask, test, HEALING)
    margin = total - need
    points = feats.result_points(max(0, margin), ask.rulings)
    result = "success" if margin >= 0 else "failure"
    if critical(ask.rulings, flag, margin):
        result = "critical failure"
    data = (("total", total), ("need", need), ("result", result), ("result_points", points))
    ask.tell(Noted(me.id, "RON-HEAL-6", "healing.natural", data))
    me = ask.tell(Changed(me.id, "RON-HEAL-5", (("mending", now), ("disturbed", False))), me)
    if result == "critical failure":
        return worse(ask, me)
    return healed(ask, me, min(MOST, 2 if points >= 2 else 1), "RON-HEAL-6") if result == "success" else me


@rule("RON-HEAL-6", "RON-DMG-4")
def worse(ask: Ask, me: Fighter) -> Fighter:
    """A Critical Failure: one more Wound, judged like any other."""
    fields = (("wounds", me.wounds + 1), ("injury", me.injury + 1))
    data = (("wounds", 1), ("now", me.wounds + 1))
    return injured(ask, me, ask.tell(Changed(me.id, "RON-HEAL-6", fields, "damage.wounds", data), me))


COMMANDS: dict[type, Command] = {
    Treat: Command(treat_cost, treat_refused, treat_fields, treat, "help somebody who is hurt", single=True),
}
