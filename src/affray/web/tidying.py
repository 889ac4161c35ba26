"""When memory is tidied. A full collection of garbage stops everything for as long as there is something to look through
(a few tenths of a second in a server with open fights), so it waits until nobody has decided anything for a moment.

It changes settings of the whole process, so only what runs a server of its own uses it.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections.abc import AsyncIterator

from affray.web.hall import Hall

YOUNG = (5_000, 1_000, 1 << 30)
"""New objects that are left over until those are looked through (some milliseconds), and how often until the older ones are
too; never all by themselves."""
QUIET = 2.0
"""Seconds without a decision after which there is time for it."""


@contextlib.asynccontextmanager
async def tidied(hall: Hall) -> AsyncIterator[None]:
    """As long as it lasts, full collections wait for a quiet moment; what is there at the beginning stays unlooked at."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*YOUNG)
    task = asyncio.create_task(_tidy(hall))
    try:
        yield
    finally:
        task.cancel()
        gc.set_threshold(*before)
        gc.unfreeze()


async def _tidy(hall: Hall) -> None:
    done = 0.0
    while True:
        await asyncio.sleep(QUIET / 2)
        if hall.decided > done and time.monotonic() - hall.decided > QUIET:
            gc.collect()
            done = time.monotonic()
