"""Encounter files while they are written: fields to text and back, comments kept, every problem beside its field."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.errors import DataError
from affray.formats import samples
from affray.formats.draft import Draft, begun, checked, field, typed_places, whole
from affray.formats.encounter import load_fight
from affray.formats.names import doubts, read_names

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.toml"))


def test_plain_names() -> None:
    listed = """Heroes:
    Kess, Mox
    Serra (watch sergeant); ogre as Grum
    Watch: 4 guards, two wolves
    - 3x thugs   # by the door
    thgus x 2
    Bo the knight
    Kess"""
    found = [(one.name, one.count, one.side, one.template or one.character) for one in read_names(listed, "rond6", ["Mox"])]
    assert found == [
        ("Kess", 1, "Heroes", ""),
        ("Mox", 1, "Heroes", "Mox"),
        ("Serra", 1, "Heroes", "watch sergeant"),
        ("Grum", 1, "Heroes", "ogre"),
        ("Guard", 4, "Watch", "guard"),
        ("Wolf", 2, "Watch", "wolf"),
        ("Thug", 3, "Watch", "thug"),
        ("thgus", 2, "Watch", ""),
        ("Bo", 1, "Watch", "knight"),
        ("Kess B", 1, "Watch", ""),
    ]
    assert [one.near for one in read_names("thgus x 2", "rond6")] == ["thug"]


def test_taken_names_get_a_letter() -> None:
    assert [one.name for one in read_names("thug\nthug", "rond6", taken=["Thug", "thug b"])] == ["Thug C", "Thug D"]


@pytest.mark.parametrize("text", ["", ":", "# only a remark", ",,;", "\x07", "- \n * "])
def test_nothing_is_nobody(text: str) -> None:
    assert read_names(text, "rond6") == ()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_samples_stay_what_they_are(path: Path) -> None:
    text = whole(path)
    fight, problems = checked(text)
    assert not problems and fight is not None
    assert fight.state == load_fight(path).state
    draft = Draft(text)
    draft.fill([("title", "Another"), ("combatant.0.name", str(draft.people[0]["name"]))])
    again, _ = checked(draft.text)
    assert again is not None and again.title == "Another" and again.state == fight.state
    for line in path.read_text().splitlines():
        assert not line.startswith("#") or line in draft.text


@pytest.mark.parametrize("system", ["rond6", "rd6", "cepheus"])
def test_from_nothing_to_a_fight(system: str, tmp_path: Path) -> None:
    draft = Draft(begun(system, "Test"))
    draft.add_named(read_names("Kess\nFoes: 3 guards", system), {})
    fight, problems = checked(draft.text)
    assert problems == () and fight is not None
    file = tmp_path / "fight.toml"
    file.write_text(draft.text)
    assert load_fight(file).state == fight.state
    assert [f.side for f in fight.state.fighters] == ["Heroes", "Foes", "Foes", "Foes"]


def test_every_problem_at_its_field_and_nothing_lost() -> None:
    draft = Draft(begun("rond6"))
    draft.add_named(read_names("Kess\nFoes: 3 thugs", "rond6"), {})
    typed = [
        ("combatant.0.at", "here"),
        ("combatant.0.template", "vetaran"),
        ("combatant.1.count", "many"),
        ("side.1.policy", "agressive"),
        ("space.size.0", "wide"),
        ("space.walls.new", "1, 2"),
        ("space.cover.new.area", "5,5,6"),
        ("space.cover.new.value", "5"),
        ("rulings.result_points", "per7"),
        ("seed", "x"),
    ]
    draft.fill(typed)
    fight, problems = checked(draft.text)
    assert fight is None
    fields = {field(problem.key) for problem in problems}
    fine = {"space.walls.new", "space.cover.0.value"}
    assert {name.replace("new.", "0.").replace("size.0", "size") for name, _ in typed} - fields == fine
    near = {field(problem.key): problem.nearest for problem in problems}
    assert near["combatant.0.template"] == "veteran" and near["side.1.policy"] == "aggressive"
    for _, value in typed:
        assert value in draft.text or value == "1, 2"
    assert "walls = [[1, 2, 1, 2]]" in draft.text


def test_rows_come_and_go() -> None:
    draft = Draft(begun("cepheus"))
    before = draft.text
    draft.fill([("space.walls.new", "1,2,3,4"), ("space.terrain.new.area", "1 1"), ("space.terrain.new.kind", "mud")])
    draft.fill([("distances.new.a", "Heroes"), ("distances.new.b", "Foes"), ("distances.new.is", "Short")])
    assert draft.data["distances"] == [{"between": ["Heroes", "Foes"], "is": "Short"}]
    draft.fill([("distances.0.is", "12.5"), ("side.0.name", "Crew")])
    assert draft.data["distances"] == [{"between": ["Crew", "Foes"], "is": 12.5}]
    draft.fill([("distances.0.is", ""), ("space.walls.0", ""), ("space.terrain.0.area", ""), ("side.0.name", "Heroes")])
    assert Draft(before).data == draft.data


def test_gear_starts_from_the_template() -> None:
    draft = Draft(begun("rond6"))
    draft.add_person("Kess", "Heroes", template="archer")
    stock = draft.gear(draft.people[0], "weapons")
    draft.fill([("combatant.0.add.weapons", "broad sword")])
    assert draft.data["combatant"][0]["weapons"] == [*stock, "broad sword"]
    draft.fill([("combatant.0.drop.weapons", "0")])
    assert draft.data["combatant"][0]["weapons"] == [*stock[1:], "broad sword"]


def test_rulings_are_written_only_where_they_differ() -> None:
    draft = Draft(begun("rd6"))
    draft.fill([("rulings.dice.wild_one", "drop_highest"), ("rulings.wound.also_stuns", "true")])
    rulings = draft.data["rulings"]
    assert rulings["dice.wild_one"] == "drop_highest"
    draft.fill([("rulings.dice.wild_one", "flag"), ("rulings.wound.also_stuns", "false")])
    assert "rulings" not in draft.data


def test_sheets_in_files_are_not_looked_for() -> None:
    text = 'ruleset = "rond6"\n[[combatant]]\nname = "A"\nside = "x"\nsheet = "/etc/passwd"\n'
    fight, problems = checked(text)
    assert fight is None and [problem.key for problem in problems] == ["combatant[1].sheet"]


@pytest.mark.parametrize("text", ["ruleset = ", "a = 1\na = 2", "\x00"])
def test_what_is_no_toml_is_said(text: str) -> None:
    assert checked(text)[1]
    with pytest.raises(DataError):
        Draft(text)


def test_places() -> None:
    assert typed_places([3, 4]) == "3, 4"
    assert typed_places([[3, 4], [5, 6]]) == "3, 4; 5, 6"
    assert typed_places("here") == "here"


def test_samples_are_found() -> None:
    names = [one.name for one in samples.samples()]
    assert set(names) == {path.stem for path in EXAMPLES}
    assert names[0] == samples.FIRST[0]
    assert samples.path("first").name == "first.toml"
    with pytest.raises(DataError, match="rond6-tavern"):
        samples.path("rond6-taverne")
    for name in ("../first", "", "/etc/passwd"):
        with pytest.raises(DataError):
            samples.path(name)


def test_a_ruling_that_is_a_list() -> None:
    draft = Draft(begun("rond6"))
    draft.fill([("rulings.difficulty_ladder", "[1, 6, 11, 16, 21]")])
    draft.add_person("A", "Heroes")
    fight, problems = checked(draft.text)
    assert not problems and fight is not None and fight.state.rulings.difficulty_ladder == (1, 6, 11, 16, 21)
    draft.fill([("rulings.difficulty_ladder", "[5, 10, 15, 20, 25]")])
    assert "rulings" not in draft.data


def test_slips_of_the_pen_are_told_with_their_line() -> None:
    """What was perhaps meant is named; plain names, characters and stock combatants are never doubted."""
    text = "Heroes:\nWolfe, Dame Orla, Serra (veteran)\n\nWatch: 3 thgus\nwatch sargeant as Odo\nPip (the mad)\n2 Zorblax"
    assert [(one.line, one.text) for one in doubts(text, "rond6")] == [
        (4, "line 4: no stock combatant is called 'thgus'; did you mean 'thug'?"),
        (5, "line 5: no stock combatant is called 'watch sargeant'; did you mean 'watch sergeant'?"),
    ]
    assert not doubts("Odo (Sarjent)", "rond6", ["Sarjent"])
