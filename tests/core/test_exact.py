"""Exact odds against calculations by hand, against live dice, and pools against icepool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from math import sqrt
from typing import Any

import icepool
import pytest

from affray.dice import Code, Flagged, PlainPool, WildPool
from affray.interpreters.exact import Exact
from affray.interpreters.live import Live
from affray.interpreters.replay import Replay
from affray.rulesets.rond6 import RULESET
from affray.rulesets.rond6.attack import Attack
from affray.rulesets.rond6.defence import Dodge
from affray.rulesets.rond6.sheet import Condition, Fighter, Sheet, State, Weapon
from affray.scene import Recorder
from affray.totals import CUT

SAMPLES = 100_000


class Miser:
    """Takes the default of every question, except those that it has an answer for."""

    def __init__(self, name: str = "miser", **answers: Any) -> None:
        self.name, self.answers = name, answers

    def order(self, state: Any, who: str, pick: Any) -> Any:
        raise AssertionError

    def answer(self, request: Any, state: Any, pick: Any) -> Any:
        return self.answers.get(request.why.key, request.default)


STOP = Miser("stop", feat="stop")
BUYER = Miser("buyer")
"""Buys dice with all Result Points: the default."""


def duel(attack: int, damage: int, stymied: bool = False, **target: Any) -> State:
    """Ash with a club against Bo, whose Passive Defense is 10 and whose Damage Resistance Total is 8.

    Ash rolls `attack` dice and `damage` dice; stymied, no Wild Die is thrown again.
    """
    plain = tuple((name, Code(2)) for name in ("Strength", "Agility", "Stamina", "Perception", "Will Power"))
    club = Weapon("club", "melee", Code(damage))
    sheet = Sheet(plain, (("Melee Weapons", Code(attack)), ("Dodge", Code(2))), (club,))
    conditions = (Condition("stymied"),) if stymied else ()
    ash = Fighter("Ash", "Ash", "a", sheet, at=(0, 0), held=("club",), conditions=conditions)
    bo = Fighter("Bo", "Bo", "b", sheet, at=(1, 0), held=("club",), conditions=conditions, **target)
    return State((ash, bo), round=1, turn="Ash")


def after(state: State) -> tuple[int, bool, str]:
    bo = state.fighters[1]
    return min(5, bo.wounds), bo.stunned, bo.out


def exact(state: State, order: Any, policy: Any, label: Callable[[Any], Any] = after) -> dict[Any, Fraction]:
    scene = Exact(state, lambda who: policy, watch=frozenset({"Ash", "Bo"}), number=Fraction)
    return scene.odds(lambda s: RULESET.perform(s, order), label)


def live(state: State, order: Any, policy: Any, samples: int, label: Callable[[Any], Any] = after) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for entry in range(samples):
        scene = Recorder(state, Replay((), Live(11, entry, lambda who: policy)))
        RULESET.perform(scene, order)
        found[label(scene.state)] += 1
    return found


def agree(odds: Mapping[Any, Fraction], found: Counter[Any]) -> None:
    samples = found.total()
    assert set(found) <= set(odds)
    for label, chance in odds.items():
        p = float(chance)
        assert abs(found[label] / samples - p) <= 4 * sqrt(p * (1 - p) / samples) + 3 / samples, label


@pytest.mark.rules("RON-ATK-1", "RON-DMG-3")
def test_attack_by_hand() -> None:
    """1D against 10: a 6 and then 4 to 6, (1/6)(3/6) = 1/12.

    1D damage against 8: Stunned by a total of 8 to 13, that is 6 and 2 to 5 (4/36), or 6, 6, 1 (1/216): 25/216.
    Wounds from 14 up, that is 6, 6 and 2 or more: (1/36)(5/6) = 5/216, and 20 up, 6, 6, 6 and 2 or more, is 5/1296.
    """
    odds = exact(duel(1, 1), Attack("Ash", "Bo", "club"), STOP)
    stunned, wounded, twice = Fraction(25, 216), Fraction(5, 216), Fraction(5, 1296)
    assert odds[0, True, ""] == Fraction(1, 12) * stunned
    assert odds[1, True, ""] == Fraction(1, 12) * (wounded - twice)
    assert odds[0, False, ""] == 1 - Fraction(1, 12) * (stunned + wounded)
    assert sum(odds.values()) == 1


@pytest.mark.rules("RON-DEF-6", "RON-DEF-7")
def test_opposed_dodge_by_hand() -> None:
    """2D that do not explode on both sides: hit by 10 or more (6/36) if the dodge is at most 10 (33/36), by 11 or 12 (3/36)
    against a dodge of 11 (2/36), by 12 (1/36) against one of 12 (1/36): (198 + 6 + 1)/1296.
    """
    state = duel(2, 1, stymied=True)
    hits = Fraction(0)
    dodges = exact(RULESET.ready(state, "Bo"), Dodge("Bo"), STOP, lambda s: s)
    assert len(dodges) == 11
    for dodged, chance in dodges.items():
        odds = exact(RULESET.ready(dodged, "Ash"), Attack("Ash", "Bo", "club"), STOP, lambda s: 0)
        assert sum(odds.values()) == 1
        scene = Exact(RULESET.ready(dodged, "Ash"), lambda who: STOP, number=Fraction)

        def hit(state: Any, scene: Exact = scene) -> bool:
            return bool(scene.returned[0][0].hit)

        found = scene.odds(lambda s: RULESET.perform(s, Attack("Ash", "Bo", "club")), hit)
        hits += chance * found.get(True, Fraction(0))
    assert hits == Fraction(205, 1296)


@pytest.mark.rules("RON-RP-4", "RON-RP-2")
def test_damage_with_bought_dice_by_hand() -> None:
    """3D that do not explode reach 15 in 10 + 6 + 3 + 1 = 20 of 216 ways: 5 Result Points, one die more.

    1D damage cannot reach 8; 2D do in 15 of 36: 20/216 times 15/36 = 25/648.
    """
    odds = exact(duel(3, 1, stymied=True), Attack("Ash", "Bo", "club"), BUYER)
    assert odds == {(0, False, ""): 1 - Fraction(25, 648), (0, True, ""): Fraction(25, 648)}
    kept = exact(duel(3, 1, stymied=True), Attack("Ash", "Bo", "club"), STOP)
    assert kept == {(0, False, ""): Fraction(1)}


@pytest.mark.rules("RON-DMG-12")
def test_staying_awake_by_hand() -> None:
    """The third Wound calls for 2D against 10: Wild 4 and a 6, Wild 5 and 5 or 6: 3/36; or Wild 6 and then, of 36 pairs,
    all but the three that make less than 4: (1/6)(33/36). Together 18/216 + 33/216 = 17/72.
    """
    odds = exact(duel(1, 1, wounds=2), Attack("Ash", "Bo", "club"), STOP)
    one_wound = Fraction(1, 12) * (Fraction(5, 216) - Fraction(5, 1296))
    assert odds[3, True, ""] == one_wound * Fraction(17, 72)
    assert odds[3, True, "unconscious"] == one_wound * Fraction(55, 72)


@pytest.mark.parametrize("policy", [STOP, BUYER], ids=lambda p: p.name)
def test_live_dice_agree(policy: Any) -> None:
    """20,000 attacks with dice: every result within four standard deviations of its odds."""
    state, order = duel(5, 3, wounds=1), Attack("Ash", "Bo", "club")
    agree(exact(state, order, policy), live(state, order, policy, 20_000))


@pytest.mark.slow
@pytest.mark.parametrize("order", [Attack("Ash", "Bo", "club"), Dodge("Ash")], ids=lambda o: o.verb)
def test_many_live_dice_agree(order: Any) -> None:
    """100,000 live samples within four standard deviations."""

    def label(state: Any) -> Any:
        return after(state), state.fighters[0].standing

    state = duel(5, 3, wounds=1, character=2)
    agree(exact(state, order, BUYER, label), live(state, order, BUYER, SAMPLES, label))


def test_finishing_with_another_mechanic_changes_nothing() -> None:
    """`finish` gives what `call` would; a result that is not handed on as it is, is found out."""

    def die(ask: Any, dice: int) -> int:
        return int(ask.roll(PlainPool(dice), WHY, "x"))

    def finishing(ask: Any) -> Any:
        return ask.finish(die, die(ask, 1))

    def calling(ask: Any) -> Any:
        return ask.call(die, die(ask, 1))

    def spoiling(ask: Any) -> Any:
        return (ask.finish(die, 1), "more")

    scene = Exact(duel(1, 1), lambda who: STOP, number=Fraction)
    assert dict(scene.solve(finishing, ())) == dict(scene.solve(calling, ()))
    with pytest.raises(AssertionError, match="returned as it is"):
        scene.solve(spoiling, ())


def test_reading_a_roll_changes_nothing() -> None:
    """`read` gives what `roll` and the reading would, with one branch for each reading."""

    def reading(ask: Any) -> Any:
        return ask.read(PlainPool(3), WHY, "x", lambda total: total // 6)

    def rolling(ask: Any) -> Any:
        return ask.roll(PlainPool(3), WHY, "x") // 6

    scene = Exact(duel(1, 1), lambda who: STOP, number=Fraction)
    assert dict(scene.solve(reading, ())) == dict(scene.solve(rolling, ()))
    runs = scene.runs
    scene.solve(lambda ask: (reading(ask), 1), ())
    assert scene.runs - runs == 4
    answers = [Recorder(duel(1, 1), Live(3, n, lambda who: STOP)).call(reading) for n in range(20)]
    assert answers == [Recorder(duel(1, 1), Live(3, n, lambda who: STOP)).call(rolling) for n in range(20)]


WHY: Any = type("Why", (), {"key": "die", "rule": "", "text": ""})()


# ---- pools against an independent library


def weights(pool: Any) -> dict[Any, Fraction]:
    outcomes = pool.outcomes()
    whole = sum(weight for _, weight in outcomes)
    return {value: Fraction(weight, whole) for value, weight in outcomes}


def by_icepool(die: Any) -> dict[Any, Fraction]:
    return {value: Fraction(die.quantity(value), die.denominator()) for value in die if die.quantity(value)}


WILD = icepool.d6.explode(depth=CUT)
"""The last re-throw is the `CUT`th, and may show a 6 again: that counts 6 more there, and as its least total here."""


def cut(die: Any) -> Any:
    """A Wild Die of icepool with the tail that ours counts as its least value."""
    return die.map(lambda total: min(total, 6 * (CUT + 1)))


@pytest.mark.parametrize("dice", range(1, 25))
def test_wild_pools_against_icepool(dice: int) -> None:
    wild = cut(WILD)
    assert weights(WildPool(dice, dice % 3)) == by_icepool((wild + (dice - 1) @ icepool.d6) + dice % 3)


@pytest.mark.parametrize(("dice", "wilds"), [(2, 2), (4, 3), (6, 2), (9, 4)])
def test_several_wild_dice_against_icepool(dice: int, wilds: int) -> None:
    wild = cut(WILD)
    assert weights(WildPool(dice, 0, wilds)) == by_icepool(wilds @ wild + (dice - wilds) @ icepool.d6)


@pytest.mark.parametrize("drop", [0, 1, 2])
def test_plain_pools_against_icepool(drop: int) -> None:
    for dice in range(drop + 1, 10):
        theirs = icepool.d6.pool(dice).lowest(dice - drop).sum() if drop else dice @ icepool.d6
        assert weights(PlainPool(dice, drop)) == by_icepool(theirs)


@pytest.mark.parametrize("one", ["plain", "remove_highest", "table_1", "table_2"])
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_small_pools_by_brute_force(dice: int, one: str) -> None:
    """Every sequence of faces up to two re-throws, which leaves totals under 13 on the Wild Die exact."""
    pool = Flagged(WildPool(dice, 1, one=one))
    found: dict[Any, Fraction] = {}

    def go(faces: tuple[int, ...], weight: Fraction) -> None:
        if len(faces) > 2 and faces[:2] == (6, 6):
            return
        if pool.wanted(faces) is None:
            key = pool.read(faces)
            found[key] = found.get(key, Fraction(0)) + weight
            return
        for face in range(1, 7):
            go((*faces, face), weight / 6)

    go((), Fraction(1))
    ours = weights(pool)
    assert sum(ours.values()) == 1
    for (total, flagged), chance in found.items():
        if total < 14:
            assert ours[total, flagged] == chance, (total, flagged)
