"""The parts of a fight's page as HTML, from the model of one audience.

It never looks at the fight itself: what may not be seen is not in the model.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import msgspec
from jinja2 import meta

from affray.recent import Recent
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
MOST_KEPT = 16
"""Versions of a part of one fight that are remembered: one for each audience, and some."""
NESTED = {("you",)}
"""Where what is read is noted by the names inside."""
DERIVATION, ABSENT = "=", object()
LAST = {"recent": 3, "log": TAIL}
"""How many entries of the log a part is given; others get none."""


@dataclass(frozen=True)
class View:
    """What one audience sees: the model, its log, and two questions that the panel asks."""

    model: Model
    log: Sequence[Mapping[str, Any]]
    offers: Callable[[str], Sequence[Mapping[str, Any]]] = lambda who: ()
    preview: Callable[[Mapping[str, Any]], Mapping[str, Any] | None] = lambda order: None
    _encoded: dict[tuple[str, ...], bytes] = field(default_factory=dict)
    _derived: dict[str, Any] = field(default_factory=dict)

    def panel(self, query: Mapping[str, str]) -> Panel:
        return panel(self.model, query, self.offers, self.preview)

    def derived(self, name: str) -> Any:
        """One of the values in DERIVED."""
        if name not in self._derived:
            self._derived[name] = DERIVED[name](self)
        return self._derived[name]

    def encoded(self, path: tuple[str, ...]) -> bytes:
        """What stands in the model under a path, or a derived value ('=', name), as bytes; b'' for nothing."""
        found = self._encoded.get(path)
        if found is None:
            value: Any = self.derived(path[1]) if path[0] == DERIVATION else self.model
            if path[0] != DERIVATION:
                for name in path:
                    value = value.get(name, ABSENT)
                    if value is ABSENT:
                        break
            found = self._encoded[path] = b"" if value is ABSENT else msgspec.json.encode(value)
        return found


class Reading(Mapping[str, Any]):
    """A model that notes what is read of it, by paths."""

    def __init__(self, model: Model, noted: set[tuple[str, ...]], path: tuple[str, ...] = ()) -> None:
        self.model, self.noted, self.path = model, noted, path

    def __getitem__(self, name: str) -> Any:
        path = (*self.path, name)
        if path in NESTED and name in self.model:
            return Reading(self.model[name], self.noted, path)
        self.noted.add(path)
        return self.model[name]

    def __iter__(self) -> Iterator[str]:
        raise TypeError("what a part of the page reads of the model it reads by name")

    def __len__(self) -> int:
        raise TypeError("what a part of the page reads of the model it reads by name")


def folded(model: Model) -> list[dict[str, Any]]:
    """Rows of the order of turns, each with its people as they are drawn there; those whom it does not name come after it."""
    people = {f["id"]: f for f in model["fighters"]}
    listed = [(one["ids"], one) for one in model["order"]]
    named = {who for ids, _ in listed for who in ids}
    rows: list[dict[str, Any]] = []
    sides, own = drawing.side_numbers(model), model["you"].get("own", ())
    for ids, one in (*listed, *(([who], {}) for who in people if who not in named)):
        there = [people[who] for who in ids if who in people]
        if not there:
            continue
        first = there[0]
        mark = one.get("mark") or ("up" if first["up"] else "out" if first["out"] else "acted" if first["acted"] else "next")
        rows.append(
            {
                "ids": ids,
                "mark": mark,
                "number": len(rows) + 1 if mark == "next" else 0,
                "label": first["group"] or one.get("label") or first["name"],
                "score": one.get("score") if "score" in one else first.get("score"),
                "mine": any(f["id"] in own for f in there),
                "people": [
                    {
                        **{name: f[name] for name in ("id", "name", "side", "hidden", "state", "out", "conditions", "standing")},
                        "left": f["left"] if mark == "up" else "",
                        "number": sides.get(f["side"], 5),
                        "mine": f["id"] in own,
                    }
                    for f in there
                ],
            }
        )
    return rows


def owned(view: View) -> list[dict[str, Any]]:
    """The combatants of whoever looks, each with its number of a side and its place in the order of turns (from 1)."""
    own, sides = view.model["you"].get("own", ()), view.derived("sides")
    if not own:
        return []
    places = {who: (n, row["mark"]) for n, row in enumerate(view.derived("rows"), 1) for who in row["ids"]}
    found = []
    for f in view.model["fighters"]:
        if f["id"] in own:
            place, mark = places[f["id"]]
            found.append({**f, "number": sides.get(f["side"], 5), "place": place if mark == "next" else 0, "mark": mark})
    return found


def numbered(model: Model) -> dict[str, dict[str, Any]]:
    """The side of each fighter, with its number."""
    sides = drawing.side_numbers(model)
    return {f["id"]: {"number": sides.get(f["side"], 5), "side": f["side"]} for f in model["fighters"]}


def asked(model: Model) -> dict[int, bool]:
    """Of each open question, whether the one who looks is the one to answer it."""
    own, seated, master = model["you"].get("own", ()), model.get("seated", ()), bool(model["you"].get("master"))
    return {r["n"]: r["by"] in own or (master and r["by"] not in seated) for r in model["requests"]}


DERIVED: dict[str, Callable[[View], Any]] = {
    "sides": lambda view: drawing.side_numbers(view.model),
    "marks": lambda view: numbered(view.model),
    "people": lambda view: {f["id"]: f for f in view.model["fighters"]},
    "rows": lambda view: folded(view.model),
    "mine": owned,
    "chart": lambda view: drawing.chart(view.model) if view.model["space"]["kind"] == "grid" else None,
    "asked": lambda view: asked(view.model),
    "back": lambda view: f"/c/{view.model['campaign']}" if view.model.get("campaign") else "/",
    "who": lambda view: view.model["you"].get("name", ""),
}
"""What templates find under these names, worked out of the model."""
FREE: dict[str, Any] = {"query": {}, "tail": TAIL, "round_before": None, "theme": "", "now": 0}


class Renderer:
    """Templates to HTML."""

    def __init__(self, environment: jinja2.Environment) -> None:
        self.environment = environment
        self._names: dict[str, tuple[str, ...]] = {}

    def part(self, view: View, name: str, query: Mapping[str, str] | None = None, **more: Any) -> str:
        """One part of the page. `query`: the draft of the panel, whom the track starts from, whether the log is whole."""
        if name == "panel":
            more["panel"] = view.panel(query or {})
        return self.made(f"fight/{name}.html", view, view.model, query=query or {}, **more)

    def page(self, view: View, query: Mapping[str, str], **more: Any) -> str:
        return self.made("fight/page.html", view, view.model, query=query, panel=view.panel(query), **more)

    def screen(self, view: View, **more: Any) -> str:
        return self.made("fight/screen.html", view, view.model, **more)

    def made(self, name: str, view: View, model: Model, **more: Any) -> str:
        derived = {one: view.derived(one) for one in self.names(name)}
        context = {"model": model, "log": view.log, **FREE, **derived, **more}
        return self.environment.get_template(name).render(context)

    def ready(self) -> None:
        """Read all templates of a fight, so that nobody waits for that later."""
        for name in self.environment.list_templates(filter_func=lambda name: name.startswith("fight/")):
            self.names(name)
            self.environment.get_template(name)

    def names(self, template: str) -> tuple[str, ...]:
        """The derived values that a template, or one that it uses, may read."""
        if template not in self._names:
            source, _, _ = self.environment.loader.get_source(self.environment, template)  # type: ignore[union-attr]
            tree = self.environment.parse(source)
            found = {*meta.find_undeclared_variables(tree)} & DERIVED.keys()
            for other in meta.find_referenced_templates(tree):
                found.update(self.names(other) if other else DERIVED)
            self._names[template] = tuple(sorted(found))
        return self._names[template]


class Made:
    """Parts of one fight that were made lately, for whomever, by all that was read for them: where that is the same, so is
    the part."""

    def __init__(self) -> None:
        self._kept: defaultdict[str, Recent[str]] = defaultdict(lambda: Recent(MOST_KEPT))
        self._read: defaultdict[str, list[tuple[tuple[str, ...], ...]]] = defaultdict(list)

    def part(self, view: View, name: str, **more: Any) -> str:
        """A part as `Renderer.part` makes it, without a query. It is given what it needs of the log alone."""
        kept, reads = self._kept[name], self._read[name]
        shown = msgspec.json.encode((view.log, more))
        for paths in reads:
            if (found := kept.find((paths, shown, *map(view.encoded, paths)))) is not None:
                return found
        noted: set[tuple[str, ...]] = set()
        template = f"fight/{name}.html"
        text = renderer().made(template, view, Reading(view.model, noted), **more)
        paths = (*sorted(noted), *((DERIVATION, one) for one in renderer().names(template)))
        if paths not in reads:
            reads.append(paths)
        return kept.put((paths, shown, *map(view.encoded, paths)), text)


_MADE: Recent[str] = Recent(20_000)
"""Small parts of pages."""


@jinja2.pass_context
def once(context: jinja2.runtime.Context, macro: Any, value: Any, *more: Any) -> str:
    """What a macro makes of a value, made once: the same for all who see the same, as long as it stays the same. The macro
    may read nothing but its arguments and the words."""
    key = (context.name, macro.name, msgspec.json.encode((value, more)))
    return _MADE.get(key, lambda: macro(value, *more))


@cache
def renderer() -> Renderer:
    """The renderer of this package's templates."""
    loader = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
    environment = jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True, auto_reload=False
    )
    environment.globals |= {"words": WORDS, "draw": drawing, "many": MANY, "once": once, "dumps": dumps}
    return Renderer(environment)


def dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
