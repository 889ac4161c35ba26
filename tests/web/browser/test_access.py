"""Every page for everybody: the accessibility scan, narrow windows, the keyboard alone, no motion for those who want none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from waiting import until
from web.browser.people import Seated
from web.browser.scenes import Scenes
from web.browser.serving import Server
from web.browser.small import ANN, SMALL, THUG, source
from web.browser.watching import Watch

GRAVE = ("serious", "critical")
OPTIONS = {"resultTypes": ["violations"], "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
STILL = """() => document.getAnimations()
 .filter((one) => one.playState === "running" && one.effect.getComputedTiming().activeDuration > 1)
 .map((one) => (one.effect.target?.outerHTML || '').slice(0, 60) + ' ' + (one.animationName || one.transitionProperty))"""


def axe() -> str:
    """The scanner's script, out of its package."""
    package = pytest.importorskip("axe_playwright_python")
    return (Path(package.__file__).parent / "axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def scenes(server: Server) -> Scenes:
    return Scenes(server)


def faults(page: Any) -> list[str]:
    """What the scan finds that keeps people out."""
    found = page.evaluate("(options) => axe.run(document, options)", OPTIONS)
    told = []
    for one in found["violations"]:
        if one["impact"] in GRAVE:
            for node in one["nodes"][:4]:
                why = node.get("failureSummary", "")[:200]
                told.append(f"{one['impact']} {one['id']}: {node['target']} {node['html'][:160]} ({why})")
    return told


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("who", Scenes.people)
def test_no_grave_fault(opened: Any, scenes: Scenes, watch: Watch, who: str, width: int, theme: str) -> None:
    """Every page with axe: no serious and no critical fault; nothing to scroll sideways; no animation without leave."""
    page = opened(who, width=width, theme=theme, motion=False)
    if who:
        page.context.add_cookies([scenes.cookie(who)])
    script, told = axe(), []
    for scene in scenes.all(who):
        with watch.expecting(*((401, 403, 404) if scene.wrong else ())):
            answer = page.goto(scene.path)
            page.wait_for_timeout(200)
        assert answer is not None and (scene.wrong or answer.ok), f"{scene.path}: {answer.status}"
        if problem := scene.make(page):
            told.append(f"{scene.name}: {problem}")
        page.evaluate(script)
        told += [f"{scene.name}: {one}" for one in faults(page)]
        if (over := page.evaluate("document.documentElement.scrollWidth - innerWidth")) > 0:
            told.append(f"{scene.name}: {over} pixels wider than the window")
        if moving := page.evaluate(STILL):
            told.append(f"{scene.name}: moves though nobody wants it: {moving}")
    assert not told, "\n".join(told)


@pytest.mark.slow
def test_keyboard_alone(opened: Any, server: Server) -> None:
    """An attack from the first key to the dice, without a pointer."""
    campaign = server.campaign("Keys", "rond6")
    fight = server.fight(campaign["id"], source("rond6", ANN, THUG, space=SMALL))
    page = opened("keys")
    page.goto(server.link)
    gm = Seated(page, "master", fight)
    gm.open(fight)
    until(gm.may, "somebody is up")
    gm.ready()
    page.keyboard.press("Tab")
    first = page.evaluate("document.activeElement.textContent")
    assert "Skip" in first, first
    page.keyboard.press("Enter")
    page.keyboard.press("a")
    page.wait_for_selector("#draft")
    gm.ready()
    inside = "document.activeElement.closest('#draft') !== null"
    until(lambda: page.evaluate(inside), "the focus is in the draft")
    for _ in range(40):
        if page.evaluate("document.activeElement.matches('[data-commit=type]')"):
            break
        page.keyboard.press("Tab")
    else:
        raise AssertionError("the button is never reached")
    shown = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert shown != "none", "the focus is not shown"
    page.keyboard.press("Enter")
    until(gm.asked, "dice are asked for")
    for _ in range(40):
        if not gm.asked():
            break
        with gm.answered():
            page.keyboard.press("3" if page.locator(".ask .faces").count() else "Enter")
    assert "attack" in gm.log().lower()
    page.keyboard.press("?")
    page.wait_for_selector("#keys[open]")
    page.keyboard.press("Escape")
    page.wait_for_selector("#keys[open]", state="detached")
