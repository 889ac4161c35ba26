"""What people see: derived numbers with their parts, the state as one person may see it, what is wrong with a state."""

from __future__ import annotations

from typing import Any

import msgspec

from affray.audience import audience as named
from affray.audience import knows
from affray.modifiers import NO_PARTS, Modifier, Parts, explain, total
from affray.ruleset import Shown
from affray.rulesets.rd6 import numbers as n
from affray.rulesets.rd6.bearing import fallen, looks
from affray.rulesets.rd6.initiative import over, up
from affray.rulesets.rd6.sheet import UNARMED, Fighter, State, weapon_named
from affray.rulesets.rd6.telling import able, fighter


def condition(me: Fighter) -> str:
    """The state of a body in words."""
    words = [fallen(me)] if fallen(me) else []
    if me.wounds and not me.dead:
        words.append(f"{me.wounds} wound{'s' if me.wounds > 1 else ''}")
    for told, on in (("stunned", me.stunned), ("prone", me.prone), ("pinned", me.pinned)):
        if on:
            words.append(told)
    if me.fatigued:
        words.append(f"fatigued {me.fatigued}")
    words += [one.kind for one in me.conditions]
    return ", ".join(words) or "unhurt"


def shown(state: State, who: str) -> dict[str, Shown]:
    """Derived numbers of a fighter by name."""
    me = fighter(state, who)
    found: dict[str, Shown] = {}
    close, far = n.core(me, None, True, state.rulings), n.core(me, None, False, state.rulings)
    found["passive_close"] = _sum(close)
    found["passive_ranged"] = _sum(far)
    for standing in me.standing:
        if standing.kind != "resolve":
            found[f"{standing.mode}_{standing.kind}"] = _sum(n.core(me, standing, standing.kind != "dodge", state.rulings))
    toughness = n.toughness(me.sheet)
    rows = [Modifier(toughness, "", "Toughness", "RD6-WND-3")]
    if me.reduction:
        rows.append(Modifier(-me.reduction, "", "reduction", "RD6-WND-12"))
    told = explain(rows)
    if me.sheet.armour.value:
        rows.append(Modifier(me.sheet.armour.dice, "D", f"armour {me.sheet.armour}", "RD6-WND-1"))
        told += f" +{me.sheet.armour} armour [RD6-WND-1]"
    found["resistance"] = Shown(toughness - me.reduction, told, Parts(rows))
    damage = n.strength_damage(me.sheet)
    found["strength_damage"] = Shown(str(damage), str(damage), NO_PARTS)
    found["action_limit"] = _plain(n.action_limit(me, state.rulings))
    found["free_spaces"] = _plain(n.free_spaces(me))
    found["initiative_bonus"] = _plain(n.initiative_bonus(me.sheet))
    skills = dict.fromkeys([*(skill.name for skill in me.sheet.skills), weapon_named(me.sheet, me.weapon).uses, "Dodge"])
    for skill in skills:
        dice, parts = n.pool(me, skill)
        found[skill] = Shown(str(dice), f"{dice} = {explain(parts)}", parts)
    for weapon in (*me.sheet.weapons, UNARMED):
        dice, parts = n.pool(me, weapon.uses)
        found[f"attack {weapon.name}"] = Shown(str(dice), f"{dice} = {explain(parts)}", parts)
        listed = str(n.weapon_damage(me.sheet, weapon))
        found[f"damage {weapon.name}"] = Shown(listed, listed, NO_PARTS)
    for other in state.fighters:
        if other.id != me.id and not other.hidden:
            apart = n.metres(state, me, other)
            found[f"distance.{other.id}"] = Shown(apart, f"{apart:g} m", NO_PARTS)
    return found


def _sum(parts: Parts) -> Shown:
    value = max(1, total(parts, n.S))
    return Shown(value, f"{value} = {explain(parts)}", parts)


def _plain(value: int) -> Shown:
    return Shown(value, str(value), NO_PARTS)


PUBLIC = ("id", "name", "side", "at", "prone", "initiative", "weapon", "held_by", "holding", "pinned")
"""What anybody sees of a combatant who is not hidden."""


