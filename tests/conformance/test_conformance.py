"""What holds for every ruleset: fights, replays, undo, pauses, saves, exact odds against live dice."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec
import pytest
from conformance.rulesets import Entrant, entrants

from affray.encounter import Encounter
from affray.errors import AffrayError, BadAnswer
from affray.interpreters.exact import Exact
from affray.interpreters.live import Live, picker
from affray.interpreters.replay import Replay
from affray.record import Entry, refold
from affray.referee import Say
from affray.ruleset import sample_order
from affray.scene import Recorder
from affray.store import jsonl
from affray.store.lines import restore

pytestmark = pytest.mark.parametrize("entrant", entrants(), ids=lambda e: e.ruleset.name)


class Defaults:
    """Takes the default of every question."""

    name = "defaults"

    def order(self, state: Any, who: str, pick: Any) -> Any:
        raise AssertionError

    def answer(self, request: Any, state: Any, pick: Any) -> Any:
        return request.default


def fight(entrant: Entrant, seed: int, orders: int = 60, policy: str = "random") -> Encounter:
    """A fight in which everybody does something at random, cut short."""
    rules = entrant.ruleset
    players = {"a": rules.policies[policy], "b": rules.policies[policy], "master": rules.policies["random"]}
    encounter = Encounter(rules, entrant.start(), seed, players)
    encounter.advance()
    while not rules.over(encounter.state) and len(encounter.entries) < orders:
        encounter.step()
    return encounter


def again(entrant: Entrant, encounter: Encounter, entry: Entry, before: Any) -> tuple[Any, ...]:
    """The events of an entry, run again from its answers alone."""
    scene = Recorder(before, Replay(entry.answers))
    entrant.ruleset.perform(scene, entry.order)
    assert not Replay(entry.answers).leftover() or scene.n == len(entry.answers)
    return tuple(scene.events)


@pytest.mark.parametrize("seed", range(25))
def test_random_fights_keep_the_invariants_and_run_again_to_the_same_events(entrant: Entrant, seed: int) -> None:
    encounter = fight(entrant, seed)
    before = encounter.start
    for entry in encounter.entries:
        assert entrant.ruleset.problems(entry.state) == ()
        assert again(entrant, encounter, entry, before) == entry.events
        before = entry.state
    assert refold(encounter.start, encounter.entries) == encounter.state


@pytest.mark.parametrize("seed", range(6))
def test_same_seed_same_fight_and_another_seed_another(entrant: Entrant, seed: int) -> None:
    one, two, other = fight(entrant, seed), fight(entrant, seed), fight(entrant, seed + 1000)
    assert [e.events for e in one.entries] == [e.events for e in two.entries]
    assert [e.events for e in one.entries] != [e.events for e in other.entries]


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 200))])
def test_undo_restores_every_earlier_value_and_redo_returns_it(entrant: Entrant, seed: int) -> None:
    encounter = fight(entrant, seed, 30)
    decided = [i for i, entry in enumerate(encounter.entries) if not entry.auto]
    states = [encounter.start, *(entry.state for entry in encounter.entries)]
    last = encounter.state
    events = [entry.events for entry in encounter.entries]
    for index in reversed(decided):
        encounter.undo()
        assert encounter.state == states[index]
    with pytest.raises(AffrayError, match="nothing to take back"):
        encounter.undo()
    for _ in decided:
        encounter.redo()
    assert encounter.state == last
    assert [entry.events for entry in encounter.entries] == events
    with pytest.raises(AffrayError, match="nothing to return"):
        encounter.redo()


@pytest.mark.parametrize("seed", range(6))
def test_pausing_at_each_request_changes_nothing(entrant: Entrant, seed: int) -> None:
    """A fight decided by people, one answer at a time, from disk after each, equals the same fight by policies."""
    model = fight(entrant, seed, 24)
    lines: list[dict[str, Any]] = []

    class Memory:
        def append(self, new: Any) -> None:
            lines.extend(msgspec.json.decode(msgspec.json.encode(new)))

    from affray.store.lines import head

    lines.append(msgspec.json.decode(msgspec.json.encode(head(entrant.ruleset, entrant.start(), seed, typed=["all"]))))
    table = restore(list(lines), {}, Memory(), entrant.ruleset)
    for entry in model.entries:
        if not entry.auto:
            table.order(entry.order)
        given = {answer.n: answer for answer in entry.answers}
        while table.open and table.open.id == entry.id:
            request = table.open.requests[-1]
            value = given[request.n].value
            if isinstance(value, tuple) and hasattr(request.request, "pool"):
                table.die(request.n, value[len(request.faces)])
            else:
                table.answer(request.n, value)
            table = restore(list(lines), {}, Memory(), entrant.ruleset)
        assert table.entries[-1].state == entry.state or table.open or table.entries[-1].id > entry.id
    assert table.settled == model.state or table.open
    by_id = {entry.id: entry for entry in table.entries}
    for entry in model.entries:
        assert by_id[entry.id].events == entry.events


def test_saved_and_loaded_fights_are_equal(entrant: Entrant, tmp_path: Path) -> None:
    model = fight(entrant, 3, 40)
    path = tmp_path / "fight.jsonl"
    players = dict.fromkeys(("a", "b", "master"), entrant.ruleset.policies["random"])
    saved = jsonl.create(path, entrant.ruleset, entrant.start(), 3, players)
    while len(saved.entries) < 20 and not entrant.ruleset.over(saved.state):
        saved.step()
    saved.order(Say("master", "a remark"))
    saved.undo()
    with pytest.raises(jsonl.Busy):
        jsonl.load(path, players, entrant.ruleset)
    saved.journal.close()  # type: ignore[union-attr]
    loaded = jsonl.load(path, players, entrant.ruleset)
    assert loaded.state == saved.state
    assert loaded.entries == saved.entries
    assert loaded.undone == saved.undone
    while len(loaded.entries) < 40 and not entrant.ruleset.over(loaded.state):
        loaded.step()
    assert [e.events for e in loaded.entries] == [e.events for e in model.entries]
    loaded.journal.close()  # type: ignore[union-attr]


def orders_with_exact_odds(entrant: Entrant) -> tuple[Any, Any]:
    """A state in a fight, and an order of the policy there that throws dice."""
    encounter = fight(entrant, 11, 200, entrant.policy)
    before = encounter.start
    found = (None, None)
    for entry in encounter.entries:
        if not entry.auto and sum(type(e).__name__ == "Rolled" for e in entry.events) >= 2:
            found = (before, entry.order)
            break
        before = entry.state
    assert found[1] is not None
    return found


def test_weights_sum_to_one_as_fractions(entrant: Entrant) -> None:
    state, order = orders_with_exact_odds(entrant)
    exact = Exact(state, lambda who: entrant.ruleset.policies[entrant.policy], number=Fraction)
    odds = exact.odds(lambda scene: entrant.ruleset.perform(scene, order), lambda s: s)
    assert sum(odds.values()) == 1
    assert len(odds) > 1


@pytest.mark.parametrize("samples", [4000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_live_dice_agree_with_exact_odds(entrant: Entrant, samples: int) -> None:
    """Every outcome within 4 sigma; those expected fewer than 10 times are taken together."""
    state, order = orders_with_exact_odds(entrant)
    policy = entrant.ruleset.policies[entrant.policy]
    exact = Exact(state, lambda who: policy).odds(lambda scene: entrant.ruleset.perform(scene, order), lambda s: s)
    assert abs(sum(exact.values()) - 1) < 1e-9
    seen: Counter[Any] = Counter()
    for i in range(samples):
        scene = Recorder(state, Live(i, 1, lambda who: policy))
        entrant.ruleset.perform(scene, order)
        seen[scene.state] += 1
    rare = [s for s, p in exact.items() if p * samples < 10]
    groups = [([s], p) for s, p in exact.items() if p * samples >= 10] + [(rare, sum(exact[s] for s in rare))]
    assert set(seen) <= set(exact)
    for states, chance in groups:
        count = sum(seen[s] for s in states)
        assert abs(count - samples * chance) <= 4 * sqrt(samples * chance * (1 - chance)) + 1


@pytest.mark.parametrize("seed", range(4))
def test_offers_are_what_why_not_allows(entrant: Entrant, seed: int) -> None:
    encounter = fight(entrant, seed, 15)
    rules = entrant.ruleset
    for who in rules.up(encounter.state):
        names = [offer.verb for offer in rules.offers(encounter.state, who)]
        assert len(names) == len(set(names))
        for offer in rules.offers(encounter.state, who):
            assert offer.refused is None or offer.refused.text
            for field in offer.fields:
                for n in range(5):
                    field.domain.check(field.domain.sample(picker(seed, n, 0)))
        assert rules.why_not(encounter.state, sample_order(rules, encounter.state, who, picker(seed, 0, 1))) is None


def test_a_bad_answer_changes_nothing(entrant: Entrant) -> None:
    encounter = Encounter(entrant.ruleset, entrant.start(), 5, {}, typed=["all"])
    encounter.advance()
    opened = encounter.open
    assert opened is not None
    for wrong in ((7,), (0,), ("x",), (True,), (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)):
        with pytest.raises(BadAnswer):
            encounter.answer(opened.requests[0].n, wrong)
        assert encounter.open == opened
    with pytest.raises(BadAnswer):
        encounter.answer(99, (1,))
