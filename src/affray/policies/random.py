"""A policy that does anything legal: for tests, and to see what the rules allow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affray.ask import Choose
from affray.domains import Pick


class Random:
    """Picks among the legal orders `orders(state, who)` of a ruleset, and any allowed answer."""

    name = "random"

    def __init__(self, orders: Callable[[Any, str], tuple[Any, ...]]) -> None:
        self._orders = orders

    def order(self, state: Any, who: str, pick: Pick) -> Any:
        orders = self._orders(state, who)
        return orders[pick(len(orders))]

    def answer(self, request: Choose, state: Any, pick: Pick) -> Any:
        return request.domain.sample(pick)
