"""Cepheus: what files may say, and how bad ones are answered."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray import referee
from affray.encounter import Encounter
from affray.errors import AffrayError, BadAnswer, DataError
from affray.formats.encounter import load_fight
from affray.rulesets.cepheus import RULESET
from affray.rulesets.cepheus.sheet import parse_upp

GUN = 'kind = "ranged", rows = ["rifle"], skills = ["Slug Rifle"]'


@pytest.mark.rules("CEP-CHK-15")
@pytest.mark.parametrize("text", ["", "7", "I87A95", "O87A95", "78 A95", "787A95123", "7²7777", "٣٣٣٣٣٣"])
def test_no_profile(text: str) -> None:
    with pytest.raises(BadAnswer, match="is no profile"):
        parse_upp(text)


@pytest.mark.rules("CEP-CHK-15")
def test_profiles() -> None:
    assert parse_upp("787A95") == parse_upp("787a95-2") == (7, 8, 7, 10, 9, 5)
    assert parse_upp("HJNPZ0") == (17, 18, 22, 23, 33, 0)


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('upp = ""', "is no profile"),
        ('upp = "787A95"\nskills = { "Slug Rifle" = -1 }', "must be from 0 to 99"),
        ('upp = "787A95"\nskills = { "Slug Rifle" = 1000000000000 }', "must be from 0 to 99"),
        ("load = -1", "must be from 0"),
        ("load = nan", "no number to count with"),
        ("state = { moved = nan }", "no number to count with"),
        (f'weapons = [{{ name = "x", {GUN}, damage = "foo" }}]', "'foo' is no damage"),
        (f'weapons = [{{ name = "x", {GUN}, damage = "3D6+1" }}]', "is no damage"),
        (f'weapons = [{{ name = "x", {GUN}, damage = "99999999D6" }}]', "is no damage"),
        (f'weapons = [{{ name = "x", {GUN}, rings = [{{ within = 3, damage = "much" }}] }}]', "'much' is no damage"),
        (f'weapons = [{{ name = "x", {GUN}, modes = [] }}]', "needs at least one"),
        (f'weapons = [{{ name = "x", {GUN}, modes = [{{ name = "burst", rounds = 0 }}] }}]', "must be from 1"),
        (f'weapons = [{{ name = "x", {GUN}, magazine = -5 }}]', "must be from 0"),
        ('weapons = [{ name = "x", kind = "ranged", rows = [] }]', "needs at least one"),
        ('armor = [{ name = "x", rating = -5 }]', "must be from 0"),
    ],
)
def test_bad_sheets_are_refused_with_what_is_wrong(tmp_path: Path, more: str, told: str) -> None:
    file = tmp_path / "fight.toml"
    file.write_text(
        f'ruleset = "cepheus"\n[[combatant]]\nname = "Ann"\nside = "a"\n{more}\n'
        '[[combatant]]\nname = "Ben"\nside = "b"\nupp = "777777"\n',
        encoding="utf-8",
    )
    with pytest.raises(DataError, match=told):
        load_fight(file)


def test_the_game_master_sets_no_number_that_is_none(tmp_path: Path) -> None:
    file = tmp_path / "fight.toml"
    people = "".join(f'[[combatant]]\nname = "{name}"\nside = "{name}"\n' for name in "ab")
    file.write_text('ruleset = "cepheus"\n' + people, encoding="utf-8")
    fight = Encounter(RULESET, load_fight(file).state)
    with pytest.raises(AffrayError, match="no number to count with"):
        fight.order(referee.Set(by="master", who="a", fields={"moved": float("nan")}))


@pytest.mark.rules("CEP-DMG-4")
@pytest.mark.parametrize("status", ["up", "unconscious"])
def test_nobody_lives_with_all_three_characteristics_at_nothing(tmp_path: Path, status: str) -> None:
    """Whose strength, dexterity and endurance are all gone is dead; a correction that says otherwise is refused."""
    file = tmp_path / "fight.toml"
    people = "".join(f'[[combatant]]\nname = "{name}"\nside = "{name}"\n' for name in "ab")
    file.write_text('ruleset = "cepheus"\n' + people, encoding="utf-8")
    fight = Encounter(RULESET, load_fight(file).state)
    nothing = {"strength": 0, "dexterity": 0, "endurance": 0}
    with pytest.raises(AffrayError, match="alive with all three characteristics at 0"):
        fight.order(referee.Set(by="master", who="a", fields={**nothing, "status": status}))
    fight.order(referee.Set(by="master", who="a", fields={**nothing, "status": "dead"}))
    assert fight.state.fighters[0].status == "dead"
