"""Moments at a RonD6 table where order matters: cutting in, standing defenses, points, corrections, taking back."""

from __future__ import annotations

from typing import Any

import pytest

from affray.ask import Roll
from affray.dice import Code
from affray.encounter import Encounter
from affray.errors import BadAnswer, IllegalOrder
from affray.events import Noted, get
from affray.referee import Set
from affray.ruleset import find
from affray.rulesets.rond6.actions import Declare, End, Wait
from affray.rulesets.rond6.attack import Attack
from affray.rulesets.rond6.defence import Dodge
from affray.rulesets.rond6.interaction import Interact
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import Armor, Condition, Fighter, Sheet, Standing, State, Weapon

RULES = find("rond6")
PISTOL = Weapon("pistol", "ranged", Code(4), ranges=(10, 25, 50))
SWORD = Weapon("sword", "melee", Code(4))
ATTRIBUTES = tuple((name, Code(3)) for name in ("Strength", "Agility", "Stamina", "Perception", "Presence", "Will Power"))
SKILLS = tuple(
    (str(name), Code(int(dice)))
    for dice, *names in ((4, "Ranged Weapons", "Melee Weapons", "Fighting", "Persuasion", "Resolve"), (5, "Dodge"))
    for name in names
)
SHEET = Sheet(ATTRIBUTES, SKILLS, (PISTOL, SWORD), Armor(Code(1)))
"""Passive Defense 11, Damage Resistance Total 16, limit 3."""


def fighter(name: str, side: str, at: tuple[int, int], initiative: int, **more: Any) -> Fighter:
    return Fighter(name, name, side, SHEET, at=at, initiative=initiative, **{"held": ("pistol", "sword"), **more})


def fight(*fighters: Fighter, turn: str = "", **rulings: Any) -> Encounter:
    """A fight in Round 1; all dice and answers come from people."""
    start = State(tuple(fighters), Rulings(**rulings), round=1, turn=turn)
    table = Encounter(RULES, start, typed="all")
    table.advance()
    return table


def give(table: Encounter, order: Any, *replies: Any) -> None:
    """An order and the replies to all that it asks: lists are dice, (question, value) are choices. None may be left."""
    table.order(order)
    for reply in replies:
        reply_to(table, reply)
    assert table.open is None, [r.request.why.key for r in table.open.requests]


def reply_to(table: Encounter, reply: Any) -> None:
    assert table.open is not None, f"nobody asks for {reply}"
    asked = table.open.requests[0]
    if isinstance(asked.request, Roll):
        table.answer(asked.n, reply)
    else:
        assert asked.request.why.key == reply[0]
        table.answer(asked.n, reply[1])


def told(table: Encounter) -> list[str]:
    """Notes of the events of the last order."""
    return [getattr(event, "note", "") for event in table.entries[-1].events]


def now(table: Encounter, who: str) -> Fighter:
    found: Fighter = get(table.state, who)
    return found


def ambush(**rulings: Any) -> Encounter:
    """Ash waits on 12 with one Action in hand; Thug is up on 9 and Bo follows."""
    table = fight(
        fighter("Ash", "a", (0, 0), 12), fighter("Thug", "b", (5, 0), 9), fighter("Bo", "a", (0, 1), 4), turn="Ash", **rulings
    )
    give(table, Declare("Ash", 2))
    give(table, Wait("Ash"))
    assert table.up() == ("Thug",)
    return table


# ---- cutting in


@pytest.mark.rules("RON-ACT-13", "RON-ACT-14", "RON-SPC-23")
def test_a_shot_whose_gun_is_struck_away_first_is_lost_with_its_action() -> None:
    table = ambush()
    give(table, Declare("Thug", 2))
    # A called shot on the gun: 4D, less one for two Actions, less one for its size; 12 reaches 11.
    cut = {"do": "disarm", "by": "Ash", "target": "Thug", "weapon": "pistol", "item": "pistol"}
    give(table, Attack("Thug", "Bo", "pistol"), ("interrupt", cut), [6, 4, 2])
    assert "action.lost" in told(table) and now(table, "Bo").wounds == 0
    assert now(table, "Thug").held == ("sword",) and now(table, "Thug").dropped[0].at == (5, 0)
    # The lost Action is used up; the second is still there, and so is its penalty.
    assert (now(table, "Thug").used, now(table, "Thug").declared) == (1, 2)
    assert now(table, "Ash").used == 2 and not now(table, "Ash").waiting


