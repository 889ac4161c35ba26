"""What somebody takes out of a fight can be written into the next encounter, and is the same there."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomlkit

from affray.encounter import Encounter
from affray.formats.draft import Draft, checked, whole

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["rond6-6v10", "rd6-quay", "cepheus-boarding", "cepheus-street"])
@pytest.mark.parametrize("seed", [1, 2])
def test_into_the_next_fight(name: str, seed: int) -> None:
    text = whole(EXAMPLES / f"{name}.toml")
    first, _ = checked(text)
    assert first is not None
    rules = first.ruleset
    players = {side.name: rules.policies["aggressive"] for side in first.sides}
    fight = Encounter(rules, first.state, seed, players)
    fight.advance()
    for _ in range(400):
        if rules.over(fight.state):
            break
        fight.step()
    draft = Draft(text)
    people = {str(one["name"]): one for one in draft.people if one.get("count", 1) == 1}
    for who, one in people.items():
        if kept := rules.kept(fight.state, who):
            one["state"] = tomlkit.item(kept)
    second, problems = checked(draft.text)
    assert not problems and second is not None
    for who in people:
        assert rules.kept(second.state, who) == rules.kept(fight.state, who)


@pytest.mark.parametrize("name", ["rond6-tavern", "rd6-quay", "cepheus-boarding"])
def test_whoever_wakes_while_time_passes_does_not_begin_the_fight_anew(name: str) -> None:
    first, _ = checked(whole(EXAMPLES / f"{name}.toml"))
    assert first is not None
    rules, woken = first.ruleset, 0
    for seed in range(10):
        players = dict.fromkeys((*(side.name for side in first.sides), "master"), rules.policies["aggressive"])
        fight = Encounter(rules, first.state, seed, players)
        fight.advance()
        while not rules.over(fight.state) and len(fight.entries) < 400:
            fight.step()
        if not rules.over(fight.state):
            continue
        asleep = {f.id for f in fight.state.fighters if rules.fallen(f)}
        by = next((f.id for f in fight.state.fighters if not rules.fallen(f)), fight.state.fighters[0].id)
        for _ in range(3):
            fight.order(rules.order({"do": "rest", "by": by, "hours": 8}))
            while fight.open:
                fight.answer(fight.open.requests[0].n, fight.open.requests[0].request.default)
            assert rules.over(fight.state) and not fight.up()
        woken += len({f.id for f in fight.state.fighters if f.id in asleep and not rules.fallen(f)})
    assert woken or rules.name == "rond6"  # there unconsciousness lasts for days
