"""Fighters, sides and the order of turns as an audience sees them."""

from __future__ import annotations

from typing import Any

from affray.audience import SPECTATOR, Audience
from affray.encounter import Encounter
from affray.recent import Recent
from affray.render.text import minus
from affray.render.words import figure, own_numbers
from affray.ruleset import Bearing, Ruleset, Sign
from affray.sight.asking import by_hand
from affray.sight.deciding import Forbidden
from affray.sight.eyes import Eyes, eyes
from affray.sight.log import part

SHAPES = ("circle", "square", "triangle", "diamond", "inverted triangle", "star")
"""Sides are told apart by shape as well as by colour."""
AWAY = ("gone", "left")
"""Words for those who are no longer on the map."""


def sides(fight: Encounter, view: Eyes) -> list[dict[str, Any]]:
    """Sides in the order in which they came; a side of nobody that is known is none."""
    names = dict.fromkeys(f.side for f in (*fight.start.fighters, *view.state.fighters) if f.id in view.there)
    return [{"name": name, "shape": SHAPES[n % len(SHAPES)], "number": n} for n, name in enumerate(names)]


def fighters(fight: Encounter, view: Eyes, up: tuple[str, ...]) -> list[dict[str, Any]]:
    """Everybody of whom the audience knows, in roster order."""
    known = [f for f in view.state.fighters if f.id in view.there]
    others = {} if all(view.whole(f.id) for f in known) else strangers(fight, view, up)
    return [fighter(fight, view, f, up) if view.whole(f.id) else others[f.id] for f in known]


_STRANGERS: Recent[dict[str, dict[str, Any]]] = Recent(64)


def strangers(fight: Encounter, view: Eyes, up: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """How people look to those whose they are not, by id: the same for all who know of the same people, so worked out once,
    for somebody who knows of these and has nobody of his own."""

    def made() -> dict[str, dict[str, Any]]:
        hidden = view.there - fight.ruleset.knows(view.state, SPECTATOR)
        plain = eyes(fight, Audience(known=tuple(sorted(hidden))))
        return {f.id: fighter(fight, plain, f, up) for f in view.state.fighters if f.id in view.there}

    return _STRANGERS.get((fight.ruleset.name, view.there, up), made, view.state)


def fighter(fight: Encounter, view: Eyes, true: Any, up: tuple[str, ...]) -> dict[str, Any]:
    """One fighter, of those whom the audience knows."""
    ruleset, who, whole = fight.ruleset, true.id, view.whole(true.id)
    stands = ruleset.bearing(view.seen, who)
    score = stands.score if whole and not view.hidden else scores(ruleset, view.state)[who]
    out = ruleset.fallen(true)
    word = out or stands.word or "able"
    at = getattr(true, "at", None)
    return {
        "id": who,
        "name": view.label(who),
        "side": true.side,
        "group": getattr(true, "group", "") or "",
        "mine": view.audience.mine(who),
        "typed": view.audience.mine(who) and by_hand(fight, who),
        "whole": whole,
        "up": who in up,
        "acted": bool(stands.acted),
        "score": score,
        "left": stands.left or (stands.may if whole else ""),
        "state": {"word": word, "level": 4 if out else stands.level},
        "out": bool(out),
        "away": out in AWAY,
        "conditions": [sign(one) for one in stands.signs],
        "standing": [sign(one) for one in stands.standing],
        "held": list(stands.held),
        "wounds": [{"name": name, "text": minus(text)} for name, text in stands.own] if whole else [],
        "points": [{"name": name, "value": value} for name, value in stands.points] if whole else [],
        "ammo": [{"weapon": w, "rounds": n, "of": of} for w, n, of in stands.ammo] if whole else [],
        "at": list(at) if at is not None else None,
        "hidden": bool(getattr(true, "hidden", False)),
    }


def numbers(fight: Encounter, audience: Audience, who: str) -> list[dict[str, Any]]:
    """Derived numbers of a fighter about whom they may see everything, each with its parts. Raises Forbidden for others."""
    view = eyes(fight, audience)
    if not view.whole(who):
        raise Forbidden("that combatant is not yours")
    found = []
    for name, shown in own_numbers(fight.ruleset, view.seen, who).items():
        parts = [part(view, one) for one in shown.parts]
        text = str(shown.value) if shown.parts else shown.text
        found.append({"name": name, "label": figure(name), "text": minus(text), "parts": parts})
    return found


def sign(one: Sign) -> dict[str, str]:
    return {"word": minus(one.word), "left": minus(one.left), "rule": one.rule}


_SCORES: Recent[dict[str, Any]] = Recent(64)


def scores(ruleset: Ruleset, state: Any) -> dict[str, Any]:
    """Everybody's place in the order of turns as it truly is: the same for whoever looks."""
    return _SCORES.get(ruleset.name, lambda: {f.id: ruleset.bearing(state, f.id).score for f in state.fighters}, state)


_COMING: Recent[tuple[str, ...]] = Recent(64)


def coming(ruleset: Ruleset, state: Any) -> tuple[str, ...]:
    """Who has still to act, in order: the same for whoever looks."""
    return _COMING.get(ruleset.name, lambda: ruleset.coming(state), state)


def turns(fight: Encounter, view: Eyes, people: list[dict[str, Any]], up: tuple[str, ...]) -> list[dict[str, Any]]:
    """The order: those who are up, those to come, those who have acted, the fallen; like members of a group in one row.

    `mark`: 'up', 'next', 'acted' or 'out'.
    """
    later = [who for who in coming(fight.ruleset, view.state) if who in view.there and who not in up]
    seen = {one["id"]: one for one in people}
    out = [f.id for f in view.state.fighters if f.id in view.there and fight.ruleset.fallen(f)]
    acted = sorted((who for who in seen if who not in (*up, *later, *out)), key=lambda who: -(seen[who]["score"] or 0))
    rows: list[dict[str, Any]] = []
    marked = [(who, "up") for who in up if who in seen]
    marked += [(who, "next") for who in later if who not in out]
    marked += [(who, "acted") for who in acted] + [(who, "out") for who in out if who not in up]
    for who, mark in marked:
        shown = seen[who]
        row = {
            "ids": [who],
            "label": shown["name"],
            "side": shown["side"],
            "group": shown["group"],
            "score": shown["score"],
            "mark": mark,
            "state": shown["state"],
            "mine": shown["mine"],
            "hidden": shown["hidden"],
        }
        if rows and row["group"] and _alike(rows[-1], row):
            rows[-1]["ids"].append(who)
            rows[-1]["label"] = f"{row['group']} ×{len(rows[-1]['ids'])}"
        else:
            rows.append(row)
    return rows


def _alike(a: dict[str, Any], b: dict[str, Any]) -> bool:
    return all(a[name] == b[name] for name in ("group", "side", "score", "mark", "state", "hidden"))


__all__ = ["Bearing", "fighter", "fighters", "numbers", "sides", "sign", "turns"]
