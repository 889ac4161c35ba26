"""What odds say in the words of this ruleset: what an order came to for a combatant, and how dice are thrown."""

from __future__ import annotations

from functools import partial
from typing import Any

from msgspec.structs import replace

from affray.dice import Code, PlainPool
from affray.errors import BadAnswer
from affray.events import get, put
from affray.ruleset import Dice, Result
from affray.rulesets.cepheus.mechanics import Outcome, effect_of
from affray.rulesets.cepheus.rulings import Rulings
from affray.rulesets.cepheus.sheet import PHYSICAL, Fighter, State

RESULTS = ("miss", "no harm", "hurt", "serious", "out", "dead")
"""'no harm': hit, and the armour stopped it; 'serious': seriously wounded now."""
NEED = 8


def result(before: Fighter, after: Fighter, returned: tuple[Any, ...]) -> Result:
    """A word and numbers: hits, points lost in all and from each physical characteristic, whether out and dead now."""
    hits = sum([isinstance(one, Outcome) and one.effect >= 0 for one in returned])
    losses = tuple((name, getattr(before, name) - getattr(after, name)) for name in PHYSICAL)
    damage = sum(loss for _, loss in losses)
    dead = after.status == "dead" and before.status != "dead"
    fell = after.status in ("dead", "unconscious") and before.status == "up"
    if dead or fell:
        word = "dead" if dead else "out"
    elif damage > 0:
        word = "serious" if after.serious and not before.serious else "hurt"
    else:
        word = "no harm" if hits else "miss"
    return Result(word, (("hits", hits), ("damage", damage), *losses, ("out", int(fell)), ("dead", int(dead))))


def ready(state: State, who: str) -> State:
    """The state as if a fresh turn of `who` had just begun, nobody else having acted since."""
    me: Fighter = get(state, who)
    fresh = replace(me, rolled=True, begun=True, waiting=False, minor=0, significant=0, moved=0, crawled=0)
    return replace(put(state, fresh), phase="fight", turn=who, stack=(), tied=())


def _pool(text: str) -> Any:
    """Plain dice, '2D6+1' or '3D': the number after them is added to the total."""
    head, plus, added = text.partition("+")
    if plus and not added.strip().isdigit():
        raise BadAnswer(f"{text!r} is no roll; write for example 2D6 or 2D6+1")
    return PlainPool(Code.parse(head).dice, 0, int(added or 0))


def _check(rulings: Rulings, natural: int, dm: int, need: int) -> int:
    return effect_of(natural, dm + NEED - need, rulings)


DICE = Dice(_pool, lambda total, difficulty: total - difficulty, None, partial(_check, Rulings()))
