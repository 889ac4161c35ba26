"""Healing after the fight: rest, and the hands of somebody with Medicine. No actions, no wound dice."""

from __future__ import annotations

from typing import Any

from msgspec import to_builtins

from affray.ask import SELF, Ask, Why
from affray.clock import Due, by_time
from affray.dice import Code
from affray.modifiers import Modifier, Parts
from affray.rules import rule
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.actions import pay_points
from affray.rulesets.rd6.commands import Rest, Treat
from affray.rulesets.rd6.conditions import MOST_FATIGUE
from affray.rulesets.rd6.damage import ROUNDS_A_MINUTE, changed, dying, judged
from affray.rulesets.rd6.initiative import over
from affray.rulesets.rd6.mechanics import test
from affray.rulesets.rd6.sheet import Fighter, State, code
from affray.rulesets.rd6.successes import Marked, counted
from affray.rulesets.rd6.telling import change, fighter, note
from affray.scene import Scene


def rest_needed(me: Fighter) -> int:
    """Days until natural healing may be tried; 0: a minute, for a stun alone."""
    if me.wounds >= 4:
        return tables.RECOVERY["mortally_wounded"]
    if me.wounds == 3:
        return tables.RECOVERY["incapacitated"]
    return tables.RECOVERY["per_wound"] * me.wounds


HOUR, DAY = 60, 24 * 60
"""Minutes."""
MAX_MINUTES = 10 * 365 * DAY


def length(order: Rest) -> int:
    """How long a rest is, in minutes."""
    return order.days * DAY + order.hours * HOUR + order.minutes


@rule("RD6-WND-13")
def rest(scene: Scene[State], order: Rest) -> None:
    """Time passes for everybody: what minutes bring, then a stun passes and wounds heal when their time is up."""
    minutes = length(order)
    if over(scene.state) and not scene.state.after:
        change(scene, "", "RD6-RND-13", "", after=True, turn="")
        for dying in [f for f in scene.state.fighters if f.dying > 1]:
            # In a fight the count is one ahead: the round of the wound is not a full one.
            change(scene, dying.id, "RD6-WND-8", "", dying=dying.dying - 1)
    note(scene, "", "RD6-WND-13", "time passes", {"minutes": minutes})
    for who in [f.id for f in scene.state.fighters if not f.dead]:
        minutes_pass(scene, who, minutes)
        if fighter(scene, who).stunned and not fighter(scene, who).dead:
            scene.become(who, come_to, order.disturbed)
        heal_when_due(scene, who, minutes, order.disturbed)


@rule("RD6-WND-7", "RD6-WND-8", "RD6-SPC-21")
def minutes_pass(scene: Scene[State], who: str, minutes: int) -> None:
    """What so many minutes bring: the dying roll on, the unconscious wake, a Fatigue passes each minute."""
    last_rounds(scene, who, minutes)
    me = fighter(scene, who)
    if me.dead:
        return
    if me.out_rounds and me.wounds == 3:
        passed = me.out_rounds + minutes * ROUNDS_A_MINUTE
        if passed > me.out_minutes * ROUNDS_A_MINUTE:
            change(scene, who, "RD6-WND-7", "wakes", unconscious=False, out_minutes=0, out_rounds=0)
        else:
            change(scene, who, "RD6-WND-7", "", out_rounds=passed)
    me = fighter(scene, who)
    if me.fatigued:
        left = max(0, me.fatigued - minutes)
        wakes = me.fatigued > MOST_FATIGUE >= left and not me.out_rounds and me.wounds < 4
        out = me.unconscious and not wakes
        change(scene, who, "RD6-SPC-21", "wakes" if wakes else "rested", {"fatigued": left}, fatigued=left, unconscious=out)


def last_rounds(scene: Scene[State], who: str, minutes: int) -> None:
    """A mortally wounded character rolls on until somebody helps, or death comes."""
    for _ in range(minutes * ROUNDS_A_MINUTE):
        me = fighter(scene, who)
        if not me.dying or me.dead or me.wounds != 4:
            return
        scene.become(who, dying, me.dying)
        if not fighter(scene, who).dead:
            change(scene, who, "RD6-WND-8", "", dying=me.dying + 1)


def heal_when_due(scene: Scene[State], who: str, minutes: int, disturbed: bool) -> None:
    """One test after another, as long as the time lasts; twice the time at once makes it easier."""
    me = fighter(scene, who)
    left = me.rested + minutes
    while me.wounds and not me.dead and left >= rest_needed(me) * DAY:
        double = left >= 2 * rest_needed(me) * DAY
        left -= rest_needed(me) * DAY * (2 if double else 1)
        scene.become(who, heal, 1 if double else 0, disturbed)
        if fighter(scene, who).wounds > me.wounds:
            minutes_pass(scene, who, left)
        me = fighter(scene, who)
    left = left if me.wounds else 0
    if left != me.rested and not me.dead:
        change(scene, who, "RD6-WND-13", "", rested=left)


