"""After a fight: figures for each audience, rest and healing, loot, and taking it all into the next encounter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from web.pages_client import Table, table

from affray.formats.encounter import load_fight
from affray.web.pages import after


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path) as found:
        yield found


def fought(at: Table, ruleset: str = "rond6", who: str = "2 thugs") -> tuple[str, str]:
    """A campaign with Kess in it, who has fought; the id of the fight."""
    campaign = at.campaign(ruleset)
    stock = {"rond6": "veteran", "rd6": "veteran", "cepheus": "Marine Sergeant"}[ruleset]
    at.master.post(f"/c/{campaign}/characters", data={"do": "names", "names": f"Kess ({stock})"})
    path = at.draft(campaign, f"Heroes:\nKess\nWatch:\n{who}")
    if ruleset == "cepheus":
        at.master.post(path, data={"do": "save", "space.kind": "distances"})
        row = {"distances.new.a": "Heroes", "distances.new.b": "Watch", "distances.new.is": "Short"}
        at.master.post(path, data={"do": "row", **row})
    fight = at.master.post(path, data={"do": "start"}, follow_redirects=False).headers["location"].removeprefix("/f/")
    hall = at.app.state.hall
    open_table = hall.tables[fight]

    async def play() -> None:
        def to_the_end(one: object) -> None:
            rules, run = open_table.shown.ruleset, open_table._fight
            run.policies = {f.side: rules.policies["aggressive"] for f in run.state.fighters}
            for _ in range(600):
                if rules.over(run.state):
                    break
                if run.open:
                    asked = run.open.requests[0]
                    run.answer(asked.n, asked.request.default)
                else:
                    run.step()
            run.policies = {}

        await open_table.act(to_the_end)

    at.stranger.blocking_portal.call(play)
    return campaign, fight


@pytest.mark.parametrize("ruleset", ["rond6", "rd6", "cepheus"])
def test_the_whole_evening(at: Table, ruleset: str, tmp_path: Path) -> None:
    campaign, fight = fought(at, ruleset)
    page = at.master.get(f"/f/{fight}/summary").text
    assert "hold the field" in page and "Luck" in page and "Kess" in page
    page = at.master.get(f"/f/{fight}/after").text
    assert "How everybody is" in page and "Thug 1" in page
    done = at.master.post(f"/f/{fight}/after", data={"do": "rest 1 minute"})
    assert done.status_code == 200, done.text
    done = at.master.post(f"/f/{fight}/after", data={"do": "rest", "span": "1 day 2 hours"})
    assert done.status_code == 200
    done = at.master.post(f"/f/{fight}/after", data={"do": "rest", "span": "soon"})
    assert done.status_code == 400 and 'value="soon"' in done.text and "is no time" in done.text
    along = at.master.post(f"/f/{fight}/after", data={"do": "along", "along": "Kess"})
    assert along.status_code == 200 and "Kess is kept as a character" in along.text
    shown = at.app.state.hall.tables[fight].shown
    kept = shown.ruleset.kept(shown.state, "Kess")
    path = at.draft(campaign, "Heroes:\nKess\nMore:\n2 guards")
    file = tmp_path / "next.toml"
    file.write_text(at.master.get(f"{path}/file").text)
    again = load_fight(file)
    assert again.ruleset.kept(again.state, "Kess") == kept


def test_one_of_several_whom_a_player_runs_may_be_kept(at: Table) -> None:
    campaign, fight = fought(at)
    shown, source = at.app.state.hall.tables[fight].shown, '[[combatant]]\nname = "Thug"\ncount = 2\ntemplate = "thug"'
    assert not after.along(shown, source, [], ())
    (kept,) = after.along(shown, source, [], ("Thug 2",))
    assert (kept["name"], kept["known"], kept["sheet"]) == ("Thug 2", None, {"template": "thug"})
    at.join(campaign, "Bob", seat="Kess")
    assert 'name="along" value="Kess"' in at.master.get(f"/f/{fight}/after").text


def test_a_name_of_an_earlier_fight_that_is_no_character_says_so(at: Table) -> None:
    campaign, fight = fought(at, who="Odo (thug)\nRaf")
    path = at.draft(campaign, "Heroes:\nKess\nOdo\nNew one\nWatch:\n2 thugs")
    told = at.master.get(path).text
    assert "Odo was in “At the ford”, but is no character of the campaign" in told and f'href="/f/{fight}/after"' in told
    assert told.count("no character of the campaign") == 1 and told.count("Average in everything until") == 1
    at.master.post(f"/c/{campaign}/characters", data={"do": "names", "names": "Odo (thug)"})
    assert "no character of the campaign" not in at.master.get(at.draft(campaign, "Heroes:\nOdo\nWatch:\n2 thugs")).text


def test_what_is_kept_is_told_in_words_of_people(at: Table) -> None:
    state = {"wounds": 3, "out": "unconscious", "fainted": "wounds", "injury": 3, "character": 2, "stunned": True}
    assert after.in_words(state, "rond6") == "wounds 3, stunned, unconscious, Character Points 2"


@pytest.mark.parametrize("ruleset", ["rond6", "cepheus"])
def test_loot(at: Table, ruleset: str) -> None:
    campaign, fight = fought(at, ruleset)
    shown = at.app.state.hall.tables[fight].shown
    fallen = [f for f in shown.state.fighters if f.side == "Watch" and shown.ruleset.fallen(f)]
    if not fallen:
        pytest.skip("Kess has lost")
    at.master.post(f"/f/{fight}/after", data={"do": "along", "along": "Kess"})
    page = at.master.get(f"/f/{fight}/after").text
    kess = page.split('<select class="small-select"')[1].split('<option value="')[2].split('"')[0]
    weapon = fallen[0].sheet.weapons[0].name
    done = at.master.post(f"/f/{fight}/after", data={"do": "loot", "loot.0": kess, "piece.0": f"{fallen[0].id} {weapon}"})
    assert f"Kess takes the {weapon}" in done.text
    assert weapon in at.master.get(f"/c/{campaign}/characters/{kess}").text
    path = at.draft(campaign, "Heroes:\nKess\nMore:\n2 guards")
    assert "Ready to start" in at.master.get(path).text
    assert at.master.post(f"/f/{fight}/after", data={"do": "loot"}).status_code == 400


def test_who_may_see_what(at: Table) -> None:
    campaign, fight = fought(at)
    player = at.join(campaign, seat="Kess")
    watcher = at.join(campaign, "Bea", role="spectator")
    for one in (player, watcher):
        assert one.get(f"/f/{fight}/after").url.path.endswith("/summary")
        assert one.post(f"/f/{fight}/after", data={"do": "rest 1 day"}).status_code == 403
        assert one.get(f"/f/{fight}/summary").status_code == 200
    for path in ("summary", "after", "sheets", "log", "log/text"):
        assert at.stranger.get(f"/f/{fight}/{path}").status_code == 401
    other = at.campaign(title="Another")
    outsider = at.join(other, "Cid")
    for path in ("summary", "after", "sheets", "log", "log/text"):
        assert outsider.get(f"/f/{fight}/{path}").status_code == 404
    assert "Luck" in player.get(f"/f/{fight}/summary").text and "Luck" not in watcher.get(f"/f/{fight}/summary").text
    mine = player.get(f"/f/{fight}/sheets").text
    assert "<h2>Kess</h2>" in mine and "<h2>Thug 1</h2>" not in mine
    assert "<h2>Thug 1</h2>" in at.master.get(f"/f/{fight}/sheets").text
    assert "no sheet here" in watcher.get(f"/f/{fight}/sheets").text


def test_while_it_goes_on(at: Table) -> None:
    done = at.master.post("/samples/rond6-duel", data={"then": "play"}, follow_redirects=False)
    fight = done.headers["location"].removeprefix("/f/")
    assert "still goes on" in at.master.get(f"/f/{fight}/after").text
    assert "the fight goes on" in at.master.get(f"/f/{fight}/summary").text
    assert at.master.post(f"/f/{fight}/after", data={"do": "rest 1 day"}).status_code in (200, 400)


def test_the_log_on_paper(at: Table) -> None:
    campaign, fight = fought(at)
    page = at.master.get(f"/f/{fight}/log").text
    assert "Round 1" in page and "RON-" in page and "Kess" in page
    text = at.master.get(f"/f/{fight}/log/text")
    assert text.headers["content-type"].startswith("text/plain") and "Round 1" in text.text
    only = at.master.get(f"/f/{fight}/log", params={"who": "Thug 1"}).text
    assert len(only) < len(page)
    assert all("Game master</span>" in one for one in (page, only)), "who looks stands on top, whomever the log is about"
    player = at.join(campaign, seat="Kess")
    assert player.get(f"/f/{fight}/log").status_code == 200


def test_the_same_by_json(at: Table) -> None:
    campaign, fight = fought(at)
    told = at.master.get(f"/api/fights/{fight}/summary").json()
    assert told["over"] and told["people"][0]["name"] == "Kess" and told["people"][0]["dice"]["verdict"]
    due = at.master.get(f"/api/fights/{fight}/due").json()
    assert due["over"] and set(due["kept"]) == {"Kess", "Thug 1", "Thug 2"}
    player = at.join(campaign, seat="Kess")
    told = player.get(f"/api/fights/{fight}/summary").json()
    assert told["dice"] is None and [one["dice"] is None for one in told["people"]] == [False, True, True]
    assert player.get(f"/api/fights/{fight}/due").status_code == 403
    assert at.stranger.get(f"/api/fights/{fight}/summary").status_code == 401
