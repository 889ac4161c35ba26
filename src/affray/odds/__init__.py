"""Exact odds: of dice alone, and of any order that could be given now.

    >>> from affray import odds
    >>> odds.test("5D+1", 10).success
    >>> odds.of(ruleset, state, {"do": "attack", "by": "Kess", "target": "Thug"})

Everything returned is plain frozen data with `plain()` (JSON types) and `plot(path)` (matplotlib). Names are loaded when
they are first used, so that a question of dice needs no more than the dice.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from affray.odds.actions import Lab as Lab
    from affray.odds.actions import Preview as Preview
    from affray.odds.actions import of as of
    from affray.odds.compare import Comparison as Comparison
    from affray.odds.compare import compare as compare
    from affray.odds.distribution import Distribution as Distribution
    from affray.odds.questions import Opposed as Opposed
    from affray.odds.questions import Table as Table
    from affray.odds.questions import Test as Test
    from affray.odds.questions import chance as chance
    from affray.odds.questions import check as check
    from affray.odds.questions import check_table as check_table
    from affray.odds.questions import damage as damage
    from affray.odds.questions import opposed as opposed
    from affray.odds.questions import table as table
    from affray.odds.questions import test as test
    from affray.odds.questions import total as total

_HOMES = {
    "actions": ("Lab", "Preview", "of"),
    "compare": ("Comparison", "compare"),
    "distribution": ("Distribution",),
    "questions": ("Opposed", "Table", "Test", "chance", "check", "check_table", "damage", "opposed", "table", "test", "total"),
}


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"affray.odds.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
