"""What an encounter says before its ruleset has read it: plain facts, checked as far as all games agree.

A ruleset turns a `Setup` into its state (`Ruleset.setup`). It must not know files.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import fields, replace

from affray.reading import NOTHING, Report, read
from affray.space import Space

Apart = tuple[str, str, int | float | str]
"""Two ids and how far they are apart: a number in the unit of the ruleset, or the name of a band."""


class Ground(Struct, frozen=True):
    """Where the fight takes place. In `space`, areas of kind 'wall' block, 'cover' gives cover worth its value; other
    kinds are terrain. `apart`: plain distances as given (those that are whole numbers stand in `space` too)."""

    space: Space = Space()
    size: tuple[int, int] | None = None
    light: str = ""
    apart: tuple[Apart, ...] = ()


class Party(Struct, frozen=True):
    """A side of the fight. `policy`: the name of the policy that plays it; '': people do, or the default."""

    name: str
    colour: str = ""
    policy: str = ""


class Placed(Struct, frozen=True):
    """One combatant. `number` counts from 1 within `group` (0: stands alone); `sheet` and `state` are plain data."""

    id: str
    side: str
    at: tuple[float, ...]
    group: str
    number: int
    player: bool
    surprised: bool
    hidden: bool
    sheet: Mapping[str, Any]
    state: Mapping[str, Any]

    @property
    def cell(self) -> tuple[int, int]:
        """Where it stands on a grid of whole spaces."""
        return int(self.at[0]), int(self.at[1]) if len(self.at) > 1 else 0


class Setup(Struct, frozen=True):
    """A whole encounter. `rulings` is the typed struct of the ruleset. `start`: a stated position (round, whose turn, what
    is declared); empty: the fight begins at its beginning."""

    ruleset: str
    title: str
    seed: int
    rulings: Any
    ground: Ground
    sides: tuple[Party, ...]
    combatants: tuple[Placed, ...]
    start: Mapping[str, Any] = {}


def started(state: Any, start: Mapping[str, Any], report: Report) -> Any:
    """The state with a stated position: fields of the state by name (`round` is 1 unless stated), and fields of the one
    whose `turn` it is."""
    if not start:
        return state
    scene = {f.encode_name: f for f in fields(type(state)) if f.name not in ("fighters", "rulings", "space")}
    turn = start.get("turn", "")
    actor = next((fighter for fighter in state.fighters if fighter.id == turn), None)
    if turn and actor is None:
        report.at("turn").unknown("combatant", str(turn), [fighter.id for fighter in state.fighters])
        return state
    own = {f.encode_name: f for f in fields(type(state.fighters[0]))} if state.fighters else {}
    for_scene: dict[str, Any] = {"round": 1}
    for_actor: dict[str, Any] = {}
    for key, value in start.items():
        if key not in scene and (key not in own or key in ("id", "side", "sheet") or actor is None):
            report.at(key).unknown("field of a position", key, [*scene, *(own if actor else ())])
            continue
        got = read((scene if key in scene else own)[key].type, value, report.at(key))
        if got is not NOTHING:
            (for_scene if key in scene else for_actor)[key] = got
    fighters = state.fighters
    if actor is not None:
        fighters = tuple(replace(one, **for_actor) if one.id == turn else one for one in fighters)
    return replace(state, fighters=fighters, **for_scene)
