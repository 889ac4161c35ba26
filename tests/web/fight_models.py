"""Models of a fight written by hand, in the shape that `affray.sight` gives, for tests of the page."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any

VOID = {"meta", "link", "input", "br", "hr", "img", "use", "option"}


def fighter(who: str, side: str = "Watch", **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": who, "name": who, "side": side, "group": "", "mine": False, "whole": True, "up": False, "acted": False,
        "score": 7, "left": "", "state": {"word": "unhurt", "level": 0}, "out": False, "away": False, "conditions": [],
        "standing": [],
        "held": [], "wounds": [], "points": [], "ammo": [], "at": [1, 2], "hidden": False,
    }  # fmt: skip
    return {**made, **more}


def model(fighters: list[dict[str, Any]], master: bool = True, own: tuple[str, ...] = (), **more: Any) -> dict[str, Any]:
    sides = dict.fromkeys(f["side"] for f in fighters)
    up = [f["id"] for f in fighters if f["up"]]
    made: dict[str, Any] = {
        "id": "f1", "title": "At the ford", "campaign": "c1", "ruleset": {"name": "rond6", "title": "RonD6"}, "version": "v1",
        "round": 2, "clock": "0:15", "over": False, "turn": up[0] if up else "", "up": up, "floor": "",
        "you": {"master": master, "own": list(own), "spectator": not master and not own, "numbers": master},
        "sides": [{"name": name, "shape": "circle", "number": n} for n, name in enumerate(sides)], "fighters": fighters,
        "order": [
            {"ids": [f["id"]], "label": f["name"], "score": f["score"], "mark": "up" if f["up"] else "next"} for f in fighters
        ],
        "space": {"kind": "grid", "cell": 2.0, "unit": "Space", "bounds": [-1, 0, 9, 8], "walls": [[3, 3], [3, 4], [4, 3]],
                  "cover": [{"value": 2, "cells": [[5, 5]]}], "terrain": [{"kind": "rubble", "value": 1, "cells": [[0, 0]]}],
                  "bands": [], "scene": []},
        "requests": [], "waiting": [], "busy": False, "can": {"undo": True, "redo": False, "correct": master}, "forecast": None,
        "entries": 0,
    }  # fmt: skip
    return {**made, **more}


def option(value: Any, label: str = "", **more: Any) -> dict[str, Any]:
    return {"value": value, "label": label or str(value), **more}


DOMAINS: dict[str, tuple[dict[str, Any], Any]] = {
    "one_of": (
        {"kind": "one_of", "options": [option("a", "Apple", distance="3 Spaces", band="Short"), option("b", "Pear")]},
        "b",
    ),
    "list": ({"kind": "one_of", "options": [option(n, f"Row {n}") for n in range(20)]}, 7),
    "fixed": ({"kind": "one_of", "options": [option("only", "Only this")]}, "only"),
    "yes_no": ({"kind": "yes_no"}, True),
    "number": ({"kind": "number", "least": 1, "most": 6}, 3),
    "split": (
        {"kind": "split", "total": 7, "places": [{"name": "Endurance", "most": 7}, {"name": "Strength", "most": 6}]},
        [5, 2],
    ),
    "subset": ({"kind": "subset", "options": [option("a", "Apple"), option("b", "Pear")], "least": 1, "most": 2}, ["a"]),
    "ranking": ({"kind": "ranking", "options": [option("a", "Apple"), option("b", "Pear")]}, ["b", "a"]),
    "place": ({"kind": "place", "around": [1, 2], "reach": 6}, [4, 5]),
    "order": ({"kind": "order", "by": "Kess", "options": [option({"do": "dodge", "by": "Kess"}, "dodge")]}, None),
    "text": ({"kind": "text", "most": 60}, "a word"),
}
"""A domain of each kind with an answer to it."""


def request(n: int, by: str, **more: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "n": n, "by": by, "name": by, "mine": True, "why": "react", "rule": "RON-DEF-5", "text": "dodge now?", "parts": [],
        "secret": False, "limit": None,
    }  # fmt: skip
    return {**made, **more}


class Page(HTMLParser):
    """What stands in HTML: ids, elements with attributes, text; and whether every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.wrong: list[str] = []
        self._raw = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.ids += [value or "" for name, value in attrs if name == "id"]
        self._raw = tag in ("script", "style")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.ids += [value or "" for name, value in attrs if name == "id"]

    def handle_endtag(self, tag: str) -> None:
        self._raw = False
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data: str) -> None:
        if not self._raw and data.strip():
            self.text.append(data.strip())

    def find(self, tag: str = "", **attributes: str) -> list[dict[str, str | None]]:
        """Elements with these attributes (data_verb for data-verb)."""
        wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
        return [
            attrs for name, attrs in self.elements
            if tag in ("", name) and all(attrs.get(key) == value for key, value in wanted.items())
        ]  # fmt: skip
