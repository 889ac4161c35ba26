"""The Cepheus rule index is complete and well formed."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3] / "src" / "affray"


def test_all_rules_are_listed_once() -> None:
    rules = tomllib.loads((ROOT / "rulesets" / "cepheus" / "rules.toml").read_text())["rule"]
    ids = [rule["id"] for rule in rules]
    assert len(ids) == len(set(ids)) == 226
    assert all(rule["text"] and rule["title"] for rule in rules)
    assert {rule["id"] for rule in rules if rule["status"] == "not-modelled"} == {f"CEP-VEH-{n}" for n in range(1, 18)}


def test_gear_names_are_unique() -> None:
    gear = tomllib.loads((ROOT / "compendium" / "cepheus.toml").read_text())
    for kind in ("weapon", "armour", "gear", "template"):
        names = [entry["name"] for entry in gear[kind]]
        assert len(names) == len(set(names))
