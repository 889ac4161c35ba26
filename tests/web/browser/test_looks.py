"""Nothing is cut off: the track of distances, the map, the screen for everyone and the summary, in narrow and wide windows."""

from __future__ import annotations

from typing import Any

import pytest
from waiting import until
from web.browser.people import Seated
from web.browser.scenes import Scenes
from web.browser.serving import Server
from web.browser.small import ANN, SMALL, THUG, source

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


WIDE = source(
    "rond6", ANN | {"at": [40, 20]}, THUG | {"count": 3, "at": [48, 22]},
    space={"size": [60, 40], "walls": [[0, 0, 0, 30], [59, 0, 59, 39]]},
)  # fmt: skip


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


def test_an_order_prepared_before_the_turn_is_there_when_it_comes(opened: Any, scenes: Scenes) -> None:
    """Chosen while others act, kept over what happens meanwhile, given with one tap."""
    server = scenes.server
    camp = server.campaign("Ready", "rond6")
    prepared = source("rond6", ANN | {"player": True}, THUG | {"count": 2, "at": [[5, 4], [5, 5]]}, space=SMALL)
    fight = server.fight(camp["id"], prepared)
    scenes.join("Ina", "Ina", "player", ["Ann"], camp=camp)

    def others_act(wanted: bool) -> None:
        """Until it is (not) the turn of Ann."""
        for _ in range(40):
            view = server.api(f"/fights/{fight}")
            if view["requests"]:
                scenes.reply(fight, view["requests"][0])
            elif ("Ann" in view["up"]) == wanted:
                return
            else:
                server.api(f"/fights/{fight}/orders", order={"do": "end", "by": view["up"][0]})
        raise AssertionError("her turn never comes")

    others_act(False)
    page = looking(opened, scenes, "Ina", 360, f"/f/{fight}")
    ina = Seated(page, "Ina", fight)
    ina.settled()
    page.locator("[data-prepare]").click()
    page.wait_for_selector(".panel .verbs")
    ina.choose("attack")
    page.locator('#draft label:has-text("Thug 2")').first.click()
    ina.ready()
    chosen = '#draft .widget[data-name="v.target"] input:checked'
    until(lambda: page.locator(chosen).get_attribute("value") == '"Thug 2"', "the target is chosen")
    assert not page.locator("[data-commit]").count() and page.get_by_text("Kept ready").is_visible()
    others_act(True)
    until(lambda: page.locator("#draft [data-commit]").count(), "her turn has come, with the order ready")
    assert page.locator(chosen).get_attribute("value") == '"Thug 2"'
    ina.commit("roll")
    until(lambda: "attack Thug 2" in ina.log(), "the order is given")


@pytest.mark.parametrize("width", [360, 1280])
def test_an_entry_of_the_log_opens_in_sight(opened: Any, scenes: Scenes, width: int) -> None:
    page = looking(opened, scenes, "master", width, f"/f/{scenes.fight}")
    if width < 640:
        page.locator('[data-tab-to="log"]').click()
    folded = page.locator(".entry:has(.lines li:nth-child(2)) > details").last
    folded.locator("> summary").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('[data-part=log]').scrollTop -= 1")
    before = page.evaluate("innerHeight")
    folded.locator("> summary").click()
    page.wait_for_timeout(200)
    box = folded.bounding_box()
    low = page.locator('[data-part="log"]').bounding_box()
    top = page.locator(".fight-head, .top").first.bounding_box()
    floor = min(before - (56 if width < 640 else 0), low["y"] + low["height"])
    fits = box["y"] + box["height"] <= floor + 1
    assert fits or box["y"] <= max(low["y"], top["y"] + top["height"]) + 40, (box, floor)
