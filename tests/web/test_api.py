"""A fight over the API: orders, answers, dice, taking back, corrections; what is too late, wrong or done before."""

from __future__ import annotations

import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from waiting import until
from web import planted
from web.hosting import HIDDEN, Person, Table, hosted

from affray.formats import samples
from affray.formats.draft import whole


@pytest.mark.parametrize("name", ["rond6-6v10", "cepheus-street", "rd6-street", "cepheus-boarding"])
def test_a_whole_fight_of_each_ruleset(tmp_path: Path, name: str) -> None:
    """The master gives whatever the offers name as the default, and answers as usual; all of it is kept."""
    with hosted(tmp_path) as client:
        table = Table(client, whole(samples.path(name)), name.partition("-")[0])
        for step in range(30):
            model = table.model()
            if model["over"]:
                break
            if model["requests"]:
                asked = model["requests"][0]
                table.master.post(f"{table.path}/answers", n=asked["n"], usual=True, seen=model["version"], key=f"{step}")
                continue
            who = model["up"][0]
            offers = [one for one in table.master.get(f"{table.path}/offers?who={who}") if not one["refused"]]
            ready = [one for one in offers if all(f["default"] is not None for f in one["fields"])]
            verbs = {one["verb"]: one for one in ready}
            one = verbs.get("attack") if step % 2 else verbs.get("end", ready[0])
            one = one or ready[0]
            order = {"do": one["verb"], "by": who, **{f["name"]: f["default"] for f in one["fields"]}}
            table.master.ask("POST", f"{table.path}/orders", {"order": order, "seen": model["version"], "key": f"{step}"})
        model, log = table.model(), table.master.get(f"{table.path}/log")
    with hosted(tmp_path) as client:
        again = client.get(table.path, headers={"cookie": table.master.cookie}).json()
        assert again == model
        assert client.get(f"{table.path}/log", headers={"cookie": table.master.cookie}).json() == log


def test_of_two_who_act_at_once_one_wins(table: Table) -> None:
    kess, bo = table.join("Ann", "Kess"), table.join("Ben", "Bo")
    table.turn_of("Kess")
    seen = table.model(kess)["version"]
    end = {"do": "end", "by": "Kess"}
    first = kess.ask("POST", f"{table.path}/orders", {"order": end, "seen": seen})
    late = kess.ask("POST", f"{table.path}/orders", {"order": end, "seen": seen})
    assert (first.status_code, late.status_code) == (200, 409)
    wrong = late.json()
    assert wrong["error"] == "stale" and "moved on" in wrong["message"]
    assert wrong["view"] == table.model(kess) and wrong["view"]["version"] == first.json()["version"]
    refused = bo.refused(403, "POST", f"{table.path}/orders", order=end)
    assert "not yours" in refused["message"]


def test_many_at_once_are_done_one_after_another(table: Table) -> None:
    """Twenty taps on the same view: one is done."""
    table.turn_of("Kess")
    seen, before = table.model()["version"], len(table.master.get(f"{table.path}/log"))
    body = {"order": {"do": "end", "by": "Kess"}, "seen": seen}
    headers = table.master.headers()

    def tap(_: int) -> int:
        return table.client.post(f"{table.path}/orders", json=body, headers=headers).status_code  # type: ignore[no-any-return]

    with ThreadPoolExecutor(8) as pool:
        codes = sorted(pool.map(tap, range(20)))
    assert codes == [200] + [409] * 19
    log = table.master.get(f"{table.path}/log")
    assert sum(1 for one in log[before:] if one["head"] == "Kess ends the turn") == 1


def test_a_tap_that_is_sent_again_is_not_done_twice(table: Table) -> None:
    table.turn_of("Kess")
    seen = table.model()["version"]
    one = table.master.post(f"{table.path}/orders", order={"do": "end", "by": "Kess"}, seen=seen, key="tap-1")
    log = table.master.get(f"{table.path}/log")
    again = table.master.post(f"{table.path}/orders", order={"do": "end", "by": "Kess"}, seen=seen, key="tap-1")
    assert again["version"] == one["version"] and table.master.get(f"{table.path}/log") == log
    kess = table.join("Ann", "Kess")  # the key is one's own
    kess.refused(400, "POST", f"{table.path}/orders", order={"do": "end", "by": "Kess"}, key="tap-1")


def test_dice_are_typed_die_by_die_and_the_last_one_taken_back(table: Table) -> None:
    kess = table.join("Ann", "Kess")
    table.turn_of("Kess")
    table.attack("Kess", "Orc 1", kess, dice="type")
    asked = table.model(kess)["requests"][0]
    assert asked["kind"] == "roll" and asked["mine"] and asked["next"]["kind"] == "wild"
    path = f"{table.path}/dice"
    kess.post(path, n=asked["n"], face=3)
    assert table.model(kess)["requests"][0]["faces"] == [3]
    kess.refused(400, "POST", path, n=asked["n"], face=7)
    kess.refused(400, "POST", path, n=asked["n"], faces=[1] * 40)
    kess.refused(400, "POST", path, n=asked["n"], face="six")
    kess.refused(403, "POST", path, n=asked["n"] + 1, face=3)
    kess.post(path, n=asked["n"], back=True)
    assert table.model(kess)["requests"][0]["faces"] == []
    kess.refused(400, "POST", path, n=asked["n"], back=True)
    kess.post(path, n=asked["n"], faces=[4, 4])
    kess.post(path, n=asked["n"], roll=True)
    now = table.model(kess)["requests"]
    assert not now or now[0]["n"] != asked["n"]
    table.settle()
    table.master.post(f"{table.path}/orders", order={"do": "end", "by": "Kess"})
    table.turn_of("Kess")
    table.attack("Kess", "Orc 1", kess, dice="roll")
    assert not [one for one in table.model(kess)["requests"] if one["kind"] == "roll"]


