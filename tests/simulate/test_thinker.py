"""The policy that looks ahead: legal, the same for the same dice, in every ruleset."""

from __future__ import annotations

import pytest
from simulate.starts import start

from affray.encounter import Encounter
from affray.interpreters.live import picker

RULESETS = ("rond6", "rd6", "cepheus")


@pytest.mark.parametrize("name", RULESETS)
def test_it_decides_alike_and_lawfully(name: str) -> None:
    ruleset, state = start(name)
    policies = ruleset.policies
    players = {"a": policies["thinker"], "b": policies["aggressive"], "master": policies["aggressive"]}
    encounter = Encounter(ruleset, state, 4, players)
    encounter.advance()
    for _ in range(4):
        if ruleset.over(encounter.state):
            break
        who = encounter.up()[0]
        order = policies["thinker"].order(encounter.state, who, picker(1, 2, 3))
        assert ruleset.why_not(encounter.state, order) is None
        assert order == policies["thinker"].order(encounter.state, who, picker(1, 2, 3))
        encounter.step()


def test_it_takes_what_wins() -> None:
    """Somebody who has the enemy at gunpoint shoots, whatever else is allowed."""
    ruleset, state = start("rond6", 3, 1)
    thinker = ruleset.policies["thinker"]
    encounter = Encounter(ruleset, state, 4, dict.fromkeys(("a", "b", "master"), thinker))
    encounter.advance()
    ideas = list(thinker.ideas(encounter.state, encounter.up()[0], picker(1, 1, 1)))  # type: ignore[attr-defined]
    assert len(ideas) > 2 and len({repr(idea) for idea in ideas}) == len(ideas)
