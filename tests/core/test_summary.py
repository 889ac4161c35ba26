"""A fight in figures: they add up, they are the same when told again, and an audience gets what it may know."""

from __future__ import annotations

from pathlib import Path

import pytest

from affray.ask import MASTER as REFEREE
from affray.audience import MASTER, SPECTATOR, Audience
from affray.encounter import Encounter
from affray.formats.encounter import load_fight
from affray.referee import Set
from affray.render.summary import Summary, summary

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ["rond6-6v10", "rd6-quay", "cepheus-boarding", "cepheus-ambush"]


def fought(name: str, seed: int = 3) -> Encounter:
    first = load_fight(EXAMPLES / f"{name}.toml")
    rules = first.ruleset
    fight = Encounter(rules, first.state, seed, {f.side: rules.policies["aggressive"] for f in first.state.fighters})
    fight.advance()
    for _ in range(500):
        if rules.over(fight.state):
            return fight
        fight.step()
    raise AssertionError("goes on and on")


@pytest.fixture(scope="module", params=NAMES)
def fight(request: pytest.FixtureRequest) -> Encounter:
    return fought(str(request.param))


def test_figures_add_up(fight: Encounter) -> None:
    told = summary(fight, MASTER)
    assert told.over and told.verdict.endswith("hold the field") and told.rounds == fight.state.round
    fallen = [f.id for f in fight.state.fighters if fight.ruleset.fallen(f)]
    assert [one.id for one in told.people if one.out] == fallen
    credited = [name for one in told.people for name in one.put_out]
    assert len(credited) == len(set(credited)) and set(credited) <= set(fallen)
    assert {one.name: one.out_by for one in told.people if one.out_by} == {
        name: one.name for one in told.people for name in one.put_out
    }
    assert all(one.hits <= one.attacks for one in told.people)
    assert sum(one.dealt or 0 for one in told.people) <= sum(one.taken or 0 for one in told.people)
    assert sum(one.dealt or 0 for one in told.people) > 0.8 * sum(one.taken or 0 for one in told.people)
    rolled = [e for entry in fight.entries for e in entry.events if type(e).__name__ == "Rolled"]
    assert told.dice is not None and told.dice.dice >= len([e for e in rolled if e.faces])
    assert told.dice.dice == sum(one.dice.dice for one in told.people if one.dice)
    assert abs(told.dice.score) < 4


def test_ammunition_and_points(fight: Encounter) -> None:
    told = summary(fight, MASTER)
    start, now = fight.start, fight.state
    rules = fight.ruleset
    for one in told.people:
        spent = sum(n for _, n in one.points or ())
        before = sum(n for _, n in rules.bearing(start, one.id).points)
        assert spent == before - sum(n for _, n in rules.bearing(now, one.id).points)
        assert all(n > 0 for _, n in one.rounds or ())


def test_what_others_may_know(fight: Encounter) -> None:
    mine = fight.state.fighters[0].id
    told = summary(fight, Audience(own=(mine,)))
    for one in told.people:
        whole = one.id == mine
        assert one.dealt is None and (one.taken is not None) == whole and (one.dice is not None) == whole
        assert (one.points is not None) == whole and (one.rounds is not None) == whole
        assert one.mine == whole
    assert told.dice is None
    for one in summary(fight, SPECTATOR).people:
        assert (one.taken, one.dice, one.points) == (None, None, None)


def test_nobody_hears_of_the_hidden() -> None:
    fight = fought("rond6-6v10")
    hidden = fight.state.fighters[-1].id
    fight.order(Set(REFEREE, hidden, {"hidden": True}))
    for audience in (SPECTATOR, Audience(own=(fight.state.fighters[0].id,))):
        told = summary(fight, audience)
        assert hidden not in repr(told)
        assert ("Mob", 9, 0) in told.sides
    assert hidden in repr(summary(fight, MASTER))


def test_the_referees_corrections_are_no_deeds() -> None:
    fight = fought("rond6-6v10")
    before = summary(fight, MASTER)
    fight.order(Set(REFEREE, fight.state.fighters[0].id, {"wounds": 3}))
    assert _deeds(summary(fight, MASTER)) == _deeds(before)


def test_a_fight_that_has_just_begun() -> None:
    first = load_fight(EXAMPLES / "rond6-duel.toml")
    fight = Encounter(first.ruleset, first.state)
    fight.advance()
    told = summary(fight, MASTER)
    assert not told.over and told.verdict == "the fight goes on" and all(one.attacks == 0 for one in told.people)


def _deeds(told: Summary) -> list[tuple[int, int, int | None, int | None]]:
    return [(one.attacks, one.hits, one.dealt, one.taken) for one in told.people]
