"""What one person may see of a fight: the state as plain data, and derived numbers with their parts."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from affray.audience import audience as named
from affray.modifiers import Parts, total
from affray.ruleset import Shown
from affray.rulesets.cepheus import actions, damage, initiative, movement, numbers, tables
from affray.rulesets.cepheus.bearing import condition, knows
from affray.rulesets.cepheus.sheet import PHYSICAL, SCORES, Fighter, State, to_upp
from affray.rulesets.cepheus.special import comms

PUBLIC = ("id", "side", "status", "stance", "cover", "waiting", "grapple", "at", "begun")
"""What anybody sees of a combatant whom he knows of."""


def view(state: State, audience: str) -> dict[str, Any]:
    """The fight as 'master', a side, a fighter or 'spectator' may see it."""
    looking = named(state, audience)
    mine = [f for f in state.fighters if looking.mine(f.id)]
    visible = knows(state, looking)
    shown = [f for f in state.fighters if f.id in visible]
    return {
        "round": state.round,
        "seconds": state.seconds,
        "turn": state.turn if state.turn in visible else "",
        "up": [who for who in initiative.up(state) if who in visible],
        "order": [who for who in initiative.queue(state) if who in visible],
        "over": initiative.over(state),
        "phase": state.phase,
        "count": state.count,
        "light": state.light,
        "smoke": state.smoke,
        "storm": state.storm,
        "zero_g": state.zero_g,
        "jammed": state.jammed,
        "tied": list(state.tied),
        "clouds": msgspec.to_builtins(state.clouds),
        "bands": bands(state, visible),
        "fighters": [fighter_view(state, f, f in mine) for f in shown],
    }


def bands(state: State, visible: Collection[str]) -> list[dict[str, Any]]:
    """Every pair that can be seen, with its metres and its band."""
    found = []
    for i, a in enumerate(state.fighters):
        for b in state.fighters[i + 1 :]:
            if a.id in visible and b.id in visible:
                metres = numbers.metres(state, a.id, b.id)
                found.append({"a": a.id, "b": b.id, "metres": metres, "band": tables.BANDS[numbers.band(state, a.id, b.id)]})
    return found


def fighter_view(state: State, me: Fighter, whole: bool) -> dict[str, Any]:
    """A combatant as plain data: all of it, or what anybody sees."""
    full = {name: msgspec.to_builtins(getattr(me, name)) for name in me.__struct_fields__ if name != "sheet"}
    now: dict[str, Any] = {"name": me.id, "state": condition(me), "initiative": comms.initiative(state, me)}
    if not whole:
        return {name: full[name] for name in PUBLIC} | now
    scores = tuple(getattr(me, name) for name in SCORES)
    now |= {
        "upp": to_upp(scores),
        "maximum": to_upp(tuple(getattr(me.sheet, name) for name in SCORES)),
        "minor_left": actions.minor_left(me),
        "significant_left": actions.significant_left(me),
        "ammunition": {h.weapon: h.rounds for w, h in zip(me.sheet.weapons, me.held, strict=False) if w.magazine},
    }
    return full | now


def shown(parts: Parts) -> Shown:
    value = total(parts)
    return Shown(value, f"{value:+d}", parts)


def plain(value: Any, parts: Parts | None = None) -> Shown:
    return Shown(value, str(value), parts or Parts())


def metres(value: float) -> Shown:
    return Shown(value, f"{value:g} m", Parts())


def numbers_of(state: State, who: str) -> dict[str, Shown]:
    """Derived numbers by name: modifiers of scores, Initiative, defence, armour, movement, and each skill and weapon."""
    me = state[who]
    rulings = state.rulings
    found = {f"{name}_dm": plain(numbers.characteristic(me, name, rulings)) for name in SCORES}
    found |= {
        "initiative": plain(comms.initiative(state, me), numbers.initiative_parts(me)),
        "dodge": plain(numbers.dodge_dm(me)),
        "parry": plain(numbers.parry_dm(me, state.zero_g, rulings)),
        "cover": plain(tables.COVER[numbers.cover_quarters(me)]),
        "armour": plain(sum(rating for rating, _ in damage.armour(me, False))),
        "armour_laser": plain(sum(rating for rating, _ in damage.armour(me, True))),
        "move": metres(movement.reach(me, rulings)),
        "squares": plain(movement.squares(movement.reach(me, rulings))),
        "minor": plain(actions.minor_left(me)),
        "band": plain({f.id: tables.BANDS[numbers.band(state, who, f.id)] for f in state.fighters if f.id != who}),
    }
    for skill, _ in me.sheet.skills:
        parts = numbers.check(
            me, rulings, skill, actions.used_for(skill, ""), zero_g=state.zero_g and skill in actions.COMBAT_SKILLS
        )
        found[skill.lower()] = shown(parts)
    for weapon in me.sheet.weapons:
        declared = numbers.Attack(weapon, weapon.rows[0])
        skill = numbers.skill_of(me, declared)
        by = numbers.characteristic_of(me, declared, rulings)
        found[f"attack {weapon.name}"] = shown(numbers.check(me, rulings, skill, by, zero_g=state.zero_g))
        found[f"damage {weapon.name}"] = plain(weapon.damage or "special")
    return found


def bonds(before: State, after: State) -> tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]:
    """A grapple is of two: whoever is corrected takes the other along, and nobody who is out or away is in one."""
    now, then = {f.id: f for f in after.fighters}, {f.id: f.grapple for f in before.fighters}
    found: dict[str, str] = {}
    for me in after.fighters:
        was, other = then.get(me.id, ""), now.get(me.grapple)
        if me.grapple and (other is None or me.status != "up" or other.status != "up"):
            found |= {me.id: ""} | ({other.id: ""} if other is not None and other.grapple == me.id else {})
        elif me.grapple != was:
            if was in now and now[was].grapple == me.id:
                found[was] = ""
            if other is not None and not other.grapple:
                found[other.id] = me.id
    return tuple((who, (("grapple", value),)) for who, value in found.items())


def problems(state: State) -> tuple[str, ...]:
    """What can never be so in a sound state."""
    wrong = ["round below 0"] if state.round < 0 else []
    ids = [f.id for f in state.fighters]
    if len(set(ids)) != len(ids):
        wrong.append("two combatants have one id")
    for f in state.fighters:
        for name in SCORES:
            if not 0 <= getattr(f, name) <= getattr(f.sheet, name):
                wrong.append(f"{f.id}: {name} {getattr(f, name)} is not between 0 and {getattr(f.sheet, name)}")
        if not 0 <= f.aim <= actions.MAX_AIM or not 0 <= f.kill <= actions.MAX_AIM:
            wrong.append(f"{f.id}: aim beyond {actions.MAX_AIM}")
        if not 0 <= f.cover <= 4:
            wrong.append(f"{f.id}: cover is counted in quarters, 0 to 4")
        if len(f.held) != len(f.sheet.weapons):
            wrong.append(f"{f.id}: weapons and what is known of them differ in number")
        for weapon, held in zip(f.sheet.weapons, f.held, strict=False):
            if not 0 <= held.rounds <= max(weapon.magazine, 0):
                wrong.append(f"{f.id}: {held.rounds} rounds in {weapon.name}")
        if f.status != "up" and f.grapple:
            wrong.append(f"{f.id}: {f.status} and in a grapple")
        if f.grapple and (f.grapple not in ids or state[f.grapple].grapple != f.id):
            wrong.append(f"{f.id}: a grapple with somebody who is not in it")
        if f.task and f.task.characteristic and f.task.characteristic not in SCORES:
            wrong.append(f"{f.id}: works with {f.task.characteristic!r}, which is none of {', '.join(SCORES)}")
        if strange := [dose.drug for dose in f.doses if dose.drug not in tables.DRUGS]:
            wrong.append(f"{f.id}: no such drug: {strange[0]!r}; there are {', '.join(tables.DRUGS)}")
        if f.status in ("up", "unconscious") and not any(getattr(f, name) for name in PHYSICAL):
            wrong.append(f"{f.id}: alive with all three characteristics at 0")
    if state.turn and state.turn not in ids:
        wrong.append("the turn is nobody's")
    if any(p.metres < 0 for p in state.pairs):
        wrong.append("a distance below 0")
    return tuple(wrong)