@pytest.mark.rules("RON-ACT-14")
def test_an_action_that_is_still_possible_goes_on_after_the_interruption() -> None:
    table = ambush()
    give(table, Declare("Thug", 2))
    # 3D: 10 against 11 misses, and the shot at Bo is made as declared.
    cut = {"do": "attack", "by": "Ash", "target": "Thug"}
    give(table, Attack("Thug", "Bo", "pistol"), ("interrupt", cut), [4, 3, 3], [2, 2, 2])
    assert "action.lost" not in told(table) and now(table, "Thug").used == 1


@pytest.mark.rules("RON-ACT-14", "RON-ACT-6")
def test_a_full_action_is_no_interruption() -> None:
    table = ambush(wait_cost="holds_action")
    give(table, Declare("Thug", 1))
    table.order(Attack("Thug", "Bo", "pistol"))
    with pytest.raises(BadAnswer, match="RON-ACT-14"):
        reply_to(table, ("interrupt", {"do": "dodge", "by": "Ash", "full": True}))


@pytest.mark.rules("RON-ACT-14", "RON-DMG-17")
def test_two_wounds_at_once_end_a_turn_in_which_something_was_done() -> None:
    table = ambush()
    give(table, Declare("Thug", 2))
    give(table, Attack("Thug", "Bo", "pistol"), ("interrupt", None), [2, 2, 2])
    # The second shot is interrupted: 11 hits, 28 against 16 are two Wounds, and the second shot is no more possible.
    table.order(Attack("Thug", "Bo", "pistol"))
    reply_to(table, ("interrupt", {"do": "attack", "by": "Ash", "target": "Thug", "weapon": "pistol"}))
    reply_to(table, [4, 4, 3])
    reply_to(table, [6, 6, 5, 4, 4, 3])
    assert table.open is None
    assert now(table, "Thug").wounds == 2 and now(table, "Thug").massive == 1
    assert "action.lost" in told(table) and now(table, "Bo").wounds == 0


@pytest.mark.rules("RON-ACT-14")
def test_one_who_cuts_in_may_be_cut_off_in_turn() -> None:
    table = fight(
        fighter("Cy", "b", (6, 0), 15), fighter("Ash", "a", (0, 0), 12),
        fighter("Thug", "b", (5, 0), 9), fighter("Bo", "a", (0, 1), 4), turn="Cy",
    )  # fmt: skip
    for who in ("Cy", "Ash"):
        give(table, Declare(who, 2))
        give(table, Wait(who))
    give(table, Declare("Thug", 1))
    table.order(Attack("Thug", "Bo", "pistol"))
    # Cy has the higher initiative and lets it pass; Ash cuts in; before that shot Cy is asked once more.
    reply_to(table, ("interrupt", None))
    reply_to(table, ("interrupt", {"do": "attack", "by": "Ash", "target": "Thug", "weapon": "pistol"}))
    assert table.open is not None and table.open.requests[0].request.by == "Cy"
    reply_to(table, ("interrupt", {"do": "attack", "by": "Cy", "target": "Ash", "weapon": "pistol"}))
    reply_to(table, [4, 4, 3])  # hits 11
    reply_to(table, [6, 6, 6, 6, 5, 5, 5, 5])  # 44 against 16: four Wounds
    assert now(table, "Ash").out == "unconscious"
    # Ash's shot is lost, Thug's goes on: 4D with a single Action.
    reply_to(table, [2, 2, 2, 2])
    assert table.open is None and table.state.interrupting == ()
    assert not now(table, "Ash").waiting and now(table, "Thug").used == 1