def test_dice_are_typed_for_one_order_and_no_other(table: Table) -> None:
    table.turn_of("Kess")
    table.attack("Kess", "Orc 1", dice="type")
    asked = table.model()["requests"][0]
    assert (asked["by"], asked["kind"], asked["always"]) == ("Kess", "roll", False)
    table.master.post(f"{table.path}/undo")  # the order
    assert not table.model()["requests"]
    table.master.post(f"{table.path}/redo")
    assert table.model()["requests"][0]["kind"] == "roll", "the order returns with its dice on the table"
    table.settle()
    for _ in range(3):  # nobody is asked for dice: not for the next order, not for the next round
        table.master.post(f"{table.path}/orders", order={"do": "end", "by": table.model()["up"][0]})
        assert not table.model()["requests"]
    table.turn_of("Kess")
    table.attack("Kess", "Orc 2")
    assert not [one for one in table.model()["requests"] if one["kind"] == "roll"]
    table.settle()


def test_a_policy_does_not_wait_for_dice_that_were_typed_once(table: Table) -> None:
    table.turn_of("Orc 1")
    table.attack("Orc 1", "Kess", dice="type")
    table.settle()
    table.master.post(f"{table.path}/settings", policies={"orcs": "aggressive", "heroes": "aggressive"})
    for _ in range(100):
        model = table.model()
        assert not [one for one in model["requests"] if one["by"].startswith("Orc")]
        if model["over"]:
            return
    raise AssertionError("the fight waits for somebody")


def test_whoever_throws_real_dice_says_so_once(table: Table) -> None:
    kess = table.join("Ann", "Kess")
    table.turn_of("Kess")
    table.attack("Kess", "Orc 1", kess, dice="type")
    path = f"{table.path}/dice"
    kess.post(path, n=table.model(kess)["requests"][0]["n"], always="type")
    asked = table.model(kess)["requests"][0]
    assert asked["always"] and asked["kind"] == "roll" and not asked["faces"]
    assert next(one for one in table.model(kess)["fighters"] if one["id"] == "Kess")["typed"]
    assert not next(one for one in table.model()["fighters"] if one["id"] == "Bo")["typed"]
    kess.refused(403, "POST", path, n=asked["n"] + 7, always="type")
    table.settle()
    table.master.post(f"{table.path}/orders", order={"do": "end", "by": "Kess"})
    table.turn_of("Kess")
    table.attack("Kess", "Orc 1", kess)
    asked = next(one for one in table.model(kess)["requests"] if one["kind"] == "roll")
    kess.post(path, n=asked["n"], always="roll")
    assert not [one for one in table.model(kess)["requests"] if one["kind"] == "roll"]


def hit(table: Table, person: Any) -> list[dict[str, Any]]:
    """Bo, who cannot miss, hits; returns what he is asked."""
    table.turn_of("Bo")
    table.attack("Bo", "Orc 1")
    return table.model(person)["requests"]  # type: ignore[no-any-return]


def test_a_question_goes_to_the_one_who_is_asked_and_the_master_may_answer(table: Table) -> None:
    kess, bo, screen = table.join("Ann", "Kess"), table.join("Ben", "Bo"), table.join("Wall", role="spectator")
    asked = hit(table, bo)
    assert asked and asked[0]["mine"] and not table.model(kess)["requests"] and not table.model(screen)["requests"]
    path, n = f"{table.path}/answers", asked[0]["n"]
    assert kess.refused(403, "POST", path, n=n, usual=True)["message"].startswith("nobody asks you that now")
    assert screen.refused(403, "POST", path, n=n, value="none")["message"].startswith("nobody asks you that now")
    assert bo.refused(400, "POST", path, n=n, value={"nonsense": [1]})["error"] == "bad answer"
    bo.refused(400, "POST", path, n=n, value="no such answer")
    table.master.post(path, n=n, usual=True)
    assert n not in [one["n"] for one in table.model(bo)["requests"]]


def test_one_die_too_many_and_a_question_answered_meanwhile_show_the_fight_as_it_is(table: Table) -> None:
    """The same words and shape for a question that is somebody else's, and each one's own view."""
    kess, bo = table.join("Ann", "Kess"), table.join("Ben", "Bo")
    asked = hit(table, bo)[0]
    table.master.post(f"{table.path}/answers", n=asked["n"], usual=True)
    for name, body in (("answers", {"usual": True}), ("dice", {"face": 3}), ("dice", {"roll": True})):
        late = bo.refused(403, "POST", f"{table.path}/{name}", n=asked["n"], **body)
        never = kess.refused(403, "POST", f"{table.path}/{name}", n=asked["n"] + 50, **body)
        assert (late["error"], late["message"]) == (never["error"], never["message"]) == ("not asked", late["message"])
        assert late["view"] == table.model(bo) and never["view"] == table.model(kess)


HUGE = "x" * 900_000
ECHOES: list[tuple[str, dict[str, Any]]] = [
    ("orders", {"order": {"do": HUGE, "by": "Kess"}}),
    ("orders", {"order": {"do": "attack", "by": HUGE}}),
    ("orders", {"order": {"do": "attack", "by": ["Kess", HUGE], "target": "Orc 1"}}),
    ("orders", {"order": {"do": "attack", "by": "Kess", "target": HUGE}}),
    ("orders", {"order": {"do": "attack", "by": "Kess", HUGE: 1}}),
    ("orders", {"order": {"do": "attack", "by": "Kess", "target": "Orc 1", "manner": HUGE}}),
    ("preview", {"order": {"do": HUGE, "by": "Kess"}}),
    ("settings", {"policies": {"Kess": HUGE}}),
    ("settings", {"policies": {HUGE: "aggressive"}}),
    ("corrections", {"do": HUGE}),
    ("corrections", {"do": "set", "who": HUGE, "fields": {}}),
    ("corrections", {"do": "set", "who": "Kess", "fields": {HUGE: 1}}),
    ("corrections", {"do": "add", "template": HUGE, "side": "a"}),
    ("corrections", {"do": "rulings", "fields": {HUGE: 1}}),
    ("corrections", {"do": "rulings", "fields": {"result_points": HUGE}}),
    ("answers", {"n": HUGE}),
]


