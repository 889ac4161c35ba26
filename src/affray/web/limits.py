"""Time limits: questions to players are answered as usual when their time is over, also after the server has started again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

from affray.ask import MASTER, Open, Roll
from affray.encounter import Encounter

Name = tuple[int, int]
"""A question: the id of its entry, its number."""


class Limits:
    """The questions of one fight that wait no longer than so. `over(entry, n)`: the time of a question is over."""

    def __init__(self, over: Callable[[int, int], None]) -> None:
        self._over = over
        self._timers: dict[Name, tuple[float, asyncio.TimerHandle]] = {}

    def of(self, fight: Encounter, n: int) -> float | None:
        """When an open question is answered by itself, in seconds of the epoch."""
        found = self._timers.get((fight.open.id, n)) if fight.open else None
        return round(found[0], 1) if found else None

    def keep(self, fight: Encounter, seconds: int) -> None:
        """When open questions are answered by themselves is kept with the decision that asked them. `seconds`: 0 for never."""
        before = fight.memo.get("limits") or {}
        until = round(time.time() + seconds, 1)
        names = [_key(one) for one in _limited(fight)] if seconds else []
        if (limits := {name: before.get(name, until) for name in names}) != before:
            fight.remember(limits=limits)

    def set(self, fight: Encounter, seconds: int, grace: float = 0.0) -> None:
        """Start the timers of what is open now, stop those of what is not. `grace`: seconds that are left at least."""
        loop, now = asyncio.get_running_loop(), time.time()
        wanted = set(_limited(fight)) if seconds else set()
        for gone in self._timers.keys() - wanted:
            self._timers.pop(gone)[1].cancel()
        kept = fight.memo.get("limits") or {}
        for one in wanted - self._timers.keys():
            until = max(kept.get(_key(one), now + seconds), now + grace)
            self._timers[one] = until, loop.call_later(until - now, self._over, *one)

    def clear(self) -> None:
        """Stop all timers."""
        for _, timer in self._timers.values():
            timer.cancel()
        self._timers = {}


def _key(one: Name) -> str:
    return f"{one[0]} {one[1]}"


def _limited(fight: Encounter) -> Iterator[Name]:
    """The open questions to players, and rolls that everybody may see."""
    for one in fight.open.requests if fight.open else ():
        if fight.open and one.request.by != MASTER and not _secret(one):
            yield fight.open.id, one.n


def _secret(one: Open) -> bool:
    return isinstance(one.request, Roll) and one.request.secret
