"""Rd6: what one person may see, what the rest is told, and the words of events."""

from __future__ import annotations

import json
from string import Formatter
from typing import Any

import pytest

from affray import rules
from affray.dice import Code
from affray.encounter import Encounter
from affray.events import Changed, Noted
from affray.rulesets.rd6 import RULESET
from affray.rulesets.rd6.sheet import Fighter, Sheet, Skill, State, Weapon
from affray.rulesets.rd6.texts import TEXTS

GUN = Weapon("gun", "ranged", Code(4), ranges=(10, 30, 60), modes=("single", "semi"), clip=9)
SWORD = Weapon("sword", "melee", Code(2), strength=True, sharp=True)
SHEET = Sheet(
    attributes=(("Agility", Code(3)), ("Strength", Code(3)), ("Stamina", Code(3)), ("Perception", Code(3))),
    skills=(Skill("Ranged Weapons", Code(4)), Skill("Melee Weapons", Code(4)), Skill("Dodge", Code(4))),
    weapons=(GUN, SWORD),
)


def state() -> State:
    return State((
        Fighter("Ann", "Ann", "a", SHEET, at=(0, 0), weapon="gun", loaded=(("gun", 9),), wounds=1, character_points=2),
        Fighter("Ben", "Ben", "b", SHEET, at=(4, 0), weapon="sword", hidden=True),
        Fighter("Cid", "Cid", "b", SHEET, at=(1, 0), weapon="sword"),
    ), round=1, turn="Ben")  # fmt: skip


def test_a_side_sees_its_own_and_what_is_plain_to_see() -> None:
    seen: dict[str, Any] = RULESET.view(state(), "a")
    assert [one["id"] for one in seen["fighters"]] == ["Ann", "Cid"]
    ann, cid = seen["fighters"]
    assert ann["wounds"] == 1
    assert ann["character_points"] == 2
    assert "wounds" not in cid
    assert cid["state"] == "unhurt"
    assert seen["turn"] == ""
    assert "Ben" not in json.dumps(seen)


def test_the_master_sees_everything() -> None:
    seen = RULESET.view(state(), "master")
    assert [one["id"] for one in seen["fighters"]] == ["Ann", "Ben", "Cid"]
    assert seen["turn"] == "Ben"
    assert [one["id"] for one in RULESET.view(state(), "Ben")["fighters"]] == ["Ann", "Ben", "Cid"]


def test_numbers_open_into_their_parts() -> None:
    numbers = RULESET.numbers(state(), "Ann")
    assert numbers["Ranged Weapons"].text == "3D = 4D Ranged Weapons [RD6-DICE-9] −1D wounds [RD6-WND-6]"
    assert numbers["passive_ranged"].value == 1
    assert numbers["damage gun"].value == "4D"
    assert numbers["damage sword"].value == "4D"
    assert numbers["distance.Cid"].text == "2 m"
    for shown in numbers.values():
        dice = sum(part.amount for part in shown.parts if part.unit == "D")
        if shown.parts and isinstance(shown.value, str) and dice >= 1:
            assert shown.value.startswith(f"{dice}D")


@pytest.mark.parametrize("seed", range(12))
def test_every_event_can_be_told(seed: int) -> None:
    players = dict.fromkeys(("a", "b", "master"), RULESET.policies["random"])
    encounter = Encounter(RULESET, state(), seed, players)
    encounter.advance()
    while not RULESET.over(encounter.state) and len(encounter.entries) < 120:
        encounter.step()
    for entry in encounter.entries:
        for event in entry.events:
            if isinstance(event, Changed | Noted) and event.note:
                wanted = {name for _, name, _, _ in Formatter().parse(TEXTS[event.note]) if name}
                assert wanted <= {"who", *dict(event.data)}
                assert event.rule in rules.index("affray.rulesets.rd6")
