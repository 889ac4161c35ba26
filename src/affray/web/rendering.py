"""The parts of a fight's page as HTML, from the model of one audience.

It never looks at the fight itself: what may not be seen is not in the model.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import msgspec

from affray.web import drawing
from affray.web.draft import Panel, panel
from affray.web.texts import WORDS

Model = Mapping[str, Any]
PARTS = ("head", "order", "map", "prompt", "me", "recent", "log")
"""Parts of the page that are sent anew when they have changed."""
TAIL = 60
"""Entries of the log that are sent when it grows; the page keeps the older ones."""
MANY = 9
"""Options from which a list is one line to open, not buttons."""


@dataclass(frozen=True)
class View:
    """What one audience sees: the model, its log, and two questions that the panel asks."""

    model: Model
    log: Sequence[Mapping[str, Any]]
    offers: Callable[[str], Sequence[Mapping[str, Any]]] = lambda who: ()
    preview: Callable[[Mapping[str, Any]], Mapping[str, Any] | None] = lambda order: None

    def panel(self, query: Mapping[str, str]) -> Panel:
        return panel(self.model, query, self.offers, self.preview)


def folded(model: Model) -> list[dict[str, Any]]:
    """Rows of the order of turns, each with its people; those whom it does not name come after it."""
    people = {f["id"]: f for f in model["fighters"]}
    rows: list[dict[str, Any]] = []
    for one in model["order"]:
        row = dict(one)
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

    def part(self, view: View, name: str, query: Mapping[str, str] | None = None, **more: Any) -> str:
        """One part of the page. `query`: the draft of the panel, whom the track starts from, whether the log is whole."""
        if name == "panel":
            more["panel"] = view.panel(query or {})
        return self._made(f"fight/{name}.html", view, query or {}, **more)

    def page(self, view: View, query: Mapping[str, str], **more: Any) -> str:
        return self._made("fight/page.html", view, query, panel=view.panel(query), **more)

    def screen(self, view: View, **more: Any) -> str:
        return self._made("fight/screen.html", view, {}, **more)

    def _made(self, name: str, view: View, query: Mapping[str, str], **more: Any) -> str:
        model = view.model
        own = set(model["you"].get("own", ()))
        seated = set(model.get("seated", ()))
        master = bool(model["you"].get("master"))
        asked = {r["n"]: r["by"] in own or (master and r["by"] not in seated) for r in model["requests"]}
        context = {
            "words": WORDS,
            "draw": drawing,
            "model": model,
            "log": view.log,
            "query": query,
            "sides": drawing.side_numbers(model),
            "people": {f["id"]: f for f in model["fighters"]},
            "rows": folded(model),
            "own": own,
            "asked": asked,
            "many": MANY,
            "tail": TAIL,
            "once": once,
            "round_before": None,
            "theme": "",
            "back": f"/c/{model['campaign']}" if model.get("campaign") else "/",
            "who": model["you"].get("name", ""),
            "now": 0,
            "dumps": lambda value: json.dumps(value, ensure_ascii=False),
        }
        return self.environment.get_template(name).render({**context, **more})


_MADE: dict[tuple[Any, ...], Any] = {}
MOST_MADE = 20_000
"""Small parts that are remembered."""


def once(macro: Any, value: Any, *more: Any) -> Any:
    """What a macro makes of a value, made once: the same for all who see the same, as long as it stays the same. The macro
    may read nothing but its arguments and the words."""
    key = (macro.name, msgspec.json.encode(value), *more)
    found = _MADE.get(key)
    if found is None:
        if len(_MADE) >= MOST_MADE:
            _MADE.clear()
        found = _MADE[key] = macro(value, *more)
    return found


@cache
def renderer() -> Renderer:
    """The renderer of this package's templates."""
    loader = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
    return Renderer(
        jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    )
