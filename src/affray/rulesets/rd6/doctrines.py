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
from affray.rulesets.rd6.rulings import Rulings
from affray.rulesets.rd6.sheet import UNARMED, Fighter, State, Weapon, weapon_named
from affray.rulesets.rd6.special.fire import rounds_left
from affray.rulesets.rd6.telling import able, fighter, foes
from affray.space import distance, visible
from affray.tabular import Outlook


@dataclass(frozen=True, slots=True)
class Doctrine:
    """How somebody fights: words for a turn from the fighter and an outlook, a rank for targets, answers.

    Danger is counted: own wounds, being outnumbered, being in somebody's reach. `guard_from`: danger from which one action
    goes into an active defence; `full_from`: from which the whole round does; 99: never. `early`: announces a partial
    defence when the fight begins. `points_from`: damage above the fixed resistance from which a Character Point is spent.
    Tabulated for mass simulation, so nothing else of the scene may be read here.
    """

    name: str
    guard_from: int = 99
    full_from: int = 99
    early: bool = False
    points_from: int = 12

    def next(self, me: Fighter, outlook: Outlook, rulings: Rulings) -> str:
        """The next word of a turn: 'declare 2', 'full', 'active', 'attack', or 'end'."""
        danger = me.wounds + outlook.outnumbered + outlook.threatened
        if me.owed and me.used == me.owed < action_limit(me, rulings) and not (me.declared or me.done):
            return f"declare {me.owed + 1}"  # what was given up takes an action, not the turn
        if me.exclusive or me.used >= max(1, me.declared) or me.done:
            return "end"
        if not me.used and not me.declared:
            if danger >= self.full_from and not me.turtled:  # never twice in a row, or nobody would ever win
                return "full"
            if danger >= self.guard_from and action_limit(me, rulings) >= 2:
                return "declare 2"
        return "active" if me.declared - me.owed >= 2 and not me.standing else "attack"

    def rank(self, me: Fighter) -> tuple[int, ...]:
        """How a target is sorted, lowest first: the worst hurt."""
        return (-me.wounds, -int(me.stunned))

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
        if me.pinned or (me.held_by and not me.used):
            return [c.Escape(me.id)]
        if me.prone and not me.used:
            return [c.Stand(me.id)]
        word = self.next(me, outlook_of(state, me), state.rulings)
        if word not in ("attack", "end"):
            return [solo_order(me, word), *self._fight(state, me)]
        return self._fight(state, me) if word == "attack" else []

    def _fight(self, state: State, me: Fighter) -> list[Any]:
        """Draw, load, attack the best target in reach, or get near one."""
        targets = sorted(foes(state, me), key=lambda t: (*self.rank(t), metres(state, me, t), t.id))
        if not targets:
            return []
        weapon = in_hand(me, "")
        wishes: list[Any] = []
        if weapon is UNARMED:
            wishes += [c.Ready(me.id, w.name) for w in me.sheet.weapons if w.kind != "unarmed"]
        if attack_word(me, weapon) == "reload":
            wishes.append(c.Reload(me.id, weapon.name))
        shots = 2 if attack_word(me, weapon) == "attack 2" else 1
        reachable = [t for t in targets if band(metres(state, me, t), weapon)]
        wishes += [c.Attack(me.id, t.id, shots=shots) for t in reachable]
        nearest = min(targets, key=lambda t: metres(state, me, t))
        return wishes + approach(state, me, nearest, weapon)


def outlook_of(state: State, me: Fighter) -> Outlook:
    """What a plan may know of the rest."""
    enemies = foes(state, me)
    friends = [f for f in state.fighters if f.side == me.side and able(f)]
    return Outlook(len(enemies) > len(friends), any(threatens(state, me, foe) for foe in enemies))


def threatens(state: State, me: Fighter, foe: Fighter) -> bool:
    """Whether a foe can attack now, or after a short move."""
    return bool(band(max(0.0, metres(state, me, foe) - 2 * free_spaces(foe)), in_hand(foe, "")))


def solo_order(me: Fighter, word: str) -> Any:
    """The order behind a word that is aimed at nobody."""
    if word.startswith("declare"):
        return c.Declare(me.id, int(word.split()[1]))
    if word == "reload":
        return c.Reload(me.id, in_hand(me, "").name)
    return best_defence(me, word)


def attack_word(me: Fighter, weapon: Weapon) -> str:
    """How a weapon is used: 'reload', 'attack 1', or 'attack 2', two rounds at once where that costs only ammunition."""
    left = rounds_left(me, weapon)
    if weapon.name in me.unready or (weapon.clip and not left):
        return "reload"
    return "attack 2" if "semi" in weapon.modes and weapon.clip > 4 and left >= 2 else "attack 1"


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


def best_defence(me: Fighter, mode: Any) -> Any:
    """The defence with the most dice; a dodge where they are equal, since it covers everything."""
    dodge = pool(me, "Dodge")[0].value
    weapon = weapon_named(me.sheet, me.weapon)
    if weapon.kind == "melee" and pool(me, "Melee Weapons")[0].value > dodge + 3:
        return c.Parry(me.id, mode)
    return c.Dodge(me.id, mode)


DOCTRINES = (
    Doctrine("aggressive"),
    Doctrine("cautious", guard_from=2, full_from=4, points_from=6),
    Doctrine("guarded", guard_from=2, full_from=3, early=True, points_from=6),
)