@pytest.mark.parametrize(("path", "body"), ECHOES, ids=range(len(ECHOES)))
def test_nothing_is_echoed_whole(table: Table, path: str, body: dict[str, Any]) -> None:
    found = table.master.ask("POST", f"{table.path}/{path}", body)
    assert found.status_code in (400, 403, 413) and len(found.text) < 8000, (found.status_code, len(found.text))


def test_always_is_not_asked_again_until_said(table: Table) -> None:
    bo = table.join("Ben", "Bo")
    asked = hit(table, bo)[0]
    for always in (True, False):  # the same dice again each time
        if always:
            bo.post(f"{table.path}/answers", n=asked["n"], always=True)
            table.settle()
        else:
            table.master.post(f"{table.path}/settings", ask_again=True)
        table.master.post(f"{table.path}/back", entry=0)
        found = hit(table, bo)
        assert (asked["why"] in [one["why"] for one in found]) != always
        table.settle()


def test_undo_redo_and_back_are_the_masters(table: Table) -> None:
    kess = table.join("Ann", "Kess")
    states = []
    for _ in range(3):
        model = table.model()
        states.append((model["up"], table.master.get(f"{table.path}/log")))
        table.master.post(f"{table.path}/orders", order={"do": "end", "by": model["up"][0]})
    last = table.model()
    for path in ("undo", "redo"):
        assert "only the game master" in kess.refused(403, "POST", f"{table.path}/{path}")["message"]
    kess.refused(403, "POST", f"{table.path}/back", entry=0)
    for up, log in reversed(states):
        table.master.post(f"{table.path}/undo")
        assert (table.model()["up"], table.master.get(f"{table.path}/log")) == (up, log)
    table.master.refused(400, "POST", f"{table.path}/undo")
    for _ in states:
        table.master.post(f"{table.path}/redo")
    assert table.model()["version"] == last["version"]
    table.master.post(f"{table.path}/back", entry=0)
    assert table.model()["up"] == states[0][0]
    table.master.refused(400, "POST", f"{table.path}/back", entry=99999)


def test_a_group_acts_in_one_order(table: Table) -> None:
    table.turn_of("Orc 1")
    model = table.model()
    if "Orc 2" not in model["up"]:  # whoever of them comes first
        assert model["up"][0].startswith("Orc")
    order = {"do": "attack", "by": ["Orc 1", "Orc 2"], "target": "Bo", "weapon": ""}
    table.master.post(f"{table.path}/orders", order=order, seen=model["version"])
    table.settle()
    heads = [one["head"] for one in table.master.get(f"{table.path}/log")]
    assert [one for one in heads if one.startswith("Orc 1: attack")] and [one for one in heads if one.startswith("Orc 2: attack")]
    kess = table.join("Ann", "Kess")
    kess.refused(403, "POST", f"{table.path}/orders", order=order)
    kess.refused(403, "POST", f"{table.path}/orders", order=order | {"by": ["Kess", "Orc 1"]})
    table.master.refused(403, "POST", f"{table.path}/orders", order=order | {"by": [{"a": 1}]})
    table.master.refused(400, "POST", f"{table.path}/orders", order=order | {"by": []})
    wrong = table.master.refused(400, "POST", f"{table.path}/orders", order=order | {"by": ["Orc 1", "Orc 1"]})
    assert "Orc 1 is named twice" in wrong["message"]


CORRECTIONS: list[tuple[dict[str, Any], Any]] = [
    ({"do": "set", "who": "Kess", "fields": {"wounds": 2}}, lambda f: f["Kess"]["state"]["level"] > 0),
    ({"do": "move", "who": "Kess", "at": [5, 5]}, lambda f: f["Kess"]["at"] == [5, 5]),
    ({"do": "remove", "who": ["Orc 2"]}, lambda f: "Orc 2" not in f),
    ({"do": "reveal", "who": HIDDEN}, lambda f: not f[HIDDEN]["hidden"]),
    ({"do": "hide", "who": "Bo"}, lambda f: f["Bo"]["hidden"]),
    ({"do": "condition", "who": "Kess", "name": "prone"}, lambda f: any("prone" in str(c) for c in f["Kess"]["conditions"])),
    ({"do": "group", "who": ["Orc 1"], "group": "Left"}, lambda f: f["Orc 1"]["group"] == "Left"),
    ({"do": "add", "template": "thug", "name": "Late", "side": "orcs", "count": 2, "at": [9, 1]}, lambda f: "Late 2" in f),
]


@pytest.mark.parametrize(("body", "holds"), CORRECTIONS, ids=lambda one: one["do"] if isinstance(one, dict) else "")
def test_corrections_are_the_masters_and_can_be_taken_back(table: Table, body: dict[str, Any], holds: Any) -> None:
    kess = table.join("Ann", "Kess")
    before = table.model()
    kess.refused(403, "POST", f"{table.path}/corrections", **body)
    assert table.model() == before
    table.master.post(f"{table.path}/corrections", **body)
    assert holds({one["id"]: one for one in table.model()["fighters"]})
    table.master.post(f"{table.path}/undo")
    assert table.model()["fighters"] == before["fighters"]


