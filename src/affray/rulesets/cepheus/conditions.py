"""What lasts: falling and waking, work longer than a round, drugs, fatigue; and what a change of one means for others."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.ask import SELF, Why
from affray.events import Changed
from affray.rules import rule
from affray.rulesets.cepheus import actions, damage, numbers, tables
from affray.rulesets.cepheus.commands import Fall, Poison, Take, Tire
from affray.rulesets.cepheus.mechanics import check, degree, rolled
from affray.rulesets.cepheus.sheet import Dose, Fighter, Hit, State

Scene = Any
MINUTE = 10
"""Rounds."""


@rule("CEP-MED-2", "CEP-UNC-1", "CEP-UNC-5", "CEP-GRP-4")
def aftermath(scene: Scene, before: Fighter) -> None:
    """After something happened to `before`: the clocks of injury and unconsciousness, and his grip on others."""
    state: State = scene.state
    me = state[before.id]
    if sum(damage.scores(me)) < sum(damage.scores(before)):
        scene.tell(Changed(me.id, "CEP-MED-2", (("hurt_at", state.seconds), ("aided", ""))))
    if before.status == "up" != me.status:
        scene.tell(Changed(me.id, "CEP-UNC-5", (("fell", state.round),)))
        for other in state.fighters:
            if other.grapple == me.id:
                scene.tell(Changed(other.id, "CEP-UNC-1", (("grapple", ""),)))


# ---- waking


@rule("CEP-UNC-2", "CEP-UNC-3", "CEP-UNC-4", "CEP-UNC-5")
def recover(scene: Scene, who: str) -> None:
    """At the end of every tenth round after falling: does he come round?"""
    state: State = scene.state
    me = state[who]
    since = state.round - me.fell
    if me.status == "unconscious" and since > 0 and since % MINUTE == 0:
        scene.become(who, wake)


@rule("CEP-UNC-2")
def wake(ask: Any, me: Fighter) -> Fighter:
    """An Endurance check, easier by one for each earlier failure."""
    parts = numbers.check(me, ask.rulings, "", "endurance", 0, me.failed_wakings, action=False)
    if check(ask, parts, Why("wake", "CEP-UNC-2"), SELF) >= 0:
        return ask.tell(Changed(me.id, "CEP-UNC-2", (("status", "up"), ("failed_wakings", 0)), "wakes"), me)  # type: ignore[no-any-return]
    return ask.tell(Changed(me.id, "CEP-UNC-2", (("failed_wakings", me.failed_wakings + 1),), "still out"), me)  # type: ignore[no-any-return]


# ---- work


@rule("CEP-ACT-16", "CEP-ACT-17")
def work_on(scene: Scene, who: str) -> None:
    """A round of work ends: it counts unless a blow spoilt it; after the last one comes the check."""
    me = scene.state[who]
    task = me.task
    if task is None or not task.worked or not task.counts:
        return
    task = replace(task, done=task.done + 1)
    scene.tell(Changed(who, "CEP-ACT-16", (("task", task),), "works", (("done", task.done), ("rounds", task.rounds))))
    if task.done >= task.rounds:
        parts = numbers.check(me, scene.state.rulings, task.skill, task.characteristic, 0, task.dm)
        effect = check(scene, parts, Why("task", "CEP-ACT-16"), who)
        data = (("effect", effect), ("result", degree(effect)), ("task", task.name))
        scene.tell(Changed(who, "CEP-ACT-16", (("task", None),), "work done", data))


# ---- drugs


def working(me: Fighter, drug: str) -> bool:
    """Whether a drug taken works now."""
    return any(dose.drug == drug and dose.onset <= 0 < dose.left for dose in me.doses)


def next_dose(dose: Dose) -> Dose:
    """A dose one round later."""
    if dose.onset > 0:
        return replace(dose, onset=dose.onset - 1)
    return replace(dose, left=dose.left - 1, dodges=tables.DRUGS[dose.drug][1])


@rule("CEP-GER-13", "CEP-FAT-4")
def drugs_over(scene: Scene, who: str) -> None:
    """What follows when a drug wears off: fatigue, after the accelerator 2D6 of damage that no armour stops as well."""
    for dose in scene.state[who].doses:
        if dose.left > 0:
            continue
        before = scene.state[who]
        left = tuple(one for one in before.doses if one != dose)
        scene.tell(Changed(who, "CEP-GER-13", (("doses", left),), "drug over", (("drug", dose.drug.replace("_", " ")),)))
        if dose.drug == "metabolic_accelerator" and before.status != "dead":
            scene.become(who, harm, 2, "CEP-GER-13")
        if scene.state[who].status != "dead":
            scene.become(who, damage.tire, "CEP-GER-13")
        aftermath(scene, before)


@rule("CEP-GER-12", "CEP-GER-13")
def take(scene: Scene, order: Take) -> None:
    """Inject a drug: a stimulant works at once and hurts more each time, the others after their rounds."""
    actions.pay(scene, order.by, "minor", "CEP-ACT-1")
    actions.used_up(scene, order.by, order.drug)
    before: Fighter = scene.state[order.by]
    if order.drug == "stim":
        used = before.stims + 1
        scene.tell(Changed(order.by, "CEP-GER-12", (("fatigued", False), ("stims", used)), "stimulant", (("points", used),)))
        scene.become(order.by, damage.lose, used, "CEP-GER-12")
        aftermath(scene, before)
        return
    row = tables.DRUGS[order.drug]
    doses = (*before.doses, Dose(order.drug, row[3], row[4], row[1]))
    scene.tell(Changed(order.by, "CEP-GER-13", (("doses", doses),), "takes", (("drug", order.drug.replace("_", " ")),)))


# ---- the referee's hand


def harm(ask: Any, me: Fighter, dice: int, rule_id: str) -> Fighter:
    """So many dice of damage that no armour stops."""
    return damage.lose(ask, me, rolled(ask, dice, "damage", rule_id), rule_id)


@rule("CEP-FAT-4")
def tire(scene: Scene, order: Tire) -> None:
    """Lack of sleep, exertion, or whatever the referee names."""
    before = scene.state[order.by]
    scene.become(order.by, damage.tire)
    aftermath(scene, before)


def fall(scene: Scene, order: Fall) -> None:
    """Harm without an attacker, against armour unless `bare`."""
    before = scene.state[order.by]
    if order.bare:
        scene.become(order.by, harm, order.n, "CEP-DMG-1")
    else:
        dealt = rolled(scene, order.n, "damage", "CEP-DMG-1", order.by)
        scene.become(order.by, damage.receive, Hit(dealt))
    aftermath(scene, before)


@rule("CEP-MEN-2")
def poison(scene: Scene, order: Poison) -> None:
    """Damage to a mind lowers the score at once and never wounds."""
    points = rolled(scene, order.n, "damage", "CEP-MEN-2", order.by)
    left = max(0, getattr(scene.state[order.by], order.characteristic) - points)
    scene.tell(Changed(order.by, "CEP-MEN-2", ((order.characteristic, left),), "mind", (("points", points),)))
