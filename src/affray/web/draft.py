"""An order that is being put together on the page: who, which verb, the options so far, what would come of it.

What may be done, what it costs and what it comes to is told by `affray.sight`; here it is arranged for the panel.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from affray.sight import NOT_YET
from affray.sight.offering import AIMED
from affray.web.texts import WORDS

Model = Mapping[str, Any]
Offer = Mapping[str, Any]
USUAL = ("attack", "dodge", "move", "aim", "declare", "parry", "reload", "stance", "charge", "wait", "recover", "stand")
"""Verbs with a large button when they are possible, as many as `BUTTONS`; 'end' comes last and always."""
BUTTONS = 5
FIRST = (
    *("target", "targets", "to", "towards", "toward", "at", "place", "n", "actions"),
    *("weapon", "kind", "text", "skill", "what", "item"),
)
"""Options that are shown at once; the others lie behind 'more options' until one of them is used."""
AS_USUAL = ("weapon", "manner", "row", "mode", "fire", "using", "part")
"""Options of which the empty value means: as one would expect."""
HEADLINES = ("hits", "hit")
"""Chances that are told above the table of results."""
MOVES = ("move", "leap", "jump")
NO_HARM = ("no harm", "miss", "misses", "missed", "no effect", "nothing", "no change", "unhurt")
MOST_EACH = 12
"""Of a group, so many are told one by one."""
FALLEN = ("out", "dead", "killed", "unconscious", "mortal", "mortally", "destroyed", "incapacitated", "dying")


@dataclass
class Panel:
    """The draft, arranged. `usual`, `more` and `refused` are offers; `first` and `rest` the options of the chosen one."""

    who: str = ""
    people: list[Mapping[str, Any]] = field(default_factory=list)
    group: list[Mapping[str, Any]] = field(default_factory=list)
    together: list[str] = field(default_factory=list)
    usual: list[Offer] = field(default_factory=list)
    more: list[Offer] = field(default_factory=list)
    refused: list[Offer] = field(default_factory=list)
    offer: Offer | None = None
    first: list[dict[str, Any]] = field(default_factory=list)
    rest: list[dict[str, Any]] = field(default_factory=list)
    preview: Mapping[str, Any] | None = None
    values: dict[str, Any] = field(default_factory=dict)
    move: dict[str, str] | None = None
    """The verb and the option by which a token that is dragged on the map moves."""
    friends: list[str] = field(default_factory=list)
    """Names of their own side at whom the order aims."""
    waiting: bool = False
    """It is not their turn yet: the order is prepared, and given when it is."""
    each: list[dict[str, Any]] = field(default_factory=list)
    """What the order comes to for each of a group: [{id, name, refused, later, text, chances}]."""

    @property
    def refusal(self) -> Mapping[str, Any] | None:
        """Why the order cannot be given as it stands."""
        asked = self.preview if self.preview is not None else self.offer or {}
        found = asked.get("refused")
        return None if self.waiting and found and found["text"] in NOT_YET else found

    @property
    def alike(self) -> bool:
        """Whether the order comes to the same for all of a group who can carry it out."""
        able = [(one["text"], one["cost"], one["chances"]) for one in self.each if not one["refused"]]
        return len(able) > 1 and all(one == able[0] for one in able)

    @property
    def spent(self) -> bool:
        """Whether nothing is left of the turn but its end."""
        return bool(self.usual) and all(one["verb"] == "end" or one["cost"].startswith("free") for one in self.usual)

    @property
    def changed(self) -> bool:
        """Whether an option behind 'more options' is not as usual."""
        return any(one["value"] != one["default"] for one in self.rest)


def panel(
    model: Model,
    query: Mapping[str, str],
    offers: Callable[[str], Sequence[Offer]],
    preview: Callable[[Mapping[str, Any]], Mapping[str, Any] | None],
) -> Panel:
    """The panel for a draft that stands in a query: who, verb, with (the group), v.OPTION = JSON, prepare = 1 (out of turn)."""
    people = {f["id"]: f for f in model["fighters"]}
    may = [people[one] for one in who_may(model) if one in people]
    waiting = not may and bool(preparing(model))
    if waiting:
        may = preparing(model) if query.get("prepare") or query.get("verb") else []
    who = query.get("who", "")
    if who not in {f["id"] for f in may}:
        who = may[0]["id"] if may else ""
    made = Panel(who, may, waiting=waiting)
    if not who:
        return made
    found = [aims(arranged(one), people, people[who]["side"]) for one in offers(who)]
    _sorted(made, found)
    made.move = way_of_moving(found)
    _group(made, model, people[who], query)
    made.offer = next((one for one in found if one["verb"] == query.get("verb")), None)
    if made.offer is None:
        return made
    for option in made.offer["fields"]:
        if settled(option["domain"]):
            continue
        value = loads(query.get(f"v.{option['name']}", ""), option.get("default"))
        made.values[option["name"]] = value
        (made.first if option["name"] in FIRST else made.rest).append({**option, "value": value})
    if not made.first:
        made.first, made.rest = made.rest[:2], made.rest[2:]
    order = {"do": made.offer["verb"], "by": who, **{name: v for name, v in made.values.items() if v is not None}}
    if lacking := [one for one in made.first + made.rest if one["name"] in AIMED and unaimed(one)]:
        sides = {people[str(each["value"])]["side"] for each in lacking[0]["domain"]["options"] if str(each["value"]) in people}
        only = sides == {people[who]["side"]} and not made.offer.get("helps")
        made.preview = foreseen({"refused": {"text": WORDS("panel.whom_friend" if only else "panel.whom"), "rule": ""}})
        return made
    told = preview(order)
    made.preview = foreseen(told) if told is not None else None
    if made.preview is not None:
        made.preview["ranges"] += reach_of(made.offer, made.preview)
    made.friends = aimed_at(made, people, people[who])
    if len(made.together) > 1:
        made.each = [member(people[one], order, preview) for one in made.together[:MOST_EACH]]
    return made


def unaimed(option: Mapping[str, Any]) -> bool:
    """Whether somebody has to be named and nobody is."""
    domain, value = option["domain"], option["value"]
    return value is None if domain["kind"] == "one_of" else not value and domain.get("least", 0) > 0


def aimed_at(made: Panel, people: Mapping[str, Mapping[str, Any]], me: Mapping[str, Any]) -> list[str]:
    """Those of the own side whom an attack would be aimed at: nobody should strike a friend because nobody else is in reach."""
    if made.preview is None or not any(one["who"] != me["id"] and level_of(one) for one in made.preview["odds"]):
        return []
    listed = made.values.get("targets") or [made.values.get("target")]
    aimed = [people[one] for one in listed if isinstance(one, str) and one in people] if isinstance(listed, list) else []
    return [str(one["name"]) for one in aimed if one["side"] == me["side"] and one["id"] != me["id"]]


def level_of(odds: Mapping[str, Any]) -> bool:
    """Whether any of these results is bad for whom it happens to."""
    return any(row["level"] >= 1 and row["chance"] > 0 for row in odds["rows"])


def preparing(model: Model) -> list[Mapping[str, Any]]:
    """Those for whom a player may put an order together before their turn."""
    if model["over"] or model["you"].get("master"):
        return []
    return [f for f in model["fighters"] if f["id"] in model["you"].get("own", ()) and not f["out"]]


def member(
    one: Mapping[str, Any], order: Mapping[str, Any], preview: Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
) -> dict[str, Any]:
    """What an order of a group comes to for one of it, in short: the first number, what hits, how likely it ends somebody."""
    found = preview({**order, "by": one["id"]}) or {}
    refused = found.get("refused")
    later = bool(refused and refused["text"] in NOT_YET)
    if later and one.get("acted"):
        refused, later = {"text": "has acted already in this round", "rule": ""}, False
    told = foreseen(found)
    odds = [each for each in told["odds"] if each["who"] != one["id"]][:1]
    worst = [row for each in odds for row in each["rows"] if row["level"] == 4]
    short = [{"word": row["word"], "chance": row["chance"]} for row in [*(one for each in odds for one in each["also"]), *worst]]
    text = next((str(number["text"]) for number in told["numbers"]), "")
    known = {"id": one["id"], "name": one["name"], "text": text, "cost": told["cost"], "chances": short}
    return {**known, "refused": None if later else refused, "later": later}


def _sorted(made: Panel, offers: Sequence[Offer]) -> None:
    """Offers into those with a large button, the other possible ones, and those that are refused."""
    ready = {one["verb"]: one for one in offers if not one["refused"]}
    wanted = [verb for verb in USUAL if verb in ready and not ready[verb].get("friends_only")][:BUTTONS]
    made.usual = [ready[verb] for verb in wanted] + [one for one in offers if one["verb"] == "end"]
    shown = {one["verb"] for one in made.usual}
    made.more = [one for one in offers if one["verb"] not in shown and not one["refused"]]
    made.refused = [one for one in offers if one["verb"] not in shown and one["refused"]]


def _group(made: Panel, model: Model, me: Mapping[str, Any], query: Mapping[str, str]) -> None:
    """Those who may act in one order with somebody; the master's people alone."""
    made.together = [me["id"]]
    if not (model["you"].get("master") and me.get("group")):
        return
    made.group = [f for f in model["fighters"] if f.get("group") == me["group"] and f["side"] == me["side"] and not f["out"]]
    asked = loads(query.get("with", ""), [])
    if isinstance(asked, list):
        made.together += [f["id"] for f in made.group if f["id"] != me["id"] and f["id"] in asked]