@pytest.mark.rules("RON-ACT-14", "RON-RP-1")
def test_an_impossible_cut_in_is_refused_and_asked_again() -> None:
    table = ambush()
    give(table, Declare("Thug", 1))
    table.order(Attack("Thug", "Bo", "pistol"))
    before = table.state
    with pytest.raises(BadAnswer, match="reach"):
        reply_to(table, ("interrupt", {"do": "attack", "by": "Ash", "target": "Thug", "weapon": "sword"}))
    assert table.state == before
    reply_to(table, ("interrupt", None))
    reply_to(table, [2, 2, 2, 2])
    assert now(table, "Ash").waiting == "any"


@pytest.mark.rules("RON-ACT-14", "RON-DEF-2")
def test_a_dodge_may_be_the_interruption() -> None:
    table = ambush()
    give(table, Declare("Thug", 1))
    # Dodge 5D less one die: 17; the shot of 13 misses and leaves 4 points.
    table.order(Attack("Thug", "Ash", "pistol"))
    for reply in (("interrupt", {"do": "dodge", "by": "Ash"}), [5, 6, 3, 3], [4, 3, 3, 3]):
        reply_to(table, reply)
    assert now(table, "Ash").standing == (Standing("dodge", 17),) and now(table, "Ash").carried == 4


@pytest.mark.rules("RON-ACT-13", "RON-CON-1", "RON-CON-8")
def test_what_lasts_through_the_next_turn_lasts_until_the_waiting_one_has_cut_in() -> None:
    table = fight(
        fighter("Ash", "a", (0, 0), 12, conditions=(Condition("untrained", 1),)), fighter("Thug", "b", (5, 0), 9), turn="Ash"
    )
    give(table, Declare("Ash", 2))
    give(table, Wait("Ash"))
    assert now(table, "Ash").has("untrained")
    give(table, Declare("Thug", 1))
    # Untrained: Agility 3D less one.
    cut = {"do": "attack", "by": "Ash", "target": "Thug"}
    give(table, Attack("Thug", "Ash", "pistol"), ("interrupt", cut), [2, 2], [2, 2, 2, 2])
    assert not now(table, "Ash").has("untrained") and not now(table, "Ash").open_turn


@pytest.mark.rules("RON-INT-6", "RON-ACT-13")
def test_one_who_waits_loses_the_action_in_hand() -> None:
    table = ambush()
    give(table, Declare("Thug", 1))
    # 17 against passive Resolve 12: five points.
    table.order(Interact("Thug", "taunt", "Ash"))
    for reply in (("interrupt", None), [5, 5, 4, 3], ("effect", "lost_action")):
        reply_to(table, reply)
    assert now(table, "Ash").used == 2 and not now(table, "Ash").waiting and now(table, "Ash").lost == 0


@pytest.mark.rules("RON-INT-6")
def test_one_who_has_acted_loses_the_first_action_of_the_next_turn_or_all_of_a_turn_with_a_limit_of_one() -> None:
    slow = Sheet((("Agility", Code(1)), *ATTRIBUTES[2:]), SKILLS, (PISTOL,))
    table = fight(
        fighter("Ash", "a", (0, 0), 12), fighter("Thug", "b", (5, 0), 9, acted=True, lost=1),
        Fighter("Slow", "Slow", "b", slow, at=(5, 1), initiative=8, held=("pistol",), lost=1), turn="Ash",
    )  # fmt: skip
    give(table, End("Ash"))
    with pytest.raises(IllegalOrder):
        table.order(Attack("Slow", "Ash"))
    give(table, End("Slow"), [3, 3, 3], [2, 2, 2], [1, 1, 1])
    assert now(table, "Slow").lost == 0 and now(table, "Thug").lost == 1
    give(table, End("Ash"))
    # Thug wants one shot: the forfeited Action comes first, so it is the second of two at -1D.
    give(table, Attack("Thug", "Ash", "pistol"), [2, 2, 2])
    assert (now(table, "Thug").declared, now(table, "Thug").used, now(table, "Thug").lost) == (2, 2, 0)


