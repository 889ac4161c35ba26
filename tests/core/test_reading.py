"""Plain data is read into structs with every problem at its place."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Struct

from affray.dice import Code
from affray.errors import LONGEST, AffrayError, BadAnswer, DataError, IllegalOrder, Problem, Refusal, nearest, shortened
from affray.reading import NOTHING, Report, read, schema

HUGE = "y" * 1_000_000


class Blade(Struct, frozen=True):
    name: str
    damage: Code
    kind: Literal["melee", "ranged"] = "melee"
    ranges: tuple[int, ...] = ()


class Person(Struct, frozen=True):
    attributes: dict[Literal["Strength", "Agility"], Code]
    skills: dict[str, Code] = {}
    weapons: tuple[Blade, ...] = ()
    move: Annotated[int, msgspec.Meta(ge=0, le=50)] = 5
    armor: Code | list[str] | None = None
    at: tuple[int, int] = (0, 0)


def _read(data: object) -> tuple[object, dict[str, str]]:
    told: dict[str, str] = {}

    def note(place: tuple[str | int, ...], text: str, allowed: tuple[str, ...], near: str) -> None:
        told[".".join(map(str, place))] = text + (f" ~{near}" if near else "") + (f" {allowed}" if allowed else "")

    return read(Person, data, Report(note)), told


def test_good_data() -> None:
    person, told = _read(
        {
            "attributes": {"Strength": "3D", "Agility": "2D+1"},
            "weapons": [{"name": "axe", "damage": "4D"}],
            "armor": "1D",
            "at": [1, 2],
        }
    )
    assert told == {}
    assert person == Person({"Strength": Code(3), "Agility": Code(2, 1)}, {}, (Blade("axe", Code(4)),), 5, Code(1), (1, 2))


def test_all_problems_at_once() -> None:
    person, told = _read(
        {
            "attributes": {"Strenght": "3D", "Agility": "3D+7"},
            "skills": {"Dodge": 4, "Fighting": "lots"},
            "weapons": [{"damage": "4D"}, {"name": "bow", "damage": "2D", "kind": "range"}, 3],
            "move": -1,
            "armor": [1],
            "at": [1],
            "moov": 3,
        }
    )
    assert person is NOTHING
    assert told["attributes.Strenght"].startswith("'Strenght' is not possible here ~Strength")
    assert "pips are 0, 1 or 2" in told["attributes.Agility"] and "5D+1" in told["attributes.Agility"]
    assert "text in quotes" in told["skills.Dodge"]
    assert "no die code" in told["skills.Fighting"]
    assert told["weapons.0"] == "needs name = ..."
    assert told["weapons.1.kind"] == "'range' is not possible here ~ranged ('melee', 'ranged')"
    assert "table" in told["weapons.2"]
    assert told["move"] == "-1: must be at least 0"
    assert "text in quotes is expected" in told["armor.0"]
    assert told["at"] == "has 1 entries; 2 are expected"
    assert told["moov"].startswith("there is no such key ~move")
    assert len(told) == 11


def test_whole_numbers_are_not_flags_nor_fractions() -> None:
    for wrong in (True, 1.5, "3"):
        _, told = _read({"attributes": {}, "move": wrong})
        assert "a whole number is expected" in told["move"]


def test_schema_has_codes_as_text() -> None:
    found = schema(Person)
    assert found["$defs"]["Code"]["type"] == "string"
    assert "Blade" in found["$defs"]


@pytest.mark.parametrize(
    "wrong",
    [IllegalOrder(Refusal("", HUGE, (HUGE,))), BadAnswer(HUGE), DataError([Problem(HUGE, HUGE, 3, HUGE)]), AffrayError(HUGE)],
    ids=lambda one: type(one).__name__,
)
def test_a_message_never_echoes_a_megabyte(wrong: AffrayError) -> None:
    assert 900 < len(str(wrong)) < 3 * LONGEST + 100
    assert len(shortened("short")) == 5 and len(shortened(HUGE)) <= LONGEST + 3


def test_the_nearest_name_to_a_megabyte_is_found_at_once() -> None:
    assert nearest(HUGE, ["thug", "guard"] * 50) == ""
