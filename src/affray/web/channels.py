"""Live viewers. Everybody who sees the same shares one channel: what has changed is made into bytes once.

A viewer that is slow holds nobody up: its queue is bounded, and when it is full it gets everything as it is then.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable

QUEUE = 32
"""Changes that wait for one viewer."""
HEARTBEAT = 15.0
"""Seconds after which a silent stream says that it is there."""


def event(name: str, data: str, ident: str = "") -> bytes:
    """One server-sent event."""
    lines = "".join(f"data: {line}\n" for line in data.split("\n"))
    return (f"id: {ident}\n" if ident else "").encode() + f"event: {name}\n{lines}\n".encode()


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


class Channel:
    """The viewers who see the same. `parts` makes what they see, by name; `ident` names the present view."""

    def __init__(self, parts: Callable[[], tuple[str, dict[str, str]]]) -> None:
        self.parts = parts
        self.viewers: set[Viewer] = set()
        self.ident, self.last = parts()

    def send(self) -> None:
        """Tell everybody what has changed; nothing when nothing has."""
        ident, now = self.parts()
        changed = {name: text for name, text in now.items() if self.last.get(name) != text}
        self.ident, self.last = ident, now
        if changed:
            data = packed(ident, changed)
            for viewer in self.viewers:
                viewer.put(data)

    def whole(self) -> bytes:
        return packed(self.ident, self.last)

    def join(self, tokens: tuple[str, ...], last: str = "") -> Viewer:
        """A new viewer. One that has seen the present view already gets nothing until it changes."""
        viewer = Viewer(self.whole, tokens, b"" if last and last == self.ident else self.whole())
        self.viewers.add(viewer)
        return viewer

    def leave(self, viewer: Viewer) -> None:
        self.viewers.discard(viewer)


def packed(ident: str, parts: dict[str, str]) -> bytes:
    return b"".join(event(name, text, ident) for name, text in parts.items())
