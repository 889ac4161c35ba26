"""Encounter files with something changed: paths, values, errors that name what was asked."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affray.errors import DataError
from affray.formats.vary import Base, number, parse, values

FIGHT = """ruleset = "rond6"
seed = 1
[[side]]
name = "Patrol"
policy = "cautious"
[[side]]
name = "Band"
policy = "aggressive"
[[combatant]]
name = "Sergeant Hale"
side = "Patrol"
template = "watch sergeant"
[[combatant]]
name = "Guard"
side = "Patrol"
at = [[1, 1], [1, 3]]
count = 2
template = "guard"
[[combatant]]
name = "Orc"
side = "Band"
at = [14, 0]
count = 2
template = "orc"
"""


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Base:
    file = tmp_path_factory.mktemp("vary") / "patrol.toml"
    file.write_text(FIGHT, encoding="utf-8")
    return Base.load(file)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1..4", (1, 2, 3, 4)),
        ("1..9/4", (1, 5, 9)),
        ("-2..0", (-2, -1, 0)),
        ("0.5..1.5/0.5", (0.5, 1.0, 1.5)),
        ("3D..5D", ("3D", "4D", "5D")),
        ("4D+1..5D+2/+2", ("4D+1", "5D", "5D+2")),
        ("2D+1..4D+1", ("2D+1", "3D+1", "4D+1")),
        ("a, b,true,'3'", ("a", "b", True, "3")),
        ("1,1,2", (1, 2)),
    ],
)
def test_values(text: str, found: tuple[object, ...]) -> None:
    assert values(text) == found


@pytest.mark.parametrize("text", ["", "1,,2", "5..1", "a..c", "1..5/0", "3D..1D", "3D..5D/x", "0..1000000", "1..2/3/4"])
def test_bad_values(text: str) -> None:
    with pytest.raises(DataError):
        parse(f"thug.count={text}")


@given(st.text(max_size=20))
def test_no_text_of_values_breaks_the_reader(text: str) -> None:
    with contextlib.suppress(ValueError):
        assert len(values(text)) >= 1


def test_the_order_of_values() -> None:
    assert [number(value) for value in (2, 1.5, "3D+1", "cautious", True)] == [2, 1.5, 10, None, None]


def test_counts(base: Base) -> None:
    def ids(count: int) -> list[str]:
        return [f.id for f in base.varied([("guard.count", count)]).state.fighters if f.id.startswith("Guard")]

    assert ids(0) == [] and ids(1) == ["Guard"] and ids(3) == ["Guard 1", "Guard 2", "Guard 3"]
    assert len(base.fight.state.fighters) == 5


def test_numbers_of_a_sheet_that_a_template_gives(base: Base) -> None:
    fight = base.varied([("Guard.skills.dodge", "6D"), ("Band.points.character", 4), ("guard.weapons.short sword.damage", "9D")])
    guard = next(f for f in fight.state.fighters if f.id == "Guard 2")
    assert str(dict(guard.sheet.skills)["Dodge"]) == "6D"
    assert next(w for w in guard.sheet.weapons if w.name == "short sword").damage.dice == 9
    assert {f.character for f in fight.state.fighters if f.side == "Band"} == {4}


def test_rulings_policies_and_templates(base: Base) -> None:
    fight = base.varied([("rulings.tie_last", "listing_order"), ("policy.band", "cautious"), ("Patrol.policy", "tactical")])
    assert fight.state.rulings.tie_last == "listing_order"
    assert dict(fight.policies) == {"Band": "cautious", "Patrol": "tactical"}
    fight = base.varied([("watch sergeant.template", "guard")])
    assert fight.state.fighters[0].sheet == next(f for f in fight.state.fighters if f.id == "Guard 1").sheet


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (("gard.count", 3), "did you mean 'Guard'"),
        (("guard.cuont", 3), "did you mean 'count'"),
        (("guard.skills.Dogde", "3D"), "did you mean 'skills.Dodge'"),
        (("guard", 3), "NAME.FIELD"),
        (("guard.count", 9999), "patrol.toml:17"),
        (("guard.weapons.halberd.damage", "5D"), "spear"),
        (("rulings.tie_lst", "roll"), "did you mean 'tie_last'"),
        (("policy.Band", "brave"), "aggressive"),
        (("policy.Bandits", "cautious"), "did you mean 'Band'"),
        (("guard.skills.Dodge.x", 1), "nothing can be changed inside it"),
    ],
)
def test_errors_name_the_setting(base: Base, setting: tuple[str, object], words: str) -> None:
    with pytest.raises(DataError) as wrong:
        base.varied([setting])
    assert words in str(wrong.value) and setting[0] in str(wrong.value)
