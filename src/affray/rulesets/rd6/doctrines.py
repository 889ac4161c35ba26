"""Policies: who fights how when no person decides. Pure; the same state gives the same order.

`aggressive` attacks with all it has; `cautious` guards itself when outnumbered or hurt; `guarded` weighs active, partial
and full defence by its wounds and by how many can reach it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from affray.ask import Choose
from affray.domains import Pick
from affray.rulesets.rd6 import commands as c
from affray.rulesets.rd6.attack import in_hand
from affray.rulesets.rd6.legality import why_not
from affray.rulesets.rd6.movement import gap
from affray.rulesets.rd6.numbers import action_limit, band, free_spaces, metres, pool
from affray.rulesets.rd6.sheet import Fighter, State, Weapon, weapon_named
from affray.rulesets.rd6.special.fire import rounds_left
from affray.rulesets.rd6.telling import fighter, foes
from affray.space import distance, visible


@dataclass(frozen=True, slots=True)
class Doctrine:
    """How somebody fights.

    `guard_from`: foes in reach (plus own wounds) from which one action goes into an active defence; `full_from`: from which
    the whole round does; 99: never. `early`: announces a partial defence when the fight begins. `points_from`: damage above
    the fixed resistance from which a Character Point is spent.
    """

    name: str
    guard_from: int = 99
    full_from: int = 99
    early: bool = False
    points_from: int = 12

    def order(self, state: State, who: str, pick: Pick) -> Any:
        """The next order of a turn."""
        me = fighter(state, who)
        for order in self._wishes(state, me):
            if why_not(state, order) is None:
                return order
        return c.End(who)

    def answer(self, request: Choose, state: State | None, pick: Pick) -> Any:
        """Announcements by doctrine, points by the damage, everything else as assumed."""
        key = request.why.key
        if key == "announce" and self.early:
            return next((option for option in request.domain.options if option.endswith(" 2")), request.default)
        if key.startswith("points on") and len(request.seen) == 2:
            damage, base = request.seen
            return 1 if damage - base >= self.points_from else 0
        if key == "fate on resistance":
            damage, base = request.seen
            return bool(damage - base >= 24)
        return request.default

    def _wishes(self, state: State, me: Fighter) -> list[Any]:
        """Orders in the order of preference; the first legal one is given."""
        who = me.id
        if me.pinned or (me.held_by and not me.used):
            return [c.Escape(who)]
        if me.prone and not me.used:
            return [c.Stand(who)]
        danger = me.wounds + in_reach(state, me)
        if not me.used and not me.declared:
            if danger >= self.full_from and not me.turtled:  # never twice in a row, or nobody would ever win
                return [best_defence(me, "full"), *self._fight(state, me)]
            if danger >= self.guard_from and action_limit(me, state.rulings) >= 2:
                return [c.Declare(who, 2), *self._fight(state, me)]
        guarded = bool(me.standing)
        if me.declared >= 2 and not guarded and me.used < me.declared:
            return [best_defence(me, "active"), *self._fight(state, me)]
        return self._fight(state, me)

    def _fight(self, state: State, me: Fighter) -> list[Any]:
        """Attack what can be attacked, get near, load."""
        who, targets = me.id, ranked(state, me)
        if not targets:
            return []
        weapon = in_hand(me, "")
        wishes: list[Any] = []
        if not me.weapon:
            wishes += [c.Ready(who, w.name) for w in me.sheet.weapons if w.kind != "unarmed"]
        if weapon.name in me.unready or (weapon.clip and not rounds_left(me, weapon)):
            wishes.append(c.Reload(who, weapon.name))
        reachable = [t for t in targets if band(metres(state, me, t), weapon)]
        wishes += [c.Attack(who, t.id, **fire(me, weapon)) for t in reachable[:3]]
        nearest = min(targets, key=lambda t: metres(state, me, t))
        wishes += approach(state, me, nearest, weapon)
        return wishes


def fire(me: Fighter, weapon: Weapon) -> dict[str, Any]:
    """Two rounds at once where that costs nothing but ammunition."""
    if "semi" in weapon.modes and weapon.clip > 4 and rounds_left(me, weapon) >= 2:
        return {"shots": 2}
    return {}


def approach(state: State, me: Fighter, target: Fighter, weapon: Weapon) -> list[Any]:
    """Ways to come within reach: a free move, a charge, a full move."""
    reach = weapon.ranges[-1] if weapon.ranges else 4 if weapon.length > 2 else 3
    needed = gap(state, me, target, reach)
    if me.moved:
        return []
    if not needed:
        hidden = not state.distances and not visible(me.at, target.at, state.space.walls())
        return [c.Move(me.id, spot(state, me, target, me.sheet.move))] if hidden else []
    walk = min(needed, free_spaces(me))
    near = [c.Move(me.id, spot(state, me, target, walk), *towards(state, target, walk))]
    if needed <= free_spaces(me):
        return near
    far = min(needed, me.sheet.move)
    run = c.Move(me.id, spot(state, me, target, far), *towards(state, target, far))
    return [c.Charge(me.id, target.id), run, *near] if weapon.kind != "ranged" else [run, *near]


def towards(state: State, target: Fighter, spaces: int) -> tuple[str, int]:
    """How to name a move in a fight without a map."""
    return (target.id, spaces) if state.distances else ("", 0)


def spot(state: State, me: Fighter, target: Fighter, spaces: int) -> tuple[int, int] | None:
    """The free place within so many Spaces from which the target is seen and nearest."""
    if state.distances:
        return None
    walls = state.space.walls()
    taken = {f.at for f in state.fighters if f.id != me.id and not (f.unconscious or f.dead)} | walls
    x, y = me.at
    square = [(cx, cy) for cx in range(x - spaces, x + spaces + 1) for cy in range(y - spaces, y + spaces + 1)]
    cells = [cell for cell in square if cell not in taken and (not walls or visible(me.at, cell, walls))] or [me.at]
    return min(
        cells,
        key=lambda cell: (
            bool(walls) and not visible(cell, target.at, walls),
            distance(cell, target.at),
            abs(cell[0] - x) + abs(cell[1] - y),
            cell,
        ),
    )


def ranked(state: State, me: Fighter) -> list[Fighter]:
    """Foes, the nearest first; among those as near the worst hurt."""
    return sorted(foes(state, me), key=lambda t: (round(metres(state, me, t)), -t.wounds))


def in_reach(state: State, me: Fighter) -> int:
    """Foes that could attack now, or after a short move."""
    count = 0
    for foe in foes(state, me):
        weapon = in_hand(foe, "")
        count += bool(band(max(0.0, metres(state, me, foe) - 2 * free_spaces(foe)), weapon))
    return count


def best_defence(me: Fighter, mode: Any) -> Any:
    """The defence with the most dice; a dodge where they are equal, since it covers everything."""
    dodge = pool(me, "Dodge")[0].value
    weapon = weapon_named(me.sheet, me.weapon)
    if weapon.kind == "melee" and pool(me, "Melee Weapons")[0].value > dodge + 3:
        return c.Parry(me.id, mode)
    return c.Dodge(me.id, mode)


DOCTRINES = (
    Doctrine("aggressive"),
    Doctrine("cautious", guard_from=2, full_from=5, points_from=6),
    Doctrine("guarded", guard_from=2, full_from=4, early=True, points_from=6),
)
