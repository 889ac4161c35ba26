"""What the pages around the fight have in common: forms, going elsewhere, the look of every page of a campaign."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.response import Redirect

from affray.errors import AffrayError, DataError, IllegalOrder, Problem
from affray.formats.draft import field
from affray.render.text import minus
from affray.ruleset import NAMES, find
from affray.store import sql
from affray.web import pages
from affray.web.hall import Hall, offered
from affray.web.pages.routes import Html
from affray.web.people import Guest
from affray.web.texts import SAID, printable, sentence

Asked = Request[Any, Any, Any]
MOST_FIELDS = 6000


class Form:
    """What was typed into a form, in its order."""

    def __init__(self, items: Iterable[tuple[str, str]]) -> None:
        self.items = [(name, value) for name, value in items if isinstance(value, str)][:MOST_FIELDS]

    def get(self, name: str, default: str = "") -> str:
        """The value typed last into a field."""
        found = [value for key, value in self.items if key == name]
        return found[-1].strip() if found else default

    def all(self, name: str) -> list[str]:
        return [value for key, value in self.items if key == name]


async def form(request: Asked) -> Form:
    """The form that was sent."""
    return Form((await request.form()).multi_items())


def show(template: str, guest: Guest, camp: Mapping[str, Any] | None = None, status: int = 200, **context: Any) -> Html:
    """A page; `camp`: the campaign that it belongs to."""
    ident = str(camp["id"]) if camp else ""
    known = {
        "t": SAID,
        "sentence": sentence,
        "minus": minus,
        "camp": camp,
        "role": guest.role(ident) if ident else "",
        "titles": titles(),
        "when": when,
        "tab": "",
        "options": options,
    }
    return pages.page(template, guest, status, ident, **{**known, **context})


def go(request: Asked, url: str) -> Html:
    """Elsewhere, after something was done."""
    if request.headers.get("hx-request"):
        return Response(None, status_code=204, headers={"HX-Redirect": url})
    return Redirect(url, status_code=303)


def options(names: Iterable[str]) -> list[tuple[str, str]]:
    """Names as the options of a select."""
    return [(name, name) for name in names]


def titles() -> dict[str, str]:
    """Names of all rulesets in words."""
    return {name: find(name).title for name in NAMES}


def when(seconds: float) -> str:
    """A moment as the page writes it."""
    return datetime.fromtimestamp(seconds).strftime("%-d %b, %H:%M")


async def master(hall: Hall, guest: Guest, campaign: str) -> dict[str, Any]:
    """The campaign, for its game master alone. Raises NotKnown, NotAllowed, NotFound."""
    guest.need(campaign, "master")
    return await hall.campaign(campaign)


async def member(hall: Hall, guest: Guest, campaign: str) -> dict[str, Any]:
    """The campaign, for everybody who was let in. Raises NotKnown, NotAllowed, NotFound."""
    guest.need(campaign)
    return await hall.campaign(campaign)


# ---- characters of a campaign


async def characters(hall: Hall, campaign: str) -> list[dict[str, Any]]:
    """All characters, by name."""
    return sorted(await hall.characters(campaign), key=lambda one: str(one["name"]).lower())


async def seats(hall: Hall, campaign: str) -> list[str]:
    """Characters that somebody can play: those of the campaign, and those marked as played in its fights."""
    names = [str(one["name"]) for one in await characters(hall, campaign) if offered(one)]
    rows = await hall.rows(sql.find(sql.ENCOUNTERS, campaign=campaign))
    found = await asyncio.to_thread(
        lambda: [name for row in rows if row["status"] != "prepared" for name in played(row["source"])]
    )
    return list(dict.fromkeys([*names, *found]))


def played(source: str) -> list[str]:
    """Names of those who are marked as played by a person in an encounter file."""
    return [str(one["name"]) for one in people_of(source) if one.get("player") and one.get("name")]


def people_of(source: str) -> list[dict[str, Any]]:
    """Combatants as an encounter file has them."""
    from affray.formats.toml import loads

    try:
        people = loads(source).data.get("combatant", [])
    except DataError:
        return []
    return [one for one in people if isinstance(one, dict)] if isinstance(people, list) else []


# ---- what is wrong, beside its field


class Told(msgspec.Struct):
    """One problem for a page: the field that it is about, the words, and a value to put there."""

    field: str
    text: str
    nearest: str = ""
    allowed: tuple[str, ...] = ()
    line: int = 0
    label: str = ""
    """The field in words, where they are known."""

    def __post_init__(self) -> None:
        self.text = sentence(self.text)


def told(problems: Iterable[Problem]) -> list[Told]:
    """Problems by the fields of the form."""
    return [Told(field(one.key), one.text, one.nearest, one.allowed, one.line) for one in problems]


def wrongs(wrong: AffrayError) -> list[Told]:
    """What an error says, as problems of no field in particular."""
    if isinstance(wrong, DataError):
        return told(wrong.problems)
    if isinstance(wrong, IllegalOrder):
        refusal = wrong.refusal
        return [Told("", f"{refusal.text} [{refusal.rule}]" if refusal.rule else refusal.text, "", refusal.legal)]
    return [Told("", str(wrong))]


def at(problems: Iterable[Told], name: str) -> list[Told]:
    """Those of a field and of what lies inside it."""
    return [one for one in problems if one.field == name or one.field.startswith(name + ".")]


def slug(text: str) -> str:
    """A name for a file."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60] or "encounter"


def short(text: str, most: int) -> str:
    """A text of people without what cannot be seen, cut."""
    return printable(text)[:most].strip()
