"""Eyes on every page of a test: what goes wrong in it fails the test, and nothing may come from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

ABORTED = "net::ERR_ABORTED"
"""A request that the page itself gave up, for example a stream when it is left."""


class Watch:
    """Collects faults of browser contexts. `own`: the address of the server, the only one that may be asked."""

    def __init__(self, own: str) -> None:
        self.own = urlsplit(own).netloc
        self.faults: list[str] = []
        self.asked: set[str] = set()
        self._excused = 0
        self._statuses: tuple[int, ...] = ()

    def on(self, context: Any, name: str = "") -> None:
        """Look at everything that happens in a context."""
        context.on("request", lambda request: self._request(name, request.url))
        context.on("requestfailed", lambda request: self._failed(name, request.url, request.failure or ""))
        context.on("response", lambda response: self._response(name, response.url, response.status))
        context.on("console", lambda message: self._console(name, message.type, message.text))
        context.on("weberror", lambda wrong: self._add(f"{name}: error in a script: {wrong.error}"))

    def _add(self, text: str) -> None:
        if not self._excused:
            self.faults.append(text)

    def _request(self, name: str, url: str) -> None:
        parts = urlsplit(url)
        self.asked.add(parts.path)
        if parts.scheme not in ("data", "blob", "about") and parts.netloc != self.own:
            self.faults.append(f"{name}: asked another host: {url}")

    def _failed(self, name: str, url: str, why: str) -> None:
        if why != ABORTED:
            self._add(f"{name}: {url} failed: {why}")

    def _response(self, name: str, url: str, status: int) -> None:
        if status >= 400 and status not in self._statuses:
            self._add(f"{name}: {url} was answered with {status}")

    def _console(self, name: str, kind: str, text: str) -> None:
        expected = any(f"status of {status}" in text for status in self._statuses)
        if kind in ("error", "warning") and not expected:
            self._add(f"{name}: console {kind}: {text}")

    @contextmanager
    def excused(self) -> Iterator[None]:
        """The server is away: requests fail."""
        self._excused += 1
        try:
            yield
        finally:
            self._excused -= 1

    @contextmanager
    def expecting(self, *statuses: int) -> Iterator[None]:
        """Answers with these statuses belong to the test."""
        before, self._statuses = self._statuses, statuses
        try:
            yield
        finally:
            self._statuses = before

    def check(self) -> None:
        """Raises AssertionError with all that went wrong."""
        faults, self.faults = list(dict.fromkeys(self.faults)), []
        assert not faults, "\n".join(faults)
