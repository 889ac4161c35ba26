"""Shots that hit somebody else: blind fire, firing into combat, the spread of flechettes."""

from __future__ import annotations

from typing import Any

from affray.ask import ATTACKER, TARGET, Ask, Why
from affray.events import Noted
from affray.rules import rule
from affray.rulesets.cepheus import defence, initiative, numbers
from affray.rulesets.cepheus.mechanics import ONE, attack_effect, pick, throw, wound
from affray.rulesets.cepheus.numbers import Attack, Guard, Line
from affray.rulesets.cepheus.sheet import State, Suppression

Scene = Any


@rule("CEP-BLD-2", "CEP-BLD-1")
def aimless(ask: Ask, line: Line, guard: Guard) -> int:
    """The Effect of a blind shot."""
    return attack_effect(throw(ask, line, (guard,)), line, guard, ask.rulings)


@rule("CEP-BLD-3", "CEP-BLD-4")
def blind(scene: Scene, by: str, at: str, attack: Attack, line: Line, guard: Guard, others: tuple[str, ...]) -> None:
    """A success hits one of those in the line of fire at random: the intended one, those named, those right beside him."""
    from affray.rulesets.cepheus import attack as attacks

    roles = {ATTACKER: by, TARGET: at}
    effect = scene.call(aimless, line, guard, roles=roles)
    attacks.told(scene, by, at, effect)
    if effect < 0:
        return
    state: State = scene.state
    near = [
        f.id
        for f in state.fighters
        if f.status not in ("dead", "gone") and f.id != by
        and (f.id == at or f.id in others or numbers.band(state, at, f.id) == 0)
    ]  # fmt: skip
    victim = near[scene.call(pick, len(near), Why("victim", "CEP-BLD-3"), roles=roles)]
    if victim != at:
        scene.tell(Noted(by, "CEP-BLD-3", "hits another", (("victim", victim),)))
    if line.manner == "suppress":
        initiative.deliver(scene, by, victim, Suppression(effect))
    else:
        initiative.deliver(scene, by, victim, scene.call(wound, line, effect, roles=roles))


@rule("CEP-FIC-2")
def into_combat(scene: Scene, by: str, at: str, attack: Attack, line: Line, effect: int) -> None:
    """A miss into a brawl: on 4 or more it strikes the one nearest to the target, who cannot react."""
    if scene.roll(ONE, Why("stray", "CEP-FIC-2"), by) < 4:
        return
    state: State = scene.state
    near = [(numbers.metres(state, at, f.id), f.id) for f in state.fighters if f.id not in (by, at) and f.status == "up"]
    least = min(metres for metres, _ in near)
    nearest = [who for metres, who in near if metres == least]
    roles = {ATTACKER: by, TARGET: at}
    victim = nearest[scene.call(pick, len(nearest), Why("victim", "CEP-BLD-3"), roles=roles)]
    scene.tell(Noted(by, "CEP-FIC-2", "hits another", (("victim", victim),)))
    counted = effect if scene.rulings.into_combat_effect == "missed_effect" else 0
    initiative.deliver(scene, by, victim, scene.call(wound, line, counted, roles=roles))


@rule("CEP-SHO-1", "CEP-SHO-2")
def flechettes(scene: Scene, by: str, at: str, attack: Attack) -> None:
    """At Medium or Long: the same dice for the target and all right beside him, each with his own cover and reaction."""
    from affray.rulesets.cepheus import attack as attacks

    state: State = scene.state
    beside = [
        f.id
        for f in state.fighters
        if f.id not in (by, at) and f.status not in ("dead", "gone")
        and numbers.band(state, at, f.id) == 0 and not numbers.untouchable(f)
    ]  # fmt: skip
    victims = (at, *beside)
    answers = {who: defence.ask_reaction(scene, by, who, attack) for who in victims}
    state = scene.state
    lines, guards = [], []
    for who in victims:
        circ = numbers.circumstances(state, by, who)
        lines.append(numbers.line(state[by], attack, circ, state.rulings))
        guards.append(numbers.guard(state[who], attack, circ, state.rulings, answers[who]))
    roles = {ATTACKER: by, TARGET: at}
    natural = scene.call(throw, lines[0], tuple(guards), roles=roles)
    for who, line, guard in zip(victims, lines, guards, strict=True):
        effect = attack_effect(natural, line, guard, scene.rulings)
        attacks.told(scene, by, who, effect)
        if effect >= 0:
            initiative.deliver(scene, by, who, scene.call(wound, line, effect, roles={ATTACKER: by, TARGET: who}))
