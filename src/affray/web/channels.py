"""Live viewers. Everybody who sees the same shares one channel: what has changed is made into bytes once.

A viewer that is slow holds nobody up: its queue is bounded, and when it is full it gets everything as it is then.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, NamedTuple

QUEUE = 32
"""Changes that wait for one viewer."""
MOST = 60
"""Entries of the log that are sent at once; whoever wants older ones asks for them."""
HEARTBEAT = 15.0
"""Seconds after which a silent stream says that it is there."""


def event(name: str, data: str, ident: str = "") -> bytes:
    """One server-sent event."""
    lines = data.replace("\n", "\ndata: ")
    return (f"id: {ident}\n" if ident else "").encode() + f"event: {name}\ndata: {lines}\n\n".encode()


class Viewer:
    """One open stream. `whole`: makes everything as it is now, for one that comes or has lost its way."""

    def __init__(self, whole: Callable[[], bytes], tokens: tuple[str, ...], first: bytes) -> None:
        self.whole, self.tokens = whole, tokens
        self._waiting: deque[bytes] = deque([first] if first else [])
        self._news = asyncio.Event()
        self._closed = False
        if first:
            self._news.set()

    def put(self, data: bytes) -> None:
        if len(self._waiting) >= QUEUE:
            self._waiting.clear()
            data = b""  # everything, when the viewer is ready for it
        self._waiting.append(data)
        self._news.set()

    def close(self, last: bytes = b"") -> None:
        """The stream ends when what waits has been sent."""
        if last:
            self._waiting.append(last)
        self._closed = True
        self._news.set()

    async def stream(self) -> AsyncIterator[bytes]:
        yield b"retry: 1000\n\n"
        while True:
            while self._waiting:
                data = b"".join(self._waiting) if all(self._waiting) else self.whole()
                self._waiting.clear()
                yield data
            self._news.clear()
            if self._closed:
                return
            try:
                await asyncio.wait_for(self._news.wait(), HEARTBEAT)
            except TimeoutError:
                yield b": here\n\n"


class Look(NamedTuple):
    """What viewers see: the name of the view, its parts as text, and a log of which only the end is sent when it grows."""

    ident: str
    parts: dict[str, str]
    log: Sequence[Any]
    tail: Callable[[int], str]
    """The log from an entry on (counted from 0)."""


class Channel:
    """The viewers who see the same. `look` gives what they see now."""

    def __init__(self, look: Callable[[], Look]) -> None:
        self.look = look
        self.viewers: set[Viewer] = set()
        self.last = look()
        self._whole: tuple[str, bytes] = ("", b"")

    @property
    def ident(self) -> str:
        return self.last.ident

    def send(self) -> None:
        """Tell everybody what has changed; nothing when nothing has."""
        before, now = self.last, self.look()
        changed = {name: text for name, text in now.parts.items() if before.parts.get(name) != text}
        start = common(before.log, now.log)
        self.last = now
        if start < max(len(before.log), len(now.log)):
            changed = ordered(changed, now.tail(max(0, min(start, len(now.log) - 1), len(now.log) - MOST)))
        if changed:
            data = packed(now.ident, changed)
            for viewer in self.viewers:
                viewer.put(data)

    def whole(self) -> bytes:
        """Everything as it is now."""
        if self._whole[0] != self.ident:
            log = self.last.tail(max(0, len(self.last.log) - MOST))
            self._whole = (self.ident, packed(self.ident, ordered(self.last.parts, log)))
        return self._whole[1]

    def join(self, tokens: tuple[str, ...], last: str = "") -> Viewer:
        """A new viewer. One that has seen the present view already gets nothing until it changes."""
        viewer = Viewer(self.whole, tokens, b"" if last and last == self.ident else self.whole())
        self.viewers.add(viewer)
        return viewer

    def leave(self, viewer: Viewer) -> None:
        self.viewers.discard(viewer)


def ordered(parts: dict[str, str], log: str) -> dict[str, str]:
    """The log stands behind what else has changed; only the signal that there is something new comes last."""
    last = {name: text for name, text in parts.items() if name == "panel"}
    return {**{name: text for name, text in parts.items() if name not in last}, "log": log, **last}


def common(before: Sequence[Any], now: Sequence[Any]) -> int:
    """How many entries two logs have in common at their beginning."""
    for number, (old, new) in enumerate(zip(before, now, strict=False)):
        if old != new:
            return number
    return min(len(before), len(now))


def packed(ident: str, parts: dict[str, str]) -> bytes:
    return b"".join(event(name, text, ident) for name, text in parts.items())
