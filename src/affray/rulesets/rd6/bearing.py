"""How a combatant looks to people: as a stranger to those whose it is not, and in words for a screen."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.audience import Audience, knows, without
from affray.dice import Code
from affray.modifiers import Modifier, Parts
from affray.recent import remembered
from affray.ruleset import Bearing, Distances, Figure, Shown, Sign
from affray.rulesets.rd6.numbers import Guard, Line, action_limit, band, metres, toughness
from affray.rulesets.rd6.sheet import Fighter, Sheet, State, weapon_named
from affray.rulesets.rd6.tables import METRES_PER_SPACE
from affray.rulesets.rd6.telling import fighter

LEVELS = {"unhurt": 0, "stunned": 1, "wounded": 2, "badly wounded": 3}
RULES = {"stymied": "RD6-SPC-22", "untrained": "RD6-SPC-21"}


def fallen(me: Fighter) -> str:
    """'' while able to fight, else the word for it."""
    if me.dead:
        return "dead"
    if me.unconscious:
        return "mortally wounded" if me.wounds == 4 else "unconscious"
    return "gone" if me.left else ""


def looks(me: Fighter) -> str:
    """How somebody looks: one word."""
    if fallen(me):
        return fallen(me)
    if me.wounds >= 3:
        return "badly wounded"
    return "wounded" if me.wounds else "stunned" if me.stunned else "unhurt"


# ---- strangers


def seen(state: State, audience: Audience) -> State:
    """The state as the audience knows it; the pool of points of a side is known to those who have somebody on it."""
    if audience.master:
        return state
    shown: State = without(state, knows(state, audience))
    fighters = tuple(f if audience.whole(f.id) else stranger(f) for f in shown.fighters)
    sides = {f.side for f in fighters if f.id in audience.own}
    pool = tuple((side, points) for side, points in shown.party_pool if audience.numbers or side in sides)
    return replace(shown, fighters=fighters, party_pool=pool)


@remembered(1024)
def stranger(me: Fighter) -> Fighter:
    """Somebody of whom no more is known than shows: ordinary, with what is worn and in hand."""
    sheet = me.sheet
    weapons = tuple(w for w in sheet.weapons if w.name == me.weapon)
    wounds = me.wounds if fallen(me) else 3 if me.wounds >= 3 else min(1, me.wounds)
    return replace(
        me,
        sheet=Sheet(weapons=weapons, armour=sheet.armour, size=sheet.size),
        wounds=wounds,
        fatigued=0,
        out_minutes=0,
        out_rounds=0,
        dying=0,
        lost_turns=0,
        sat_out=False,
        loaded=(),
        unready=tuple(one for one in me.unready if one == me.weapon),
        lost=(),
        character_points=0,
        fate_points=0,
        reduction=0,
        treated=False,
        rested=0,
    )


# ---- words


def bearing(state: State, who: str) -> Bearing:
    """How a fighter stands."""
    me = fighter(state, who)
    rest = may = ""
    if me.declared:
        rest = f"{max(0, me.declared - me.used)} of {me.declared} action{'s' if me.declared != 1 else ''} left"
    elif who == state.turn:
        n = max(0, action_limit(me, state.rulings) - me.owed)
        may = f"up to {n} action{'s' if n != 1 else ''}"
    own = [("Wounds", str(me.wounds))]
    if me.fatigued:
        own.append(("Fatigue", str(me.fatigued)))
    rounds = dict(me.loaded)
    return Bearing(
        looks(me),
        4 if fallen(me) else LEVELS[looks(me)],
        me.initiative,
        me.done,
        rest,
        tuple(signs(state, me)),
        tuple(
            Sign(f"{one.mode} {one.kind} {one.result}", f"until {turns(one.turns)} begun", "RD6-DEF-7") for one in me.standing
        ),
        (me.weapon,) if me.weapon else (),
        tuple(own),
        (("Character Points", me.character_points), ("Fate Points", me.fate_points)),
        tuple((w.name, rounds.get(w.name, w.clip), w.clip) for w in me.sheet.weapons if w.clip),
        may,
    )


def turns(count: int) -> str:
    return "the next turn has" if count <= 1 else f"{count} turns have"


def signs(state: State, me: Fighter) -> list[Sign]:
    """What is so with somebody for now, wounds aside."""
    names = {f.id: f.name for f in state.fighters}
    found = [
        Sign("stunned", "until shaken off", "RD6-WND-5") if me.stunned else None,
        Sign("prone", "until it gets up", "RD6-SPC-19") if me.prone else None,
        Sign("pinned", "until it breaks free", "RD6-SPC-12") if me.pinned else None,
        Sign(f"held by {names.get(me.held_by, me.held_by)}", "until it breaks free", "RD6-SPC-9") if me.held_by else None,
        Sign(f"holds {names.get(me.holding, me.holding)}", "until it lets go", "RD6-SPC-9") if me.holding else None,
        Sign(f"behind the {me.behind}", "", "RD6-MOD-12") if me.behind else None,
        Sign("open", "until the next turn", "RD6-SPC-6") if me.exposed else None,
        Sign("in a defensive stance", "until the next turn", "RD6-RPF-10") if me.stance else None,
        Sign("sees the field", "next attack", "RD6-RPF-1") if me.ready else None,
    ]
    if me.aim.rounds:
        target = names.get(me.aim.target, me.aim.target)
        found.append(Sign(f"aims at {target}, {me.aim.rounds} round{'s' * (me.aim.rounds != 1)}", "until it acts", "RD6-MOD-16"))
    for one in me.conditions:
        found.append(Sign(one.kind, f"{one.turns} turn{'s' * (one.turns != 1)} left", RULES[one.kind]))
    return [one for one in found if one is not None]


def band_of(state: State, order: object) -> str:
    """The range band of what an order is aimed at; 'out of range' where the weapon does not reach."""
    by, target, weapon = (getattr(order, name, None) for name in ("by", "target", "weapon"))
    ids = {f.id for f in state.fighters}
    if weapon is None or by not in ids or target not in ids:
        return ""
    me = fighter(state, str(by))
    return band(metres(state, me, fighter(state, str(target))), weapon_named(me.sheet, weapon or me.weapon)) or "out of range"


def ground(state: State) -> tuple[str, str, float]:
    """A grid of Spaces of 2 m, or stated distances."""
    return ("bands" if state.distances else "grid", "Space", float(METRES_PER_SPACE))


def apart(state: State, a: str, b: str) -> tuple[str, float, str]:
    """How far two are apart."""
    far = metres(state, fighter(state, a), fighter(state, b))
    return f"{far:g} m", float(far), ""


def scene(state: State) -> tuple[tuple[str, str], ...]:
    """Light, smoke, and the objects that give cover."""
    smoke = (("smoke", state.smoke),) if state.smoke != "none" else ()
    objects = (f"{one.name}, hides {one.hides} %" + (", broken" if one.broken else "") for one in state.covers)
    return (("light", state.light), *smoke, *(("object", one) for one in objects))


def put_apart(state: State, a: str, b: str, far: float | str) -> dict[str, Any]:
    """The stated distance of two is now this."""
    return {"distances": (*(row for row in state.distances if {row[0], row[1]} != {a, b}), (a, b, far))}


DISTANCES = Distances(lambda state: "metres" if state.distances else "", put_apart)


def figures(state: State, target: str, value: object) -> tuple[Figure, ...]:
    """The numbers of an attack: its dice and damage, the target's difficulty and resistance."""
    if isinstance(value, Line):
        found = [Figure("attack", "by", coded(value.code, value.parts, value.plus), "RD6-SUC-1")]
        if value.effect == "damage":
            found.append(Figure("damage", "by", coded(value.damage, value.damage_parts), "RD6-DMG-1"))
        return tuple(found)
    if isinstance(value, Guard):
        need = f"{value.need} success{'es' * (value.need != 1)}"
        found = [Figure("difficulty", "target", Shown(value.need, need, value.parts), "RD6-SUC-2")]
        met = next((f for f in state.fighters if f.id == target), None)
        if met is not None:
            found.append(Figure("resistance", "target", resists(met), "RD6-WND-1"))
        return tuple(found)
    return ()


def coded(code: Code, parts: Parts, plus: int = 0) -> Shown:
    text = str(code) + (f" {plus:+d}" if plus else "")
    return Shown(text, text, parts)


def resists(me: Fighter) -> Shown:
    """Toughness, and the armour that is thrown on top of it."""
    rows = [Modifier(toughness(me.sheet), "", "Toughness", "RD6-WND-3")]
    if me.reduction:
        rows.append(Modifier(-me.reduction, "", "reduction", "RD6-WND-12"))
    value = sum(row.amount for row in rows)
    text = str(value)
    if me.sheet.armour.value:
        rows.append(Modifier(me.sheet.armour.dice, "D", "armour", "RD6-WND-1"))
        text = f"{text} + {me.sheet.armour}"
    return Shown(value, text, Parts(rows))
