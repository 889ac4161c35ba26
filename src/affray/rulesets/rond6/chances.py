"""What odds say in the words of this ruleset: what an order came to for a fighter, and ways to fit it into a turn."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.dice import Code, wild_pool
from affray.events import get, put
from affray.ruleset import Dice, Result
from affray.rulesets.rond6.actions import Aim, Declare, limit
from affray.rulesets.rond6.attack import Attack
from affray.rulesets.rond6.defence import Dodge
from affray.rulesets.rond6.mechanics import Outcome
from affray.rulesets.rond6.sheet import Fighter, State
from affray.rulesets.rond6.volley import Came

RESULTS = ("unchanged", "miss", "no harm", "stunned", "wounded", "out", "dead")
"""'no harm': hit, but under the Damage Resistance Total; 'unchanged': not even attacked."""
DEADLY = 5
"""Wounds that kill; more are not told apart."""


def result(before: Fighter, after: Fighter, returned: tuple[Any, ...]) -> Result:
    """A word and numbers: hits of attacks, Wounds suffered, whether newly Stunned, out and dead."""
    attacks = attempts(returned, before.id)
    hits = sum(attacks)
    wounds = min(DEADLY, after.wounds) - min(DEADLY, before.wounds)
    dead = after.out in ("dead", "destroyed") and before.out != after.out
    out = bool(after.out) and before.out != after.out
    stunned = after.stunned and not before.stunned
    if dead or out:
        word = "dead" if dead else "out"
    elif wounds > 0:
        word = "wounded"
    else:
        word = "stunned" if stunned else "no harm" if hits else "miss" if attacks else "unchanged"
    fell = bool(after.out) and not before.out
    numbers = (("hits", hits), ("stunned", int(stunned)), ("wounds", wounds), ("out", int(fell)), ("dead", int(dead)))
    return Result(word, numbers)


def attempts(returned: tuple[Any, ...], who: str) -> list[bool]:
    """For each attack on a fighter, alone or among others, whether it hit."""
    found = []
    for one in returned:
        if isinstance(one, tuple) and len(one) == 2 and isinstance(one[0], Outcome):
            found += [one[0].hit] if one[1].id == who else []
        elif isinstance(one, tuple):
            found += [came.hit for came in one if isinstance(came, Came) and came.id == who]
    return found


def ready(state: State, who: str) -> State:
    """The state as if a fresh turn of `who` had just begun, nobody else having acted since."""
    me: Fighter = get(state, who)
    fresh = replace(me, acted=False, declared=0, used=0, full=False, limit_doubled=False, waiting="", doing="", moved=0)
    fresh = replace(fresh, standing=(), carried=0, defence_bonus=0, barred=False)
    return replace(put(state, fresh), turn=who, round=max(1, state.round), interrupting=())


def plans(state: State, order: Any) -> tuple[tuple[str, str, tuple[Any, ...]], ...]:
    """One to four attacks, aiming first, dodging as well: each by the orders that it takes."""
    me: Fighter = get(state, order.by)
    if not isinstance(order, Attack):
        return ()
    found: list[tuple[str, str, tuple[Any, ...]]] = [("actions", "1 action", (order,))]
    for count in range(2, 1 + min(4, limit(me, state.rulings))):
        found.append(("actions", f"{count} actions", (Declare(order.by, count), *[order] * count)))
    found.append(("aim", "now", (order,)))
    found.append(("aim", "now and next turn", (order, None, order)))
    found.append(("aim", "aim, next turn", (Aim(order.by), None, order)))
    back = Attack(order.target, order.by)
    found.append(("dodge", "attack", (order, back)))
    found.append(("dodge", "dodge and attack", (Declare(order.by, 2), Dodge(order.by), order, back)))
    found.append(("dodge", "full dodge", (Dodge(order.by, full=True), back)))
    return tuple(found)


def _pool(text: str) -> Any:
    code = Code.parse(text)
    return wild_pool(code.dice, code.pips, min(1, code.dice))


def _harm(over: int) -> str:
    """What damage does beyond the resistance: Stunned, and a Wound for each full 6."""
    if over < 0:
        return "nothing"
    wounds = over // 6
    if not wounds:
        return "stunned"
    return f"{wounds} wound{'s' if wounds > 1 else ''}" if wounds < DEADLY else f"{DEADLY} wounds or more"


DICE = Dice(_pool, lambda total, difficulty: total - difficulty, _harm)
