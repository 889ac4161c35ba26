"""Exact odds of a shot against a direct count of all throws, as fractions: every row at every band, and what helps or hinders."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from affray.ask import Why
from affray.interpreters.exact import Exact
from affray.interpreters.replay import Scripted
from affray.modifiers import NO_PARTS
from affray.rulesets.cepheus import RULESET, attack, commands, numbers
from affray.rulesets.cepheus.mechanics import opposed, pick, resolve
from affray.rulesets.cepheus.movement import starting_pairs
from affray.rulesets.cepheus.sheet import SCORES, Fighter, Held, Mode, Pair, Sheet, State, Weapon
from affray.rulesets.cepheus.special.stray import aimless
from affray.scene import Recorder

NO = None
PRINTED: dict[str, list[int | None]] = {
    "close_quarters": [0, -2, NO, NO, NO, NO, NO],
    "extended_reach": [-2, 0, NO, NO, NO, NO, NO],
    "thrown": [NO, 0, -2, -2, NO, NO, NO],
    "pistol": [-2, 0, 0, -2, -4, NO, NO],
    "rifle": [-4, -2, 0, 0, 0, -2, -4],
    "shotgun": [-2, 0, -2, -2, -4, NO, NO],
    "assault_weapon": [-2, 0, 0, 0, -2, -4, -6],
    "rocket": [-4, -2, -2, 0, 0, -2, -4],
}
"""The grid once more, typed from the book."""
METRES = [0.0, 3.0, 7.5, 30.0, 150.0, 375.0, 600.0]
FACES = range(1, 7)


class Answers:
    """A policy with one answer for each question."""

    def __init__(self, **answers: Any) -> None:
        self.name = str(sorted(answers.items()))
        self.answers = answers

    def order(self, state: Any, who: str, pick: Any) -> Any:
        raise AssertionError

    def answer(self, request: Any, state: Any, pick: Any) -> Any:
        return self.answers.get(request.why.key, request.default)


def scene(row: str, metres: float, modes: tuple[Mode, ...] = (Mode("single"),), **target: Any) -> State:
    """Mara (skill 2, Dexterity +1, Strength 0) with a 3D6 weapon of that row, and Voss."""
    melee = row in numbers.MELEE_ROWS
    skill = "Athletics" if row == "thrown" else "Melee" if melee else "Gun"
    weapon = Weapon("gun", "melee" if melee else "ranged", (row,), "3D6", (), (skill,), modes=modes, magazine=0 if melee else 100)
    shooter = Sheet(7, 9, 8, skills=((skill, 2),), weapons=(weapon,))
    victim = Sheet(10, 6, 6)
    held = (Held("gun", True, weapon.magazine),)
    fighters = (
        Fighter("Mara", "a", shooter, **{n: getattr(shooter, n) for n in SCORES}, held=held, rolled=True, aware=("Voss",)),
        Fighter("Voss", "b", victim, **{n: getattr(victim, n) for n in SCORES}, rolled=True, aware=("Mara",), **target),
    )
    state = State(fighters, phase="fight", turn="Mara", pairs=(Pair("Mara", "Voss", metres),))
    return replace(state, pairs=starting_pairs(state))


def hits(dm: int, dice: int = 2) -> Fraction:
    """Share of all throws that reach 8; of three dice the highest is dropped."""
    found = sum(sum(sorted(faces)[:2]) + dm >= 8 for faces in product(FACES, repeat=dice))
    return Fraction(found, 6**dice)


def chance(state: State, order: Any, reaction: str = "none") -> Fraction:
    """The exact interpreter's chance that the attack hits."""
    built = attack.built(state, order)
    circ = numbers.circumstances(state, "Mara", "Voss")
    line = numbers.line(state["Mara"], built, circ, state.rulings)
    guard = numbers.guard(state["Voss"], built, circ, state.rulings, reaction)
    exact = Exact(state, lambda who: Answers(), number=Fraction)
    mechanic = aimless if line.pool == 3 else resolve
    outcomes = exact.solve(mechanic, (line, guard))
    effects = [(o if line.pool == 3 else o.effect, weight) for o, weight in outcomes]
    return sum((weight for effect, weight in effects if effect >= 0), Fraction(0))


@pytest.mark.rules("CEP-ATK-5", "CEP-ATK-6", "CEP-RNG-1")
@pytest.mark.parametrize(("row", "band"), list(product(PRINTED, range(7))))
def test_every_row_at_every_band(row: str, band: int) -> None:
    state, order = scene(row, METRES[band]), commands.Attack("Mara", "Voss", "gun")
    printed = PRINTED[row][band]
    refusal = RULESET.why_not(state, order)
    if printed is NO:
        assert refusal is not None and refusal.rule == "CEP-ATK-6"
        return
    assert refusal is None
    assert chance(state, order) == hits(3 + printed)


COVERS = {0: 0, 1: 0, 2: -1, 3: -2, 4: -4}


