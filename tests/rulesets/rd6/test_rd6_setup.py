"""Rd6: what files may say, and how bad ones are answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray import referee
from affray.dice import Code
from affray.encounter import Encounter
from affray.errors import AffrayError, BadAnswer, DataError
from affray.formats.encounter import load_fight
from affray.rulesets.rd6 import RULESET
from affray.rulesets.rd6.numbers import weapon_damage
from affray.rulesets.rd6.setup import damage_code, specialised
from affray.rulesets.rd6.sheet import Fighter

HEAD = 'ruleset = "rd6"\n'


def fight(tmp_path: Path, text: str) -> tuple[Fighter, ...]:
    file = tmp_path / "fight.toml"
    file.write_text(HEAD + text, encoding="utf-8")
    return load_fight(file).state.fighters  # type: ignore[no-any-return]


def someone(more: str = "", name: str = "Ann", side: str = "a") -> str:
    return f'[[combatant]]\nname = "{name}"\nside = "{side}"\n{more}\n'


def test_damage_in_all_spellings() -> None:
    assert damage_code("4D") == (Code(4), False)
    assert damage_code("+2D+1") == (Code(2, 1), True)
    assert damage_code("STR+1D+2") == (Code(1, 2), True)
    assert damage_code("STR+2") == (Code(0, 2), True)
    with pytest.raises(BadAnswer):
        damage_code("3D+7")
    assert specialised("Athletics (Lift)") == specialised("Athletics: Lift") == "Athletics: Lift"


def test_a_template_and_gear_by_name(tmp_path: Path) -> None:
    orc, archer = fight(tmp_path, someone('template = "orc"') + someone('template = "archer"', "Wren", "b"))
    assert orc.weapon == "large axe"
    assert str(weapon_damage(orc.sheet, orc.sheet.weapons[0])) == "5D"
    assert orc.sheet.armour == Code(0, 2)
    assert archer.sheet.weapons[0].kind == "ranged"
    assert archer.sheet.weapons[0].ranges == (10, 100, 250)


@pytest.mark.rules("RD6-DICE-11", "RD6-RND-12")
def test_heroes_begin_with_points_and_everybody_with_a_move(tmp_path: Path) -> None:
    strong = 'attributes = { Strength = "3D" }'
    ann, ben, cid = fight(tmp_path, someone("player = true") + someone(strong, "Ben", "b") + someone("move = 8", "Cid", "b"))
    assert (ann.character_points, ann.fate_points) == (6, 1)
    assert (ben.character_points, ben.fate_points) == (0, 0)
    assert [f.sheet.move for f in (ann, ben, cid)] == [5, 6, 8]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('skills = { Doge = "4D" }', "did you mean 'Dodge'"),
        ('attributes = { Agilty = "3D" }', "Agility"),
        ('skills = { Dodge = "3D+7" }', "3D\\+7"),
        ('weapons = [{ name = "stick", kind = "melee" }]', "needs damage"),
        ('weapons = [{ name = "gun", kind = "ranged", damage = "4D" }]', "ranges in metres"),
        ('weapons = [{ name = "gun", kind = "ranged", damage = "4D", ranges = [1, 2, 3], clip = -4 }]', "at least 0"),
        ('weapons = [{ name = "gun", kind = "laser", damage = "4D" }]', "kind of weapon"),
        ('weapons = [{ name = "gun", kind = "ranged", damage = "4D", ranges = [1, 2, 3], modes = ["fast"] }]', "way of firing"),
        ('weapon = "spoon"', "unknown weapon"),
        ('scale = "hugee"', "huge"),
        ("toughnes = 12", "toughness"),
        ('cover = { name = "wall", toughness = "hard" }', "hard"),
        ("points = { character = -1 }", "at least 0"),
        ("move = -1", "at least 0"),
        ('weapons = [{ name = "maul", kind = "melee", damage = "99999D" }]', "weapons.*at most 500 dice"),
        ('armor = [{ name = "shell", value = "99999D" }]', "armor.*at most 500 dice"),
        ('cover = { name = "wall", toughness = "99999D" }', "toughness.*at most 500 dice"),
    ],
)
def test_bad_sheets_are_refused_with_what_is_wrong(tmp_path: Path, more: str, told: str) -> None:
    with pytest.raises(DataError, match=told):
        fight(tmp_path, someone(more) + someone("", "Ben", "b"))


def test_all_problems_at_once(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        light = '[space]\nlight = "purple"\n'
        fight(tmp_path, light + someone('skills = { Doge = "4D" }') + someone('scale = "big"', "Ben", "b"))
    assert len(caught.value.problems) == 3


def test_light_and_smoke(tmp_path: Path) -> None:
    file = tmp_path / "fight.toml"
    light = '[space]\nlight = "moonlit, thick smoke"\n'
    file.write_text(HEAD + light + someone() + someone("", "Ben", "b"), encoding="utf-8")
    state = load_fight(file).state
    assert (state.light, state.smoke) == ("moonlit", "thick")


@pytest.mark.parametrize("fields", [{"light": "purple"}, {"smoke": "some"}, {"light": ""}])
def test_nobody_can_set_a_light_that_is_not_in_the_table(tmp_path: Path, fields: dict[str, str]) -> None:
    file = tmp_path / "fight.toml"
    file.write_text(HEAD + someone() + someone("", "Ben", "b"), encoding="utf-8")
    fight_on = Encounter(RULESET, load_fight(file).state)
    with pytest.raises(AffrayError):
        fight_on.order(referee.Set(by="master", fields=fields))
