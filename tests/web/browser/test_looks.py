"""Nothing is cut off: the track of distances, the map, the screen for everyone and the summary, in narrow and wide windows."""

from __future__ import annotations

from typing import Any

import pytest
from web.browser.scenes import Scenes
from web.browser.serving import Server

pytestmark = pytest.mark.slow
INSIDE = """([outer, inner]) => {
  const box = document.querySelector(outer).getBoundingClientRect(), all = [...document.querySelectorAll(inner)];
  const cut = (r) => r.left < box.left - 1 || r.right > box.right + 1 || !r.width;
  return all.filter((one) => cut(one.getBoundingClientRect()))
    .map((one) => one.textContent.trim()).concat(all.length ? [] : ["nothing there"]);
}"""


@pytest.fixture(scope="module")
def scenes(server: Server) -> Scenes:
    return Scenes(server)


def looking(opened: Any, scenes: Scenes, who: str, width: int, path: str) -> Any:
    page = opened(who, width=width)
    page.context.add_cookies([scenes.cookie(who)])
    page.goto(path)
    page.wait_for_timeout(300)
    return page


@pytest.mark.parametrize("width", [360, 1024, 1920])
def test_everybody_is_on_the_track(opened: Any, scenes: Scenes, width: int) -> None:
    page = looking(opened, scenes, "master", width, f"/f/{scenes.fight}")
    if width < 640:
        page.locator('[data-tab-to="map"]').click()
    assert page.evaluate(INSIDE, [".bands", ".bands .stand"]) == []


WIDE = """
ruleset = "rond6"
[space]
size = [60, 40]
walls = [[0, 0, 0, 30], [59, 0, 59, 39]]
[[combatant]]
name = "Ann"
side = "Heroes"
template = "duellist"
at = [40, 20]
[[combatant]]
name = "Thug"
side = "Gang"
template = "thug"
count = 3
at = [48, 22]
"""


@pytest.mark.parametrize("width", [1024, 1920])
def test_the_map_opens_on_the_fighters(opened: Any, scenes: Scenes, width: int) -> None:
    page = looking(opened, scenes, "master", width, f"/f/{scenes.server.fight(scenes.camp['id'], WIDE)}")
    page.wait_for_selector("#edges text", state="attached")
    chart = page.locator("#chart")
    near, whole = chart.get_attribute("data-near"), chart.get_attribute("data-whole")
    assert chart.get_attribute("viewBox") == near != whole
    assert page.evaluate(INSIDE, [".map", "#tokens .body"]) == []
    widths = "[...document.querySelectorAll('#tokens .body use')].map((one) => one.getBoundingClientRect().width)"
    least = min(page.evaluate(widths))
    assert least >= 17, least  # the drawn shape; what can be tapped is larger
    page.keyboard.press("g")
    assert chart.get_attribute("viewBox") == whole
    page.keyboard.press("f")
    assert chart.get_attribute("viewBox") == near


def test_the_screen_on_a_phone_shows_the_fight(opened: Any, scenes: Scenes) -> None:
    page = looking(opened, scenes, "spectator", 360, f"/f/{scenes.fight}/screen")
    for part in (".screen .order .name", ".screen .stand", ".screen .last li"):
        assert page.locator(part + ':visible').count(), part
    assert page.evaluate(INSIDE, [".screen", ".screen .stand"]) == []


def test_the_summary_on_a_phone_needs_no_scrolling_sideways(opened: Any, scenes: Scenes) -> None:
    page = looking(opened, scenes, "master", 360, f"/f/{scenes.over}/summary")
    assert page.evaluate("[...document.querySelectorAll('.scroll')].map((one) => one.scrollWidth - one.clientWidth)") == [0, 0]
    cell = page.locator('td[data-label="Attacks"]').first
    assert cell.is_visible() and cell.evaluate("(one) => getComputedStyle(one, '::before').content") == '"Attacks"'
