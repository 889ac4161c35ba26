"""Movement: metres of an action, distances between pairs, squares, leaps. Distances change by events on pairs or places."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.ask import Why
from affray.errors import Refusal
from affray.events import Changed
from affray.rules import rule
from affray.rulesets.cepheus import actions, numbers, tables
from affray.rulesets.cepheus.commands import Leap, Move
from affray.rulesets.cepheus.mechanics import check
from affray.rulesets.cepheus.sheet import Fighter, Pair, State

Scene = Any
STEP = 6.0
CRAWL = 1.5


@rule("CEP-ACT-9", "CEP-ACT-10", "CEP-STN-2", "CEP-WND-4", "CEP-GER-15", "CEP-GER-16")
def reach(me: Fighter, rulings: Any) -> float:
    """Metres of one movement action: six, halved by hard ground and by crouching, 1.5 prone or badly hurt, less under load."""
    if me.stance == "prone":
        return CRAWL if not me.serious else max(0.0, CRAWL - me.crawled)
    step = 9.0 if "fast" in me.sheet.traits else 4.5 if "slow" in me.sheet.traits else STEP
    halves = me.hard_ground + (me.stance == "crouched")
    if halves == 2 and rulings.move_combined_halving == "once":
        halves = 1
    step /= 2**halves
    share = numbers.load(me)[1]
    step = step * share if share else CRAWL
    return min(step, max(0.0, CRAWL - me.crawled)) if me.serious else step


def squares(metres: float) -> int:
    """Whole squares that such a movement crosses."""
    return int(metres / tables.SQUARE)


def refusal_by_space(state: State, order: Move | Leap, most: float) -> Refusal | None:
    """What is wrong with where somebody wants to go."""
    me = state[order.by]
    known = tuple(f.id for f in state.fighters if f.id != me.id)
    for name in (*order.toward, *order.away):
        if name not in known:
            return Refusal("CEP-RNG-3", f"{name!r} is nobody to move toward or away from", known)
    model = state.rulings.space_model
    if model in ("pair", "bands"):
        if order.to is not None:
            return Refusal("CEP-RNG-3", "there is no map; name somebody to move toward or away from")
        if not (order.toward or order.away) or set(order.toward) & set(order.away):
            return Refusal("CEP-RNG-3", "name somebody to move toward or away from", known)
        return None
    if order.to is None:
        if len(order.toward) + len(order.away) != 1:
            return Refusal("CEP-RNG-3", "name a place, or one combatant to move toward or away from")
        return None
    (x, y), (u, v) = me.at, order.to
    far = abs(x - u) if model == "line" else max(abs(x - u), abs(y - v)) * tables.SQUARE
    return Refusal("CEP-ACT-9", f"that is {far:g} m; {most:g} m are possible") if far > most + 1e-9 or far == 0 else None


def move_refusal(state: State, order: Move) -> Refusal | None:
    me = state[order.by]
    if refusal := actions.minor_refusal(me, moves=True):
        return refusal
    most = reach(me, state.rulings)
    if most <= 0:
        return Refusal("CEP-WND-4", f"{me.id} is seriously wounded and has moved already")
    if not 0 <= order.metres <= most:
        return Refusal("CEP-ACT-9", f"one movement action covers at most {most:g} m")
    return refusal_by_space(state, order, order.metres or most)


@rule("CEP-ACT-9", "CEP-RNG-3", "CEP-ACT-5")
def move(scene: Scene, order: Move) -> None:
    """Move, and the distances with it."""
    me = scene.state[order.by]
    metres = order.metres or reach(me, scene.state.rulings)
    actions.pay(scene, order.by, "minor", "CEP-ACT-9")
    shift(scene, order.by, metres, order.toward, order.away, order.to)


def shift(
    scene: Scene, who: str, metres: float, toward: tuple[str, ...], away: tuple[str, ...], to: tuple[int, int] | None
) -> None:
    """Bring somebody so many metres on: pairs that are named, or his place."""
    state: State = scene.state
    me = state[who]
    if state.rulings.space_model in ("line", "grid"):
        place = to if to is not None else heading(state, me, metres, toward, away)
        gone = step_length(state, me.at, place)
        changes: tuple[tuple[str, Any], ...] = (
            ("at", place),
            ("moved", me.moved + gone),
            ("crawled", me.crawled + gone),
        )
        scene.tell(Changed(who, "CEP-ACT-9", changes, "moves", (("metres", gone),)))
        return
    changes = (("moved", me.moved + metres), ("crawled", me.crawled + metres))
    scene.tell(Changed(who, "CEP-ACT-9", changes, "moves", (("metres", metres),)))
    if state.rulings.space_model == "bands":
        return
    for other in (*toward, *away):
        before = numbers.metres(scene.state, who, other)
        after = max(0.0, before - metres) if other in toward else before + metres
        set_distance(scene, who, other, after)


def step_length(state: State, a: tuple[int, int], b: tuple[int, int]) -> float:
    """Metres between two places."""
    if state.rulings.space_model == "line":
        return float(abs(a[0] - b[0]))
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) * tables.SQUARE


def heading(state: State, me: Fighter, metres: float, toward: tuple[str, ...], away: tuple[str, ...]) -> tuple[int, int]:
    """Where a movement toward or away from one combatant ends, on a line or a grid."""
    unit = 1.0 if state.rulings.space_model == "line" else tables.SQUARE
    steps = int(metres / unit)
    x, y = me.at
    u, v = state[(toward or away)[0]].at
    for _ in range(steps):
        dx, dy = (u > x) - (u < x), (v > y) - (v < y)
        if away:
            dx, dy = (-dx, -dy) if (dx or dy) else (1, 0)
        x, y = x + dx, y + dy
    return x, y


@rule("CEP-RNG-3")
def set_distance(scene: Scene, a: str, b: str, metres: float) -> None:
    """The pair's distance is now this."""
    state: State = scene.state
    now = numbers.pair(state, a, b)
    new = replace(now, metres=metres)
    rest = tuple(p for p in state.pairs if {p.a, p.b} != {a, b})
    was, is_ = numbers.band(state, a, b), tables.band_of_metres(metres)
    data = (("a", a), ("b", b), ("metres", metres), ("band", tables.BANDS[is_]), ("changed", was != is_))
    scene.tell(Changed("", "CEP-RNG-3", (("pairs", (*rest, new)),), "distance", data))