def who_may(model: Model) -> list[str]:
    """For whom this audience may give an order now."""
    if isinstance(listed := model.get("can", {}).get("order"), list):
        return listed
    if model["over"] or model.get("requests") or model.get("busy"):
        return []
    return [one for one in model["up"] if model["you"].get("master") or one in model["you"].get("own", ())]


def loads(text: str, otherwise: Any) -> Any:
    """A value that stands in a query as JSON."""
    if not text:
        return otherwise
    try:
        return json.loads(text)
    except ValueError:
        return otherwise


def settled(domain: Mapping[str, Any]) -> bool:
    """Whether there is nothing to choose: a number that can be one number only."""
    return domain["kind"] == "number" and domain.get("least") is not None and domain["least"] == domain.get("most")


# ---- offers


def arranged(offer: Offer) -> dict[str, Any]:
    """An offer as the panel shows it: a title, the first sentence about it, options with notes."""
    title = str(offer.get("title") or offer.get("label") or offer["verb"].replace("_", " "))
    text = " ".join(str(offer.get("text") or "").split("\n\n")[0].split())
    text = text.split(". ")[0].split(": ")[0].replace("`", "").rstrip(".")
    return {
        **offer,
        "title": title[:1].upper() + title[1:],
        "text": text if says_more(text, title) else "",
        "fields": [option(one) for one in offer.get("fields", ())],
    }


