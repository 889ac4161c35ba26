"""Who may come, sit, see and decide; what ends when somebody is sent away."""

from __future__ import annotations

from typing import Any

import pytest
from web.hosting import FIGHT, Person, Table, hosted


def test_nobody_sees_anything_before_being_let_in(table: Table) -> None:
    stranger = Person(table.client)
    for path in (table.path, f"{table.path}/log", f"/api/campaigns/{table.campaign}", f"{table.path}/stream"):
        assert stranger.refused(401, "GET", path)["error"] == "unknown"
    waiting = table.join("Ann", "Kess", approved=False)
    for path in (table.path, f"{table.path}/log", f"{table.path}/offers?who=Kess", f"{table.path}/stream"):
        assert "not let you in" in waiting.refused(403, "GET", path)["message"]
    waiting.refused(403, "POST", f"{table.path}/orders", order={"do": "end", "by": "Kess"})
    table.master.do("PATCH", f"/api/campaigns/{table.campaign}/people/{waiting.id}", approved=True)
    assert table.model(waiting)["you"]["own"] == ["Kess"]


def test_the_master_sees_in_the_fight_how_many_wait(table: Table) -> None:
    assert table.model()["door"] == 0
    ann, ben = table.join("Ann", "Kess", approved=False), table.join("Ben")
    ben.post(f"/api/campaigns/{table.campaign}/seats", character="Bo")
    assert table.model()["door"] == 2  # one to be let in, one to be given a seat
    page = table.client.get(f"/f/{table.fight}", headers=table.master.headers()).text
    assert "2 wait for you" in page and f'href="/c/{table.campaign}/people"' in page
    for one, character in ((ann, "Kess"), (ben, "Bo")):
        table.master.do("PATCH", f"/api/campaigns/{table.campaign}/people/{one.id}", approved=True)
        table.master.post(f"/api/campaigns/{table.campaign}/seats", character=character, person=one.id)
    assert table.model()["door"] == 0 and "door" not in table.model(ann)


def test_a_seat_taken_later_waits_for_the_master_too(table: Table) -> None:
    ann = table.join("Ann", "Kess")
    ann.post(f"/api/campaigns/{table.campaign}/seats", character="Bo")
    assert table.model(ann)["you"]["own"] == ["Kess"]
    ann.post(f"/api/campaigns/{table.campaign}/seats", character="Bo", approved=True)
    assert table.model(ann)["you"]["own"] == ["Kess"]
    table.master.post(f"/api/campaigns/{table.campaign}/seats", character="Bo", person=ann.id)
    assert table.model(ann)["you"]["own"] == ["Bo", "Kess"]
    ann.do("DELETE", f"/api/campaigns/{table.campaign}/seats?character=Bo")
    assert table.model(ann)["you"]["own"] == ["Kess"]


UNSEEN = "A\u202enn\x00a\x07\u200b \n Lee"


def test_what_cannot_be_seen_in_a_name_is_left_out(table: Table) -> None:
    master, here = table.master, f"/api/campaigns/{table.campaign}"
    person = table.join(UNSEEN)
    assert [one["name"] for one in master.get(f"{here}/people")] == ["Anna Lee"]
    master.do("PATCH", f"{here}/people/{person.id}", name="B\u202eo")
    assert [one["name"] for one in master.get(f"{here}/people")] == ["Bo"]
    assert master.post("/api/campaigns", title=UNSEEN, ruleset="rond6")["title"] == "Anna Lee"
    assert master.do("PATCH", here, title=f"{UNSEEN} 2")["title"] == "Anna Lee 2"
    assert master.post(f"{here}/characters", name=UNSEEN)["name"] == "Anna Lee"
    assert master.post(f"{here}/seats", character=UNSEEN, person=person.id)["character"] == "Anna Lee"
    fight = master.post(f"{here}/encounters", sample="rond6-duel", title=UNSEEN)["id"]
    assert master.get(f"/api/encounters/{fight}")["title"] == "Anna Lee"
    written = FIGHT.replace('title = "Two and two"', 'title = "Two\\u202e \\u0007and two"')
    assert "cannot be printed" in master.refused(400, "POST", f"{here}/encounters", source=written)["message"]
    found = person.refused(400, "POST", "/api/join", code=table.code, name="\u202e\u200b")
    assert "nothing in it that can be read" in found["message"]
    joiner = "\u0645\u06cc\u200c\u062e"  # a sign that belongs to the script
    assert master.post(f"{here}/characters", name=joiner)["name"] == joiner


