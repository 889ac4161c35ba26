"""Interactions, holds and heads-down fire: odds worked out by hand, odds against live dice, and rules that meet each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import sqrt
from typing import Any

import pytest
from msgspec.structs import replace

from affray.dice import Code
from affray.encounter import Encounter
from affray.events import get
from affray.interpreters.exact import Exact
from affray.interpreters.live import Live
from affray.ruleset import find
from affray.rulesets.rond6.interaction import Interact
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import Condition, Fighter, Sheet, Standing, State, Weapon
from affray.rulesets.rond6.special.grapple import Disarm, Escape, Grapple
from affray.rulesets.rond6.special.heads_down import HeadsDown
from affray.scene import Recorder

RULES = find("rond6")
RIFLE = Weapon("rifle", "ranged", Code(4), ranges=(10, 25, 50), modes=("single", "auto"))
SWORD = Weapon("sword", "melee", Code(4))
SKILLS = {
    "Ranged Weapons": 5, "Melee Weapons": 4, "Fighting": 4, "Dodge": 5,
    "Persuasion": 4, "Resolve": 3, "Athletics": 4, "Acrobatics": 4,
}  # fmt: skip


class Plain:
    """Takes every default."""

    name = "plain"

    def answer(self, request: Any, state: Any, pick: Any) -> Any:
        return request.default


def fighter(name: str, side: str, at: tuple[int, int], skills: dict[str, int] | None = None, **more: Any) -> Fighter:
    attributes = tuple((one, Code(3)) for one in ("Strength", "Agility", "Stamina", "Perception", "Presence", "Will Power"))
    codes = tuple((skill, Code(dice)) for skill, dice in {**SKILLS, **(skills or {})}.items())
    sheet = Sheet(attributes, codes, (RIFLE, SWORD))
    return Fighter(name, name, side, sheet, at=at, **{"held": ("rifle", "sword"), "initiative": 5, **more})


def scene(*fighters: Fighter, **rulings: Any) -> State:
    return State(tuple(fighters), Rulings(**rulings), round=1, turn=fighters[0].id)


def odds(state: State, order: Any, label: Callable[[State], Any], watch: str = "") -> dict[Any, float]:
    exact = Exact(state, lambda who: Plain(), watch=frozenset({watch}) if watch else None)  # type: ignore[arg-type, return-value]
    return exact.odds(lambda ask: RULES.perform(ask, order), label)


def live(state: State, order: Any, label: Callable[[State], Any], times: int) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for n in range(times):
        recorder = Recorder(state, Live(11, n, lambda who: Plain()))  # type: ignore[arg-type, return-value]
        RULES.perform(recorder, order)
        found[label(recorder.state)] += 1
    return found


def agrees(state: State, order: Any, label: Callable[[State], Any], times: int = 3000, watch: str = "") -> None:
    """Live dice fall as often as the odds say, within four standard deviations."""
    exact, thrown = odds(state, order, label, watch), live(state, order, label, times)
    assert abs(sum(exact.values()) - 1) < 1e-9
    assert set(thrown) <= set(exact)
    for what, chance in exact.items():
        spread = sqrt(times * chance * (1 - chance))
        assert abs(thrown[what] - times * chance) <= 4 * spread + 1, (what, chance, thrown[what] / times)


# ---- by hand


@pytest.mark.rules("RON-INT-3", "RON-INT-4", "RON-INT-10")
def test_a_taunt_with_one_die_against_a_passive_resolve_of_nine() -> None:
    state = scene(fighter("Ash", "a", (0, 0), {"Persuasion": 1}), fighter("Guard", "b", (5, 0), {"Resolve": 1}))

    def label(after: State) -> tuple[bool, bool]:
        return bool(get(after, "Guard").lost), get(after, "Guard").has("stymied")

    chances = odds(state, Interact("Ash", "taunt", "Guard"), label)
    # 10 + (1 - 2) = 9 is reached by a 6 and then 3 or more: 1/6 * 4/6. Exactly 10 (one point, Stymied) is 6 and 4.
    assert sum(w for (lost, stymied), w in chances.items() if stymied and not lost) == pytest.approx(1 / 36)
    # Five points: 14, that is two 6s and 2 or more: 1/36 * 5/6.
    assert sum(w for (lost, _), w in chances.items() if lost) == pytest.approx(5 / 216)


@pytest.mark.rules("RON-SPC-10", "RON-DICE-6")
def test_equals_break_a_hold_four_times_in_seven() -> None:
    # Each Wild Die alone: totals 6k + j (j from 1 to 5) with 1/6^(k+1). Equal: the sum of 5/36^(k+1) is 1/7.
    # The escaper wins ties: (1 + 1/7) / 2.
    held = fighter("Ash", "a", (0, 0), {"Fighting": 1}, conditions=(Condition("grappled"),), grappled_by="Guard")
    state = scene(held, fighter("Guard", "b", (1, 0), {"Fighting": 1}))
    chances = odds(state, Escape("Ash"), lambda s: get(s, "Ash").has("grappled"))
    assert chances[False] == pytest.approx(4 / 7)


@pytest.mark.rules("RON-SPC-12", "RON-DICE-6")
def test_each_pinned_by_the_same_shot_four_times_in_seven() -> None:
    shooter = fighter("Ash", "a", (0, 0), {"Ranged Weapons": 1})
    state = scene(shooter, fighter("A", "b", (5, 0), {"Resolve": 1}), fighter("B", "b", (5, 1), {"Resolve": 1}))
    order = HeadsDown("Ash", at=(5, 0), weapon="rifle")
    for who in ("A", "B"):
        chances = odds(state, order, lambda s, who=who: get(s, who).lost, who)  # type: ignore[misc]
        assert chances[1] == pytest.approx(4 / 7)


# ---- against live dice


@pytest.mark.rules("RON-INT-1", "RON-INT-4", "RON-CON-5")
@pytest.mark.parametrize(
    "ruling", [{}, {"interaction_defense": "opposed_free"}, {"result_points": "per5"}, {"setback": "roll_1d6"}]
)
def test_effects_of_a_trick_come_as_often_as_worked_out(ruling: dict[str, str]) -> None:
    state = scene(fighter("Ash", "a", (0, 0), {"Persuasion": 5}), fighter("Guard", "b", (5, 0)), **ruling)

    def label(after: State) -> Any:
        guard = get(after, "Guard")
        return (guard.lost, guard.fatigue, guard.prone, len(guard.held), tuple(c.name for c in guard.conditions))

    agrees(state, Interact("Ash", "trick", "Guard"), label)


@pytest.mark.rules("RON-SPC-23")
def test_holds_and_disarms_come_as_often_as_worked_out() -> None:
    standing = (Standing("block", 13), Standing("dodge", 12))
    state = scene(fighter("Ash", "a", (0, 0), declared=2), fighter("Guard", "b", (1, 0), standing=standing))

    def label(after: State) -> Any:
        guard = get(after, "Guard")
        return (guard.grappled_by, guard.held, guard.carried, guard.wounds, guard.stunned)

    agrees(state, Grapple("Ash", "Guard"), label)
    agrees(state, Disarm("Ash", "Guard", "sword", "rifle"), label)


@pytest.mark.rules("RON-SPC-12")
def test_pinning_fire_comes_as_often_as_worked_out() -> None:
    state = scene(fighter("Ash", "a", (0, 0), {"Ranged Weapons": 3}), fighter("A", "b", (5, 0)), fighter("B", "b", (6, 0)))
    agrees(state, HeadsDown("Ash", ("A", "B"), "rifle"), lambda s: get(s, "B").lost, 1000, "B")


# ---- rules that meet


def pools(state: State, order: Any, *faces: list[int]) -> list[str]:
    """The pools that an order asks for, thrown with these faces."""
    table = Encounter(RULES, state, typed="all", auto=False)
    table.order(order)
    asked = []
    for face in faces:
        assert table.open is not None
        request = table.open.requests[0]
        asked.append(str(request.request.pool))  # type: ignore[union-attr]
        table.answer(request.n, face)
    while table.open:
        table.answer(table.open.requests[0].n, table.open.requests[0].request.default)  # type: ignore[union-attr]
    return asked


@pytest.mark.rules("RON-SPC-12", "RON-DMG-11", "RON-CON-2", "RON-ATK-7", "RON-ACT-8")
def test_heads_down_by_a_wounded_shooter_at_medium_range() -> None:
    # 5D less two Wounds and Stunned: 2D, and -5 at 20 Spaces. The target resists with 3D less its own Wound; that it has
    # declared three Actions and is Stunned matters neither to a free roll nor to a mental one.
    ash = fighter("Ash", "a", (0, 0), wounds=2, stunned=True)
    target = fighter("A", "b", (20, 0), wounds=1, stunned=True, declared=3, used=3)
    table = Encounter(RULES, scene(ash, target), typed="all", auto=False)
    table.order(HeadsDown("Ash", ("A",), "rifle"))
    assert table.open is not None and str(table.open.requests[0].request.pool) == "2D"  # type: ignore[union-attr]
    table.answer(0, [6, 4, 5])  # 15 - 5 = 10
    assert str(table.open.requests[0].request.pool) == "2D"  # type: ignore[union-attr]
    table.answer(table.open.requests[0].n, [5, 5])  # a tie does not beat it
    assert table.open.requests[0].request.why.key == "seek_cover"
    table.answer(table.open.requests[0].n, [22, 0])
    assert get(table.state, "A").lost == 1 and get(table.state, "A").at == (22, 0)


@pytest.mark.rules("RON-SPC-23", "RON-ACT-7", "RON-SPC-16", "RON-SPC-9", "RON-CON-4")
def test_a_grapple_of_a_prone_target_among_several_actions() -> None:
    # Fighting 4D, less one for two Actions, less one Fatigue: 2D; +5 since the target lies: 6 + 5 = 11 reaches 11.
    ash = fighter("Ash", "a", (0, 0), declared=2, fatigue=1)
    state = scene(ash, fighter("Guard", "b", (1, 0), prone=True))
    table = Encounter(RULES, state, typed="all", auto=False)
    table.order(Grapple("Ash", "Guard"))
    assert table.open is not None and str(table.open.requests[0].request.pool) == "2D"  # type: ignore[union-attr]
    table.answer(0, [3, 3])
    assert get(table.state, "Guard").grappled_by == "Ash" and get(table.state, "Ash").used == 1


@pytest.mark.rules("RON-SPC-10", "RON-DMG-10", "RON-ACT-7", "RON-ACT-8")
def test_an_escape_by_a_stunned_one_among_two_actions() -> None:
    # 4D less Stunned, less two Actions: 2D. The holder rolls the whole 4D although it has declared three Actions.
    held = fighter("Ash", "a", (0, 0), conditions=(Condition("grappled"),), grappled_by="Guard", declared=2, stunned=True)
    assert pools(scene(held, fighter("Guard", "b", (1, 0), declared=3)), Escape("Ash"), [3, 3], [1, 1, 1, 1]) == ["2D", "4D"]


@pytest.mark.rules("RON-SPC-21", "RON-DEF-6", "RON-INT-3")
def test_surprise_takes_away_the_first_standing_defense_only() -> None:
    guard = fighter(
        "Guard", "b", (5, 0), conditions=(Condition("surprised"),), standing=(Standing("resolve", 16), Standing("dodge", 16))
    )
    state = scene(fighter("Ash", "a", (0, 0), declared=2), guard)
    table = Encounter(RULES, state, typed="all", auto=False)
    # The taunt meets passive Resolve 11: 12 is enough; from then on the shot meets the Dodge of 16.
    table.order(Interact("Ash", "taunt", "Guard"))
    table.answer(0, [4, 4, 4])
    table.answer(1, "stop")
    assert table.open is None and get(table.state, "Guard").attacked
    from affray.rulesets.rond6.attack import Attack

    table.order(Attack("Ash", "Guard", "rifle"))
    table.answer(0, [4, 4, 4, 3])
    assert table.open is None and get(table.state, "Guard").carried == 1


@pytest.mark.rules("RON-SPC-23", "RON-SPC-6", "RON-ATK-12", "RON-DICE-12")
def test_a_disarm_from_afar_past_cover_is_no_damage() -> None:
    # Ranged Weapons 5D less one for the small gun; Defense 11 + 5 of cover.
    state = scene(fighter("Ash", "a", (0, 0)), fighter("Guard", "b", (8, 0), cover=5))
    for faces, held in (([5, 4, 4, 3], ("sword",)), ([5, 4, 4, 2], ("rifle", "sword"))):
        table = Encounter(RULES, state, typed="all", auto=False)
        table.order(Disarm("Ash", "Guard", "rifle", "rifle"))
        table.answer(0, faces)
        assert table.open is None and get(table.state, "Guard").held == held and get(table.state, "Guard").wounds == 0


@pytest.mark.rules("RON-CON-9", "RON-DEF-5")
def test_a_hold_ends_with_its_holder_and_may_lower_the_defense() -> None:
    held = fighter("Ash", "a", (0, 0), conditions=(Condition("grappled"),), grappled_by="Guard", initiative=3)
    others = (fighter("Guard", "b", (1, 0), out="unconscious"), fighter("Bo", "b", (9, 0), initiative=2))
    state = replace(scene(held, *others), turn="")
    assert RULES.numbers(replace(state, rulings=Rulings(helpless_defense="agility_zero")), "Ash")["passive_defence"].value == 8
    table = Encounter(RULES, state)
    table.advance()
    assert table.up() == ("Ash",) and not get(table.state, "Ash").has("grappled")


@pytest.mark.rules("RON-TIME-8", "RON-TIME-3")
def test_the_immobilized_lose_their_turns_but_not_the_fight() -> None:
    stuck = fighter("Guard", "b", (1, 0), initiative=9, conditions=(Condition("immobilized", rounds=1),))
    table = Encounter(RULES, replace(scene(fighter("Ash", "a", (0, 0)), stuck), turn=""))
    table.advance()
    assert table.up() == ("Ash",) and not RULES.over(table.state)
