"""What Result Points bought that needs the scene: after the message to the target has been delivered."""

from __future__ import annotations

from affray import space
from affray.ask import ATTACKER, SELF, TARGET, Ask, Why
from affray.domains import Number, OneOf, Place
from affray.events import Changed, Noted, get
from affray.rules import rule
from affray.rulesets.rond6.actions import RondScene
from affray.rulesets.rond6.checks import reaches, rolled
from affray.rulesets.rond6.interaction import interact
from affray.rulesets.rond6.minds import INTERACT, attempt_test
from affray.rulesets.rond6.numbers import distance, level, test_of
from affray.rulesets.rond6.sheet import Attempt, Fighter, State, Weapon, let_go
from affray.space import Cell

WHOM = {name: Why(f"{name}_whom", cited, text) for name, cited, text in (
    ("knockback", "RON-RP-7", "whom to move"),
    ("taunt", "RON-RP-14", "whom to taunt"),
    ("intimidate", "RON-RP-15", "whom to frighten"),
)}  # fmt: skip
PUSH_TO = Why("knockback_to", "RON-RP-7", "where to")
PUSH_STEPS = Why("knockback_steps", "RON-RP-7", "how far; negative: together")
AWARE = Why("awareness", "RON-RP-10", "look for an opening")
DISARM_WHAT = Why("disarm_what", "RON-RP-13", "which weapon")
DISARM_TO = Why("disarm_to", "RON-RP-13", "in which direction it flies")
HOLD_ON = Why("hold on", "RON-RP-13", "keep hold of the weapon")

WITHIN = 5
"""Spaces within which the feats of the tongue find an opponent (RON-RP-14)."""
ON_BODIES = ("knock_down", "knockback", "disarm", "taunt", "intimidate")
ATTEMPTS: dict[str, Attempt] = {"taunt": "taunt", "intimidate": "intimidation"}


@rule("RON-RP-2", "RON-RP-8")
def pointless(state: State, by: str, at: str, weapon: Weapon) -> tuple[str, ...]:
    """Combat Feats that would change nothing after this attack."""
    me, target = get(state, by), get(state, at)
    found = set(ON_BODIES) if target.sheet.object else set()
    if target.prone or target.out:
        found.add("knock_down")
    if not target.held or target.out:
        found.add("disarm")
    if not weapon.ammo:
        found.add("rapid_reload")
    if not opponents(state, me):
        found |= set(ATTEMPTS)
    return tuple(sorted(found))


def opponents(state: State, me: Fighter) -> tuple[str, ...]:
    """Enemies within earshot of a feat, the nearest first."""
    foes = [f for f in state.fighters if f.side != me.side and not f.out and not f.sheet.object]
    near = [f for f in foes if distance(state, me, f) <= WITHIN]
    return tuple(f.id for f in sorted(near, key=lambda f: distance(state, me, f)))


@rule("RON-RP-6", "RON-RP-8", "RON-RP-12")
def follow(scene: RondScene, by: str, at: str, feat: str, points: int, weapon: Weapon) -> None:
    """A purchase that needs the scene; `points` as printed."""
    me: Fighter = get(scene.state, by)
    if feat == "party_pool":
        pool = scene.state.pool + points
        scene.tell(Changed("", "RON-RP-6", (("pool", pool),), "feat.pool", (("points", points), ("pool", pool))))
    elif feat == "knockback":
        knock_back(scene, by, at, points)
    elif feat == "rapid_reload":
        ammo = (*((n, r) for n, r in me.ammo if n != weapon.name), (weapon.name, weapon.ammo))
        scene.tell(Changed(by, "RON-RP-8", (("ammo", ammo),), "feat.reloaded", (("weapon", weapon.name),)))
    elif feat == "battlefield_awareness":
        scene.become(by, look_round)
    elif feat == "defensive_stance":
        scene.tell(Changed(by, "RON-RP-12", (("defence_bonus", me.defence_bonus + 1),), "feat.stance"))
    elif feat == "disarm":
        disarm(scene, by, at, points)
    elif feat in ATTEMPTS:
        speak(scene, by, at, feat)
    else:
        scene.tell(Noted(by, "RON-RP-2", "feat.bought", (("feat", feat),)))


# ---- pushing


