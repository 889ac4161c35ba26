"""The map of an encounter in preparation as a picture: grid, walls, cover, terrain, and who stands where.

x grows to the right, y upwards. Cells are one unit wide.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from affray.web.texts import SAID

LARGEST = 80
"""Cells that are drawn in one direction."""


def drawn(data: Mapping[str, Any], fight: Any, sides: list[str]) -> dict[str, Any] | None:
    """What there is to draw; None where distances take the place of a map."""
    space = data.get("space", {})
    space = space if isinstance(space, dict) else {}
    if space.get("kind") == "distances" or (data.get("distances") and not space.get("kind")):
        return None
    boxes = [("wall", n, box, "") for n, box in enumerate(_list(space, "walls")) if _is_box(box)]
    for kind in ("cover", "terrain"):
        for n, one in enumerate(_list(space, kind)):
            if isinstance(one, dict) and _is_box(one.get("area")):
                told = str(one.get("value", "")) if kind == "cover" else str(one.get("kind", ""))
                boxes.append((kind, n, one["area"], told))
    tokens = _tokens(data, fight, sides)
    width, height, left, bottom = _bounds(space, boxes, tokens)
    return {
        "width": width,
        "height": height,
        "left": left,
        "bottom": bottom,
        "tokens": [_token(one, left, bottom, height) for one in tokens],
        "boxes": [_box(one, left, bottom, height) for one in boxes],
    }


def _list(table: Mapping[str, Any], key: str) -> list[Any]:
    found = table.get(key, [])
    return found if isinstance(found, list) else []


def _is_box(box: Any) -> bool:
    return isinstance(box, list) and len(box) == 4 and all(type(part) is int and abs(part) <= 10_000 for part in box)


def _tokens(data: Mapping[str, Any], fight: Any, sides: list[str]) -> list[dict[str, Any]]:
    """Everybody with a place: as the fight would begin, or as far as places are written."""
    placed = {f.id: f.at for f in fight.state.fighters if getattr(f, "at", None) is not None} if fight else {}
    found = []
    people = data.get("combatant", [])
    for number, one in enumerate(people if isinstance(people, list) else []):
        if not isinstance(one, dict):
            continue
        count = one.get("count", 1) if type(one.get("count", 1)) is int else 1
        written = one.get("at", [])
        spots = written if written and isinstance(written, list) and isinstance(written[0], list) else [written]
        for k in range(min(count, 200)):
            name = str(one.get("name", "?")) + (f" {k + 1}" if count > 1 else "")
            at = placed.get(name) or (spots[k] if k < len(spots) else None)
            if at is not None and len(at) == 2 and all(type(part) in (int, float) for part in at):
                side = sides.index(one["side"]) if one.get("side") in sides else 0
                found.append({"c": number, "k": k, "name": name, "x": int(at[0]), "y": int(at[1]), "side": side})
    return found


def _bounds(space: Mapping[str, Any], boxes: list[Any], tokens: list[dict[str, Any]]) -> tuple[int, int, int, int]:
    """Width, height, and the cell at the lower left."""
    size = space.get("size")
    sized = isinstance(size, list) and len(size) == 2 and all(type(part) is int and 1 <= part <= 10_000 for part in size)
    xs = [one["x"] for one in tokens] + [x for _, _, box, _ in boxes for x in (box[0], box[2])]
    ys = [one["y"] for one in tokens] + [y for _, _, box, _ in boxes for y in (box[1], box[3])]
    left, bottom = min([0, *xs]), min([0, *ys])
    width = max([size[0] if sized else 12, *(x - left + 1 for x in xs)])  # type: ignore[index]
    height = max([size[1] if sized else 8, *(y - bottom + 1 for y in ys)])  # type: ignore[index]
    return min(width, LARGEST), min(height, LARGEST), left, bottom


def _token(one: dict[str, Any], left: int, bottom: int, height: int) -> dict[str, Any]:
    words = one["name"].split()
    mark = "".join(word[0] for word in words)[:2] if len(words) > 1 else one["name"][:2]
    return {**one, "cx": one["x"] - left, "cy": height - 1 - (one["y"] - bottom), "mark": mark}


def _box(one: Any, left: int, bottom: int, height: int) -> dict[str, Any]:
    kind, number, (x1, y1, x2, y2), told = one
    x, y = min(x1, x2), max(y1, y2)
    return {
        "kind": kind,
        "n": number,
        "x": x - left,
        "y": height - 1 - (y - bottom),
        "w": abs(x2 - x1) + 1,
        "h": abs(y2 - y1) + 1,
        "text": told,
    }


def html(found: dict[str, Any] | None) -> str:
    """The picture alone, for a page that is open."""
    from jinja2 import Environment, PackageLoader

    env = Environment(loader=PackageLoader("affray.web", "templates"), autoescape=True)
    return env.get_template("parts/ground.html").render(map=found, t=SAID) if found else ""