@pytest.mark.parametrize(
    "body",
    [
        {"do": "set", "who": "Nobody", "fields": {"wounds": 1}},
        {"do": "set", "who": "Kess", "fields": {"wunds": 1}},
        {"do": "set", "who": "Kess", "fields": {"wounds": "many"}},
        {"do": "set", "who": "Kess", "fields": {"wounds": -3}},
        {"do": "move", "who": "Kess"},
        {"do": "move", "who": "Kess", "at": [1, 2, 3]},
        {"do": "revive", "who": "Kess"},
        {"do": "add", "template": "thugg"},
        {"do": "add", "sheet": {"skils": {}}, "name": "X"},
        {"do": "drop", "entry": 4711},
        {"do": "roll", "entry": 4711, "n": 0, "faces": [1]},
        {"do": "rulings", "fields": {"no_such": 1}},
        {"do": "paint", "kind": "wall"},
        {"do": "fly"},
        {"do": "say", "text": "x", "nonsense": 1},
        {"do": "say", "text": "x" * 501},
        {"do": "say", "text": "x", "before": 4711},
        {"do": "paint", "kind": "wall", "area": [0, 0, 10000, 10000], "cells": [[1, 1]]},
        {"do": "set", "fields": {"space": {"areas": [{"x1": 0, "y1": 0, "x2": 10**9, "y2": 10**9, "kind": "cover"}]}}},
    ],
    ids=str,
)
def test_corrections_that_cannot_be(table: Table, body: dict[str, Any]) -> None:
    before = table.model()
    wrong = table.master.refused(400, "POST", f"{table.path}/corrections", **body)
    assert wrong["message"] and "Traceback" not in wrong["message"]
    assert table.model() == before


@pytest.mark.parametrize(
    "body",
    [
        {"do": "set", "who": "Kess", "fields": {"wounds": 0, "prone": False}},
        {"do": "move", "who": "Kess", "at": [2, 2]},
        {"do": "reveal", "who": "Kess"},
        {"do": "rulings", "fields": {"result_points": "margin"}},
    ],
)
def test_a_correction_that_changes_nothing_is_no_entry(table: Table, body: dict[str, Any]) -> None:
    before = table.master.get(f"{table.path}/log")
    assert "nothing has changed" in table.master.post(f"{table.path}/corrections", **body)["told"]
    table.turn_of("Kess")
    log = table.master.get(f"{table.path}/log")
    table.master.post(f"{table.path}/corrections", **body, before=log[-1]["id"])
    assert log[: len(before)] == before and table.master.get(f"{table.path}/log") == log
    found = table.master.refused(400, "POST", f"{table.path}/corrections", do="set", who="Kess", fields={"woundz": 1})
    assert "wounds" in found["message"]


def test_one_word_for_the_game_master(table: Table) -> None:
    table.master.post(f"{table.path}/corrections", do="set", who="Kess", fields={"character": 3, "wounds": 1})
    table.master.post(f"{table.path}/corrections", do="say", text="a note")
    told = str([(one["head"], [line["text"] for line in one["lines"]]) for one in table.master.get(f"{table.path}/log")])
    assert "referee" not in told and "Character Points 9 → 3, wounds 0 → 1" in told


def test_what_is_misspelt_in_a_body_is_told_with_what_may_stand_there(table: Table) -> None:
    found = table.master.refused(400, "POST", f"{table.path}/orders", ordr={})
    (told,) = found["problems"]
    assert (told["where"], told["nearest"], told["allowed"]) == ("ordr", "order", ["seen", "key", "order", "dice"])
    assert "'order'" in found["message"]
    found = table.master.refused(400, "POST", f"{table.path}/settings", forecast="maste")
    (told,) = found["problems"]
    assert (told["where"], told["nearest"], told["allowed"]) == ("forecast", "master", ["master", "all", "nobody"])


def test_mistakes_are_described_as_they_are_answered(table: Table) -> None:
    document = table.master.ask("GET", "/schema/openapi.json").json()
    shapes = document["components"]["schemas"]
    assert set(shapes["Wrong"]["properties"]) == {"error", "message", "problems", "rule", "legal", "view"}
    assert set(shapes["Told"]["properties"]) == {"text", "where", "allowed", "nearest"}
    for path, operations in document["paths"].items():
        for verb, one in operations.items():
            for status in ("400", "404", "409", "default"):
                shape = one["responses"][status]["content"]["application/json"]["schema"]
                assert shape == {"$ref": "#/components/schemas/Wrong"}, (path, verb, status)
    assert "status_code" not in str(document["paths"])


def test_a_throw_is_overruled_by_faces_alone(table: Table) -> None:
    """A throw of the past takes a list of faces and nothing else; the fight stands as it stood."""
    table.turn_of("Kess")
    table.attack("Kess", "Orc 1")
    table.settle()
    entry = next(one for one in table.master.get(f"{table.path}/log") if one["head"].startswith("Kess: attack"))["id"]
    before = table.model()
    for value in (None, 3, 2**64, 1e308, True, "66", {"a": 1}, [7]):
        for n in range(2):
            done = table.master.ask(
                "POST", f"{table.path}/corrections", {"do": "answer", "entry": entry, "n": n, "value": value}
            )
            assert done.status_code in (200, 400), (value, n, done.text)
            if done.status_code == 200:  # it does not fit, and is asked anew
                table.master.post(f"{table.path}/undo")
    wrong = table.master.refused(400, "POST", f"{table.path}/corrections", do="roll", entry=entry, n=0)
    assert "which faces" in wrong["message"]
    assert table.model()["fighters"] == before["fighters"]


