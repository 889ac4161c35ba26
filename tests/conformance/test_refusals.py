"""Whatever a ruleset refuses it refuses by a rule that exists; what is wrong in the form of an order the core says before."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest
from conformance.rulesets import Entrant, entrants

from affray import rules
from affray.encounter import Encounter
from affray.errors import AffrayError
from affray.interpreters.live import picker
from affray.policies.random import Random
from affray.ruleset import sample_order

PACKAGES = Path(__file__).parents[2] / "src" / "affray" / "rulesets"
BOOKS = [one for one in entrants() if one.ruleset.name != "toy"]
ODD = ("", "nobody", 0, -1, 1, 2, 99, True, False, None, (0, 0), (50, 50), ("nobody",), (), 1.5)
"""Values that may stand in any option that takes them."""


def known(name: str) -> set[str]:
    return set(rules.index(f"affray.rulesets.{name}"))


@pytest.mark.parametrize("name", [one.ruleset.name for one in BOOKS])
def test_every_refusal_that_is_written_down_names_a_rule(name: str) -> None:
    """The first value of each `Refusal(...)` in a ruleset is an id of its index, or worked out from such ids."""
    wrong = []
    for file in sorted((PACKAGES / name).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal"):
                continue
            texts = [one.value for one in ast.walk(node.args[0]) if isinstance(one, ast.Constant)]
            if isinstance(node.args[0], ast.Constant | ast.IfExp) and not set(texts) <= known(name):
                wrong.append(f"{file.name}:{node.lineno}: {texts}")
    assert wrong == []


def words(state: Any) -> list[Any]:
    """What may be typed into an option: names of people and weapons, and nonsense."""
    weapons = {weapon.name for f in state.fighters for weapon in f.sheet.weapons}
    people = tuple(f.id for f in state.fighters)
    return [*ODD, *people, *sorted(weapons), people[:1], people[-2:], people[:1] * 2]


def anything(book: Any, state: Any, pick: Any) -> Any:
    """Any order by anybody with any values that fit its options."""
    kind = book.orders.__args__[pick(len(book.orders.__args__))]
    people, values = [f.id for f in state.fighters], words(state)
    given: dict[str, Any] = {"by": [*people, "nobody"][pick(len(people) + 1)]}
    hints = get_type_hints(kind)
    for field in msgspec.structs.fields(kind):
        if field.name == "by" or (not field.required and pick(3) == 0):
            continue
        for _ in range(99):
            try:
                given[field.name] = msgspec.convert(msgspec.to_builtins(values[pick(len(values))]), hints[field.name])
                break
            except msgspec.ValidationError:
                continue
    return kind(**given)


@pytest.mark.parametrize("entrant", BOOKS, ids=lambda e: e.ruleset.name)
def test_every_refusal_that_an_order_meets_names_a_rule(entrant: Entrant) -> None:
    """Orders of all kinds with values good and bad, before, in and after random fights; and whatever is offered but refused."""
    book, ids = entrant.ruleset, known(entrant.ruleset.name)
    policy = Random(lambda state, who, pick: sample_order(book, state, who, pick))
    wrong: set[tuple[str, str, str]] = set()
    met: set[str] = set()
    for seed in range(2):
        fight = Encounter(book, entrant.start(), seed, {"a": policy, "b": policy, "master": policy})
        for step in range(12):
            state, pick = fight.state, picker(seed, 7, step)
            for _ in range(150):
                order = anything(book, state, pick)
                refused = book.why_not(state, order)
                if refused is not None:
                    met.add(refused.rule)
                    if refused.rule not in ids:
                        wrong.add((order.verb, refused.rule, refused.text))
            for one in state.fighters:
                for offer in book.offers(state, one.id):
                    if offer.refused is not None and offer.refused.rule not in ids:
                        wrong.add((offer.verb, offer.refused.rule, offer.refused.text))
            fight.advance() if step == 0 else play_on(fight, pick)
    assert not wrong
    assert len(met) > 15


def play_on(fight: Encounter, pick: Any) -> None:
    """Some turns more, or time after the fight."""
    for _ in range(5):
        up = fight.ruleset.up(fight.state)
        if not up or fight.open is not None:
            return
        try:
            fight.order(sample_order(fight.ruleset, fight.state, up[0], pick))
        except AffrayError:
            return