EMPTY = {"a", "an", "the", "somebody", "someone", "something", "one's", "up", "at", "to", "of", "with", "is", "do"}
"""Words that add nothing to what a verb says."""


def says_more(text: str, title: str) -> bool:
    """Whether a text beside a title says anything that the title does not ('attack somebody' says no more than 'Attack')."""
    return bool({*text.lower().split()} - {*title.lower().split()} - EMPTY)


def option(one: Mapping[str, Any]) -> dict[str, Any]:
    """A field of an offer; fighters among its values with how far away they are."""
    domain = dict(one["domain"])
    if domain.get("options"):
        domain["options"] = [choice(each, one["name"]) for each in domain["options"]]
    text = str(one.get("text") or one.get("label") or one["name"].replace("_", " "))
    return {**one, "domain": domain, "text": text[:1].upper() + text[1:]}


def choice(one: Mapping[str, Any], name: str) -> dict[str, Any]:
    parts = [one.get("note"), one.get("distance"), one.get("band")]
    told = [str(part) for n, part in enumerate(parts) if part and str(part) not in str(parts[n - 1] if n else "")]
    label = str(one.get("label", one["value"]))
    if one["value"] == "" and name in AS_USUAL:
        label = "as usual"
    return {**one, "label": label, "note": " · ".join(told)}