@pytest.mark.rules("CEP-COV-1", "CEP-COV-2", "CEP-STN-3", "CEP-REA-5")
@pytest.mark.parametrize(("band", "cover", "stance", "reaction"), [
    *product((0, 1, 2, 3, 6), range(5), ("standing", "crouched", "prone"), ("none", "dodge")),
])  # fmt: skip
def test_cover_stance_and_dodge_with_a_rifle(band: int, cover: int, stance: str, reaction: str) -> None:
    if stance == "prone" and reaction == "dodge":
        return  # nobody dodges lying down
    state = scene("rifle", METRES[band], cover=cover, stance=stance)
    order = commands.Attack("Mara", "Voss", "gun")
    if cover == 4 and stance != "standing":
        refusal = RULESET.why_not(state, order)
        assert refusal is not None and refusal.rule == "CEP-COV-3"
        return
    counted = min(4, cover + 1) if cover and stance != "standing" else cover
    dm = 3 + (PRINTED["rifle"][band] or 0) + COVERS[counted]
    if stance == "prone":
        dm += 2 if band == 0 else 0 if band == 1 else -2
    if reaction == "dodge":
        dm -= 2 if cover else 1
    assert chance(state, order, reaction) == hits(dm)


@pytest.mark.rules("CEP-BUR-2")
@pytest.mark.parametrize(("rounds", "spray"), [(2, 1), (3, 1), (4, 1), (10, 2), (20, 3), (100, 4)])
def test_sprayed_bursts(rounds: int, spray: int) -> None:
    state = scene("rifle", 30.0, (Mode("burst", rounds),))
    assert chance(state, commands.Attack("Mara", "Voss", "gun", fire="spray")) == hits(3 + spray)
    assert chance(state, commands.Attack("Mara", "Voss", "gun", fire="grouped")) == hits(3)


@pytest.mark.rules("CEP-BLD-2", "CEP-BLD-1")
def test_blind_fire_counts_216_throws() -> None:
    state = scene("rifle", 30.0)
    state = replace(state, pairs=(Pair("Mara", "Voss", 30.0, unseen=True),))
    assert chance(state, commands.Attack("Mara", "Voss", "gun")) == hits(1, 3)


@pytest.mark.rules("CEP-DMG-1", "CEP-DMG-2", "CEP-DMG-5", "CEP-REA-1")
@pytest.mark.parametrize("reaction", ["none", "dodge"])
def test_the_whole_attack_against_a_count_of_36_times_216_throws(reaction: str) -> None:
    """Where Voss (10/6/6) stands after one shot, when the automatic choice places his damage."""
    state = scene("rifle", 30.0)
    exact = Exact(state, lambda who: Answers(react=reaction), number=Fraction)
    order = commands.Attack("Mara", "Voss", "gun")

    def left(state: State) -> tuple[int, int]:
        voss = state["Voss"]
        return voss.endurance, voss.strength + voss.dexterity + voss.endurance

    odds = exact.odds(lambda s: RULESET.perform(s, order), left)
    counted: Counter[tuple[int, int]] = Counter()
    dm = 3 - (reaction == "dodge")
    damage = Counter(sum(faces) for faces in product(FACES, repeat=3))
    for a, b in product(FACES, repeat=2):
        effect = a + b + dm - 8
        for points, ways in damage.items():
            lost = points + effect if effect >= 0 else 0
            counted[max(0, 6 - lost), 22 - min(22, lost)] += ways
    assert odds == {key: Fraction(ways, 36 * 216) for key, ways in counted.items()}
    assert sum(odds.values()) == 1


@pytest.mark.rules("CEP-CHK-9", "CEP-BLD-3")
def test_what_is_thrown_again_has_odds_too() -> None:
    """Equals throw again until one is ahead; a die for four or five is thrown again beyond them."""
    exact = Exact(State(()), lambda who: Answers(), number=Fraction)
    won: Counter[bool] = Counter()
    for outcome, weight in exact.solve(opposed, (NO_PARTS, NO_PARTS, (7, 7), Why("grapple", "CEP-GRP-1"))):
        won[outcome[0]] += weight  # type: ignore[assignment]
    assert dict(won) == {True: Fraction(1, 2), False: Fraction(1, 2)}
    for n in range(2, 9):
        assert dict(exact.solve(pick, (n, Why("victim", "CEP-BLD-3")))) == {i: Fraction(1, n) for i in range(n)}


def test_results_in_words() -> None:
    """A shot at Medium: the words, and the measures, add up to what was counted above."""
    from affray.odds.actions import Lab

    state = scene("rifle", 30.0)
    preview = Lab(RULESET, state, {"a": "aggressive", "b": "aggressive"}).of(commands.Attack("Mara", "Voss", "gun"))
    words = {str(word): float(weight) for word, weight in preview.watched[0].results.outcomes}
    assert abs(sum(words.values()) - 1) < 1e-9
    assert set(words) <= {"miss", "no harm", "wounded", "seriously wounded", "unconscious", "dead"}


def test_ways_to_aim_are_legal() -> None:
    state = scene("rifle", 30.0)
    for _, _, orders in RULESET.plans(state, commands.Attack("Mara", "Voss", "gun")):
        now = state
        for order in orders:
            if order is None:
                now = RULESET.ready(now, "Mara")
                continue
            assert RULESET.why_not(now, order) is None
            recorder = Recorder(now, Scripted([1] * 20, take_defaults=True))
            RULESET.perform(recorder, order)
            now = recorder.state
