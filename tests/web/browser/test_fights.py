"""Whole fights at the table: a game master and two players, each with a browser of their own."""

from __future__ import annotations

from typing import Any

import pytest
from waiting import until
from web.browser.people import Seated, over
from web.browser.serving import Server
from web.browser.small import ANN, SMALL, THUG, source
from web.browser.watching import Watch

D6 = source(
    "rond6", ANN | {"player": True}, {"name": "Bo", "side": "Heroes", "player": True, "template": "marksman", "at": [3, 6]},
    THUG | {"template": "veteran"}, title="Three at the ford", space={"size": [16, 10]},
)  # fmt: skip
CEPHEUS = source(
    "cepheus", {"name": "Ann", "side": "Crew", "player": True, "template": "Officer"},
    {"name": "Bo", "side": "Crew", "player": True, "template": "Sniper"},
    {"name": "Thug", "side": "Raiders", "template": "Veteran Guard"}, title="Three at the lock",
)  # fmt: skip
FIGHTS = {"rond6": D6, "cepheus": CEPHEUS}
MOST = 150
"""Turns of the loop until a fight must be over."""


def let_in(master: Any, campaign: str, players: list[tuple[Seated, str]], code: str) -> None:
    """Joining, as it goes: the code, a name, let in, a seat, the seat given."""
    for player, _ in players:
        player.join(code)
    master.goto(f"/c/{campaign}/people")
    for player, _ in players:
        master.get_by_role("button", name=f"Let in {player.name}").click()
        master.get_by_role("button", name=f"Let in {player.name}").wait_for(state="detached")
    for player, character in players:
        player.page.get_by_text("Pick a seat").wait_for()
        player.take_seat(character)
    for player, character in players:
        give = master.get_by_role("button", name=f"Give {character} to {player.name}")
        give.click()
        give.wait_for(state="detached")
    for player, _ in players:
        player.to_the_fight()


def quiet(*others: Seated) -> bool:
    """Nobody of these is asked."""
    return not any(one.asked() for one in others)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ["rond6", "cepheus"])
def test_whole_fight(opened: Any, master: Any, server: Server, watch: Watch, ruleset: str) -> None:
    campaign = server.campaign(f"At the table: {ruleset}", ruleset)
    fight = server.fight(campaign["id"], FIGHTS[ruleset])
    ann = Seated(opened("Ann", width=390, height=800), "Ines", fight)
    bo = Seated(opened("Bo", width=360, theme="dark"), "Bodo", fight)
    let_in(master, campaign["id"], [(ann, "Ann"), (bo, "Bo")], campaign["code"])
    gm = Seated(master, "master", fight)
    gm.open(fight)
    mine = {"Ann": ann, "Bo": bo}
    table = (gm, ann, bo)
    done: set[str] = set()
    for _ in range(MOST):
        if over(server, fight):
            break
        view = server.api(f"/fights/{fight}")
        if view["requests"]:
            asked = view["requests"][0]
            person = mine.get(asked["by"], gm)
            until(person.asked, f"{person.name} is asked: {asked['text']}")
            others = [one for one in mine.values() if one is not person and one.name not in {
                mine[r["by"]].name for r in view["requests"] if r["by"] in mine
            }]  # fmt: skip
            assert quiet(*others), f"a question for {asked['by']} stands on somebody else's page"
            if asked["kind"] == "roll" and person is not gm:
                trouble(done, server, watch, gm, person, table, asked)
            if person.asked():
                person.answer(5 if person is not gm and len(done) == 3 else 2)
            continue
        until(lambda: any(one.may() for one in table), "somebody may act")
        up = server.api(f"/fights/{fight}")["up"]
        person = next((mine[who] for who in up if who in mine), gm)
        until(person.may, f"{person.name} may act")
        person.ready()
        act(person, gm)
    assert over(server, fight), "the fight never ends"
    assert done == {"undo", "reload", "kill"}, done
    for one in table:
        until(lambda one=one: one.page.locator(".panel .empty").count(), f"{one.name} sees that it is over")
    assert "Thug" in gm.log()
    gm.page.goto(f"/f/{fight}/summary")
    assert gm.page.locator("h1").count() == 1
    assert "Ann" in (gm.page.locator("main").text_content() or "")


def act(person: Seated, gm: Seated) -> None:
    """Attack when that can be done, typing the dice; otherwise end the turn. The master's only wait."""
    if person is not gm and person.offers("attack"):
        person.choose("attack")
        if not person.page.locator('#draft [data-commit][aria-disabled="true"]').count():
            person.commit("type")
            return
        person.page.locator("#draft [data-drop]").click()
        person.page.wait_for_selector("#draft", state="detached")
    for verb in ("end", "pass", "wait", "delay"):
        if person.offers(verb):
            person.choose(verb)
            person.commit()
            return
    raise AssertionError(f"{person.name} can neither attack nor end: {person.page.locator('.panel').text_content()}")


