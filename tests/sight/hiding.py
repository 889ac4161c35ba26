"""Fights with somebody hidden whose every word is a planted secret, and everything that an audience can get of a fight."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
from conformance.rulesets import STARTS
from msgspec.structs import replace

from affray import sight
from affray.encounter import Encounter
from affray.errors import AffrayError
from affray.ruleset import Ruleset, find
from affray.sight import SPECTATOR, Audience

NAMES = ("rond6", "rd6", "cepheus")
SECRET = "Zorvex"
"""The id of the hidden one; all other planted words begin with it."""
GIFT = "Quillon dance"
"""A skill of those who can be seen."""
OWN = {"rond6": "Ash", "rd6": "Ash", "cepheus": "Mara"}
FRIEND = {"rond6": "Kess", "rd6": "Kess", "cepheus": "Voss"}
FOES = {"rond6": ("Thug 1", "Thug 2"), "rd6": ("Thug 1", "Thug 2"), "cepheus": ("Kell", "Brod")}


def renamed(value: Any, words: dict[str, str]) -> Any:
    """Plain data with these texts in the place of others."""
    if isinstance(value, str):
        return words.get(value, value)
    if isinstance(value, dict):
        return {key: renamed(one, words) for key, one in value.items()}
    return [renamed(one, words) for one in value] if isinstance(value, list) else value


def hidden_one(ruleset: Ruleset, model: Any) -> Any:
    """A hidden fighter like another one, with planted words in name, id, side, group, weapons, armour and skills."""
    plain = msgspec.to_builtins(model)
    gear = [w["name"] for w in plain["sheet"]["weapons"]]
    words = {name: f"{SECRET} blade {n}" for n, name in enumerate(gear)}
    plain = renamed(plain, words)
    plain["id"] = SECRET
    plain["hidden"] = True
    for key, value in (("name", f"{SECRET} the Unseen"), ("group", f"{SECRET} band")):
        if key in plain:
            plain[key] = value
    sheet = plain["sheet"]
    art, code = f"{SECRET} art", {"dice": 7, "pips": 0}
    skills = {"rond6": [art, code], "rd6": {"name": art, "code": code}, "cepheus": [art, 3]}
    sheet["skills"] = [*sheet["skills"], skills[ruleset.name]]
    if ruleset.name == "rond6":
        sheet["armor"] = {"code": {"dice": 2, "pips": 0}, "name": f"{SECRET} mail"}
    if ruleset.name == "cepheus":
        sheet["armour"] = [{"name": f"{SECRET} mail", "rating": 3}]
        sheet["unit"] = f"{SECRET} corps"
    return msgspec.convert(plain, ruleset.Fighter)


def gifted(ruleset: Ruleset, fighter: Any) -> Any:
    """A foe who can be seen, with a skill that nobody knows of."""
    plain = msgspec.to_builtins(fighter)
    code = {"dice": 6, "pips": 0}
    skills = {"rond6": [GIFT, code], "rd6": {"name": GIFT, "code": code}, "cepheus": [GIFT, 2]}
    plain["sheet"]["skills"] = [*plain["sheet"]["skills"], skills[ruleset.name]]
    return msgspec.convert(plain, ruleset.Fighter)


def start(name: str) -> Any:
    """Two against two, and a third one hidden among the second side."""
    ruleset, state = find(name), STARTS[name][0]()
    state = replace(state, fighters=tuple(gifted(ruleset, f) if f.id in FOES[name] else f for f in state.fighters))
    model = state.fighters[-1]
    lurker = hidden_one(ruleset, model)
    if getattr(lurker, "at", None) is not None:
        lurker = replace(lurker, at=(lurker.at[0] + 1, lurker.at[1] + 1))
    fighters = (*state.fighters[:2], lurker, *state.fighters[2:])
    if name == "cepheus":
        from affray.rulesets.cepheus.movement import starting_pairs

        lurker = replace(lurker, aware=tuple(f.id for f in state.fighters))
        ally = {f.id for f in state.fighters if f.side == lurker.side}
        fighters = tuple(
            lurker if f.id == SECRET else replace(f, aware=(*f.aware, SECRET)) if f.id in ally else f for f in fighters
        )
        state = replace(state, fighters=fighters)
        return replace(state, pairs=starting_pairs(state))
    return replace(state, fighters=fighters)


def audiences(name: str) -> list[Audience]:
    return [
        Audience(own=(OWN[name],)),
        Audience(own=(OWN[name], FRIEND[name]), numbers=True),
        SPECTATOR,
    ]


def outputs(fight: Encounter, audience: Audience, deep: int = 0) -> Iterator[Any]:
    """Everything that can be asked of a fight; `deep`: previews of every so manieth order as well."""
    yield sight.fight(fight, audience, fight_title="Fight")
    yield sight.log(fight, audience)
    for asked in sight.requests(fight, audience):
        yield asked
        yield sight.weigh(fight, audience, asked["n"]) if deep else []
    for who in audience.own:
        if all(f.id != who for f in fight.state.fighters):
            continue
        yield sight.numbers(fight, audience, who)
        offered = sight.offers(fight, audience, who)
        yield offered
        for offer in offered[::deep] if deep else ():
            order = {"do": offer["verb"], "by": who}
            order |= {f["name"]: f["default"] for f in offer["fields"] if f["default"] is not None}
            try:
                yield sight.preview(fight, audience, order)
            except AffrayError as wrong:
                yield str(wrong)


def text_of(value: Any) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)


def unknown(fight: Encounter, audience: Audience) -> bool:
    """Whether the audience does not know of the hidden one now."""
    return SECRET not in fight.ruleset.knows(fight.state, audience)
