"""What odds say in the words of this ruleset: what an order came to for a combatant, and ways to fit it into a turn."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec.structs import replace

from affray.dice import Code, PlainPool
from affray.errors import BadAnswer
from affray.events import put
from affray.ruleset import Dice, Result
from affray.rulesets.cepheus import damage
from affray.rulesets.cepheus.commands import Aim, Attack
from affray.rulesets.cepheus.mechanics import Outcome, effect_of
from affray.rulesets.cepheus.rulings import Rulings
from affray.rulesets.cepheus.sheet import PHYSICAL, Fighter, Hit, State

RESULTS = ("unchanged", "miss", "no harm", "suppressed", "wounded", "seriously wounded", "unconscious", "dead")
"""'no harm': hit, but nothing got through; 'unchanged': not even attacked."""


NEED = 8


def result(before: Fighter, after: Fighter, returned: tuple[Any, ...]) -> Result:
    """A word and numbers: hits, points lost in all and of each characteristic, newly out and dead."""
    attacks = [isinstance(one.to_target, Hit) for one in returned if isinstance(one, Outcome)]
    hits = sum(attacks)
    lost = tuple(max(0, a - b) for a, b in zip(damage.scores(before), damage.scores(after), strict=True))
    dead = after.status == "dead" != before.status
    out = after.status != "up" == before.status
    if dead or out:
        word = "dead" if dead else "unconscious"
    elif sum(lost):
        word = "seriously wounded" if after.serious else "wounded"
    elif after.suppressed > before.suppressed:
        word = "suppressed"
    else:
        word = "no harm" if hits else "miss" if attacks else "unchanged"
    numbers = (("hits", hits), ("damage", sum(lost)), *zip(PHYSICAL, lost, strict=True), ("out", int(out)), ("dead", int(dead)))
    return Result(word, numbers)


def ready(state: State, who: str) -> State:
    """The state as if a fresh turn of `who` had just begun."""
    me = state[who]
    fresh = replace(me, begun=True, rolled=True, waiting=False, minor=0, significant=0)
    fresh = replace(fresh, crawled=0.0, moved_before=me.moved, moved=0.0)
    return replace(put(state, fresh), phase="fight", turn=who, stack=(), tied=())


def plans(state: State, order: Any) -> tuple[tuple[str, str, tuple[Any, ...]], ...]:
    """Shooting now, or after one, two, three or six actions of aiming (to hit, or for the kill)."""
    if not isinstance(order, Attack):
        return ()
    aim, kill = Aim(order.by, order.target), Aim(order.by, order.target, kill=True)
    return (
        ("aim", "now", (order,)),
        ("aim", "aim and shoot", (aim, order)),
        ("aim", "aim for the kill and shoot", (kill, order)),
        ("aim", "aim a round, aim and shoot", (aim, aim, aim, None, aim, order)),
        ("aim", "aim two rounds and shoot", (aim, aim, aim, None, aim, aim, aim, None, order)),
        ("actions", "1 turn", (order,)),
        ("actions", "2 turns", (order, None, order)),
        ("actions", "3 turns", (order, None, order, None, order)),
    )


def _pool(text: str) -> Any:
    """Plain dice, '2D6+1' or '3D': the number after them is added to the total."""
    head, plus, added = text.partition("+")
    if plus and not added.strip().isdigit():
        raise BadAnswer(f"{text!r} is no roll; write for example 2D6 or 2D6+1")
    return PlainPool(Code.parse(head).dice, 0, int(added or 0))


def _check(rulings: Rulings, natural: int, dm: int, need: int) -> int:
    return effect_of(natural, dm + NEED - need, rulings)


DICE = Dice(_pool, lambda total, difficulty: total - difficulty, None, partial(_check, Rulings()))
