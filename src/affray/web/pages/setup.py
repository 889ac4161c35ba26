"""A new encounter: from a sample, a file, a list of names or nothing; then everything about it on one page.

The draft is kept as the text of its file with each change, however wrong, and checked as `affray check` does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from litestar import Response, get
from litestar.params import FromPath

from affray import compendium
from affray.errors import AffrayError, DataError
from affray.formats import samples
from affray.formats.draft import Draft, begun, checked, typed_places, whole
from affray.formats.names import doubts, read_names, slips
from affray.ruleset import NAMES, find
from affray.store import sql
from affray.table import distances
from affray.web import shelf
from affray.web.errors import Stale
from affray.web.hall import TheHall
from affray.web.pages import foretelling, ground
from affray.web.pages.common import Asked, Form, Told, characters, form, go, master, people_of, short, show, slug, told, wrongs
from affray.web.pages.routes import Html, download, look, plain, send
from affray.web.pages.rulings import listed
from affray.web.people import TheGuest

OUTSIDE = ("name", "side", "count", "at", "player", "surprised", "hidden", "group", "policy", "notes")
"""Keys of a combatant that say nothing of what it can do."""
SLIP = "no stock combatant and no character is called “{name}”; add it once more to take it as a name"


@look("/c/{campaign:str}/new")
async def new(hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> Html:
    return await _new(hall, guest, campaign)


async def _new(hall: Any, guest: Any, campaign: str, status: int = 200, **more: Any) -> Html:
    camp = await master(hall, guest, campaign)
    drafts = [one for one in await hall.encounters(campaign) if one["status"] == "prepared"]
    mine = [one for one in samples.samples() if one.ruleset == camp["ruleset"]]
    context = {"drafts": drafts, "samples": mine, "problems": [], "names": "", "source": "", "title": ""}
    context["templates"] = compendium.names(str(camp["ruleset"]), "template")
    return show("new.html", guest, camp, status, tab="fights", **{**context, **more})


@send("/c/{campaign:str}/new")
async def begin(request: Asked, hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> Html:
    """A draft is begun."""
    camp = await master(hall, guest, campaign)
    typed = await form(request)
    title, ruleset = short(typed.get("title"), 120), str(camp["ruleset"])
    more = {"names": "\n".join(typed.all("names")), "source": "\n".join(typed.all("source")), "title": title}
    try:
        text = await _first_text(hall, campaign, ruleset, typed, title)
    except AffrayError as wrong:
        return await _new(hall, guest, campaign, 400, problems=wrongs(wrong), **more)
    data = Draft(text).data
    name = data.get("title") if isinstance(data.get("title"), str) else ""
    kept = data.get("ruleset") if data.get("ruleset") in NAMES else ruleset
    return go(request, f"/c/{campaign}/new/{await shelf.prepare(hall, campaign, text, str(name or title), str(kept))}")


async def _first_text(hall: Any, campaign: str, ruleset: str, typed: Form, title: str) -> str:
    """The text that a draft begins with. Raises DataError for a file that is no TOML, and for an unknown sample."""
    do, _, about = typed.get("do").partition(" ")
    if do == "sample":
        return whole(samples.path(about))
    if do == "text":
        draft = Draft("\n".join(typed.all("source")))
        draft.name_sides()
        return draft.text
    draft = Draft(begun(ruleset, title))
    if do == "names":
        names = "\n".join(typed.all("names"))
        known = [str(one["name"]) for one in await characters(hall, campaign)]
        if (doubted := doubts(names, draft.system, known)) and _lines(typed.get("sure")) != _lines(names):
            raise DataError(doubted)
        await _add_names(hall, campaign, draft, names)
        there = {one.get("side") for one in draft.people}
        for number in range(len(draft.sides) - 1, -1, -1):
            if draft.sides[number] not in there and len(there) > 1:
                draft.remove_side(number)
    return draft.text


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


async def _add_names(hall: Any, campaign: str, draft: Draft, names: str, side: str = "") -> None:
    known = {str(one["name"]): sheet_with_state(one) for one in await characters(hall, campaign)}
    taken = [str(one.get("name", "")) for one in draft.people]
    draft.add_named(read_names(names, draft.system, tuple(known), taken), known, side)


def sheet_with_state(row: Mapping[str, Any]) -> dict[str, Any]:
    """A character of the campaign as the keys of a combatant, with how it is now."""
    return {**row["sheet"], **({"state": row["state"]} if row["state"] else {})}


# ---- the bench


@look("/c/{campaign:str}/new/{ident:str}")
async def bench(hall: TheHall, guest: TheGuest, campaign: FromPath[str], ident: FromPath[str]) -> Html:
    return await _bench(hall, guest, campaign, ident)


async def _bench(hall: Any, guest: Any, campaign: str, ident: str, status: int = 200, **more: Any) -> Html:
    camp = await master(hall, guest, campaign)
    row = await shelf.draft(hall, campaign, ident)
    context = await asyncio.to_thread(_context, row, camp)
    context["characters"] = await characters(hall, campaign)
    context["before"] = await _before(hall, campaign, context)
    return show("setup.html", guest, camp, status, tab="fights", row=row, **{**context, **more})


def _context(row: Mapping[str, Any], camp: Mapping[str, Any]) -> dict[str, Any]:
    """All that the bench shows of a draft."""
    text, house = str(row["source"]), camp["rulings"]
    fight, problems = checked(text)
    found: dict[str, Any] = {"text": text, "problems": told(problems), "ready": fight is not None, "data": None, "fight": fight}
    try:
        draft = Draft(text, house)
    except DataError:
        return found
    system = draft.system if draft.system in NAMES else str(camp["ruleset"])
    sides = draft.sides
    people = [_person(draft, one, number) for number, one in enumerate(draft.people)]
    for one in found["problems"]:
        one.label = _label(one.field, people, sides)
    own = draft.data.get("rulings", {})
    return found | {
        "data": draft.data,
        "seated": any(one.get("player") for one in people),
        "system": system,
        "sides": sides,
        "people": people,
        "policies": tuple(find(system).policies),
        "templates": compendium.names(system, "template"),
        "weapons": compendium.names(system, "weapon"),
        "armour": compendium.names(system, "armour"),
        "map": ground.drawn(draft.data, fight, sides),
        "rulings": listed(system, {**house, **(own if isinstance(own, dict) else {})}, house),
        "bands": distances.bands(find(system)),
        "grounds": find(system).grounds,
        "shape": draft.shape,
    }


async def _before(hall: Any, campaign: str, context: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Names that somebody had in an earlier fight of the campaign who is no character of it, each with that fight: here they
    would begin as anybody, whatever they were."""
    known = {str(one["name"]).lower() for one in context["characters"]}
    names = {str(one["name"]) for one in context.get("people", ()) if one["average"]}
    names = {name for name in names if name and name.lower() not in known}
    if not names:
        return {}
    rows = [one for one in await hall.rows(sql.find(sql.ENCOUNTERS, campaign=campaign)) if one["status"] != "prepared"]

    def look() -> dict[str, dict[str, Any]]:
        found: dict[str, dict[str, Any]] = {}
        for row in sorted(rows, key=lambda one: one["created"]):
            there = {str(one.get("name", "")).lower() for one in people_of(str(row["source"])) if one.get("count", 1) == 1}
            found |= {name: {"id": row["id"], "title": row["title"]} for name in names if name.lower() in there}
        return found

    return await asyncio.to_thread(look)


