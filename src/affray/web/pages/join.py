"""Coming to a table: the code, a name, a seat, and waiting for the game master. Everything survives a reload."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.params import FromPath, FromQuery

from affray.web.errors import Fault, NotFound
from affray.web.gate import cookie, shown
from affray.web.hall import TheHall
from affray.web.pages.common import Asked, form, go, seats, short, show
from affray.web.pages.home import visible
from affray.web.pages.routes import Html, look, send
from affray.web.people import Role, TheGuest


@look("/join")
async def join(request: Asked, hall: TheHall, guest: TheGuest, code: FromQuery[str] = "") -> Html:
    if code:
        return go(request, f"/join/{clean(code)}")
    return show("join.html", guest, camp=None, code="", state="code", wrong="")


def clean(code: str) -> str:
    """A code as people type it."""
    return "".join(c for c in code.upper() if c.isalnum())[:12] or "-"


@look("/join/{code:str}")
async def join_code(request: Asked, hall: TheHall, guest: TheGuest, code: FromPath[str]) -> Html:
    return await _joining(request, hall, guest, code)


async def _joining(request: Asked, hall: Any, guest: Any, code: str, wrong: str = "", status: int = 200) -> Html:
    address = request.client.host if request.client else ""
    hall.tries.check(address)
    camp = await hall.by_code(clean(code))
    if camp is None:
        hall.tries.failed(address)
        told = "no table has this code; look at the game master's screen again"
        return show("join.html", guest, status=404, code=clean(code).strip("-"), state="code", wrong=wrong or told)
    person = guest.person(camp["id"])
    if person is None:
        return show("join.html", guest, status=status, table=camp, code=camp["code"], state="name", wrong=wrong)
    if guest.role(camp["id"]) == "master":
        return go(request, f"/c/{camp['id']}/people")
    mine = hall.people.seated(camp["id"], person.id)
    held: dict[str, list[str]] = {}
    for seat in hall.people.seated(camp["id"]):
        if seat.person != person.id and seat.approved:
            held.setdefault(seat.character, []).append(hall.people.get(camp["id"], seat.person).name)
    ready = person.approved and (person.role == "spectator" or any(one.approved for one in mine))
    running = [one for one in await visible(hall, guest, camp["id"]) if one["status"] == "running"] if person.approved else []
    return show(
        "join.html",
        guest,
        status=status,
        table=camp,
        code=camp["code"],
        state="seat",
        person=person,
        mine=mine,
        held=held,
        seats=await seats(hall, camp["id"]),
        ready=ready,
        running=running,
        wrong=wrong,
    )


@send("/join")
async def come(request: Asked, hall: TheHall, guest: TheGuest) -> Html:
    """Somebody gives a name."""
    typed = await form(request)
    code, name = clean(typed.get("code")), short(typed.get("name"), 40)
    address = request.client.host if request.client else ""
    hall.tries.check(address)
    camp = await hall.by_code(code)
    if camp is None or not name or guest.person(camp["id"]) is not None:
        wrong = "say who you are, so that the game master knows" if camp is not None and not name else ""
        return await _joining(request, hall, guest, code, wrong, 400 if wrong else 200)
    role: Role = "spectator" if typed.get("role") == "spectator" else "player"
    try:
        person = await hall.people.join(hall.keep, camp["id"], name, role)
        hall.check_viewers()
    except Fault as fault:
        return await _joining(request, hall, guest, code, str(fault), 400)
    token = await hall.people.token(hall.keep, person, "browser")
    tokens, _ = shown(dict(request.scope["headers"]))
    answer: Response[Any] = go(request, f"/join/{camp['code']}")
    answer.headers["set-cookie"] = cookie([*tokens, token])
    return answer


@send("/join/{code:str}/seat")
async def sit(request: Asked, hall: TheHall, guest: TheGuest, code: FromPath[str]) -> Html:
    """A seat is taken or left."""
    camp = await hall.by_code(clean(code))
    if camp is None:
        raise NotFound("no table has this code")
    person = guest.person(camp["id"])
    if person is None or person.role != "player":
        return await _joining(request, hall, guest, code)
    typed = await form(request)
    for seat in hall.people.seated(camp["id"], person.id):
        if seat.character == typed.get("leave"):
            await hall.people.leave(hall.keep, seat)
            hall.check_viewers()
    wanted = typed.get("character")
    if wanted and wanted in await seats(hall, camp["id"]):
        await hall.people.sit(hall.keep, camp["id"], person.id, wanted)
        hall.check_viewers()
    return go(request, f"/join/{camp['code']}")


handlers: list[Any] = [join, join_code, come, sit]
