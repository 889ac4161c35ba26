"""A fight for reading and printing: what happened in figures, the whole log, sheets."""

from __future__ import annotations

import asyncio
from itertools import groupby
from typing import Any

import msgspec
from litestar import Response, get
from litestar.params import FromPath, FromQuery

from affray.recent import Recent
from affray.render.luck import Luck
from affray.render.summary import Summary, summary
from affray.render.words import called
from affray.web import shelf
from affray.web.hall import TheHall
from affray.web.pages.characters import paper_of
from affray.web.pages.common import show, slug
from affray.web.pages.routes import Html, download, look
from affray.web.people import TheGuest
from affray.web.tables import Table

_SUMS: Recent[Summary] = Recent(60)


@look("/f/{fight:str}/summary")
async def summary_(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> Html:
    """Figures of the fight, as far as one may know them."""
    table = await hall.table_for(guest, fight)
    told = await _summed(table, guest)
    camp = await hall.campaign(table.campaign)
    sides = list(dict.fromkeys(one.side for one in told.people))
    return show("summary.html", guest, camp, tab="fights", fight=fight, title=table.title, sum=told, sides=sides)


@get("/api/fights/{fight:str}/summary", summary="A fight in figures, as you may know them")
async def summary_json(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> dict[str, Any]:
    table = await hall.table_for(guest, fight)
    told = await _summed(table, guest)
    found: dict[str, Any] = msgspec.to_builtins(told)
    for one, plain in zip(told.people, found["people"], strict=True):
        plain["dice"] = _luck(one.dice)
    return found | {"dice": _luck(told.dice)}


def _luck(one: Luck | None) -> dict[str, Any] | None:
    if one is None:
        return None
    shares = {"expected": round(one.expected, 2), "spread": round(one.spread, 2), "score": round(one.score, 2)}
    return {"dice": one.dice, "total": one.total, **shares, "verdict": one.verdict}


async def _summed(table: Table, guest: Any) -> Summary:
    """The figures for somebody; worked out once for all who see the same."""
    audience = table.audience(guest)
    key = (table.id, table.view(audience).version, audience)
    return await asyncio.to_thread(_SUMS.get, key, lambda: summary(table.shown, audience))


@look("/f/{fight:str}/log")
async def log(hall: TheHall, guest: TheGuest, fight: FromPath[str], who: FromQuery[str] = "") -> Html:
    """The whole log for reading and printing, round by round."""
    table = await hall.table_for(guest, fight)
    view = table.view(table.audience(guest))
    camp = await hall.campaign(table.campaign)
    people = [(one["id"], one["name"]) for one in view.model["fighters"]]
    items = [one for one in view.log if not who or who == one.get("who") or any(who == line.get("who") for line in one["lines"])]
    rounds = [(number, list(some)) for number, some in groupby(items, key=lambda one: one.get("round", 0))]
    return show(
        "log.html",
        guest,
        camp,
        tab="fights",
        fight=fight,
        title=table.title,
        rounds=rounds,
        only=who,
        people=people,
        system=table.shown.ruleset.name,
    )


@download("/f/{fight:str}/log/text")
async def log_text(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> Response[str]:
    """The log as a plain text to keep."""
    table = await hall.table_for(guest, fight)
    view = table.view(table.audience(guest))
    lines = [table.title, "=" * len(table.title), ""]
    for number, some in groupby(view.log, key=lambda one: one.get("round", 0)):
        lines += [f"Round {number}", ""]
        for one in some:
            lines.append(f"{one['n']:>4}  {one.get('head', '')}".rstrip())
            for line in one["lines"]:
                faces = (line.get("dice") or {}).get("faces") or ()
                dice = f" ({' '.join(map(str, faces))})" if faces else ""
                lines.append(f"      {line.get('text', '')}{dice}" + (f" [{line['rule']}]" if line.get("rule") else ""))
        lines.append("")
    name = f'attachment; filename="{slug(table.title)}-log.txt"'
    return Response("\n".join(lines), media_type="text/plain; charset=utf-8", headers={"content-disposition": name})


@look("/f/{fight:str}/sheets")
async def sheets(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> Html:
    """Sheets of the fight for printing: everybody's for the master, their own for players."""
    table = await hall.table_for(guest, fight)
    audience, rules = table.audience(guest), table.shown.ruleset
    state = rules.seen(table.shown.state, audience)
    found = []
    for f in state.fighters:
        if not audience.mine(f.id):
            continue
        own = rules.bearing(state, f.id).own
        found.append(
            {
                "called": called(f),
                "sheet": {},
                "system": rules.name,
                "uses_upp": True,
                "boxes": bool(rules.attributes),
                "upp": "",
                "skills": [(name, str(code)) for name, code in _pairs(f.sheet.skills)],
                "figures": shelf.alone_figures(rules, state, f.id),
                "state": ", ".join(f"{name} {words}" for name, words in own),
                "pieces": {"armor": []},
                **paper_of(f),
            }
        )
    camp = await hall.campaign(table.campaign)
    return show("sheets.html", guest, camp, tab="fights", sheets=found, title=table.title)


def _pairs(skills: Any) -> list[tuple[str, Any]]:
    """Skills of a sheet, whichever shape the ruleset gives them."""
    return [
        (one[0], one[1]) if isinstance(one, tuple) else (one.name, one.code if one.code is not None else f"+{max(0, one.ranks)}")
        for one in skills
    ]


handlers: list[Any] = [summary_, summary_json, log, log_text, sheets]