# ---- a standing defense against several


@pytest.mark.rules("RON-DEF-3", "RON-DEF-6", "RON-DEF-7", "RON-DEF-8")
def test_a_standing_dodge_with_carried_points_meets_three_attackers() -> None:
    table = fight(
        fighter("Ash", "a", (0, 0), 15), fighter("One", "b", (5, 0), 9),
        fighter("Two", "b", (5, 1), 8), fighter("Three", "b", (5, 2), 7), turn="Ash",
    )  # fmt: skip
    give(table, Dodge("Ash"), [4, 4, 3, 3, 1])  # 15
    give(table, End("Ash"))
    give(table, Attack("One", "Ash", "pistol"), [3, 2, 2, 2])  # 9 misses by 6: Passive Defense 17
    assert now(table, "Ash").carried == 6
    give(table, End("One"))
    # 16 beats the Dodge but not 17: it misses, and leaves no points since the Test did not beat it.
    give(table, Attack("Two", "Ash", "pistol"), [4, 4, 4, 4])
    assert now(table, "Ash").carried == 6 and now(table, "Ash").wounds == 0
    give(table, End("Two"))
    # 18 hits with one point over 17; damage 15 under 16 does nothing.
    give(table, Attack("Three", "Ash", "pistol"), [5, 5, 4, 4], [4, 4, 4, 3])
    assert ("result_points", 1) in [pair for event in table.entries[-1].events if isinstance(event, Noted) for pair in event.data]
    # The next Round: still standing until Ash's turn begins.
    give(table, End("Three"), [1, 1, 1], [5, 4, 3], [4, 4, 3], [3, 3, 3])
    assert table.up() == ("One",) and now(table, "Ash").carried == 6 and now(table, "Ash").standing
    for who in ("One", "Two", "Three"):
        give(table, End(who))
    assert table.up() == ("Ash",) and now(table, "Ash").carried == 0 and now(table, "Ash").standing == ()


# ---- points after the Damage Total


@pytest.mark.rules("RON-DMG-7", "RON-DMG-8", "RON-DMG-9")
def test_points_are_spent_on_resistance_once_the_damage_total_is_known() -> None:
    table = fight(fighter("Ash", "a", (0, 0), 12, character=3, fate=1), fighter("Thug", "b", (5, 0), 15), turn="Thug")
    table.order(Attack("Thug", "Ash", "pistol"))
    reply_to(table, [3, 3, 3, 2])  # 11 hits
    reply_to(table, [6, 6, 6, 5, 5, 5, 4])  # 37 against 16
    assert table.open is not None
    assert any(getattr(e, "note", "") == "damage.total" and ("total", 37) in e.data for e in table.open.events)  # type: ignore[union-attr]
    asked = table.open.requests[0].request
    assert (asked.by, asked.why.key) == ("Ash", "fate") and asked.seen[1] == 21  # type: ignore[union-attr]
    reply_to(table, ("fate", False))
    with pytest.raises(BadAnswer):
        reply_to(table, ("points", 4))
    reply_to(table, ("points", 2))
    reply_to(table, [6, 3, 4])  # two Wild Dice: 9 and 4; 21 - 13 = 8, one Wound
    assert now(table, "Ash").wounds == 1 and now(table, "Ash").character == 1 and now(table, "Ash").used == 0
    # Taken back with their dice, the points are asked for again; the damage lies as it fell.
    for _ in range(4):
        table.undo()
    assert table.open is not None and table.open.requests[0].request.why.key == "points"
    assert now(table, "Ash").character == 3
    # Without them 21 over are three Wounds, and the Test to stay awake is due.
    reply_to(table, ("points", 0))
    assert now(table, "Ash").wounds == 3 and table.open is not None
    assert table.open.requests[0].request.why.key == "stay awake by"


