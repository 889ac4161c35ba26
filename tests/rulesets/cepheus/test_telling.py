"""What is told and shown: every note has words, every number is the sum of its parts, hidden things stay hidden."""

from __future__ import annotations

from typing import Any

import pytest
from conformance.rulesets import cepheus_start
from msgspec.structs import replace

from affray.encounter import Encounter
from affray.modifiers import total
from affray.render import text
from affray.rulesets.cepheus import RULESET, attack, commands, numbers
from affray.rulesets.cepheus.texts import TEXTS


def fight(seed: int, policy: str, orders: int = 80, start: Any = None) -> Encounter:
    players = dict.fromkeys(("a", "b"), RULESET.policies[policy])
    encounter = Encounter(RULESET, start or cepheus_start(), seed, {**players, "master": RULESET.policies["random"]})
    encounter.advance()
    while not RULESET.over(encounter.state) and len(encounter.entries) < orders:
        encounter.step()
    return encounter


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("policy", ["random", "aggressive", "cautious"])
def test_every_event_can_be_told(seed: int, policy: str) -> None:
    for entry in fight(seed, policy).entries:
        for event in entry.events:
            note = getattr(event, "note", "")
            assert not note or note in TEXTS or note.startswith("referee."), note
            assert "{" not in text.told(event, TEXTS)


@pytest.mark.rules("CEP-MOD-1", "CEP-MOD-2")
def test_numbers_are_the_sum_of_their_parts() -> None:
    for seed in range(8):
        state = fight(seed, "random", 40).state
        for a in state.fighters:
            for shown in RULESET.numbers(state, a.id).values():
                if shown.parts and isinstance(shown.value, int):
                    assert shown.value == total(shown.parts)
            for b in state.fighters:
                order = commands.Attack(a.id, b.id)
                if a.id == b.id or RULESET.why_not(state, order):
                    continue
                built = attack.built(state, order)
                circ = numbers.circumstances(state, a.id, b.id)
                line = numbers.line(a, built, circ, state.rulings)
                guard = numbers.guard(b, built, circ, state.rulings)
                assert (line.dm, guard.dm) == (total(line.parts), total(guard.parts))
                assert all(part.rule.startswith("CEP-") for part in line.parts + guard.parts)


def test_nobody_sees_a_hidden_enemy() -> None:
    state = cepheus_start()
    fighters = tuple(
        replace(f, hidden=f.id == "Kell", aware=tuple(w for w in f.aware if w != "Kell" or f.side == "b")) for f in state.fighters
    )
    state = replace(state, fighters=fighters)
    assert "Kell" in [f["id"] for f in RULESET.view(state, "b")["fighters"]]
    seen = RULESET.view(state, "a")
    assert "Kell" not in [f["id"] for f in seen["fighters"]]
    assert "Kell" not in str(seen["bands"]) + str(seen["order"]) + str(seen["up"])
    enemy = next(f for f in seen["fighters"] if f["id"] == "Brod")
    assert "strength" not in enemy and "held" not in enemy and enemy["state"] == "unhurt"


def test_policies_take_cover_dodge_aim_and_end_fights() -> None:
    verbs: set[str] = set()
    answers: set[Any] = set()
    for seed in range(10):
        state = cepheus_start()
        start = replace(state, pairs=tuple(replace(p, metres=60.0) if p.metres > 3 else p for p in state.pairs))
        encounter = fight(seed, "cautious", 2000, start)
        assert RULESET.over(encounter.state)
        verbs |= {entry.order.verb for entry in encounter.entries}
        answers |= {a.value for e in encounter.entries for a in e.answers if a.why in ("react", "blast")}
    assert {"attack", "aim", "stance", "reload", "move"} <= verbs
    assert {"dodge", "none"} <= answers


@pytest.mark.rules("CEP-UNC-2", "CEP-FAT-2", "CEP-HEA-1", "CEP-MEN-1", "CEP-MED-2")
def test_what_is_due_after_a_fight() -> None:
    state = cepheus_start()
    hurt = {
        "Mara": {"status": "unconscious", "strength": 0, "endurance": 0, "hurt_at": 0},
        "Voss": {"fatigued": True, "rested": 1.0},
        "Kell": {"intelligence": 5},
    }
    fighters = tuple(replace(f, **hurt.get(f.id, {})) for f in state.fighters)
    due = RULESET.due(replace(state, fighters=fighters, phase="after", seconds=120))
    told = [(one.who, one.minutes, one.rule) for one in due]
    assert told == sorted(told, key=lambda one: one[1])
    assert ("Mara", 1, "CEP-UNC-2") in told and ("Mara", 3, "CEP-MED-2") in told and ("Mara", 58, "CEP-MED-2") in told
    assert ("Voss", 120, "CEP-FAT-2") in told and ("Kell", 1438, "CEP-MEN-1") in told


@pytest.mark.rules("CEP-MED-2")
def test_a_wound_is_as_old_in_the_next_fight() -> None:
    state = cepheus_start()
    fighters = tuple(replace(f, endurance=1, hurt_at=6) if f.id == "Mara" else f for f in state.fighters)
    after = replace(state, fighters=fighters, phase="after", seconds=7206)
    assert RULESET.kept(after, "Mara")["hurt_at"] == -7200
    assert "hurt_at" not in RULESET.kept(after, "Voss")
