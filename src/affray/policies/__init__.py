"""Policies: who decides when no person does. Pure and named, so that a fight with a seed is always the same fight.

A `Policy` answers the questions inside an order and gives the orders of a turn. Inside a mechanic it may look only at
`request.seen`; the richer it reads, the less of it can be worked out exactly. Rulesets bring their own (`aggressive`,
`cautious`, ...); `random` plays anything that is legal in any ruleset.
"""

from __future__ import annotations

from typing import Any, Protocol

from affray.ask import Choose
from affray.domains import Pick


class Policy(Protocol):
    """Decides for a combatant."""

    @property
    def name(self) -> str: ...

    def order(self, state: Any, who: str, pick: Pick) -> Any:
        """The next order of `who`, whose turn it is (an order that `why_not` allows)."""

    def answer(self, request: Choose, state: Any, pick: Pick) -> Any:
        """The answer to a question. `state` is None inside what the exact interpreter solves once and for all."""