def test_ground_is_not_painted_where_there_is_none(tmp_path: Path) -> None:
    with hosted(tmp_path) as client:
        table = Table(client, whole(samples.path("cepheus-corridor")), "cepheus")
        wrong = table.master.refused(400, "POST", f"{table.path}/corrections", do="paint", kind="wall", area=[0, 0, 1, 1])
        assert "no map" in wrong["message"]


def test_settings_are_changed_whole_or_not_at_all(table: Table) -> None:
    before = table.model()
    wrong = table.master.refused(400, "POST", f"{table.path}/settings", numbers=True, limit=60, policies={"orcs": "agressive"})
    assert "agressive" in wrong["message"]
    table.master.refused(409, "POST", f"{table.path}/settings", numbers=True, seen="of-yesterday")
    assert table.model() == before
    table.master.post(f"{table.path}/settings", numbers=True, limit=60)
    assert table.model()["settings"]["limit"] == 60


def test_the_past_is_changed_and_taken_back(table: Table) -> None:
    table.turn_of("Kess")
    table.attack("Kess", "Orc 1")
    table.settle()
    log = table.master.get(f"{table.path}/log")
    hit = next(one for one in log if one["head"].startswith("Kess: attack"))
    before = table.model()
    table.master.post(f"{table.path}/corrections", do="set", who="Orc 1", fields={"wounds": 1}, before=hit["id"])
    assert table.model()["version"] != before["version"]
    table.master.post(f"{table.path}/undo")
    assert table.master.get(f"{table.path}/log") == log
    table.master.post(f"{table.path}/corrections", do="reaim", entry=hit["id"], target="Orc 2")
    heads = [one["head"] for one in table.master.get(f"{table.path}/log")]
    assert any(one.startswith("Kess: attack") and "Orc 2" in one for one in heads)
    table.master.post(f"{table.path}/corrections", do="drop", entry=hit["id"])
    assert not any(one["head"].startswith("Kess: attack") for one in table.master.get(f"{table.path}/log"))


def test_painted_ground(table: Table) -> None:
    def areas() -> Any:
        return table.model()["space"]

    before = areas()
    table.master.post(f"{table.path}/corrections", do="paint", kind="wall", cells=[[8, 1], [8, 2]])
    assert [8, 1] in areas()["walls"]
    table.master.post(f"{table.path}/corrections", do="paint", kind="wall", cells=[[8, 1]], erase=True)
    assert [8, 1] not in areas()["walls"] and [8, 2] in areas()["walls"]
    table.master.post(f"{table.path}/corrections", do="paint", kind="wall", area=[8, 1, 9, 3], erase=True)
    assert areas() == before


def test_the_fallen_are_revived_as_they_were(table: Table) -> None:
    table.master.post(f"{table.path}/corrections", do="set", who="Orc 1", fields={"wounds": 1})
    table.master.post(f"{table.path}/corrections", do="set", who="Orc 1", fields={"out": "unconscious", "wounds": 3})
    fallen = {one["id"]: one for one in table.model()["fighters"]}["Orc 1"]
    assert fallen["out"]
    table.master.post(f"{table.path}/corrections", do="revive", who="Orc 1")
    now = {one["id"]: one for one in table.model()["fighters"]}["Orc 1"]
    assert (not now["out"] and now["state"]["level"] == 1) or now["state"]["word"] == "wounded"


def test_policies_play_a_side_and_stop_where_a_person_decides(table: Table) -> None:
    table.master.post(f"{table.path}/settings", policies={"orcs": "aggressive"})
    for _ in range(12):
        model = table.model()
        if model["over"]:
            break
        assert all(who in ("Kess", "Bo") for who in model["up"]) or model["requests"]
        if model["requests"]:
            table.settle()
        else:
            table.master.post(f"{table.path}/orders", order={"do": "end", "by": model["up"][0]})
    assert any(one["who"].startswith("Orc") for one in table.master.get(f"{table.path}/log") if not one["auto"])
    wrong = table.master.refused(400, "POST", f"{table.path}/settings", policies={"orcs": "agressive"})
    assert "aggressive" in wrong["legal"]
    table.master.refused(400, "POST", f"{table.path}/settings", policies={"orks": "aggressive"})


def test_a_time_limit_answers_as_usual(table: Table) -> None:
    table.join("Ann", "Kess")
    table.master.post(f"{table.path}/settings", limit=3, typed=["Kess"])
    table.turn_of("Kess")
    table.attack("Kess", "Orc 1")
    asked = table.model()["requests"][0]
    assert asked["limit"] and asked["limit"] <= time.time() + 3.1
    until(lambda: not table.model()["requests"], "the question is answered")


def test_a_deadline_outlives_the_server(tmp_path: Path) -> None:
    with hosted(tmp_path) as client:
        table = Table(client)
        table.join("Ann", "Kess")
        table.master.post(f"{table.path}/settings", limit=300, typed=["Kess"])
        table.turn_of("Kess")
        table.attack("Kess", "Orc 1")
        before = table.model()["requests"][0]["limit"]
        assert 290 < before - time.time() <= 300.1  # kept to a tenth of a second
    with hosted(tmp_path) as client:
        table.client = table.master.client = client
        assert table.model()["requests"][0]["limit"] == before
        table.master.post(f"{table.path}/settings", limit=60, typed=["Kess"])
        assert table.model()["requests"][0]["limit"] < before - 200, "another limit holds from now on"


