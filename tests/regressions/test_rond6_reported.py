"""Reported faults that no case file can state: endless dice, answers sent twice, turns that begin by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from affray.dice import Code, WildPool
from affray.encounter import Encounter
from affray.errors import BadAnswer, LimitReached
from affray.interpreters.live import Live
from affray.ruleset import find
from affray.rulesets.rond6.actions import End
from affray.rulesets.rond6.attack import Attack
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import Fighter, Sheet, State, Weapon

RULES = find("rond6")
PISTOL = Weapon("pistol", "ranged", Code(4), ranges=(10, 25, 50))
SHEET = Sheet((("Agility", Code(3)), ("Strength", Code(3)), ("Perception", Code(3))), (("Ranged Weapons", Code(5)),), (PISTOL,))


def duel(typed: Any = None, **rulings: Any) -> Encounter:
    ash = Fighter("Ash", "Ash", "a", SHEET, at=(0, 0), initiative=9, held=("pistol",))
    thug = Fighter("Thug", "Thug", "b", SHEET, at=(5, 0), initiative=5, held=("pistol",))
    table = Encounter(RULES, State((ash, thug), Rulings(**rulings), round=1), seed=7, typed=typed)
    table.advance()
    return table


class Sixes:
    """A source whose dice all show 6, for ever; counts them."""

    thrown = 0

    def faces(self, n: int, request: Any) -> tuple[int, ...]:
        def six() -> Iterator[int]:
            while True:
                self.thrown += 1
                yield 6

        return tuple(request.pool.throw(six()))

    def answer(self, n: int, request: Any, state: Any) -> Any:
        return request.default


@pytest.mark.rules("RON-DICE-2")
def test_dice_without_end_name_the_limit_and_change_nothing() -> None:
    table = duel()
    before, dice = table.state, Sixes()
    table.script = dice
    with pytest.raises(LimitReached, match="60"):
        table.order(Attack("Ash", "Thug"))
    with pytest.raises(LimitReached, match="500"):
        WildPool(100_000)
    with pytest.raises(LimitReached, match="500"):
        Code.parse("100000D")
    assert 60 <= dice.thrown < 600
    assert table.state == before and table.open is None
    table.script = Live(7, 1, lambda who: RULES.policies["aggressive"])
    table.order(Attack("Ash", "Thug"))
    assert table.state != before


@pytest.mark.rules("RON-DICE-2")
def test_endless_sixes_typed_by_hand_are_refused_at_the_limit() -> None:
    table = duel("all")
    table.order(Attack("Ash", "Thug"))
    assert table.open is not None
    asked = table.open.requests[0]
    with pytest.raises(LimitReached):
        table.answer(asked.n, [6] * 80)
    assert table.open is not None and table.open.requests[0].faces == ()
    table.answer(asked.n, [1, 1, 1, 1, 1])
    assert table.open is None


@pytest.mark.rules("RON-DMG-3")
def test_damage_sent_twice_is_applied_once() -> None:
    table = duel("all")
    table.order(Attack("Ash", "Thug"))
    assert table.open is not None
    table.answer(table.open.requests[0].n, [3, 3, 3, 1, 1])
    damage = table.open.requests[0]
    table.answer(damage.n, [5, 5, 5, 3])  # 18 against 12: one Wound
    after = table.state
    assert after.fighters[1].wounds == 1
    with pytest.raises(BadAnswer):
        table.answer(damage.n, [5, 5, 5, 3])
    assert table.state == after and table.state.fighters[1].wounds == 1


@pytest.mark.rules("RON-TIME-3", "RON-TIME-7")
def test_a_turn_begins_in_the_log_exactly_when_one_begins() -> None:
    table = duel()
    table.policies = {"a": RULES.policies["aggressive"], "b": RULES.policies["cautious"], "master": RULES.policies["aggressive"]}
    while table.state.round < 6 and not RULES.over(table.state):
        table.step()
    turn, begun = "", []
    for entry in table.entries:
        for event in entry.events:
            if getattr(event, "note", "") == "time.turn":
                begun.append((entry.state.round, event.who or dict(event.data)["who"]))  # type: ignore[union-attr]
        if entry.state.turn and entry.state.turn != turn:
            assert any(getattr(event, "note", "") == "time.turn" for event in entry.events)
        turn = entry.state.turn
    assert len(begun) == len(set(begun)) >= 4


@pytest.mark.rules("RON-TIME-9")
def test_a_tie_without_a_person_falls_the_same_way_for_the_same_seed() -> None:
    def firsts(seed: int) -> list[str]:
        ash = Fighter("Ash", "Ash", "a", SHEET, at=(0, 0), held=("pistol",))
        thug = Fighter("Thug", "Thug", "b", SHEET, at=(5, 0), held=("pistol",))
        table = Encounter(RULES, State((ash, thug), Rulings(tie_last="roll_off")), seed)
        table.advance()
        found = []
        while table.state.round < 12:
            found.append(table.up()[0])
            table.order(End(table.up()[0]))
        return found

    assert firsts(5) == firsts(5)
    assert any(firsts(5) != firsts(seed) for seed in range(6, 12))
