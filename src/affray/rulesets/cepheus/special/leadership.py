"""Leadership in a fight, and killing the helpless: two significant actions of a few lines."""

from __future__ import annotations

from typing import Any

from affray.ask import Why
from affray.errors import Refusal
from affray.events import Changed, Noted
from affray.rules import rule
from affray.rulesets.cepheus import actions, conditions, damage, numbers, tables
from affray.rulesets.cepheus.commands import Coup, Lead
from affray.rulesets.cepheus.mechanics import check, degree
from affray.rulesets.cepheus.sheet import Held, Shift, State, Weapon
from affray.rulesets.cepheus.special import comms

Scene = Any


def lead_refusal(state: State, order: Lead) -> Refusal | None:
    me = state[order.by]
    if refusal := actions.target_refusal(state, order.by, order.target) or actions.significant_refusal(me):
        return refusal
    if state[order.target].status != "up" or not comms.linked(state, order.by, order.target):
        return Refusal("CEP-COM-1", f"{order.target} is not in communication with {me.id}")
    return actions.skill_refusal(state, me, "Leadership")


@rule("CEP-LDR-2", "CEP-LDR-3", "CEP-COM-1")
def lead(scene: Scene, order: Lead) -> None:
    """A Leadership check; its Effect raises the other's Initiative for one round, or by ruling for the whole fight."""
    actions.pay(scene, order.by, "significant", "CEP-LDR-2")
    state: State = scene.state
    me, other = state[order.by], state[order.target]
    parts = numbers.check(me, state.rulings, "Leadership", "standing", 0, order.dm + me.help)
    effect = check(scene, parts, Why("leadership", "CEP-LDR-2"), order.by)
    data = (("target", order.target), ("effect", effect), ("result", degree(effect)))
    scene.tell(Noted(order.by, "CEP-LDR-2", "leads", data))
    if effect <= 0:
        return
    if state.rulings.leadership_duration == "whole_fight":
        scene.tell(Changed(other.id, "CEP-LDR-3", (("led", other.led + effect), ("led_by", order.by))))
        return
    shift = Shift(effect, "CEP-LDR-2", 1 if other.begun else 0, order.by)
    scene.tell(Changed(other.id, "CEP-LDR-3", (("shifts", (*other.shifts, shift)),), "led", (("effect", effect),)))


@rule("CEP-CDG-1")
def helpless(state: State, who: str) -> bool:
    """Unconscious, or marked bound or paralysed."""
    me = state[who]
    return me.status == "unconscious" or (me.helpless and me.status == "up")


@rule("CEP-CDG-1", "CEP-ATK-10")
def one_attack(weapon: Weapon, held: Held) -> int:
    """Rounds of one attack in the mode that is set."""
    from affray.rulesets.cepheus import attack

    mode = attack.mode_of(weapon, held, "")
    return mode.rounds if mode else weapon.modes[0].rounds


@rule("CEP-CDG-1", "CEP-STN-4")
def coup_refusal(state: State, order: Coup) -> Refusal | None:
    """Melee from Close, ranged from an adjacent place."""
    from affray.rulesets.cepheus import attack

    me = state[order.by]
    if refusal := actions.target_refusal(state, order.by, order.target) or actions.significant_refusal(me):
        return refusal
    if not helpless(state, order.target):
        return Refusal("CEP-CDG-1", f"{order.target} is not helpless")
    found = attack.arm(me, order.weapon)
    if found is None:
        return actions.no_weapon(me, order.weapon)
    _, weapon, held = found
    if not held.ready:
        return Refusal("CEP-ACT-8", f"{weapon.name} is not in hand", ("draw",))
    if set(weapon.rows) & set(numbers.MELEE_ROWS):
        if me.stance == "prone":
            return Refusal("CEP-STN-4", f"{me.id} is prone and cannot strike", ("stance",))
        near = numbers.band(state, order.by, order.target) <= 1
    else:
        near = numbers.metres(state, order.by, order.target) <= tables.SQUARE
        if weapon.magazine and held.rounds < one_attack(weapon, held):
            return Refusal("CEP-ATK-10", f"{weapon.name} is empty", ("reload",))
    return None if near else Refusal("CEP-CDG-1", f"{order.target} is not close enough for that")


@rule("CEP-CDG-1")
def coup(scene: Scene, order: Coup) -> None:
    """No roll, no damage, no armour."""
    from affray.rulesets.cepheus import attack

    actions.pay(scene, order.by, "significant", "CEP-CDG-1")
    me = scene.state[order.by]
    found = attack.arm(me, order.weapon)
    assert found is not None
    index, weapon, held = found
    if weapon.magazine and index >= 0:
        left = held.rounds - one_attack(weapon, held)
        actions.put_held(scene, me.id, index, "CEP-BUR-3", "rounds", ("left", left), rounds=left)
    before = scene.state[order.target]
    gone = (("status", "dead"), *damage.dropped(before))
    scene.tell(Changed(order.target, "CEP-CDG-1", gone, "killed", (("by", order.by),)))
    conditions.aftermath(scene, before)
    attack.reveal(scene, order.by)
