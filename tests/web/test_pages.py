"""The pages around the fight: what each shows to whom, and that nothing typed is lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from web.pages_client import Table, table

from affray.formats.samples import samples
from affray.ruleset import NAMES

EVIL = "<script>alert(1)</script>"


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path) as found:
        yield found


def test_home_says_what_to_do(at: Table) -> None:
    assert "Type the code" in at.stranger.get("/").text
    home = at.master.get("/").text
    assert "Samples" in home and "New campaign" in home
    for one in samples():
        assert one.title in home


@pytest.mark.parametrize("name", ["rond6-tavern", "cepheus-corridor", "rd6-street"])
def test_a_sample_begins_at_once(at: Table, name: str) -> None:
    done = at.master.post(f"/samples/{name}", data={"then": "play"}, follow_redirects=False)
    assert done.status_code == 303 and done.headers["location"].startswith("/f/")
    assert at.stranger.post(f"/samples/{name}", data={"then": "play"}).status_code == 401
    assert "Go on" in at.master.get("/").text
    changed = at.master.post(f"/samples/{name}", data={"then": "change"})
    assert changed.status_code == 200 and "/new/" in changed.url.path


def test_a_form_needs_the_header(at: Table) -> None:
    del at.master.headers["X-Affray"]
    assert at.master.post("/campaigns", data={"title": "x", "ruleset": "rond6"}).status_code == 403


def test_names_of_people_are_words_only(at: Table) -> None:
    campaign = at.campaign(title=EVIL)
    path = at.draft(campaign, f"{EVIL}:\n{EVIL} (veteran)\nFoes: guard")
    at.master.post(f"/c/{campaign}/characters", data={"do": "names", "names": EVIL})
    player = at.join(campaign, EVIL, let_in=False)
    pages = ["/", f"/c/{campaign}", f"/c/{campaign}/people", f"/c/{campaign}/characters", f"/c/{campaign}/sheets", path]
    for page in pages:
        text = at.master.get(page).text
        assert "<script>alert" not in text, page
    code = at.app.state.hall.db.rows  # the player's own page, too
    assert code and "<script>alert" not in player.get("/").text


def test_what_is_wrong_with_a_new_campaign_is_said(at: Table) -> None:
    done = at.master.post("/campaigns", data={"title": "Mine", "ruleset": "rond7"})
    assert done.status_code == 400 and "rond6" in done.text and 'value="Mine"' in done.text


def test_joining(at: Table) -> None:
    campaign = at.campaign()
    at.master.post(f"/c/{campaign}/characters", data={"do": "names", "names": "Kess (veteran)"})
    people = at.master.get(f"/c/{campaign}/people").text
    code = people.split('class="code-big"')[1].split(">")[1].split("<")[0]
    assert "Who are you?" in at.stranger.get(f"/join/{code.lower()}").text
    assert at.stranger.get("/join/XXXXXX").status_code == 404
    player = at.another()
    assert player.post("/join", data={"code": code, "name": " "}).status_code == 400
    joined = player.post("/join", data={"code": code, "name": "Ann"})
    assert "Waiting for the game master" in joined.text and "Kess" in joined.text
    player.post(f"/join/{code}/seat", data={"character": "Kess"})
    assert "asked for" in player.get(f"/join/{code}").text
    assert player.get(f"/c/{campaign}").status_code == 403
    person = at.app.state.hall.people.of(campaign)[0]
    at.master.post(f"/c/{campaign}/people", data={"do": f"in {person.id}"})
    again = player.get(f"/join/{code}").text
    assert "You play Kess" in again
    assert player.get(f"/c/{campaign}").status_code == 200
    at.master.post(f"/c/{campaign}/people", data={"do": f"away {person.id}"})
    assert player.get(f"/c/{campaign}").status_code in (401, 403)


def test_where_every_seat_is_taken_the_next_one_is_told_whom_to_ask(at: Table) -> None:
    campaign = at.campaign()
    at.master.post(f"/c/{campaign}/characters", data={"do": "names", "names": "Kess (veteran)"})
    at.join(campaign, "Ann", "Kess")
    second = at.join(campaign, "Bea")
    told = second.get("/join/" + _code(at, campaign)).text
    assert "Every seat is taken" in told and "ask the game master" in told and "Pick a seat" not in told
    second.post(f"/join/{_code(at, campaign)}/seat", data={"character": "Kess"})
    assert "Every seat is taken" not in second.get("/join/" + _code(at, campaign)).text


def test_seats_that_are_none_are_not_taken(at: Table) -> None:
    campaign = at.campaign()
    player = at.join(campaign, seat="Somebody else")
    assert at.app.state.hall.people.seats == []
    assert "nobody to play yet" in player.get("/join/" + _code(at, campaign)).text


def _code(at: Table, campaign: str) -> str:
    text = at.master.get(f"/c/{campaign}/people").text
    return text.split('class="code-big"')[1].split(">")[1].split("<")[0]


def test_only_the_master_gets_in(at: Table) -> None:
    campaign = at.campaign()
    path = at.draft(campaign)
    player = at.join(campaign)
    closed = [path, f"{path}/file", f"/c/{campaign}/new", f"/c/{campaign}/people"]
    for page in closed:
        assert player.get(page).status_code == 403, page
        assert at.stranger.get(page).status_code == 401, page
    for page in (f"/c/{campaign}", f"/c/{campaign}/characters", f"/c/{campaign}/rulings"):
        assert player.get(page).status_code == 200, page
        assert at.stranger.get(page).status_code == 401, page
    for page in (path, f"/c/{campaign}/rulings", f"/c/{campaign}/people", f"/c/{campaign}/characters", f"/c/{campaign}/new"):
        assert player.post(page, data={"do": "names", "names": "X"}).status_code == 403, page
    assert player.post("/campaigns", data={"title": "X", "ruleset": "rond6"}).status_code in (401, 403)
    assert "At the ford" not in player.get(f"/c/{campaign}").text


def test_tokens_for_programs(at: Table) -> None:
    campaign = at.campaign()
    at.master.post(f"/c/{campaign}/characters", data={"do": "names", "names": "Kess"})
    done = at.master.post(f"/c/{campaign}/people", data={"do": "token", "bot": "Robo", "bot_seat": "Kess"}).text
    token = done.split('<p class="code">')[1].split("<")[0]
    bot = at.another()
    told = bot.get("/api/me", headers={"Authorization": f"Bearer {token}"}).json()
    assert told["people"][0]["name"] == "Robo"


def test_characters(at: Table) -> None:
    campaign = at.campaign()
    page = f"/c/{campaign}/characters"
    assert "Nobody yet" in at.master.get(page).text
    at.master.post(page, data={"do": "names", "names": "Kess (veteran)\nMox"})
    done = at.master.post(page, data={"do": "names", "names": "kess"})
    assert done.status_code == 400 and "already" in done.text and ">kess</textarea>" in done.text
    bad = 'name = "Ren"\ntemplate = "vetaran"\nskills = { Dogde = "4D" }\n'
    done = at.master.post(page, data={"do": "text", "text": bad})
    assert done.status_code == 400 and "veteran" in done.text and "Dodge" in done.text and "vetaran" in done.text
    kess = at.master.get(page).text.split(f"{page}/")[1].split('"')[0]
    sheet = at.master.get(f"{page}/{kess}").text
    assert "Melee Weapons" in sheet and "broad sword" in sheet
    fields = {"combatant.0.name": "Kess", "combatant.0.template": "veteran", "combatant.0.skills.Dodge": "6D", "do": "keep"}
    assert "Kept" in at.master.post(f"{page}/{kess}", data=fields).text
    fields |= {"combatant.0.skills.Dodge": "many", "combatant.0.attributes.Agility": "9"}
    done = at.master.post(f"{page}/{kess}", data=fields)
    assert done.status_code == 400 and 'value="many"' in done.text
    assert 'value="6D"' in at.master.get(f"{page}/{kess}").text
    player = at.join(campaign, seat="Mox")
    assert ">Kess<" in player.get(page).text
    alone = {"combatant.0.name": "Kess", "do": "keep", "player": ""}
    done = at.master.post(f"{page}/{kess}", data=alone)
    assert done.status_code == 200 and 'value="yes" checked' not in done.text, done.text
    assert ">Kess<" not in player.get(page).text and "player = false" in at.master.get(f"{page}/{kess}").text
    at.master.post(f"{page}/{kess}", data={**alone, "player": ["", "yes"]})
    assert ">Kess<" in player.get(page).text and "player = false" not in at.master.get(f"{page}/{kess}").text
    assert player.get(f"{page}/{kess}").status_code == 403
    assert "broad sword" not in player.get(page).text
    papers = player.get(f"/c/{campaign}/sheets").text
    assert "<h2>Mox</h2>" in papers and "<h2>Kess</h2>" not in papers
    at.master.post(f"{page}/{kess}", data={"do": "drop"})
    assert at.master.get(f"{page}/{kess}").status_code == 404


@pytest.mark.parametrize("ruleset", NAMES)
def test_sheets_to_print(at: Table, ruleset: str) -> None:
    campaign = at.campaign(ruleset)
    stock = "Marine Sergeant" if ruleset == "cepheus" else "veteran"
    at.master.post(f"/c/{campaign}/characters", data={"do": "names", "names": f"Kess ({stock})"})
    paper = at.master.get(f"/c/{campaign}/sheets")
    assert paper.status_code == 200 and "Kess" in paper.text and "Skills" in paper.text
    assert ("Wounds" in paper.text) == (ruleset != "cepheus"), "boxes to tick only for what there is"


def test_house_rules(at: Table) -> None:
    campaign = at.campaign()
    page = f"/c/{campaign}/rulings"
    text = at.master.get(page).text
    assert "every point by which the total beats the number" in text
    done = at.master.post(page, data={"rulings.result_points": "per5", "rulings.wild_one": "perhaps"})
    assert done.status_code == 400 and "not a value of this ruling" in done.text
    assert "differs" not in at.master.get(page).text
    assert "Kept" in at.master.post(page, data={"rulings.result_points": "per5"}).text
    begun = at.master.post("/samples/rond6-tavern", data={"then": "play", "campaign": campaign}, follow_redirects=False)
    fight = begun.headers["location"].removeprefix("/f/")
    shown = at.app.state.hall.tables[fight].shown
    assert shown.state.rulings.result_points == "per5"
    at.master.post(page, data={"rulings.result_points": "per6", "now": fight})
    shown = at.app.state.hall.tables[fight].shown
    assert shown.state.rulings.result_points == "per6"
    assert any("per6" in str(event) for entry in shown.entries for event in entry.events)
    at.master.post(page, data={"do": "book"})
    assert "differs" not in at.master.get(page).text


@pytest.mark.parametrize("path", ["/rules", "/rules/rond6", "/rules/rond6?q=prone", "/rules/cepheus", "/help", "/join"])
def test_for_everybody(at: Table, path: str) -> None:
    done = at.stranger.get(path)
    assert done.status_code == 200 and done.headers["content-type"].startswith("text/html")


def test_a_rule(at: Table) -> None:
    text = at.stranger.get("/rules/rond6/RON-ATK-4").text
    assert "data-rule-text" in text and "RON-ATK-5" in text
    assert "data-rule-text" in at.stranger.get("/rules/RON-ATK-4").text
    for path in ("/rules/rond6/RON-NO-1", "/rules/d20", "/rules/d20/X"):
        assert at.stranger.get(path).status_code == 404


def test_a_campaign_changes(at: Table) -> None:
    campaign = at.campaign()
    before = _code(at, campaign)
    page = f"/c/{campaign}"
    at.master.post(page, data={"do": "rename", "title": "The Coast"})
    at.master.post(page, data={"do": "code"})
    assert "The Coast" in at.master.get(page).text and _code(at, campaign) != before
    path = at.draft(campaign)
    begun = at.master.post(path, data={"do": "start"}, follow_redirects=False)
    fight = begun.headers["location"].removeprefix("/f/")
    again = at.master.post(page, data={"do": f"again {fight}"})
    assert "/new/" in again.url.path and "Ready to start" in again.text
    other = at.campaign(title="Another")
    assert at.master.post(f"/c/{other}", data={"do": f"away {fight}"}).status_code == 404
    at.master.post(page, data={"do": f"away {fight}"})
    assert at.master.get(f"/f/{fight}/summary").status_code == 404
    player = at.join(campaign)
    assert player.post(page, data={"do": "drop"}).status_code == 403
    at.master.post(page, data={"do": "drop"})
    assert at.master.get(page).status_code == 404


def test_two_fights_of_one_title_are_told_apart(at: Table) -> None:
    campaign = at.campaign()
    asked = {"then": "play", "campaign": campaign}
    for _ in range(2):
        at.master.post("/samples/rond6-tavern", data=asked, follow_redirects=False)
    player = at.join(campaign)
    code = at.master.get(f"/c/{campaign}/people").text.split('class="code-big"')[1].split(">")[1].split("<")[0]
    for page in (at.master.get("/").text, at.master.get(f"/c/{campaign}").text, player.get(f"/join/{code}").text):
        assert "no. 1, set up " in page and "no. 2, set up " in page and "round 1" in page
    assert "set up " not in at.master.get(f"/c/{at.campaign()}").text


@pytest.mark.parametrize("ruleset", NAMES)
def test_sheets_say_what_their_numbers_are(at: Table, ruleset: str) -> None:
    """Each defense with what it is against, squares only where there are some, no parts that cannot be opened on paper."""
    campaign = at.campaign(ruleset)
    template = "Sniper" if ruleset == "cepheus" else "duellist"
    at.master.post(f"/c/{campaign}/characters", data={"do": "names", "names": f"Kess ({template})"})
    sheet = at.master.get(f"/c/{campaign}/sheets").text
    assert "Kess" in sheet and ">Defence " not in sheet and ">defence " not in sheet and "squares" not in sheet
    assert not re.search(r"<dd[^>]*>[^<]*(\[| = )", sheet)
    assert not re.search(r"ranges</span>\s*(·|<)", sheet), "a weapon without ranges lists them"
    assert {"rond6": "Defense against thrown weapons", "rd6": "Passive defence, close", "cepheus": ">6 m<"}[ruleset] in sheet


def test_mistakes_say_what_to_do(at: Table) -> None:
    campaign = at.campaign()
    for client, path, code, words in (
        (at.stranger, f"/c/{campaign}", 401, "types the code"), (at.master, "/c/nothing", 404, "link may be old"),
        (at.join(campaign), f"/c/{campaign}/people", 403, "ask the game master"),
    ):  # fmt: skip
        shown = client.get(path)
        assert shown.status_code == code and words in shown.text
        assert str(code) not in re.sub(r"<[^>]*>", " ", shown.text.partition("<main")[2])


def test_a_rule_says_nothing_of_the_program(at: Table) -> None:
    assert "places of the program" not in at.stranger.get("/rules/rond6/RON-ATK-1").text
