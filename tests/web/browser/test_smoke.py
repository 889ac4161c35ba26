"""The page opens, for the master and for a stranger, and asks nobody else for anything."""

from __future__ import annotations

from typing import Any

from web.browser.serving import Server


def test_master_opens_the_page(master: Any, server: Server) -> None:
    assert "key=" not in master.url
    assert master.locator("main").is_visible()
    assert master.locator("h1").count() == 1


def test_stranger_sees_no_table(opened: Any, server: Server) -> None:
    page = opened("stranger", width=360)
    page.goto("/join")
    assert page.locator("main").is_visible()