def test_late_arrivals_stand_on_free_cells(table: Table) -> None:
    """Beside their side where nothing is said; around the place where one is."""

    def places() -> dict[str, tuple[int, int]]:
        return {one["id"]: tuple(one["at"]) for one in table.model()["fighters"]}

    table.master.post(f"{table.path}/corrections", do="paint", kind="wall", area=[2, 0, 2, 7])
    table.master.post(f"{table.path}/corrections", do="add", template="thug", name="Late", side="orcs", count=4)
    at = places()
    assert len(set(at.values())) == len(at) and not any(x == 2 for who, (x, _) in at.items() if who.startswith("Late"))
    assert all(max(abs(x - 3), abs(y - 3)) <= 3 for who, (x, y) in at.items() if who.startswith("Late"))
    table.master.post(f"{table.path}/corrections", do="add", template="thug", name="Later", side="orcs", count=2, at=[9, 1])
    at = places()
    assert at["Later 1"] == (9, 1) and max(abs(at["Later 2"][0] - 9), abs(at["Later 2"][1] - 1)) == 1


def test_late_arrivals_are_one_entry(table: Table) -> None:
    entries = len(table.master.get(f"{table.path}/log"))
    table.master.post(f"{table.path}/corrections", do="add", template="thug", name="Late", side="orcs", count=3, at=[9, 1])
    log = table.master.get(f"{table.path}/log")
    assert len(log) == entries + 1 and log[-1]["head"] == "Game master brings in Late 1, Late 2, Late 3"
    assert sum(one["name"].startswith("Late") for one in table.model()["fighters"]) == 3
    table.master.post(f"{table.path}/undo")
    assert not any(one["name"].startswith("Late") for one in table.model()["fighters"])


APART = {
    "rond6": ("ruleset = 'rond6'\n[space]\nkind = 'distances'\n", 3, "3 Spaces", ("3.5", "Short", -1, None)),
    "rd6": ("ruleset = 'rd6'\n[[distances]]\nbetween = ['A', 'B']\nis = 6\n", "12 m", "12 m", ("Shrt", "far", 1e9, True)),
    "cepheus": ("ruleset = 'cepheus'\n[[distances]]\nbetween = ['A', 'B']\nis = 6\n", "long", "Long", ("Lnog", "x", [1], "inf")),
}


@pytest.mark.parametrize("ruleset", APART)
def test_the_distance_of_two_is_corrected(tmp_path: Path, ruleset: str) -> None:
    head, value, told, wrong = APART[ruleset]
    people = "".join(f"[[combatant]]\nname = '{name}'\nside = '{side}'\n" for name, side in (("A", "one"), ("B", "two")))
    with hosted(tmp_path) as client:
        table = Table(client, head + people, ruleset)

        def apart() -> str:
            (pair,) = table.model()["space"]["bands"]
            return str(pair["text"])

        before = apart()
        table.master.post(f"{table.path}/corrections", do="move", who="B", other="A", value=value)
        assert told in apart() and apart() != before
        assert "→" in str(table.master.get(f"{table.path}/log"))
        for one in wrong:
            said = table.master.refused(400, "POST", f"{table.path}/corrections", do="move", who="B", other="A", value=one)
            assert "distance" in said["message"] or "number" in said["message"], said
        table.master.refused(400, "POST", f"{table.path}/corrections", do="move", who="B", other="B", value=3)
        page = table.master.ask("GET", f"/f/{table.fight}/part/person?who=A").text
        assert "Distance to" in page and apart() in page
        table.master.post(f"{table.path}/undo")
        assert apart() == before


def test_where_places_decide_no_distance_is_set(table: Table) -> None:
    table.master.refused(400, "POST", f"{table.path}/corrections", do="move", who="Kess", other="Bo", value=3)
    assert "Distance to" not in table.master.ask("GET", f"/f/{table.fight}/part/person?who=Kess").text


def test_numbers_are_opened_to_players(table: Table) -> None:
    kess = table.join("Ann", "Kess")

    def orc() -> Any:
        return next(one for one in table.model(kess)["fighters"] if one["id"] == "Orc 1")

    assert not orc()["whole"]
    version = table.model(kess)["version"]
    kess.refused(403, "POST", f"{table.path}/settings", numbers=True)
    table.master.post(f"{table.path}/settings", numbers=True)
    assert orc()["whole"] and table.model(kess)["version"] != version
    assert HIDDEN not in str(table.model(kess))


def test_previews_and_offers_are_ones_own(table: Table) -> None:
    kess = table.join("Ann", "Kess")
    table.turn_of("Kess")
    order = {"do": "attack", "by": "Kess", "target": "Orc 1", "weapon": ""}
    assert kess.post(f"{table.path}/preview", order=order)["refused"] is None
    kess.refused(403, "POST", f"{table.path}/preview", order=order | {"by": "Orc 1"})
    assert kess.get(f"{table.path}/offers?who=Kess")
    kess.refused(403, "GET", f"{table.path}/offers?who=Bo")
    kess.refused(403, "GET", f"{table.path}/offers?who={HIDDEN}")
    kess.refused(400, "POST", f"{table.path}/preview", order={"do": "dance", "by": "Kess"})
    told = kess.refused(400, "POST", f"{table.path}/orders", order=order | {"target": HIDDEN})
    other = kess.refused(400, "POST", f"{table.path}/orders", order=order | {"target": "Nobody Here"})
    assert told["message"].replace(HIDDEN, "X") == other["message"].replace("Nobody Here", "X")


NONSENSE = (
    ({"name": "\x1b[31mRed"}, "control character"),
    ({"name": "K" * 10_000}, "60 letters"),
    ({"name": "   "}, "empty"),
    ({"side": ""}, "empty"),
    ({"side": "S" * 61}, "60 letters"),
    ({"group": "\u202ec"}, "control character"),
    ({"at": [10**9, 0]}, "too far"),
    ({"id": "zzz"}, "stays as it is"),
)


