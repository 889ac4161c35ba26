"""Campaigns, people, characters and encounters over HTTP."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Request, Response, get, patch, post
from litestar.params import FromPath, JSONBody
from msgspec.structs import asdict

from affray.formats import samples
from affray.web import bodies
from affray.web.errors import NotAllowed, NotFound
from affray.web.gate import cookie, shown
from affray.web.hall import TheHall
from affray.web.people import Guest, TheGuest


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
    person = await hall.people.join(hall.keep, campaign["id"], data.name.strip() or "Somebody", data.role)
    token = await hall.people.token(hall.keep, person, "browser")
    tokens, bearer = shown(dict(request.scope["headers"]))
    kept = [] if bearer else list(tokens)
    answer = {"person": asdict(person), "campaign": campaign["id"]}
    return Response(answer, status_code=201, headers={"set-cookie": cookie([*kept, token])})


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


@post("/api/campaigns/{campaign:str}/encounters", status_code=201, summary="A new fight")
async def new_fight(hall: TheHall, guest: TheGuest, campaign: FromPath[str], data: JSONBody[bodies.NewFight]) -> dict[str, Any]:
    guest.need(campaign, "master")
    await hall.campaign(campaign)
    source = data.source or await asyncio.to_thread(samples.path(data.sample).read_text, "utf-8")
    ident = await hall.begin_source(campaign, source, data.title)
    return {"id": ident}


handlers: list[Any] = [me, join, campaigns, new_campaign, people, change_person, sit, new_fight]
