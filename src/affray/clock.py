"""What is due when. Times are whole numbers in one unit of the ruleset (rounds in a fight, minutes or days after it)."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Timer(Struct, frozen=True):
    """Something named that ends, or falls due, when time `at` begins. `amount`: a number that goes with it."""

    name: str
    at: int
    amount: int = 0


def due(timers: Iterable[Timer], now: int) -> tuple[Timer, ...]:
    """The timers whose time has come, earliest first."""
    return tuple(sorted((timer for timer in timers if timer.at <= now), key=lambda timer: timer.at))


def running(timers: Iterable[Timer], now: int) -> tuple[Timer, ...]:
    """The timers whose time has not come."""
    return tuple(timer for timer in timers if timer.at > now)


def without(timers: Iterable[Timer], name: str) -> tuple[Timer, ...]:
    """The timers but those of that name."""
    return tuple(timer for timer in timers if timer.name != name)


def left(timers: Iterable[Timer], name: str, now: int) -> int:
    """Time until the last timer of that name; 0 if there is none."""
    return max((timer.at - now for timer in timers if timer.name == name), default=0)


def next_due(timers: Iterable[Timer]) -> int | None:
    """The earliest time at which something is due."""
    return min((timer.at for timer in timers), default=None)
