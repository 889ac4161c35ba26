"""The characters of a campaign: a list, a sheet as a form and as text, sheets for printing.

A player sees those that are theirs; everybody at the table knows the names.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from litestar.params import FromPath, FromQuery

from affray import compendium
from affray.errors import AffrayError, DataError, Problem
from affray.formats.draft import Draft, checked
from affray.formats.names import read_names
from affray.render.text import field_words
from affray.ruleset import find
from affray.web import handles, shelf
from affray.web.errors import NotAllowed
from affray.web.hall import TheHall, offered
from affray.web.pages.common import Asked, Form, characters, form, go, master, member, short, show, wrongs
from affray.web.pages.routes import Html, look, send
from affray.web.people import TheGuest

SHOWN = 24
"""Derived numbers on a sheet."""


@look("/c/{campaign:str}/characters")
async def all_(hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> Html:
    return await _all(hall, guest, campaign)


async def _all(hall: Any, guest: Any, campaign: str, status: int = 200, **more: Any) -> Html:
    camp = await member(hall, guest, campaign)
    mine = set(hall.people.own(guest, campaign))
    is_master = guest.role(campaign) == "master"
    listed = []
    for one in await characters(hall, campaign):
        if not (is_master or one["name"] in mine or offered(one)):
            continue
        sitting = [
            hall.people.get(campaign, seat.person).name for seat in hall.people.seated(campaign, "", one["name"]) if seat.approved
        ]
        open_ = is_master or one["name"] in mine
        listed.append(
            {
                "id": one["id"],
                "name": one["name"],
                "open": open_,
                "kept": is_master and not offered(one),
                "sitting": sitting,
                "about": about(one) if open_ else "",
                "state": in_words(one["state"], camp["ruleset"]) if open_ else "",
            }
        )
    context = {"listed": listed, "problems": [], "names": "", "text": "", "stock": compendium.names(camp["ruleset"], "template")}
    return show("characters.html", guest, camp, status, tab="characters", **{**context, **more})


OF_A_FIGHT = ("name", "side", "base", "initiative", "held", "cover")
BEARING = (*(name for name in handles.USUAL if name not in OF_A_FIGHT), "rads", "wear")
"""What is told of how somebody is."""


def about(row: Mapping[str, Any]) -> str:
    """A sheet in a few words."""
    sheet = row["sheet"]
    parts = [str(sheet[key]) for key in ("template", "upp") if sheet.get(key)]
    arms = sheet.get("weapons", [])
    parts += (
        [", ".join(str(item.get("name") or item.get("like")) if isinstance(item, dict) else str(item) for item in arms)]
        if arms
        else []
    )
    return " · ".join(parts) or "average in everything"


def in_words(state: Mapping[str, Any], ruleset: str) -> str:
    """How somebody is, as kept from the last fight, without what only the rules count with."""
    texts = find(ruleset).texts
    told_ = []
    for key in (key for key in BEARING if key in state):
        value, words = state[key], field_words(texts, key)
        if value is True:
            told_.append(words)
        elif isinstance(value, str) and value:
            told_.append(value)
        elif isinstance(value, int) and not isinstance(value, bool) and value:
            told_.append(f"{words} {value}")
    return ", ".join(told_)


@send("/c/{campaign:str}/characters")
async def add(request: Asked, hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> Html:
    """New characters: names (with stock combatants), or the text of a sheet."""
    camp = await master(hall, guest, campaign)
    typed = await form(request)
    names, text = "\n".join(typed.all("names")), "\n".join(typed.all("text"))
    try:
        if typed.get("do") == "text":
            name, sheet = shelf.sheet_of(text)
            await shelf.sound(camp, name, sheet)
            return go(request, f"/c/{campaign}/characters/{(await hall.put_character(campaign, short(name, 60), sheet))['id']}")
        found = read_names(names, camp["ruleset"])
        if not found:
            raise DataError([Problem("write a name, or several, one a line", key="names")])
        for one in found:
            await hall.put_character(campaign, one.name, {"template": one.template} if one.template else {})
    except AffrayError as wrong:
        return await _all(hall, guest, campaign, 400, problems=wrongs(wrong), names=names, text=text)
    return go(request, f"/c/{campaign}/characters")


# ---- one character


@look("/c/{campaign:str}/characters/{ident:str}")
async def one(hall: TheHall, guest: TheGuest, campaign: FromPath[str], ident: FromPath[str]) -> Html:
    return await _one(hall, guest, campaign, ident)


async def _one(hall: Any, guest: Any, campaign: str, ident: str, status: int = 200, **more: Any) -> Html:
    camp = await member(hall, guest, campaign)
    row = await hall.character(campaign, ident)
    if guest.role(campaign) != "master" and row["name"] not in hall.people.own(guest, campaign):
        raise NotAllowed("only those who play this character, and the game master, see the sheet")
    context = await asyncio.to_thread(sheet_context, camp["ruleset"], row["name"], row["sheet"])
    context |= {
        "row": row,
        "state": in_words(row["state"], camp["ruleset"]),
        "problems": [],
        "saved": False,
        "text": shelf.sheet_text(row["name"], row["sheet"]),
    }
    return show("character.html", guest, camp, status, tab="characters", **{**context, **more})


def sheet_context(system: str, name: str, sheet: Mapping[str, Any]) -> dict[str, Any]:
    """What the form of a sheet shows: the tables of the ruleset with what is written, and what comes of it."""
    draft = Draft(shelf.alone(system, name, sheet))
    me = draft.people[0]
    stock = _stock(system, sheet)
    rules = find(system)
    written = {**stock.get("attributes", {}), **sheet.get("attributes", {})}
    skills = {**stock.get("skills", {}), **sheet.get("skills", {})}
    return {
        "called": name,
        "sheet": sheet,
        "offered": offered({"sheet": sheet}),
        "stock": stock,
        "templates": compendium.names(system, "template"),
        "attributes": [(key, written.get(key, "")) for key in rules.attributes],
        "skills": sorted(skills.items()),
        "known_skills": rules.skills,
        "upp": sheet.get("upp", stock.get("upp", "")),
        "uses_upp": not rules.attributes,
        "boxes": bool(rules.attributes),  # of Wounds and points: with a profile, characteristics are what is lost
        "pieces": {kind: [_piece(item) for item in draft.gear(me, kind)] for kind in ("weapons", "armor")},
        "points": {**stock.get("points", {}), **(sheet.get("points") or {})},
        "weapons": compendium.names(system, "weapon"),
        "armour": compendium.names(system, "armour"),
        "figures": shelf.figures(system, name, sheet),
        "system": system,
    }


def _stock(system: str, sheet: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return compendium.find(system, "template", str(sheet.get("template", "")))
    except DataError:
        return {}


def _piece(item: Any) -> str:
    return str(item.get("name") or item.get("like")) if isinstance(item, dict) else str(item)


@send("/c/{campaign:str}/characters/{ident:str}")
async def change(request: Asked, hall: TheHall, guest: TheGuest, campaign: FromPath[str], ident: FromPath[str]) -> Html:
    """Another name, sheet or state; what is wrong is said and nothing is lost of what was typed."""
    camp = await master(hall, guest, campaign)
    row = await hall.character(campaign, ident)
    typed = await form(request)
    do = typed.get("do")
    if do == "drop":
        await hall.drop_character(campaign, ident)
        return go(request, f"/c/{campaign}/characters")
    if do == "fresh":
        await hall.put_character(campaign, row["name"], row["sheet"], {}, ident)
        return await _one(hall, guest, campaign, ident, saved=True)
    text = "\n".join(typed.all("text"))
    name, sheet = row["name"], row["sheet"]
    try:
        name, sheet = shelf.sheet_of(text) if do == "text" else filled(camp["ruleset"], row, typed)
        await shelf.sound(camp, name, sheet)
        await hall.put_character(campaign, short(name, 60), sheet, row["state"], ident)
    except AffrayError as wrong:
        kept = {"text": text} if do == "text" else sheet_context(camp["ruleset"], name, sheet)
        return await _one(hall, guest, campaign, ident, 400, **{**kept, "problems": wrongs(wrong)})
    return await _one(hall, guest, campaign, ident, saved=True)


def filled(system: str, row: Mapping[str, Any], typed: Form) -> tuple[str, dict[str, Any]]:
    """Name and sheet with what was typed into the form."""
    draft = Draft(shelf.alone(system, row["name"], row["sheet"]))
    stock = _stock(system, row["sheet"])
    fields = []
    for field, value in typed.items:
        parts = field.split(".", 3)
        usual = stock.get(parts[2], {}).get(parts[3]) if len(parts) == 4 and isinstance(stock.get(parts[2]), dict) else None
        usual = stock.get("upp") if field == "combatant.0.upp" else usual
        if usual is None or str(usual) != value.strip():  # what the template says need not be written again
            fields.append((field, value))
    if typed.get("new.skill"):
        fields.append((f"combatant.0.skills.{typed.get('new.skill')}", typed.get("new.code") or "?"))
    draft.fill(fields)
    data = draft.data["combatant"][0]
    sheet = {key: value for key, value in data.items() if key not in ("name", "side")}
    if typed.all("player"):  # offered to players unless it says otherwise
        sheet.pop("player", None)
        sheet |= {} if typed.get("player") else {"player": False}
    return short(str(data.get("name", "")), 60), sheet


# ---- on paper


@look("/c/{campaign:str}/sheets")
async def sheets(hall: TheHall, guest: TheGuest, campaign: FromPath[str], only: FromQuery[str] = "") -> Html:
    """Sheets for printing: all of them for the master, their own for players."""
    camp = await member(hall, guest, campaign)
    mine = set(hall.people.own(guest, campaign))
    rows = [one for one in await characters(hall, campaign) if guest.role(campaign) == "master" or one["name"] in mine]
    rows = [one for one in rows if only in ("", one["id"])]
    found = await asyncio.to_thread(lambda: [_paper(camp["ruleset"], one) for one in rows])
    return show("sheets.html", guest, camp, tab="characters", sheets=found, title=camp["title"])


def _paper(system: str, row: Mapping[str, Any]) -> dict[str, Any]:
    context = sheet_context(system, row["name"], row["sheet"])
    fight, _ = checked(shelf.alone(system, row["name"], row["sheet"]))
    gear = paper_of(fight.state.fighters[0]) if fight else {}
    return {**context, **gear, "state": in_words(row["state"], system)}


def paper_of(fighter: Any) -> dict[str, Any]:
    """What stands on every sheet, whatever the ruleset: weapons and armour as their entries say."""
    import msgspec

    found = []
    for weapon in fighter.sheet.weapons:
        data = msgspec.to_builtins(weapon, enc_hook=str)
        nothing: tuple[Any, ...] = (0, "", False, None, (), [], -1, 0.0)
        shown = {key: _cell(value) for key, value in data.items() if key != "name" and value not in nothing}
        if data.get("strength") is True and "damage" in shown:
            shown["damage"] = f"STR+{shown['damage']}"
        usual = {key for key, value in shown.items() if value in USUAL.get(key, ())}
        found.append((weapon.name, {key: value for key, value in shown.items() if key in PRINTED and key not in usual}))
    return {"arms": found}


PRINTED = ("kind", "damage", "ranges", "reach", "ammo", "magazine", "modes", "hands", "length")
USUAL = {"ranges": ("0 / 0 / 0",), "modes": ("single",), "hands": ("1",)}
"""What is not worth printing."""


def _cell(value: Any) -> str:
    if isinstance(value, dict):
        if set(value) == {"dice", "pips"}:
            return f"{value['dice']}D" + (f"+{value['pips']}" if value["pips"] else "")
        return str(value.get("name", ", ".join(str(one) for one in value.values())))
    if isinstance(value, list | tuple):
        return " / ".join(_cell(one) for one in value)
    return "yes" if value is True else str(value).replace("_", " ")


handlers: list[Any] = [all_, add, one, change, sheets]
