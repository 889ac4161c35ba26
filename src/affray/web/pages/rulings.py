"""House rules: every switchable ruling with what it is about, its rule, and what each alternative means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar.params import FromPath

from affray import rules
from affray.errors import AffrayError
from affray.formats.draft import typed_ruling
from affray.render import rulings as known
from affray.ruleset import find
from affray.web import shelf
from affray.web.hall import TheHall
from affray.web.pages.common import Asked, Form, form, master, member, show, wrongs
from affray.web.pages.home import visible
from affray.web.pages.routes import Html, look, send
from affray.web.people import TheGuest


def listed(ruleset: str, now: Mapping[str, Any], base: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """All rulings with their present value. `base`: what counts as usual (the house rules); None: the defaults."""
    index = rules.index(f"affray.rulesets.{ruleset}")
    found = []
    for one in known.listed(ruleset):
        usual = (base or {}).get(one["key"], one["default"])
        value = now.get(one["key"], usual)
        rule = index.get(one["rule"])
        kind = "number" if list(one["values"]) == ["number"] else "choice" if one["values"] else "text"
        found.append(
            {
                **one,
                "value": known.worded(value),
                "usual": known.worded(usual),
                "changed": value != usual,
                "kind": kind,
                "title": rule.title if rule else one["key"],
                "section": rule.section if rule else "",
                "text": rule.text if rule else "",
            }
        )
    return found


def wanted(ruleset: str, typed: Form) -> dict[str, Any]:
    """Rulings as they were typed, in the types of their defaults; what fits none stays as it is, to be refused."""
    defaults = msgspec.to_builtins(find(ruleset).Rulings())
    found: dict[str, Any] = {}
    for key, default in defaults.items():
        value = typed.get(f"rulings.{key}")
        if value:
            found[key] = typed_ruling(default, value)
    return found


@look("/c/{campaign:str}/rulings")
async def rulings(hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> Html:
    return await _rulings(hall, guest, campaign)


async def _rulings(hall: Any, guest: Any, campaign: str, status: int = 200, **more: Any) -> Html:
    camp = await member(hall, guest, campaign)
    running = [
        one for one in await visible(hall, guest, campaign) if one["status"] == "running" and one["ruleset"] == camp["ruleset"]
    ]
    context = {"rulings": listed(camp["ruleset"], camp["rulings"]), "running": running, "problems": [], "saved": False}
    return show("rulings.html", guest, camp, status, tab="rulings", **{**context, **more})


@send("/c/{campaign:str}/rulings")
async def change(request: Asked, hall: TheHall, guest: TheGuest, campaign: FromPath[str]) -> Html:
    """Other house rules; running fights go on under theirs unless they are ticked."""
    camp = await master(hall, guest, campaign)
    typed = await form(request)
    values = {} if typed.get("do") == "book" else wanted(camp["ruleset"], typed)
    running = {one["id"] for one in await visible(hall, guest, campaign) if one["status"] == "running"}
    try:
        await shelf.house_rules(hall, camp, values, tuple(one for one in typed.all("now") if one in running))
    except AffrayError as wrong:
        shown = listed(camp["ruleset"], {**camp["rulings"], **values})
        return await _rulings(hall, guest, campaign, 400, problems=wrongs(wrong), rulings=shown)
    return await _rulings(hall, guest, campaign, saved=True)


handlers: list[Any] = [rulings, change]
