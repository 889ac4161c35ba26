"""Campaigns, people, characters and encounters over HTTP."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response, delete, get, patch, post, put
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec.structs import asdict

from affray.formats import samples
from affray.formats.draft import checked, whole
from affray.web import bodies, shelf
from affray.web.errors import NotAllowed, NotFound, NotKnown, told
from affray.web.gate import cookie, shown
from affray.web.hall import Hall, TheHall, offered
from affray.web.people import Guest, TheGuest, code


@get("/api/me", summary="Who you are")
async def me(guest: TheGuest) -> dict[str, Any]:
    return {"host": guest.host, "people": [asdict(one) for one in guest.people]}


@post("/api/join", status_code=201, summary="Come to a table by its code")
async def join(
    request: Request[Any, Any, Any], hall: TheHall, guest: TheGuest, data: JSONBody[bodies.Joining]
) -> Response[dict[str, Any]]:
    hall.tries.check(request.client.host if request.client else "")
    campaign = await hall.by_code(data.code)
    if campaign is None:
        hall.tries.failed(request.client.host if request.client else "")
        raise NotFound("no table has this code; look at the game master's screen again")
    known = guest.person(campaign["id"])
    if known is not None:
        return Response({"person": asdict(known), "campaign": campaign["id"]}, status_code=200)
    person = await hall.people.join(hall.keep, campaign["id"], data.name, data.role)
    hall.check_viewers()
    token = await hall.people.token(hall.keep, person, "browser")
    tokens, bearer = shown(dict(request.scope["headers"]))
    kept = [] if bearer else list(tokens)
    answer = {"person": asdict(person), "campaign": campaign["id"]}
    return Response(answer, status_code=201, headers={"set-cookie": cookie([*kept, token])})


@post("/api/leave", status_code=200, summary="Forget who you are in this browser")
async def log_out(hall: TheHall, guest: TheGuest) -> Response[dict[str, Any]]:
    for digest in guest.tokens:
        await hall.people.drop_tokens(hall.keep, hall.people.tokens.get(digest, ""), digest)
    hall.check_viewers()
    return Response({"left": True}, headers={"set-cookie": cookie([])})


def known(campaign: dict[str, Any], guest: Guest) -> dict[str, Any]:
    """A campaign as somebody may see it: the code is the master's to show."""
    master = guest.role(campaign["id"]) == "master"
    return {name: value for name, value in campaign.items() if name != "code" or master}


@get("/api/campaigns", summary="Your campaigns")
async def campaigns(hall: TheHall, guest: TheGuest) -> list[dict[str, Any]]:
    return [known(one, guest) for one in await hall.campaigns(guest)]


@post("/api/campaigns", status_code=201, summary="A new campaign")
async def new_campaign(hall: TheHall, guest: TheGuest, data: JSONBody[bodies.NewCampaign]) -> dict[str, Any]:
    guest.need("", "master")
    return await hall.make_campaign(data.title, data.ruleset, data.rulings)


