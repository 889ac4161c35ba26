"""Getting well: first aid, surgery, medical care, natural healing, rest, the mind; and time that passes after a fight."""

from __future__ import annotations

from typing import Any

from affray.ask import SELF, Ask, Why
from affray.domains import Split
from affray.errors import Refusal
from affray.events import Changed
from affray.rules import rule
from affray.rulesets.cepheus import actions, damage, initiative, numbers
from affray.rulesets.cepheus.commands import FirstAid, Surgery
from affray.rulesets.cepheus.mechanics import check, rolled
from affray.rulesets.cepheus.rulings import Rulings
from affray.rulesets.cepheus.sheet import PHYSICAL, Fighter, State

Scene = Any
Three = damage.Three
QUICK = 300
HOUR = 3600
HANDS = 1
"""Farthest band from which somebody is treated in a fight: Close."""


def lost(me: Fighter) -> Three:
    """Points missing from Strength, Dexterity and Endurance."""
    s, d, e = (max(0, most - now) for now, most in zip(damage.scores(me), damage.maxima(me), strict=True))
    return s, d, e


# ---- points back, points lost


@rule("CEP-HEA-5")
def first_endurance(missing: Three, points: int) -> Three:
    """The automatic choice: Endurance to its maximum, then Dexterity, then Strength."""
    e = min(points, missing[2])
    d = min(points - e, missing[1])
    return min(points - e - d, missing[0]), d, e


@rule("CEP-HEA-5", "CEP-MED-2")
def mend(ask: Ask, me: Fighter, points: int, rule_id: str) -> Fighter:
    """Points come back where the patient likes, none above its maximum; what is too much is gone."""
    missing = lost(me)
    points = min(points, sum(missing))
    if points <= 0:
        return me
    gain = first_endurance(missing, points)
    if points < sum(missing) and sum(1 for one in missing if one) > 1:
        split = Split(points, tuple((name, room) for name, room in zip(PHYSICAL, missing, strict=True)))
        s, d, e = ask.choose(split, Why("heal", "CEP-HEA-5"), SELF, gain, (damage.scores(me), damage.maxima(me), points))
        gain = (s, d, e)
    return regained(ask, me, gain, rule_id)


@rule("CEP-WND-3")
def regained(ask: Ask, me: Fighter, gain: Three, rule_id: str) -> Fighter:
    """These points are back; the wound is no longer serious (by ruling only when one score is whole again)."""
    now: Three = tuple(a + b for a, b in zip(damage.scores(me), gain, strict=True))  # type: ignore[assignment]
    eased = me.eased or ask.rulings.serious_clears_on == "any_point"
    changes: tuple[tuple[str, Any], ...] = (*zip(PHYSICAL, now, strict=True), ("eased", eased))
    return ask.tell(Changed(me.id, rule_id, changes, "regains", (*zip(PHYSICAL, gain, strict=True), ("points", sum(gain)))), me)


@rule("CEP-HEA-6", "CEP-MED-6")
def worsen(ask: Ask, me: Fighter, points: int, rule_id: str) -> Fighter:
    """Points lost to the wound itself or a surgeon's failure, placed like damage."""
    return damage.lose(ask, me, points, rule_id)


@rule("CEP-HEA-6")
def degrade(ask: Ask, me: Fighter, points: int, rule_id: str) -> Fighter:
    """Negative natural healing, by the ruling on how far it may go."""
    mode = ask.rulings.heal_negative
    if mode == "no_loss" or me.status == "dead":
        return me
    if mode == "full":
        return worsen(ask, me, points, rule_id)
    room: Three = tuple(max(0, one - 1) for one in damage.scores(me))  # type: ignore[assignment]
    points = min(points, sum(room))
    if not points:
        return me
    best = damage.placed(room, damage.maxima(me), points, False, ask.rulings)
    split = Split(points, tuple((name, one) for name, one in zip(PHYSICAL, room, strict=True)))
    why = Why("where", "CEP-HEA-6", "which characteristics are healed")
    s, d, e = ask.choose(split, why, SELF, best, (damage.scores(me), damage.maxima(me), points))
    return damage.lowered(ask, me, (s, d, e), rule_id)


# ---- first aid


@rule("CEP-MED-1", "CEP-MED-2")
def first_aid_refusal(state: State, order: FirstAid) -> Refusal | None:
    """A living patient with lost points, within an hour, by the ruling on repeating."""
    me = state[order.by]
    patient = next((f for f in state.fighters if f.id == order.target), None)
    if patient is None or patient.status in ("dead", "gone"):
        return Refusal("CEP-MED-2", f"{order.target!r} is no patient", tuple(f.id for f in state.fighters if f.status != "dead"))
    if not sum(lost(patient)):
        return Refusal("CEP-MED-2", f"{patient.id} is not wounded")
    if since_hurt(state, patient) > HOUR:
        return Refusal("CEP-MED-2", f"more than an hour has passed since {patient.id} was hurt")
    done = {"one_success": patient.aided == "done", "one_try": patient.aided != "", "free": False}
    if done[state.rulings.first_aid_repeat]:
        return Refusal("CEP-MED-2", f"{patient.id} has had first aid for this wound")
    if in_turn(state) and numbers.band(state, order.by, order.target) > HANDS:
        away = numbers.metres(state, order.by, order.target)
        return Refusal("CEP-MED-1", f"{patient.id} is {away:g} m away; first aid is given from Close or nearer", ("move",))
    if me.status != "up":
        return Refusal("CEP-UNC-1", f"{me.id} is {me.status}")
    return actions.significant_refusal(me) if in_turn(state) else None


