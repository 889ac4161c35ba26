"""The shape of encounter and case files, as far as it is the same in every ruleset.

Pydantic lives here and in `problems` only: it reports everything that is wrong at once. What a sheet, an order or a
state may say is the business of the ruleset; the models let these keys through and `encounter` and `case` pass them on.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

MAX_COMBATANTS = 500
"""Combatants in one fight, with every `count` spelled out."""
MAX_WALLS = 2000
MAX_WALLED = 50_000
"""Spaces that are walled up, added over all walls."""
MAX_STEPS = 1000
FARTHEST = 10_000
"""Coordinates lie between minus this and this."""

Name = Annotated[str, Field(min_length=1, max_length=60)]
Text = Annotated[str, Field(max_length=10_000)]


def _position(value: Any) -> Any:
    """A position is [x, y] in spaces, or a plain number where a system has one coordinate."""
    if isinstance(value, bool) or not isinstance(value, int | float | list | tuple):
        raise ValueError("a position is [x, y]")
    if isinstance(value, int | float):
        value = [value]
    if not 1 <= len(value) <= 2:
        raise ValueError("a position is [x, y]")
    for part in value:
        if isinstance(part, bool) or not isinstance(part, int | float) or not abs(part) <= FARTHEST:
            raise ValueError(f"a position is [x, y], each a number from -{FARTHEST} to {FARTHEST}")
    return tuple(value)


def _places(value: Any) -> Any:
    """One position, or (with `count`) a list of positions: always a list of positions."""
    if isinstance(value, list) and value and isinstance(value[0], list):
        return tuple(_position(one) for one in value)
    return (_position(value),)


Position = Annotated[tuple[float, ...], BeforeValidator(_position, json_schema_input_type=list[float] | float)]
Places = Annotated[
    tuple[tuple[float, ...], ...],
    BeforeValidator(_places, json_schema_input_type=list[float] | float | list[list[float]]),
]


class Strict(BaseModel):
    """Keys that are not listed are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, str_strip_whitespace=True)


def _box(value: Any) -> Any:
    if not isinstance(value, list) or len(value) != 4 or not all(type(part) is int for part in value):
        raise ValueError("four whole numbers [x1, y1, x2, y2] are expected")
    if any(abs(part) > FARTHEST for part in value):
        raise ValueError(f"four whole numbers from -{FARTHEST} to {FARTHEST} are expected")
    return tuple(value)


def _size(value: Any) -> Any:
    """How wide and high the map is drawn."""
    if not isinstance(value, list) or len(value) != 2 or not all(type(part) is int and 1 <= part <= FARTHEST for part in value):
        raise ValueError(f"two whole numbers [width, height] from 1 to {FARTHEST} are expected")
    return tuple(value)


def _walls(value: list[tuple[int, int, int, int]]) -> list[tuple[int, int, int, int]]:
    spaces = sum((abs(x2 - x1) + 1) * (abs(y2 - y1) + 1) for x1, y1, x2, y2 in value)
    if spaces > MAX_WALLED:
        raise ValueError(f"{spaces} spaces are walled up; at most {MAX_WALLED} can be")
    return value


Box = Annotated[tuple[int, int, int, int], BeforeValidator(_box, json_schema_input_type=list[int])]


class Cover(Strict):
    """Whoever stands in this area (corners included) has cover; what `value` means is up to the ruleset."""

    area: Box
    value: Annotated[int, Field(ge=-1000, le=1000)]
    name: Text = ""


class Terrain(Strict):
    """Spaces of another kind; the kinds are those of the ruleset."""

    area: Box
    kind: Name
    name: Text = ""


class Space(Strict):
    """Where the fight takes place."""

    kind: Literal["grid", "distances"] = "grid"
    size: Annotated[tuple[int, int], BeforeValidator(_size, json_schema_input_type=list[int])] | None = None
    walls: Annotated[list[Box], Field(max_length=MAX_WALLS), AfterValidator(_walls)] = []
    cover: list[Cover] = []
    terrain: list[Terrain] = []
    light: Text = ""
    notes: Text = ""


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not abs(value) <= 1e9:
        raise ValueError("a number or the name of a band is expected")
    return value


class Distance(Strict):
    """How far two combatants (or two groups or sides) are apart: a number in the unit of the ruleset, or a band."""

    between: Annotated[list[Name], Field(min_length=2, max_length=2)]
    is_: Annotated[int | float | str, Field(alias="is"), BeforeValidator(_finite)]


class Side(Strict):
    """One party of the fight."""

    name: Name
    colour: Text = ""
    policy: Text = ""
    notes: Text = ""


class Combatant(BaseModel):
    """One combatant, or `count` alike. Keys that are not listed belong to the sheet and are checked by the ruleset."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True, str_strip_whitespace=True)

    name: Name | None = None
    side: Name | None = None
    at: Places | None = None
    count: Annotated[int, Field(ge=1, le=MAX_COMBATANTS)] = 1
    use: Name | None = None
    sheet: Name | None = None
    template: Name | None = None
    group: Text = ""
    player: bool = False
    surprised: bool = False
    hidden: bool = False
    policy: Text = ""
    state: dict[str, Any] = {}
    notes: Text = ""


class Encounter(Strict):
    """A whole encounter file, without its combatants (they are checked one by one)."""

    ruleset: Name
    title: Text = ""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    notes: Text = ""
    rulings: dict[str, Any] = {}
    space: Space = Space()
    distances: list[Distance] = []
    side: list[Side] = []
    combatant: list[dict[str, Any]] = []


class Answer(Strict):
    """An answer given beforehand: by whom, to which question, what."""

    of: Name
    why: Name
    is_: Annotated[Any, Field(alias="is")]


class Step(BaseModel):
    """One step of a case. Keys that are not listed here are fields of the order."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)

    do: Name
    by: Name = ""
    dice: list[str | list[int]] = []
    answers: list[Answer] = []
    defaults: bool | None = None
    expect: dict[str, Any] = {}
    exact: bool = False
    refused: Name | None = None
    note: Text = ""


class Branch(Strict):
    """Another way to go on: from before the first step, or after some of them; perhaps under other rulings."""

    name: Text = ""
    after: Annotated[int, Field(ge=0)] = 0
    rulings: dict[str, Any] = {}
    start: dict[str, Any] | None = None
    defaults: bool | None = None
    step: Annotated[list[Step], Field(min_length=1, max_length=MAX_STEPS)]


class Case(Strict):
    """One case: a position, what is done, what must come out."""

    id: Name
    title: Text = ""
    ruleset: Name
    rules: list[Name] = []
    rulings: dict[str, Any] = {}
    encounter: Name | None = None
    seed: int = 0
    space: Space | None = None
    distances: list[Distance] = []
    side: list[Side] = []
    combatant: list[dict[str, Any]] = []
    start: dict[str, Any] = {}
    defaults: bool = False
    notes: Text = ""
    step: Annotated[list[Step], Field(max_length=MAX_STEPS)] = []
    branch: list[Branch] = []


class CaseFile(Strict):
    """A file of cases."""

    cast: str | list[str] = []
    case: list[dict[str, Any]] = []


class CastFile(Strict):
    """A file of characters to `use` by name."""

    ruleset: Name = ""
    notes: Text = ""
    combatant: list[dict[str, Any]] = []
