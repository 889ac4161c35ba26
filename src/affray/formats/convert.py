"""Moves an encounter file between the two D6 editions, keeping comments, and says what has no counterpart.

Only words and units are translated (Spaces to metres, names of keys and rulings); what they mean in a fight stays the
business of the rulesets. Whoever converts reads the list of what was left out, and decides.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomlkit

from affray.errors import DataError, Problem
from affray.formats.encounter import load_fight
from affray.formats.toml import load

METRES_PER_SPACE = 2
EDITIONS = ("rond6", "rd6")
MAX_DEPTH = 8

RULINGS: tuple[tuple[str, str, dict[Any, Any]], ...] = (
    ("wild_one", "dice.wild_one", {"complication": "flag", "remove_highest": "drop_highest"}),
    ("wound_also_stuns", "wound.also_stuns", {True: True, False: False}),
    (
        "mortal_clock",
        "mortal.death_test",
        {"minute": "minutes_instead_of_rounds", "round": "strength_total_below_rounds"},
    ),
)
"""Rulings of the two editions that ask the same: key, key, values."""
DEFAULTS = {
    "rd6": {"wild_one": "complication", "wound_also_stuns": True, "mortal_clock": "minute"},
    "rond6": {"dice.wild_one": "flag", "wound.also_stuns": False, "mortal.death_test": "strength_total_below_rounds"},
}
"""What a file of the other edition means by leaving these rulings out, by the edition that is converted to."""
SKILLS = {"rd6": (r"^(.+?) \((.+)\)$", r"\1: \2"), "rond6": (r"^(.+?): (.+)$", r"\1 (\2)")}
ATTRIBUTES = {"rd6": {"Will Power": "Willpower"}, "rond6": {"Willpower": "Will Power"}}
POLICIES = {"rond6": {"guarded": "cautious"}, "rd6": {}}
COVER = {"rd6": ((10, 75), (5, 50)), "rond6": ((100, 15), (75, 10), (50, 5))}
"""Worth of a covered area: a number added to the Difficulty in one edition, per cent hidden in the other."""
WEAPON_ONLY = {
    "rd6": ("stun", "stun_only", "area", "bonus", "rounds_auto", "thrown_by_strength", "ready"),
    "rond6": ("min_strength", "sharp", "single_load", "skill"),
}
SHEET_ONLY = {
    "rd6": ("shield", "talents", "initiative", "scale_dice", "object", "kit"),
    "rond6": ("boss", "body_safe", "strength_special", "cover"),
}
"""Keys that mean nothing in the edition that is converted to."""


STATE = ("wounds", "stunned", "initiative")
"""Fields of a stated condition that both editions know."""


@dataclass(slots=True)
class Converter:
    """One conversion. After `run`: the new text, and `notes` on everything that has no counterpart."""

    target: str
    folder: Path
    notes: list[str] = field(default_factory=list)

    def run(self, text: str) -> str:
        """The text of the converted file."""
        doc = tomlkit.parse(text)
        doc["ruleset"] = self.target
        self._rulings(doc)
        self._space(doc)
        for side in doc.get("side", []):
            self._policy(side, f"side {side.get('name', '?')!r}")
        for number, one in enumerate(doc.get("combatant", []), 1):
            self._combatant(one, f"{one.get('name', f'combatant {number}')}")
        return tomlkit.dumps(doc)

    def _note(self, where: str, told: str) -> None:
        self.notes.append(f"{where}: {told}" if where else told)

    # ---- the scene

    def _rulings(self, doc: Any) -> None:
        given = _flat(doc.get("rulings", {}))
        kept: dict[str, Any] = {}
        pairs = [(a, b, v) if self.target == "rd6" else (b, a, {y: x for x, y in v.items()}) for a, b, v in RULINGS]
        for theirs, ours, values in pairs:
            value = given.pop(theirs, DEFAULTS[self.target][theirs])
            if value in values:
                kept[ours] = values[value]
            else:
                self._note("rulings", f"{theirs} = {value!r} has no counterpart; the default is played")
        for key in given:
            self._note("rulings", f"{key} has no counterpart; left out")
        doc.pop("rulings", None)
        table = tomlkit.inline_table()
        for key, value in kept.items():
            table.append(key, value)
        doc["rulings"] = table

    def _space(self, doc: Any) -> None:
        for row in doc.get("distances", []):
            far = row.get("is")
            if isinstance(far, int | float) and not isinstance(far, bool):
                row["is"] = self._far(far)
            else:
                self._note("distances", f"{far!r} cannot be converted")
        for area in doc.get("space", {}).get("cover", []):
            value = area.get("value", 0)
            area["value"] = next((there for least, there in COVER[self.target] if value >= least), 0)
        if doc.get("space", {}).get("light"):
            if self.target == "rond6":
                self._note("space", f"light = {doc['space']['light']!r} takes dice in Rd6 only; give a modifier instead")
            else:
                self._note("space", f"light = {doc['space']['light']!r} now takes dice from attacks")
        if doc.get("space", {}).get("terrain") and self.target == "rd6":
            del doc["space"]["terrain"]
            self._note("space", "terrain is left out: in Rd6 the order of a test says what ground it crosses")

    def _far(self, value: float) -> float | int:
        """Spaces in metres, or metres in Spaces (nearest, at least 1)."""
        if self.target == "rd6":
            return value * METRES_PER_SPACE
        return max(1, int(value / METRES_PER_SPACE + 0.5))

    def _policy(self, table: Any, where: str) -> None:
        policy = table.get("policy")
        if policy in POLICIES[self.target]:
            table["policy"] = POLICIES[self.target][policy]
            self._note(where, f"policy {policy!r} is played as {table['policy']!r}")

    # ---- combatants

    def _combatant(self, one: Any, name: str) -> None:
        self._inlined(one, name)
        self._policy(one, name)
        for key in ("skills", "ranks"):
            _renamed(one, key, lambda skill: re.sub(*SKILLS[self.target], skill))
        _renamed(one, "attributes", lambda word: ATTRIBUTES[self.target].get(word, word))
        if isinstance(one.get("weapons"), list):
            for weapon in one["weapons"]:
                if isinstance(weapon, dict):
                    self._weapon(weapon, name)
        if isinstance(one.get("scale"), str):
            one["scale"] = one["scale"].lower() if self.target == "rd6" else one["scale"].title()
        (self._to_rd6 if self.target == "rd6" else self._to_rond6)(one, name)
        for key in SHEET_ONLY[self.target]:
            if key in one:
                self._note(name, f"{key} = {_short(one.pop(key))} has no counterpart; left out")
        for key in list(one.get("state", {})):
            if key not in STATE:
                self._note(name, f"state.{key} = {_short(one['state'].pop(key))} is not converted; left out")
        if one.get("surprised") and self.target == "rd6":
            self._note(name, "surprised has no effect of its own; the game master may grant a partial defence or none")

    def _inlined(self, one: Any, name: str, depth: int = 0) -> None:
        """A sheet file is written into the encounter, since it speaks the other edition."""
        path = one.pop("sheet", None)
        if path is None:
            return
        source = self.folder / str(path)
        try:
            data = tomllib.loads(source.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as wrong:
            raise DataError([Problem(f"the sheet cannot be read: {wrong}", str(source))]) from None
        if depth >= MAX_DEPTH:
            raise DataError([Problem(f"sheets build on each other more than {MAX_DEPTH} deep", str(source))])
        self._note(name, f"the sheet {path} stands in the file itself now")
        for key, value in data.items():
            if key not in one:
                one[key] = _inline(value) if isinstance(value, dict) else value
            elif isinstance(value, dict) and isinstance(one[key], dict):
                for inner, it in value.items():
                    one[key].setdefault(inner, it)
        self._inlined(one, name, depth + 1)

    def _weapon(self, weapon: Any, name: str) -> None:
        where = f"{name}, {weapon.get('name', weapon.get('like', 'weapon'))}"
        if self.target == "rd6":
            _moved(weapon, "ranges_spaces", "ranges")
            if "ranges" in weapon:
                weapon["ranges"] = [value * METRES_PER_SPACE for value in weapon["ranges"]]
            if weapon.pop("strength", False) and not str(weapon.get("damage", "")).upper().startswith(("STR", "+")):
                weapon["damage"] = f"+{weapon.get('damage')}"
            if "reach" in weapon or "reach_spaces" in weapon:
                weapon["length"] = float((weapon.pop("reach", 0) or weapon.pop("reach_spaces", 0)) * METRES_PER_SPACE + 1)
            if weapon.get("kind") == "thrown":
                weapon["kind"] = "ranged"
                weapon["skill"] = "Throwing"
            _moved(weapon, "ammo", "clip")
        else:
            _moved(weapon, "ranges_m", "ranges")
            if "ranges" in weapon:
                weapon["ranges"] = [max(1, (value + 1) // METRES_PER_SPACE) for value in weapon["ranges"]]
            length = weapon.pop("length", 0)
            if length > METRES_PER_SPACE:
                weapon["reach"] = 2
            if weapon.get("kind") == "ranged" and weapon.get("skill") == "Throwing":
                weapon["kind"] = "thrown"
                weapon.pop("skill")
            if weapon.pop("single_load", False):
                weapon["ready"] = 2
                self._note(where, "loading takes two actions now")
            _moved(weapon, "clip", "ammo")
        for key in WEAPON_ONLY[self.target]:
            if key in weapon:
                value = weapon.pop(key)
                if value and not (key == "skill" and value == "Throwing"):
                    self._note(where, f"{key} = {_short(value)} has no counterpart; left out")
                elif value:
                    weapon[key] = value

    def _to_rd6(self, one: Any, name: str) -> None:
        held = one.pop("held", None)
        if held:
            one["weapon"] = held[0]
            for other in held[1:]:
                self._note(name, f"only one weapon is in hand; {other!r} is carried")
        bonus = one.pop("resistance", 0)
        if bonus:
            one["reduction"] = -bonus if bonus < 0 else 0
            if bonus > 0:
                one.pop("reduction")
                self._strong(one, name, bonus)
        if isinstance(one.get("armor"), int):
            dice = round(one["armor"] / 4)
            self._note(name, f"armour of {one['armor']} points is {dice}D now")
            one["armor"] = f"{dice}D"

    def _strong(self, one: Any, name: str, bonus: int) -> None:
        strength = re.match(r"\s*(\d+)", str(one.get("attributes", {}).get("Strength", "")))
        if strength:
            one["toughness"] = 4 * int(strength[1]) + bonus
        else:
            self._note(name, f"resistance = {bonus} has no counterpart without a Strength; left out")

    def _to_rond6(self, one: Any, name: str) -> None:
        if isinstance(one.get("armor"), str) and one["armor"].startswith("+"):
            one["armor"] = [_inline({"value": str(one["armor"])})]
        if "weapon" in one:
            one["held"] = [one.pop("weapon")]
        tough = one.pop("toughness", None)
        strength = re.match(r"\s*(\d+)", str(one.get("attributes", {}).get("Strength", "2D")))
        resistance = 0 if tough is None or strength is None else tough - 4 * int(strength[1])
        resistance -= one.pop("reduction", 0)
        if resistance:
            one["resistance"] = resistance
        for skill, ranks in dict(one.pop("ranks", {})).items():
            self._note(name, f"{ranks} ranks of {skill} count nothing by themselves; write the code of the skill")


def _flat(given: Any, before: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in given.items():
        if isinstance(value, dict):
            found |= _flat(value, f"{before}{key}.")
        else:
            found[f"{before}{key}"] = value.unwrap() if hasattr(value, "unwrap") else value
    return found


def _renamed(table: Any, key: str, rename: Callable[[str], str]) -> None:
    """The inner keys of `table[key]` by another name, in their order."""
    inner = table.get(key)
    if not isinstance(inner, dict) or all(rename(name) == name for name in inner):
        return
    table[key] = _inline({rename(name): value for name, value in inner.items()})


def _inline(value: dict[str, Any]) -> Any:
    table = tomlkit.inline_table()
    for key, inner in value.items():
        table.append(key, inner)
    return table


def _moved(table: Any, old: str, new: str) -> None:
    if old in table:
        table[new] = table.pop(old)


def _short(value: Any) -> str:
    told = str(value.unwrap() if hasattr(value, "unwrap") else value)
    return told if len(told) <= 60 else told[:57] + "..."


def convert(path: str | Path, target: str) -> tuple[str, tuple[str, ...]]:
    """The text of the file in the other edition, and what has no counterpart. Raises DataError for what cannot be."""
    source = load(path)
    ruleset = source.data.get("ruleset")
    if not source.data:
        load_fight(path)  # says what an empty file needs
    if ruleset not in EDITIONS:
        told = f"the ruleset {ruleset!r} has no sister edition"
        if "case" in source.data:
            told = "a file of cases cannot be converted"
        raise DataError([Problem(told, source.file, source.line(("ruleset",)), "ruleset", EDITIONS)])
    if ruleset == target:
        raise DataError([Problem(f"this is a file of {target} already", source.file, source.line(("ruleset",)), "ruleset")])
    load_fight(path)  # what is wrong here would be wrong there, or could not be read at all
    converter = Converter(target, Path(path).parent)
    return converter.run(Path(path).read_text(encoding="utf-8-sig")), tuple(converter.notes)


def lines(notes: tuple[str, ...]) -> Iterator[str]:
    """The notes, one a line."""
    yield from notes or ("everything has a counterpart",)