@pytest.mark.parametrize(("fields", "told"), NONSENSE)
def test_corrections_hold_to_what_a_file_may_hold(table: Table, fields: dict[str, Any], told: str) -> None:
    """What no file may hold is not let in by a correction either: names that steer a terminal, places beyond any map."""
    before = table.model()
    wrong = table.master.refused(400, "POST", f"{table.path}/corrections", do="set", who="Kess", fields=fields)
    assert told in wrong["message"], wrong
    assert table.model() == before


@pytest.mark.parametrize("number", [-1, 10**20])
def test_rounds_that_cannot_be_counted(table: Table, number: int) -> None:
    table.master.refused(400, "POST", f"{table.path}/corrections", do="set", who="", fields={"round": number})


def test_an_answer_in_the_place_of_a_roll(table: Table) -> None:
    """It would not fit, so all that followed would be gone."""
    before = table.model()
    wrong = table.master.refused(400, "POST", f"{table.path}/corrections", do="answer", entry=1, n=0, value="x")
    assert "roll" in wrong["message"] and table.model() == before


def test_words_of_orders_steer_no_terminal(table: Table) -> None:
    who = table.model()["up"][0]
    order = {"do": "act", "by": who, "text": "\x1b[2J"}
    wrong = table.master.refused(400, "POST", f"{table.path}/orders", order=order)
    assert "control character U+001B" in wrong["message"]


def test_those_who_have_acted_stand_in_the_order_in_which_they_did(table: Table) -> None:
    """Not in that of the file: whoever reads down the order reads from the first to the last."""
    for _ in range(12):
        rows = [one["score"] for one in table.model()["order"] if one["mark"] == "acted"]
        assert rows == sorted(rows, reverse=True)
        if len(rows) > 2:
            return
        if table.model()["requests"]:
            table.settle()
        else:
            table.master.post(f"{table.path}/orders", order={"do": "end", "by": table.model()["up"][0]})
    raise AssertionError("nobody has acted")


def test_the_ring_around_who_is_up_crosses_no_name(table: Table) -> None:
    """In the units of the map: letters of names are 7 high and stand on their line."""
    page = table.master.ask("GET", f"/f/{table.fight}").text
    ring = re.search(r'class="ring" cy="(-?[\d.]+)" r="([\d.]+)"', page)
    name = re.search(r'class="label" y="([\d.]+)"', page)
    assert ring and name
    assert float(ring[1]) + float(ring[2]) + 1.25 <= float(name[1]) - 6


def test_corrections_refuse_what_would_stop_a_fight(tmp_path: Path) -> None:
    """Work and drugs that Cepheus does not know could not be worked out in the next round."""
    with hosted(tmp_path) as client:
        table = Table(client, planted.fight("cepheus"), "cepheus")
        table.settle()
        task = {"name": "digs", "skill": "Mechanics", "characteristic": "edu", "rounds": 2}
        for fields, word in (({"task": task}, "education"), ({"doses": [{"drug": "tea", "onset": 0, "left": 3}]}, "combat_drug")):
            body = {"do": "set", "who": table.model()["up"][0], "fields": fields}
            told = table.master.refused(400, "POST", f"{table.path}/corrections", **body)
            assert word in told["message"]


def test_a_blank_name_is_refused_in_words(table: Table) -> None:
    """Nobody becomes 'Somebody'; names of all kinds must say something."""
    for name in ("", "  ", "\u200b"):
        person = Person(table.client)
        told = person.refused(400, "POST", "/api/join", code=table.code, name=name)["message"]
        assert told.startswith("name: ") and "Expected" not in told
        page = {"x-affray": "1", "accept": "text/html"}
        shown = table.client.post("/join", data={"code": table.code, "name": name}, headers=page)
        assert shown.status_code == 400 and "say who you are" in shown.text.lower()
    assert not [one for one in table.master.get(f"/api/campaigns/{table.campaign}/people") if one["role"] != "master"]
    assert "title" in table.master.refused(400, "POST", "/api/campaigns", title=" ", ruleset="rond6")["message"]


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("answers", {"n": "x"}, "n: a whole number is expected here, not text"),
        ("answers", {"value": 3}, "'n' is missing"),
        ("answers", [1], "a table of names and values is expected here, not a list"),
        ("dice", {"n": 0, "face": 7}, "face: must be at most 6"),
        ("dice", {"n": 0, "faces": "6"}, "faces: a list is expected here, not text"),
        ("settings", {"limit": "soon"}, "limit: a whole number or nothing is expected here, not text"),
        ("settings", {"typed": ["Kes"]}, "did you mean 'Kess'?"),
        ("settings", {"policies": {"orcs": "agressive"}}, "did you mean 'aggressive'?"),
        ("orders", {"order": {"do": "attack", "by": "Kes"}}, "did you mean 'Kess'?"),
        ("orders", {"order": {"do": "move", "by": "Kess", "to": "there"}}, "move.to: 'there' is not possible here"),
        ("corrections", {"do": "paint", "kind": "wall", "area": [1, 1, 2]}, "area: a list of 4 is expected here, not of 3"),
        ("corrections", {"do": "set", "who": "Kess", "fields": {"wounds": "two"}}, "wounds: 'two' is not possible here; a whole"),
        ("corrections", {"do": "set", "who": "Kess", "fields": {"conditions": [{"nam": "x"}]}}, "conditions.1.nam: there is no"),
        ("corrections", {"do": "condition", "who": "Kess", "name": "stund"}, "did you mean 'stunned'?"),
        ("corrections", {"do": "condition", "who": "Kess", "name": " "}, "which condition?"),
        ("corrections", {"do": "paint", "kind": "walls", "area": [1, 1, 2, 2]}, "did you mean 'wall'?"),
        ("corrections", {"do": "paint", "kind": "", "area": [1, 1, 2, 2]}, "what is painted?"),
        ("corrections", {"do": "paint", "kind": "cover", "value": 99, "area": [1, 1, 2, 2]}, "a number from 0 to 30, not 99"),
    ],
)
def test_mistakes_are_told_in_words_of_people(table: Table, path: str, body: Any, words: str) -> None:
    """The field, what is wrong, what may stand there, the nearest name; no types of a programming language."""
    table.settle()
    found = table.master.ask("POST", f"{table.path}/{path}", body)
    told = found.json()["message"]
    assert found.status_code == 400 and words in told, told
    assert not re.search(r"Expected|`|\$\.|\bstr\b|\bint\b", told), told


