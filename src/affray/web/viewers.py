"""Everybody who looks at one fight, told what they see differently as soon as there is time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

from affray.sight import SPECTATOR, Audience
from affray.web.channels import Channel, Look, Viewer, event
from affray.web.errors import Fault

Kind = Literal["page", "json"]
BREATH = 0.02
"""Seconds that viewers wait at most, so that whoever has decided is answered first."""


class Viewers:
    """The channels of a fight, one for each audience and kind. `look`: what they see now; `note`: takes note of a fault."""

    def __init__(self, look: Callable[[Audience, Kind], Look], note: Callable[[Exception], None]) -> None:
        self._look, self._note = look, note
        self._channels: dict[tuple[Audience, Kind], Channel] = {}
        self._untold: set[tuple[Audience, Kind]] = set()
        self._answering = 0
        """People who have decided and are not answered yet."""
        self._telling: asyncio.Task[None] | None = None

    def join(self, audience: Audience, kind: Kind, tokens: tuple[str, ...], last: str) -> tuple[Channel, Viewer]:
        """A new stream. `last`: the view that has been seen already."""
        channel = self._channels.get((audience, kind))
        if channel is None:
            channel = self._channels[audience, kind] = Channel(lambda: self._look(audience, kind))
        return channel, channel.join(tokens, last)

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Somebody decides, and is answered before others are told."""
        self._answering += 1
        try:
            yield
        finally:
            asyncio.get_running_loop().call_soon(self._answered)  # when the answer has been written

    def _answered(self) -> None:
        self._answering -= 1

    def refresh(self) -> None:
        """Something has changed: they are told as soon as there is time."""
        self._untold = set(self._channels)
        if self._untold and (self._telling is None or self._telling.done()):
            self._telling = asyncio.ensure_future(self._tell())

    async def _tell(self) -> None:
        """One audience after another, others get their turn in between. What changes meanwhile is told at once with it."""
        until = time.monotonic() + BREATH
        await asyncio.sleep(0)
        while self._answering and time.monotonic() < until:
            await asyncio.sleep(0.001)
        while self._untold:
            channel = self._channels.get(key := self._untold.pop())
            if channel is None or not channel.viewers:
                self._channels.pop(key, None)
                continue
            try:
                channel.send()
            except Exception as wrong:  # a fault in showing must not undo what has been done
                self._note(wrong)
            await asyncio.sleep(0)

    async def told(self) -> None:
        """When all viewers have been told what is shown now."""
        while self._telling is not None and not self._telling.done():
            await asyncio.wait([self._telling])

    def check(self, audience: Callable[[Viewer], Audience]) -> None:
        """Streams of those who may see something else now end; who is still welcome comes back by itself. `audience`: what
        somebody may see now; raises a Fault for nothing."""
        for (before, _), channel in self._channels.items():
            for viewer in list(channel.viewers):
                try:
                    same = audience(viewer) == before
                except Fault:
                    viewer.close(event("gone", "you are no longer at this table"))
                else:
                    if same or before == SPECTATOR:
                        continue
                    viewer.close(event("again", "you may see something else now"))
                channel.leave(viewer)

    def close(self) -> None:
        """All streams end."""
        if self._telling:
            self._telling.cancel()
        for channel in self._channels.values():
            for viewer in channel.viewers:
                viewer.close()
