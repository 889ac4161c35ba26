"""Events, dice and states in plain words."""

from __future__ import annotations

from affray.events import Changed, Chose, Noted, Rolled
from affray.modifiers import Modifier
from affray.render import text


def test_faces() -> None:
    assert text.faces_text("4D+1", (6, 5, 6, 5, 4)) == "W6>5 | 6 5 4"
    assert text.faces_text("3D + 1 Wild", (2, 6, 5, 4, 1)) == "W2 W6>5 | 4 1"
    assert text.faces_text("1D", (3,)) == "W3"
    assert text.faces_text("2D6", (5, 4)) == "5 4"
    assert text.faces_text("3D (no Wild Die)", (6, 4, 1)) == "6 4 1"


def test_a_roll_explains_itself() -> None:
    parts = (
        Modifier(5, "D", "Ranged Weapons", "R-1"),
        Modifier(-1, "D", "2 actions", "R-2"),
        Modifier(1, "", "pips", "R-3"),
        Modifier(5, "", "Point Blank", "R-4"),
    )
    roll = Rolled("Ash", "attack", "R-0", 0, "4D+1", (5, 6, 3, 3), 18, "", parts)
    assert text.roll_total(roll) == 23
    assert text.rolled(roll) == (
        "Ash rolls attack: 4D+1 = 5D Ranged Weapons [R-1] −1D 2 actions [R-2] +1 pips [R-3]; dice W5 | 6 3 3 → 18 "
        "+5 Point Blank [R-4] = 23"
    )
    assert text.roll_total(Rolled("Ash", "x", "R", 0, "1D", (1,), (1, True))) == 1
    assert text.roll_total(Rolled("Ash", "x", "R", 0, "1D", (1,), "hit")) is None


def test_notes() -> None:
    texts = {"hurt": "{who} takes {n} wounds", "quiet": ""}
    assert text.told(Changed("Ash", "R-1", (), "hurt", (("n", 2),)), texts) == "Ash takes 2 wounds [R-1]"
    assert text.told(Noted("Ash", "R-1", "quiet"), texts) == ""
    assert text.told(Noted("Ash", "R-1", "new", (("n", 2),)), texts) == "Ash: new (n 2) [R-1]"
    assert text.told(Changed("Ash", "R-1", (("x", 1),)), texts) == ""
    assert text.told(Changed("Ash", "R-1", (), "hurt"), texts) == "Ash takes <n> wounds [R-1]"
    assert text.told(Chose("Ash", "feat", "R-1", 0, "stop"), texts) == ""
    assert text.told(Chose("Ash", "feat", "R-1", 0, "add_die"), texts) == "Ash chooses, feat: add die"


def test_what_others_may_not_see_is_not_told() -> None:
    events = (Noted("Ash", "R", "hidden", seen="master"), Noted("Ash", "R", "open"))
    assert list(text.lines(events, {}, "Bo")) == ["Ash: open [R]"]
    assert len(list(text.lines(events, {}))) == 2


def test_values() -> None:
    assert text.plain((("bow", 3), ("gun", 0))) == "bow 3, gun 0"
    assert text.plain({"a": True, "b": None}) == "a yes, b nothing"
    assert text.plain(()) == "none"


def test_one_of_a_thing_and_several() -> None:
    texts = {"hurt": "{who} takes {wounds} wound{wounds:|s}"}
    assert text.worded("hurt", "Kess", {"wounds": 1}, texts) == "Kess takes 1 wound"
    assert text.worded("hurt", "Kess", {"wounds": 2}, texts) == "Kess takes 2 wounds"
    assert text.worded("hurt", "Kess", {}, texts) == "Kess takes <wounds> wounds"
