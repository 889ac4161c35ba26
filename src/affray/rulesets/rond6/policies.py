"""How computers fight: pure, named doctrines. A plan is made of words for a whole turn, from the fighter and an outlook."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from affray.ask import Choose
from affray.domains import Pick
from affray.events import get
from affray.rulesets.rond6 import actions, attack, conditions, defence, gear, initiative, movement
from affray.rulesets.rond6.commands import why_not
from affray.rulesets.rond6.numbers import distance, skill_code
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import Fighter, State
from affray.rulesets.rond6.tables import ATTACK_SKILL
from affray.space import Cell

CUT_IN = ("attack", "dodge", "parry", "block")
"""What a computer cuts in with, the first that is possible."""


class Outlook(Struct, frozen=True):
    """What a plan may look at beside the fighter itself."""

    in_reach: bool
    """An enemy can be attacked now."""
    outnumbered: bool
    dice: int
    """Dice of the attack skill in use, before penalties."""
    threatened: bool
    """An enemy stands within 3 Spaces."""


def outlook(state: State, me: Fighter, reach: tuple[str, ...]) -> Outlook:
    foes = [f for f in state.fighters if f.side != me.side and initiative.able(f)]
    friends = [f for f in state.fighters if f.side == me.side and initiative.able(f)]
    near = any(distance(state, me, foe) <= 3 for foe in foes)
    return Outlook(bool(reach), len(foes) > len(friends), attack_dice(me), near)


def attack_dice(me: Fighter) -> int:
    """Dice of the attack skill that goes with the weapon in hand."""
    return skill_code(me, ATTACK_SKILL[attack.in_hand(me)[0].kind])[0].dice


@dataclass(frozen=True)
class Doctrine:
    """A way to fight: `plan(fighter, outlook)` gives the words of a turn, `rank(fighter)` sorts targets (lowest first).

    'aggressive' and 'cautious' are tabulated for mass simulation, so they stay what they are: plans from the fighter and
    the outlook alone, whose words are 'attack', defenses, 'recover', 'reload' and 'advance'. Whatever looks at the whole scene
    (teams, cover, charges, falling back) belongs in a policy of its own.
    """

    name: str
    plan: Callable[[Fighter, Outlook], tuple[str, ...]]
    rank: Callable[[Fighter], tuple[int, ...]]
    spends: int = 12
    """Damage over the resistance from which points are spent against it."""

    def order(self, state: State, who: str, pick: Pick) -> Any:
        """The next order of a turn."""
        me: Fighter = get(state, who)
        foes = self.foes(state, me)
        word = self.next(me, outlook(state, me, foes), state.rulings)
        for order in self.orders(state, me, word, foes):
            if why_not(state, order) is None:
                return order
        return actions.End(who)

    def next(self, me: Fighter, view: Outlook, rulings: Rulings) -> str:
        """The next word of a turn: 'declare N' before more than one Action, then the words of the plan, then 'end'."""
        weapon = attack.in_hand(me)[0]
        if weapon.ammo and not me.rounds(weapon):
            return "reload" if not me.declared or me.used < me.declared else "end"
        words = self.plan(me, view)
        most = min(len(words), actions.limit(me, rulings))
        if not me.declared and not me.doing and most > 1:
            return f"declare {most}"
        return words[me.used] if me.used < len(words) else "end"

    def foes(self, state: State, me: Fighter) -> tuple[str, ...]:
        """Enemies that can be attacked now, the best target first."""
        able = [f for f in state.fighters if f.side != me.side and initiative.able(f)]
        reach = [f for f in able if why_not_reach(state, me, f)]
        return tuple(f.id for f in sorted(reach, key=lambda f: (*self.rank(f), distance(state, me, f), f.id)))

    def orders(self, state: State, me: Fighter, word: str, foes: tuple[str, ...]) -> tuple[Any, ...]:
        """Orders that carry out a word, the best first."""
        if word.startswith("declare"):
            return (actions.Declare(me.id, int(word.split()[1])),)
        if word == "attack":
            return tuple(attack.Attack(me.id, foe) for foe in foes)
        if word == "dodge":
            return (defence.Dodge(me.id), defence.Block(me.id))
        if word == "full dodge":
            return (defence.Dodge(me.id, full=True),)
        if word == "reload":
            return (gear.Ready(me.id, me.held[0]),)
        if word == "recover":
            return (conditions.Recover(me.id),)
        if word == "aim":
            return (actions.Aim(me.id),)
        return advance(state, me) if word == "advance" else ()

    def answer(self, request: Choose, state: Any, pick: Pick) -> Any:
        """Answers from what the request shows: cut in at once, spend points when badly hit, else the default."""
        key = request.why.key
        if key == "interrupt":
            return next((order for order in request.domain.orders if order.verb in CUT_IN), None)
        if key in ("points", "fate") and request.seen[1] >= self.spends:
            return True if key == "fate" else min(request.domain.most, 1 + (request.seen[1] - self.spends) // 6)
        return request.default


def why_not_reach(state: State, me: Fighter, foe: Fighter) -> bool:
    """Whether some weapon in hand reaches."""
    weapons = [w for w in attack.in_hand(me) if not w.ammo or me.rounds(w)]
    return any(attack.out_of_reach(state, me, foe, w) is None for w in weapons) and attack.hidden_from(state, me, foe) is None


def advance(state: State, me: Fighter) -> tuple[Any, ...]:
    """Moves towards the nearest enemy, the longest first."""
    foes = [f for f in state.fighters if f.side != me.side and initiative.able(f)]
    if not foes:
        return ()
    foe = min(foes, key=lambda f: (distance(state, me, f), f.id))
    gap, most = distance(state, me, foe), movement.move_value(me)
    lengths = [n for n in dict.fromkeys((most, most // 2, 1)) if 0 < n <= gap - 1] or ([gap - 1] if gap > 1 else [])
    if me.at is None or foe.at is None:
        return tuple(movement.Move(me.id, towards=foe.id, steps=n) for n in lengths)
    target = next_to(state, me, foe.at)
    if target is None:
        return ()
    return tuple(movement.Move(me.id, to=movement.along(state, me.at, target, n)) for n in (most, most // 2, 1) if n)


def next_to(state: State, me: Fighter, cell: Cell) -> Cell | None:
    """The free cell beside another that is nearest to the fighter."""
    assert me.at is not None
    taken = {f.at for f in state.fighters if f.id != me.id and f.out not in ("dead", "gone", "destroyed")} | state.space.walls()
    around = [(cell[0] + dx, cell[1] + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    free = [c for c in around if c not in taken]
    at = me.at
    return min(free, key=lambda c: (max(abs(c[0] - at[0]), abs(c[1] - at[1])), c), default=None)


def _weakest(foe: Fighter) -> tuple[int, ...]:
    return (-foe.wounds, 0 if foe.stunned else 1)


def _aggressive(me: Fighter, view: Outlook) -> tuple[str, ...]:
    if not view.in_reach:
        return ("advance",)
    return ("attack", "attack") if view.dice - me.wounds >= 6 else ("attack",)


def _cautious(me: Fighter, view: Outlook) -> tuple[str, ...]:
    if me.wounds >= 2 and view.threatened:
        return ("full dodge",)
    if not view.in_reach:
        return ("advance",)
    if me.stunned and not me.wounds and not view.threatened:
        return ("recover",)
    return ("dodge", "attack") if view.dice >= 4 and (view.outnumbered or me.wounds) else ("attack",)


AGGRESSIVE = Doctrine("aggressive", _aggressive, _weakest)
CAUTIOUS = Doctrine("cautious", _cautious, _weakest, spends=6)
