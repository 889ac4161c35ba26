"""Time after a fight: the end of counting Rounds, rest in minutes and days, and what is due next."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from affray.clock import Due, by_time
from affray.domains import Number, YesNo
from affray.errors import Refusal
from affray.events import Changed, get
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import FREE, Command, RondScene, allowed, nothing
from affray.rulesets.rond6.damage import MINUTE, mortal_clock
from affray.rulesets.rond6.healing import mend, recovery_days
from affray.rulesets.rond6.sheet import Fighter, State

HOUR, DAY = 60, 24 * 60
"""Minutes."""
MAX_DAYS = 3650
LOST = ("dead", "gone", "destroyed")


class Aftermath(Order, frozen=True, tag="aftermath"):
    """Leave the count of Rounds: the fight is over (RON-TIME-2)."""


class Rest(Order, frozen=True, tag="rest"):
    """Time passes for everybody: minutes, hours, days. Whoever has rested for the recovery time makes the Test, whoever has
    rested for twice that time makes it with a die more. `disturbed`: nobody gets proper rest; `restless`: these do not."""

    days: int = 0
    hours: int = 0
    minutes: int = 0
    disturbed: bool = False
    restless: tuple[str, ...] = ()


def free(state: State, me: Fighter, order: Order) -> int:
    return FREE


@rule("RON-TIME-2")
def aftermath(scene: RondScene, order: Order) -> None:
    """Nobody counts Rounds any more: what lasted for turns or Rounds is over, nobody waits, aims or stands on guard."""
    if scene.state.after:
        return
    scene.tell(Changed("", "RON-TIME-2", (("after", True), ("turn", ""), ("interrupting", ())), "time.after"))
    ended: dict[str, Any] = {"declared": 0, "used": 0, "full": False, "limit_doubled": False, "waiting": "", "doing": ""}
    ended |= {"standing": (), "carried": 0, "defence_bonus": 0, "barred": False, "aim": 0, "aware": 0, "lost": 0, "massive": 0}
    ended |= {"exertion": 0, "strenuous": False, "liberties": 0, "moved": 0}
    for f in scene.state.fighters:
        now = ended | {"conditions": tuple(c for c in f.conditions if not (c.turns or c.rounds))}
        changed = tuple((name, value) for name, value in now.items() if getattr(f, name) != value)
        if changed:
            scene.tell(Changed(f.id, "RON-TIME-2", changed))


@rule("RON-HEAL-3", "RON-HEAL-5", "RON-TIME-2")
def rest_refused(state: State, me: Fighter, order: Rest) -> Refusal | None:
    """Why this rest is not possible."""
    known = tuple(f.id for f in state.fighters)
    for name in order.restless:
        if name not in known:
            return Refusal("RON-HEAL-3", f"there is no combatant {name!r}", known[:12])
    if min(order.days, order.hours, order.minutes) < 0 or not 0 < length(order) <= MAX_DAYS * DAY:
        return Refusal("RON-HEAL-5", f"say how long: minutes, hours or days, {MAX_DAYS} days at most")
    return None


def rest_fields(state: State, me: Fighter) -> tuple[Field, ...]:
    return (
        Field("days", Number(0, MAX_DAYS), 0, "days"),
        Field("hours", Number(0, 23), 0, "hours"),
        Field("minutes", Number(0, 59), 1, "minutes"),
        Field("disturbed", YesNo(), False, "without proper rest"),
    )


def length(order: Rest) -> int:
    """How long a rest is, in minutes."""
    return order.days * DAY + order.hours * HOUR + order.minutes


@rule("RON-HEAL-2", "RON-HEAL-3", "RON-HEAL-4", "RON-HEAL-5")
def rest(scene: RondScene, order: Rest) -> None:
    """Time passes: first what minutes bring, then each natural healing Test when it is due."""
    aftermath(scene, order)
    total = length(order)
    end = scene.state.minutes + total
    counts = ((order.days, "day"), (order.hours, "hour"), (order.minutes, "minute"))
    span = ", ".join(f"{count} {unit}{'s' if count > 1 else ''}" for count, unit in counts if count)
    data = (("span", span), ("length", total))
    scene.tell(Changed("", "RON-HEAL-5", (("minutes", end),), "rest.passes", data))
    for f in scene.state.fighters:
        if f.wounds and not f.disturbed and (order.disturbed or f.id in order.restless) and f.out not in LOST:
            scene.tell(Changed(f.id, "RON-HEAL-3", (("disturbed", True),), "rest.disturbed"))
    for f in scene.state.fighters:
        minutes_pass(scene, f.id, total)
    while found := next_mending(scene.state, end):
        at, _, who, double = found
        scene.become(who, mend, double, at)
        if get(scene.state, who).mortal:
            minutes_pass(scene, who, end - at)


def next_mending(state: State, end: int) -> tuple[int, int, str, bool] | None:
    """The next natural healing Test until `end`: when, the place in the roster, whose, and whether after a double rest."""
    found = []
    for place, f in enumerate(state.fighters):
        need = recovery_days(f) * DAY
        if not need or f.out in LOST or f.sheet.object or f.mortal:
            continue
        for times in (2, 1):
            if f.mending + times * need <= end:
                found.append((f.mending + times * need, place, f.id, times == 2))
                break
    return min(found, default=None)


# ---- minutes


@rule("RON-HEAL-5", "RON-HEAL-12", "RON-CON-4", "RON-DMG-13", "RON-DMG-16")
def minutes_pass(scene: RondScene, who: str, minutes: int) -> None:
    """What so many minutes bring to one fighter: Stunned and Fatigue pass, a knock-out ends, the dying roll each minute."""
    me: Fighter = get(scene.state, who)
    if me.out in LOST or not minutes:
        return
    if me.stunned:
        scene.tell(Changed(who, "RON-HEAL-5", (("stunned", False),), "condition.recovered"))
    if me.fatigue:
        rested(scene, me, minutes)
    dying(scene, who, minutes)
    me = get(scene.state, who)
    if me.fainted == "breath" and me.out == "unconscious":
        scene.tell(Changed(who, "RON-MOVE-13", (("out", ""), ("fainted", ""), ("breath_rounds", 0)), "condition.wakes"))
    if me.asleep:
        sleep(scene, me, minutes)


@rule("RON-CON-4", "RON-HEAL-12")
def rested(scene: RondScene, me: Fighter, minutes: int) -> None:
    """A minute of rest takes one Fatigue away; with few enough of them one who fainted wakes."""
    now = max(0, me.fatigue - minutes)
    fields: list[tuple[str, Any]] = [("fatigue", now)]
    note = "rest.refreshed"
    if me.fainted == "fatigue" and now < (4 if scene.state.rulings.fatigue_limit == "fourth" else 3):
        fields += [("fainted", ""), *([] if me.asleep else [("out", "")])]
        note = "condition.wakes"
    scene.tell(Changed(me.id, "RON-CON-4", tuple(fields), note, (("fatigue", now),)))


@rule("RON-DMG-13")
def dying(scene: RondScene, who: str, minutes: int) -> None:
    """The mortal clock, Round by Round where a roll is due in each, else from minute to minute."""
    step = 1 if scene.state.rulings.mortal_clock == "round" else MINUTE
    for _ in range(minutes * MINUTE // step):
        me: Fighter = get(scene.state, who)
        if not me.mortal:
            return
        gone = max(1, -(-(me.mortal - 1) // step)) * step
        if me.mortal != gone + 1:
            scene.tell(Changed(who, "RON-DMG-13", (("mortal", gone + 1),)))
        scene.become(who, mortal_clock)


@rule("RON-DMG-16")
def sleep(scene: RondScene, me: Fighter, minutes: int) -> None:
    """A knock-out runs down; at its end one wakes unless Wounds or Fatigue keep one down."""
    left = max(0, me.asleep - minutes * MINUTE)
    wakes = not left and me.out == "unconscious" and not me.fainted
    fields = (("asleep", left), *((("out", ""),) if wakes else ()))
    scene.tell(Changed(me.id, "RON-DMG-16", fields, "condition.wakes" if wakes else ""))


# ---- what comes next


@rule("RON-HEAL-5", "RON-DMG-13", "RON-DMG-16")
def due(state: State) -> tuple[Due, ...]:
    """Everything that time will bring, the soonest first, in minutes from now."""
    found = []
    for f in state.fighters:
        if f.out in LOST or f.sheet.object:
            continue
        if f.mortal:
            found.append(Due(f.id, 1, "Strength against death, every minute", "RON-DMG-13"))
        if f.stunned:
            found.append(Due(f.id, 1, "no longer Stunned", "RON-HEAL-5"))
        if f.fatigue:
            found.append(Due(f.id, 1, f"one Fatigue of {f.fatigue} passes", "RON-CON-4"))
        if f.asleep:
            found.append(Due(f.id, -(-f.asleep // MINUTE), "the knock-out ends", "RON-DMG-16"))
        if f.wounds and not f.mortal:
            at = f.mending + recovery_days(f) * DAY - state.minutes
            found.append(Due(f.id, max(0, at), "natural healing", "RON-HEAL-5"))
    return by_time(found)


LASTING = ("wounds", "fatigue", "out", "fainted", "mortal", "asleep", "injury", "treated", "damage_levels", "disturbed")
"""Fields that go on after a fight."""
MEANS = ("character", "fate", "ammo")
"""Fields that go on even where they are nothing: a sheet would fill them again."""

PASSING = ("grappled", "surprised", "immobilized")
"""Conditions that the fight alone makes."""


@rule("RON-HEAL-5", "RON-CON-1")
def kept(state: State, who: str) -> dict[str, Any]:
    """Wounds, Fatigue, points, ammunition and lasting conditions. Recovery that has begun goes on: its beginning lies before
    the next fight."""
    me: Fighter = get(state, who)
    blank = Fighter(me.id, me.name, me.side, me.sheet)
    found = {name: getattr(me, name) for name in LASTING if getattr(me, name) != getattr(blank, name)}
    found |= {name: getattr(me, name) for name in MEANS if getattr(me, name) or name != "ammo"}
    if me.wounds and me.mending != state.minutes:
        found["mending"] = me.mending - state.minutes
    lasting = tuple(c for c in me.conditions if not (c.turns or c.rounds) and c.name not in PASSING)
    return to_builtins(found | ({"conditions": lasting} if lasting else {}))  # type: ignore[no-any-return]


COMMANDS: dict[type, Command] = {
    Aftermath: Command(free, allowed, nothing, aftermath, "leave the count of Rounds"),
    Rest: Command(free, rest_refused, rest_fields, rest, "let time pass"),
}


def health(me: Fighter) -> int:
    """Levels of wounds up to death."""
    return 0 if me.out == "dead" else 5 - me.wounds


def stock(me: Fighter) -> tuple[tuple[str, int], ...]:
    """Points, and rounds in weapons that count them."""
    rounds = sum(me.rounds(weapon) for weapon in me.sheet.weapons if weapon.ammo)
    return ("character points", me.character), ("fate points", me.fate), ("rounds", rounds)
