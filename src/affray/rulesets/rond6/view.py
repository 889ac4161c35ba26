"""What one person may see of a fight: the state as plain data, and derived numbers with their parts."""

from __future__ import annotations

from typing import Any

import msgspec

from affray.audience import audience as named
from affray.audience import knows
from affray.events import get
from affray.modifiers import Parts, total
from affray.ruleset import Shown
from affray.rulesets.rond6 import exertion, healing, initiative, movement
from affray.rulesets.rond6.actions import left, limit
from affray.rulesets.rond6.bearing import looks
from affray.rulesets.rond6.initiative import initiative_test
from affray.rulesets.rond6.minds import attempt_test, mind_guard
from affray.rulesets.rond6.numbers import (
    Circumstances,
    Test,
    damage_of,
    distance,
    doubled_by_fate,
    guard,
    passive_defence,
    resistance,
    strength_damage,
    test_of,
    toughness,
)
from affray.rulesets.rond6.sheet import UNARMED, Condition, Fighter, State
from affray.rulesets.rond6.tables import ATTACK_SKILL, DEFENCE, INTERACTION

PUBLIC = ("id", "name", "side", "at", "out", "prone", "acted", "waiting", "standing", "held")
"""What anybody sees of a combatant that is not hidden."""


def view(state: State, audience: str) -> dict[str, Any]:
    """The fight as the audience may see it: 'master', a fighter's id, a side, or 'spectator'."""
    looking = named(state, audience)
    mine = [f for f in state.fighters if looking.mine(f.id)]
    there = knows(state, looking)
    shown = [f for f in state.fighters if f.id in there]
    up = initiative.up(state)
    visible = {f.id for f in shown}
    return {
        "round": state.round,
        "turn": state.turn if state.turn in visible else "",
        "up": [who for who in up if who in visible],
        "order": [who for who in initiative.coming(state) if who in visible],
        "over": initiative.over(state),
        "pool": state.pool,
        "fighters": [fighter_view(f, f in mine) for f in shown],
    }


def fighter_view(me: Fighter, whole: bool) -> dict[str, Any]:
    """A combatant as plain data, all of it or what anybody sees."""
    data: dict[str, Any] = msgspec.to_builtins(me)
    if not whole:
        return {name: data[name] for name in PUBLIC} | {"state": looks(me)}
    return {name: value for name, value in data.items() if name != "sheet"} | {"state": looks(me), "left": left(me)}


def numbers(state: State, who: str) -> dict[str, Shown]:
    """Derived numbers of a fighter by name: defenses, resistance, limits, and each roll it may make."""
    me: Fighter = get(state, who)
    rulings = state.rulings
    cover = state.space.at(me.at, "cover") if me.at is not None else 0
    found = {
        "passive_defence": _sum(passive_defence(me, rulings, max(me.cover, cover))),
        "damage_resistance": _sum(resistance(me, rulings)),
        "resistance_with_fate": _sum(resistance(me, rulings) + doubled_by_fate(me, rulings)),
        "toughness": _sum(toughness(me, rulings)),
        "strength_damage": _dice(strength_damage(me.sheet.attribute("Strength"))),
        "limit": Shown(limit(me, rulings), str(limit(me, rulings))),
        "move": Shown(movement.move_value(me), str(movement.move_value(me))),
        "initiative": _test(initiative_test(me, rulings, state.round <= 1)),
    }
    for attack in ATTACK_SKILL:
        met = guard(me, attack, Circumstances(cover=max(me.cover, cover)), rulings)
        found[f"defence {attack}"] = Shown(met.value, str(met.value), met.parts)
    for attempt in INTERACTION:
        resists = mind_guard(me, attempt, rulings)
        value = resists.value if resists.free is None else str(resists.free.pool(rulings))
        found[f"defence {attempt}"] = Shown(value, str(value), resists.parts)
        found[attempt] = _test(attempt_test(me, attempt, rulings))
    found |= ways_of_moving(state, me)
    for kind, (skill, _) in DEFENCE.items():
        found[kind] = _test(test_of(me, skill, rulings))
    for weapon in (*me.sheet.weapons, UNARMED):
        found[f"attack {weapon.name}"] = _test(test_of(me, ATTACK_SKILL[weapon.kind], rulings))
        found[f"damage {weapon.name}"] = _test(damage_of(me, weapon, rulings))
    for skill, _ in me.sheet.skills:
        found.setdefault(skill.lower(), _test(test_of(me, skill, rulings)))
    return found


def ways_of_moving(state: State, me: Fighter) -> dict[str, Shown]:
    """Spaces of a Full Move by mode, Rounds of breath, and how far everybody else is away."""
    found = {
        "swim": movement.move_value(me, "swim"),
        "climb": movement.move_value(me, "climb"),
        "breath_rounds": exertion.breath(me),
        "effort_rounds": exertion.test_code(me),
        "recovery_days": healing.recovery_days(me),
    }
    placed = state.space.grid and me.at is not None
    others = [f for f in state.fighters if f.id != me.id and (f.at is not None) == placed]
    found |= {f"distance.{f.id}": distance(state, me, f) for f in others}
    return {name: Shown(value, str(value)) for name, value in found.items()}


def _sum(parts: Parts) -> Shown:
    return Shown(total(parts), str(total(parts)), parts)


def _dice(dice: int) -> Shown:
    return Shown(f"{dice}D", f"{dice}D")


def _test(test: Test) -> Shown:
    code = f"{test.dice}D" + (f"+{test.pips}" if test.pips else "")
    return Shown(code, code + (f" {test.plus:+d}" if test.plus else ""), test.parts)


def bonds(before: State, after: State) -> tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]:
    """Nobody is held by who is not there; the condition comes and goes with the hold."""
    there, then = {f.id for f in after.fighters}, {f.id: f.grappled_by for f in before.fighters}
    found: dict[str, tuple[tuple[str, Any], ...]] = {}
    for me in after.fighters:
        others = tuple(one for one in me.conditions if one.name != "grappled")
        if me.grappled_by and me.grappled_by not in there:
            found[me.id] = (("grappled_by", ""), ("conditions", others))
        elif me.grappled_by != then.get(me.id, "") and bool(me.grappled_by) == (others == me.conditions):
            found[me.id] = (("conditions", (*others, Condition("grappled")) if me.grappled_by else others),)
    return tuple(found.items())


def problems(state: State) -> tuple[str, ...]:
    """What can never be so in a sound state."""
    wrong = ["round below 0"] if state.round < 0 else []
    ids = [f.id for f in state.fighters]
    if len(set(ids)) != len(ids):
        wrong.append("two combatants have one id")
    for f in state.fighters:
        for name in ("wounds", "fatigue", "character", "fate", "declared", "used", "carried", "aim", "asleep"):
            if getattr(f, name) < 0:
                wrong.append(f"{f.id}: {name} below 0")
        if f.wounds >= 5 and f.out not in ("dead", "destroyed") and not f.sheet.object:
            wrong.append(f"{f.id}: alive with {f.wounds} Wounds")
        if f.declared and f.used > f.declared:
            wrong.append(f"{f.id}: used {f.used} of {f.declared} Actions")
        if any(rounds < 0 for _, rounds in f.ammo):
            wrong.append(f"{f.id}: rounds below 0")
    if state.turn and state.turn not in ids:
        wrong.append("the turn is nobody's")
    return tuple(wrong)
