"""A policy that looks ahead: it tries each order that comes to mind in a few fights from here on and takes the best.

Everybody is played on by the first policy of the ruleset. It sees the whole state, hidden enemies included, and costs
hundreds of times what a doctrine does, so it is for live play. The number of fights is fixed, so it always decides alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from affray.ask import Choose
from affray.domains import Pick
from affray.errors import AffrayError
from affray.policies import Policy
from affray.policies.ahead import FIRST_ENTRY, Ahead, winner
from affray.ruleset import Ruleset, sample_order

SAMPLED = 4
"""Orders drawn from what the rules allow, beside those that the other policies would give."""
MOST = 7
"""Orders that are tried."""
FIRST_LOOK, SECOND_LOOK = 4, 10
"""Fights for each order; more for the best few."""
BEST = 2
ROUNDS = 5
"""Rounds that a fight is played on; then those who can still fight are counted."""
BETTER = 0.08
"""By how much another order must do better than that of the first policy."""


class Thinker:
    """`ruleset()`: the rules, once they are there."""

    name = "thinker"

    def __init__(self, ruleset: Callable[[], Ruleset]) -> None:
        self._ruleset = ruleset

    @property
    def base(self) -> Policy:
        """Who plays on, and answers questions inside an order."""
        return next(iter(self._ruleset().policies.values()))

    def answer(self, request: Choose, state: Any, pick: Pick) -> Any:
        return self.base.answer(request, state, pick)

    def order(self, state: Any, who: str, pick: Pick) -> Any:
        """The order after which the side of `who` wins most often."""
        ideas = list(self.ideas(state, who, pick))
        if len(ideas) == 1:
            return ideas[0]
        side = next(f.side for f in state.fighters if f.id == who)
        base = self.base
        ahead = Ahead(self._ruleset(), lambda one, now: base)
        seed = pick(1 << 40) * 1000
        worth = [self._worth(ahead, state, order, side, range(seed, seed + FIRST_LOOK)) for order in ideas]
        order = sorted(range(len(ideas)), key=lambda i: (-worth[i], i))
        best = list(dict.fromkeys([0, *order[:BEST]]))
        more = range(seed + FIRST_LOOK, seed + FIRST_LOOK + SECOND_LOOK)
        share = SECOND_LOOK / (FIRST_LOOK + SECOND_LOOK)
        for i in best:
            worth[i] += share * (self._worth(ahead, state, ideas[i], side, more) - worth[i])
        found = max(best, key=lambda i: (worth[i], -i))
        return ideas[found if worth[found] > worth[0] + BETTER else 0]

    def ideas(self, state: Any, who: str, pick: Pick) -> Iterator[Any]:
        """Different orders: what the other policies would do, the first policy first, and some that the rules allow."""
        rules = self._ruleset()
        known: list[Any] = []
        for policy in rules.policies.values():
            if policy.name not in (self.name, "random"):
                known.append(policy.order(state, who, pick))
        with suppress(AffrayError):  # nothing but what the policies do
            known += [sample_order(rules, state, who, pick) for _ in range(SAMPLED)]
        different: dict[str, Any] = {}
        for order in known:
            different.setdefault(repr(replace(order, because="")), order)
        yield from list(different.values())[:MOST]

    def _worth(self, ahead: Ahead, state: Any, order: Any, side: str, numbers: range) -> float:
        """How well the side fares after an order: 1 always wins, 0 never."""
        return sum(self._outcome(ahead, state, order, side, number) for number in numbers) / len(numbers)

    def _outcome(self, ahead: Ahead, state: Any, order: Any, side: str, number: int) -> float:
        rules = self._ruleset()
        if rules.why_not(state, order) is not None:
            return 0.0
        end = ahead.on(ahead.after(state, order, number, FIRST_ENTRY - 1), number, ROUNDS, rules.over)
        won = winner(rules, end)
        if won != "?":
            return 1.0 if won == side else 0.0
        able = [f.side for f in end.fighters if not rules.fallen(f)]
        return able.count(side) / len(able)

