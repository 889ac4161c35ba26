"""What odds say in the words of this ruleset: what an order came to for a fighter, and ways to fit it into a turn."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from affray.dice import Code, wild_pool
from affray.events import get, put
from affray.ruleset import Dice, Result
from affray.rulesets.rd6.commands import Attack, Declare, Dodge, TakeAim
from affray.rulesets.rd6.mechanics import Outcome
from affray.rulesets.rd6.numbers import action_limit
from affray.rulesets.rd6.sheet import Fighter, State
from affray.rulesets.rd6.successes import successes

RESULTS = ("unchanged", "miss", "no harm", "stunned", "wounded", "out", "dead")
"""'no harm': hit, and the damage was resisted."""
DEADLY = 6


def result(before: Fighter, after: Fighter, returned: tuple[Any, ...]) -> Result:
    """A word and numbers: hits of attacks, Wounds suffered, whether newly Stunned, out and dead."""
    attacks = [one.points >= 0 for one in returned if isinstance(one, Outcome)]
    hits = sum(attacks)
    wounds = min(DEADLY, after.wounds) - min(DEADLY, before.wounds)
    dead = after.dead and not before.dead
    fell = (after.dead or after.unconscious) and not (before.dead or before.unconscious)
    stunned = after.stunned and not before.stunned
    if dead or fell:
        word = "dead" if dead else "out"
    elif wounds > 0:
        word = "wounded"
    else:
        word = "stunned" if stunned else "no harm" if hits else "miss" if attacks else "unchanged"
    numbers = (("hits", hits), ("stunned", int(stunned)), ("wounds", wounds), ("out", int(fell)), ("dead", int(dead)))
    return Result(word, numbers)


def alike(me: Fighter) -> Fighter:
    """How long somebody is out makes no difference while the fight lasts."""
    return replace(me, out_minutes=min(1, me.out_minutes))


def ready(state: State, who: str) -> State:
    """The state as if a fresh turn of `who` had just begun, nobody else having acted since."""
    me: Fighter = get(state, who)
    fresh = replace(me, begun=True, done=False, declared=0, used=0, exclusive=False, moved=0, standing=(), stance=0, exposed=0)
    return replace(put(state, fresh), turn=who, round=max(1, state.round))


def plans(state: State, order: Any) -> tuple[tuple[str, str, tuple[Any, ...]], ...]:
    """One to four attacks, aiming first, dodging as well: each by the orders that it takes."""
    if not isinstance(order, Attack):
        return ()
    me: Fighter = get(state, order.by)
    found: list[tuple[str, str, tuple[Any, ...]]] = [("actions", "1 action", (order,))]
    for count in range(2, 1 + min(4, action_limit(me, state.rulings))):
        found.append(("actions", f"{count} actions", (Declare(order.by, count), *[order] * count)))
    found.append(("aim", "now", (order,)))
    found.append(("aim", "now and next turn", (order, None, order)))
    found.append(("aim", "aim, next turn", (TakeAim(order.by, target=order.target), None, order)))
    back = Attack(order.target, target=order.by)
    found.append(("dodge", "attack", (order, back)))
    found.append(("dodge", "dodge and attack", (Declare(order.by, 2), Dodge(order.by), order, back)))
    return tuple(found)


def _pool(text: str) -> Any:
    code = Code.parse(text)
    return wild_pool(code.dice, code.pips, min(1, code.dice))


DICE = Dice(_pool, lambda total, difficulty: successes(total) - difficulty)
"""A difficulty is a number of successes: every full 6 of the total counts one."""
