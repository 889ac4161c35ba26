"""Grenades, rockets and charges: where they go off, who is in the area, what each victim does, and the damage ring by ring."""

from __future__ import annotations

from typing import Any

from affray.ask import ATTACKER, TARGET, Ask, Choose, Why
from affray.dice import PlainPool
from affray.domains import OneOf
from affray.errors import Refusal
from affray.events import Changed, Noted
from affray.rules import rule
from affray.rulesets.cepheus import actions, defence, initiative, numbers, tables
from affray.rulesets.cepheus.commands import Attack as AttackOrder
from affray.rulesets.cepheus.commands import Charge
from affray.rulesets.cepheus.mechanics import Outcome, check, resolve, rolled
from affray.rulesets.cepheus.numbers import Attack, Guard, Line
from affray.rulesets.cepheus.sheet import Blast, Cloud, Fighter, Hit, Ring, State, Weapon

Scene = Any
CLOUD_RADIUS = 6.0


@rule("CEP-THR-1", "CEP-THR-2", "CEP-THR-3", "CEP-EXP-5", "CEP-GER-6", "CEP-GER-7", "CEP-EXP-2")
def shoot(scene: Scene, order: Any, attack: Attack) -> None:
    """A payload is thrown or fired: on a success it goes off at the target, else it scatters. The back blast comes anyway."""
    by, at = order.by, order.target
    state: State = scene.state
    circ = numbers.circumstances(state, by, at)
    line = numbers.line(state[by], attack, circ, state.rulings)
    guard = numbers.guard(state[at], attack, circ, state.rulings)
    landed = scene.call(launched, line, guard, attack.weapon, by, at, roles={ATTACKER: by, TARGET: at})
    if landed is not None:
        go_off(scene, by, at, attack.weapon, landed, attack.rounds)
    behind = order.behind if isinstance(order, AttackOrder) else ()
    if behind and attack.weapon.backblast:
        back_blast(scene, by, attack.weapon, behind)


@rule("CEP-ATK-1", "CEP-THR-2", "CEP-THR-3")
def launched(ask: Ask, line: Line, guard: Guard, weapon: Weapon, by: str, at: str) -> float | None:
    """Metres from the target at which a payload goes off (0: a success); None when a rocket is gone.

    The direction is thrown and told; without a map nothing depends on it, so it is no part of the answer.
    """
    out: Outcome = resolve(ask, line, guard)
    hit = out.effect >= 0
    data = (("target", at), ("effect", out.effect), ("result", "hit" if hit else "miss"))
    ask.tell(Noted(by, "CEP-CHK-3", "hits" if hit else "misses", data), None)
    return 0.0 if hit else scatter(ask, weapon, out.effect, by)


@rule("CEP-THR-2", "CEP-GER-7", "CEP-GER-6")
def scatter(ask: Ask, weapon: Weapon, effect: int, by: str) -> float | None:
    """Metres from the target at which a failed payload goes off; None when a rocket is gone."""
    if weapon.payload == "rocket":
        if rolled(ask, 1, "detonation", "CEP-GER-7", ATTACKER) < 4:
            ask.tell(Noted(by, "CEP-GER-7", "gone"), None)
            return None
        metres = 6 - effect
    else:
        metres = max(0, 6 - effect if ask.rulings.scatter_sign == "magnitude" else 6 + effect)
    direction = rolled(ask, 1, "direction", "CEP-THR-2", ATTACKER)
    ask.tell(Noted(by, "CEP-THR-2", "scatters", (("metres", metres), ("direction", 60 * (direction - 1)))), None)
    return float(metres)


@rule("CEP-EXP-1", "CEP-THR-2", "CEP-THR-3")
def distances(state: State, at: str, off: float) -> tuple[tuple[float, str], ...]:
    """Everybody's distance from a blast `off` metres from where `at` stands, nearest first, ties in roster order."""
    found = [(max(off, numbers.metres(state, at, f.id)), f.id) for f in state.fighters if f.status not in ("dead", "gone")]
    return tuple(sorted(found, key=lambda one: one[0]))


@rule("CEP-EXP-1", "CEP-GER-3", "CEP-GER-4", "CEP-GER-5", "CEP-GER-6")
def go_off(scene: Scene, by: str, at: str, weapon: Weapon, off: float, blasts: int) -> None:
    """A payload goes off: a cloud, or one or more blasts at one point against which one reaction serves."""
    spread = distances(scene.state, at, off)
    if weapon.grenade in ("smoke", "aerosol"):
        inside = tuple(who for metres, who in spread if metres <= CLOUD_RADIUS)
        rounds = 3 * rolled(scene, 1, "duration", "CEP-GER-3" if weapon.grenade == "smoke" else "CEP-GER-4", by)
        kind: Any = weapon.grenade
        clouds = (*scene.state.clouds, Cloud(kind, inside, rounds))
        rule_id = "CEP-GER-3" if kind == "smoke" else "CEP-GER-4"
        scene.tell(Changed("", rule_id, (("clouds", clouds),), "cloud", (("kind", kind), ("rounds", rounds))))
        return
    answers = ask_victims(scene, by, spread, max(ring.within for ring in weapon.rings))
    for _ in range(max(1, blasts)):
        blast(scene, by, spread, weapon.rings, answers, stun=weapon.grenade == "stun")


