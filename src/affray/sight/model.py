"""The whole of a fight as one audience sees it now: what the pages render and the API returns."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import blake2b
from typing import Any

import msgspec

from affray.ask import MASTER, Roll
from affray.audience import Audience
from affray.encounter import Encounter
from affray.record import decided
from affray.ruleset import Ruleset
from affray.sight.asking import requests
from affray.sight.deciding import FLOOR
from affray.sight.eyes import Eyes, eyes
from affray.sight.ground import ground
from affray.sight.log import log, marks
from affray.sight.people import fighters, sides, turns

THE_MASTER = "the master"


def fight(fight: Encounter, audience: Audience, seated: Collection[str] = (), **extra: Any) -> dict[str, Any]:
    """The model. `seated`: ids of fighters whom players run; everybody else is the master's. `extra` (id, title, forecast,
    limits of requests...) is put in as it is and takes no part in the version."""
    view = eyes(fight, audience)
    ruleset, state = fight.ruleset, view.state
    over = bool(ruleset.over(state))
    up = tuple(who for who in (() if over else fight.up()) if who in view.there)
    turn = getattr(state, "turn", "") or (up[0] if up else "")
    people = fighters(fight, view, up)
    deciders = waiting(fight, view, seated, over)
    found: dict[str, Any] = {
        "ruleset": {"name": ruleset.name, "title": ruleset.title},
        "round": state.round,
        "over": over,
        "turn": turn if turn in view.there else "",
        "up": list(up),
        "floor": floor(view, deciders, over),
        "you": {
            "master": audience.master,
            "own": [who for who in audience.own if who in view.there],
            "numbers": audience.master or audience.numbers,
            "spectator": not audience.master and not audience.own,
        },
        "sides": sides(fight, view),
        "fighters": people,
        "order": turns(fight, view, people, up),
        "space": ground(fight, view),
        "requests": requests(fight, audience),
        "waiting": deciders,
        "busy": fight.open is not None and (audience.master or fight.open.order.by in view.there),
        "can": can(fight, audience),
    }
    found = view.clean(found)
    told = log(fight, audience)
    digest = blake2b(msgspec.json.encode([found, marks(fight, audience)]), digest_size=9).hexdigest()
    rest = {"version": digest, "clock": clock(ruleset, state), "entries": len(told), "forecast": None}
    if not audience.master:  # a forecast counts those of whom nobody else knows
        extra.pop("forecast", None)
    return {**found, **rest, **extra}


def version(fight_: Encounter, audience: Audience, seated: Collection[str] = ()) -> str:
    """The version of the model: changes when something that this audience sees has changed, and only then."""
    return str(fight(fight_, audience, seated)["version"])


def waiting(fight: Encounter, view: Eyes, seated: Collection[str], over: bool) -> list[str]:
    """Who has to decide now, by name. Whoever is no player's is the master, so that nothing shows of whom he decides for."""
    if fight.open is not None:
        asked = [
            MASTER if isinstance(one.request, Roll) and one.request.secret else one.request.by for one in fight.open.requests
        ]
    else:
        asked = list(() if over else fight.up()[:1]) or ([] if over else [MASTER])
    if view.audience.master:
        return list(dict.fromkeys(THE_MASTER if who == MASTER else view.label(who) for who in asked))
    players = {*seated, *view.audience.own} & view.there
    return list(dict.fromkeys(view.label(who) if who in players else THE_MASTER for who in asked))


def floor(view: Eyes, deciders: list[str], over: bool) -> str:
    """Who has the floor, in words."""
    if over and not deciders:
        return "The fight is over"
    if THE_MASTER in deciders or not deciders:
        return FLOOR
    return f"{', '.join(deciders)} {'has' if len(deciders) == 1 else 'have'} the floor"


def can(fight: Encounter, audience: Audience) -> dict[str, bool]:
    """What the master may do with the log; nothing for anybody else."""
    some = any(map(decided, fight.entries)) or (fight.open is not None)
    return {"undo": audience.master and some, "redo": audience.master and bool(fight.undone), "correct": audience.master}


def clock(ruleset: Ruleset, state: Any) -> str:
    """How long the fight has lasted, where that is counted: '0:15'."""
    if ruleset.seconds is None:
        return ""
    minutes, seconds = divmod(ruleset.seconds(state), 60)
    return f"{minutes}:{seconds:02d}"