@get("/api/campaigns/{campaign:str}", summary="A campaign")
async def campaign_(hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> dict[str, Any]:
    guest.need(campaign)
    return known(await hall.campaign(campaign), guest)


@patch("/api/campaigns/{campaign:str}", summary="Another title, other house rules, a new join code")
async def change_campaign(
    hall: TheHall, guest: TheGuest, campaign: FromPath[str], data: JSONBody[bodies.ChangedCampaign]
) -> dict[str, Any]:
    guest.need(campaign, "master")
    values: dict[str, Any] = {"code": code()} if data.code else {}
    values |= {name: value for name, value in (("title", data.title), ("rulings", data.rulings)) if value is not None}
    return await hall.change_campaign(campaign, **values) if values else await hall.campaign(campaign)


@delete("/api/campaigns/{campaign:str}", status_code=204, summary="Drop a campaign with all that is in it")
async def drop_campaign(hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> None:
    guest.need("", "master")
    await hall.campaign(campaign)
    await hall.drop_campaign(campaign)


@get("/api/campaigns/{campaign:str}/people", summary="Who is in a campaign, with their seats")
async def people(hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> list[dict[str, Any]]:
    guest.need(campaign)
    seats = hall.people.seated(campaign)
    return [
        {**asdict(one), "seats": [{"character": s.character, "approved": s.approved} for s in seats if s.person == one.id]}
        for one in hall.people.of(campaign)
    ]


@patch("/api/campaigns/{campaign:str}/people/{person:str}", summary="Let somebody in, or send somebody away")
async def change_person(
    hall: TheHall, guest: TheGuest, campaign: FromPath[str], person: FromPath[str], data: JSONBody[bodies.Person]
) -> dict[str, Any]:
    guest.need(campaign, "master")
    values = {name: value for name, value in asdict(data).items() if value is not None}
    if "role" in values and not guest.host:
        raise NotAllowed("only the master of the server gives roles")
    changed = await hall.people.change(hall.keep, hall.people.get(campaign, person), **values)
    if data.approved:
        for seat in hall.people.seated(campaign, person):
            await hall.people.sit(hall.keep, campaign, person, seat.character, True)
    hall.check_viewers()
    return asdict(changed)


@post("/api/campaigns/{campaign:str}/seats", status_code=201, summary="Take a seat, or give one")
async def sit(hall: TheHall, guest: TheGuest, campaign: FromPath[str], data: JSONBody[bodies.Sitting]) -> dict[str, Any]:
    me = guest.person(campaign)
    if me is None:
        guest.need(campaign)
    assert me is not None
    master = guest.role(campaign) == "master"
    if data.person and data.person != me.id and not master:
        raise NotAllowed("only the game master seats others")
    who = hall.people.get(campaign, data.person or me.id)
    seat = await hall.people.sit(hall.keep, campaign, who.id, data.character, master and data.approved is not False)
    hall.check_viewers()
    return asdict(seat)


@delete("/api/campaigns/{campaign:str}/seats", status_code=204, summary="Leave a seat, or take it from somebody")
async def leave(
    hall: TheHall, guest: TheGuest, campaign: FromPath[str], character: FromQuery[str], person: FromQuery[str] = ""
) -> None:
    me = guest.person(campaign)
    if me is None:
        raise NotKnown()
    if person and person != me.id:
        guest.need(campaign, "master")
    for seat in hall.people.seated(campaign, person or me.id, character):
        await hall.people.leave(hall.keep, seat)
    hall.check_viewers()


@post("/api/campaigns/{campaign:str}/tokens", status_code=201, summary="A token for a program")
async def token(hall: TheHall, guest: TheGuest, campaign: FromPath[str], data: JSONBody[bodies.Token]) -> dict[str, Any]:
    who = guest.person(campaign)
    if who is None or not guest.role(campaign):
        guest.need(campaign)
    assert who is not None
    if data.bot or (data.person and data.person != who.id):
        guest.need(campaign, "master")
        if data.bot:
            who = await hall.people.join(hall.keep, campaign, data.bot)
            who = await hall.people.change(hall.keep, who, approved=True)
        else:
            who = hall.people.get(campaign, data.person)
        for one in data.characters:
            await hall.people.sit(hall.keep, campaign, who.id, one, True)
    return {"token": await hall.people.token(hall.keep, who, data.label), "person": asdict(who)}


@delete("/api/campaigns/{campaign:str}/people/{person:str}/tokens", status_code=204, summary="End all tokens of somebody")
async def end_tokens(hall: TheHall, guest: TheGuest, campaign: FromPath[str], person: FromPath[str]) -> None:
    me = guest.person(campaign)
    if me is None or me.id != person:
        guest.need(campaign, "master")
        hall.people.get(campaign, person)
    await hall.people.drop_tokens(hall.keep, person)
    hall.check_viewers()


# ---- characters


@get("/api/campaigns/{campaign:str}/characters", summary="Characters: all for the master, a player's own, names for others")
async def characters(hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> list[dict[str, Any]]:
    guest.need(campaign)
    master, own = guest.role(campaign) == "master", hall.people.own(guest, campaign)
    found = await hall.characters(campaign)
    return [
        one if master or one["name"] in own else {"id": one["id"], "name": one["name"]}
        for one in found
        if master or one["name"] in own or offered(one)
    ]


@post("/api/campaigns/{campaign:str}/characters", status_code=201, summary="A new character")
async def new_character(
    hall: TheHall, guest: TheGuest, campaign: FromPath[str], data: JSONBody[bodies.Character]
) -> dict[str, Any]:
    guest.need(campaign, "master")
    await shelf.sound(await hall.campaign(campaign), data.name, data.sheet)
    return await hall.put_character(campaign, data.name, data.sheet, data.state)


@put("/api/campaigns/{campaign:str}/characters/{character:str}", summary="Another sheet for a character")
async def change_character(
    hall: TheHall, guest: TheGuest, campaign: FromPath[str], character: FromPath[str], data: JSONBody[bodies.Character]
) -> dict[str, Any]:
    guest.need(campaign, "master")
    await shelf.sound(await hall.campaign(campaign), data.name, data.sheet)
    return await hall.put_character(campaign, data.name, data.sheet, data.state, character)


@delete("/api/campaigns/{campaign:str}/characters/{character:str}", status_code=204, summary="Drop a character")
async def drop_character(hall: TheHall, guest: TheGuest, campaign: FromPath[str], character: FromPath[str]) -> None:
    guest.need(campaign, "master")
    await hall.drop_character(campaign, character)


# ---- encounters


@post("/api/check", status_code=200, summary="Everything that is wrong with an encounter file")
async def check(guest: TheGuest, data: JSONBody[bodies.NewFight]) -> dict[str, Any]:
    if not guest.known:
        raise NotKnown()
    fight, problems = await asyncio.to_thread(checked, data.source, "encounter")
    fighters = [] if fight is None else [{"id": f.id, "side": f.side} for f in fight.state.fighters]
    return {"fine": fight is not None, "fighters": fighters, "problems": [asdict(told(one)) for one in problems]}


@get("/api/samples", summary="Fights that come with the program")
async def sample_fights() -> list[dict[str, Any]]:
    return [asdict(one) for one in await asyncio.to_thread(samples.samples)]


@get("/api/campaigns/{campaign:str}/encounters", summary="Fights of a campaign: prepared ones for the master alone")
async def fights(hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> list[dict[str, Any]]:
    guest.need(campaign)
    found = await hall.encounters(campaign)
    if guest.role(campaign) == "master":
        return found
    names = ("id", "title", "ruleset", "status", "created")
    return [{name: one[name] for name in names} for one in found if one["status"] != "prepared"]


@post("/api/campaigns/{campaign:str}/encounters", status_code=201, summary="A new fight")
async def new_fight(hall: TheHall, guest: TheGuest, campaign: FromPath[str], data: JSONBody[bodies.NewFight]) -> dict[str, Any]:
    guest.need(campaign, "master")
    await hall.campaign(campaign)
    source = data.source or await asyncio.to_thread(lambda: whole(samples.path(data.sample)))
    if not data.begin:
        return {"id": await hall.prepare(campaign, source, data.title)}
    return {"id": await hall.begin_source(campaign, source, data.title)}


@get("/api/encounters/{fight:str}", summary="A fight with the file that it came from")
async def encounter(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> dict[str, Any]:
    return await masters_fight(hall, guest, fight)


@patch("/api/encounters/{fight:str}", summary="Change a fight's title, or one that has not begun; begin it")
async def change_fight(
    hall: TheHall, guest: TheGuest, fight: FromPath[str], data: JSONBody[bodies.ChangedFight]
) -> dict[str, Any]:
    row = await masters_fight(hall, guest, fight)
    values = {name: value for name, value in (("title", data.title), ("source", data.source)) if value is not None}
    if data.source is not None and row["status"] != "prepared":
        raise NotAllowed("this fight has begun; correct it at the table")
    if values:
        row = await hall.change_encounter(fight, **values)
    if data.begin:
        await hall.begin_prepared(fight)
        row = await hall.encounter(fight)
    return row


@delete("/api/encounters/{fight:str}", status_code=204, summary="Drop a fight with all its log")
async def drop_fight(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> None:
    await masters_fight(hall, guest, fight)
    await hall.drop_encounter(fight)


async def masters_fight(hall: Hall, guest: Guest, fight: str) -> dict[str, Any]:
    """The row of a fight, for its master. To others a fight that they cannot see is not there."""
    try:
        row = await hall.encounter(fight)
        guest.need(row["campaign"], "master")
    except NotKnown:
        raise
    except NotFound:
        if not guest.known:
            raise NotKnown() from None
        raise
    return row


handlers: list[Any] = [
    me, join, log_out, campaigns, new_campaign, campaign_, change_campaign, drop_campaign, people, change_person, sit, leave,
    token, end_tokens, characters, new_character, change_character, drop_character, check, sample_fights, fights, new_fight,
    encounter, change_fight, drop_fight,
]  # fmt: skip
