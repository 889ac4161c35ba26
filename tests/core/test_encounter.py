"""Deciding, pausing, undoing, correcting: shown with the toy ruleset."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
import toy
from toy import Hit, Rest

from affray.encounter import Encounter
from affray.errors import AffrayError, BadAnswer, IllegalOrder, StaleOrder
from affray.record import refold
from affray.referee import Add, Remove, Set, told
from affray.store.lines import head, restore


def table(**kwargs: Any) -> Encounter:
    """Everybody's dice and choices are a person's."""
    encounter = Encounter(toy.TOY, toy.ring(), 1, {}, typed=["all"], **kwargs)
    encounter.advance()
    return encounter


def started() -> Encounter:
    """Lots thrown: a2 leads, then a1, b1, b2."""
    encounter = table()
    for n, face in enumerate((5, 6, 4, 3)):
        encounter.answer(n, (face,))
    return encounter


def asked(encounter: Encounter) -> list[tuple[str, str]]:
    return [(r.request.by, r.request.why.key) for r in encounter.open.requests] if encounter.open else []


@pytest.mark.parametrize("order", list(permutations(range(4))))
def test_a_batch_may_be_answered_in_any_order(order: tuple[int, ...]) -> None:
    encounter = table()
    faces = (5, 6, 4, 3)
    for n in order:
        assert n in [r.n for r in encounter.open.requests]  # type: ignore[union-attr]
        encounter.answer(n, (faces[n],))
    assert encounter.open is None
    assert encounter.state == started().state
    assert [e.result for e in encounter.entries[0].events if hasattr(e, "result")] == [5, 6, 4, 3]


def test_one_typed_die_is_taken_back_and_returned() -> None:
    encounter = started()
    encounter.order(Hit("a2", "b1"))
    encounter.answer(0, 0)
    encounter.die(1, 3)
    assert encounter.open and encounter.open.requests[0].faces == (3,)
    encounter.undo()
    assert encounter.open.requests[0].faces == ()
    encounter.redo()
    assert encounter.open.requests[0].faces == (3,)
    encounter.undo()
    encounter.die(1, 4)
    assert encounter.open.requests[0].faces == (4,)
    with pytest.raises(AffrayError, match="nothing to return"):
        encounter.redo()
    with pytest.raises(BadAnswer, match="1 to 6"):
        encounter.die(1, 7)


def test_every_decision_of_an_order_is_taken_back_one_by_one() -> None:
    encounter = started()
    states = [(encounter.state, asked(encounter))]
    encounter.order(Hit("a2", "b1"))
    for n, value in ((0, 1), (1, (4, 5)), (2, False), (3, (2, 6)), (4, [4, 2])):
        states.append((encounter.state, asked(encounter)))
        if isinstance(value, tuple):
            for face in value:
                encounter.die(n, face)
        else:
            encounter.answer(n, value)
    assert encounter.open is None
    assert (encounter.state.fighters[2].vigour, encounter.state.fighters[2].wits) == (4, 2)
    backwards = []
    while len(backwards) < 8:
        encounter.undo()
        backwards.append((encounter.state, asked(encounter)))
    assert [s for s in backwards if s in states] and backwards[-1] == states[0]
    for _ in range(8):
        encounter.redo()
    assert (encounter.state.fighters[2].vigour, encounter.state.fighters[2].wits) == (4, 2)


def test_a_correction_in_the_middle_keeps_the_answers_that_fit() -> None:
    encounter = started()
    encounter.order(Hit("a2", "b1"))
    encounter.answer(0, 1)
    encounter.answer(1, (4, 5))
    encounter.answer(2, False)
    encounter.answer(3, (2, 6))
    assert asked(encounter) == [("b1", "place")]
    encounter.order(Set("master", who="b1", fields={"vigour": 3}))
    assert asked(encounter) == [("b1", "place")]
    assert encounter.open.requests[0].request.domain.places == (("vigour", 3), ("wits", 4))  # type: ignore[union-attr]
    encounter.answer(4, {"vigour": 3, "wits": 3})
    assert encounter.state.fighters[2].vigour == 0
    assert refold(encounter.start, encounter.entries) == encounter.state


def test_a_correction_that_no_longer_fits_asks_anew_from_the_first_misfit() -> None:
    encounter = started()
    encounter.order(Hit("a2", "b1"))
    for n, value in ((0, 2), (1, (4, 6)), (2, False), (3, (1, 1, 6))):
        encounter.answer(n, value)
    encounter.revise(encounter.open.id, answers={0: 1})  # type: ignore[union-attr]
    assert asked(encounter) == [("a2", "damage")], "three dice do not fit a bet of 1"
    encounter.answer(3, (6, 5))
    assert asked(encounter) == [("b1", "place")]


def test_an_old_entry_is_corrected_and_what_followed_is_kept() -> None:
    encounter = started()
    first = encounter.entries[-1].id
    encounter.order(Rest("a2"))
    encounter.order(Rest("a1"))
    rest_of_a1 = encounter.entries[-1].id
    encounter.order(Rest("b1"))
    encounter.amend(Set("master", who="a1", fields={"wits": 1}), at=rest_of_a1)
    assert [type(e.order).__name__ for e in encounter.entries] == ["Bell", "Rest", "Set", "Rest", "Rest"]
    assert encounter.state.fighters[0].wits == 1 and encounter.state.fighters[2].acted
    encounter.back_to(first)
    assert [type(e.order).__name__ for e in encounter.entries] == ["Bell"]


def test_a_roll_is_overruled_and_an_attack_aimed_anew() -> None:
    encounter = started()
    encounter.order(Hit("a2", "b1"))
    for n, value in ((0, 0), (1, (1, 1)), (2, False)):
        encounter.answer(n, value)
    entry = encounter.entries[-1].id
    assert encounter.state.fighters[2].vigour == 8
    encounter.revise(entry, answers={1: (6, 6)})
    encounter.answer(3, (5,))
    encounter.answer(4, [5, 0])
    assert encounter.state.fighters[2].vigour == 3
    encounter.revise(entry, order=Hit("a2", "b2"))
    assert asked(encounter) == [("b2", "flinch")], "what b1 answered does not fit b2"


def test_a_past_answer_is_not_overruled_by_nonsense() -> None:
    """What answers nothing is refused in words; the question does not open again, and nothing has changed."""
    encounter = started()
    encounter.order(Hit("a2", "b1"))
    for n, value in ((0, 2), (1, (4, 6)), (2, False), (3, (1, 1, 6))):
        encounter.answer(n, value)
    opened = encounter.open.id  # type: ignore[union-attr]
    nonsense: list[dict[int, Any]] = [
        {0: "two"}, {0: 99}, {0: None}, {0: []}, {2: "perhaps"}, {2: {}}, {1: (7, 7)}, {1: "66"}, {1: ()}, {1: (5,)},
        {1: (1, 2, 3)}, {1: ("a", "b")}, {3: (6,)}, {0: 1, 1: (0, 0)}, {17: 1}, {-1: 1},
    ]  # fmt: skip
    for finished in (False, True):
        if finished:
            encounter.answer(4, {"vigour": 4, "wits": 2})
        before = encounter.version, encounter.entries[:], asked(encounter), list(encounter.record.rewritten), encounter.state
        for answers in nonsense:
            with pytest.raises(BadAnswer) as told:
                encounter.revise(opened, answers=answers)
            assert len(str(told.value)) > 10
            assert (encounter.version, encounter.entries, asked(encounter), encounter.record.rewritten, encounter.state) == before
    encounter.revise(opened, answers={1: (1, 1)})
    assert asked(encounter) != before[2] or encounter.entries != before[1]


def test_corrections_are_refused_when_they_break_something() -> None:
    encounter = started()
    before = encounter.state
    for order, words in (
        (Set("master", who="b1", fields={"vigor": 3}), "did you mean 'vigour'"),
        (Set("master", who="b1", fields={"vigour": "much"}), "vigour"),
        (Set("master", who="b1", fields={"vigour": -1}), "below 0"),
        (Set("master", who="", fields={"rulings": {"brutl": True}}), "brutal"),
        (Add("master", fighter={"id": 3}), "no combatant"),
    ):
        with pytest.raises(IllegalOrder, match=words):
            encounter.order(order)
        assert encounter.state == before
    with pytest.raises(AffrayError, match="no combatant 'Bob'"):
        encounter.order(Remove("master", "Bob"))
    encounter.order(Add("master", fighter={"id": "c", "name": "Cid", "side": "b"}))
    encounter.order(Set("master", who="", fields={"rulings": {"brutal": True}}))
    assert encounter.state.fighters[-1].name == "Cid" and encounter.state.rulings.brutal
    encounter.undo()
    encounter.undo()
    assert encounter.state == before


def test_a_stale_order_is_refused() -> None:
    encounter = started()
    seen = encounter.version
    encounter.order(Rest("a2"), seen=seen)
    with pytest.raises(StaleOrder):
        encounter.order(Rest("a1"), seen=seen)


def test_orders_wait_for_open_answers_and_their_turn() -> None:
    encounter = started()
    with pytest.raises(IllegalOrder, match="not your turn"):
        encounter.order(Rest("b1"))
    encounter.order(Hit("a2", "b1"))
    with pytest.raises(IllegalOrder, match="a2"):
        encounter.order(Rest("a1"))


def test_every_prefix_of_the_journal_is_a_fight_that_goes_on_to_the_same_end() -> None:
    """A save may break off after any line: what was written is there, and the same answers lead to the same end."""
    lines: list[dict[str, Any]] = []

    class Memory:
        def append(self, new: Any) -> None:
            import msgspec

            lines.extend(msgspec.json.decode(msgspec.json.encode(new)))

    Memory().append([head(toy.TOY, toy.ring(), 1, typed=["all"])])
    encounter = restore(list(lines), {}, Memory(), toy.TOY)
    script: list[Any] = [(0, 5), (1, 6), (2, 4), (3, 3), Hit("a2", "b1"), (0, 1), (1, 4), (1, 5)]
    script += [(2, False), (3, 2), (3, 6), (4, [4, 2]), Rest("a1")]

    def play(encounter: Encounter, step: Any) -> None:
        if not isinstance(step, tuple):
            encounter.order(step)
        elif type(step[1]) is int and any(r.n == step[0] and hasattr(r.request, "pool") for r in encounter.open.requests):  # type: ignore[union-attr]
            encounter.die(*step)
        else:
            encounter.answer(*step)

    for step in script:
        play(encounter, step)
    end = encounter.state
    for cut in range(1, len(lines) + 1):
        resumed = restore(lines[:cut], {}, None, toy.TOY)
        written = [line for line in lines[:cut] if line["t"] == "answer" or (line["t"] == "order" and not line["auto"])]
        for step in script[len(written) :]:
            play(resumed, step)
        assert resumed.state == end


@pytest.mark.parametrize(
    ("name", "old", "new", "words"),
    [
        ("prone", False, True, "prone no → yes"),
        ("fate_points", 1, 0, "fate points 1 → 0"),
        ("at", (8, 5), (8, 6), "at 8, 5 → 8, 6"),
        ("held", "", "sword", "held none → sword"),
        ("pairs", (("Ann", "Bo", 5), ("Ann", "Cy", 9)), (("Ann", "Bo", 8), ("Ann", "Cy", 9)), "pairs Ann Bo 5 → 8"),
        ("space", {"light": "", "gaps": [["A", "B", 5]]}, {"light": "", "gaps": [["A", "B", 8]]}, "gaps A B 5 → 8"),
        ("space", {"light": ""}, {"light": ""}, "space as before"),
    ],
)  # fmt: skip
def test_a_correction_in_words(name: str, old: Any, new: Any, words: str) -> None:
    """Old and new, yes and no, and of a list only what differs."""
    assert told(name, old, new) == words
