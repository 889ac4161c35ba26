"""The page of a fight from models: what each audience gets, a widget for every domain, words for everything, safe names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest
from web.fight_models import DOMAINS, Page, fighter, model, option, request
from web.pages_client import Table, table

from affray.ruleset import NAMES, find
from affray.sight import NOT_YET, SPECTATOR
from affray.table import conditions
from affray.web import drawing, handles
from affray.web.draft import chances, loads, panel, says_more, way_of_moving
from affray.web.rendering import PARTS, View, folded, renderer
from affray.web.texts import ENGLISH, WORDS

HERE = Path(drawing.__file__).parent
EVIL = "\"'><img src=x onerror=alert(1)><script>alert(2)</script>&amp;{{7*7}}"
PLAIN: dict[str, Any] = {"refused": None, "numbers": [], "odds": [], "inside": [], "covered": [], "notes": []}


WIDE_OPEN = {"own_words": True, "lasting": True}
"""Conditions of any name, for some time."""


def page(view: View, query: dict[str, str] | None = None) -> Page:
    return Page(renderer().page(view, query or {}, grounds=find("rond6").grounds))


def offers(*some: dict[str, Any]) -> Any:
    return lambda who: [{"cost": "1 Action", "text": "", "refused": None, "fields": [], **one} for one in some]


def field(name: str, domain: dict[str, Any], default: Any) -> dict[str, Any]:
    return {"name": name, "text": name, "domain": domain, "default": default}


# ---- words


def test_every_word_is_in_the_catalogue() -> None:
    used: set[str] = set()
    for path in [*HERE.glob("templates/*.html"), *HERE.glob("templates/fight/*.html")]:
        used |= set(re.findall(r"words\([\"']([^\"']+)[\"'][,)]", path.read_text()))
    assert used and not [key for key in used if key not in ENGLISH]
    for name in ("affray", "fight", "map", "wire"):
        told = set(re.findall(r"\bwords\.(\w+)", (HERE / f"static/{name}.js").read_text()))
        assert not [key for key in told if f"js.{key}" not in ENGLISH], name


def test_no_word_of_the_catalogue_is_unused() -> None:
    """A key stands somewhere in full, without its end (for numbers), or begins with one that is put together."""
    files = [*HERE.rglob("*.html"), *(path for path in HERE.rglob("*.py") if path.name != "texts.py")]
    named = {one for path in files for one in re.findall(r"[\"']([\w.]+)[\"']", path.read_text())}
    scripts = "\n".join(path.read_text() for path in HERE.glob("static/*.js"))
    heads = tuple(one for one in named if one.endswith("."))
    for key in ENGLISH:
        if key.startswith("js."):
            assert re.search(rf"\bwords\.{key[3:]}\b|[\"']{key[3:]}[\"']", scripts), key
        else:
            assert {key, key.rpartition(".")[0]} & named or key.startswith(heads), key


def test_words_of_scripts_cannot_end_the_element() -> None:
    told = WORDS.scripts()
    assert "<" not in told and json.loads(told)["lost"] == ENGLISH["js.lost"]


# ---- widgets


@pytest.mark.parametrize("kind", DOMAINS)
def test_each_domain_has_a_widget_in_the_panel(kind: str) -> None:
    domain, value = DOMAINS[kind]
    view = View(
        model([fighter("Kess", up=True)]), [], offers({"verb": "attack", "fields": [field("target", domain, value)]}),
        lambda order: PLAIN,
    )  # fmt: skip
    shown = Page(renderer().part(view, "panel", {"verb": "attack"}))
    widgets = shown.find("", data_name="v.target")
    assert len(widgets) == 1, kind
    assert not shown.wrong and not shown.open
    if kind in ("one_of", "list", "subset", "ranking"):
        assert any("Apple" in text or "Row 7" in text for text in shown.text)
    if kind == "one_of":
        assert "3 Spaces · Short" in shown.text and shown.find("input", value='"b"')[0].keys() >= {"checked"}
    if kind == "number":
        assert shown.find("input", type="number", value="3", min="1", max="6")
    if kind == "split":
        assert [one["value"] for one in shown.find("input", type="number")] == ["5", "2"]
    if kind == "place":
        assert [one["value"] for one in shown.find("input", type="number")] == ["4", "5"]
    if kind == "ranking":
        assert [one["data-value"] for one in shown.find("li") if "data-value" in one] == ['"b"', '"a"']


@pytest.mark.parametrize("kind", DOMAINS)
def test_each_domain_has_a_widget_in_a_question(kind: str) -> None:
    domain, value = DOMAINS[kind]
    asked = request(0, "Kess", kind="choose", domain=domain, default=value, default_text="as it is")
    view = View(model([fighter("Kess")], master=False, own=("Kess",), requests=[asked]), [])
    shown = Page(renderer().part(view, "prompt"))
    assert not shown.wrong and shown.find("section", role="alertdialog", aria_modal="false")
    answers = [one["data-answer"] for one in shown.find("button") if "data-answer" in one]
    assert answers or shown.find("", data_name="a.0")
    if kind == "one_of":
        assert [json.loads(one or "") for one in answers] == ["a", "b"]
    assert shown.find("button", data_usual=None) or any("data-usual" in attrs for _, attrs in shown.elements)


def test_options_that_are_explained_have_their_price_words_and_rule() -> None:
    told = [
        option("knockback", "knockback", text="Each point moves somebody.", rule="RON-RP-7", note="5 points or more"),
        option("stop", "stop"),
    ]
    asked = request(0, "Kess", kind="choose", domain={"kind": "one_of", "options": told}, default="stop", default_text="stop")
    shown = Page(renderer().part(View(model([fighter("Kess")], master=False, own=("Kess",), requests=[asked]), []), "prompt"))
    assert {"Knockback", "5 points or more", "Each point moves somebody."} <= set(shown.text)
    assert shown.find("button", data_rule="rond6/RON-RP-7")
    named = [one for one in shown.find("button") if one.get("data-answer") == '"knockback"']
    assert shown.find("span", id=named[0]["aria-describedby"])


def test_a_draft_keeps_what_was_chosen_and_survives_nonsense() -> None:
    fights = model([fighter("Kess", up=True)])
    orders: list[Any] = []

    def told(order: Any) -> Any:
        orders.append(order)
        return PLAIN

    offered = offers(
        {"verb": "attack", "fields": [field("target", DOMAINS["one_of"][0], "a"), field("to", {"kind": "place"}, None)]}
    )
    made = panel(fights, {"verb": "attack", "v.target": '"b"', "v.to": "{broken"}, offered, told)
    assert orders[-1] == {"do": "attack", "by": "Kess", "target": "b"}
    assert made.first[0]["value"] == "b" and made.refusal is None
    assert panel(fights, {"who": "Nobody", "verb": "fly"}, offered, told).offer is None
    assert loads("", 3) == 3 and loads("[1", None) is None


def test_where_nobody_is_named_the_panel_asks_whom_it_is_aimed_at() -> None:
    one = {"kind": "one_of", "options": [option("Bo", "Bo")]}
    view = View(
        model([fighter("Kess", up=True), fighter("Bo", "Orcs")]), [],
        offers({"verb": "attack", "fields": [field("target", one, None)]}), lambda order: PLAIN,
    )  # fmt: skip
    friendly = View(model([fighter("Kess", up=True), fighter("Bo")]), [], view.offers, view.preview)
    assert ENGLISH["panel.whom_friend"] in " ".join(Page(renderer().part(friendly, "panel", {"verb": "attack"})).text)
    shown = Page(renderer().part(view, "panel", {"verb": "attack"}))
    assert ENGLISH["panel.whom"] in " ".join(shown.text)
    assert [one.keys() & {"checked"} for one in shown.find("input", type="radio", value='"Bo"')] == [set()]
    assert shown.find("button", type="submit", aria_disabled="true")
    named = Page(renderer().part(view, "panel", {"verb": "attack", "v.target": '"Bo"'}))
    assert ENGLISH["panel.whom"] not in " ".join(named.text)


def test_an_attack_on_friends_alone_does_not_stand_first() -> None:
    one = {"kind": "one_of", "options": [option("Bo", "Bo")]}
    some = offers({"verb": "attack", "fields": [field("target", one, None)]}, {"verb": "move", "fields": []})
    foe = View(model([fighter("Kess", up=True), fighter("Bo", "Orcs")]), [], some, lambda order: PLAIN)
    friend = View(model([fighter("Kess", up=True), fighter("Bo")]), [], some, lambda order: PLAIN)
    assert [one["verb"] for one in panel(foe.model, {}, foe.offers, foe.preview).usual] == ["attack", "move"]
    made = panel(friend.model, {}, friend.offers, friend.preview)
    assert [one["verb"] for one in made.usual] == ["move"] and [one["verb"] for one in made.more] == ["attack"]


def test_what_the_word_for_the_state_says_is_no_condition_besides() -> None:
    stunned, prone = {"word": "stunned", "left": "2 turns left", "rule": ""}, {"word": "prone", "left": "", "rule": ""}
    one = fighter("Kess", mine=True, state={"word": "stunned", "level": 1}, conditions=[stunned, prone])
    view = View(model([one], master=False, own=("Kess",)), ())
    for name in ("order", "me"):
        told = Page(renderer().part(view, name)).text
        assert " ".join(told).count("stunned") == 1 and " ".join(told).count("2 turns left") == 1, (name, told)
        assert "prone" in " ".join(told)
    more = {"f": {**one, "number": 0}, "master": False, "handles": [], "conditions": (), "ends": ()}
    assert " ".join(Page(renderer().part(view, "person", {}, **more)).text).count("stunned") == 1


@pytest.mark.parametrize(
    ("odds", "told"),
    [
        ((0.61, 0.6, 0.62, 0.01), ("61 %", "± 1")),
        ((1.0, 0.34, 1.0, 0.33), ("", "")),
        ((1.0, 0.93, 1.0, 0.035), ("93–100 %", "")),
        ((0.02, 0.0, 0.05, 0.03), ("0–5 %", "")),
        ((0.5, 0.5, 0.5, 0.0), ("50 %", "")),
        ((0.999, 0.999, 0.999, 0.001), (">99 %", "")),
    ],
)
def test_a_forecast_says_what_is_known_and_no_more(odds: tuple[float, ...], told: tuple[str, str]) -> None:
    chance, low, high, error = odds
    found = {"side": "Watch", "chance": chance, "low": low, "high": high, "error": error, "fights": 3, "how": "live"}
    assert drawing.likely(found) == told
    shown = " ".join(Page(renderer().part(View(model([fighter("Kess")]), ()), "forecast", {}, odds=found, again=False)).text)
    assert (ENGLISH["forecast.early"] in shown) == (not told[0]) and "100 % ±" not in shown


def test_the_cost_of_a_draft_takes_the_place_of_the_usual_one() -> None:
    def told(order: Any) -> Any:
        return {**PLAIN, "cost": "Full Action" if order.get("to") == [9, 9] else "1 Action"}

    offered = offers({"verb": "move", "fields": [field("to", {"kind": "place"}, None)]})
    view = View(model([fighter("Kess", up=True)]), [], offered, told)
    assert "Full Action" in Page(renderer().part(view, "panel", {"verb": "move", "v.to": "[9,9]"})).text
    assert "Full Action" not in Page(renderer().part(view, "panel", {"verb": "move", "v.to": "[1,1]"})).text


def test_what_is_refused_stays_with_its_reason_and_rule() -> None:
    view = View(
        model([fighter("Kess", up=True)]), [],
        offers({"verb": "attack"}, {"verb": "parry", "refused": {"text": "no blade in hand", "rule": "RON-DEF-9"}}),
    )  # fmt: skip
    shown = Page(renderer().part(view, "panel", {}))
    assert "No blade in hand" in shown.text and shown.find("button", data_rule="rond6/RON-DEF-9")
    assert not shown.find("button", data_verb="parry")
    drafted = View(
        view.model, [], offers({"verb": "attack"}), lambda order: {"refused": {"text": "out of reach", "rule": "RON-ATK-6"}}
    )
    shown = Page(renderer().part(drafted, "panel", {"verb": "attack"}))
    assert "Out of reach" in shown.text and shown.find("button", type="submit", aria_disabled="true")


def test_numbers_open_into_parts_and_odds_are_words_and_figures() -> None:
    parts = [
        {"value": 7, "unit": "D", "text": "skill", "rule": "RON-SKL-2"},
        {"value": -1, "unit": "D", "text": "wound", "rule": "R-1"},
    ]
    odds = [
        {
            "who": "Bo",
            "name": "Bo",
            "results": [{"word": "miss", "chance": 0.24}, {"word": "dead", "chance": 0.003}],
            "measures": [],
        }
    ]
    told = {
        **PLAIN,
        "numbers": [{"name": "attack", "text": "6D", "parts": parts}],
        "odds": odds,
        "inside": [{"id": "Bo", "name": "Bo"}],
    }
    view = View(model([fighter("Kess", up=True), fighter("Bo")]), [], offers({"verb": "attack"}), lambda order: told)
    shown = Page(renderer().part(view, "panel", {"verb": "attack"}))
    text = " ".join(shown.text)
    assert "7D" in text and "−1D" in text and "24 %" in text and "<1 %" in text and "skill" in text
    assert shown.find("rect", width="24.0") and not [attrs for _, attrs in shown.elements if "style" in attrs]
    assert json.loads(shown.find("div", data_who="Kess")[0]["data-overlay"] or "")["inside"] == ["Bo"]


def test_results_get_worse_from_good_to_bad() -> None:
    rows = [{"word": word, "chance": 0.2} for word in ("miss", "no harm", "stunned", "wounded", "out")]
    assert [row["level"] for row in chances({"who": "a", "name": "a", "results": rows})["rows"]] == [0, 0, 2, 2, 4]


# ---- audiences


def test_only_the_master_gets_the_tools_of_the_master() -> None:
    people = [fighter("Kess", "Heroes", up=True), fighter("Bo", group="Guards"), fighter("Cy", group="Guards")]
    log = [{"n": 1, "id": 11, "who": "Bo", "round": 1, "head": "Bo: attack Kess", "lines": [], "auto": False, "open": False}]
    seen = page(View(model(people), log))
    assert seen.find("button", data_act="undo") and seen.find("button", data_entry="11") and seen.find("details", id="paint")
    mine = [{name: value for name, value in log[0].items() if name != "id"}]
    for own in ((), ("Kess",)):
        told = page(View(model(people, master=False, own=own), mine))
        assert not told.find("button", data_act="undo") and not told.find("details", id="paint")
        assert not [attrs for _, attrs in told.elements if "data-entry" in attrs or "data-add" in attrs]


def test_a_player_sees_himself_first_and_a_spectator_nobody() -> None:
    people = [
        fighter("Kess", "Heroes", points=[{"name": "Fate Points", "value": 1}], ammo=[{"weapon": "bow", "rounds": 3, "of": 12}])
    ]
    mine = " ".join(Page(renderer().part(View(model(people, master=False, own=("Kess",)), []), "me")).text)
    assert "Fate Points" in mine and "bow" in mine and "3/12" in mine.replace(" ", "")
    assert not Page(renderer().part(View(model(people, master=False), []), "me")).text


def test_questions_to_others_may_be_answered_by_the_master_only() -> None:
    asked = request(0, "Kess", kind="roll", pool="5D", faces=[6, 4], thrown={"wild": [[6]], "plain": [4]},
                    next={"kind": "wild", "text": "again"}, domain=None)  # fmt: skip
    mine = Page(renderer().part(View(model([fighter("Kess")], seated=["Kess"], requests=[asked]), []), "prompt"))
    assert any("answer instead" in text for text in mine.text) and len(mine.find("button", data_face="6")) == 1
    assert mine.find("svg", **{"class": "die wild"})
    other = {**asked, "mine": False}
    assert not Page(renderer().part(View(model([fighter("Kess")], master=False, requests=[other]), []), "prompt")).find("section")


def test_groups_are_one_row_that_opens() -> None:
    people = [fighter(f"Guard {n}", group="Guards") for n in range(1, 4)]
    row = {"ids": [f["id"] for f in people], "label": "Guards ×3", "score": 9, "mark": "next"}
    shown = Page(renderer().part(View(model(people, order=[row]), []), "order"))
    assert len(shown.find("li", **{"class": "row-next"})) == 1 and "×3" in shown.text
    assert [one["data-open"] for one in shown.find("button") if "data-open" in one] == ["Guard 1", "Guard 2", "Guard 3"]
    assert len(folded(model(people, order=[]))) == 3


@pytest.mark.parametrize("name", ["rond6-noon", "rond6-tavern", "cepheus-corridor", "rd6-street"])
def test_pages_of_samples(tmp_path: Path, name: str) -> None:
    with table(tmp_path) as at:
        path = at.master.post(f"/samples/{name}", data={"then": "play"}).url.path
        for where in (path, f"{path}/screen"):
            text = at.master.get(where).text
            shown = Page(text)
            assert not shown.wrong, (where, shown.wrong)
            assert len(set(shown.ids)) == len(shown.ids), [one for one in shown.ids if shown.ids.count(one) > 1]
            assert "Undefined" not in text and "{{" not in text
            _safe(shown)
        parts = at.master.get(f"{path}/part/all").json()["parts"]
        assert set(parts) == set(PARTS)
        for part in (*PARTS, "panel", "add", "settings", "forecast"):
            assert at.master.get(f"{path}/part/{part}").status_code == 200, part
        fights = at.master.get(f"/api/fights/{path.split('/')[-1]}").json()
        for one in fights["fighters"]:
            text = at.master.get(f"{path}/part/person", params={"who": one["id"]}).text
            assert one["name"] in text and "data-fix" in text
        for one in at.master.get(f"/api/fights/{path.split('/')[-1]}/log").json():
            assert at.master.get(f"{path}/part/entry", params={"id": one["id"]}).status_code == 200
        assert at.master.get(f"{path}/part/nothing").status_code == 404


def test_every_open_offer_of_the_samples_can_be_drafted(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        for name in ("rond6-noon", "cepheus-corridor"):
            path = at.master.post(f"/samples/{name}", data={"then": "play"}).url.path
            ident = path.split("/")[-1]
            who = at.master.get(f"/api/fights/{ident}").json()["up"][0]
            for one in at.master.get(f"/api/fights/{ident}/offers", params={"who": who}).json():
                if one["refused"] or one["verb"] in ("sweep", "heads_down"):
                    continue
                shown = Page(at.master.get(f"{path}/part/panel", params={"who": who, "verb": one["verb"]}).text)
                assert shown.find("form", id="draft") and not shown.wrong, one["verb"]


# ---- names


def _safe(shown: Page) -> None:
    for tag, attrs in shown.elements:
        assert tag not in ("img", "iframe", "object"), attrs
        assert not [name for name in attrs if name.startswith("on") or name == "style"], attrs
        if tag == "script":
            assert attrs.get("src", "").startswith("/static/") or attrs.get("type") == "application/json", attrs  # type: ignore[union-attr]


def test_names_are_words_only() -> None:
    people = [
        fighter(EVIL, EVIL, up=True, group=EVIL, left=EVIL, conditions=[{"word": EVIL, "left": EVIL, "rule": EVIL}],
                state={"word": EVIL, "level": 2}, standing=[{"word": EVIL, "left": EVIL, "rule": EVIL}],
                points=[{"name": EVIL, "value": 1}], ammo=[{"weapon": EVIL, "rounds": 1, "of": 2}], held=[EVIL],
                wounds=[{"name": EVIL, "text": EVIL}]),
        fighter("Bo", EVIL, group=EVIL),
    ]  # fmt: skip
    parts = [{"value": 1, "unit": EVIL, "text": EVIL, "rule": EVIL}]
    dice = {"pool": EVIL, "faces": [6, 2], "wild": [[6]], "plain": [2], "exploded": False, "total": 8, "flag": EVIL, "n": 0}
    lines = [{"text": EVIL, "who": EVIL, "rule": EVIL, "parts": parts, "dice": dice, "secret": True}]
    log = [{"n": 1, "id": 1, "who": EVIL, "round": 1, "head": EVIL, "lines": lines, "auto": False, "open": True}]
    domains = {**DOMAINS, "one_of": ({"kind": "one_of", "options": [option(EVIL), option("b")]}, EVIL)}
    asked = [
        request(n, EVIL, text=EVIL, kind="choose", domain=domain, default=value, default_text=EVIL, parts=parts, pool=EVIL)
        for n, (domain, value) in enumerate(domains.values())
    ]
    told = {**PLAIN, "numbers": [{"name": EVIL, "text": EVIL, "parts": parts, "who": EVIL}], "notes": [EVIL],
            "odds": [{"who": EVIL, "name": EVIL, "results": [{"word": EVIL, "chance": 0.5}], "measures": []}],
            "inside": [{"id": EVIL, "name": EVIL}], "covered": [[1, 2]]}  # fmt: skip
    offered = offers({"verb": EVIL, "label": EVIL, "text": EVIL, "fields": [field("target", domains["one_of"][0], EVIL)]},
                     {"verb": "no", "refused": {"text": EVIL, "rule": EVIL}})  # fmt: skip
    for more in ({"requests": asked, "can": {"order": [EVIL]}}, {"space": {"kind": "bands", "bands": [
        {"a": EVIL, "b": "Bo", "text": EVIL, "metres": 3, "band": EVIL}], "scene": [{"name": EVIL, "text": EVIL}]}}):  # fmt: skip
        seen = model(people, title=EVIL, waiting=[EVIL], busy=True, floor=EVIL, **more)
        view = View(seen, log, offered, lambda order: told)
        for shown in (page(view, {"verb": EVIL, "who": EVIL}), Page(renderer().screen(view))):
            _safe(shown)
            assert not shown.wrong and any(EVIL in text for text in shown.text)
        for name, extra in (
            ("person", {"f": people[0], "master": True, "handles": [], "conditions": [EVIL], "ends": (), **WIDE_OPEN}),
            ("entry", {"one": log[0]}), ("add", {"templates": [EVIL]}),
        ):  # fmt: skip
            _safe(Page(renderer().part(view, name, {}, **extra)))


# ---- drawing and handles


def test_drawing() -> None:
    names = drawing.tokens([fighter(f"Guard {n}") for n in range(1, 14)] + [fighter("Gus"), fighter("Gustav"), fighter("7")])
    assert names["Guard 3"] == "G3" and names["Guard 12"] == "G12" and len(set(names.values())) == len(names)
    assert drawing.outline([(0, 0), (1, 0), (3, 0)], 0, 0) == "M0 0h80v40h-80zM120 0h40v40h-40z"
    assert [drawing.percent(p) for p in (0, 0.001, 0.5, 0.999, 1)] == ["0", "<1", "50", ">99", "100"]
    assert drawing.signed({"value": -1, "unit": "D"}) == "−1D" and drawing.signed({"value": 2, "unit": ""}) == "+2"
    west, south, east, north = drawing.frame(model([fighter("a", at=[40, 40])]))
    assert west < 0 and east > 40 and north > 40 and south <= 0
    assert drawing.key(EVIL).isalnum() and drawing.key(EVIL) == drawing.key(EVIL)


def test_the_map_opens_on_those_who_stand_there() -> None:
    seen = model([fighter("a", at=[40, 12]), fighter("b", at=[47, 15])], space={"kind": "grid", "bounds": [0, 0, 59, 29]})
    whole = drawing.frame(seen)
    assert drawing.near(seen, whole) == (38, 10, 50, 18) and whole[:2] == (0, 0)
    assert drawing.near(model([]), (0, 0, 7, 7)) == (0, 0, 7, 7)
    x, y, across, up = map(int, drawing.chart(seen)["near"].split())
    assert (x, across, up) == (38 * drawing.CELL, 13 * drawing.CELL, 9 * drawing.CELL) and y == (29 - 18) * drawing.CELL


def test_a_number_with_one_value_is_not_asked_for() -> None:
    none, some = ({"kind": "number", "least": 0, "most": most} for most in (0, 2))
    made = panel(
        model([fighter("a", up=True)], up=["a"], can={"order": ["a"]}),
        {"who": "a", "verb": "dodge"},
        offers({"verb": "dodge", "fields": [field("points", none, 0), field("more", some, 0)]}),
        lambda order: PLAIN,
    )
    assert [one["name"] for one in made.first] == ["more"]


def test_an_order_is_prepared_before_the_turn() -> None:
    """A player out of turn chooses as if it were theirs; nothing can be given, nothing is worked out before it is asked for."""
    early = {"refused": {"text": NOT_YET[0], "rule": ""}, "numbers": [{"name": "attack", "text": "5D", "parts": []}]}
    asked: list[str] = []

    def told(who: str) -> Any:
        asked.append(who)
        return offers({"verb": "attack", "fields": [field("weapon", DOMAINS["one_of"][0], "b")]})(who)

    seen = model([fighter("a", up=True), fighter("b")], master=False, own=("b",))
    view = View(seen, (), told, lambda order: {**PLAIN, **early})

    def html(view: View, **query: str) -> str:
        return renderer().part(view, "panel", query)

    closed = html(view)
    assert not asked and "Prepare your order" in closed and "data-commit" not in closed
    made = html(view, who="b", verb="attack", prepare="1", **{"v.weapon": '"a"'})
    assert asked == ["b"] and "Kept ready" in made and "5D" in made and "data-commit" not in made and NOT_YET[0] not in made
    refused = View(seen, (), told, lambda order: {**PLAIN, "refused": {"text": "too far away", "rule": "RON-ATK-10"}})
    assert "Too far away" in html(refused, verb="attack")
    fallen = model([fighter("a", up=True), fighter("b", out=True)], master=False, own=("b",))
    assert "Prepare" not in html(View(fallen, (), told))


def test_a_friend_as_target_is_told() -> None:
    seen = model([fighter("a", up=True), fighter("b"), fighter("c", "Gang")], up=["a"])
    domain = {"kind": "one_of", "options": [option("b"), option("c")]}
    results = [{"word": "miss", "chance": 0.5}, {"word": "out", "chance": 0.5}]
    odds = [{"who": "b", "name": "b", "results": results, "measures": []}]
    offered = offers({"verb": "attack", "fields": [field("target", domain, "b")]})
    view = View(seen, (), offered, lambda order: {**PLAIN, "odds": odds})
    assert "b: on the same side" in renderer().part(view, "panel", {"verb": "attack"})
    assert "same side" not in renderer().part(view, "panel", {"verb": "attack", "v.target": '"c"'})


def test_an_order_of_a_group_is_told_for_each() -> None:
    group = [fighter(f"Thug {n}", "Gang", group="thugs", up=n == 1, acted=n == 3) for n in (1, 2, 3, 4)]
    seen = model([*group, fighter("Ann")])
    chance = {"Thug 1": 0.5, "Thug 2": 0.5, "Thug 3": 0.5, "Thug 4": 0.25}

    def told(order: Any) -> Any:
        refused = None if order["by"] == "Thug 1" else {"text": NOT_YET[0], "rule": ""}
        if order["by"] == "Thug 4":
            refused = {"text": "has no weapon", "rule": "RON-ATK-3"}
        odds = [{"who": "Ann", "name": "Ann", "results": [{"word": "miss", "chance": 0.5}, {"word": "out", "chance": 0.1}],
                 "measures": [{"word": "hits", "chance": chance[order["by"]]}]}]  # fmt: skip
        return {**PLAIN, "refused": refused, "odds": odds}

    view = View(seen, (), offers({"verb": "attack"}), told)
    query = {"who": "Thug 1", "verb": "attack", "with": json.dumps([f["id"] for f in group])}
    made = view.panel(query)
    assert [(one["id"], bool(one["refused"]), one["later"]) for one in made.each] == [
        ("Thug 1", False, False), ("Thug 2", False, True), ("Thug 3", True, False), ("Thug 4", True, False)]  # fmt: skip
    assert made.alike and made.each[0]["chances"] == [{"word": "hits", "chance": 0.5}, {"word": "out", "chance": 0.1}]
    text = renderer().part(view, "panel", query)
    assert "2 of 4 can do it" in text and "each of 2" in text and "hits 50 %" in text
    assert "has acted already" in text and "has no weapon" in text
    chance["Thug 2"] = 0.75
    assert not view.panel(query).alike and "hits 75 %" in renderer().part(view, "panel", query)
    assert not view.panel({"who": "Thug 1", "verb": "attack"}).each


def test_track_of_distances() -> None:
    pairs = [{"a": "a", "b": "b", "text": "12 m, Short", "metres": 12, "band": "Short"},
             {"a": "c", "b": "a", "text": "2 m, Close", "metres": 2, "band": "Close"}]  # fmt: skip
    seen = model([fighter("a", up=True), fighter("b"), fighter("c")], space={"kind": "bands", "bands": pairs})
    assert [column["name"] for column in drawing.track(seen)["columns"]] == ["Close", "Short"]
    assert drawing.track(seen, "b")["from"]["id"] == "b" and drawing.track(seen, "nobody")["from"]["id"] == "a"


def test_moving_by_a_token() -> None:
    place = {"name": "to", "domain": {"kind": "place"}}
    assert way_of_moving([{"verb": "attack", "fields": []}, {"verb": "move", "fields": [place]}]) == {
        "verb": "move",
        "field": "to",
    }
    assert way_of_moving([{"verb": "area", "fields": [place]}]) is None


def test_handles_are_fields_that_can_be_set() -> None:
    from affray.rulesets.cepheus.sheet import Fighter, Sheet

    me = Fighter("Mara", "Crew", Sheet(7, 7, 7, 7, 7, 7))
    found = {one["field"]: one for one in handles.handles(me, {"field.aim_at": "aims at"})}
    assert found["aim_at"]["label"] == "Aims at" and not found["aim_at"]["usual"]
    assert found["strength"]["domain"]["kind"] == "number" and found["stance"]["domain"]["kind"] == "one_of"
    assert found["fatigued"]["domain"]["kind"] == "yes_no" and "sheet" not in found and "id" not in found
    assert "fatigued" in conditions.known(find("cepheus"), me) and not conditions.open_to_words(me)


@pytest.mark.parametrize("name", NAMES)
def test_every_field_that_can_be_corrected_has_words(name: str) -> None:
    ruleset = find(name)
    hints = get_type_hints(ruleset.Fighter)
    fields = [one.name for one in msgspec.structs.fields(ruleset.Fighter) if one.name not in ("id", "sheet")]
    assert not [one for one in fields if f"field.{one}" not in ruleset.texts]
    usual = [one for one in fields if one in handles.USUAL and handles.domain_of(hints[one])]
    assert 5 <= len(usual) <= 14, usual


# ---- the server


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Table]:
    with table(tmp_path) as found:
        yield found


def test_parts_that_are_the_masters_are_refused_to_others(at: Table) -> None:
    path = at.master.post("/samples/rond6-noon", data={"then": "play"}).url.path
    ident = path.split("/")[-1]
    campaign = at.master.get(f"/api/fights/{ident}").json()["campaign"]
    ann = at.join(campaign, "Ann", "Ada")
    assert ann.get(path).status_code == 200
    for name in ("entry", "add", "settings"):
        assert ann.get(f"{path}/part/{name}").status_code in (401, 403)
        assert at.stranger.get(f"{path}/part/{name}").status_code in (401, 403)
    shown = ann.get(f"{path}/part/person", params={"who": "Ada"}).text
    assert "Ada" in shown and "data-fix" not in shown
    assert at.stranger.get(path).status_code in (401, 403)


def test_the_screen_shows_the_master_what_everybody_may_see(at: Table) -> None:
    path = at.master.post("/samples/rond6-noon", data={"then": "play"}).url.path
    ident = path.split("/")[-1]
    at.master.post(f"/api/fights/{ident}/corrections", json={"do": "hide", "who": "Bo"})
    assert "Bo" in at.master.get(path).text
    for where in (f"{path}/screen", f"{path}/part/all?screen=1", f"{path}/part/order?screen=1"):
        assert not re.search(r"\bBo\b", at.master.get(where).text), where
    assert SPECTATOR.own == ()


def test_a_hint_says_more_than_its_title() -> None:
    for title, text, more in (
        ("Attack", "attack somebody", False), ("Stand", "stand up", False), ("Dodge", "dodge until the next turn", True),
        ("Charge", "charge at somebody", False), ("Treat", "help somebody who is hurt", True),
    ):  # fmt: skip
        assert says_more(text, title) == more
    view = View(model([fighter("Kess", up=True)]), [], offers({"verb": "attack", "text": "attack somebody"}), lambda order: {})
    assert "attack somebody" not in renderer().part(view, "panel", {"verb": "attack"}).lower()
