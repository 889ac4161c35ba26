"""Encounter files: what they may say, and every way of getting them wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.errors import DataError
from affray.formats.encounter import Fight, load_fight

HEAD = 'ruleset = "rond6"\n'
PAIR = """
[[combatant]]
name = "Ash"
side = "a"
attributes = { Agility = "3D" }
[[combatant]]
name = "Thug"
side = "b"
template = "thug"
"""


def _fight(tmp_path: Path, text: str) -> Fight:
    path = tmp_path / "fight.toml"
    path.write_text(text, encoding="utf-8")
    return load_fight(path)


def _told(tmp_path: Path, text: str) -> list[str]:
    path = tmp_path / "fight.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as error:
        load_fight(path)
    return [str(problem).removeprefix(f"{path}:") for problem in error.value.problems]


def test_the_shortest_file(tmp_path: Path) -> None:
    fight = _fight(tmp_path, HEAD + PAIR)
    ash, thug = fight.state.fighters
    assert (ash.id, ash.side, ash.at, thug.at) == ("Ash", "a", (0, 0), (10, 0))
    assert [side.name for side in fight.sides] == ["a", "b"]
    assert thug.held == ("club",)
    assert fight.seed == 0


def test_everything(tmp_path: Path) -> None:
    (tmp_path / "tam.toml").write_text('template = "veteran"\nskills = { Dodge = "6D" }\n', encoding="utf-8")
    fight = _fight(
        tmp_path,
        HEAD
        + """
