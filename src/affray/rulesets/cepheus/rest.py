"""Time after a fight: the end of Initiative, waking, rest in minutes, hours and days, and what is due next."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace

from affray.ask import Why
from affray.clock import Due, by_time
from affray.domains import Number, YesNo
from affray.errors import Refusal
from affray.events import Changed
from affray.rules import rule
from affray.ruleset import Field
from affray.rulesets.cepheus import conditions, healing, initiative
from affray.rulesets.cepheus.commands import Rest, Surgery
from affray.rulesets.cepheus.mechanics import check, rolled
from affray.rulesets.cepheus.sheet import SCORES, Fighter, Held, State

Scene = Any
HOUR, DAY = 60, 24 * 60
"""Minutes."""
MAX_DAYS = 3650
SLEEP = 6 * HOUR
"""Minutes of lying down that count as sleep after stimulants."""


def length(order: Rest) -> int:
    """How long it is, in minutes."""
    return order.days * DAY + order.hours * HOUR + order.minutes


def refusal(state: State, order: Rest) -> Refusal | None:
    """Why this rest is not possible. In the middle of a fight only the referee can say that it is over."""
    known = [f.id for f in state.fighters]
    for name in (*(order.resting or ()), *order.patients, *((order.doctor,) if order.doctor else ())):
        if name not in known:
            return Refusal("CEP-HEA-1", f"{name!r} is nobody here", tuple(known[:12]))
    if min(order.days, order.hours, order.minutes) < 0 or not 0 < length(order) <= MAX_DAYS * DAY:
        return Refusal("CEP-HEA-1", f"say how long: minutes, hours or days, {MAX_DAYS} days at most")
    for name in order.patients:
        if state[name].serious:
            return Refusal("CEP-MED-7", f"{name} is seriously wounded; surgery comes first", ("surgery",))
    lying = order.patients if order.resting is None else order.resting
    up_and_about = [name for name in order.patients if order.disturbed or name not in lying]
    if up_and_about:
        return Refusal("CEP-MED-7", f"medical care needs full bed rest, which {up_and_about[0]} does not have")
    if order.patients and (not order.doctor or state[order.doctor].status != "up"):
        return Refusal("CEP-MED-7", "medical care needs a doctor who is up")
    if order.by in known and state.phase == "fight" and not initiative.over(state):
        return Refusal("CEP-RND-9", "nobody rests in the middle of a fight")
    return None


def fields() -> tuple[Field, ...]:
    return (
        Field("days", Number(0, MAX_DAYS), 0, "days"),
        Field("hours", Number(0, 23), 0, "hours"),
        Field("minutes", Number(0, 59), 1, "minutes"),
        Field("disturbed", YesNo(), False, "without proper rest"),
    )


@rule("CEP-RND-9")
def aftermath(scene: Scene) -> None:
    """The fight is over: injuries, fatigue and unconsciousness stay, Initiative and all that belonged to rounds goes."""
    state: State = scene.state
    if state.phase == "after":
        return
    now: tuple[tuple[str, Any], ...] = (
        ("phase", "after"), ("turn", ""), ("stack", ()), ("tied", ()), ("waiting", ()), ("clouds", ()), ("just_waited", ""),
        ("ended", state.seconds),
    )  # fmt: skip
    scene.tell(Changed("", "CEP-RND-9", now, "fight over"))
    ended: dict[str, Any] = {
        "shifts": (), "tolls": (), "begun": False, "waiting": False, "hasted": False, "hastes": 0, "claimed": False, "lost": 0,
        "aim_at": "", "aim": 0, "kill": 0, "grapple": "", "wrestled": False, "task": None, "suppressed": -1, "moved": 0.0,
        "moved_before": 0.0, "crawled": 0.0, "minor": 0, "significant": 0, "help": 0, "tactics": 0, "led": 0, "led_by": "",
        "was_hurt": False,
    }  # fmt: skip
    for f in state.fighters:
        changed = tuple((name, value) for name, value in ended.items() if getattr(f, name) != value)
        if changed:
            scene.tell(Changed(f.id, "CEP-RND-9", changed))


@rule("CEP-FAT-2", "CEP-UNC-2", "CEP-HEA-1", "CEP-HEA-2", "CEP-MED-7", "CEP-MEN-1", "CEP-RND-9")
def rest(scene: Scene, order: Rest) -> None:
    """Time passes: drugs wear off, the unconscious come round minute by minute, hours clear fatigue, days heal."""
    aftermath(scene)
    minutes = length(order)
    everybody = () if order.disturbed else tuple(f.id for f in scene.state.fighters)
    lying = everybody if order.resting is None else order.resting
    seconds = scene.state.seconds + 60 * minutes
    pass_time(scene, minutes, lying, order)
    counts = ((order.days, "day"), (order.hours, "hour"), (order.minutes, "minute"))
    span = ", ".join(f"{count} {unit}{'s' if count > 1 else ''}" for count, unit in counts if count)
    data = (("days", order.days), ("hours", order.hours), ("minutes", order.minutes), ("span", span))
    scene.tell(Changed("", "CEP-HEA-1", (("seconds", seconds),), "time passes", data))


def pass_time(scene: Scene, minutes: int, lying: tuple[str, ...], order: Rest) -> None:
    """What so many minutes bring, in their order: drugs and waking by the minute, then fatigue, then the days that end."""
    start: State = scene.state
    days = (since_fight(start) + minutes) // DAY - since_fight(start) // DAY
    minute = 0
    while step := min(next_minutes(scene.state), minutes - minute):
        minute += step
        asleep = [f.id for f in scene.state.fighters if f.status == "unconscious"]
        for who in [f.id for f in scene.state.fighters if f.doses]:
            wear_off(scene, who, step, start.seconds + 60 * minute)
        for who in asleep:
            if scene.state[who].status == "unconscious":
                scene.become(who, conditions.wake)
    for f in scene.state.fighters:
        if f.status not in ("dead", "gone"):
            rested(scene, f, minutes if f.id in lying else 0)
    for _ in range(days):
        for f in scene.state.fighters:
            day(scene, f.id, f.id in lying, order)


@rule("CEP-MED-4", "CEP-MED-5", "CEP-MED-6", "CEP-UNC-2", "CEP-GER-13", "CEP-FAT-2")
def surgery(scene: Scene, order: Surgery) -> None:
    """A Medicine check and the 1D6 hours that it takes for everybody; then points for the Effect, or the failure's size lost."""
    helped = scene.state[order.by].help
    aftermath(scene)
    dm = order.dm + helped - (4 if order.by == order.target else 0)
    parts = healing.medic_parts(scene, replace(scene.state[order.by], help=0), dm)
    effect = check(scene, parts, Why("surgery", "CEP-MED-5"), order.by)
    hours = rolled(scene, 1, "time", "CEP-MED-5", order.by)
    seconds = scene.state.seconds + 60 * HOUR * hours
    others = tuple(f.id for f in scene.state.fighters if f.id != order.by)
    pass_time(scene, HOUR * hours, others, Rest(order.by, hours=hours))
    data = (("target", order.target), ("effect", effect), ("hours", hours))
    scene.tell(Changed("", "CEP-MED-5", (("seconds", seconds),), "surgery", data))
    before: Fighter = scene.state[order.target]
    if before.status == "dead":
        return
    if effect > 0:
        scene.become(order.target, healing.mend, effect * scene.rulings.surgery_multiplier, "CEP-MED-5")
    elif effect < 0:
        scene.become(order.target, healing.worsen, -effect, "CEP-MED-6")
        conditions.aftermath(scene, before)


