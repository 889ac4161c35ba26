"""The first page: go on with a fight, campaigns, samples; for strangers the way to a table. And the pages of campaigns."""

from __future__ import annotations

from typing import Any

from litestar.params import FromPath

from affray.errors import AffrayError
from affray.formats import samples
from affray.formats.draft import whole
from affray.ruleset import NAMES
from affray.store import sql
from affray.web import shelf
from affray.web.errors import NotFound
from affray.web.hall import TheHall
from affray.web.pages.common import Asked, characters, form, go, member, short, show, when, wrongs
from affray.web.pages.routes import Html, look, send
from affray.web.people import TheGuest, code
from affray.web.texts import SAID

SHELF = "First fights"
"""The campaign that holds samples which are tried out."""


@look("/")
async def home(hall: TheHall, guest: TheGuest) -> Html:
    return await _home(hall, guest)


async def _home(hall: Any, guest: Any, status: int = 200, **more: Any) -> Html:
    found = [one for one in await hall.campaigns(guest) if guest.role(one["id"])]
    listed, last = [], None
    for camp in reversed(found):
        fights = await visible(hall, guest, camp["id"])
        running = [one for one in fights if one["status"] == "running"]
        listed.append({**camp, "fights": fights, "running": running, "people": len(hall.people.of(camp["id"]))})
        for one in running[:1]:
            last = max((one, last), key=lambda x: x["changed"]) if last else one
    waiting = [one for one in await hall.campaigns(guest) if not guest.role(one["id"])]
    shown = samples.samples() if guest.host else ()
    typed: dict[str, Any] = {"title": "", "ruleset": listed[0]["ruleset"] if listed else NAMES[0], "problems": []}
    return show(
        "home.html", guest, None, status, campaigns=listed, last=last, samples=shown, waiting=waiting, **{**typed, **more}
    )


async def visible(hall: Any, guest: Any, campaign: str) -> list[dict[str, Any]]:
    """The fights of a campaign that somebody may know of, the one changed last first."""
    found = await hall.encounters(campaign)
    for one in found:
        table = hall.tables.get(one["id"])
        now = ("over" if table.shown.ruleset.over(table.shown.state) else "running") if table else one["status"]
        if now != one["status"]:
            await hall.keep(sql.update(sql.ENCOUNTERS, {"id": one["id"]}, {"status": now}))
            one["status"] = now
        one["round"] = getattr(table.shown.state, "round", 0) if table else 0
    return marked([one for one in found if one["status"] != "prepared" or guest.role(campaign) == "master"])


def marked(fights: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Fights, each with a `mark` that tells those of one title apart: when it was set up, its round, a number if need be."""
    for one in fights:
        twins = sorted((each for each in fights if each["title"] == one["title"]), key=lambda each: each["created"])
        made = SAID("set up {when}", when=when(one["created"]))
        told = [made, SAID("round {n}", n=one["round"])] if one["round"] else [made]
        if sum(when(each["created"]) == when(one["created"]) for each in twins) > 1:
            told.insert(0, SAID("no. {n}", n=twins.index(one) + 1))
        one["mark"] = ", ".join(told) if len(twins) > 1 else ""
    return fights


@send("/campaigns")
async def new_campaign(request: Asked, hall: TheHall, guest: TheGuest) -> Html:
    guest.need("", "master")
    typed = await form(request)
    title, ruleset = short(typed.get("title"), 80), typed.get("ruleset")
    try:
        made = await hall.make_campaign(title or "Untitled campaign", ruleset)
    except AffrayError as wrong:
        return await _home(hall, guest, 400, title=title, ruleset=ruleset, problems=wrongs(wrong))
    return go(request, f"/c/{made['id']}")


@send("/samples/{name:str}")
async def try_sample(request: Asked, hall: TheHall, guest: TheGuest, name: FromPath[str]) -> Html:
    """A sample begins at once, or is opened for changes; on the shelf of its ruleset, or in a campaign."""
    guest.need("", "master")
    typed = await form(request)
    text = whole(samples.path(name))
    sample = next(one for one in samples.samples() if one.name == name)
    campaign = typed.get("campaign") or await _shelf(hall, sample.ruleset)
    await hall.campaign(campaign)
    if typed.get("then") == "change":
        ident = await shelf.prepare(hall, campaign, text, sample.title, sample.ruleset)
        return go(request, f"/c/{campaign}/new/{ident}")
    return go(request, f"/f/{await hall.begin_source(campaign, text)}")


async def _shelf(hall: Any, ruleset: str) -> str:
    """The campaign for samples of a ruleset, made when it is wanted."""
    known = await hall.rows(sql.find(sql.CAMPAIGNS, title=SHELF, ruleset=ruleset))
    return str((known[0] if known else await hall.make_campaign(SHELF, ruleset))["id"])


@look("/c/{campaign:str}")
async def campaign_(hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> Html:
    camp = await member(hall, guest, campaign)
    fights = await visible(hall, guest, campaign)
    own = set(hall.people.own(guest, campaign))
    people = await characters(hall, campaign)
    waiting = [one for one in hall.people.of(campaign) if not one.approved]
    return show(
        "campaign.html",
        guest,
        camp,
        tab="fights",
        fights=fights,
        own=[one for one in people if one["name"] in own],
        waiting=waiting,
        count=len(people),
    )


@send("/c/{campaign:str}")
async def change(request: Asked, hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> Html:
    """Another name or code for a campaign; a fight is set up again or thrown away; the whole campaign is."""
    guest.need(campaign, "master")
    typed = await form(request)
    do, _, about = typed.get("do").partition(" ")
    if do == "rename" and (title := short(typed.get("title"), 80)):
        await hall.change_campaign(campaign, title=title)
    elif do == "code":
        await hall.change_campaign(campaign, code=code())
    elif do == "drop":
        guest.need("", "master")
        await hall.drop_campaign(campaign)
        return go(request, "/")
    elif do in ("again", "away"):
        row = await hall.encounter(about)
        if row["campaign"] != campaign:
            raise NotFound("there is no such fight")
        if do == "again":
            ident = await shelf.prepare(hall, campaign, row["source"], row["title"], row["ruleset"])
            return go(request, f"/c/{campaign}/new/{ident}")
        await hall.drop_encounter(about)
    return go(request, f"/c/{campaign}")


handlers: list[Any] = [home, new_campaign, try_sample, campaign_, change]
