"""Stands in for `affray.audience` and `affray.sight` until these are there."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from affray.ask import MASTER, Open, Roll
from affray.encounter import Encounter
from affray.errors import AffrayError


class Audience(Struct, frozen=True):
    """Who is looking: the master, or a player with characters of his own; else a spectator."""

    master: bool = False
    own: tuple[str, ...] = ()
    numbers: bool = False


class Forbidden(AffrayError):
    """Not theirs to decide."""


def _asked(audience: Audience, one: Open) -> bool:
    secret = isinstance(one.request, Roll) and one.request.secret
    return audience.master or (not secret and one.request.by in audience.own)


def fight(fight: Encounter, audience: Audience, extra: dict[str, Any]) -> dict[str, Any]:
    """The fight as that audience may see it."""
    state = fight.state
    view = fight.ruleset.view(state, "master" if audience.master else "spectator")
    shown = [f for f in state.fighters if audience.master or f.id in audience.own or not getattr(f, "hidden", False)]
    ids = {f.id for f in shown}
    requests = fight.open.requests if fight.open else ()
    return {
        **extra,
        "ruleset": {"name": fight.ruleset.name, "title": fight.ruleset.title},
        "round": state.round,
        "over": fight.ruleset.over(state),
        "turn": state.turn if state.turn in ids else "",
        "up": [who for who in (fight.up() if not fight.open else ()) if who in ids],
        "you": {"master": audience.master, "own": list(audience.own), "spectator": not audience.master and not audience.own},
        "fighters": [
            {"id": f.id, "name": getattr(f, "name", "") or f.id, "side": f.side, "at": f.at, "mine": f.id in audience.own}
            for f in shown
        ],
        "order": view.get("order", []),
        "requests": [
            {
                "n": one.n,
                "by": one.request.by,
                "mine": one.request.by in audience.own or (audience.master and one.request.by == MASTER),
                "kind": "roll" if isinstance(one.request, Roll) else "choose",
                "why": one.request.why.key,
                "text": one.request.why.text,
                "pool": str(one.request.pool) if isinstance(one.request, Roll) else "",
                "faces": list(one.faces),
                "domain": None if isinstance(one.request, Roll) else msgspec.to_builtins(one.request.domain),
                "default": None if isinstance(one.request, Roll) else msgspec.to_builtins(one.request.default),
            }
            for one in requests
            if _asked(audience, one)
        ],
    }


def log(fight: Encounter, audience: Audience) -> list[dict[str, Any]]:
    """What has happened, as that audience may know it."""
    return [
        {"n": number, "who": entry.order.by, "head": f"{entry.order.by}: {entry.order.verb}", "lines": []}
        for number, entry in enumerate(fight.entries, 1)
        if not entry.auto and (audience.master or entry.order.by in audience.own)
    ]


def offers(fight: Encounter, audience: Audience, who: str) -> list[dict[str, Any]]:
    """What somebody may order."""
    may_order(fight, audience, {"by": who})
    found: list[dict[str, Any]] = msgspec.to_builtins(list(fight.ruleset.offers(fight.state, who)))
    return found


def preview(fight: Encounter, audience: Audience, order: Any) -> dict[str, Any]:
    """What would come of an order."""
    return {"order": order, "odds": []}


def may_order(fight: Encounter, audience: Audience, order: dict[str, Any]) -> None:
    """Raises Forbidden."""
    if not audience.master and order.get("by") not in audience.own:
        raise Forbidden("this is not your character")


def may_answer(fight: Encounter, audience: Audience, n: int) -> None:
    """Raises Forbidden."""
    for one in fight.open.requests if fight.open else ():
        if one.n == n and not _asked(audience, one):
            raise Forbidden("you are not asked")


def refusal(fight: Encounter, audience: Audience, order: Any, wrong: AffrayError) -> AffrayError:
    """What somebody may be told of a refusal."""
    return wrong
