"""How a combatant looks to people: as a stranger to those whose it is not, and in words for a screen."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.audience import Audience, knows, without
from affray.events import get
from affray.recent import remembered
from affray.ruleset import Bearing, Distances, Figure, Shown, Sign
from affray.rulesets.rond6.actions import left, limit
from affray.rulesets.rond6.numbers import Guard, Line, Test, band, distance
from affray.rulesets.rond6.sheet import UNARMED, Fighter, Sheet, State, Weapon

LEVELS = {"unhurt": 0, "stunned": 1, "wounded": 2, "badly wounded": 3}
RULES = {
    "confused": "RON-CON-3",
    "setback": "RON-CON-5",
    "stymied": "RON-CON-7",
    "untrained": "RON-CON-8",
    "grappled": "RON-SPC-10",
    "surprised": "RON-SPC-21",
}


def looks(me: Fighter) -> str:
    """How somebody looks: one word."""
    if me.out:
        return me.out
    if me.wounds >= 3:
        return "badly wounded"
    return "wounded" if me.wounds else "stunned" if me.stunned else "unhurt"


# ---- strangers


def seen(state: State, audience: Audience) -> State:
    """The state as the audience knows it."""
    if audience.master:
        return state
    shown: State = without(state, knows(state, audience))
    fighters = tuple(f if audience.whole(f.id) else stranger(f) for f in shown.fighters)
    return shown if fighters == shown.fighters else replace(shown, fighters=fighters)


@remembered(1024)
def stranger(me: Fighter) -> Fighter:
    """Somebody of whom no more is known than shows: ordinary, with what it wears and has in hand."""
    sheet = me.sheet
    weapons = tuple(replace(w, bonus=0) for w in sheet.weapons if w.name in me.held)
    plain = Sheet(weapons=weapons, armor=sheet.armor, shield=sheet.shield, scale=sheet.scale, scale_dice=sheet.scale_dice)
    if sheet.object:
        plain = replace(plain, object=True, attributes=sheet.attributes)
    return replace(
        me,
        sheet=plain,
        wounds=3 if me.wounds >= 3 else min(1, me.wounds),
        fatigue=0,
        mortal=0,
        asleep=0,
        fainted="",
        injury=0,
        treated=0,
        character=0,
        fate=0,
        lost=0,
        ammo=(),
        readying=(),
        exertion=0,
        strenuous=False,
        breath_rounds=0,
        mending=0,
        disturbed=False,
        rested=False,
        situational=0,
    )


# ---- words


def bearing(state: State, who: str) -> Bearing:
    """How a fighter stands."""
    me: Fighter = get(state, who)
    rest = may = ""
    if me.full:
        rest = "Full Action taken"
    elif me.declared:
        rest = f"{max(0, left(me))} of {me.declared} Action{'s' if me.declared != 1 else ''} left"
    elif who == state.turn:
        n = limit(me, state.rulings)
        may = f"up to {n} Action{'s' if n != 1 else ''}"
    own = [("Wounds", str(me.wounds))]
    if me.sheet.object:
        own = [("Structural damage", str(me.damage_levels))]
    if me.fatigue:
        own.append(("Fatigue", str(me.fatigue)))
    ammo = tuple((w.name, me.rounds(w), w.ammo) for w in me.sheet.weapons if w.ammo)
    return Bearing(
        looks(me),
        4 if me.out else LEVELS[looks(me)],
        me.initiative,
        me.acted,
        rest,
        tuple(signs(state, me)),
        tuple(Sign(f"{one.kind} {one.total}", "until the next turn", "RON-DEF-3") for one in me.standing),
        me.held,
        tuple(own),
        (("Character Points", me.character), ("Fate Points", me.fate)),
        ammo,
        may,
    )


def signs(state: State, me: Fighter) -> list[Sign]:
    """What is so with somebody for now, wounds aside."""
    found = [
        Sign("stunned", "until it rests for a turn", "RON-CON-6") if me.stunned else None,
        Sign("prone", "until it stands up", "RON-SPC-17") if me.prone else None,
        Sign("waiting", "until it cuts in" if me.waiting == "any" else "for a charge", "RON-ACT-13") if me.waiting else None,
        Sign("reeling", "this turn", "RON-DMG-17") if me.massive else None,
        Sign(f"aiming +{me.aim}D", "until it shoots", "RON-ACT-16") if me.aim else None,
        Sign(f"sees an opening +{me.aware}", "next attack", "RON-RP-10") if me.aware else None,
        Sign(f"defense {me.defence_bonus:+d}", "until the next turn", "RON-DEF-5") if me.defence_bonus else None,
        Sign("no Active Defense", "until the next turn", "RON-DEF-2") if me.barred else None,
        Sign(f"cover +{me.cover}", "", "RON-ATK-12") if me.cover else None,
        Sign("holding its breath", f"{me.breath_rounds} rounds left", "RON-MOVE-13") if me.breath_rounds > 0 else None,
        Sign(f"held by {name(state, me.grappled_by)}", "until it breaks free", "RON-SPC-10") if me.grappled_by else None,
    ]
    for one in me.conditions:
        if one.name == "grappled" and me.grappled_by:
            continue
        clock = ("turn", one.turns) if one.turns else ("round", one.rounds)
        left_ = f"{clock[1]} {clock[0]}{'s' * (clock[1] != 1)} left" if clock[1] else "until it is dealt with"
        found.append(Sign(one.name, left_, RULES.get(one.name, "RON-CON-1")))
    return [one for one in found if one is not None]


def name(state: State, who: str) -> str:
    return next((f.name for f in state.fighters if f.id == who), who)


def band_of(state: State, order: object) -> str:
    """The range band of what an order is aimed at; 'out of range' beyond Long."""
    by, target = getattr(order, "by", ""), getattr(order, "target", "")
    weapon_name = getattr(order, "weapon", None)
    ids = {f.id for f in state.fighters}
    if weapon_name is None or by not in ids or target not in ids:
        return ""
    me: Fighter = get(state, by)
    weapon: Weapon | None = me.sheet.weapon(weapon_name or (me.held[0] if me.held else UNARMED.name))
    if weapon is None or weapon.kind not in ("ranged", "thrown"):
        return ""
    return band(weapon, distance(state, me, get(state, target))) or "out of range"


def ground(state: State) -> tuple[str, str, float]:
    """A grid where somebody stands on one, else plain distances in Spaces of about 2 m."""
    placed = state.space.grid and any(f.at is not None for f in state.fighters)
    return ("grid" if placed else "bands", "Space", 2.0)


def apart(state: State, a: str, b: str) -> tuple[str, float, str]:
    """How far two are apart."""
    steps = distance(state, get(state, a), get(state, b))
    return f"{steps} Space{'s' * (steps != 1)}", 2.0 * steps, ""


def put_apart(state: State, a: str, b: str, far: float | str) -> dict[str, Any]:
    """The gap between two is now this."""
    return {"space": replace(state.space, gaps=state.space.with_gap(a, b, int(far)))}


DISTANCES = Distances(lambda state: "" if ground(state)[0] == "grid" else "Spaces", put_apart, whole=True)


def figures(state: State, target: str, value: object) -> tuple[Figure, ...]:
    """The numbers of an attack: its dice and damage, the target's defense and resistance."""
    if isinstance(value, Line):
        found = [Figure("attack", "by", tested(value.test), "RON-ATK-1")]
        if not value.harmless:
            found.append(Figure("damage", "by", tested(value.damage), "RON-DMG-1"))
        return tuple(found)
    if isinstance(value, Guard):
        rule = "RON-DEF-6" if value.test else "RON-DEF-4"
        return (
            Figure("defense", "target", Shown(value.value, str(value.value), value.parts), rule),
            Figure("resistance", "target", Shown(value.drt, str(value.drt), value.drt_parts), "RON-DMG-5"),
        )
    return ()


def tested(test: Test) -> Shown:
    """A Test as people write it: '5D+1 +2'."""
    code = f"{test.dice + test.points}D" + (f"+{test.pips}" if test.pips else "") + (f" {test.plus:+d}" if test.plus else "")
    return Shown(code, code, test.parts)
