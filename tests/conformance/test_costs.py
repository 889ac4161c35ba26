"""What an order is said to cost is what it takes of the turn, whatever its options."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from conformance.rulesets import Entrant, entrants

from affray.encounter import Encounter
from affray.interpreters.live import Live, picker
from affray.policies.random import Random
from affray.rules import told
from affray.ruleset import find, sample_order
from affray.scene import Recorder

UNTOLD = {"declare", "end", "wait", "act", "hasten", "rest", "surgery", "work", "continue", "aftermath", "grant"}
"""Orders that settle how many actions there are, that end the turn, or that take other time than a turn's."""


def rond6_spent(before: Any, after: Any) -> str:
    if after.full and not before.full:
        return "Full Action"
    used = after.used - before.used - (before.lost if not before.declared and after.declared else 0)
    return {0: "free", 1: "1 Action"}.get(used, f"{used} Actions")


def rd6_spent(before: Any, after: Any) -> str:
    if after.exclusive and not before.exclusive:
        return "the whole round"
    return "an action" if after.used > before.used else "free"


def cepheus_spent(before: Any, after: Any) -> str:
    return "significant" if after.significant > before.significant else "minor" if after.minor > before.minor else "free"


SPENT: dict[str, Callable[[Any, Any], str]] = {"rond6": rond6_spent, "rd6": rd6_spent, "cepheus": cepheus_spent}


def of(state: Any, who: str) -> Any:
    return next(f for f in state.fighters if f.id == who)


@pytest.mark.rules("RON-ACT-3", "RD6-RND-12", "CEP-ACT-1")
@pytest.mark.parametrize("entrant", [one for one in entrants() if one.ruleset.name in SPENT], ids=lambda e: e.ruleset.name)
def test_an_order_costs_what_it_is_said_to_cost(entrant: Entrant) -> None:
    rules, spent = entrant.ruleset, SPENT[entrant.ruleset.name]
    seen = set()
    anything = Random(lambda state, who, pick: sample_order(rules, state, who, pick))
    for seed in range(12):
        encounter = Encounter(rules, entrant.start(), seed, {"a": anything, "b": anything, "master": anything})
        encounter.advance()
        while not rules.over(encounter.state) and len(encounter.entries) < 40:
            state = encounter.state
            for who in rules.up(state):
                for n in range(4):
                    order = sample_order(rules, state, who, picker(seed, n, len(encounter.entries)))
                    if order.verb in UNTOLD or getattr(state, "turn", who) != who:
                        continue
                    scene = Recorder(state, Live(seed, n, lambda who: anything))
                    rules.perform(scene, order)
                    said = rules.cost(state, order)
                    assert said.split(",")[0] == spent(of(state, who), of(scene.state, who)), order
                    seen.add(said)
            encounter.step()
    assert len(seen) >= 3


@pytest.mark.parametrize("name", ["rond6", "rd6"])
def test_each_purchase_with_result_points_is_explained(name: str) -> None:
    rules = find(name)
    from affray.rulesets.rd6 import mechanics
    from affray.rulesets.rond6 import feats

    for option in {"rond6": ["add_die", "stop", *feats.FEATS], "rd6": list(mechanics.tables.FEATS)}[name]:
        rule, price = rules.explains(rules.Rulings(), "feat", option)
        text = told(rules.package, rule)
        assert text and "):" not in text and text[0] == text[0].upper() and (price or option == "stop"), option
    assert rules.explains(rules.Rulings(), "another question", "stop") == ("", "")


def test_the_cost_of_a_draft_hangs_on_its_options() -> None:
    costs = {}
    for entrant in entrants():
        rules, state = entrant.ruleset, entrant.start()
        costs[rules.name] = lambda rules=rules, state=state, **order: rules.cost(state, rules.order(order))
    rond6, rd6, cepheus = costs["rond6"], costs["rd6"], costs["cepheus"]
    assert rond6(do="move", by="Ash", to=(1, 1)) == "1 Action"
    assert rond6(do="move", by="Ash", to=(-5, 0)) == "Full Action"
    assert rond6(do="act", by="Ash", full=True) == "Full Action"
    assert rond6(do="attack", by="Ash", target="nobody") == "1 Action"
    assert rd6(do="move", by="Ash", to=(0, -1)) == "free"
    assert rd6(do="move", by="Ash", to=(0, -4)) == "an action"
    assert rd6(do="dodge", by="Ash", mode="full") == "the whole round"
    assert rd6(do="attack", by="Thug 2", target="Ash", weapon="rifle", mode="auto") == "the whole round"
    assert cepheus(do="check", by="Mara", skill="Medicine", minor=True) == "minor"
    assert cepheus(do="check", by="Mara", skill="Medicine") == "significant"
    assert cepheus(do="work", by="Mara", skill="Medicine", frame="rounds") == "the whole round"