@rule("CEP-MED-2")
def since_hurt(state: State, me: Fighter) -> int:
    """Seconds since the latest injury, which may lie before this fight; 0 where it is unknown."""
    return 0 if me.hurt_at == -1 else state.seconds - me.hurt_at


def in_turn(state: State) -> bool:
    """Whether turns are counted: after the fight first aid takes none."""
    return state.phase == "fight" and not initiative.over(state)


def medic_parts(scene: Scene, me: Fighter, dm: int) -> Any:
    """CEP-MED-1: Medicine with Education (the skill may be written Medic)."""
    skill = "Medic" if me.sheet.level("Medicine") is None and me.sheet.level("Medic") is not None else "Medicine"
    return numbers.check(me, scene.state.rulings, skill, "education", 0, dm + me.help)


@rule("CEP-MED-2", "CEP-MED-3", "CEP-MED-4")
def first_aid(scene: Scene, order: FirstAid) -> None:
    """A Medicine check: twice the Effect within five minutes of the injury, the Effect within the hour."""
    if in_turn(scene.state):
        actions.pay(scene, order.by, "significant", "CEP-MED-2")
    me, patient = scene.state[order.by], scene.state[order.target]
    oneself = -2 if order.by == order.target else 0
    effect = check(scene, medic_parts(scene, me, order.dm + oneself), Why("first aid", "CEP-MED-2"), order.by)
    points = max(0, effect) * (2 if since_hurt(scene.state, patient) <= QUICK else 1)
    data = (("target", order.target), ("effect", effect), ("points", points))
    scene.tell(Changed(order.target, "CEP-MED-2", (("aided", "done" if effect >= 0 else "tried"),), "first aid", data))
    if me.help:
        scene.tell(Changed(order.by, "CEP-CHK-12", (("help", 0),)))
    if points:
        scene.become(order.target, mend, points, "CEP-MED-2")


# ---- surgery


@rule("CEP-MED-5")
def surgery_refusal(state: State, order: Surgery) -> Refusal | None:
    """For the seriously wounded, after first aid was tried or its hour has passed."""
    patient = next((f for f in state.fighters if f.id == order.target), None)
    if patient is None or patient.status in ("dead", "gone"):
        return Refusal("CEP-MED-5", f"{order.target!r} is no patient")
    if state[order.by].status != "up":
        return Refusal("CEP-UNC-1", f"{order.by} is {state[order.by].status}")
    if state.phase == "fight" and not initiative.over(state):
        return Refusal("CEP-MED-5", "an operation takes hours, in a hospital or sickbay")
    if not patient.serious:
        return Refusal("CEP-MED-5", f"{patient.id} is not seriously wounded")
    if not patient.aided and since_hurt(state, patient) <= HOUR:
        return Refusal("CEP-MED-5", f"first aid comes first for {patient.id}", ("first_aid",))
    return None


# ---- days and hours


@rule("CEP-FAT-2")
def rest_hours(me: Fighter, rulings: Rulings) -> int:
    """Hours of unbroken rest that clear fatigue."""
    return max(0, 3 - numbers.characteristic(me, "endurance", rulings))


def endurance_dm(me: Fighter, rulings: Rulings) -> int:
    """CEP-HEA-4: the modifier of Endurance as it is now, on the body's own score."""
    return numbers.lowered_dm(me.endurance, me.sheet.endurance, rulings)


@rule("CEP-HEA-1", "CEP-HEA-2", "CEP-HEA-3", "CEP-HEA-4")
def natural(ask: Ask, me: Fighter, resting: bool) -> Fighter:
    """One day: 1D6 and the Endurance modifier at rest, 1 and it when active; seriously wounded only the modifier."""
    dm = endurance_dm(me, ask.rulings)
    if me.serious:
        points = dm if resting else min(0, dm)
        rule_id = "CEP-HEA-3"
    elif resting:
        points, rule_id = rolled(ask, 1, "healing", "CEP-HEA-1") + dm, "CEP-HEA-1"
    else:
        points, rule_id = 1 + dm, "CEP-HEA-2"
    if points < 0:
        return degrade(ask, me, -points, "CEP-HEA-6")
    return mend(ask, me, points, rule_id)


@rule("CEP-MED-7")
def shares(missing: Three, points: int) -> Three:
    """Points divided evenly among damaged characteristics; leftovers one by one to what misses most (End, Dex, Str)."""
    gain, left = [0, 0, 0], min(points, sum(missing))
    damaged = [i for i in (0, 1, 2) if missing[i]]
    even = left // len(damaged) if damaged else 0
    for i in damaged:
        gain[i] = min(even, missing[i])
    left -= sum(gain)
    while left:
        i = max((2, 1, 0), key=lambda k: missing[k] - gain[k])
        gain[i] += 1
        left -= 1
    return gain[0], gain[1], gain[2]


@rule("CEP-MED-7")
def cared_for(ask: Ask, me: Fighter, level: int) -> Fighter:
    """A day of medical care: 2, the patient's Endurance modifier and the doctor's level."""
    points = max(0, 2 + endurance_dm(me, ask.rulings) + level)
    gain = shares(lost(me), points)
    return regained(ask, me, gain, "CEP-MED-7") if sum(gain) else me


@rule("CEP-MEN-1")
def mind(ask: Ask, me: Fighter) -> Fighter:
    """Intelligence and Education come back by a point a day each."""
    now = (
        ("intelligence", min(me.sheet.intelligence, me.intelligence + 1)),
        ("education", min(me.sheet.education, me.education + 1)),
    )
    changed = tuple((name, value) for name, value in now if value > getattr(me, name))
    return ask.tell(Changed(me.id, "CEP-MEN-1", changed, "mind mends"), me) if changed else me