@rule("CEP-EXP-2", "CEP-EXP-4")
def ask_victims(scene: Scene, by: str, spread: tuple[tuple[float, str], ...], radius: float) -> dict[str, str]:
    """When the blast is placed each victim who can decides: nothing, dodge, or dive for cover. All at once."""
    state: State = scene.state
    able = [who for metres, who in spread if metres <= radius and who != by and may_dodge(state, by, who)]
    if by in [who for metres, who in spread if metres <= radius] and may_dodge(state, by, by):
        able.append(by)
    asked = [Choose(OneOf(("none", "dodge", "dive")), Why("blast", "CEP-EXP-2"), who, "none", (state[who],)) for who in able]
    answers = dict(zip(able, scene.all(asked), strict=True))
    for who, answer in answers.items():
        if answer != "none":
            scene.become(who, defence.react, answer)
        if answer == "dive":
            scene.become(who, dive)
    return answers


@rule("CEP-EXP-4")
def may_dodge(state: State, by: str, who: str) -> bool:
    """Aware, conscious, neither prone nor held."""
    me = state[who]
    return (who == by or defence.may_react(state, by, who)) and me.status == "up" and me.stance != "prone" and not me.grapple


@rule("CEP-EXP-2", "CEP-EXP-3")
def dive(ask: Ask, me: Fighter) -> Fighter:
    """Prone, and the next significant action is lost: this round's, or the next one's for somebody who has acted."""
    return ask.tell(Changed(me.id, "CEP-EXP-3", (("stance", "prone"), ("lost", 2 if me.begun else 1)), "dives"), me)


@rule("CEP-EXP-1", "CEP-EXP-2", "CEP-EXP-5", "CEP-CHK-17")
def blast(
    scene: Scene, by: str, spread: tuple[tuple[float, str], ...], rings: tuple[Ring, ...], answers: dict[str, str],
    stun: bool = False, factor: int = 1,
) -> None:  # fmt: skip
    """Ring by ring from the middle: the ring's dice, then victim by victim."""
    inner = -1.0
    per_victim = scene.rulings.explosion_damage_roll == "per_victim"
    for ring in rings:
        victims = [
            who for metres, who in spread if inner < metres <= ring.within and scene.state[who].status not in ("dead", "gone")
        ]
        inner = ring.within
        dealt = 0
        for i, who in enumerate(victims):
            if i == 0 or per_victim:
                pool = PlainPool(numbers.dice_of(ring.damage))
                dealt = scene.roll(pool, Why("blast", "CEP-EXP-1", ring.damage), by) * factor
            initiative.deliver(scene, by, who, Blast(dealt, answers.get(who, "none"), stun))


@rule("CEP-GER-7")
def back_blast(scene: Scene, by: str, weapon: Weapon, behind: tuple[str, ...]) -> None:
    """Those up to 1.5 m behind a rocket launcher: one roll for all."""
    dealt = scene.roll(PlainPool(numbers.dice_of(weapon.backblast_damage)), Why("back blast", "CEP-GER-7"), by)
    for f in scene.state.fighters:
        if f.id in behind:
            initiative.deliver(scene, by, f.id, Hit(dealt))


def charge_refusal(state: State, order: Charge) -> Refusal | None:
    if all(f.id != order.target for f in state.fighters):
        return Refusal("CEP-GER-14", f"{order.target!r} is nobody", tuple(f.id for f in state.fighters))
    if order.charge not in state[order.by].supplies:
        return Refusal("CEP-GER-14", f"{order.by} carries no {order.charge}", state[order.by].supplies)
    return actions.significant_refusal(state[order.by])


@rule("CEP-GER-14")
def charge(scene: Scene, order: Charge) -> None:
    """A charge where `target` stands: the Demolitions check, the radius, then the damage times the Effect (at least once)."""
    actions.pay(scene, order.by, "significant", "CEP-GER-14")
    actions.used_up(scene, order.by, order.charge)
    me = scene.state[order.by]
    dice, factor, radius = tables.CHARGES[order.charge]
    parts = numbers.check(me, scene.state.rulings, "Demolitions", "education", 0, order.dm + me.help)
    effect = check(scene, parts, Why("demolitions", "CEP-GER-14"), order.by)
    within = float(rolled(scene, radius, "radius", "CEP-GER-14", order.by))
    spread = distances(scene.state, order.target, 0.0)
    answers = ask_victims(scene, order.by, spread, within)
    ring = Ring(within, f"{dice}D6")
    blast(scene, order.by, spread, (ring,), answers, factor=factor * max(1, effect))
