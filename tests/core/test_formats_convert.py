"""Encounters move between the two D6 editions: what is translated, what is told, and that the result can be played."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from affray.errors import DataError
from affray.formats.convert import convert
from affray.formats.draft import Draft
from affray.formats.encounter import load_fight

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = sorted((ROOT / "examples").glob("rond6-*.toml")) + sorted((ROOT / "examples").glob("rd6-*.toml"))

NEW = """# a comment that stays
ruleset = "rond6"
distances = [{ between = ["Ann", "Ben"], is = 4 }]
rulings = { wild_one = "remove_highest", tie_last = "roll_off" }

[[side]]
name = "a"
[[side]]
name = "b"

[[combatant]]
name = "Ann"  # and this one
side = "a"
attributes = { Strength = "3D", "Will Power" = "2D" }
skills = { "Athletics (Lift)" = "5D", Dodge = "4D" }
weapons = [{ name = "bow", kind = "ranged", damage = "4D", ranges = [5, 10, 20], ammo = 6, bonus = 1 }]
held = ["bow"]
resistance = 2
scale = "Small"
talents = { Quickness = 1 }
state = { wounds = 1, moved = 2 }

[[combatant]]
name = "Ben"
side = "b"
weapons = [{ name = "spear", kind = "melee", damage = "2D", strength = true, reach = 2 }]
"""


def converted(tmp_path: Path, text: str, target: str) -> tuple[dict[str, Any], str, str]:
    file = tmp_path / "fight.toml"
    file.write_text(text, encoding="utf-8")
    told, notes = convert(file, target)
    return tomllib.loads(told), told, "\n".join(notes)


def test_to_the_elder_edition(tmp_path: Path) -> None:
    data, text, notes = converted(tmp_path, NEW, "rd6")
    ann, ben = data["combatant"]
    assert "# a comment that stays" in text
    assert "# and this one" in text
    assert data["ruleset"] == "rd6"
    assert data["distances"][0]["is"] == 8
    assert data["rulings"] == {
        "dice.wild_one": "drop_highest",
        "wound.also_stuns": True,
        "mortal.death_test": "minutes_instead_of_rounds",
    }
    assert ann["attributes"] == {"Strength": "3D", "Willpower": "2D"}
    assert ann["skills"] == {"Athletics: Lift": "5D", "Dodge": "4D"}
    assert ann["weapons"][0] == {"name": "bow", "kind": "ranged", "damage": "4D", "ranges": [10, 20, 40], "clip": 6}
    assert (ann["weapon"], ann["toughness"], ann["scale"], ann["state"]) == ("bow", 14, "small", {"wounds": 1})
    assert ben["weapons"][0] == {"name": "spear", "kind": "melee", "damage": "+2D", "length": 5.0}
    for told in ("tie_last", "Ann, bow: bonus = 1", "Ann: talents", "Ann: state.moved"):
        assert told in notes


def test_there_and_back(tmp_path: Path) -> None:
    _, text, _ = converted(tmp_path, NEW, "rd6")
    data, _, notes = converted(tmp_path, text, "rond6")
    ann = data["combatant"][0]
    assert data["rulings"] == {"wild_one": "remove_highest", "wound_also_stuns": True, "mortal_clock": "minute"}
    assert data["distances"][0]["is"] == 4
    assert ann["skills"] == {"Athletics (Lift)": "5D", "Dodge": "4D"}
    assert ann["weapons"][0]["ranges"] == [5, 10, 20]
    assert ann["held"] == ["bow"]
    assert ann["resistance"] == 2
    assert notes == ""


@pytest.mark.parametrize("file", SAMPLES, ids=lambda path: path.stem)
def test_samples_can_be_played_in_the_other_edition(file: Path, tmp_path: Path) -> None:
    target = "rd6" if file.stem.startswith("rond6") else "rond6"
    text, _ = convert(file, target)
    other = tmp_path / file.name
    other.write_text(text, encoding="utf-8")
    before, after = load_fight(file), load_fight(other)
    assert after.ruleset.name == target
    assert [f.id for f in after.state.fighters] == [f.id for f in before.state.fighters]


def test_what_cannot_be_converted(tmp_path: Path) -> None:
    file = tmp_path / "fight.toml"
    file.write_text(NEW, encoding="utf-8")
    with pytest.raises(DataError, match="already"):
        convert(file, "rond6")
    file.write_text(NEW.replace('"rond6"', '"cepheus"'), encoding="utf-8")
    with pytest.raises(DataError, match="no sister edition"):
        convert(file, "rd6")
    with pytest.raises(DataError, match="cases"):
        convert(ROOT / "tests" / "examples" / "rd6" / "dice.toml", "rond6")


def test_the_command(tmp_path: Path) -> None:
    source = tmp_path / "fight.toml"
    source.write_text(NEW, encoding="utf-8")
    out = tmp_path / "other.toml"
    call = [sys.executable, "-m", "affray", "convert", str(source), "--to", "rd6", "-o", str(out)]
    env = {"PYTHONPATH": str(ROOT / "src"), "PATH": ""}
    first = subprocess.run(call, capture_output=True, text=True, env=env)
    assert first.returncode == 0
    assert "Ann: talents" in first.stderr
    assert load_fight(out).ruleset.name == "rd6"
    assert subprocess.run(call, capture_output=True, text=True, env=env).returncode == 2
    assert subprocess.run([*call, "--force"], capture_output=True, text=True, env=env).returncode == 0


WRONG = ("space = 5", 'rulings = "x"', "distances = true", "combatant = [1]", "[[side]]\nname = 5", "[[case]]\nid = 5")


@pytest.mark.parametrize("wrong", WRONG)
def test_what_check_refuses_is_told_and_not_converted(tmp_path: Path, wrong: str) -> None:
    """Nothing of what a file may hold ends in a traceback, or in a file that cannot be read either."""
    file = tmp_path / "fight.toml"
    file.write_text(f'ruleset = "rond6"\n{wrong}\n', encoding="utf-8")
    with pytest.raises(DataError):
        convert(file, "rd6")


def test_a_byte_order_mark_is_no_part_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "fight.toml"
    file.write_text("\ufeff" + NEW, encoding="utf-8")
    assert "# a comment that stays" in convert(file, "rd6")[0]
    assert Draft("\ufeff" + NEW).system == "rond6"