def test_two_of_one_name_and_coming_twice(table: Table) -> None:
    ann, other = table.join("Ann"), table.join("Ann")
    names = [one["name"] for one in table.master.get(f"/api/campaigns/{table.campaign}/people")]
    assert names == ["Ann", "Ann 2"] and ann.id != other.id
    again = ann.post("/api/join", code=table.code.lower(), name="Somebody else")
    assert again["person"]["id"] == ann.id


def test_what_players_may_not_do(table: Table) -> None:
    ann, ben = table.join("Ann", "Kess"), table.join("Ben", "Bo")
    camp = f"/api/campaigns/{table.campaign}"
    for method, path, body in (
        ("PATCH", f"{camp}/people/{ann.id}", {"role": "master"}),
        ("PATCH", f"{camp}/people/{ben.id}", {"gone": True}),
        ("PATCH", camp, {"title": "Mine"}),
        ("DELETE", camp, {}),
        ("POST", f"{camp}/seats", {"character": "Orc 1", "person": ben.id}),
        ("POST", f"{camp}/tokens", {"bot": "Rex"}),
        ("POST", f"{camp}/tokens", {"person": ben.id}),
        ("DELETE", f"{camp}/people/{ben.id}/tokens", {}),
        ("POST", f"{camp}/characters", {"name": "Me"}),
        ("POST", f"{camp}/encounters", {"source": FIGHT}),
        ("GET", f"/api/encounters/{table.fight}", {}),
        ("DELETE", f"/api/encounters/{table.fight}", {}),
        ("POST", f"{table.path}/orders", {"order": {"do": "end", "by": "Bo"}}),
        ("POST", f"{table.path}/orders", {"order": {"do": "set", "by": "master", "who": "Kess", "fields": {"wounds": 0}}}),
        ("POST", f"{table.path}/settings", {"typed": ["Kess"]}),
    ):
        assert ann.refused(403, method, path, **body)["message"]
    ann.refused(403, "POST", "/api/campaigns", title="Mine", ruleset="rond6")
    assert "code" not in ann.get(camp) and table.code not in str(ann.get("/api/campaigns"))


def test_campaigns_do_not_see_one_another(table: Table) -> None:
    other = Table(table.client)
    ann = table.join("Ann", "Kess")
    assert ann.refused(404, "GET", other.path)["message"] == "there is no such fight"
    ann.refused(401, "GET", f"/api/campaigns/{other.campaign}/people")
    ann.refused(401, "POST", f"/api/campaigns/{other.campaign}/seats", character="Kess")
    ann.post("/api/join", code=other.code, name="Ann")
    assert len(ann.get("/api/me")["people"]) == 2 and table.model(ann)["you"]["own"] == ["Kess"]
    ann.refused(403, "GET", other.path)


def test_somebody_sent_away_is_nobody(table: Table) -> None:
    ann = table.join("Ann", "Kess")
    token = ann.post(f"/api/campaigns/{table.campaign}/tokens", label="script")["token"]
    script = Person(table.client, token)
    assert table.model(script)["you"]["own"] == ["Kess"]
    table.master.do("PATCH", f"/api/campaigns/{table.campaign}/people/{ann.id}", gone=True)
    for one in (ann, script):
        assert one.refused(401, "GET", table.path)


def test_tokens_of_bots(table: Table) -> None:
    made = table.master.post(f"/api/campaigns/{table.campaign}/tokens", bot="Rex", characters=["Orc 1", "Orc 2"])
    bot = Person(table.client, made["token"])
    assert table.model(bot)["you"] == {"master": False, "own": ["Orc 1", "Orc 2"], "numbers": False, "spectator": False}
    table.master.do("DELETE", f"/api/campaigns/{table.campaign}/people/{made['person']['id']}/tokens")
    bot.refused(401, "GET", table.path)


def test_a_new_code_and_leaving(table: Table) -> None:
    old = table.code
    new = table.master.do("PATCH", f"/api/campaigns/{table.campaign}", code=True)["code"]
    assert new != old
    Person(table.client).refused(404, "POST", "/api/join", code=old, name="X")
    table.code = new
    ann = table.join("Ann", "Kess")
    kept = ann.cookie
    ann.post("/api/leave")
    ann.cookie = kept
    ann.refused(401, "GET", table.path)