def _label(name: str, people: list[dict[str, Any]], sides: list[str]) -> str:
    """A field in words: whose it is, and what."""
    parts = name.split(".")
    number = int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else -1
    if parts[0] == "combatant" and 0 <= number < len(people):
        return ": ".join(
            [str(people[number]["name"]) or f"combatant {number + 1}", *([" ".join(parts[2:])] if parts[2:] else [])]
        )
    if parts[0] == "side" and 0 <= number < len(sides):
        return f"{sides[number]}: {' '.join(parts[2:])}"
    return " ".join(str(int(part) + 1) if part.isdigit() else part for part in parts)


def _person(draft: Draft, one: Any, number: int) -> dict[str, Any]:
    """What the form shows of a combatant."""
    plain = dict(one.unwrap())
    known = (
        "name",
        "side",
        "count",
        "template",
        "at",
        "player",
        "surprised",
        "hidden",
        "group",
        "policy",
        "weapons",
        "armor",
        "gear",
        "notes",
        "upp",
    )
    return {
        **{key: plain.get(key, "") for key in known},
        "n": number,
        "count": plain.get("count", 1),
        "at": typed_places(plain.get("at")),
        "weapons": [_called(item) for item in draft.gear(one, "weapons")],
        "armor": [_called(item) for item in draft.gear(one, "armor")],
        "more": [key for key in plain if key not in known],
        "average": not set(plain) - set(OUTSIDE),
    }


def _called(item: Any) -> str:
    """A piece of gear by its name."""
    if isinstance(item, dict):
        told = str(item.get("name") or item.get("like") or "?")
        return told + (" (stowed)" if item.get("stowed") else "")
    return str(item)


@send("/c/{campaign:str}/new/{ident:str}")
async def change(request: Asked, hall: TheHall, guest: TheGuest, campaign: FromPath[str], ident: FromPath[str]) -> Html:
    """What was typed is kept, and one thing done. A script asks with `do = keep` and gets what is wrong as JSON."""
    camp = await master(hall, guest, campaign)
    row = await shelf.draft(hall, campaign, ident)
    typed = await form(request)
    do, _, about = typed.get("do").partition(" ")
    if do == "drop":
        await hall.drop_encounter(ident)
        return go(request, f"/c/{campaign}/new")
    if slipped := await _slipped(hall, row, typed, do, about):
        added, do = typed.get(f"new.names.{about}"), "save"
    try:
        text = "\n".join(typed.all("text")) if do == "text" else await _rewritten(hall, camp, row, typed, do, about)
    except AffrayError as wrong:
        if do == "keep":
            raise
        return await _bench(hall, guest, campaign, ident, 400, problems=wrongs(wrong))
    if text != row["source"]:
        await shelf.rewrite(hall, ident, text)
    if slipped:
        return await _bench(hall, guest, campaign, ident, 400, problems=slipped, added=added)
    if do == "keep":
        return plain(await asyncio.to_thread(_live, {**row, "source": text}, camp))
    if do == "start":
        fight, _ = await asyncio.to_thread(checked, text)
        if fight is None:
            return await _bench(hall, guest, campaign, ident, 400)
        return go(request, f"/f/{await hall.begin_prepared(ident)}")
    return await _bench(hall, guest, campaign, ident)


