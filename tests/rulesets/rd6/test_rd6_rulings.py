"""Rd6: the rulings are those of the contract, and a case shows what each of them changes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from affray import rules
from affray.errors import DataError
from affray.formats.encounter import flattened
from affray.formats.toml import load
from affray.ruleset import find
from affray.rulesets.rd6.rulings import Rulings

ROOT = Path(__file__).resolve().parents[3]
KEYS = [field.encode_name for field in msgspec.structs.fields(Rulings)]


def shown_values() -> set[tuple[str, Any]]:
    """Every (key, value) under which some case or branch is played."""
    found = set()
    for file in sorted((ROOT / "tests" / "examples" / "rd6").glob("*.toml")):
        for case in load(file).data.get("case", []):
            for one in (case, *case.get("branch", [])):
                found |= {(key, value) for key, value in flattened(one.get("rulings", {}))[0].items()}
    return found


@pytest.mark.parametrize("key", KEYS)
def test_every_alternative_of_a_ruling_is_played(key: str) -> None:
    field = next(f for f in msgspec.structs.fields(Rulings) if f.encode_name == key)
    wanted = set(_alternatives(field.type)) - {field.default}
    assert wanted
    assert {(key, value) for value in wanted} <= shown_values()


def _alternatives(kind: Any) -> list[Any]:
    info = msgspec.inspect.type_info(kind)
    inner = info.type if isinstance(info, msgspec.inspect.Metadata) else info
    return list(inner.values) if isinstance(inner, msgspec.inspect.LiteralType) else [True, False]


def test_rulings_belong_to_rules_that_exist() -> None:
    index = rules.index("affray.rulesets.rd6")
    for field in msgspec.structs.fields(Rulings):
        meta = msgspec.inspect.type_info(field.type)
        assert isinstance(meta, msgspec.inspect.Metadata)
        assert meta.extra is not None
        assert meta.extra["rule"] in index
        assert field.encode_name in index[meta.extra["rule"]].note


def test_a_misspelt_ruling_is_refused_with_the_nearest() -> None:
    with pytest.raises(DataError, match=r"success\.count"):
        find("rd6").rulings({"succes.count": "above_six"})
    with pytest.raises(DataError, match="above_six"):
        find("rd6").rulings({"success.count": "above_sex"})


def test_the_list_is_the_contract() -> None:
    contract = ROOT.parent / "shared" / "rules" / "README.md"
    if not contract.is_file():
        pytest.skip("the inventories are not beside the project")
    listed = re.search(r"- Rd6: (.*?)\n- ", contract.read_text(encoding="utf-8"), re.S)
    assert listed
    assert sorted(re.findall(r"`([^`]+)`", listed[1])) == sorted(KEYS)