def test_no_proper_json_is_told_so(table: Table) -> None:
    for text in ("nope", '{"n": '):
        headers = table.master.headers() | {"content-type": "application/json"}
        told = table.client.post(f"{table.path}/answers", content=text, headers=headers).json()["message"]
        assert "JSON" in told and "Input data" not in told


def test_conditions_and_grounds_are_those_of_the_book(table: Table) -> None:
    """Known ones however they are written, words of one's own as they are; ground by the words of the table."""
    table.settle()
    for name, shown in (("Stunned", "stunned"), ("CONFUSED", "confused"), ("on fire", "on fire")):
        table.master.post(f"{table.path}/corrections", do="condition", who="Kess", name=name)
        kess = next(one for one in table.model()["fighters"] if one["name"] == "Kess")
        assert shown in [one["word"] for one in kess["conditions"]]
    table.master.post(f"{table.path}/corrections", do="paint", kind="rubble", area=[5, 1, 6, 2])
    assert [one["kind"] for one in table.model()["space"]["terrain"]] == ["Rough"]
    person = table.master.ask("GET", f"/f/{table.fight}/part/person?who=Kess").text
    assert '<option value="stymied">' in person and 'list="fix-known"' in person
    page = table.master.ask("GET", f"/f/{table.fight}").text
    assert 'name="paint" value="Rough"' in page and "Defense bonus" in page


@pytest.mark.parametrize(("ruleset", "known", "painted"), [("rd6", "stymied", True), ("cepheus", "fatigued", False)])
def test_closed_lists_of_conditions_and_grounds(tmp_path: Path, ruleset: str, known: str, painted: bool) -> None:
    with hosted(tmp_path) as client:
        table = Table(client, planted.fight(ruleset), ruleset)
        told = table.master.refused(400, "POST", f"{table.path}/corrections", do="condition", who="Ann", name="on fire")
        assert "there is no condition 'on fire'" in told["message"] and known in told["legal"]
        person = table.master.ask("GET", f"/f/{table.fight}/part/person?who=Ann").text
        assert f"<option>{known}</option>" in person and 'list="fix-known"' not in person
        assert ('name="lasts"' in person) == (ruleset == "rd6"), "how long a condition lasts is asked only where it can be kept"
        told = table.master.refused(400, "POST", f"{table.path}/corrections", do="paint", kind="mud", area=[1, 1, 2, 2])
        assert painted == ("there is no ground 'mud'" in told["message"])
        assert painted == ('id="paint"' in table.master.ask("GET", f"/f/{table.fight}").text)


BONDS = {
    "rond6": ({"grappled_by": "Guard 1"}, "grappled_by", "held by Guard 1"),
    "rd6": ({"held_by": "Guard 1"}, "held_by", "held by Guard 1"),
    "cepheus": ({"grapple": "Guard 1"}, "grapple", "in a grapple with Guard 1"),
}  # fmt: skip


@pytest.mark.parametrize("ruleset", BONDS)
@pytest.mark.parametrize("end", ["loosed", "gone", "holder gone", "out"])
def test_corrections_of_a_hold_take_the_other_side_along(tmp_path: Path, ruleset: str, end: str) -> None:
    """A hold is put on, taken off, and ends when one of the two leaves the fight or is put out, by one correction."""
    put, name, told = BONDS[ruleset]
    with hosted(tmp_path) as client:
        table = Table(client, planted.fight(ruleset), ruleset)
        table.settle()

        def correct(**body: Any) -> None:
            table.master.post(f"{table.path}/corrections", **body)

        def signs(who: str) -> list[str]:
            found = [one for one in table.model()["fighters"] if one["id"] == who]
            return [sign["word"] for one in found for sign in one["conditions"]]

        correct(do="set", who="Ann", fields=put)
        assert told in signs("Ann") and (ruleset == "rond6" or any("Ann" in one for one in signs("Guard 1")))
        if end == "loosed":
            correct(do="set", who="Ann", fields={name: ""})
        elif end == "out":
            fields = {"rond6": {"grappled_by": "", "out": "unconscious"}, "rd6": {"held_by": "", "unconscious": True}}
            correct(do="set", who="Ann", fields=fields.get(ruleset, {"status": "unconscious"}))
        else:
            correct(do="remove", who="Ann" if end == "gone" else "Guard 1")
        assert not any("Guard 1" in one for one in signs("Ann")) and not any("Ann" in one for one in signs("Guard 1"))


@pytest.mark.parametrize("ruleset", BONDS)
def test_whoever_is_up_can_be_removed(tmp_path: Path, ruleset: str) -> None:
    """The fight goes on with the next."""
    with hosted(tmp_path) as client:
        table = Table(client, planted.fight(ruleset), ruleset)
        table.settle()
        up = table.model()["up"][0]
        table.master.post(f"{table.path}/corrections", do="remove", who=up)
        table.settle()
        model = table.model()
        assert up not in [one["id"] for one in model["fighters"]] and model["up"] and model["up"] != [up]
        table.master.post(f"{table.path}/undo")
        assert up in table.model()["up"]