def due(state: State) -> tuple[Due, ...]:
    """What time will bring, the soonest first."""
    found = []
    for me in state.fighters:
        if me.dead or state.rulings.healing_table == "off":
            continue
        if me.dying and me.wounds == 4:
            found.append(Due(me.id, 1, "Strength against death, every round", "RD6-WND-8"))
        if me.stunned:
            found.append(Due(me.id, 1, "Fortitude against the stun", "RD6-WND-13"))
        if me.out_rounds and me.wounds == 3:
            found.append(Due(me.id, me.out_minutes - (me.out_rounds - 1) // ROUNDS_A_MINUTE, "wakes", "RD6-WND-7"))
        if me.fatigued:
            found.append(Due(me.id, 1, f"one Fatigue of {me.fatigued} passes", "RD6-SPC-21"))
        if me.wounds and not me.dying:
            found.append(Due(me.id, rest_needed(me) * DAY - me.rested, "Fortitude to heal", "RD6-WND-13"))
    return by_time(found)


def fortitude(ask: Ask, me: Fighter, extra: int, key: str) -> tuple[int, bool]:
    """Successes of Fortitude without wound dice, and whether it is a critical failure."""
    written = code(me.sheet, "Fortitude")
    rows = ((written.dice, "D", "Fortitude", "RD6-DICE-9"), (extra, "D", "twice the time", "RD6-WND-13"))
    parts = Parts(Modifier(*row) for row in rows if row[0])
    pooled = Marked(counted(Code(max(1, written.dice + extra), written.pips), ask.rulings))
    return ask.roll(pooled, Why(key, "RD6-WND-13", "Fortitude"), SELF, parts)


@rule("RD6-WND-13")
def come_to(ask: Ask, me: Fighter, disturbed: bool) -> Fighter:
    """A minute after a stun."""
    need = tables.MODERATE + int(disturbed)
    hits, _ = fortitude(ask, me, 0, "come to")
    told = {"successes": hits, "difficulty": need}
    return changed(ask, me, "RD6-WND-13", "recovers" if hits >= need else "stays stunned", told, stunned=hits < need)


@rule("RD6-WND-13")
def heal(ask: Ask, me: Fighter, extra: int, disturbed: bool) -> Fighter:
    """One test of natural healing: 1 wound, 2 with 2 Result Points, one more on a critical failure."""
    need = tables.MODERATE + int(disturbed)
    hits, critical = fortitude(ask, me, extra, "heal")
    told = {"successes": hits, "difficulty": need}
    if hits >= need:
        return mended(ask, me, 2 if hits - need >= 2 else 1, told)
    if critical:
        return judged(ask, changed(ask, me, "RD6-WND-13", "heals badly", told, wounds=me.wounds + 1, treated=False), me.wounds)
    return changed(ask, me, "RD6-WND-13", "heals not", told)


def mended(ask: Ask, me: Fighter, healed: int, told: dict[str, Any], **more: Any) -> Fighter:
    """Fewer wounds, and what that ends: dying at 3, unconsciousness below 3 unless it is that of exhaustion."""
    left = max(0, me.wounds - healed)
    values: dict[str, Any] = {"wounds": left, "dying": me.dying if left >= 4 else 0, **more}
    if left < 3 and me.fatigued <= MOST_FATIGUE:
        values |= {"unconscious": False, "out_minutes": 0, "out_rounds": 0}
        values |= {"begun": True, "done": True} if me.unconscious else {}  # RD6-RND-6: this round's turn is lost already
    return changed(ask, me, "RD6-WND-13", "heals", told | {"healed": me.wounds - left, "left": left}, **values)


@rule("RD6-WND-13")
def treat(scene: Scene[State], order: Treat) -> None:
    """Assisted healing: Medicine, harder with each wound, once per injury."""
    pay_points(scene, order.by, order.points)
    me, patient = fighter(scene, order.by), fighter(scene, order.target)
    need = tables.EASY if not patient.wounds else tables.MODERATE + patient.wounds - 1
    written = code(me.sheet, "Medicine")
    rows = ((written.dice, "D", "Medicine", "RD6-DICE-9"), (order.bonus, "D", "bonus", "RD6-DICE-2"))
    parts = Parts(Modifier(*row) for row in rows if row[0])
    dice = Code(max(1, written.dice + order.bonus), written.pips)
    hits = scene.call(test, dice, Why("treat", "RD6-WND-13", "Medicine"), me.id, 0, order.points, False, parts)
    if hits < need:
        note(scene, me.id, "RD6-WND-13", "treats in vain", {"target": patient.id, "successes": hits, "difficulty": need})
        return
    told = {"successes": hits, "difficulty": need}
    scene.become(patient.id, treated, 2 if hits > need else 1, tuple(told.items()))


def treated(ask: Ask, me: Fighter, healed: int, told: tuple[tuple[str, int], ...]) -> Fighter:
    """The patient after a treatment that worked."""
    if not me.wounds:
        return changed(ask, me, "RD6-WND-13", "recovers", dict(told), stunned=False, treated=True)
    return mended(ask, me, healed, dict(told), treated=True)


LASTING = ("wounds", "fatigued", "unconscious", "dead", "out_minutes", "out_rounds", "dying", "reduction", "treated", "rested")
"""Fields that go on after a fight."""


@rule("RD6-WND-13")
def kept(state: State, who: str) -> dict[str, Any]:
    """Wounds and fatigue, points and ammunition, and the rest that somebody has had already."""
    me = next(f for f in state.fighters if f.id == who)
    blank = Fighter(me.id, me.name, me.side, me.sheet)
    found = {name: getattr(me, name) for name in LASTING if getattr(me, name) != getattr(blank, name)}
    found |= {"character_points": me.character_points, "fate_points": me.fate_points}
    return to_builtins(found | ({"loaded": me.loaded} if me.loaded else {}))  # type: ignore[no-any-return]


def health(me: Fighter) -> int:
    """Levels of wounds up to death."""
    return 0 if me.dead else 5 - me.wounds


def stock(me: Fighter) -> tuple[tuple[str, int], ...]:
    """Points, and rounds in weapons that count them."""
    rounds = sum(left for _, left in me.loaded)
    return ("character points", me.character_points), ("fate points", me.fate_points), ("rounds", rounds)
