"""The fight over HTTP: everything that the page does, as JSON."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery, HeaderParameter, JSONBody
from litestar.response import Stream

from affray import sight
from affray.encounter import Encounter
from affray.sight import Audience
from affray.web import bodies, corrections, play
from affray.web.errors import NotAllowed
from affray.web.hall import Hall, TheHall
from affray.web.people import Guest, TheGuest
from affray.web.tables import Settings, Table
from affray.web.viewers import Kind

LastId = Annotated[str, HeaderParameter(name="Last-Event-ID", max_length=64)]


def masters(do: Callable[[Encounter], Any]) -> Callable[[Encounter, Audience], Any]:
    """A decision that is the game master's; raises NotAllowed for others."""

    def decided(fight: Encounter, audience: Audience) -> Any:
        if not audience.master:
            raise NotAllowed("only the game master may do this")
        return do(fight)

    return decided


async def done(table: Table, guest: Guest, result: Any = None) -> dict[str, Any]:
    """The answer to a decision: the version that the one who decided sees now, and what happened in words."""
    audience = table.audience(guest)
    view = table.view(audience)
    said = [result] if isinstance(result, str) else play.words(table.shown, audience, result or ())
    last = next((one["head"] for one in reversed(view.log) if one["head"]), "")
    return {"version": view.version, "told": "; ".join(said or [last])}