@rule("RON-RP-7")
def knock_back(scene: RondScene, by: str, at: str, points: int) -> None:
    """Move the target, or oneself, one Space for each point; something solid in the way stops it."""
    whom = scene.choose(OneOf((at, by)), WHOM["knockback"], by, at)
    moved, other = get(scene.state, whom), get(scene.state, by if whom == at else at)
    if moved.at is None or other.at is None:
        steps = scene.choose(Number(-points, points), PUSH_STEPS, by, points)
        gap = max(1, distance(scene.state, moved, other) + steps)
        old = scene.state.space
        changed = old.__class__(old.grid, old.areas, old.with_gap(by, at, gap), old.default_gap)
        scene.tell(Changed("", "RON-RP-7", (("space", changed),)))
        scene.tell(Noted(whom, "RON-RP-7", "feat.pushed", (("spaces", abs(steps)),)))
        return
    away = thrown(moved.at, (2 * moved.at[0] - other.at[0], 2 * moved.at[1] - other.at[1]), points)
    wanted = scene.choose(Place(moved.at, points), PUSH_TO, by, away)
    cell = slide(scene.state, moved, wanted, points)
    data = (("spaces", space.distance(moved.at, cell, scene.state.rulings.distance)),)
    scene.tell(Changed(whom, "RON-RP-7", (("at", cell),), "feat.pushed", data))


def thrown(start: Cell, towards: Cell, spaces: int) -> Cell:
    """The cell so many Spaces from a start in the direction of another cell (east, if that is the same)."""
    dx, dy = towards[0] - start[0], towards[1] - start[1]
    far = max(abs(dx), abs(dy))
    if not far:
        return (start[0] + spaces, start[1])
    return (start[0] + round(dx * spaces / far), start[1] + round(dy * spaces / far))


def slide(state: State, me: Fighter, end: Cell, points: int) -> Cell:
    """Where somebody who is pushed towards a cell comes to rest: before a wall, or whoever stands in the way."""
    assert me.at is not None
    here, metric = me.at, state.rulings.distance
    filled = {f.at for f in state.fighters if f.id != me.id and f.out not in ("dead", "gone", "destroyed")} | state.space.walls()
    while here != end:
        there = space.step_towards(here, end)
        if there in filled or space.distance(me.at, there, metric) > points:
            break
        here = there
    return here


# ---- looking, disarming, talking


@rule("RON-RP-10")
def look_round(ask: Ask, me: Fighter) -> Fighter:
    """A free Perception Test against Moderate: +2 on the next attack."""
    test = test_of(me, "Perception", ask.rulings, action=False, standard=False)
    if ask.call(reaches, test, level(ask.rulings, 2), AWARE, SELF):
        return ask.tell(Changed(me.id, "RON-RP-10", (("aware", 2),), "feat.aware"), me)
    ask.tell(Noted(me.id, "RON-RP-10", "feat.unaware"))
    return me


@rule("RON-RP-13")
def disarm(scene: RondScene, by: str, at: str, points: int) -> None:
    """The weapon flies as many Spaces as points were put in, unless the target, not having acted yet, holds on to it."""
    target: Fighter = get(scene.state, at)
    if not target.held:
        return
    item = target.held[0]
    if len(target.held) > 1:
        item = scene.choose(OneOf(target.held), DISARM_WHAT, by, item)
    data = (("item", item),)
    if not target.acted and not target.out:
        test = test_of(target, "Athletics", scene.state.rulings, action=False, standard=False)
        need = level(scene.state.rulings, 2) + points - 2
        if scene.call(reaches, test, need, HOLD_ON, TARGET, roles={ATTACKER: by, TARGET: at}):
            scene.tell(Noted(at, "RON-RP-13", "feat.holds", data))
            return
    cell = None
    if target.at is not None:
        wanted = scene.choose(Place(target.at, points), DISARM_TO, by, thrown(target.at, target.at, points))
        cell = flies(scene.state, target.at, thrown(target.at, wanted, points))
    scene.tell(Changed(at, "RON-RP-13", let_go(target, item, cell), "feat.disarmed", data))


def flies(state: State, start: Cell, end: Cell) -> Cell:
    """Where a thing lands that flies towards a cell: before the first wall in its way."""
    walls = state.space.walls()
    cells = [start, *space.line(start, end), end]
    return next((cells[n - 1] for n in range(1, len(cells)) if cells[n] in walls), end)


@rule("RON-RP-14", "RON-RP-15")
def speak(scene: RondScene, by: str, at: str, feat: str) -> None:
    """A free taunt or intimidation of an opponent within 5 Spaces; no Action, and no penalty for further Actions."""
    near = opponents(scene.state, get(scene.state, by))
    if not near:
        return
    whom = scene.choose(OneOf(near), WHOM[feat], by, at if at in near else near[0])
    kind = ATTEMPTS[feat]
    test = attempt_test(get(scene.state, by), kind, scene.state.rulings, action=False)
    total = scene.call(rolled, test, INTERACT, ATTACKER, roles={ATTACKER: by, TARGET: whom})
    interact(scene, by, whom, kind, total)
