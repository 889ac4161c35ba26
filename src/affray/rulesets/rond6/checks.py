"""Tests against a Difficulty, as mechanics: whatever rolls one's own skill and reads no more than success."""

from __future__ import annotations

from affray.ask import SELF, Ask, Role, Why
from affray.dice import Flagged
from affray.rules import rule
from affray.rulesets.rond6.numbers import Test, level
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.tables import rows


@rule("RON-DICE-5")
def reaches(ask: Ask, test: Test, need: int, why: Why, by: Role = SELF) -> bool:
    """Whether a Test reaches its Difficulty."""
    return rolled(ask, test, why, by) >= need


def rolled(ask: Ask, test: Test, why: Why, by: Role = SELF) -> int:
    """The total of a Test."""
    return ask.roll(test.pool(ask.rulings), why, by, test.parts) + test.plus


@rule("RON-DICE-3")
def flagged(ask: Ask, test: Test, why: Why, by: Role = SELF) -> tuple[int, bool]:
    """The total of a Test and whether a 1 on the Wild Die raised its flag."""
    total, flag = ask.roll(Flagged(test.pool(ask.rulings)), why, by, test.parts)
    return total + test.plus, flag


@rule("RON-DICE-3")
def critical(rulings: Rulings, flag: bool, margin: int) -> bool:
    """Whether a Test with that flag, which reached its Difficulty by `margin`, is a Critical Failure."""
    return flag and (margin < 0 or rulings.critical_failure == "wild_one")


LEVELS = tuple(row["name"] for row in rows("level"))
"""Names of the levels of Difficulty, the easiest first."""


@rule("RON-DICE-5")
def difficulty(rulings: Rulings, stated: int | str, levels: int = 0) -> int | None:
    """The total that is needed: a number, or a level by name ('Standard', 'Standard+2'), and `levels` more; None: unknown."""
    if isinstance(stated, int):
        return stated + 5 * levels
    name, _, more = stated.partition("+")
    step = next((n for n, known in enumerate(LEVELS) if known.lower() == name.strip().lower()), None)
    if step is None or not (more.strip() or "0").isdigit():
        return None
    step += levels + int(more or 0)
    return level(rulings, step) if step >= 0 else level(rulings, 0) + 5 * step
