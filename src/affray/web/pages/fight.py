"""The page of a running fight: its parts, the panel on which an order is put together, the screen for everyone.

It renders the model of one audience and never looks at the fight itself: what may not be seen is not in the model.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jinja2

from affray.web import drawing
from affray.web.texts import WORDS

Model = Mapping[str, Any]
PARTS = ("head", "order", "map", "prompt", "me", "recent", "log")
"""Parts of the page that are sent anew when they have changed."""
TAIL = 60
"""Entries of the log that are sent when it grows; the page keeps the older ones."""
FIRST = (
    *("target", "targets", "to", "towards", "toward", "at", "place", "n", "actions"),
    *("weapon", "kind", "text", "skill", "what", "item"),
)
"""Options that are shown at once; the others lie behind 'more options' until one of them is used."""
MANY = 9
"""Options from which a list is one line to open, not buttons."""


@dataclass(frozen=True)
class View:
    """What one audience sees: the model, its log, and two questions that the panel asks."""

    model: Model
    log: Sequence[Mapping[str, Any]]
    offers: Callable[[str], Sequence[Mapping[str, Any]]] = lambda who: ()
    preview: Callable[[str, str, Mapping[str, Any]], Mapping[str, Any] | None] = lambda who, verb, values: None


@dataclass
class Panel:
    """An order that is being put together: who, which verb, the options so far, what would come of it."""

    who: str = ""
    people: list[Mapping[str, Any]] = field(default_factory=list)
    group: list[Mapping[str, Any]] = field(default_factory=list)
    together: list[str] = field(default_factory=list)
    usual: list[Mapping[str, Any]] = field(default_factory=list)
    more: list[Mapping[str, Any]] = field(default_factory=list)
    refused: list[Mapping[str, Any]] = field(default_factory=list)
    offer: Mapping[str, Any] | None = None
    first: list[dict[str, Any]] = field(default_factory=list)
    rest: list[dict[str, Any]] = field(default_factory=list)
    preview: Mapping[str, Any] | None = None
    values: dict[str, Any] = field(default_factory=dict)
    move: dict[str, str] | None = None
    """The verb and the option by which a token that is dragged on the map moves."""

    @property
    def refusal(self) -> Mapping[str, Any] | None:
        """Why the order cannot be given as it stands."""
        told = (self.preview or {}).get("refused")
        return told if told is not None else (self.offer or {}).get("refused") if self.preview is None else None

    @property
    def changed(self) -> bool:
        """Whether an option behind 'more options' is not as usual."""
        return any(one["value"] != one["default"] for one in self.rest)


def panel(view: View, query: Mapping[str, str]) -> Panel:
    """The panel for a draft that stands in a query: who, verb, with (the group), v.OPTION = JSON."""
    model = view.model
    people = {f["id"]: f for f in model["fighters"]}
    may = [people[one] for one in who_may(model) if one in people]
    who = query.get("who", "")
    if who not in {f["id"] for f in may}:
        who = may[0]["id"] if may else ""
    made = Panel(who, may)
    if not who:
        return made
    offers = view.offers(who)
    made.usual = [one for one in offers if one.get("usual")]
    made.more = [one for one in offers if not one.get("usual") and not one.get("refused")]
    made.refused = [one for one in offers if not one.get("usual") and one.get("refused")]
    me = people[who]
    if model["you"].get("master") and me.get("group"):
        made.group = [f for f in model["fighters"] if f.get("group") == me["group"] and f["side"] == me["side"] and not f["out"]]
        asked = loads(query.get("with", ""), [])
        made.together = [f["id"] for f in made.group if f["id"] == who or f["id"] in asked] if isinstance(asked, list) else [who]
    made.move = way_of_moving(offers)
    made.offer = next((one for one in offers if one["verb"] == query.get("verb")), None)
    if made.offer is None:
        return made
    for option in made.offer.get("fields", ()):
        value = loads(query.get(f"v.{option['name']}", ""), option.get("value", option.get("default")))
        made.values[option["name"]] = value
        shown = {**option, "value": value}
        (made.first if option["name"] in FIRST else made.rest).append(shown)
    if not made.first:
        made.first, made.rest = made.rest[:2], made.rest[2:]
    made.preview = view.preview(who, made.offer["verb"], {name: v for name, v in made.values.items() if v is not None})
    return made


def way_of_moving(offers: Sequence[Mapping[str, Any]]) -> dict[str, str] | None:
    """The first verb that takes a place on the map, 'move' before others."""
    for one in sorted(offers, key=lambda one: one["verb"] != "move"):
        for option in one.get("fields", ()):
            if option["domain"]["kind"] == "place" and one["verb"] in ("move", "leap", "jump"):
                return {"verb": one["verb"], "field": option["name"]}
    return None


def who_may(model: Model) -> list[str]:
    """For whom this audience may give an order now."""
    if (listed := model.get("can", {}).get("order")) is not None:
        return list(listed)
    if model["over"] or model.get("requests"):
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


def folded(model: Model) -> list[dict[str, Any]]:
    """Rows of the order of turns, each with its people; those whom it does not name come after it."""
    people = {f["id"]: f for f in model["fighters"]}
    rows: list[dict[str, Any]] = []
    for one in model["order"]:
        row = dict(one) if isinstance(one, Mapping) else {"ids": [one]}
        row["people"] = [people[who] for who in row["ids"] if who in people]
        if row["people"]:
            rows.append(row)
    named = {f["id"] for row in rows for f in row["people"]}
    rows += [{"ids": [f["id"]], "people": [f]} for f in model["fighters"] if f["id"] not in named]
    for row in rows:
        first = row["people"][0]
        row.setdefault("label", first["name"])
        row.setdefault("score", first.get("score"))
        row["mark"] = row.get("mark") or (
            "up" if first["up"] else "out" if first["out"] else "acted" if first["acted"] else "next"
        )
    return rows


class Renderer:
    """Templates to HTML."""

    def __init__(self, environment: jinja2.Environment) -> None:
        self.environment = environment

    def part(self, view: View, name: str, query: Mapping[str, str] | None = None) -> str:
        """One part of the page. `query`: the draft of the panel, whom the track starts from, whose entries the log shows."""
        return self._made(f"fight/{name}.html", view, query or {})

    def page(self, view: View, query: Mapping[str, str], **more: Any) -> str:
        return self._made("fight/page.html", view, query, panel=panel(view, query), **more)

    def screen(self, view: View, **more: Any) -> str:
        return self._made("fight/screen.html", view, {}, **more)

    def _made(self, name: str, view: View, query: Mapping[str, str], **more: Any) -> str:
        if name == "fight/panel.html":
            more["panel"] = panel(view, query)
        context = {
            "words": WORDS,
            "draw": drawing,
            "model": view.model,
            "log": view.log,
            "query": query,
            "sides": drawing.side_numbers(view.model),
            "people": {f["id"]: f for f in view.model["fighters"]},
            "rows": folded(view.model),
            "many": MANY,
            "tail": TAIL,
            "theme": "",
            "back": "/",
            "who": view.model["you"].get("name", ""),
            "dumps": lambda value: json.dumps(value, ensure_ascii=False),
        }
        return self.environment.get_template(name).render({**context, **more})


@cache
def renderer() -> Renderer:
    """The renderer of this package's templates."""
    loader = jinja2.FileSystemLoader(Path(__file__).parents[1] / "templates")
    return Renderer(
        jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    )


handlers: list[Any] = []
_ = asyncio
