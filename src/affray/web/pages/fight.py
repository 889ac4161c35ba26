"""The page of a running fight: the whole of it, its parts as they are asked for, and the screen for everyone at the table."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from litestar import MediaType, Request, Response
from litestar.params import FromPath

from affray import compendium, sight
from affray.encounter import Encounter
from affray.errors import AffrayError, IllegalOrder
from affray.sight import Audience
from affray.sight.reach import ranges
from affray.table import conditions, distances
from affray.web import rendering
from affray.web.errors import NotAllowed, NotFound
from affray.web.hall import TheHall
from affray.web.handles import handles
from affray.web.pages import called
from affray.web.pages.routes import Html, look, plain
from affray.web.people import TheGuest
from affray.web.tables import Table

Plain = Mapping[str, Any]


def fragments(table: Table, audience: Audience, model: Plain, log: Sequence[Plain]) -> dict[str, str]:
    """The parts that are sent when they have changed; of the panel only that it has. The log comes as its tail."""
    made = {}
    view = rendering.View(model, ())
    for name in rendering.PARTS:
        if name != "log":
            last = rendering.LAST.get(name)
            made[name] = table.made.part(replace(view, log=log[-last:]) if last else view, name)
    return {**made, "panel": str(model["version"])}


def tail(table: Table, model: Plain, log: Sequence[Plain], start: int) -> str:
    """The log from an entry on (counted from 0), which takes the place of all that a page shows from there."""
    before = next((one["round"] for one in reversed(log[:start]) if one["head"] or one["lines"]), None)
    view = rendering.View(model, log[start:] or log[-1:])
    return table.made.part(view, "log", tail=max(1, len(log) - start), round_before=before)


def asking(table: Table, audience: Audience) -> rendering.View:
    """The view with what the panel asks: what may be done, and what would come of it."""
    seen, fight = table.view(audience), table.still()

    def offers(who: str) -> Sequence[Plain]:
        try:
            return sight.offers(fight, audience, who, early=True)
        except AffrayError:
            return ()

    return rendering.View(seen.model, seen.log, offers, lambda order: foreseen(fight, audience, order))


def foreseen(fight: Encounter, audience: Audience, order: Plain) -> dict[str, Any]:
    """What an order comes to, with the range bands on the map; what is wrong with it in words."""
    try:
        given = fight.ruleset.order(dict(order))
        return {**sight.preview(fight, audience, given), "ranges": ranges(fight, sight.eyes(fight, audience), given)}
    except IllegalOrder as wrong:
        return {"refused": {"text": wrong.refusal.text, "rule": wrong.refusal.rule}}
    except AffrayError as wrong:
        return {"refused": {"text": str(wrong), "rule": ""}}


def html(text: str) -> Response[str]:
    return Response(text, media_type=MediaType.HTML, headers={"cache-control": "no-store"})


@look("/f/{fight:str}")
async def page_(hall: TheHall, guest: TheGuest, request: Request[Any, Any, Any], fight: FromPath[str]) -> Html:
    """The fight by who one is. The query holds the draft of an order."""
    table = await hall.table_for(guest, fight)
    view = asking(table, table.audience(guest))
    more = {"who": called(guest, table.campaign), "now": round(time.time(), 1), "grounds": table.shown.ruleset.grounds}
    return html(await asyncio.to_thread(rendering.renderer().page, view, dict(request.query_params), **more))


@look("/f/{fight:str}/screen")
async def screen(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> Html:
    """What everybody at the table may see, large."""
    table = await hall.table_for(guest, fight)
    table.audience(guest)
    return html(rendering.renderer().screen(asking(table, sight.SPECTATOR)))


@look("/f/{fight:str}/part/{name:str}")
async def part(
    hall: TheHall, guest: TheGuest, request: Request[Any, Any, Any], fight: FromPath[str], name: FromPath[str]
) -> Html:
    """A part of the page by itself, or 'all' of those that change, as JSON."""
    table = await hall.table_for(guest, fight)
    audience = table.audience(guest)
    query = dict(request.query_params)
    if query.pop("screen", ""):
        audience = sight.SPECTATOR
    seen = table.view(audience)
    if name == "all":
        parts = {k: v for k, v in seen.fragments.items() if k != "panel"}
        parts["log"] = tail(table, seen.model, seen.log, max(0, len(seen.log) - rendering.TAIL))
        return plain({"version": seen.version, "parts": parts})
    if name in rendering.PARTS:
        return html(rendering.renderer().part(rendering.View(seen.model, seen.log), name, query))
    if name == "panel":
        return html(await asyncio.to_thread(rendering.renderer().part, asking(table, audience), "panel", query))
    if name == "person":
        return html(person(table, audience, query.get("who", "")))
    if name == "forecast":
        return html(await forecast(table, audience))
    if name in ("entry", "add", "settings"):
        return html(masters(table, audience, name, query))
    raise NotFound("the page has no such part")


async def forecast(table: Table, audience: Audience) -> str:
    """Who is winning, for those to whom the master shows it; others' forecasts know what everybody knows."""
    shown = table.settings.forecast
    view = rendering.View(table.view(audience).model, ())
    odds, again = None, False
    if shown == "all" or (shown == "master" and audience.master):
        with contextlib.suppress(AffrayError):
            outlook = table.outlook(audience.master)
            odds = await asyncio.to_thread(outlook.told)
            again = table.hall.watched and not outlook.sure
    return rendering.renderer().part(view, "forecast", {}, odds=odds, again=again)


def person(table: Table, audience: Audience, who: str) -> str:
    """One fighter in a popover; for the master with all that may be corrected."""
    seen = table.view(audience)
    found = next((f for f in seen.model["fighters"] if f["id"] == who), None)
    if found is None:
        raise NotFound("nobody of that name is in this fight")
    more: dict[str, Any] = {"f": found, "master": audience.master, "handles": [], "conditions": (), "ends": ()}
    if audience.master:
        fighter = next(f for f in table.shown.state.fighters if f.id == who)
        ruleset = table.shown.ruleset
        more |= {"handles": handles(fighter, ruleset.texts), "conditions": conditions.known(ruleset, fighter)}
        more |= {"own_words": conditions.open_to_words(fighter), "ends": conditions.endable(fighter)}
        more |= {"lasting": bool(ruleset.conditions)}
        more |= {"apart": distances.unit(table.shown), "bands": distances.bands(table.shown.ruleset)}
    return rendering.renderer().part(rendering.View(seen.model, seen.log), "person", {}, **more)


def masters(table: Table, audience: Audience, name: str, query: Plain) -> str:
    """The menu of an entry, or the form for late arrivals."""
    if not audience.master:
        raise NotAllowed("only the game master may do this")
    seen = table.view(audience)
    view = rendering.View(seen.model, seen.log)
    if name == "settings":
        fight = table.shown
        played = fight.memo.get("policies") or {}
        more = {"typed": list(fight.typed or ()), "policies": list(fight.ruleset.policies), "played": played}
        return rendering.renderer().part(view, "settings", {}, **more)
    if name == "add":
        known = compendium.names(table.shown.ruleset.name, "template")
        return rendering.renderer().part(view, "add", {}, templates=known)
    found = next((one for one in seen.log if str(one.get("id")) == query.get("id")), None)
    if found is None:
        raise NotFound("there is no such entry any more")
    return rendering.renderer().part(view, "entry", {}, one=found)


handlers: list[Any] = [page_, screen, part]
