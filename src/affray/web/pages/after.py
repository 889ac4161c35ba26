"""When a fight is over: rest, healing and help; weapons that lie about; taking it all along."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from typing import Any

import msgspec
from litestar import get
from litestar.params import FromPath

from affray.encounter import Encounter
from affray.errors import AffrayError, BadAnswer
from affray.render.words import called
from affray.table import resting
from affray.web import shelf
from affray.web.hall import TheHall
from affray.web.pages.characters import in_words
from affray.web.pages.common import Asked, Form, Told, characters, form, go, people_of, show, wrongs
from affray.web.pages.routes import Html, look, send
from affray.web.people import TheGuest
from affray.web.tables import Table

HELP = ("treat", "first_aid", "surgery")
"""Orders by which somebody is helped after a fight."""
SPANS = ("1 minute", "10 minutes", "1 hour", "8 hours", "1 day", "1 week")
LEFT_OUT = ("side", "at", "count", "state", "hidden", "surprised", "group", "player", "policy", "name")


@get("/api/fights/{fight:str}/due", summary="What time will bring after a fight, and what may be taken along")
async def due_json(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> dict[str, Any]:
    table = await hall.table_for(guest, fight)
    guest.need(table.campaign, "master")
    state, rules = table.shown.state, table.shown.ruleset
    return {
        "over": bool(rules.over(state)),
        "due": [msgspec.to_builtins(one) for one in rules.due(state)],
        "kept": {f.id: rules.kept(state, f.id) for f in state.fighters},
    }


@look("/f/{fight:str}/after")
async def after(request: Asked, hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> Html:
    table = await hall.table_for(guest, fight)
    if guest.role(table.campaign) in ("player", "spectator"):
        return go(request, f"/f/{fight}/summary")
    return await _after(hall, guest, fight)


async def _after(hall: Any, guest: Any, fight: str, status: int = 200, **more: Any) -> Html:
    table = await hall.table_for(guest, fight)
    guest.need(table.campaign, "master")
    camp = await hall.campaign(table.campaign)
    row = await hall.encounter(fight)
    known = await characters(hall, table.campaign)
    context = await asyncio.to_thread(_context, table.shown, str(row["source"]), known, table.seated())
    context |= {"fight": fight, "title": table.title, "characters": known, "problems": [], "told": [], "span": "", "spans": SPANS}
    return show("after.html", guest, camp, status, tab="fights", **{**context, **more})


def _context(fight: Encounter, source: str, known: list[dict[str, Any]], playing: Collection[str]) -> dict[str, Any]:
    """How everybody is, what time will bring, who can help whom, what lies about, what may be taken along."""
    state, rules = fight.state, fight.ruleset
    names = {f.id: called(f) for f in state.fighters}
    people = []
    for f in state.fighters:
        bearing = rules.bearing(state, f.id)
        people.append(
            {"id": f.id, "name": names[f.id], "side": f.side, "word": bearing.word, "level": bearing.level, "own": bearing.own}
        )
    coming: dict[tuple[str, str, str], list[str]] = {}
    for one in rules.due(state):
        coming.setdefault((resting.span(one.minutes), one.what, one.rule), []).append(names.get(one.who, one.who))
    due = [(*key, who) for key, who in coming.items()]
    over = bool(rules.over(state))
    return {
        "people": people,
        "sides": list(dict.fromkeys(f.side for f in state.fighters)),
        "due": due,
        "over": over,
        "asked": bool(fight.open),
        "help": _help(fight, names) if over and not fight.open else [],
        "loot": loot(fight, source),
        "along": along(fight, source, known, playing),
        "ruleset": rules.name,
    }


def _help(fight: Encounter, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Who can help whom now: an order of the ruleset with a target each."""
    found = []
    for f in fight.state.fighters:
        for offer in fight.ruleset.offers(fight.state, f.id):
            if offer.verb in HELP and offer.refused is None:
                target = next((one for one in offer.fields if one.name == "target"), None)
                options = getattr(target.domain, "options", ()) if target else ()
                whom = [(one, names.get(one, one)) for one in options if _legal(fight, offer.verb, f.id, one)]
                if whom:
                    found.append({"by": f.id, "name": names[f.id], "verb": offer.verb, "whom": whom})
    return found


def _legal(fight: Encounter, verb: str, by: str, target: str) -> bool:
    try:
        return fight.ruleset.why_not(fight.state, fight.ruleset.order({"do": verb, "by": by, "target": target})) is None
    except AffrayError:
        return False


def loot(fight: Encounter, source: str) -> list[dict[str, Any]]:
    """Weapons of those who can no longer use them, and what they have let fall, each with what is known of it."""
    found = []
    written = people_of(source)
    for f in fight.state.fighters:
        if not fight.ruleset.fallen(f):
            continue
        kept = fight.ruleset.kept(fight.state, f.id)
        for weapon in f.sheet.weapons:
            known = {}
            for key in ("ammo", "loaded", "held"):
                entry = next((one for one in kept.get(key, []) if _about(one) == weapon.name), None)
                if entry is not None:
                    known[key] = entry
            if isinstance(known.get("held"), dict) and known["held"].get("gone"):
                continue
            found.append(
                {
                    "of": f.id,
                    "owner": called(f),
                    "name": weapon.name,
                    "known": known,
                    "left": _left(known),
                    "item": _item(written, f, weapon.name),
                }
            )
    return found


def _about(entry: Any) -> str:
    """The weapon that an entry of a state is about: [name, rounds], or a table with the weapon in it."""
    return (
        str(entry.get("weapon", ""))
        if isinstance(entry, dict)
        else str(entry[0])
        if isinstance(entry, list | tuple) and entry
        else ""
    )


