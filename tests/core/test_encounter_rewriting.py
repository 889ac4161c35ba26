"""Corrections in the middle, entries taken out, and what the table keeps beside a fight."""

from __future__ import annotations

from pathlib import Path

from core.openings import SEED, opening

from affray import referee
from affray.encounter import Encounter
from affray.record import refold
from affray.rulesets.rond6 import actions, attack
from affray.store import jsonl


def begun() -> Encounter:
    fight = opening()
    return Encounter(fight.ruleset, fight.state, SEED)


def go(fight: Encounter) -> None:
    """Everybody hits once, for one round."""
    fight.advance()
    while fight.state.round == 1 and not fight.ruleset.over(fight.state):
        who = fight.up()[0]
        fight.order(attack.Attack(who, "Orc 1" if who == "Kess" else "Kess"))
        if fight.open:
            while fight.open:
                asked = fight.open.requests[0]
                fight.answer(asked.n, asked.request.default)
        if who in fight.up():
            fight.order(actions.End(who))


def test_a_correction_before_an_open_order_has_a_number_of_its_own() -> None:
    fight = begun()
    fight.typed = ["all"]
    fight.advance()
    assert fight.open is not None
    fight.order(referee.Set("master", "Kess", {"wounds": 1}))
    assert fight.open is not None
    ids = [entry.id for entry in fight.entries] + [fight.open.id]
    assert len(set(ids)) == len(ids)
    assert fight.settled.fighters[0].wounds == 1


def test_steps_that_are_no_longer_due_are_not_taken() -> None:
    fight = begun()
    go(fight)
    turns = [entry for entry in fight.entries if entry.auto and entry.order.verb == "turn" and entry.order.by == "Kess"]
    assert turns
    index = fight.entries.index(turns[0])
    fight.amend(referee.Set("master", "Kess", {"out": "dead"}), at=fight.entries[index].id)
    after = [entry for entry in fight.entries if entry.order.by == "Kess" and entry.order.verb == "turn"]
    assert len(after) < len(turns) or turns[0] not in after
    assert refold(fight.start, fight.entries) == fight.settled


def test_an_entry_is_taken_out_alone() -> None:
    fight = begun()
    go(fight)
    hits = [entry for entry in fight.entries if entry.order.verb == "attack"]
    fight.drop(hits[0].id)
    left = [entry for entry in fight.entries if entry.order.verb == "attack"]
    assert hits[0].id not in [entry.id for entry in left]
    assert refold(fight.start, fight.entries) == fight.settled


def test_a_correction_in_the_middle_is_one_line_of_the_save(tmp_path: Path) -> None:
    """So that a machine that stops in the middle of writing it loses the correction and nothing else."""
    fight = begun()
    kept = jsonl.create(tmp_path / "a.jsonl", fight.ruleset, fight.start, 3)
    go(kept)
    whole = (tmp_path / "a.jsonl").read_bytes()
    before = jsonl.look(tmp_path / "a.jsonl").settled
    kept.amend(referee.Set("master", "Kess", {"character": 3}), at=kept.entries[1].id)
    cut = (tmp_path / "a.jsonl").read_bytes()[len(whole) :].splitlines(keepends=True)[0]
    for length in (1, len(cut) // 2, len(cut) - 1):
        (tmp_path / "torn.jsonl").write_bytes(whole + cut[:length])
        assert jsonl.look(tmp_path / "torn.jsonl").settled == before
    again = jsonl.look(tmp_path / "a.jsonl")
    assert again.settled == kept.settled
    assert [entry.id for entry in again.entries] == [entry.id for entry in kept.entries]


def test_deciding_again_what_was_taken_back_is_to_return_it(tmp_path: Path) -> None:
    """The same in memory as on disk, where the two cannot be told apart."""
    fight = begun()
    kept = jsonl.create(tmp_path / "a.jsonl", fight.ruleset, fight.start, 3)
    first = kept.up()[0]
    kept.order(actions.End(first))
    second = kept.up()[0]
    kept.order(actions.End(second))
    kept.undo()
    kept.undo()
    kept.order(actions.End(first))
    assert len(kept.undone) == 1 == len(jsonl.look(tmp_path / "a.jsonl").undone)
    kept.redo()
    assert not kept.undone and kept.entries[-2].order == actions.End(second)


def test_a_change_of_the_past_is_taken_back_and_returned_as_one_decision(tmp_path: Path) -> None:
    fight = begun()
    path = tmp_path / "a.jsonl"
    kept = jsonl.create(path, fight.ruleset, fight.start, 3)
    go(kept)
    kept.order(referee.Say("master", text="a pause"))
    before = kept.record.standing()
    hit = next(entry for entry in kept.entries if entry.order.verb == "attack")
    for change in (
        lambda: kept.amend(referee.Set("master", "Kess", {"wounds": 2}), at=hit.id),
        lambda: kept.drop(hit.id),
        lambda: kept.revise(kept.entries[-1].id, order=referee.Say("master", text="another one")),
    ):
        change()
        after = kept.record.standing()
        assert after != before
        assert kept.undo() == "a change of what had happened"
        assert kept.record.standing() == before == jsonl.look(path).record.standing()
        kept.redo()
        assert kept.record.standing() == after == jsonl.look(path).record.standing()
        kept.undo()
    kept.amend(referee.Set("master", "Kess", {"wounds": 2}), at=hit.id)
    kept.order(referee.Say("master", text="later"))
    kept.undo()
    kept.undo()
    assert kept.record.standing() == before == jsonl.look(path).record.standing()


def test_back_to_an_entry_passes_over_changes_of_the_past(tmp_path: Path) -> None:
    fight = begun()
    kept = jsonl.create(tmp_path / "a.jsonl", fight.ruleset, fight.start, 3)
    go(kept)
    hits = [entry for entry in kept.entries if entry.order.verb == "attack"]
    kept.amend(referee.Set("master", "Kess", {"character": 3}), at=hits[0].id)
    correction = next(entry for entry in kept.entries if entry.order.verb == "set")
    kept.back_to(correction.id)
    assert [entry.id for entry in kept.entries if not entry.auto][-1] == correction.id
    assert jsonl.look(tmp_path / "a.jsonl").record.standing() == kept.record.standing()
