"""A policy that does anything legal: for tests, and to see what the rules allow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affray.ask import Choose
from affray.domains import Pick


class Random:
    """Any legal order, drawn by `sample(state, who, pick)`, and any allowed answer."""

    name = "random"

    def __init__(self, sample: Callable[[Any, str, Pick], Any]) -> None:
        self._sample = sample

    def order(self, state: Any, who: str, pick: Pick) -> Any:
        return self._sample(state, who, pick)

    def answer(self, request: Choose, state: Any, pick: Pick) -> Any:
        return request.domain.sample(pick)
