"""What somebody may order now: every verb with its cost and options, the refused ones with their reason."""

from __future__ import annotations

from typing import Any

from affray.domains import Number, OneOf, Place, Subset, Text, YesNo
from affray.rules import rule
from affray.ruleset import Field, Offer
from affray.rulesets.rd6 import commands as c
from affray.rulesets.rd6 import tables
from affray.rulesets.rd6.attack import in_hand
from affray.rulesets.rd6.legality import why_not
from affray.rulesets.rd6.movement import spaces_of
from affray.rulesets.rd6.numbers import action_limit, free_spaces, metres
from affray.rulesets.rd6.sheet import SKILLS, UNARMED, Fighter, State
from affray.rulesets.rd6.special.fire import fire_option
from affray.rulesets.rd6.telling import fighter, foes

ACTION, WHOLE, FREE = "an action", "the whole round", "free"

TEXTS: dict[type, tuple[str, str]] = {
    c.Declare: (FREE, "announce the number of actions"),
    c.Attack: (ACTION, "attack"),
    c.AllOut: (WHOLE, "all-out attack"),
    c.Charge: (WHOLE, "charge"),
    c.Tackle: (ACTION, "tackle"),
    c.Grab: (ACTION, "grab"),
    c.Flip: (ACTION, "flip"),
    c.Hold: (ACTION, "hit and hold"),
    c.ArmPin: (ACTION, "pin an arm"),
    c.Lift: (ACTION, "lift"),
    c.Slam: (ACTION, "slam into something"),
    c.Squeeze: (ACTION, "hurt the one held"),
    c.Escape: (ACTION, "break free"),
    c.Release: (FREE, "let go"),
    c.Sweep: (WHOLE, "sweep with fire"),
    c.HeadsDown: (WHOLE, "keep heads down"),
    c.Dodge: (ACTION, "dodge"),
    c.Block: (ACTION, "block"),
    c.Parry: (ACTION, "parry"),
    c.Resist: (ACTION, "steel oneself"),
    c.Grant: (FREE, "partial defence granted by the game master"),
    c.TakeAim: (WHOLE, "aim"),
    c.Intimidate: (ACTION, "intimidate"),
    c.Taunt: (ACTION, "taunt"),
    c.Trick: (ACTION, "trick"),
    c.Maneuver: (ACTION, "maneuver"),
    c.Move: ("free up to half the Move, else an action", "move"),
    c.Stand: (ACTION, "get up"),
    c.Recover: (ACTION, "shake off the stun"),
    c.Reload: (ACTION, "reload"),
    c.Ready: (ACTION, "ready a weapon"),
    c.Test: (ACTION, "test a skill"),
    c.Other: (ACTION, "something else"),
    c.Break: (ACTION, "break an object"),
    c.Treat: (FREE, "treat wounds"),
    c.Rest: (FREE, "rest and heal"),
    c.End: (FREE, "end the turn"),
}


def offers(state: State, who: str) -> tuple[Offer, ...]:
    """Every verb for this fighter."""
    me = fighter(state, who)
    found = []
    for kind, (cost, text) in TEXTS.items():
        fields = fields_of(state, me, kind)
        try:
            trial = kind(by=who, **{field.name: field.default for field in fields})
        except TypeError:
            continue
        found.append(Offer(str(kind.__struct_config__.tag), cost, fields, why_not(state, trial), text))  # type: ignore[attr-defined]
    return tuple(found)


@rule("RD6-RND-9", "RD6-RND-10", "RD6-RND-12")
def cost(state: State, order: Any) -> str:
    """What this order takes of the round as it stands, in words."""
    me = next((f for f in state.fighters if f.id == order.by), None)
    if me is None or type(order) not in TEXTS:
        return ""
    if isinstance(order, c.Move):
        return ACTION if spaces_of(state, order) > free_spaces(me) else FREE
    if isinstance(order, c.Test) and order.free:
        return FREE
    if isinstance(order, c.Attack) and fire_option(in_hand(me, order.weapon), order.mode, order.shots, state.rulings).whole_round:
        return WHOLE
    return WHOLE if getattr(order, "mode", "") == "full" else TEXTS[type(order)][0]


def fields_of(state: State, me: Fighter, kind: type) -> tuple[Field, ...]:
    """The options of a verb, with what is assumed when they are left out."""
    names = getattr(kind, "__struct_fields__", ())
    return tuple(field for name in names if name != "by" and (field := _field(state, me, kind, name)) is not None)


