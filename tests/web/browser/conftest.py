"""Fixtures of the browser tests. One browser and one server for each file of tests; one set of eyes for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from web.browser.serving import FLAGS, Server, chromium
from web.browser.watching import Watch

Opened = Callable[..., Any]
NO_CHROMIUM = "no Chromium: apt-get install chromium"
WAIT = 100_000
"""Milliseconds that something on a page may take; two cores may be shared by many."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The system's Chromium. For a file, not for the session: its event loop must be gone before other tests run one."""
    path = chromium()
    if not path:
        pytest.skip(NO_CHROMIUM)
    api = pytest.importorskip("playwright.sync_api", reason="no playwright: pip install '.[test]'")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield opened
        finally:
            opened.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A running server."""
    if not chromium():
        pytest.skip(NO_CHROMIUM)
    running = Server(Path(tmp_path_factory.mktemp("served")))
    try:
        yield running
    finally:
        said = running.stop()
    assert "Traceback" not in said, said


@pytest.fixture
def watch(server: Server) -> Iterator[Watch]:
    """Fails the test for whatever went wrong in its pages."""
    eyes = Watch(server.url)
    yield eyes
    eyes.check()


@pytest.fixture
def opened(browser: Any, server: Server, watch: Watch) -> Iterator[Opened]:
    """opened('Ann', width=360, theme='dark'): a page of somebody with a browser of their own (nobody is logged in)."""
    contexts = []

    def open_(name: str = "", *, width: int = 1280, height: int = 900, theme: str = "light", motion: bool = True,
              scripts: bool = True) -> Any:  # fmt: skip
        context = browser.new_context(
            base_url=server.url, viewport={"width": width, "height": height}, color_scheme=theme,
            reduced_motion="no-preference" if motion else "reduce", java_script_enabled=scripts,
            has_touch=width < 800,
        )  # fmt: skip
        context.set_default_timeout(WAIT)
        watch.on(context, name)
        contexts.append(context)
        return context.new_page()

    yield open_
    for context in contexts:
        context.close()


@pytest.fixture
def master(opened: Opened, server: Server) -> Any:
    """The game master's page."""
    page = opened("master")
    page.goto(server.link)
    return page
