"""What a campaign holds beside its running fights: encounters that are being prepared, characters, house rules.

Everything here is kept at once, however unfinished, so that nothing that somebody typed is lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
import tomlkit

from affray.ask import MASTER
from affray.encounter import Encounter
from affray.errors import AffrayError, DataError, Problem
from affray.formats.draft import Draft, checked
from affray.formats.toml import MAX_BYTES, loads
from affray.referee import Set
from affray.render.words import figure, own_numbers, plain_figure
from affray.ruleset import find
from affray.web.errors import NotFound
from affray.web.hall import Hall
from affray.web.texts import printable

MOST_TEXT = min(MAX_BYTES, 1_000_000)
UNTITLED = "Untitled encounter"


# ---- encounters that are being prepared


async def prepare(hall: Hall, campaign: str, text: str, title: str, ruleset: str) -> str:
    """A draft of an encounter is put on the shelf. Returns its id."""
    _fits(text)
    ident = await hall.prepare(campaign, text, printable(title)[:200] or UNTITLED)
    if (await hall.encounter(ident))["ruleset"] != ruleset:
        await hall.change_encounter(ident, ruleset=ruleset)
    return ident


async def draft(hall: Hall, campaign: str, ident: str) -> dict[str, Any]:
    """An encounter that is being prepared. Raises NotFound."""
    row = await hall.encounter(ident)
    if row["campaign"] != campaign or row["status"] != "prepared":
        raise NotFound("there is no such encounter in preparation")
    return row


async def rewrite(hall: Hall, ident: str, text: str) -> None:
    """Another text for a draft; its title and ruleset follow what it says."""
    _fits(text)
    values: dict[str, Any] = {"source": text}
    try:
        data = loads(text).data
    except DataError:
        data = {}
    if isinstance(title := data.get("title"), str):
        values["title"] = printable(title)[:200] or UNTITLED
    if isinstance(name := data.get("ruleset"), str) and name:
        values["ruleset"] = name[:40]
    await hall.change_encounter(ident, **values)


def _fits(text: str) -> None:
    if len(text) > MOST_TEXT:
        raise DataError([Problem(f"larger than {MOST_TEXT // 1_000_000} MB, which is the limit")])


# ---- characters


async def sound(camp: Mapping[str, Any], name: str, sheet: Mapping[str, Any]) -> None:
    """Raises DataError with all that is wrong with a sheet."""
    fight, problems = await asyncio.to_thread(checked, alone(camp["ruleset"], name, sheet))
    if fight is None or not name:
        raise DataError([*problems, *(() if name else (Problem('needs a name: name = "..."', key="combatant[1].name"),))])


def sheet_text(name: str, sheet: Mapping[str, Any]) -> str:
    """A character as the text of a sheet, the keys of one combatant."""
    doc = tomlkit.document()
    doc["name"] = name
    alone = Draft(f'ruleset = "x"\n[[combatant]]\nname = {tomlkit.string(name).as_string()}\n')
    alone.remove_person(0)
    alone.add_person(name, "", sheet=sheet)
    for key, value in alone.people[0].items():
        if key not in ("name", "side"):
            doc[key] = value
    if sheet.get("player") is False:
        doc["player"] = False
    return str(tomlkit.dumps(doc))


def sheet_of(text: str) -> tuple[str, dict[str, Any]]:
    """Name and sheet of such a text; a combatant out of an encounter file will do as well. Raises DataError."""
    data = loads(text, "sheet").data
    people = data.get("combatant")
    if isinstance(people, list) and people and isinstance(people[0], dict):
        data = people[0]
    name = data.get("name", "")
    left_out = ("name", "side", "at", "count", "state", "hidden", "surprised", "group", "player")
    sheet = {key: value for key, value in data.items() if key not in left_out}
    if data.get("player") is False:  # the game master's alone
        sheet["player"] = False
    return (name if isinstance(name, str) else ""), sheet


async def give(hall: Hall, row: Mapping[str, Any], ruleset: str, item: Any, known: Mapping[str, Any]) -> None:
    """A weapon goes to a character. `known`: what is known of it by the list of the state in which it stands (rounds left)."""
    draft = Draft(alone(ruleset, str(row["name"]), row["sheet"]))
    arms = [*draft.gear(draft.people[0], "weapons"), item]
    state = dict(row["state"])
    for key, one in known.items():
        if key in state or key != "held":  # what is in hand is listed for all weapons or for none
            state[key] = [*state.get(key, []), one]
    await hall.put_character(row["campaign"], row["name"], {**row["sheet"], "weapons": arms}, state, row["id"])


def alone(ruleset: str, name: str, sheet: Mapping[str, Any]) -> str:
    """An encounter in which a character stands alone, to check its sheet and to work out its numbers."""
    draft = Draft(f'ruleset = "{ruleset}"\n')
    draft.add_person(name or "Nobody", "side", sheet=sheet)
    return draft.text


def figures(ruleset: str, name: str, sheet: Mapping[str, Any]) -> dict[str, str]:
    """The derived numbers of a character (in words); empty while its sheet is wrong."""
    fight, _ = checked(alone(ruleset, name, sheet))
    if fight is None:
        return {}
    try:
        return alone_figures(fight.ruleset, fight.state, fight.state.fighters[0].id)
    except AffrayError:
        return {}


def alone_figures(ruleset: Any, state: Any, who: str) -> dict[str, str]:
    """Derived numbers that are a combatant's own, by what they are called, as they are written on paper."""
    return {figure(name): plain_figure(one) for name, one in own_numbers(ruleset, state, who).items()}


# ---- house rules


async def house_rules(hall: Hall, campaign: Mapping[str, Any], wanted: Mapping[str, Any], now: tuple[str, ...] = ()) -> None:
    """The rulings of a campaign that differ from the defaults; fights that run now (their ids) change with them, and note it.

    Raises DataError with every value that is none.
    """
    rules = find(str(campaign["ruleset"]))
    typed = rules.rulings(wanted)
    default = msgspec.to_builtins(rules.Rulings())
    whole = msgspec.to_builtins(typed)
    different = {key: value for key, value in whole.items() if value != default[key]}
    await hall.change_campaign(str(campaign["id"]), rulings=different)
    for ident in now:
        table = await hall.table(ident)
        before = msgspec.to_builtins(table.shown.state.rulings)
        changed = {key: value for key, value in whole.items() if before.get(key) != value}
        for key, value in changed.items():
            await table.act(partial(_rule, key, value))


def _rule(key: str, value: Any, fight: Encounter) -> None:
    """A ruling changes in the middle of a fight, and its log says so."""
    fight.order(Set(MASTER, "", {"rulings": {key: value}}, f"{key} = {value}"))


async def text_for_a_file(text: str, house: Mapping[str, Any]) -> str:
    """A draft with the house rules of its campaign written into it, so that the command line plays the same."""

    def merged() -> str:
        one = Draft(text)
        own = one.data.get("rulings", {})
        one.fill(
            (f"rulings.{key}", str(value).lower() if isinstance(value, bool) else str(value))
            for key, value in house.items()
            if key not in own
        )
        return one.text

    return await asyncio.to_thread(merged)