title = "All of it"
seed = 7
rulings = { result_points = "per5" }
[space]
walls = [[1, 1, 1, 3]]
cover = [{ area = [0, 0, 0, 1], value = 5 }]
terrain = [{ area = [5, 5, 6, 6], kind = "Rough" }]
[[side]]
name = "a"
policy = "cautious"
[[side]]
name = "b"
[[combatant]]
name = "Tam"
side = "a"
at = [0, 0]
sheet = "tam.toml"
skills = { "melee weapons" = "3D" }
weapons = [{ like = "long bow", damage = "5D" }, "club", "club"]
state = { wounds = 1, conditions = ["surprised"] }
points = { character = 2 }
[[combatant]]
name = "Guard"
side = "b"
at = [[7, 0], [8, 0]]
count = 4
template = "guard"
surprised = true
[[combatant]]
name = "Bear"
side = "b"
at = [8, 1]
template = "bear"
policy = "random"
""",
    )
    tam, *guards, bear = fight.state.fighters
    assert fight.state.rulings.result_points == "per5"
    skills = {name: str(code) for name, code in tam.sheet.skills}
    assert (skills["Dodge"], skills["Melee Weapons"], skills["Resolve"]) == ("6D", "3D", "4D")
    assert [weapon.name for weapon in tam.sheet.weapons] == ["long bow", "club", "club 2"]
    assert str(tam.sheet.weapons[0].damage) == "5D" and tam.sheet.weapons[0].ranges == (5, 50, 125)
    assert tam.wounds == 1 and tam.has("surprised") and tam.character == 2
    assert [guard.id for guard in guards] == ["Guard 1", "Guard 2", "Guard 3", "Guard 4"]
    assert [guard.at for guard in guards] == [(7, 0), (8, 0), (8, 2), (8, 3)], "the bear stands on (8, 1)"
    assert {guard.group for guard in guards} == {"Guard"} and bear.group == ""
    assert fight.policies == (("a", "cautious"), ("Bear", "random"))
    assert fight.state.space.walls() == {(1, 1), (1, 2), (1, 3)}
    assert fight.state.space.at((0, 1), "cover") == 5


def test_plain_distances(tmp_path: Path) -> None:
    fight = _fight(
        tmp_path,
        HEAD
        + 'distances = [{ between = ["a", "b"], is = 4 }, { between = ["Ash", "Dog 2"], is = 9 }]\n'
        + PAIR
        + '[[combatant]]\nname = "Dog"\nside = "b"\ncount = 2\ntemplate = "wolf"\n',
    )
    assert fight.state.space.grid is False
    assert fight.state.space.gap("Ash", "Thug") == 4
    assert all(fighter.at is None for fighter in fight.state.fighters)


def test_an_empty_file(tmp_path: Path) -> None:
    assert "the file is empty" in _told(tmp_path, "")[0]
    assert "the file is empty" in _told(tmp_path, "# nothing yet\n")[0]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('ruleset = "rnd6"\n' + PAIR, 1, "unknown ruleset 'rnd6'; did you mean 'rond6'?"),
        (PAIR, 1, "needs ruleset = ..."),
        (HEAD, 1, "nobody fights"),
        (HEAD + 'rulings = { reslt_points = "per5" }' + PAIR, 2, "did you mean 'result_points'?"),
        (HEAD + 'rulings = { result_points = "per7" }' + PAIR, 2, "(allowed: margin, per5, per6)"),
        (HEAD + "titel = 'x'" + PAIR, 2, "there is no such key; did you mean 'title'?"),
        (HEAD + PAIR + 'skills = { Doge = "4D" }', 11, "unknown skill 'Doge'; did you mean 'Dodge'?"),
        (HEAD + PAIR + 'skills = { Dodge = "3D+7" }', 11, "three pips make one die, so write 5D+1"),
        (HEAD + PAIR + 'weapons = [{ name = "axe" }]', 11, "needs damage = ..."),
        (HEAD + PAIR + 'weapons = ["long bo"]', 11, "unknown weapon 'long bo'; did you mean 'long bow'?"),
        (HEAD + PAIR + 'armor = ["plait mail"]', 11, "did you mean 'plate mail'?"),
        (HEAD + PAIR + 'policy = "agressive"', 11, "unknown policy 'agressive'; did you mean 'aggressive'?"),
        (HEAD + PAIR + "count = -1", 11, "-1: must be at least 1"),
        (HEAD + PAIR + "count = 10000", 11, "10000: must be at most 500"),
        (HEAD + PAIR + "at = [1, 2, 3]", 11, "a position is [x, y]"),
        (HEAD + PAIR + "points = { character = -2 }", 11, "-2: must be at least 0"),
        (HEAD + PAIR + "state = { wonds = 2 }", 11, "unknown field of the state 'wonds'; did you mean 'wounds'?"),
        (HEAD + PAIR + 'state = { wounds = "two" }', 11, "a whole number is expected"),
        (HEAD + PAIR.replace('"Thug"', '"Ash"'), 8, "two combatants are called 'Ash'"),
        (HEAD + '[[side]]\nname = "a"' + PAIR, 10, "unknown side 'b'"),
        (HEAD + '[[side]]\nname = "a"\npolicy = "agressive"\n[[side]]\nname = "b"' + PAIR, 4, "did you mean 'aggressive'?"),
        (HEAD + PAIR.replace('"thug"', '"thugg"'), 10, "unknown template 'thugg'; did you mean 'thug'?"),
        (HEAD + PAIR + 'sheet = "nowhere.toml"', 11, "no such file"),
        (HEAD + PAIR.replace('side = "b"\n', ""), 7, "needs side = ..."),
        (HEAD + "combatant = 3", 2, "begin each with [[combatant]]"),
        (HEAD + 'distances = [{ between = ["Ash", "Thugg"], is = 3 }]' + PAIR, 2, "did you mean 'Thug'?"),
        (HEAD + 'distances = [{ between = ["Ash", "Thug"], is = -3 }]' + PAIR, 2, "cannot be negative"),
        (HEAD + 'space = { terrain = [{ area = [0, 0, 1, 1], kind = "Ruogh" }] }' + PAIR, 2, "did you mean 'Rough'?"),
        (HEAD + "space = { walls = [[1, 2]] }" + PAIR, 2, "four whole numbers"),
        (HEAD + "space = { walls = [[9, 0, 11, 0]] }" + PAIR, 7, "Thug would stand inside a wall at [10, 0]"),
        (HEAD + "space = { walls = [[0, 0, 1, 99999]] }" + PAIR, 2, "from -10000 to 10000"),
        (HEAD + "space = { walls = [[0, 0, 9, 4], [-9999, 0, 9999, 9]] }" + PAIR, 2, "at most 50000 can be"),
        (HEAD + "space = { cover = [{ area = [-9999, 0, 9999, 9], value = 1 }] }" + PAIR, 2, "at most 50000 can be"),
        (HEAD + "space = { terrain = [{ area = [0, 0, 9999, 9999], kind = 'Rough' }] }" + PAIR, 2, "at most 50000 can be"),
        (HEAD + "space = { size = [-1, 5] }" + PAIR, 2, "[width, height] from 1 to 10000"),
        (HEAD + "space = { cover = [{ area = [0, 0, 1, 1], value = 99999 }] }" + PAIR, 2, "must be at most 1000"),
        (HEAD + PAIR + 'templat = "thug"', 11, "there is no such key; did you mean 'template'?"),
        (HEAD + PAIR + "stat = { wounds = 1 }", 11, "there is no such key; did you mean 'state'?"),
        (HEAD + PAIR + "state = { wounds = -1 }", 11, "combatant[2].state: wounds below 0"),
        (HEAD + PAIR + "state = { wounds = 99999 }", 11, "combatant[2].state: alive with 99999 Wounds"),
        (HEAD + PAIR.replace('"Ash"', r'"A\u001b[31mB"'), 4, "combatant[1].name: holds the control character U+001B"),
        (HEAD + r'title = "a\u0000"' + PAIR, 2, "title: holds the control character U+0000"),
        (HEAD + PAIR + r'skills = { "\u202eDodge" = "3D" }', 11, "a key holds the control character U+202E"),
    ],
)
def test_one_thing_wrong(tmp_path: Path, text: str, line: int, words: str) -> None:
    told = _told(tmp_path, text)
    assert len(told) == 1, told
    assert told[0].startswith(f"{line}: ") and words in told[0], told[0]


def test_no_weapon_is_no_problem(tmp_path: Path) -> None:
    fight = _fight(tmp_path, HEAD + PAIR)
    assert fight.state.fighters[0].sheet.weapons == ()


def test_too_many_in_all(tmp_path: Path) -> None:
    text = HEAD + "".join(f'[[combatant]]\nname = "T{n}"\nside = "s{n}"\ncount = 300\n' for n in (1, 2))
    assert "600 combatants; at most 500" in _told(tmp_path, text)[0]


def test_ten_thousand_written_out(tmp_path: Path) -> None:
    text = HEAD + "".join(f'[[combatant]]\nname = "T{n}"\nside = "s{n % 2}"\n' for n in range(10_000))
    assert "10000 combatants; at most 500" in _told(tmp_path, text)[0]


def test_five_hundred_can_be_read(tmp_path: Path) -> None:
    text = HEAD + "".join(
        f'[[combatant]]\nname = "T{n}"\nside = "s{n}"\ncount = 250\ntemplate = "orc"\n' for n in (1, 2)
    )
    assert len(_fight(tmp_path, text).state.fighters) == 500


def test_a_circle_of_sheets(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text('sheet = "two.toml"\n', encoding="utf-8")
    (tmp_path / "two.toml").write_text('sheet = "one.toml"\n', encoding="utf-8")
    told = _told(tmp_path, HEAD + PAIR + 'sheet = "one.toml"')
    assert len(told) == 1 and "in a circle: one.toml -> two.toml -> one.toml" in told[0]
    (tmp_path / "self.toml").write_text('sheet = "self.toml"\n', encoding="utf-8")
    assert "in a circle" in _told(tmp_path, HEAD + PAIR + 'sheet = "self.toml"')[0]
    assert "in a circle" in _told(tmp_path, HEAD + PAIR + 'sheet = "fight.toml"')[0]


def test_problems_of_a_sheet_name_the_sheet(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text('move = 6\nskills = { Doge = "4D" }\n', encoding="utf-8")
    told = _told(tmp_path, HEAD + PAIR + 'sheet = "s.toml"')
    assert told == [f"{tmp_path / 's.toml'}:2: skills.Doge: unknown skill 'Doge'; did you mean 'Dodge'?"]
    (tmp_path / "s.toml").write_bytes(b'notes = "caf\xe9"\n')
    assert "no UTF-8" in _told(tmp_path, HEAD + PAIR + 'sheet = "s.toml"')[0]
    (tmp_path / "s.toml").write_text('ruleset = "rond6"\n', encoding="utf-8")
    assert "this is no sheet file" in _told(tmp_path, HEAD + PAIR + 'sheet = "s.toml"')[0]


def test_not_utf_8(tmp_path: Path) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes(HEAD.encode() + b'title = "caf\xe9"\n')
    with pytest.raises(DataError, match=r"latin\.toml:2: byte 0xe9 is no UTF-8"):
        load_fight(path)


def test_fifty_problems_at_once(tmp_path: Path) -> None:
    people = "".join(f'[[combatant]]\nname = "P{n}"\nside = "a"\nmoov = {n}\nskills = {{ Doge = "4D" }}\n' for n in range(25))
    told = _told(tmp_path, HEAD + people)
    assert len(told) == 50
    assert [int(one.split(":")[0]) for one in told] == sorted(int(one.split(":")[0]) for one in told)


@pytest.mark.parametrize("system", ["rond6", "rd6"])
def test_a_wrong_key_hides_no_wrong_value_elsewhere(tmp_path: Path, system: str) -> None:
    bad = 'points = { fat = 1 }\nscale = "Hugee"\nskills = { Doge = "4D" }\nstate = { wonds = 1 }\nweapons = [{ name = "q" }]\n'
    told = "\n".join(_told(tmp_path, HEAD.replace("rond6", system) + PAIR + bad))
    for words in ("'fate'", "'Hugee'; did you mean", "did you mean 'Dodge'", "did you mean 'wounds'", "needs damage"):
        assert words in told, told


def test_rulings_with_dots_may_be_tables(tmp_path: Path) -> None:
    text = 'ruleset = "rd6"\nrulings.success.count = "nonsense"\n[[combatant]]\nname = "A"\nside = "a"\n'
    told = _told(tmp_path, text)
    assert len(told) == 1 and told[0].startswith("2: rulings.success.count:")


GROUND = "space = { cover = [{ area = [0, 0, 1, 1], value = 2 }], terrain = [{ area = [0, 0, 1, 1], kind = 'Rough' }] }\n"


def test_ground_that_makes_no_difference_in_a_ruleset_is_said(tmp_path: Path) -> None:
    plain = PAIR.replace("attributes = { Agility = \"3D\" }\n", "").replace('template = "thug"\n', "")
    told = _told(tmp_path, f'ruleset = "rd6"\n{GROUND}{plain}')
    assert sum("'Rough': the ground of the map makes no difference here" in one for one in told) == 1, told
    told = _told(tmp_path, f'ruleset = "cepheus"\n{GROUND}{plain}')
    assert sum("the map of this ruleset has no areas" in one for one in told) == 2, told