@rule("CEP-RNG-4", "CEP-RNG-5")
def starting_band(terrain: str, light: str) -> int:
    """Index of the band at which the groups start: by the place, capped by darkness."""
    band = {"tight": 2, "outdoors": 3, "open": 4}[terrain]
    return min(band, {"bright": 6, "low": 3, "dark": 2}[light])


@rule("CEP-RNG-4", "CEP-RNG-5", "CEP-RNG-3")
def starting_pairs(state: State) -> tuple[Pair, ...]:
    """Every pair that is not stated: groups at the starting range, members of one group Close."""
    between = tables.NOMINAL[starting_band(state.terrain, state.light)]
    known = {frozenset((p.a, p.b)) for p in state.pairs}
    fighters = state.fighters
    new = [
        Pair(a.id, b.id, tables.NOMINAL[1] if a.side == b.side else between)
        for i, a in enumerate(fighters)
        for b in fighters[i + 1 :]
        if frozenset((a.id, b.id)) not in known
    ]
    return (*state.pairs, *new)


def leap_refusal(state: State, order: Leap) -> Refusal | None:
    me = state[order.by]
    if "great leaper" not in me.sheet.traits:
        return Refusal("CEP-GER-16", f"{me.id} cannot leap like that")
    if refusal := actions.significant_refusal(me):
        return refusal
    return refusal_by_space(state, order, 14 * tables.SQUARE)


@rule("CEP-GER-16")
def leap(scene: Scene, order: Leap) -> None:
    """An Athletics check; success jumps 4 + Effect squares."""
    actions.pay(scene, order.by, "significant", "CEP-GER-16")
    me = scene.state[order.by]
    parts = numbers.check(me, scene.state.rulings, "Athletics", "dexterity")
    effect = check(scene, parts, Why("leap", "CEP-GER-16"), order.by)
    if effect < 0:
        scene.tell(Changed(order.by, "CEP-GER-16", (), "leap fails", (("effect", effect),)))
        return
    metres = (4 + effect) * tables.SQUARE
    if order.to is not None and step_length(scene.state, me.at, order.to) > metres:
        scene.tell(Changed(order.by, "CEP-GER-16", (), "leap fails", (("effect", effect),)))
        return
    shift(scene, order.by, metres, order.toward, order.away, order.to)
