"""Every page in a state worth looking at, for the accessibility scan and for pictures: who looks, where, and what to open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
from waiting import PATIENCE
from web.browser import signs
from web.browser.serving import EXAMPLES, Server

Act = Callable[[Any], None]
TITLES = {"rond6": "Friday's table", "cepheus": "The Beltane run", "rd6": "The quay"}


@dataclass(frozen=True)
class Scene:
    """A page as somebody sees it. `act` opens something on it; `wrong`: it is the page of a mistake."""

    name: str
    path: str
    act: Act | None = None
    wrong: bool = False

    def make(self, page: Any) -> str:
        """Open what should be open. Returns what went wrong."""
        if self.act is None:
            return ""
        try:
            self.act(page)
        except Exception as wrong:
            return f"could not be made: {str(wrong).splitlines()[0]}"
        return ""


def popover(page: Any) -> None:
    """A fighter in the popover."""
    if not page.locator("[data-open]:visible").count():
        page.locator('[data-tab-to="order"]').click()
    page.locator("[data-open]:visible").first.click()
    page.wait_for_selector("#pop:popover-open")


def menu(page: Any) -> None:
    page.locator("[data-menu]").first.click()
    page.wait_for_selector("#pop:popover-open")


def keys(page: Any) -> None:
    page.keyboard.press("?")
    page.wait_for_selector("#keys[open]")


READY = '[data-part="panel"]:not([aria-busy])'
UNFOLD = "one => { for (let fold = one; (fold = fold.parentElement.closest('details')); ) fold.open = true }"


def draft(verb: str) -> Act:
    """A draft of an order, with its numbers and odds."""

    def act(page: Any) -> None:
        page.wait_for_selector(READY)
        button = page.locator(f'.panel [data-verb="{verb}"]')
        if not button.count():
            button = page.locator(".panel .verbs [data-verb]")
        button.first.evaluate(UNFOLD)
        if button.first.get_attribute("aria-pressed") != "true":  # a draft is remembered; a second tap would close it
            button.first.click()
        page.wait_for_selector("#draft")
        page.wait_for_timeout(500)

    return act


def prepared(page: Any) -> None:
    """An order that a player puts together before the turn."""
    page.locator("[data-prepare]").click()
    page.wait_for_selector(".panel .verbs [data-verb]")
    draft("attack")(page)


def together(page: Any) -> None:
    """An order of a group, told for each, where a group is up."""
    if page.locator("#group-all").count():
        page.locator("label:has(#group-all)").click()
    draft("attack")(page)


def arriving(page: Any) -> None:
    """The form for late arrivals."""
    if not page.locator("[data-add]").is_visible():
        page.locator('[data-tab-to="order"]').click()
    page.locator("[data-add]").click()
    page.wait_for_selector("#pop:popover-open")


def line(page: Any) -> None:
    """The line of the whole fight, drawn."""
    page.wait_for_selector("#course button, #course .curve")
    if page.locator("#course button").count():
        page.locator("#course button").click()
    page.wait_for_selector("#course .curve")
    page.locator("#winning").scroll_into_view_if_needed()


def tab(name: str) -> Act:
    def act(page: Any) -> None:
        button = page.locator(f'[data-tab-to="{name}"]')
        if button.is_visible():
            button.click()

    return act


def unfolded(page: Any) -> None:
    """Every group in the order, open."""
    page.locator(".order .fold").evaluate_all("all => all.forEach((one) => { one.open = true })")


def both(*some: Act) -> Act:
    def act(page: Any) -> None:
        for one in some:
            one(page)

    return act


def opened(page: Any) -> None:
    """The last entries of the log, open."""
    tab("log")(page)
    for one in page.locator(".entry > details > summary").all()[-3:]:
        one.click()


class Scenes:
    """A server with fights in which something has happened, and everybody's cookies."""

    people = ("master", "player", "spectator", "")

    def __init__(self, server: Server) -> None:
        self.server = server
        self._cookies = {"master": server.client.cookies.get("affray") or ""}
        self.fights: dict[str, str] = {}
        self.camps: dict[str, dict[str, Any]] = {}
        for ruleset, sample in (("rond6", "rond6-tavern"), ("cepheus", "cepheus-street"), ("rd6", "rd6-street")):
            camp = self.camps[ruleset] = server.campaign(TITLES[ruleset], ruleset)
            self.fights[ruleset] = server.fight(camp["id"], (EXAMPLES / f"{sample}.toml").read_text("utf-8"))
        self.camp = self.camps["rond6"]
        self.fight = self.fights["rond6"]
        base = f"/campaigns/{self.camp['id']}"
        ambush = (EXAMPLES / "rond6-ambush.toml").read_text("utf-8")
        ambush = ambush.replace('sheet = "sheets/tam.toml"', 'template = "detective"')
        self.prepared = str(server.api(f"{base}/encounters", source=ambush, title="Ambush at the tower", begin=False)["id"])
        self.character = str(server.api(f"{base}/characters", name="Kess", sheet={"template": "veteran"})["id"])
        server.api(f"{base}/characters", name="Mox", sheet={"template": "duellist"})
        mine = self._mine("rond6")
        self.join("player", "Ines", "player", mine[:1])
        self.join("spectator", "Screen", "spectator", [])
        self.join("", "Jo", "player", [], approved=False)
        for camp in self.camps.values():
            self.join("player", "Ines", "player", ["Ann"], camp=camp)
            self.join("spectator", "Screen", "spectator", [], camp=camp)
        for ruleset in self.fights:
            self._play(ruleset, 14)
        self.over = server.fight(self.camp["id"], (EXAMPLES / "rond6-duel.toml").read_text("utf-8"), "The duel")
        self._finish(self.over)
        self._question(mine[:1])
        self.signs = {ruleset: self._signs(ruleset) for ruleset in signs.STATES}
        self.asked = {ruleset: self._signs(ruleset, asked=True) for ruleset in signs.STATES}

    def _mine(self, ruleset: str) -> list[str]:
        """Those whom players could run, the likeliest first."""
        view = self.server.api(f"/fights/{self.fights[ruleset]}")
        return [f["id"] for f in view["fighters"]]

    def join(self, key: str, name: str, role: str, seats: list[str], approved: bool = True, camp: Any = None) -> None:
        """Somebody comes to a campaign, as `key` from now on."""
        camp = camp or self.camp
        client = httpx.Client(base_url=self.server.url, headers={"X-Affray": "1"}, timeout=PATIENCE)
        if key in self._cookies:
            client.cookies.set("affray", self._cookies[key], domain="127.0.0.1", path="/")
        made = client.post("/api/join", json={"code": camp["code"], "name": name, "role": role}).json()["person"]
        if approved:
            self.server.client.patch(f"/api/campaigns/{camp['id']}/people/{made['id']}", json={"approved": True})
        for seat in seats:
            self.server.api(f"/campaigns/{camp['id']}/seats", character=seat, person=made["id"], approved=True)
        if key:
            self._cookies[key] = client.cookies.get("affray") or ""
        client.close()

    def _play(self, ruleset: str, steps: int, fight: str = "") -> None:
        """A few orders, so that there is something to see."""
        fight = fight or self.fights[ruleset]
        for _ in range(steps):
            view = self.server.api(f"/fights/{fight}")
            if view["over"]:
                break
            if view["requests"]:
                self.reply(fight, view["requests"][0])
            elif view["up"] and not self._attack(fight, view["up"][0]):
                break
        for _ in range(60):  # until somebody is up and nobody is asked, however the dice fall
            view = self.server.api(f"/fights/{fight}")
            if view["over"]:
                self.server.api(f"/fights/{fight}/undo")
            elif view["requests"]:
                self.reply(fight, view["requests"][0])
            else:
                return

    def _attack(self, fight: str, who: str) -> bool:
        offers = self.server.client.get(f"/api/fights/{fight}/offers", params={"who": who}).json()
        known = {one["verb"]: one for one in offers if not one["refused"]}
        for verb in ("attack", "end", "pass"):
            one = known.get(verb)
            if one is None:
                continue
            order = {"do": verb, "by": who}
            for field in one["fields"]:
                if field.get("needed") and field["domain"].get("options"):
                    order[field["name"]] = field["domain"]["options"][0]["value"]
            if self.server.client.post(f"/api/fights/{fight}/orders", json={"order": order}).is_success:
                return True
        return False

    def reply(self, fight: str, asked: dict[str, Any]) -> None:
        if asked["kind"] == "roll":
            self.server.api(f"/fights/{fight}/dice", n=asked["n"], roll=True)
        else:
            self.server.api(f"/fights/{fight}/answers", n=asked["n"], usual=True)

    def _finish(self, fight: str) -> None:
        view = self.server.api(f"/fights/{fight}")
        sides = {one["name"]: "aggressive" for one in view["sides"]}
        self.server.client.post(f"/api/fights/{fight}/settings", json={"policies": sides})
        for _ in range(100):
            view = self.server.api(f"/fights/{fight}")
            if view["over"]:
                return
            if view["requests"]:
                self.reply(fight, view["requests"][0])

    def _question(self, mine: list[str]) -> None:
        """On until the player's dice are asked for, with one on the table."""
        self.server.client.post(f"/api/fights/{self.fight}/settings", json={"typed": mine})
        for _ in range(60):
            view = self.server.api(f"/fights/{self.fight}")
            asked = next((one for one in view["requests"] if one["by"] in mine and one["kind"] == "roll"), None)
            if asked:
                self.server.api(f"/fights/{self.fight}/dice", n=asked["n"], face=4)
                return
            if view["over"]:
                return
            if view["requests"]:
                self.reply(self.fight, view["requests"][0])
            elif view["up"] and not self._attack(self.fight, view["up"][0]):
                return

    def _signs(self, ruleset: str, asked: bool = False) -> str:
        """A fight with every sign; the player has somebody in it. `asked`: somebody's dice are waited for, with a limit."""
        camp = self.camps[ruleset]
        fight = self.server.fight(camp["id"], signs.fight(ruleset), "Everybody is asked" if asked else "")
        self._play(ruleset, 0, fight)
        signs.put(self.server.api, fight)
        if not asked:
            return fight
        everybody = [one["id"] for one in self.server.api(f"/fights/{fight}")["fighters"]]
        self.server.client.post(f"/api/fights/{fight}/settings", json={"typed": everybody, "limit": 3600})
        for _ in range(20):
            view = self.server.api(f"/fights/{fight}")
            if view["requests"]:
                break
            self._attack(fight, view["up"][0])
        return fight

    def cookie(self, who: str) -> dict[str, Any]:
        """For a browser context."""
        return {"name": "affray", "value": self._cookies[who], "domain": urlsplit(self.server.url).hostname, "path": "/"}

    def all(self, who: str) -> list[Scene]:
        """The scenes of one person."""
        camp, fight = f"/c/{self.camp['id']}", f"/f/{self.fight}"
        cepheus, rd6 = f"/f/{self.fights['cepheus']}", f"/f/{self.fights['rd6']}"
        over = f"/f/{self.over}"
        if who == "":
            return [
                Scene("stranger-home", "/"), Scene("stranger-join", "/join"), Scene("stranger-wrong", fight, wrong=True),
                Scene("stranger-code", f"/join/{self.camp['code']}"), Scene("rules", "/rules"),
                Scene("rules-book", "/rules/rond6"), Scene("rule", "/rules/rond6/RON-ATK-1"),
                Scene("help", "/help"), Scene("api", "/api"),
            ]  # fmt: skip
        if who == "spectator":
            return [
                Scene("spectator-fight", fight), Scene("screen", f"{fight}/screen"),
                *(Scene(f"spectator-signs-{name}", f"/f/{one}", tab("order")) for name, one in self.signs.items()),
                *(Scene(f"screen-signs-{name}", f"/f/{one}/screen") for name, one in self.asked.items()),
            ]  # fmt: skip
        if who == "player":
            return [
                Scene("player-home", "/"), Scene("player-campaign", camp), Scene("player-seats", f"/join/{self.camp['code']}"),
                Scene("player-fight-asked", fight), Scene("player-fight-popover", fight, popover),
                Scene("player-fight-prepared", fight, prepared),
                Scene("player-fight-map", fight, tab("map")), Scene("player-fight-order", fight, tab("order")),
                Scene("player-fight-log", fight, opened), Scene("player-log", f"{fight}/log"),
                Scene("player-sheets", f"{fight}/sheets"), Scene("player-characters", f"{camp}/characters"),
                Scene("player-summary", f"{over}/summary"),
                *(Scene(f"player-signs-{name}", f"/f/{one}", tab("order")) for name, one in self.signs.items()),
                *(Scene(f"player-signs-asked-{name}", f"/f/{one}") for name, one in self.asked.items()),
            ]  # fmt: skip
        return [
            Scene("home", "/"), Scene("campaign", camp), Scene("people", f"{camp}/people"),
            Scene("characters", f"{camp}/characters"), Scene("character", f"{camp}/characters/{self.character}"),
            Scene("rulings", f"{camp}/rulings"), Scene("new", f"{camp}/new"), Scene("setup", f"{camp}/new/{self.prepared}"),
            Scene("campaign-sheets", f"{camp}/sheets"), Scene("fight-asked", fight), Scene("fight-popover", fight, popover),
            Scene("fight-menu", fight, menu), Scene("fight-keys", fight, keys), Scene("fight-log", fight, opened),
            Scene("fight-map", fight, tab("map")), Scene("fight-rd6", rd6), Scene("fight-rd6-attack", rd6, draft("attack")),
            Scene("fight-rd6-group", rd6, together), Scene("fight-add", rd6, arriving),
            Scene("fight-cepheus", cepheus), Scene("fight-cepheus-attack", cepheus, draft("attack")),
            Scene("fight-over", over), Scene("log", f"{fight}/log"), Scene("sheets", f"{fight}/sheets"),
            Scene("summary", f"{over}/summary"), Scene("summary-line", f"{over}/summary", line), Scene("after", f"{over}/after"),
            *(Scene(f"signs-{name}", f"/f/{one}", both(tab("order"), unfolded)) for name, one in self.signs.items()),
            *(Scene(f"signs-popover-{name}", f"/f/{one}", popover) for name, one in self.signs.items()),
            *(Scene(f"signs-asked-{name}", f"/f/{one}", tab("now")) for name, one in self.asked.items()),
            *(Scene(f"signs-map-{name}", f"/f/{one}", tab("map")) for name, one in self.signs.items()),
            *(Scene(f"signs-after-{name}", f"/f/{one}/after") for name, one in self.signs.items()),
        ]  # fmt: skip