def trouble(
    done: set[str], server: Server, watch: Watch, gm: Seated, person: Seated, table: tuple[Seated, ...], asked: Any
) -> None:
    """Things that go wrong in the middle of a throw, each once: the throw goes on as if nothing had happened."""
    if "reload" not in done:
        done.add("reload")
        if "Wild" in asked["next"]["text"]:
            assert person.wild(), "the Wild Die comes first"
        person.die(3)
        assert person.faces() == [3]
        person.page.reload()
        person.settled()
        until(person.asked, "the question is there again")
        until(lambda: person.faces() == [3], "the die that was typed is there again")
        until(lambda: gm.page.locator(".ask").count(), "the master sees that somebody is asked")
    elif "undo" not in done and not asked["faces"]:
        done.add("undo")
        had = person.faces()
        person.die(2)
        assert person.faces() == [*had, 2]
        gm.page.locator('[data-act="undo"]:visible').first.click()
        until(lambda: person.faces() == had, "the die is taken back on the player's page")
        assert person.asked()
    elif "kill" not in done and "undo" in done and not asked["faces"]:
        done.add("kill")
        had = person.faces()
        person.die(4)
        with watch.excused():
            server.kill()
            for one in table:
                until(lambda one=one: one.page.locator("#link-state").is_visible(), f"{one.name} is told that the line is lost")
            server.start()
            for one in table:
                until(lambda one=one: not one.page.locator("#link-state").is_visible(), f"{one.name} is connected again", 60)
        until(person.asked, "the question is still there")
        assert person.faces() == [*had, 4]
        assert quiet(*(one for one in table if one not in (person, gm)))


@pytest.mark.slow
def test_two_at_once(opened: Any, server: Server, watch: Watch) -> None:
    """Two people decide at the same moment: one wins, the other sees how it stands now, and is told in words."""
    campaign = server.campaign("At once", "rond6")
    fight = server.fight(campaign["id"], D6)
    pages = []
    for name in ("one", "two"):
        page = opened(name)
        page.goto(server.link)
        pages.append(Seated(page, name, fight))
    for one in pages:
        one.open(fight)
    view = server.api(f"/fights/{fight}")
    while view["requests"]:
        server.api(f"/fights/{fight}/dice", n=view["requests"][0]["n"], roll=True)
        view = server.api(f"/fights/{fight}")
    for one in pages:
        until(one.may, "both may act")
        one.choose("end")
    before = len(server.api(f"/fights/{fight}/log"))
    with watch.expecting(409, 400):
        for one in pages:  # both are tapped before anything has come back
            one.page.evaluate("setTimeout(() => document.querySelector('#draft [data-commit]').click(), 300)")
        until(lambda: len(server.api(f"/fights/{fight}/log")) > before, "one of the two has been done")
        loser = until(
            lambda: next((one for one in pages if one.page.locator(".toast.bad").count()), None), "one is refused in words"
        )
        text = loser.page.locator(".toast.bad").first.text_content() or ""
        assert len(text.split()) > 4, text
    one, two = pages
    until(lambda: one.version() == two.version(), "both see the same")
    assert not (one.page.locator(".toast.bad").count() and two.page.locator(".toast.bad").count())


COVERED = """() => {
  const bar = document.querySelector('#link-state').getBoundingClientRect();
  return [...document.querySelectorAll('h1, h2, h3, .tabs button, .menu, [data-menu]')].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width > 1 && box.bottom > bar.top + 1 && box.top < bar.bottom - 1 && box.left < bar.right && box.right > bar.left;
  }).map((one) => one.textContent.trim() || one.outerHTML.slice(0, 80));
}"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 800, 1280])
def test_what_is_tapped_without_a_server_is_kept_and_said(opened: Any, server: Server, watch: Watch, width: int) -> None:
    """The bar about the lost line covers nothing; a die that was tapped meanwhile is told as not arrived, and goes out later."""
    campaign = server.campaign("Lost", "rond6")
    fight = server.fight(campaign["id"], source("rond6", ANN, THUG, space=SMALL))
    server.api(f"/fights/{fight}/settings", typed=["Ann", "Thug"])
    page = opened("master", width=width, height=800)
    page.goto(server.link)
    gm = Seated(page, "master", fight)
    gm.open(fight)
    until(gm.may, "somebody is up")
    gm.choose("attack")
    gm.commit("type")
    until(gm.asked, "dice are asked for")
    had = gm.faces()
    with watch.excused():
        server.kill()
        until(lambda: page.locator("#link-state").is_visible(), "the line is lost")
        assert page.evaluate(COVERED) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.locator('.ask [data-face="3"]').first.click()
        note = page.locator(".ask .unsent").first
        until(lambda: note.is_visible() and "3: not arrived yet" in (note.text_content() or ""), "the die is told as kept")
        assert "kept" in (page.locator("#link-state").text_content() or "") and gm.faces() == had
        page.locator('.ask [data-face="2"]').first.click()
        until(lambda: "3, 2: not arrived yet" in (note.text_content() or ""), "both dice are told as kept")
        server.start()
        until(lambda: not page.locator("#link-state").is_visible(), "connected again", 60)
    until(lambda: gm.faces()[: len(had) + 2] == [*had, 3, 2] or gm.faces() != had, "the dice have arrived")
    until(lambda: not page.locator(".ask .unsent:visible").count(), "nothing is told as kept any more")
    told = server.api(f"/fights/{fight}")["requests"]
    assert told and told[0]["faces"][: len(had) + 2] == [*had, 3, 2]