def view(state: State, audience: str) -> dict[str, Any]:
    """The fight as the audience may see it: 'master', a side, a fighter's id, or 'spectator'.

    The master sees everything, a side all of its own, everybody what is plain to see.
    """
    looking = named(state, audience)
    mine = {me.id for me in state.fighters if looking.mine(me.id)}
    there = knows(state, looking)
    seen = [me for me in state.fighters if me.id in there]
    visible = {me.id for me in seen}
    pools = {side: points for side, points in state.party_pool if audience in ("master", side)}
    return {
        "round": state.round,
        "turn": state.turn if state.turn in visible else "",
        "up": [who for who in up(state) if who in visible],
        "order": [who for who in coming(state) if who in visible],
        "light": state.light,
        "smoke": state.smoke,
        "objects": msgspec.to_builtins(state.covers),
        "party_pool": pools,
        "over": over(state),
        "fighters": [fighter_view(me, me.id in mine) for me in seen],
    }


def fighter_view(me: Fighter, whole: bool) -> dict[str, Any]:
    """A combatant as plain data, all but the sheet, or what anybody sees."""
    data: dict[str, Any] = msgspec.to_builtins(me)
    defences = [{"kind": one.kind, "mode": one.mode, "result": one.result} for one in me.standing]
    told = {"state": looks(me), "fallen": fallen(me), "acted": me.done, "defences": defences}
    if not whole:
        return {name: data[name] for name in PUBLIC} | told
    return {name: value for name, value in data.items() if name != "sheet"} | told | {"condition": condition(me)}


def coming(state: State) -> tuple[str, ...]:
    """Ids still to act this round, the one acting first."""
    left = [f for f in state.fighters if able(f) and not f.done and f.id != state.turn and not f.begun]
    position = {f.id: i for i, f in enumerate(state.fighters)}
    left.sort(key=lambda f: (-f.initiative, tuple(-part for part in n.tie_break(f)), position[f.id]))
    return ((state.turn,) if state.turn else ()) + tuple(f.id for f in left)


def bonds(before: State, after: State) -> tuple[tuple[str, tuple[tuple[str, Any], ...]], ...]:
    """A hold is of two: whoever is corrected takes the other along, and nobody is held by, or holds, who is not there."""
    now, then = {f.id: f for f in after.fighters}, {f.id: f for f in before.fighters}
    found: dict[str, tuple[tuple[str, Any], ...]] = {}
    loose: tuple[tuple[str, Any], ...] = (("holding", ""), ("grip", ""), ("grip_fresh", False))
    free: tuple[tuple[str, Any], ...] = (("held_by", ""), ("pinned", False), ("grip_on_arm", False))
    for me in after.fighters:
        old = then.get(me.id, me)
        if me.holding != old.holding:
            if old.holding in now and now[old.holding].held_by == me.id:
                found[old.holding] = free
            if me.holding in now and not now[me.holding].held_by:
                found[me.holding] = (("held_by", me.id),)
        if me.held_by != old.held_by:
            if old.held_by in now and now[old.held_by].holding == me.id:
                found[old.held_by] = loose
            if me.held_by in now and not now[me.held_by].holding:
                found[me.held_by] = (("holding", me.id), ("grip", "hold"))
        if me.holding and me.holding not in now:
            found[me.id] = loose
        if me.held_by and me.held_by not in now:
            found[me.id] = free
    return tuple(found.items())


def problems(state: State) -> tuple[str, ...]:
    """What can never be in a sound state."""
    found = ["round below 0"] if state.round < 0 else []
    ids = [f.id for f in state.fighters]
    if len(set(ids)) != len(ids):
        found.append("two combatants have the same id")
    for me in state.fighters:
        if me.wounds < 0 or me.character_points < 0 or me.fate_points < 0 or me.fatigued < 0:
            found.append(f"{me.id}: a count is below 0")
        if me.wounds >= 5 and not me.dead:
            found.append(f"{me.id}: 5 wounds are death")
        if me.holding and (me.holding not in ids or fighter(state, me.holding).held_by != me.id):
            found.append(f"{me.id}: holds somebody who is not held")
        if me.used < 0 or me.declared < 0:
            found.append(f"{me.id}: actions below 0")
    if state.turn and state.turn not in ids:
        found.append(f"it is the turn of {state.turn!r}, who is not here")
    return tuple(found)
