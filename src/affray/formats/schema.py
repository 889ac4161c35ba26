"""JSON Schema of encounter and case files: the part that all games share, and the sheet of each ruleset."""

from __future__ import annotations

from typing import Any

from affray import reading
from affray import ruleset as rulesets
from affray.errors import DataError
from affray.formats import models
from affray.ruleset import Ruleset

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def encounter_schema(ruleset: str | None = None) -> dict[str, Any]:
    """Schema of an encounter file. Raises DataError for an unknown ruleset."""
    found = models.Encounter.model_json_schema()
    return _with_combatants({"$schema": DIALECT, **found, "title": "Affray encounter"}, ruleset, ("combatant",))


def case_schema(ruleset: str | None = None) -> dict[str, Any]:
    """Schema of a case file. Raises DataError for an unknown ruleset."""
    found = models.CaseFile.model_json_schema()
    case = models.Case.model_json_schema()
    defs = {**found.get("$defs", {}), **case.pop("$defs", {}), "Case": case}
    found["properties"]["case"]["items"] = {"$ref": "#/$defs/Case"}
    found["required"] = ["case"]
    whole = {"$schema": DIALECT, **found, "title": "Affray cases", "$defs": defs}
    return _with_combatants(whole, ruleset, ("$defs", "Case", "combatant"))


def _with_combatants(whole: dict[str, Any], ruleset: str | None, where: tuple[str, ...]) -> dict[str, Any]:
    known = [rulesets.find(ruleset)] if ruleset else _known()
    combatant = models.Combatant.model_json_schema()
    defs = whole.setdefault("$defs", {})
    defs.update(combatant.pop("$defs", {}))
    sheets = []
    for one in known:
        if one.Form is None:
            continue
        sheet = reading.schema(one.Form)
        sheets.append(sheet)
        for name, part in sheet.pop("$defs", {}).items():
            defs[f"{one.name}.{name}"] = _renamed(part, one.name)
        sheets[-1] = _renamed(sheet, one.name)
    combatant.pop("additionalProperties", None)
    defs["Combatant"] = {"allOf": [combatant, *([{"anyOf": [_open(defs, one) for one in sheets]}] if sheets else [])]}
    here = whole
    for part in where[:-1]:
        here = here[part]
    here["properties"][where[-1]]["items"] = {"$ref": "#/$defs/Combatant"}
    whole["properties"].get("ruleset", {})["enum"] = [one.name for one in known]
    rulings = {one.name: _rulings(one) for one in known}
    if len(known) == 1:
        here["properties"]["rulings"] = rulings[known[0].name]
    return whole


def _known() -> list[Ruleset]:
    found = []
    for name in rulesets.NAMES:
        try:
            found.append(rulesets.find(name))
        except DataError:
            continue
    return found


def _renamed(part: Any, prefix: str) -> Any:
    """References to definitions of one ruleset, with its name before them."""
    if isinstance(part, dict):
        return {
            key: f"#/$defs/{prefix}.{value.removeprefix('#/$defs/')}" if key == "$ref" else _renamed(value, prefix)
            for key, value in part.items()
        }
    return [_renamed(one, prefix) for one in part] if isinstance(part, list) else part


def _open(defs: dict[str, Any], sheet: dict[str, Any]) -> dict[str, Any]:
    """A sheet's schema that lets the keys of the shared part stand beside its own."""
    reference = sheet.get("$ref", "")
    found = dict(defs.get(reference.removeprefix("#/$defs/"), sheet))
    found.pop("additionalProperties", None)
    return found


def _rulings(ruleset: Ruleset) -> dict[str, Any]:
    found = reading.schema(ruleset.Rulings)
    reference = found.get("$ref", "").removeprefix("#/$defs/")
    whole = dict(found.get("$defs", {}).get(reference, found))
    whole.pop("$defs", None)
    return whole
