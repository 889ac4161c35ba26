"""The rules in the project's own words: lists, searching, one rule as a page and as the text of a popover; and the keys."""

from __future__ import annotations

from typing import Any

from litestar.params import FromPath, FromQuery

from affray import rules as books
from affray.errors import unknown
from affray.render import rulings as switches
from affray.ruleset import NAMES, find
from affray.web.errors import NotFound
from affray.web.pages.common import Asked, show
from affray.web.pages.routes import Html, look
from affray.web.people import TheGuest


@look("/rules")
async def shelf(guest: TheGuest) -> Html:
    found = [(name, find(name).title, len(books.index(f"affray.rulesets.{name}"))) for name in NAMES]
    return show("rules.html", guest, books=found, book="", title="", found=[], sections=[], q="")


@look("/rules/{ruleset:str}")
async def book(request: Asked, guest: TheGuest, ruleset: FromPath[str], q: FromQuery[str] = "") -> Html:
    if ruleset not in NAMES:  # the id of a rule alone will do
        home = next((name for name in NAMES if ruleset in books.index(f"affray.rulesets.{name}")), "")
        if home:
            return await _rule(request, guest, home, ruleset)
        raise NotFound(str(unknown("ruleset", ruleset, NAMES)))
    package = f"affray.rulesets.{ruleset}"
    found = books.search(package, q[:200]) if q.strip() else []
    sections: dict[str, list[books.Rule]] = {}
    for one in books.index(package).values() if not q.strip() else ():
        sections.setdefault(one.section, []).append(one)
    return show(
        "rules.html", guest, books=[], book=ruleset, title=find(ruleset).title, found=found, sections=list(sections.items()), q=q
    )


@look("/rules/{ruleset:str}/{rule:str}")
async def rule(request: Asked, guest: TheGuest, ruleset: FromPath[str], rule: FromPath[str]) -> Html:
    if ruleset not in NAMES:
        raise NotFound(str(unknown("ruleset", ruleset, NAMES)))
    return await _rule(request, guest, ruleset, rule)


async def _rule(request: Asked, guest: Any, ruleset: str, rule: str) -> Html:
    """A page of its own; the text alone for a popover."""
    index = books.index(f"affray.rulesets.{ruleset}")
    if rule not in index:
        raise NotFound(str(unknown("rule", rule, tuple(index))))
    order = list(index)
    at = order.index(rule)
    turned = [one for one in switches.listed(ruleset) if one["rule"] == rule]
    return show(
        "parts/rule.html" if request.headers.get("hx-request") else "rule.html",
        guest,
        book=ruleset,
        title=find(ruleset).title,
        rule=index[rule],
        switches=turned,
        before=order[at - 1] if at else "",
        after=order[at + 1] if at + 1 < len(order) else "",
    )


@look("/help")
async def help_(guest: TheGuest) -> Html:
    return show("help.html", guest)


handlers: list[Any] = [shelf, book, rule, help_]
