"""The one judge of legality: why an order may not be given now, or None.

Each check names the rule that it stands on. Nothing here rolls or changes anything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affray.errors import Refusal
from affray.rules import rule
from affray.rulesets.rd6 import commands as c
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.attack import in_hand, reach_m
from affray.rulesets.rd6.healing import MAX_MINUTES, length
from affray.rulesets.rd6.initiative import over
from affray.rulesets.rd6.movement import gap, spaces_of
from affray.rulesets.rd6.numbers import action_limit, band, free_spaces, metres
from affray.rulesets.rd6.sheet import UNARMED, Fighter, State, Weapon, attribute_of, weapon_named
from affray.rulesets.rd6.special.fire import fire_option, rounds_left, sweep_rounds
from affray.rulesets.rd6.special.objects import object_metres, object_named
from affray.rulesets.rd6.telling import able
from affray.space import visible

Check = Callable[[State, Fighter, Any], Refusal | None]


def why_not(state: State, order: Any) -> Refusal | None:
    """Why this order is not possible now. The state is not changed."""
    me = next((f for f in state.fighters if f.id == order.by), None)
    if isinstance(order, c.Round | c.Begin):
        return Refusal("RD6-RND-2", "rounds and turns begin by themselves")
    if me is None:
        return Refusal("RD6-RND-7", f"there is no combatant {order.by!r}", tuple(f.id for f in state.fighters))
    if refused := _common(state, me, order):
        return refused
    check = CHECKS.get(type(order))
    return check(state, me, order) if check else None


# ---- what holds for every order


def _common(state: State, me: Fighter, order: Any) -> Refusal | None:
    if isinstance(order, c.Rest | c.Treat):
        return _healer(state, me, order)
    if not able(me):
        return Refusal("RD6-RND-6", f"{me.name} is in no state to act")
    if isinstance(order, c.Grant):
        return None
    if state.turn != me.id:
        if not over(state):
            return Refusal("RD6-RND-11", f"it is not {me.name}'s turn")
        return Refusal("RD6-RND-13", "the fight is over")
    if me.pinned and not isinstance(order, c.Escape | c.End | c.Declare):
        return Refusal("RD6-RND-6", f"{me.name} is pinned and can only try to break free")
    if not isinstance(order, c.FREE) and (refused := _actions(me, order)):
        return refused
    return _points(me, order)


@rule("RD6-RND-9", "RD6-RND-10")
def _actions(me: Fighter, order: Any) -> Refusal | None:
    """Whether an action is left; a whole round must be untouched."""
    if isinstance(order, c.Test) and order.free:
        return None
    if me.exclusive:
        return Refusal("RD6-RND-10", "all of this round is already taken")
    if me.owed and not me.declared:
        return Refusal("RD6-SPC-5", f"{me.name} has given up {me.owed} of this round's actions; announce more to take another")
    if me.used >= max(1, me.declared):
        return Refusal("RD6-RND-9", f"{me.used} of {max(1, me.declared)} actions are used")
    whole = isinstance(order, c.WHOLE_ROUND) or getattr(order, "mode", "") in ("full", "auto")
    return _untouched(me) if whole else None


def _untouched(me: Fighter) -> Refusal | None:
    if me.used or me.declared > 1:
        return Refusal("RD6-RND-10", "this takes the whole round; other actions have been announced or taken")
    return None


@rule("RD6-DICE-11")
def _points(me: Fighter, order: Any) -> Refusal | None:
    points = getattr(order, "points", 0)
    if points < 0 or points > me.character_points:
        return Refusal("RD6-DICE-11", f"{me.name} has {me.character_points} Character Points")
    return None


@rule("RD6-WND-13")
def _healer(state: State, me: Fighter, order: Any) -> Refusal | None:
    if state.rulings.healing_table == "off":
        return Refusal("RD6-WND-13", "healing is not played by rules at this table")
    if me.dead:
        return Refusal("RD6-WND-9", f"{me.name} is dead")
    return _points(me, order)


# ---- targets and weapons


def _target(state: State, me: Fighter, name: str) -> Fighter | Refusal:
    target = next((f for f in state.fighters if f.id == name), None)
    if target is None:
        return Refusal("RD6-RND-7", f"there is no combatant {name!r}", tuple(f.id for f in state.fighters))
    if target.id == me.id:
        return Refusal("RD6-RND-7", f"{me.name} cannot be the target")
    if target.dead or target.left:
        return Refusal("RD6-WND-9", f"{target.name} is out of the fight")
    return target


@rule("RD6-RND-8", "RD6-SPC-5", "RD6-SPC-12")
def _in_hand(me: Fighter, name: str) -> Weapon | Refusal:
    """The weapon, if it can be used at all."""
    weapon = in_hand(me, name)
    if name and name != UNARMED.name and weapon is UNARMED:
        return Refusal("RD6-RND-8", f"{me.name} has no weapon {name!r}", tuple(w.name for w in me.sheet.weapons))
    if weapon.kind != "unarmed":
        if any(lost == weapon.name for lost, _ in me.lost):
            return Refusal("RD6-SPC-5", f"the {weapon.name} lies on the ground")
        if weapon.name != me.weapon:
            return Refusal("RD6-RND-8", f"the {weapon.name} is not in hand; ready it first")
        if me.grip_on_arm:
            return Refusal("RD6-SPC-12", "the weapon arm is pinned")
    return weapon


@rule("RD6-MOD-5", "RD6-MOD-6", "RD6-MOD-7")
def _weapon(state: State, me: Fighter, target: Fighter, name: str) -> Weapon | Refusal:
    """The weapon, if it can be used on this target from here."""
    weapon = _in_hand(me, name)
    if isinstance(weapon, Refusal):
        return weapon
    far = metres(state, me, target)
    if not band(far, weapon):
        why = {"unarmed": "RD6-MOD-6", "melee": "RD6-MOD-7", "ranged": "RD6-MOD-5"}[weapon.kind]
        return Refusal(why, f"{target.name} is {far:g} m away, too far for the {weapon.name}")
    return _walled(state, me, target) or weapon


def _walled(state: State, me: Fighter, target: Fighter) -> Refusal | None:
    if state.distances or visible(me.at, target.at, state.space.walls()):
        return None
    return Refusal("RD6-MOD-13", f"a wall stands between {me.name} and {target.name}")


@rule("RD6-SPC-14", "RD6-SPC-15", "RD6-SPC-16")
def _fire(me: Fighter, weapon: Weapon, mode: str, shots: int, state: State) -> Refusal | None:
    """Whether the weapon can fire in this way, with the rounds that it has."""
    if shots < 1:
        return Refusal("RD6-SPC-16", "at least one round is fired")
    if mode == "auto" and "auto" not in weapon.modes:
        return Refusal("RD6-SPC-15", f"the {weapon.name} cannot fire full automatic")
    if mode == "single" and weapon.modes[:1] != ("burst",):
        return Refusal("RD6-SPC-14", f"the {weapon.name} does not fire bursts by itself")
    if shots > 1 and ("semi" not in weapon.modes or mode != "normal"):
        return Refusal("RD6-SPC-16", f"the {weapon.name} cannot fire several rounds at one target")
    option = fire_option(weapon, mode, shots, state.rulings)
    if weapon.name in me.unready:
        return Refusal("RD6-RPF-7", f"the {weapon.name} must be loaded")
    if weapon.clip and option.shots > rounds_left(me, weapon):
        return Refusal("RD6-SPC-16", f"{rounds_left(me, weapon)} rounds are left in the {weapon.name}, {option.shots} wanted")
    return _untouched(me) if option.whole_round else None


@rule("RD6-DICE-12", "RD6-SPC-1", "RD6-SPC-5")
def _attack(state: State, me: Fighter, order: c.Attack) -> Refusal | None:
    if order.fate:
        return Refusal("RD6-DICE-12", "a Fate Point helps only to resist damage")
    target = _target(state, me, order.target)
    if isinstance(target, Refusal):
        return target
    weapon = _weapon(state, me, target, order.weapon)
    if isinstance(weapon, Refusal):
        return weapon
    if order.part and order.part not in tables.SIZE:
        return Refusal("RD6-SPC-1", f"there is no size {order.part!r}", tuple(tables.SIZE))
    if order.effect != "damage" and not order.part:
        return Refusal("RD6-SPC-1", "name the size of the part or item aimed at", tuple(tables.SIZE))
    if order.effect == "disarm" and not target.weapon:
        return Refusal("RD6-SPC-5", f"{target.name} holds nothing")
    return _fire(me, weapon, order.mode, order.shots, state)


@rule("RD6-SPC-6")
def _all_out(state: State, me: Fighter, order: c.AllOut) -> Refusal | None:
    return _close(state, me, order.target, order.weapon, "RD6-SPC-6")


def _close(state: State, me: Fighter, name: str, weapon_name: str, why: str) -> Refusal | None:
    target = _target(state, me, name)
    if isinstance(target, Refusal):
        return target
    weapon = _weapon(state, me, target, weapon_name)
    if isinstance(weapon, Refusal):
        return weapon
    return Refusal(why, "this is for close combat") if weapon.kind == "ranged" else None


@rule("RD6-SPC-7")
def _charge(state: State, me: Fighter, order: c.Charge) -> Refusal | None:
    target = _target(state, me, order.target)
    if isinstance(target, Refusal):
        return target
    weapon = _in_hand(me, order.weapon)
    if isinstance(weapon, Refusal):
        return weapon
    if weapon.kind == "ranged":
        return Refusal("RD6-SPC-7", "this is for close combat")
    spaces = gap(state, me, target, reach_m(weapon))
    if spaces < 2:
        return Refusal("RD6-SPC-7", f"a charge needs 2 Spaces of approach, here are {spaces}")
    if spaces > me.sheet.move or me.moved or me.held_by:
        return Refusal("RD6-RND-12", f"{target.name} cannot be reached in one move")
    return _walled(state, me, target)


def _unarmed(state: State, me: Fighter, order: Any) -> Refusal | None:
    target = _target(state, me, order.target)
    if isinstance(target, Refusal):
        return target
    found = _weapon(state, me, target, UNARMED.name)
    if isinstance(found, Refusal):
        return found
    if isinstance(order, c.Hold) and order.less < 3:
        return Refusal("RD6-SPC-11", "a hold lowers the damage by 3D or more")
    if isinstance(order, c.Lift) and tables.SIZE[target.sheet.size] > tables.SIZE[me.sheet.size]:
        return Refusal("RD6-SPC-13", f"{target.name} is too large to lift")
    return None


@rule("RD6-SPC-13")
def _slam(state: State, me: Fighter, order: c.Slam) -> Refusal | None:
    if me.grip != "lift":
        return Refusal("RD6-SPC-13", "somebody must be lifted first")
    if order.into not in tables.TOUGHNESS:
        return Refusal("RD6-SPC-4", f"nothing is called {order.into!r}", tuple(tables.TOUGHNESS))
    return None


@rule("RD6-SPC-9")
def _squeeze(state: State, me: Fighter, order: c.Squeeze) -> Refusal | None:
    if not me.holding:
        return Refusal("RD6-SPC-9", f"{me.name} holds nobody")
    if me.grip_fresh:
        return Refusal("RD6-SPC-9", "the hold can hurt from the next round on")
    if order.weapon and weapon_named(me.sheet, order.weapon).kind != "unarmed":
        return Refusal("RD6-SPC-9", "only a natural weapon can be used on somebody held")
    return None


def _escape(state: State, me: Fighter, order: c.Escape) -> Refusal | None:
    return None if me.held_by or me.pinned else Refusal("RD6-SPC-9", f"nobody holds {me.name}")


def _release(state: State, me: Fighter, order: c.Release) -> Refusal | None:
    return None if me.holding else Refusal("RD6-SPC-9", f"{me.name} holds nobody")


@rule("RD6-SPC-17", "RD6-SPC-18")
def _spray(state: State, me: Fighter, order: c.Sweep | c.HeadsDown) -> Refusal | None:
    why = "RD6-SPC-17" if isinstance(order, c.Sweep) else "RD6-SPC-18"
    if not order.targets:
        return Refusal(why, "at least one target is needed")
    if len(set(order.targets)) < len(order.targets):
        return Refusal(why, "name each of them once")
    weapon: Weapon | Refusal = UNARMED
    for name in order.targets:
        target = _target(state, me, name)
        if isinstance(target, Refusal):
            return target
        weapon = _weapon(state, me, target, order.weapon)
        if isinstance(weapon, Refusal):
            return weapon
    assert isinstance(weapon, Weapon)
    if not {"auto", "burst", "semi"} & set(weapon.modes):
        return Refusal(why, f"the {weapon.name} fires single shots only")
    needed = sweep_rounds(weapon, order.shots)
    if weapon.clip and needed > rounds_left(me, weapon):
        return Refusal("RD6-SPC-16", f"{rounds_left(me, weapon)} rounds are left in the {weapon.name}, {needed} wanted")
    return None


# ---- defences


@rule("RD6-DEF-11", "RD6-DEF-16", "RD6-DEF-20")
def _defend(state: State, me: Fighter, order: Any) -> Refusal | None:
    if isinstance(order, c.Parry) and (weapon_named(me.sheet, me.weapon).kind != "melee" or me.grip_on_arm):
        return Refusal("RD6-DEF-11", "a parry needs a melee weapon in hand")
    if order.mode == "partial" and me.declared < 2:
        return Refusal("RD6-DEF-16", "a partial defence goes with another action; announce two or more")
    return None


@rule("RD6-DEF-18")
def _grant(state: State, me: Fighter, order: c.Grant) -> Refusal | None:
    if order.skill == "Melee Weapons" and weapon_named(me.sheet, me.weapon).kind != "melee":
        return Refusal("RD6-DEF-11", "a parry needs a melee weapon in hand")
    return None


# ---- the rest


@rule("RD6-RND-9")
def _declare(state: State, me: Fighter, order: c.Declare) -> Refusal | None:
    limit = action_limit(me, state.rulings)
    if me.declared or me.used > me.owed:
        return Refusal("RD6-RND-9", "the number of actions of this round is settled")
    if me.owed >= limit:
        return Refusal("RD6-SPC-5", f"{me.name} has given up every action of this round")
    if not me.owed < order.actions <= limit:
        return Refusal("RD6-RND-9", f"{me.owed + 1} to {limit} actions can be taken, those given up included")
    return None


@rule("RD6-MOD-15")
def _aim(state: State, me: Fighter, order: c.TakeAim) -> Refusal | None:
    target = _target(state, me, order.target)
    if isinstance(target, Refusal):
        return target
    if weapon_named(me.sheet, me.weapon).uses != "Ranged Weapons":
        return Refusal("RD6-MOD-16", "only Ranged Weapons gain by aiming")
    return Refusal("RD6-MOD-15", "aiming takes the whole round") if me.moved else None


def _interact(state: State, me: Fighter, order: Any) -> Refusal | None:
    target = _target(state, me, order.target)
    if isinstance(target, Refusal):
        return target
    return Refusal("RD6-SPC-20", f"{target.name} notices nothing") if target.unconscious else None


@rule("RD6-RND-12")
def _move(state: State, me: Fighter, order: c.Move) -> Refusal | None:
    spaces = spaces_of(state, order)
    if me.exclusive or (me.aim.rounds and not me.aim.age):
        return Refusal("RD6-MOD-15", "all of this round is already taken")
    if me.moved:
        return Refusal("RD6-RND-12", "each type of movement is used once a round")
    if me.held_by and spaces:
        return Refusal("RD6-SPC-9", f"{me.name} is held")
    if me.prone and spaces:
        return Refusal("RD6-SPC-19", f"{me.name} lies on the ground")
    if spaces > me.sheet.move:
        return Refusal("RD6-RND-12", f"{me.name} moves at most {me.sheet.move} Spaces")
    if order.to is None and not order.towards and not order.behind:
        return Refusal("RD6-RND-12", "say where to move")
    taken = any(f.at == order.to for f in state.fighters if f.id != me.id and able(f))
    walls = state.space.walls()
    if order.to is not None and (taken or order.to in walls):
        return Refusal("RD6-RND-12", "that place is taken")
    if order.to is not None and walls and not visible(me.at, order.to, walls):
        return Refusal("RD6-RND-12", "a wall is in the way")
    if order.towards:
        found = _target(state, me, order.towards)
        if isinstance(found, Refusal):
            return found
    if order.behind and object_named(state, order.behind) is None:
        return Refusal("RD6-MOD-12", f"there is no object {order.behind!r}", tuple(cover.name for cover in state.covers))
    return _actions(me, order) if spaces > free_spaces(me) else None


def _stand(state: State, me: Fighter, order: c.Stand) -> Refusal | None:
    if me.held_by:
        return Refusal("RD6-SPC-9", f"{me.name} is held")
    return None if me.prone else Refusal("RD6-SPC-19", f"{me.name} is on the feet")


def _recover(state: State, me: Fighter, order: c.Recover) -> Refusal | None:
    return None if me.stunned else Refusal("RD6-WND-5", f"{me.name} is not stunned")


def _reload(state: State, me: Fighter, order: c.Reload) -> Refusal | None:
    weapon = weapon_named(me.sheet, order.weapon or me.weapon)
    full = weapon.name not in me.unready and (not weapon.clip or rounds_left(me, weapon) >= weapon.clip)
    return Refusal("RD6-RND-8", f"the {weapon.name} is loaded") if full else None


def _ready(state: State, me: Fighter, order: c.Ready) -> Refusal | None:
    if weapon_named(me.sheet, order.weapon) is UNARMED and order.weapon != UNARMED.name:
        return Refusal("RD6-RND-8", f"{me.name} has no weapon {order.weapon!r}", tuple(w.name for w in me.sheet.weapons))
    if order.weapon == me.weapon:
        return Refusal("RD6-RND-8", f"the {order.weapon} is in hand")
    away = next((spaces for name, spaces in me.lost if name == order.weapon), 0)
    if away > me.sheet.move:
        return Refusal("RD6-RND-12", f"the {order.weapon} lies {away} Spaces away")
    return None


def _test(state: State, me: Fighter, order: c.Test) -> Refusal | None:
    if order.terrain not in tables.TERRAIN:
        return Refusal("RD6-RND-12", f"there is no terrain {order.terrain!r}", tuple(tables.TERRAIN))
    known = attribute_of(order.skill)
    listed = any(skill.name == order.skill for skill in me.sheet.skills)
    if known not in _ATTRIBUTES and not listed:
        return Refusal("RD6-DICE-9", f"{me.name} has no skill {order.skill!r}")
    return None


_ATTRIBUTES = ("Agility", "Strength", "Stamina", "Perception", "Presence", "Willpower")


@rule("RD6-SPC-3")
def _break(state: State, me: Fighter, order: c.Break) -> Refusal | None:
    thing = object_named(state, order.object)
    if thing is None:
        return Refusal("RD6-SPC-3", f"there is no object {order.object!r}", tuple(cover.name for cover in state.covers))
    if thing.broken:
        return Refusal("RD6-SPC-3", f"the {thing.name} is broken already")
    far = object_metres(state, me, thing)
    if order.skill:
        return None if far <= tables.POINT_BLANK_M else Refusal("RD6-MOD-6", f"the {thing.name} is {far:g} m away")
    weapon = _in_hand(me, order.weapon)
    if isinstance(weapon, Refusal):
        return weapon
    if not band(far, weapon):
        return Refusal("RD6-MOD-5", f"the {thing.name} is {far:g} m away, too far for the {weapon.name}")
    return _fire(me, weapon, "normal", 1, state)


@rule("RD6-WND-13")
def _treat(state: State, me: Fighter, order: c.Treat) -> Refusal | None:
    patient = next((f for f in state.fighters if f.id == order.target), None)
    if patient is None:
        return Refusal("RD6-WND-13", f"there is no combatant {order.target!r}", tuple(f.id for f in state.fighters))
    if not able(me):
        return Refusal("RD6-RND-6", f"{me.name} is in no state to help")
    far = metres(state, me, patient) if not over(state) and patient.id != me.id else 0.0
    if far > tables.POINT_BLANK_M:
        return Refusal("RD6-WND-13", f"{patient.name} is {far:g} m away, too far to be treated")
    if patient.dead or not (patient.wounds or patient.stunned):
        return Refusal("RD6-WND-13", f"there is nothing to heal in {patient.name}")
    if patient.treated:
        return Refusal("RD6-WND-13", "this injury has been treated already")
    return None


@rule("RD6-WND-13")
def _rest(state: State, me: Fighter, order: c.Rest) -> Refusal | None:
    if not over(state):
        return Refusal("RD6-WND-13", "there is no rest while the fight goes on")
    if min(order.days, order.hours, order.minutes) < 0 or not 0 < length(order) <= MAX_MINUTES:
        return Refusal("RD6-WND-13", "say how long: minutes, hours or days")
    return None


CHECKS: dict[type, Check] = {
    c.Declare: _declare,
    c.Attack: _attack,
    c.AllOut: _all_out,
    c.Charge: _charge,
    c.Tackle: _unarmed,
    c.Grab: _unarmed,
    c.Flip: _unarmed,
    c.Hold: _unarmed,
    c.ArmPin: _unarmed,
    c.Lift: _unarmed,
    c.Slam: _slam,
    c.Squeeze: _squeeze,
    c.Escape: _escape,
    c.Release: _release,
    c.Sweep: _spray,
    c.HeadsDown: _spray,
    c.Dodge: _defend,
    c.Block: _defend,
    c.Parry: _defend,
    c.Resist: _defend,
    c.Grant: _grant,
    c.TakeAim: _aim,
    c.Intimidate: _interact,
    c.Taunt: _interact,
    c.Trick: _interact,
    c.Maneuver: _interact,
    c.Move: _move,
    c.Stand: _stand,
    c.Recover: _recover,
    c.Reload: _reload,
    c.Ready: _ready,
    c.Test: _test,
    c.Break: _break,
    c.Treat: _treat,
    c.Rest: _rest,
}