def _left(known: Mapping[str, Any]) -> str:
    for key in ("ammo", "loaded"):
        if key in known:
            return str(known[key][1])
    return str(known["held"].get("rounds") or "") if isinstance(known.get("held"), dict) else ""


def _item(written: list[dict[str, Any]], fighter: Any, name: str) -> Any:
    """A weapon as it was written in the file, else its name."""
    for one in written:
        if str(one.get("name", "")) in (fighter.id, getattr(fighter, "group", "")):
            for item in one.get("weapons", []) if isinstance(one.get("weapons"), list) else ():
                if isinstance(item, dict) and name in (item.get("name"), item.get("like")):
                    return {key: value for key, value in item.items() if key != "stowed"}
    return name


def along(fight: Encounter, source: str, known: list[dict[str, Any]], playing: Collection[str]) -> list[dict[str, Any]]:
    """Those who stand for characters: of the campaign, marked as played in the file, or run by a player (`playing`); with what
    they take along."""
    of_campaign = {str(one["name"]): one for one in known}
    written: dict[str, dict[str, Any]] = {}
    for one in people_of(source):
        name, count = str(one.get("name", "")), one.get("count", 1)
        written |= {f"{name} {n}": one for n in range(1, count + 1)} if isinstance(count, int) and count > 1 else {name: one}
    found = []
    for f in fight.state.fighters:
        name = next((one for one in (f.id, getattr(f, "name", "")) if one in of_campaign), "")
        one = written.get(f.id, {})
        if name or one.get("player") or f.id in playing:
            state = fight.ruleset.kept(fight.state, f.id)
            found.append(
                {
                    "id": f.id,
                    "name": name or f.id,
                    "known": of_campaign.get(name),
                    "state": state,
                    "words": in_words(state, fight.ruleset.name),
                    "sheet": {key: value for key, value in one.items() if key not in LEFT_OUT},
                }
            )
    return found


@send("/f/{fight:str}/after")
async def change(request: Asked, hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> Html:
    """Time passes, somebody is helped, something is taken along."""
    table = await hall.table_for(guest, fight)
    guest.need(table.campaign, "master")
    typed = await form(request)
    do, _, about = typed.get("do").partition(" ")
    try:
        if do in ("rest", "next", "healed"):
            told = await _rest(table, guest, typed, do, about)
        elif do == "help":
            told = await _helped(table, guest, typed)
        elif do == "loot":
            told = await _looted(hall, table, typed)
        elif do == "along":
            told = await _taken_along(hall, table, typed)
        else:
            raise BadAnswer("nothing was asked for")
    except AffrayError as wrong:
        where = [Told("span", str(wrong))] if isinstance(wrong, BadAnswer) and do == "rest" else wrongs(wrong)
        return await _after(hall, guest, fight, 400, problems=where, span=typed.get("span"))
    return await _after(hall, guest, fight, told=told)


async def _rest(table: Table, guest: Any, typed: Form, do: str, about: str) -> list[str]:
    """So much time passes, or until the next thing is due, or until nothing is. Raises BadAnswer, IllegalOrder."""
    stated = resting.read_span(about or typed.get("span")) if do == "rest" else 0
    before = len(table.shown.entries)

    def do_it(fight: Encounter) -> None:
        for minutes in resting.spans(fight, stated, do == "next", do == "healed"):
            fight.order(resting.order(fight, minutes, bool(typed.get("disturbed"))))
            if fight.open:
                return

    await table.act(do_it, thread=True)
    return _news(table, guest, before) or ["nothing is due any more"]


async def _helped(table: Table, guest: Any, typed: Form) -> list[str]:
    verb, by, target = [*typed.get("who").split("|"), "", "", ""][:3]
    if verb not in HELP:
        raise BadAnswer("choose who helps whom")
    before = len(table.shown.entries)
    await table.act(lambda fight: fight.order(fight.ruleset.order({"do": verb, "by": by, "target": target})), thread=True)
    return _news(table, guest, before)


def _news(table: Table, guest: Any, before: int) -> list[str]:
    """What the log says since then, in lines."""
    seen = {entry.id for entry in table.shown.entries[:before]}
    log = table.view(table.audience(guest)).log
    fresh = [item for item in log if item.get("id") not in seen][-200:]
    return [str(line.get("text", "")) for item in fresh for line in item.get("lines", ()) if line.get("text")]


async def _looted(hall: Any, table: Table, typed: Form) -> list[str]:
    """Weapons go to characters: fields `loot.N` with the id of the one who takes it."""
    row = await hall.encounter(table.id)
    found = loot(table.shown, str(row["source"]))
    told = []
    for number, one in enumerate(found):
        ident = typed.get(f"loot.{number}")
        if ident and typed.get(f"piece.{number}") == f"{one['of']} {one['name']}":
            to = await hall.character(table.campaign, ident)
            await shelf.give(hall, to, table.shown.ruleset.name, one["item"], one["known"])
            told.append(f"{to['name']} takes the {one['name']} of {one['owner']}")
    if not told:
        raise BadAnswer("choose who takes what")
    return told


async def _taken_along(hall: Any, table: Table, typed: Form) -> list[str]:
    """Wounds, points and ammunition go into the characters; who is none yet becomes one."""
    row = await hall.encounter(table.id)
    told = []
    for one in along(table.shown, str(row["source"]), await characters(hall, table.campaign), table.seated()):
        if one["id"] not in typed.all("along"):
            continue
        known = one["known"]
        sheet = known["sheet"] if known else one["sheet"]
        await hall.put_character(table.campaign, one["name"], sheet, one["state"], known["id"] if known else "")
        told.append(f"{one['name']} is kept as a character of the campaign: {one['words'] or 'as good as new'}")
    if not told:
        raise BadAnswer("choose whose state is kept")
    return told


handlers: list[Any] = [due_json, after, change]
