"""What is drawn on the page, in plain numbers for the templates: the map, the track of distances, dice, bars.

It works from the model of one audience alone. Geometry only: what a cell or a distance means is a ruleset's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2s
from typing import Any

import msgspec

from affray.web.texts import sentence as sentence

CELL = 40
"""Units of the drawing in one cell."""
LEAST = 8
"""Cells that a map shows at least, across and up."""
MARGIN = 2
"""Cells around those who stand on the map when it opens."""
PIPS = {
    1: ((12, 12),),
    2: ((7, 7), (17, 17)),
    3: ((7, 7), (12, 12), (17, 17)),
    4: ((7, 7), (17, 7), (7, 17), (17, 17)),
    5: ((7, 7), (17, 7), (12, 12), (7, 17), (17, 17)),
    6: ((7, 6), (17, 6), (7, 12), (17, 12), (7, 18), (17, 18)),
}
"""Where the pips of a die's face are, on a square of 24."""
Cell = Sequence[int]
Model = Mapping[str, Any]


def key(name: Any) -> str:
    """A short word for an id of the page that stands for any name."""
    return blake2s(str(name).encode(), digest_size=5).hexdigest()


def signed(part: Mapping[str, Any], first: bool = False) -> str:
    """'7D', '−1D', '+2': the value of a part as it stands in a sum."""
    value, unit = part["value"], part.get("unit", "")
    if isinstance(value, str):
        return value
    sign = "−" if value < 0 else "" if first else "+"
    return f"{sign}{abs(value)}{unit if unit == 'D' else f' {unit}' if unit else ''}"


def percent(chance: float) -> str:
    """A chance for people: whole percents, and never 0 or 100 for what is not certain."""
    if 0 < chance < 0.005:
        return "<1"
    if 0.995 < chance < 1:
        return ">99"
    return f"{chance * 100:.0f}"


EARLY = 0.2
"""Half the width of an interval above which a forecast says nothing yet."""


def likely(odds: Mapping[str, Any]) -> tuple[str, str]:
    """A forecast in figures: '61 %' and '± 1'; '96–100 %' and '' near the ends; '' and '' where it is too early to say."""
    if odds["error"] > EARLY:
        return "", ""
    if odds["error"] < 0.005:
        return f"{percent(odds['chance'])} %", ""
    if odds["chance"] - odds["error"] < 0 or odds["chance"] + odds["error"] > 1:
        return f"{odds['low'] * 100:.0f}–{odds['high'] * 100:.0f} %", ""
    return f"{percent(odds['chance'])} %", f"± {odds['error'] * 100:.0f}"