def aims(offer: dict[str, Any], people: Mapping[str, Any], side: str) -> dict[str, Any]:
    """Those of the same side are marked where somebody is aimed at, and come last; first where it is to help them.
    `friends_only`: nobody else is in reach."""
    for one in offer["fields"]:
        if one["name"] in ("target", "targets") and one["domain"].get("options"):
            ours = [each for each in one["domain"]["options"] if people.get(str(each["value"]), {}).get("side") == side]
            others = [each for each in one["domain"]["options"] if each not in ours]
            ours = [{**each, "note": " · ".join(filter(None, ("own side", each["note"])))} for each in ours]
            one["domain"]["options"] = ours + others if offer.get("helps") else others + ours
            offer["friends_only"] = bool(ours) and not others and not offer.get("helps")
    return offer


def way_of_moving(offers: Sequence[Offer]) -> dict[str, str] | None:
    """The first verb that takes a place on the map to go to."""
    for verb in MOVES:
        for one in offers:
            for each in one["fields"] if one["verb"] == verb else ():
                if each["domain"]["kind"] == "place":
                    return {"verb": one["verb"], "field": each["name"]}
    return None


def reach_of(offer: Offer, told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """How far a place may be chosen, as a range on the map."""
    if told["ranges"]:
        return []
    for one in offer["fields"]:
        if one["domain"]["kind"] == "place" and one["domain"].get("around") and one["domain"].get("reach", 0) < 60:
            return [{"name": str(offer["title"]), "from": 0, "to": one["domain"]["reach"]}]
    return []


# ---- what would come of it


def foreseen(told: Mapping[str, Any]) -> dict[str, Any]:
    """A preview as the panel shows it: numbers, a table of chances for each, the area and who is inside."""
    return {
        "refused": told.get("refused"),
        "cost": told.get("cost", ""),
        "numbers": list(told.get("numbers") or ()),
        "odds": [chances(one) for one in told.get("odds") or ()],
        "cells": list(told.get("cells") or told.get("covered") or ()),
        "inside": [one if isinstance(one, str) else one["id"] for one in told.get("inside") or ()],
        "ranges": list(told.get("ranges") or ()),
        "group": list(told.get("group") or ()),
        "notes": [*(told.get("notes") or ()), *([told["note"]] if told.get("note") else [])],
        "dice": any(len(one.get("results") or one.get("rows") or ()) > 1 for one in told.get("odds") or ()),
    }


def chances(one: Mapping[str, Any]) -> dict[str, Any]:
    """Rows with a word, a chance and how bad it is (0 to 4), and what is to be expected in figures."""
    rows = [dict(row) for row in one.get("rows") or one.get("results") or ()]
    for n, row in enumerate(rows):
        row.setdefault("level", level(str(row["word"]), n, len(rows)))
    measures = [m for m in one.get("numbers") or one.get("measures") or () if m.get("mean") is not None]
    told = [m for m in one.get("measures") or () if "chance" in m and m["word"] in HEADLINES]
    also = [{"word": m["word"], "chance": m["chance"]} for m in told]
    return {
        "who": one["who"],
        "name": one["name"],
        "rows": rows,
        "numbers": [{"name": m.get("name") or m.get("word"), "mean": m["mean"]} for m in measures],
        "also": also,
    }


def level(word: str, place: int, many: int) -> int:
    """How bad a result is, for its colour: by its words, else by its place among the others (the mildest first)."""
    first = word.lower().split(",")[0].strip()
    if first in NO_HARM:
        return 0
    if any(one in FALLEN for one in first.replace("-", " ").split()):
        return 4
    return max(1, min(3, round(3 * place / max(1, many - 1))))
