"""Stock gear and combatants are complete, consistent and findable."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from affray import compendium
from affray.dice import Code
from affray.errors import DataError

SOURCE = Path(__file__).parents[3] / "shared" / "data" / "d6-gear.toml"


def test_counts() -> None:
    assert len(compendium.entries("d6", "weapon")) == 118
    assert len(compendium.entries("d6", "armour")) == 32
    assert len(compendium.entries("rond6", "template")) >= 20


@pytest.mark.parametrize("kind", ["weapon", "armour", "template"])
def test_names_are_unique(kind: str) -> None:
    names = [name.lower() for name in compendium.names("d6", kind)]
    assert len(names) == len(set(names))


def test_find_any_case_and_fresh_copy() -> None:
    bow = compendium.find("rond6", "weapon", " Long Bow ")
    assert bow["ranges_spaces"] == [5, 50, 125]
    bow["ranges_spaces"].append(1)
    assert compendium.find("rond6", "weapon", "long bow")["ranges_spaces"] == [5, 50, 125]
    assert compendium.find("rd6", "armor", "plate mail")["pips"] == 9


def test_unknown_names_tell_the_nearest() -> None:
    with pytest.raises(DataError) as error:
        compendium.find("rond6", "weapon", "longbow")
    assert error.value.problems[0].nearest == "long bow"
    with pytest.raises(DataError, match="did you mean 'cepheus'"):
        compendium.find("cephus", "weapon", "x")
    with pytest.raises(DataError, match="kind of compendium entry"):
        compendium.find("d6", "spell", "x")
    with pytest.raises(DataError, match=r"\.38 revolver"):
        compendium.find("d6", "weapon", "revolver")


def _codes(table: dict[str, Any]) -> list[str]:
    return [*table.get("attributes", {}).values(), *table.get("skills", {}).values()]


@pytest.mark.parametrize("system", ["rond6", "rd6"])
def test_templates_use_known_gear_and_real_codes(system: str) -> None:
    for template in compendium.entries(system, "template"):
        assert len(template["attributes"]) == 6
        for code in _codes(template):
            assert Code.parse(code).value >= 3
        for kind, key in (("weapon", "weapons"), ("armour", "armor")):
            for item in template.get(key, []):
                name = item if isinstance(item, str) else item.get("like")
                if name:
                    compendium.find(system, kind, name)
    wanted = "Willpower" if system == "rd6" else "Will Power"
    assert wanted in compendium.find(system, "template", "guard")["attributes"]


def test_damage_can_be_read() -> None:
    for weapon in compendium.entries("d6", "weapon"):
        assert re.fullmatch(r"(STR\+)?(\d+D)?(\+?[0-2])?", weapon["damage"]), weapon["name"]


@pytest.mark.skipif(not SOURCE.is_file(), reason="the source tables are not here")
def test_every_fact_of_the_source_is_kept() -> None:
    source = tomllib.loads(SOURCE.read_text(encoding="utf-8"))
    for kind in ("weapon", "armour"):
        for entry in source[kind]:
            here = compendium.find("d6", kind, entry["name"])
            assert {**here, "note": ""} == {**entry, "note": ""}
            assert ("note" in here) == ("note" in entry)