async def _slipped(hall: Any, row: Mapping[str, Any], typed: Form, do: str, about: str) -> list[Told]:
    """What looks like a slip in names that are added, until they are sent once more; with what was perhaps meant to tap on."""
    field = f"new.names.{about}"
    names, system = typed.get(field), str(row["ruleset"])
    if do != "names" or system not in NAMES or typed.get(f"new.sure.{about}") == names:
        return []
    known = [str(one["name"]) for one in await characters(hall, str(row["campaign"]))]
    found = slips(names, system, known, plain=True)
    mended = names
    for one in found:
        mended = mended.replace(one.meant, one.near)
    return [Told(field, SLIP.format(name=one.meant), mended, label="Add by name") for one in found]


async def _rewritten(hall: Any, camp: Mapping[str, Any], row: Mapping[str, Any], typed: Form, do: str, about: str) -> str:
    """The draft with what was typed into its form, and with one thing added or removed."""
    draft = Draft(str(row["source"]), camp["rulings"])
    if typed.get("shape") not in ("", draft.shape):
        raise Stale("this encounter was changed in another window; look at it again before you go on")
    draft.name_sides()
    draft.fill((name, value) for name, value in typed.items if ".new" not in name or do == "row")
    if typed.get("space.kind") == "grid" and "distances" in draft.doc:
        del draft.doc["distances"]  # on a map the places decide
    number = int(about) if about.isdigit() else -1
    if do == "side":
        draft.add_side(short(typed.get("new.side"), 60))
    elif do == "drop-side":
        draft.remove_side(number)
    elif do == "drop-person":
        draft.remove_person(number)
    elif do == "names" and 0 <= number < len(draft.sides):
        await _add_names(hall, str(camp["id"]), draft, "\n".join(typed.all(f"new.names.{number}")), draft.sides[number])
    elif do == "stock" and 0 <= number < len(draft.sides) and (name := typed.get(f"new.stock.{number}")):
        count = typed.get(f"new.count.{number}") or "1"
        await _add_names(hall, str(camp["id"]), draft, f"{count} {name}" if count != "1" else name, draft.sides[number])
    elif do == "character" and 0 <= number < len(draft.sides) and (name := typed.get(f"new.character.{number}")):
        await _add_names(hall, str(camp["id"]), draft, name, draft.sides[number])
    return draft.text


def _live(row: Mapping[str, Any], camp: Mapping[str, Any]) -> dict[str, Any]:
    """What a page that is open needs to know after a change: what is wrong, and the map."""
    context = _context(row, camp)
    return {
        "ready": context["ready"],
        "seated": context.get("seated", False),
        "problems": [
            {
                "field": one.field,
                "label": one.label or one.field,
                "text": one.text,
                "nearest": one.nearest,
                "allowed": one.allowed,
            }
            for one in context["problems"]
        ],
        "map": ground.html(context.get("map")),
        "text": context["text"],
    }


@download("/c/{campaign:str}/new/{ident:str}/file")
async def file(hall: TheHall, guest: TheGuest, campaign: FromPath[str], ident: FromPath[str]) -> Response[str]:
    """The encounter file, to keep or to play on the command line; the house rules stand in it."""
    camp = await master(hall, guest, campaign)
    row = await shelf.draft(hall, campaign, ident)
    try:
        text = await shelf.text_for_a_file(str(row["source"]), camp["rulings"])
    except DataError:
        text = str(row["source"])
    name = f'attachment; filename="{slug(str(row["title"]))}.toml"'
    return Response(text, media_type="text/plain; charset=utf-8", headers={"content-disposition": name})


@send("/c/{campaign:str}/new/{ident:str}/forecast")
async def forecast(hall: TheHall, guest: TheGuest, campaign: FromPath[str], ident: FromPath[str]) -> Html:
    """How the fight would go, played over and over by policies; asked again until it is sure enough."""
    camp = await master(hall, guest, campaign)
    row = await shelf.draft(hall, campaign, ident)
    return show(
        "parts/forecast.html", guest, camp, row=row, **await foretelling.told(hall, ident, str(row["source"]), camp["rulings"])
    )


@get("/api/encounters/{fight:str}/forecast", summary="How a fight that has not begun would go, played over and over")
async def forecast_json(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> dict[str, Any]:
    row = await hall.encounter(fight)
    camp = await master(hall, guest, row["campaign"])
    return await foretelling.told(hall, fight, str(row["source"]), camp["rulings"])


handlers: list[Any] = [new, begin, bench, change, file, forecast, forecast_json]
