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
