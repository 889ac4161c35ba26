"""People in front of the page of a fight, by what they would look for on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from waiting import until
from web.browser.serving import Server

ASK = ".ask:not(.theirs)"
FACES = "all => all.map((one) => Number((one.getAttribute('aria-label') || one.textContent).match(/[1-6]/)))"
OPEN = """[...document.querySelectorAll('.ask')].map((one) => [one.dataset.n, one.querySelector('.why').textContent,
 one.querySelectorAll('.thrown .die').length].join())"""
"""Questions and the dice in them: what an answer changes. The panel may be drawn anew just then for what came before."""
MARK = f"""{OPEN}.concat(document.querySelector('.panel')?.dataset.version,
 document.querySelector('.entries')?.dataset.last).join('|')"""


class Seated:
    """Somebody with a page of their own."""

    def __init__(self, page: Any, name: str, fight: str = "") -> None:
        self.page, self.name, self.fight = page, name, fight

    # ---- coming in

    def join(self, code: str) -> None:
        """Type the code, say who it is."""
        page = self.page
        page.goto("/join")
        page.get_by_label("Code").fill(code.lower())
        page.get_by_role("button", name="Go on").click()
        page.get_by_label("Your name").fill(self.name)
        page.get_by_role("button", name="Join").click()
        page.get_by_text("Waiting for the game master").wait_for()

    def take_seat(self, character: str) -> None:
        button = self.page.locator(".seat", has_text=character)
        button.click()
        self.page.locator('.seat[aria-pressed="true"]', has_text=character).wait_for()

    def to_the_fight(self) -> None:
        link = self.page.get_by_role("link", name="To the fight")
        link.click()
        self.page.wait_for_url("**/f/*")
        self.settled()

    def open(self, fight: str) -> None:
        self.fight = fight
        self.page.goto(f"/f/{fight}")
        self.settled()

    # ---- the page of the fight

    def settled(self) -> None:
        """The page has its scripts and its line to the server."""
        self.page.wait_for_selector(".panel")
        until(lambda: not self.page.locator("#link-state").is_visible(), f"{self.name} is connected")

    def version(self) -> str:
        return str(self.page.evaluate("document.querySelector('.panel')?.dataset.version || ''"))

    def asked(self) -> bool:
        """Whether a question is open for this person."""
        return bool(self.page.locator(ASK).count())

    def faces(self) -> list[int]:
        """The dice typed so far into the open question."""
        return [int(one) for one in self.page.eval_on_selector_all(f"{ASK} .thrown .dice .die", FACES)]

    def wild(self) -> bool:
        return bool(self.page.locator(f"{ASK} .faces.wild").count())

    def die(self, face: int) -> None:
        """Tap a die, and wait until the page shows it, or what follows."""
        self.tap(f'{ASK} [data-face="{face}"]')

    def mark(self) -> str:
        """What is asked and what is up, to see that something has happened."""
        return str(self.page.evaluate(MARK))

    def moved(self, before: str) -> None:
        until(lambda: self.mark() != before, f"something happens on {self.name}'s page after a tap")

    def tap(self, selector: str) -> None:
        """Tap something in a question, and wait until that question shows it, or is gone."""
        with self.answered():
            self.page.locator(selector).first.click()

    @contextmanager
    def answered(self) -> Iterator[None]:
        """Waits until what is asked has changed: whoever acts sooner answers a question that is no longer open."""
        before = self.page.evaluate(OPEN)
        yield
        until(lambda: self.page.evaluate(OPEN) != before, f"the question on {self.name}'s page moves on")

    def may(self) -> bool:
        """Whether this person may order something now."""
        return bool(self.page.locator(".panel .verbs").count())

    def who(self) -> str:
        return str(self.page.evaluate("document.querySelector('.panel')?.dataset.who || ''"))

    def ready(self) -> None:
        """The panel shows what belongs to the newest version."""
        until(lambda: self.page.locator('[data-part="panel"][aria-busy]').count() == 0, f"the panel of {self.name} is there")

    def offers(self, verb: str) -> bool:
        return bool(self.page.locator(f'.panel [data-verb="{verb}"]').count())

    def choose(self, verb: str) -> None:
        """A verb of the panel; the draft stands open after that."""
        self.ready()
        button = self.page.locator(f'.panel [data-verb="{verb}"]').first
        if not button.is_visible():
            self.page.locator(".panel details.more > summary").first.click()
        button.click()
        self.page.wait_for_selector("#draft")
        self.ready()

    def commit(self, how: str = "") -> None:
        """Give the order as drafted; `how`: 'type' or 'roll' where it asks for dice."""
        self.ready()
        button = self.page.locator(f'#draft [data-commit="{how}"]') if how else self.page.locator("#draft [data-commit]")
        if not button.count():
            button = self.page.locator("#draft [data-commit]")
        self.ready()
        before = self.mark()
        button.first.click()
        self.moved(before)

    def answer(self, face: int = 4) -> None:
        """Whatever is asked: a die for a throw, the usual for a choice."""
        if self.page.locator(f"{ASK} .faces").count():
            self.die(face)
        else:
            self.tap(f"{ASK} [data-usual]")

    def log(self) -> str:
        return str(self.page.locator('[data-part="log"]').first.text_content() or "")


def over(server: Server, fight: str) -> bool:
    return bool(server.api(f"/fights/{fight}")["over"])
