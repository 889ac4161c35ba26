"""Who is at the table: the code to join, letting people in, seats, tokens for programs. For the game master."""

from __future__ import annotations

from typing import Any

from litestar.params import FromPath

from affray.errors import AffrayError
from affray.web.hall import TheHall
from affray.web.pages.common import Asked, Form, form, master, seats, short, show, wrongs
from affray.web.pages.routes import Html, look, send
from affray.web.people import TheGuest


@look("/c/{campaign:str}/people")
async def people(request: Asked, hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> Html:
    return await _people(request, hall, guest, campaign)


async def _people(request: Asked, hall: Any, guest: Any, campaign: str, status: int = 200, **more: Any) -> Html:
    camp = await master(hall, guest, campaign)
    everybody = hall.people.of(campaign)
    base = hall.addresses[0] if hall.addresses else str(request.base_url).rstrip("/")
    address = f"{base}/join/{camp['code']}"
    seats_here = await seats(hall, campaign)
    sitting = {one.id: hall.people.seated(campaign, one.id) for one in everybody}
    context = {
        "everybody": everybody,
        "sitting": sitting,
        "address": address,
        "code": code_path(address),
        "lan": bool(hall.addresses),
        "seats": seats_here,
        "others": [one for one in await _fighting(hall, campaign) if one not in seats_here],
        "token": "",
        "bot": "",
        "problems": [],
    }
    return show("people.html", guest, camp, status, tab="people", **{**context, **more})


async def _fighting(hall: Any, campaign: str) -> list[str]:
    """Everybody in the fights that run: the master may give any of them to a player."""
    running = [one["id"] for one in await hall.encounters(campaign) if one["status"] == "running"]
    return list(dict.fromkeys([one.id for ident in running for one in (await hall.table(ident)).shown.state.fighters]))


def code_path(address: str) -> tuple[int, str]:
    """A QR code as the path of an SVG picture: how many modules wide, and the path of the dark ones."""
    import segno

    rows = [list(row) for row in segno.make(address, micro=False, error="m").matrix_iter(border=2)]
    path = []
    for y, row in enumerate(rows):
        x = 0
        while x < len(row):
            start = x
            while x < len(row) and row[x]:
                x += 1
            if x > start:
                path.append(f"M{start} {y}h{x - start}v1h-{x - start}z")
            x += 1
    return len(rows), "".join(path)


@send("/c/{campaign:str}/people")
async def change(request: Asked, hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> Html:
    """One thing that the master does about somebody."""
    await master(hall, guest, campaign)
    typed = await form(request)
    more: dict[str, Any] = {}
    try:
        more = await _changed(hall, campaign, typed)
    except AffrayError as wrong:
        more = {"status": 400, "problems": wrongs(wrong)}
    hall.check_viewers()
    return await _people(request, hall, guest, campaign, **more)


async def _changed(hall: Any, campaign: str, typed: Form) -> dict[str, Any]:
    known = hall.people
    do, _, about = typed.get("do").partition(" ")
    if do == "token":
        name = short(typed.get("bot"), 40) or "Bot"
        bot = await known.join(hall.keep, campaign, name, "player")
        bot = await known.change(hall.keep, bot, approved=True)
        for character in typed.all("bot_seat"):
            if character:
                await known.sit(hall.keep, campaign, bot.id, character, True)
        return {"token": await known.token(hall.keep, bot, "bot"), "bot": bot.name}
    person = known.get(campaign, about)
    if do == "in":
        await known.change(hall.keep, person, approved=True)
        for seat in known.seated(campaign, person.id):
            await known.sit(hall.keep, campaign, person.id, seat.character, True)
    elif do == "away":
        await known.change(hall.keep, person, gone=True)
    elif do == "seat" and (character := typed.get(f"seat.{person.id}")):
        await known.sit(hall.keep, campaign, person.id, character, True)
    elif do == "watch":
        await known.change(hall.keep, person, role="player" if person.role == "spectator" else "spectator")
    elif do in ("approve", "unseat"):
        for seat in known.seated(campaign, person.id):
            if seat.character == typed.get("character"):
                await (
                    known.leave(hall.keep, seat)
                    if do == "unseat"
                    else known.sit(hall.keep, campaign, person.id, seat.character, True)
                )
    return {}


handlers: list[Any] = [people, change]