@get("/api/fights/{fight:str}", summary="A fight as you may see it")
async def fight_(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> dict[str, Any]:
    table = await hall.table_for(guest, fight)
    return table.view(table.audience(guest)).model


@get("/api/fights/{fight:str}/log", summary="What has happened, as you may know it")
async def log(hall: TheHall, guest: TheGuest, fight: FromPath[str], after: FromQuery[int] = 0) -> list[dict[str, Any]]:
    table = await hall.table_for(guest, fight)
    return table.view(table.audience(guest)).log[max(0, after) :]


@get("/api/fights/{fight:str}/offers", summary="What somebody may order, and what not and why")
async def offers(hall: TheHall, guest: TheGuest, fight: FromPath[str], who: FromQuery[str]) -> list[dict[str, Any]]:
    table = await hall.table_for(guest, fight)
    return sight.offers(table.shown, table.audience(guest), who)


@post("/api/fights/{fight:str}/preview", status_code=200, summary="The numbers and odds of an order before it is given")
async def preview(hall: TheHall, guest: TheGuest, fight: FromPath[str], data: JSONBody[bodies.Previewed]) -> dict[str, Any]:
    table = await hall.table_for(guest, fight)
    return await asyncio.to_thread(sight.preview, table.still(), table.audience(guest), data.order)


@post("/api/fights/{fight:str}/orders", status_code=200, summary="Give an order")
async def order(hall: TheHall, guest: TheGuest, fight: FromPath[str], data: JSONBody[bodies.Ordered]) -> dict[str, Any]:
    table = await hall.table_for(guest, fight)

    def do(fight: Encounter, audience: Audience) -> Any:
        by = data.order.get("by")
        who = [one for one in (by if isinstance(by, list) else [by]) if isinstance(one, str) and audience.mine(one)]
        fight.throw_once(who if data.dice else (), data.dice == "type")
        return play.order(fight, audience, data.order)

    return await done(table, guest, await table.decide(guest, do, data.seen, data.key))


@post("/api/fights/{fight:str}/answers", status_code=200, summary="Answer a question")
async def answer(hall: TheHall, guest: TheGuest, fight: FromPath[str], data: JSONBody[bodies.Answering]) -> dict[str, Any]:
    table = await hall.table_for(guest, fight)

    def do(fight: Encounter, audience: Audience) -> Any:
        if data.usual or data.always:
            return play.usual(fight, audience, data.n, data.always)
        return play.answer(fight, audience, data.n, data.value)

    return await done(table, guest, await table.decide(guest, do, data.seen, data.key))


@post("/api/fights/{fight:str}/dice", status_code=200, summary="Dice as they fell on the table")
async def dice(hall: TheHall, guest: TheGuest, fight: FromPath[str], data: JSONBody[bodies.Dice]) -> dict[str, Any]:
    table = await hall.table_for(guest, fight)

    def do(fight: Encounter, audience: Audience) -> Any:
        if data.back:
            return play.die_back(fight, audience, data.n)
        if data.always:
            return play.throw_always(fight, audience, data.n, data.always == "type")
        if data.roll:
            sight.may_answer(fight, audience, data.n)
            return play.thrown(fight, data.n)
        return play.dice(fight, audience, data.n, [data.face] if data.face is not None else data.faces)

    return await done(table, guest, await table.decide(guest, do, data.seen, data.key))


@post("/api/fights/{fight:str}/undo", status_code=200, summary="Take back the last decision")
async def undo(hall: TheHall, guest: TheGuest, fight: FromPath[str], data: JSONBody[bodies.Decision]) -> dict[str, Any]:
    table = await hall.table_for(guest, fight)
    return await done(table, guest, await table.decide(guest, masters(play.undo), data.seen, data.key))


@post("/api/fights/{fight:str}/redo", status_code=200, summary="Return what was taken back")
async def redo(hall: TheHall, guest: TheGuest, fight: FromPath[str], data: JSONBody[bodies.Decision]) -> dict[str, Any]:
    table = await hall.table_for(guest, fight)
    return await done(table, guest, await table.decide(guest, masters(play.redo), data.seen, data.key))


@post("/api/fights/{fight:str}/back", status_code=200, summary="Back to an entry")
async def back(hall: TheHall, guest: TheGuest, fight: FromPath[str], data: JSONBody[bodies.Back]) -> dict[str, Any]:
    table = await hall.table_for(guest, fight)
    result = await table.decide(guest, masters(lambda one: play.back(one, data.entry)), data.seen, data.key)
    return await done(table, guest, result)


@post("/api/fights/{fight:str}/corrections", status_code=200, summary="Correct something, now or in the past")
async def correction(
    hall: TheHall, guest: TheGuest, fight: FromPath[str], data: JSONBody[bodies.Correction]
) -> dict[str, Any]:
    table = await hall.table_for(guest, fight)
    result = await table.decide(guest, masters(lambda one: corrections.correct(one, data)), data.seen, data.key)
    return await done(table, guest, result or ())


@post("/api/fights/{fight:str}/settings", status_code=200, summary="Who sees numbers, whose dice are typed, who plays")
async def settings(hall: TheHall, guest: TheGuest, fight: FromPath[str], data: JSONBody[bodies.Set]) -> dict[str, Any]:
    table = await hall.table_for(guest, fight)
    guest.need(table.campaign, "master")
    now = table.settings
    wanted = Settings(
        now.numbers if data.numbers is None else data.numbers,
        now.limit if data.limit is None else data.limit,
        data.forecast or now.forecast,
    )

    def do(fight: Encounter) -> Any:
        if data.typed is not None:
            play.throw_by_hand(fight, data.typed)
        if data.policies is not None:
            play.played_by(fight, data.policies)
        if data.ask_again:
            play.ask_again(fight)
        return "settings changed"

    result = await table.decide(guest, masters(do), data.seen, data.key)
    if wanted != now:  # after what may be refused: all of it or nothing
        await table.change(wanted)
    return await done(table, guest, result)


# ---- streams


async def stream(hall: Hall, guest: Guest, fight: str, kind: Kind, last: str, screen: bool = False) -> Response[Any]:
    """What an audience sees of a fight, as it changes."""
    table = await hall.table_for(guest, fight)
    channel, viewer = table.watch(guest, kind, last, screen)

    async def events() -> Any:
        try:
            async for data in viewer.stream():
                yield data
        finally:
            channel.leave(viewer)

    return Stream(events(), media_type="text/event-stream", headers={"x-accel-buffering": "no", "cache-control": "no-store"})


@get("/api/fights/{fight:str}/stream", summary="The fight as it changes: server-sent events `fight` and `log`")
async def events(hall: TheHall, guest: TheGuest, fight: FromPath[str], last: LastId = "") -> Response[Any]:
    return await stream(hall, guest, fight, "json", last)


@get("/f/{fight:str}/stream", include_in_schema=False)
async def page_events(
    hall: TheHall, guest: TheGuest, fight: FromPath[str], last: LastId = "", screen: FromQuery[bool] = False
) -> Response[Any]:
    return await stream(hall, guest, fight, "page", last, screen)


handlers: list[Any] = [
    fight_, log, offers, preview, order, answer, dice, undo, redo, back, correction, settings, events, page_events,
]  # fmt: skip
