"""Setting a fight up: from names, files and samples; every problem beside its field; the file is that of the command line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from web.pages_client import Table, table

from affray.formats.encounter import load_fight
from affray.formats.samples import samples


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path) as found:
        yield found


def test_from_names_to_a_fight(at: Table, tmp_path: Path) -> None:
    campaign = at.campaign()
    path = at.draft(campaign)
    page = at.master.get(path).text
    assert "Ready to start" in page and 'value="Kess"' in page and "guard" in page
    file = at.master.get(f"{path}/file")
    assert 'filename="at-the-ford.toml"' in file.headers["content-disposition"]
    kept = tmp_path / "kept.toml"
    kept.write_text(file.text)
    assert [f.id for f in load_fight(kept).state.fighters] == ["Kess", "Guard 1", "Guard 2"]
    done = at.master.post(path, data={"do": "start"}, follow_redirects=False)
    fight = done.headers["location"].removeprefix("/f/")
    assert [f.id for f in at.app.state.hall.tables[fight].shown.state.fighters] == ["Kess", "Guard 1", "Guard 2"]


def test_house_rules_stand_in_the_file(at: Table, tmp_path: Path) -> None:
    campaign = at.campaign()
    at.master.post(f"/c/{campaign}/rulings", data={"rulings.result_points": "per5", "rulings.wound_also_stuns": "false"})
    path = at.draft(campaign)
    kept = tmp_path / "kept.toml"
    kept.write_text(at.master.get(f"{path}/file").text)
    rulings = load_fight(kept).state.rulings
    assert rulings.result_points == "per5" and rulings.wound_also_stuns is False
    at.master.post(path, data={"do": "keep", "rulings.result_points": "margin"})
    kept.write_text(at.master.get(f"{path}/file").text)
    assert load_fight(kept).state.rulings.result_points == "margin"


def test_all_that_is_wrong_at_once_and_nothing_lost(at: Table) -> None:
    path = at.draft(at.campaign())
    typed = {"combatant.0.template": "vetaran", "combatant.1.count": "many", "side.0.policy": "agressive", "space.size.0": "wide"}
    told = at.master.post(path, data={"do": "keep", **typed}).json()
    assert told["ready"] is False
    fields = {one["field"]: one["nearest"] for one in told["problems"]}
    assert fields == {"combatant.0.template": "veteran", "combatant.1.count": "", "side.0.policy": "aggressive", "space.size": ""}
    page = at.master.get(path).text
    for value in typed.values():
        assert value in page
    assert page.count('aria-invalid="true"') >= 3
    done = at.master.post(path, data={"do": "start"})
    assert done.status_code == 400 and "4 things are wrong" in done.text
    fixed = {"combatant.0.template": "veteran", "combatant.1.count": "3", "side.0.policy": "", "space.size.0": "22"}
    assert at.master.post(path, data={"do": "keep", **fixed}).json()["ready"] is True


def test_text_that_is_no_toml_is_kept(at: Table) -> None:
    path = at.draft(at.campaign())
    done = at.master.post(path, data={"do": "text", "text": "ruleset = \n[[combatant"})
    assert "Not valid TOML" in done.text and "[[combatant" in done.text
    assert "[[combatant" in at.master.get(path).text
    assert at.master.get(f"{path}/file").text.startswith("ruleset = ")


def test_a_file_that_cannot_be_opened_stays_typed(at: Table) -> None:
    campaign = at.campaign()
    done = at.master.post(f"/c/{campaign}/new", data={"do": "text", "source": "title = 'x"})
    assert done.status_code == 400 and "title = &#39;x" in done.text


def test_things_are_added_and_removed(at: Table) -> None:
    campaign = at.campaign()
    at.master.post(f"/c/{campaign}/characters", data={"do": "names", "names": "Mox (archer)"})
    path = at.draft(campaign)
    at.master.post(path, data={"do": "names 1", "new.names.1": "2 thugs, Odo (watch sergeant)"})
    at.master.post(path, data={"do": "stock 0", "new.stock.0": "wolf", "new.count.0": "2"})
    at.master.post(path, data={"do": "character 0", "new.character.0": "Mox"})
    at.master.post(path, data={"do": "side", "new.side": "Beasts"})
    text = at.master.get(f"{path}/file").text
    for words in ('name = "Thug"', 'name = "Odo"', 'name = "Wolf"', 'name = "Mox"', "player = true", 'name = "Beasts"'):
        assert words in text
    at.master.post(path, data={"do": "row", "space.walls.new": "3, 3, 3, 6"})
    at.master.post(path, data={"do": "row", "space.cover.new.area": "5 5 6 6", "space.cover.new.value": "5"})
    page = at.master.get(path).text
    assert 'class="wall"' in page and 'class="cover"' in page
    at.master.post(path, data={"do": "drop-side 2"})
    at.master.post(path, data={"do": "drop-person 0", "space.walls.0": ""})
    text = at.master.get(f"{path}/file").text
    assert "Beasts" not in text and "Kess" not in text and "walls" not in text


def test_from_a_map_to_distances_and_back(at: Table) -> None:
    path = at.draft(at.campaign("cepheus"), "Crew:\nMara\nPirates:\n2 thugs")
    at.master.post(path, data={"do": "save", "space.kind": "distances"})
    row = {"distances.new.a": "Crew", "distances.new.b": "Pirates", "distances.new.is": "Short"}
    page = at.master.post(path, data={"do": "row", **row}).text
    assert 'value="Short"' in page and "Ready to start" in page
    page = at.master.post(path, data={"do": "save", "space.kind": "grid"}).text
    assert "Ready to start" in page and "<svg viewBox" in page


def test_forecast(at: Table) -> None:
    path = at.draft(at.campaign(), "A:\nKess (veteran)\nB:\nthug")
    told = at.master.post(f"{path}/forecast").text
    assert " played" in told and "95 %" in told
    at.master.post(path, data={"do": "text", "text": "ruleset = 'rond6'"})
    assert "still wrong" in at.master.post(f"{path}/forecast").text


def test_thrown_away(at: Table) -> None:
    path = at.draft(at.campaign())
    at.master.post(path, data={"do": "drop"})
    assert at.master.get(path).status_code == 404


@pytest.mark.parametrize("name", ["rond6-ambush", "rd6-wyrm", "cepheus-street", "cepheus-ridge"])
def test_samples_open(at: Table, name: str) -> None:
    done = at.master.post(f"/samples/{name}", data={"then": "change"})
    assert done.status_code == 200 and "Ready to start" in done.text


def test_two_windows(at: Table) -> None:
    path = at.draft(at.campaign())
    shape = at.master.get(path).text.split('name="shape" value="')[1].split('"')[0]
    at.master.post(path, data={"do": "names 0", "new.names.0": "Mox", "shape": shape})
    late = at.master.post(path, data={"do": "keep", "combatant.1.name": "Somebody", "shape": shape})
    assert late.status_code == 409 and "another window" in late.text
    assert "Somebody" not in at.master.get(path).text


def test_forecast_by_json(at: Table) -> None:
    path = at.draft(at.campaign(), "A:\nKess (veteran)\nB:\nthug")
    told = at.master.get(f"/api/encounters/{path.rsplit('/', 1)[1]}/forecast").json()
    assert [one["name"] for one in told["sides"]] == ["A", "B"]
    assert at.stranger.get(f"/api/encounters/{path.rsplit('/', 1)[1]}/forecast").status_code == 401


def test_a_slip_in_a_pasted_list_is_told_once(at: Table) -> None:
    """The line and the nearest name; nothing typed is lost; sent again as it is, it is taken as plain names."""
    campaign = at.campaign()
    names = "3 thugs, Dame Orla\nWatch:\nOdo (watch sargeant)"
    asked = {"do": "names", "title": "", "names": names}
    told = at.master.post(f"/c/{campaign}/new", data=asked)
    assert told.status_code == 400 and "Line 3" in told.text and "watch sergeant" in told.text
    assert f">{names}</textarea>" in told.text
    made = at.master.post(f"/c/{campaign}/new", data={**asked, "sure": names})
    assert made.status_code == 200 and "Odo (watch sargeant)" in made.text
    assert at.master.post(f"/c/{campaign}/new", data={**asked, "sure": "something else"}).status_code == 400
    assert "/new/" in at.draft(campaign, "3 thugs, Dame Orla")


def test_a_slip_in_a_name_that_is_added_is_told_with_the_nearest_one(at: Table) -> None:
    path = at.draft(at.campaign(), "Heroes:\nKess\nFoes:\nthug")
    told = at.master.post(path, data={"do": "names 1", "new.names.1": "Bo, thgu", "title": "Kept"})
    assert told.status_code == 400 and "“thgu”" in told.text
    assert 'data-fill="new.names.1" data-value="Bo, thug"' in told.text and 'value="Bo, thgu"' in told.text
    assert 'value="Kept"' in told.text and at.master.get(path).text.count('class="person') == 2
    both = at.master.post(path, data={"do": "names 1", "new.names.1": "thgu, gaurd", "title": "Kept"}).text
    assert "“thgu”" in both and "“gaurd”" in both and 'data-value="thug, guard"' in both
    sure = {"do": "names 1", "new.names.1": "Bo, thgu", "new.sure.1": "Bo, thgu"}
    assert at.master.post(path, data=sure).text.count('class="person') == 4
    for plain in ("Dame Orla", "2 thugs", "Zorblax (veteran)"):
        assert at.master.post(path, data={"do": "names 1", "new.names.1": plain}).status_code == 200


def test_a_fight_without_seats_says_so_and_the_master_gives_some(at: Table) -> None:
    campaign = at.campaign()
    path = at.draft(campaign)
    assert "players find no seat" in at.master.get(path).text.split('id="state"')[1].split(">", 1)[1].split("<")[0]
    told = at.master.post(path, data={"do": "keep", "combatant.0.player": "yes"}).json()
    assert told["ready"] and told["seated"]
    assert not at.master.post(path, data={"do": "keep", "combatant.0.player": ""}).json()["seated"]
    at.master.post(path, data={"do": "start"})
    people = f"/c/{campaign}/people"
    player = at.join(campaign)
    code = at.master.get(people).text.split('class="code-big"')[1].split(">")[1].split("<")[0]
    seats = player.get(f"/join/{code}").text
    assert "marked as a player" in seats and "Guard" not in seats
    person = at.app.state.hall.people.of(campaign)[0]
    assert "in the running fight" in at.master.get(people).text
    at.master.post(people, data={"do": f"seat {person.id}", f"seat.{person.id}": "Kess"})
    assert "You play Kess" in player.get(f"/join/{code}").text


def test_stock_combatants_are_listed_where_names_are_typed(at: Table) -> None:
    assert "watch sergeant, soldier" in at.master.get(f"/c/{at.campaign()}/new").text


def test_words_of_a_draft_are_plain(at: Table) -> None:
    path = at.draft(at.campaign(), "Heroes:\nKess (veteran)\nMox (veteran)\nWatch:\n2 thugs")
    fight = at.master.post(path, data={"do": "start"}, follow_redirects=False).headers["location"].removeprefix("/f/")
    text = at.master.get(f"/f/{fight}/part/panel?verb=attack").text
    assert "on the same side" not in text and "Choose whom it is aimed at" in text
    text = at.master.get(f"/f/{fight}/part/panel?verb=attack&v.target=%22Mox%22").text
    assert "on the same side" in text
    assert "up to " in text and "1 more options" not in text
    assert "`" not in at.master.get(f"/f/{fight}/part/panel?verb=move").text


def test_remarks_of_samples_do_not_say_the_rules_twice(at: Table) -> None:
    told = [one for one in samples() if one.text]
    assert len(told) > 10
    assert len({one.text for one in told}) == len(told)
    assert not [one.name for one in told if one.text.lower().startswith(f"{one.ruleset}:")]
