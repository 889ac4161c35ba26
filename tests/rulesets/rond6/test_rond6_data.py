"""The rule index, the rulings and the printed tables of RonD6 are complete and agree with each other."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from affray import rulesets
from affray.ruleset import ruling_values
from affray.rulesets.rond6.rulings import LADDERS, Rulings

HERE = Path(rulesets.__path__[0]) / "rond6"
INVENTORY = Path(__file__).parents[4] / "shared" / "rules"
COUNTS = {
    "DICE": 12, "TIME": 9, "ACT": 16, "MOVE": 15, "ATK": 12, "DEF": 11, "INT": 13, "RP": 16,
    "DMG": 17, "CON": 9, "SPC": 23, "AREA": 10, "HEAL": 13,
}  # fmt: skip


def load(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


IDS = [rule["id"] for rule in load("rules.toml")["rule"]]


def test_every_rule_has_its_entry() -> None:
    assert [f"RON-{part}-{n}" for part, count in COUNTS.items() for n in range(1, count + 1)] == IDS
    assert len(IDS) == 176


def test_entries_say_something() -> None:
    for rule in load("rules.toml")["rule"]:
        assert rule["text"].endswith("."), rule["id"]
        assert len(rule["text"]) > 30, rule["id"]
        assert rule["status"] in ("done", "referee", "open", "not-modelled")


def test_rows_of_tables_cite_rules_that_exist() -> None:
    for name, rows in load("tables.toml").items():
        for row in rows:
            assert row["rule"] in IDS, (name, row)


def test_every_ruling_cites_its_rule_and_explains_each_value() -> None:
    info = {field.name: field for field in msgspec.structs.fields(Rulings)}
    assert len(info) == 38
    for name, field in info.items():
        meta = msgspec.inspect.type_info(field.type)
        assert isinstance(meta, msgspec.inspect.Metadata), name
        assert meta.extra is not None
        assert meta.extra["rule"] in IDS
        values = ruling_values(field.type)
        default = field.default
        told = str(list(default)) if isinstance(default, tuple) else str(default)
        told = told.lower() if isinstance(default, bool) else told
        assert told in values, name
        assert all(values.values()), name


def test_difficulty_ladder_is_one_of_two() -> None:
    assert msgspec.convert({"difficulty_ladder": [1, 6, 11, 16, 21]}, Rulings).difficulty_ladder == LADDERS[1]
    with pytest.raises(msgspec.ValidationError, match="difficulty_ladder must be one of"):
        msgspec.convert({"difficulty_ladder": [2, 4, 6, 8, 10]}, Rulings)


@pytest.mark.skipif(not INVENTORY.exists(), reason="the inventory of the rules is not beside the project")
def test_rulings_are_those_of_the_inventory() -> None:
    text = (INVENTORY / "README.md").read_text(encoding="utf-8")
    listed = re.findall(r"`(\w+)`", text[text.index("- RonD6:") : text.index("- Rd6:")])
    assert sorted(listed) == sorted(Rulings.__struct_fields__)
    rows = re.findall(r"^\| `(\w+)` \| `(.*?)` \| (.*?) \|", (INVENTORY / "rond6.md").read_text(encoding="utf-8"), re.M)
    for key, default, _ in rows:
        if key in listed:
            assert json.loads(default) == json.loads(json.dumps(getattr(Rulings(), key))), key
