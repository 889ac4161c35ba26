"""Tests against a Difficulty, as mechanics: whatever rolls one's own skill and reads no more than success."""

from __future__ import annotations

from affray.ask import SELF, Ask, Role, Why
from affray.rules import rule
from affray.rulesets.rond6.numbers import Test


@rule("RON-DICE-5")
def margin(ask: Ask, test: Test, need: int, why: Why, by: Role = SELF) -> int:
    """By how much a Test reaches its Difficulty (negative: what it lacks)."""
    return rolled(ask, test, why, by) - need


@rule("RON-DICE-5")
def reaches(ask: Ask, test: Test, need: int, why: Why, by: Role = SELF) -> bool:
    """Whether a Test reaches its Difficulty."""
    return rolled(ask, test, why, by) >= need


def rolled(ask: Ask, test: Test, why: Why, by: Role = SELF) -> int:
    """The total of a Test."""
    return ask.roll(test.pool(ask.rulings), why, by, test.parts) + test.plus
