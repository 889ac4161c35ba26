"""Files that cannot be read are answered well, and every key knows its line."""

from pathlib import Path

import pytest

from affray.errors import DataError
from affray.formats.toml import load, loads, name

TEXT = '''# a fight
title = "x"           # comment = 1
[rulings]
success.count = 3
"dotted.key" = 4
[[side]]
name = "a"
[[combatant]]
name = "Ash"
skills = { Dodge = "5D", "Melee Weapons" = "4D" }
at = [
  0,   # x
  1,
]
[combatant.state]
wounds = 1
[[combatant]]
notes = """
two
lines "" here"""
weapons = [{ name = "a]b" },
  { name = 'c', damage = "2D" }]
[[combatant.deep]]
x = 1979-05-27T07:32:00Z
[[combatant.deep]]
'y z' = """"q""""
'''


def test_lines() -> None:
    doc = loads(TEXT, "f.toml")
    assert doc.line(["title"]) == 2
    assert doc.line(["rulings"]) == 3
    assert doc.line(["rulings", "success", "count"]) == 4
    assert doc.line(["rulings", "dotted.key"]) == 5
    assert doc.line(["side", 0, "name"]) == 7
    rows = TEXT.split("\n")
    assert rows[doc.line(["combatant", 0, "skills", "Melee Weapons"]) - 1].startswith("skills")
    assert rows[doc.line(["combatant", 0, "at", 1]) - 1].strip() == "1,"
    assert rows[doc.line(["combatant", 0, "state", "wounds"]) - 1] == "wounds = 1"
    assert rows[doc.line(["combatant", 1, "weapons", 1, "damage"]) - 1].strip().startswith("{ name = 'c'")
    assert rows[doc.line(["combatant", 1, "deep", 1, "y z"]) - 1].startswith("'y z'")
    assert doc.data["combatant"][1]["deep"][1]["y z"] == '"q"'


def test_every_value_has_a_line() -> None:
    doc = loads(TEXT)

    def walk(value: object, place: tuple[str | int, ...]) -> None:
        if place:
            assert place in doc.lines, place
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(inner, (*place, key))
        elif isinstance(value, list):
            for number, inner in enumerate(value):
                walk(inner, (*place, number))

    walk(doc.data, ())


def test_an_unknown_place_has_the_line_of_what_is_around_it() -> None:
    doc = loads(TEXT, "f.toml")
    assert doc.line(["combatant", 0, "skills", "Doge"]) == doc.line(["combatant", 0, "skills"])
    assert doc.line(["nothing"]) == 1
    assert str(doc.problem(["title"], "is wrong")) == "f.toml:2: title: is wrong"
    assert name(("combatant", 1, "skills", "Melee Weapons", "a.b")) == 'combatant[2].skills.Melee Weapons."a.b"'


def _problem(path: Path) -> str:
    with pytest.raises(DataError) as error:
        load(path)
    assert len(error.value.problems) == 1
    return str(error.value.problems[0])


def test_unreadable_files(tmp_path: Path) -> None:
    assert "this is a directory" in _problem(tmp_path)
    (tmp_path / "duel.toml").write_text("a = 1\n")
    told = _problem(tmp_path / "dule.toml")
    assert "no such file" in told and "duel.toml" in told.split("mean")[1]
    bad = tmp_path / "bad.toml"
    bad.write_bytes(b'a = 1\nb = "caf\xe9"\n')
    assert _problem(bad) == f"{bad}:2: byte 0xe9 is no UTF-8; save the file as UTF-8"
    bad.write_text("a = 1\nb = \n")
    assert f"{bad}:2: not valid TOML" in _problem(bad)
    bad.write_text("a = 1\na = 2\n")
    assert f"{bad}:2:" in _problem(bad)
    bad.write_text("a = " + "[" * 5000)
    assert "not valid TOML" in _problem(bad) or "too deeply" in _problem(bad)
    bad.write_text("a = " + "9" * 5000)
    assert "not valid TOML" in _problem(bad)
    bad.write_text("# x\n" * 1_100_000)
    assert "larger than 4 MB" in _problem(bad)
    assert "cannot be read" in _problem(Path("\0"))


def test_an_empty_file_a_mark_and_windows_lines_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "empty.toml"
    path.write_bytes(b"")
    assert load(path).data == {}
    path.write_bytes(b"\xef\xbb\xbfa = 1\r\nb = 2\r\n")
    assert load(path).line(["b"]) == 2