def _field(state: State, me: Fighter, kind: type, name: str) -> Field | None:
    if name in ("target", "towards"):
        return _target(state, me, kind, name)
    if name == "targets":
        near = tuple(foe.id for foe in _nearest(state, me))
        return Field(name, Subset(near, min(1, len(near))), near[:1], "targets")
    if name in ("weapon", "skill", "object", "behind"):
        return _named(state, me, kind, name)
    if name == "to":
        return Field(name, Place(me.at, me.sheet.move), None, "to") if not state.distances else None
    simple = _simple(me, state)
    row = simple.get("fire" if kind is c.Attack and name == "mode" else name)
    return Field(name, *row) if row else None


def _simple(me: Fighter, state: State) -> dict[str, tuple[Any, Any, str]]:
    modes, most = ("active", "partial", "full"), min(10, action_limit(me, state.rulings))
    return {
        "actions": (Number(me.owed + 1, max(me.owed + 1, most)), me.owed + 1, "number of actions"),
        "points": (Number(0, me.character_points), 0, "Character Points"),
        "part": (OneOf(("", *tables.SIZE)), "", "called shot at a part of this size"),
        "vital": (YesNo(), False, "a vital spot"),
        "effect": (OneOf(("damage", "disarm", "hold", "pin")), "damage", "effect"),
        "mode": (OneOf(modes), "active", "kind of defence"),
        "fire": (OneOf(("normal", "single", "auto")), "normal", "way of firing"),
        "shots": (Number(1, 30), 1, "rounds fired"),
        "less": (Number(3, 20), 3, "dice held back"),
        "into": (OneOf(tuple(tables.TOUGHNESS)), "sturdy", "into something"),
        "held": (YesNo(), False, "with an object in hand"),
        "spaces": (Number(-20, 20), 1, "Spaces"),
        "difficulty": (Number(1, 10), 2, "Difficulty"),
        "terrain": (OneOf(tuple(tables.TERRAIN)), "easy", "terrain"),
        "bonus": (Number(-10, 10), 0, "bonus dice"),
        "plus": (Number(-20, 20), 0, "bonus"),
        "free": (YesNo(), False, "no action"),
        "text": (Text(), "", "what is done"),
        "days": (Number(0, 3650), 0, "days"),
        "hours": (Number(0, 23), 0, "hours"),
        "minutes": (Number(0, 59), 1, "minutes"),
        "disturbed": (YesNo(), False, "without proper rest"),
    }


def _nearest(state: State, me: Fighter) -> list[Fighter]:
    order = sorted(range(len(state.fighters)), key=lambda i: (metres(state, me, state.fighters[i]), i))
    standing = {foe.id for foe in foes(state, me)}
    return [state.fighters[i] for i in order if state.fighters[i].id in standing]


def _target(state: State, me: Fighter, kind: type, name: str) -> Field:
    if kind is c.Treat:
        hurt = tuple(f.id for f in state.fighters if not f.dead and (f.wounds or f.stunned))
        ids = hurt or tuple(f.id for f in state.fighters)
    elif name == "towards":
        ids = tuple(f.id for f in state.fighters if f.id != me.id and not f.dead)
    else:
        ids = tuple(foe.id for foe in _nearest(state, me)) or tuple(f.id for f in state.fighters if f.id != me.id)
    first = ids[0] if ids else ""
    return Field(name, OneOf(("", *ids) if name == "towards" else ids), "" if name == "towards" else first, name)


def _named(state: State, me: Fighter, kind: type, name: str) -> Field | None:
    weapons = tuple(weapon.name for weapon in me.sheet.weapons)
    if name == "weapon" and kind is c.Ready:
        other = tuple(weapon for weapon in weapons if weapon != me.weapon) or weapons or (UNARMED.name,)
        return Field(name, OneOf(other), other[0], "weapon")
    if name == "weapon":
        natural = [weapon.name for weapon in me.sheet.weapons if weapon.kind == "unarmed"]
        held = tuple(dict.fromkeys(weapon for weapon in (me.weapon, *natural, UNARMED.name) if weapon))
        return Field(name, OneOf(("", *held)), "", "weapon")
    if name == "skill" and kind is c.Test:
        known = tuple(dict.fromkeys([*(skill.name for skill in me.sheet.skills), *SKILLS]))
        return Field(name, OneOf(known), known[0], "skill")
    if name == "skill" and kind is c.Grant:
        return Field(name, OneOf(("Dodge", "Fighting", "Melee Weapons")), "Dodge", "skill")
    if name == "skill" and kind in (c.Trick, c.Maneuver):
        own = ("Persuasion", "Acrobatics") if kind is c.Trick else ("Athletics", "Acrobatics")
        return Field(name, OneOf(own), own[0], "skill")
    if name == "skill":
        return Field(name, OneOf(("", "Athletics", "Strength")), "", "brute force with")
    things = tuple(cover.name for cover in state.covers if not cover.broken)
    if name == "object":
        return Field(name, OneOf(things or ("",)), things[0] if things else "", "object")
    return Field(name, OneOf(("", *things)), me.behind if me.behind in things else "", "into cover") if things else None