def tokens(fighters: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Two letters for everybody, no two alike: 'Guard 3' is G3."""
    return dict(_tokens(tuple((fighter["id"], str(fighter["name"])) for fighter in fighters)))


@lru_cache(maxsize=256)
def _tokens(people: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for who, name in people:
        digits = "".join(c for c in name if c.isdigit())
        letters = [c for c in name if c.isalpha()] or ["?"]
        first = letters[0].upper()
        options = [first + digits[-2:]] if digits else [first + other for other in letters[1:]]
        options += [first + other for other in "abcdefghijklmnopqrstuvwxyz0123456789"]
        found[who] = next((one for one in options if one not in found.values()), "??")
    return tuple(found.items())


def side_numbers(model: Model) -> dict[str, int]:
    """The number of each side, for its colour and shape."""
    return {side["name"]: side.get("number", n) % 6 for n, side in enumerate(model["sides"])}


# ---- the map


def cells_of(area: Any) -> list[Cell]:
    """The cells of something on the map: [x, y], {cells}, or corners {x1, y1, x2, y2}."""
    if not isinstance(area, Mapping):
        return [area]
    if "cells" in area:
        return list(area["cells"])
    west, east = sorted((area["x1"], area["x2"]))
    south, north = sorted((area["y1"], area["y2"]))
    return [(x, y) for y in range(south, north + 1) for x in range(west, east + 1)]


def frame(model: Model) -> tuple[int, int, int, int]:
    """West, south, east and north of what is shown."""
    west, south, east, north = model["space"].get("bounds") or (0, 0, 0, 0)
    for fighter in model["fighters"]:
        if fighter.get("at"):
            x, y = fighter["at"]
            west, east, south, north = min(west, x - 1), max(east, x + 1), min(south, y - 1), max(north, y + 1)
    return _wide(west, south, east, north)


def _wide(west: int, south: int, east: int, north: int) -> tuple[int, int, int, int]:
    """At least so many cells each way."""
    while east - west + 1 < LEAST:
        west, east = west - 1, east + 1
    while north - south + 1 < LEAST:
        south, north = south - 1, north + 1
    return west, south, east, north


def near(model: Model, whole: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """West, south, east and north of where everybody stands, with a margin: what the map opens on. Its edges lie on even cells,
    so that it does not follow each step."""
    placed = [f["at"] for f in model["fighters"] if f.get("at") and not f.get("away")]
    if not placed:
        return whole
    xs, ys = [at[0] for at in placed], [at[1] for at in placed]
    west, east = (min(xs) - MARGIN) // 2 * 2, -(-(max(xs) + MARGIN) // 2) * 2
    south, north = (min(ys) - MARGIN) // 2 * 2, -(-(max(ys) + MARGIN) // 2) * 2
    west, south, east, north = _wide(west, south, east, north)
    return max(west, whole[0]), max(south, whole[1]), min(east, whole[2]), min(north, whole[3])


def outline(cells: Iterable[Cell], west: int, north: int) -> str:
    """A path over these cells; runs in a row are one rectangle."""
    rows: dict[int, list[int]] = {}
    for x, y in cells:
        rows.setdefault(y, []).append(x)
    drawn = []
    for y, xs in rows.items():
        run: list[int] = []
        for x in sorted(set(xs)):
            if run and x == run[-1] + 1:
                run.append(x)
                continue
            drawn += [_run(run, y, west, north)] if run else []
            run = [x]
        drawn.append(_run(run, y, west, north))
    return "".join(drawn)


def _run(run: list[int], y: int, west: int, north: int) -> str:
    return f"M{(run[0] - west) * CELL} {(north - y) * CELL}h{len(run) * CELL}v{CELL}h{-len(run) * CELL}z"


def chart(model: Model) -> dict[str, Any]:
    """Everything on the map, placed: paths of walls, cover and terrain, tokens. `ground`: all of it but the tokens; `near`: what
    it opens on."""
    west, south, east, north = frame(model)
    left, low, right, high = near(model, (west, south, east, north))
    sides, short = side_numbers(model), tokens(model["fighters"])
    standing = [f for f in model["fighters"] if f.get("at") and not f.get("away")]
    ground = _ground(msgspec.json.encode(model["space"]), west, south, east, north)
    own = model["you"].get("own", ())
    figures = [
        {
            **{name: f[name] for name in ("id", "name", "at", "state", "up", "out", "hidden")},
            "called": f["side"],
            "mine": f["id"] in own,
            "x": (f["at"][0] - west) * CELL + CELL // 2,
            "y": (north - f["at"][1]) * CELL + CELL // 2,
            "side": sides.get(f["side"], 5),
            "token": f.get("token") or short[f["id"]],
        }
        for f in sorted(standing, key=lambda f: (not f["out"], f["up"]))
    ]
    box = ((left - west) * CELL, (north - high) * CELL, (right - left + 1) * CELL, (high - low + 1) * CELL)
    return {**ground, "ground": ground, "tokens": figures, "near": " ".join(map(str, box))}


@lru_cache(maxsize=256)
def _ground(encoded: bytes, west: int, south: int, east: int, north: int) -> dict[str, Any]:
    """What does not move, drawn once for each map."""
    space = msgspec.json.decode(encoded)
    terrain: dict[str, list[Cell]] = {}
    for area in space.get("terrain") or ():
        terrain.setdefault(str(area.get("kind") or "terrain"), []).extend(cells_of(area))
    return {
        "west": west,
        "north": north,
        "across": (east - west + 1) * CELL,
        "up": (north - south + 1) * CELL,
        "walls": outline([c for area in space.get("walls") or () for c in cells_of(area)], west, north),
        "cover": outline([c for area in space.get("cover") or () for c in cells_of(area)], west, north),
        "terrain": [
            {"kind": kind, "path": outline(cells, west, north), "number": n % 4}
            for n, (kind, cells) in enumerate(terrain.items())
        ],
    }


# ---- the track of distances, where there is no grid


def track(model: Model, start: str = "") -> dict[str, Any]:
    """How far everybody is from one of them: columns from near to far, each with who is there.

    Columns are the bands that occur (all that `names` lists, where the model does), else equal distances.
    """
    space, people = model["space"], {f["id"]: f for f in model["fighters"]}
    if start not in people:
        start = next(iter([*model["up"], *model["you"]["own"], *people]), "")
    sides = side_numbers(model)
    columns: dict[str, dict[str, Any]] = {}
    for name in space.get("names") or ():
        columns[name] = {"name": name, "least": None, "people": []}
    for pair in space.get("bands") or ():
        if start not in (pair["a"], pair["b"]):
            continue
        other = people.get(pair["b"] if pair["a"] == start else pair["a"])
        if other is None or other.get("away"):
            continue
        name = pair.get("band") or pair.get("text") or f"{pair['metres']:g} m"
        column = columns.setdefault(name, {"name": name, "least": None, "people": []})
        column["least"] = pair["metres"] if column["least"] is None else min(column["least"], pair["metres"])
        told = pair.get("text") or f"{pair['metres']:g} m"
        side = sides.get(other["side"], 5)
        column["people"].append({"fighter": other, "text": told, "metres": pair["metres"], "side": side})
    found = list(columns.values())
    if not space.get("names"):
        found.sort(key=lambda column: column["least"])
    for column in found:
        column["people"].sort(key=lambda one: one["metres"])
    me = people.get(start)
    return {"from": me, "columns": found, "side": sides.get(me["side"], 5) if me else 5}


def between(model: Model, one: str, other: str) -> Mapping[str, Any] | None:
    """The distance of two, where it is told."""
    return next((pair for pair in model["space"].get("bands") or () if {pair["a"], pair["b"]} == {one, other}), None)


# ---- dice


def thrown(dice: Mapping[str, Any]) -> list[list[dict[str, Any]]]:
    """Chains of dice to draw, the Wild Die first: each die has its face and whether it is wild."""
    wild = [[{"face": face, "wild": True} for face in chain] for chain in dice.get("wild") or () if chain]
    plain = [[{"face": face, "wild": False}] for face in dice.get("plain") or ()]
    return wild + plain or [[{"face": face, "wild": False}] for face in dice.get("faces") or ()]


def so_far(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """The dice of an open roll that are known already."""
    thrown = request.get("thrown") or {"plain": request.get("faces") or ()}
    return {**thrown, "total": None, "flag": ""}


# ---- questions and the log


def ranked(options: Sequence[Mapping[str, Any]], value: Sequence[Any] | None) -> list[Mapping[str, Any]]:
    """The options in the order of an answer."""
    listed = list(value or ())
    return sorted(options, key=lambda one: listed.index(one["value"]) if one["value"] in listed else len(listed))


def besides(fighter: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The conditions of a fighter without the one that the word for its state names already."""
    return [one for one in fighter["conditions"] if not _same(one, fighter)]


def lasting(fighter: Mapping[str, Any]) -> str:
    """How long the state of a fighter lasts, where it is one of the conditions."""
    return next((str(one.get("left") or "") for one in fighter.get("conditions") or () if _same(one, fighter)), "")


def _same(one: Mapping[str, Any], fighter: Mapping[str, Any]) -> bool:
    return str(one["word"]).lower() == str(fighter["state"]["word"]).lower()


def counted(left: str | None) -> bool:
    """Whether a duration is told in figures: those are worth their place in a narrow list."""
    return any(c.isdigit() for c in left or "")


def noted(options: Sequence[Mapping[str, Any]]) -> bool:
    """Whether any of these has a note under its label."""
    return any(one.get("note") for one in options)


def concerned(item: Mapping[str, Any]) -> list[str]:
    """Whom an entry of the log is about."""
    told = [item.get("who", ""), *item.get("players", ()), *(line.get("who", "") for line in item["lines"])]
    return list(dict.fromkeys(one for one in told if one))


def outcome(item: Mapping[str, Any], most: int = 2) -> list[str]:
    """What came of an entry, for its headline: the last things that are told of it and are no dice."""
    if not item["head"]:
        return []
    told = [line["text"] for line in item["lines"] if not line.get("dice") and line["text"] != item["head"]]
    return told[-most:]
