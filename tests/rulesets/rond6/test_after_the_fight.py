"""After the fight: whatever is ordered at random keeps the state sound, runs again to the same events, and can be undone."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conformance.rulesets import rond6_start
from msgspec.structs import replace

from affray.dice import Code
from affray.encounter import Encounter
from affray.errors import IllegalOrder
from affray.interpreters.exact import Exact
from affray.interpreters.live import picker
from affray.interpreters.replay import Replay
from affray.record import refold
from affray.ruleset import find, sample_order
from affray.rulesets.rond6.healing import Treat
from affray.rulesets.rond6.rest import due
from affray.rulesets.rond6.sheet import Fighter, Sheet, State
from affray.scene import Recorder

ROND6 = find("rond6")


def beaten(seed: int) -> State:
    """One side is beaten; the others bear all sorts of marks."""
    start: State = rond6_start()
    marks = [
        {"wounds": seed % 5, "stunned": True, "fatigue": seed % 3, "declared": 2, "used": 1},
        {"wounds": 4, "out": "unconscious", "fainted": "wounds", "mortal": 1 + seed},
        {"wounds": 5, "out": "dead"},
        {"out": "unconscious", "asleep": 10 * (seed + 1), "fainted": "fatigue", "fatigue": 4},
    ]
    if seed % 5 == 4:
        marks[0] |= {"out": "unconscious", "fainted": "wounds", "mortal": 1}
    fighters = tuple(replace(f, **m) for f, m in zip(start.fighters, marks, strict=True))
    return replace(start, fighters=fighters, round=4, turn="Ash")


@pytest.mark.rules("RON-TIME-2", "RON-HEAL-5", "RON-HEAL-6", "RON-DMG-13")
@pytest.mark.parametrize("seed", range(10))
def test_random_orders_after_the_fight(seed: int) -> None:
    players = dict.fromkeys(("a", "b", "master"), ROND6.policies["random"])
    fight = Encounter(ROND6, beaten(seed), seed, players)
    fight.advance()
    assert ROND6.over(fight.state)
    given = 0
    for n in range(12):
        who = fight.state.fighters[n % 4].id
        try:
            order = sample_order(ROND6, fight.state, who, picker(seed, n, 0))
        except (IllegalOrder, ValueError, IndexError, ZeroDivisionError):
            continue
        fight.order(order)
        given += 1
        assert ROND6.problems(fight.state) == ()
        assert ROND6.over(fight.state)
        assert all(one.minutes >= 0 for one in due(fight.state))
    assert given >= 3
    before = fight.start
    for entry in fight.entries:
        scene = Recorder(before, Replay(entry.answers))
        ROND6.perform(scene, entry.order)
        assert tuple(scene.events) == entry.events
        before = entry.state
    assert refold(fight.start, fight.entries) == fight.state
    for _ in [entry for entry in fight.entries if not entry.auto]:
        fight.undo()
    assert fight.state == fight.start


def pair() -> State:
    medic = Sheet((("Strength", Code(2)),), (("Medicine", Code(2)), ("Athletics", Code(2))))
    both = (Fighter("Ash", "Ash", "a", medic), Fighter("Bo", "Bo", "b", medic, wounds=1))
    return State(both, round=1, turn="Ash")


@pytest.mark.rules("RON-HEAL-8", "RON-HEAL-9", "RON-DICE-2")
def test_odds_of_helping() -> None:
    """2D against 10, one of them the Wild Die, worked out by hand."""
    exact = Exact(pair(), lambda who: ROND6.policies["aggressive"], number=Fraction)
    odds = exact.odds(lambda scene: ROND6.perform(scene, Treat("Ash", "Bo")), lambda s: s.fighters[1].wounds)
    # Wild 4: the other shows 6 (1 of 6). Wild 5: it shows 5 or 6 (2 of 6). Wild 6 and w again: 6 + w + r reaches 10 when
    # w + r is 4 or more, which is all of 36 but (1,1), (1,2), (2,1).
    expected = Fraction(1, 6) * (Fraction(1, 6) + Fraction(2, 6) + Fraction(33, 36))
    assert abs(odds[0] - expected) < Fraction(1, 10**9)