def test_all_is_there_after_a_restart(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    with hosted(folder) as client:
        table = Table(client)
        ann, wall = table.join("Ann", "Kess"), table.join("Wall", role="spectator")
        waiting = table.join("Late", "Bo", approved=False)
        before = table.model(ann), table.model(wall)
    with hosted(folder, key="another") as client:
        for one in (ann, wall, waiting, table.master):
            one.client = client
        assert (table.model(ann), table.model(wall)) == before
        waiting.refused(403, "GET", table.path)
        assert table.master.get("/api/me")["host"]
        stranger = Person(client)
        stranger.ask("GET", "/?key=the-key", follow_redirects=False)
        assert not stranger.get("/api/me")["host"]


def test_characters_are_kept_and_renamed_with_their_seats(table: Table) -> None:
    camp = f"/api/campaigns/{table.campaign}"
    kess = table.master.post(f"{camp}/characters", name="Kess", sheet={"skills": {"Fighting": "5D"}})
    table.master.refused(400, "POST", f"{camp}/characters", name="kess")
    ann, wall = table.join("Ann", "Kess"), table.join("Wall", role="spectator")
    assert ann.get(f"{camp}/characters") == [kess] and wall.get(f"{camp}/characters") == [{"id": kess["id"], "name": "Kess"}]
    table.master.do("PUT", f"{camp}/characters/{kess['id']}", name="Kessa", sheet=kess["sheet"])
    people = {one["name"]: one for one in table.master.get(f"{camp}/people")}
    assert people["Ann"]["seats"] == [{"character": "Kessa", "approved": True}]
    table.master.do("DELETE", f"{camp}/characters/{kess['id']}")
    table.master.refused(404, "PUT", f"{camp}/characters/{kess['id']}", name="Kess")


@pytest.mark.parametrize("begin", [False, True])
def test_a_prepared_fight_is_the_masters_until_it_begins(table: Table, begin: bool) -> None:
    camp = f"/api/campaigns/{table.campaign}"
    ann = table.join("Ann", "Kess")
    ident = table.master.post(f"{camp}/encounters", source=FIGHT, title="Tuesday", begin=False)["id"]
    assert ident not in str(ann.get(f"{camp}/encounters"))
    ann.refused(404, "GET", f"/api/fights/{ident}")
    broken = FIGHT.replace('"Fighting"', '"Fihgting"')
    table.master.do("PATCH", f"/api/encounters/{ident}", source=broken)
    wrong = table.master.refused(400, "PATCH", f"/api/encounters/{ident}", begin=True)
    assert any("Fighting" in one.get("nearest", "") + one["text"] for one in wrong["problems"])
    assert not table.master.post("/api/check", source=broken)["fine"] and table.master.post("/api/check", source=FIGHT)["fine"]
    table.master.do("PATCH", f"/api/encounters/{ident}", source=FIGHT, begin=begin)
    if begin:
        assert ann.get(f"/api/fights/{ident}")["title"] == "Tuesday"
        table.master.refused(403, "PATCH", f"/api/encounters/{ident}", source=FIGHT)
    table.master.do("DELETE", f"/api/encounters/{ident}")
    table.master.refused(404, "GET", f"/api/encounters/{ident}")
    ann.refused(404, "GET", f"/api/fights/{ident}")


def test_house_rules_hold_in_every_fight_of_a_campaign(table: Table) -> None:
    camp = f"/api/campaigns/{table.campaign}"
    known = table.master.refused(400, "PATCH", camp, rulings={"no_such": 1})
    assert known["problems"]
    table.master.do("PATCH", camp, rulings={"tie_last": "listing_order"})
    ident = table.master.post(f"{camp}/encounters", source=FIGHT)["id"]
    assert table.master.get(f"/api/fights/{ident}")["round"]
    outside = FIGHT + "\n[[combatant]]\nname = 'X'\nside = 'orcs'\nsheet = '/etc/passwd'\n"
    assert "root" not in str(table.master.refused(400, "POST", f"{camp}/encounters", source=outside))


@pytest.mark.parametrize(
    ("name", "sheet"),
    [
        ("Zed", {"weapons": 5}), ("Zed", {"skills": 5}), ("Zed", {"points": 7}), ("Zed", {"attributes": [1]}), ("A" * 61, {}),
        ("Zed", {"template": "thgu"}), ("Zed", {"skills": {"\u202e": "1D"}}), ("   ", {}),
    ],
)  # fmt: skip
def test_what_is_no_sheet_is_not_kept(table: Table, name: str, sheet: dict[str, Any]) -> None:
    """A program that sends nonsense is told; the pages of the characters stay open to the master."""
    camp = f"/api/campaigns/{table.campaign}"
    table.master.refused(400, "POST", f"{camp}/characters", name=name, sheet=sheet)
    kess = table.master.post(f"{camp}/characters", name="Kess")
    table.master.refused(400, "PUT", f"{camp}/characters/{kess['id']}", name=name, sheet=sheet)
    assert [one["name"] for one in table.master.get(f"{camp}/characters")] == ["Kess"]