def since_fight(state: State) -> int:
    """Minutes since rounds were counted."""
    return (state.seconds - state.ended) // 60


def next_minutes(state: State) -> int:
    """Minutes until something that is counted in minutes: a waking check, the end of a drug; 0: nothing is."""
    if any(f.status == "unconscious" for f in state.fighters):
        return 1
    ends = [dose.onset + dose.left for f in state.fighters for dose in f.doses]
    return max(1, -(-min(ends) // conditions.MINUTE)) if ends else 0


@rule("CEP-GER-13")
def wear_off(scene: Scene, who: str, minutes: int, now: int) -> None:
    """Drugs work on for so many minutes, until the second `now`, and then wear off."""
    rounds = minutes * conditions.MINUTE
    doses = scene.state[who].doses
    later = tuple(replace(d, onset=max(0, d.onset - rounds), left=max(0, d.left - max(0, rounds - d.onset))) for d in doses)
    scene.tell(Changed(who, "CEP-GER-13", (("doses", later),)))
    if any(not dose.left for dose in later):
        scene.tell(Changed("", "CEP-GER-13", (("seconds", now),)))
        conditions.drugs_over(scene, who)


@rule("CEP-FAT-2", "CEP-GER-12")
def rested(scene: Scene, me: Fighter, minutes: int) -> None:
    """Unbroken rest adds up until it is long enough against fatigue; a sleep ends the count of stimulants."""
    so_far = me.rested + minutes / HOUR if minutes else 0.0
    fresh = me.fatigued and minutes > 0 and so_far >= healing.rest_hours(me, scene.rulings)
    now: dict[str, Any] = {"rested": 0.0 if fresh else so_far, "fatigued": me.fatigued and not fresh}
    if minutes and so_far * HOUR >= SLEEP:
        now["stims"] = 0
    changed = tuple((name, value) for name, value in now.items() if getattr(me, name) != value)
    if changed:
        scene.tell(Changed(me.id, "CEP-FAT-2", changed, "rested" if fresh else "time"))


def day(scene: Scene, who: str, resting: bool, order: Rest) -> None:
    """One day of one combatant: care or natural healing, and the mind."""
    before: Fighter = scene.state[who]
    if before.status in ("dead", "gone"):
        return
    if sum(healing.lost(before)):
        if who in order.patients and not before.serious:
            doctor = scene.state[order.doctor]
            level = doctor.sheet.level("Medicine") or doctor.sheet.level("Medic") or 0
            scene.become(who, healing.cared_for, level)
        else:
            scene.become(who, healing.natural, resting)
        conditions.aftermath(scene, before)
    if scene.state[who].status != "dead":
        scene.become(who, healing.mind)


@rule("CEP-UNC-2", "CEP-FAT-2", "CEP-HEA-1", "CEP-MED-2", "CEP-MEN-1")
def due(state: State) -> tuple[Due, ...]:
    """What time will bring after the fight, the soonest first."""
    found: list[Due] = []
    midnight = DAY - since_fight(state) % DAY if state.phase == "after" else DAY
    for f in state.fighters:
        if f.status in ("dead", "gone"):
            continue
        if f.status == "unconscious":
            found.append(Due(f.id, 1, "Endurance check to come round", "CEP-UNC-2"))
        if f.hurt_at != -1 and any(healing.lost(f)) and f.aided != "done":
            for limit, words in (
                (healing.QUICK, "first aid is worth half from then on"),
                (healing.HOUR, "too late for first aid"),
            ):
                left = limit - healing.since_hurt(state, f)
                if left >= 0:
                    found.append(Due(f.id, left // 60, words, "CEP-MED-2"))
        if f.fatigued:
            left_hours = max(0.0, healing.rest_hours(f, state.rulings) - f.rested)
            found.append(Due(f.id, int(left_hours * HOUR), "rested from fatigue", "CEP-FAT-2"))
        for dose in f.doses:
            found.append(
                Due(f.id, (dose.onset + dose.left) // conditions.MINUTE, f"{dose.drug.replace('_', ' ')} wears off", "CEP-GER-13")
            )
        if any(healing.lost(f)):
            found.append(Due(f.id, midnight, "natural healing", "CEP-HEA-3" if f.serious else "CEP-HEA-1"))
        if f.intelligence < f.sheet.intelligence or f.education < f.sheet.education:
            found.append(Due(f.id, midnight, "a point of the mind", "CEP-MEN-1"))
    return by_time(found)


LASTING = ("status", "eased", "fatigued", "failed_wakings", "aided", "stims", "rested", "wear", "rads")
"""Fields that go on after a fight."""


@rule("CEP-HEA-1", "CEP-MED-2", "CEP-WND-2")
def kept(state: State, who: str) -> dict[str, Any]:
    """Scores below their maximum, when that came about (before the next fight), fatigue, treatment, ammunition and supplies."""
    me = state[who]
    blank = Fighter(me.id, me.side, me.sheet)
    found: dict[str, Any] = {name: getattr(me, name) for name in SCORES if getattr(me, name) != getattr(me.sheet, name)}
    found |= {name: getattr(me, name) for name in LASTING if getattr(me, name) != getattr(blank, name)}
    if me.hurt_at != -1 and any(healing.lost(me)):
        found["hurt_at"] = me.hurt_at - state.seconds
    weapons = tuple(Held(one.weapon, True, one.rounds, one.magazines, mode=one.mode, gone=one.gone) for one in me.held)
    means = ({"held": weapons} if me.held else {}) | ({"supplies": me.supplies} if me.supplies else {})
    return to_builtins(found | means)  # type: ignore[no-any-return]


def health(me: Fighter) -> int:
    """Points of the three physical characteristics."""
    return 0 if me.status == "dead" else me.strength + me.dexterity + me.endurance


def stock(me: Fighter) -> tuple[tuple[str, int], ...]:
    """Rounds in the weapons."""
    return (("rounds", sum(one.rounds for one in me.held if not one.gone)),)