@pytest.mark.rules("RON-DMG-9")
def test_a_fate_point_that_is_enough_asks_for_no_more() -> None:
    table = fight(fighter("Ash", "a", (0, 0), 12, character=3, fate=1), fighter("Thug", "b", (5, 0), 15), turn="Thug")
    # 31 over 16 is 15, doubled toughness and armor are 16 more: 15 - 16 is below, nothing happens.
    give(table, Attack("Thug", "Ash", "pistol"), [3, 3, 3, 2], [6, 6, 6, 5, 3, 3, 2], ("fate", True))
    assert (now(table, "Ash").fate, now(table, "Ash").character, now(table, "Ash").stunned) == (0, 3, False)


# ---- corrections in the middle


@pytest.mark.rules("RON-DMG-3")
def test_a_correction_in_the_middle_of_an_attack_keeps_the_answers_that_still_fit() -> None:
    table = fight(fighter("Ash", "a", (0, 0), 12), fighter("Thug", "b", (5, 0), 15), turn="Thug")
    table.order(Attack("Thug", "Ash", "pistol"))
    reply_to(table, [3, 3, 3, 3])
    # Ash had two Wounds already, says the Game Master: the attack roll stands, and the damage is still awaited.
    table.order(Set("master", who="Ash", fields={"wounds": 2}, why="forgotten"))
    assert table.open is not None and table.open.requests[0].request.why.key == "damage"
    reply_to(table, [5, 3, 3, 2])  # 13: nothing
    assert now(table, "Ash").wounds == 2
    assert [entry.order.verb for entry in table.entries[-2:]] == ["set", "attack"]


@pytest.mark.rules("RON-DMG-11")
def test_a_correction_that_changes_the_pool_asks_for_the_roll_anew() -> None:
    table = fight(fighter("Ash", "a", (0, 0), 12), fighter("Thug", "b", (5, 0), 15), turn="Thug")
    table.order(Attack("Thug", "Ash", "pistol"))
    reply_to(table, [3, 3, 3, 3])
    table.order(Set("master", who="Thug", fields={"wounds": 1}))
    assert table.open is not None and table.open.requests[0].request.why.key == "attack"
    assert str(table.open.requests[0].request.pool) == "3D"  # type: ignore[union-attr]
    reply_to(table, [2, 2, 2])
    assert table.open is None


@pytest.mark.rules("RON-ACT-14")
def test_a_correction_that_makes_a_recorded_cut_in_impossible_asks_for_another() -> None:
    table = ambush()
    give(table, Declare("Thug", 1))
    table.order(Attack("Thug", "Bo", "pistol"))
    reply_to(table, ("interrupt", {"do": "attack", "by": "Ash", "target": "Thug", "weapon": "pistol"}))
    assert table.open is not None and table.open.requests[0].request.why.key == "attack"
    table.order(Set("master", who="Ash", fields={"held": ["sword"]}, why="the pistol lay on the ground"))
    assert table.open is not None and table.open.requests[0].request.why.key == "interrupt"
    reply_to(table, ("interrupt", None))
    reply_to(table, [2, 2, 2, 2])
    assert table.open is None


# ---- a group taken back


@pytest.mark.rules("RON-TIME-6")
def test_six_attacks_of_a_group_are_taken_back_one_by_one() -> None:
    guards = [fighter(f"Guard {n}", "b", (5, n), 9, group="Guard") for n in range(1, 7)]
    table = fight(fighter("Ash", "a", (0, 0), 4), *guards)
    states = [table.state]
    for guard in guards:
        table.order(Attack(guard.id, "Ash", "pistol"))
        reply_to(table, [3, 3, 3, 3])  # 12 hits 11
        reply_to(table, [5, 4, 4, 3])  # 16 stuns
        table.order(End(guard.id))
        states.append(table.state)
    assert table.up() == ("Ash",) and now(table, "Ash").stunned
    for n in range(6, 0, -1):
        table.undo()  # the end of the turn
        for _ in range(8):
            table.undo()  # four dice of damage, four of the attack, each typed by hand
        table.undo()  # the attack itself
        assert table.state == states[n - 1], n
    assert table.up()[0] == "Guard 1" and not now(table, "Ash").stunned
    for _ in range(10):
        table.redo()
    assert table.state == states[1]
