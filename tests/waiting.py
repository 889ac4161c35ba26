"""Waiting in tests: as long as the busiest machine may need. How long something took is no fault, only that it never came."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 300.0
"""Seconds after which what has not come is taken not to come."""


def until(what: Callable[[], Any], told: str, pause: float = 0.05) -> Any:
    """What `what` gives, once it gives something. Raises AssertionError when it never does."""
    end = time.monotonic() + PATIENCE
    while not (found := what()):
        assert time.monotonic() < end, f"waited in vain until {told}"
        time.sleep(pause)
    return found


async def coming(what: Callable[[], Any], told: str, pause: float = 0.01) -> Any:
    """The same among tasks that go on meanwhile."""
    end = time.monotonic() + PATIENCE
    while not (found := what()):
        assert time.monotonic() < end, f"waited in vain until {told}"
        await asyncio.sleep(pause)
    return found
