"""Tables hold the same rules as the table: one exchange row by row, and the simultaneous end of equals."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace

from affray.ask import ATTACKER, TARGET
from affray.interpreters.exact import Exact
from affray.rulesets.cepheus import RULESET, numbers, policies
from affray.rulesets.cepheus.defence import Struck
from affray.rulesets.cepheus.movement import starting_pairs
from affray.rulesets.cepheus.sheet import SCORES, Armour, Fighter, Held, Hit, Mode, Pair, Sheet, State, Weapon
from affray.rulesets.cepheus.tabular import ME, CepheusTables, Worn, plain
from affray.simulate.mass import Simulation
from affray.tabular import Seat

BOTH = (False, True)


def two(damage: str = "3D6", skill: int = 1, dexterity: tuple[int, int] = (8, 7), **more: Any) -> State:
    """Two gunmen at Medium, each aware of the other."""
    weapon = Weapon("gun", "ranged", ("rifle",), damage, (), ("Gun",), modes=(Mode("burst", 4),), magazine=40)
    fighters = []
    for name, other, score in (("A", "B", dexterity[0]), ("B", "A", dexterity[1])):
        sheet = Sheet(7, score, 8, skills=(("Gun", skill),), weapons=(weapon,), armour=(Armour("mesh", 5),))
        scores = {n: getattr(sheet, n) for n in SCORES}
        fighters.append(Fighter(name, name.lower(), sheet, **scores, held=(Held("gun", True, 40),), aware=(other,), **more))
    state = State(tuple(fighters))
    return replace(state, pairs=starting_pairs(state))


def received(tables: CepheusTables, solver: Any, seat: Any, message: Any) -> Any:
    """What a message makes of a seat, with weights."""
    return solver._enumerate(lambda: tables.receives(solver, seat, message))


@pytest.mark.parametrize("policy", ["cautious", "aggressive"])
def test_an_exchange_in_tables_is_the_exchange_at_the_table(policy: str) -> None:
    """What B is after A's attack: by the whole procedure, and by the steps of a table."""
    state = two()
    chosen = {"a": RULESET.policies[policy], "b": RULESET.policies[policy]}
    tables = CepheusTables(state)
    assert tables.refused(state, chosen) == ""
    fight = replace(
        state, phase="fight", turn="A", fighters=tuple(replace(f, rolled=True, begun=f.id == "A") for f in state.fighters)
    )
    exact = Exact(fight, lambda who: RULESET.policies[policy])
    order = policies.shot(fight["A"], "B")
    live = exact.odds(lambda scene: RULESET.perform(scene, order), lambda s: (plain(s["A"]), plain(s["B"])))
    one, other = tables.seat(fight, "A", policy), tables.seat(fight, "B", policy)
    solver = Exact(replace(state, fighters=()), lambda who: RULESET.policies[policy])
    solver._inside = True
    found: dict[Any, float] = {}
    for mine, weight in solver._enumerate(lambda: tables.acts(solver, one, "attack")):
        bout = tables.bout(mine, "attack", tables.between(state, "A", "B"), other)
        solver._roles = {ATTACKER: "A", TARGET: "B"}
        for outcome, share in solver.solve(bout.resolve, bout.args, (policy, policy)):
            ends = [(other, 1.0)]
            told = tables.messages(outcome)
            for message in (told[0], told[2]):
                if message is not None:
                    ends = [(after, p * q) for seat, p in ends for after, q in received(tables, solver, seat, message)]
            for after, p in ends:
                for done, q in solver._enumerate(lambda mine=mine: tables.after(solver, mine, "attack")):
                    key = (done.me, replace(after.me, fell=0))
                    found[key] = found.get(key, 0.0) + weight * share * p * q
    live = {(a, replace(b, fell=0)): p for (a, b), p in live.items()}
    assert found.keys() == live.keys()
    assert all(abs(found[key] - live[key]) < 1e-9 for key in live)
    assert all(fighter.id == ME for pair in live for fighter in pair)


@pytest.mark.rules("CEP-INI-7")
def test_equals_fall_together() -> None:
    """Nobody misses and nobody survives: both fall exactly when both throw the same, in 146 of 1296 throws."""
    state = two("30D6", skill=12, dexterity=(8, 8))
    players = {"a": RULESET.policies["aggressive"], "b": RULESET.policies["aggressive"]}
    raw = Simulation(RULESET, state, players).run(4000, seed=5, compiled=False)
    both = float((raw.winner == -2).mean())
    chance = 146 / 1296
    assert abs(both - chance) < 4 * (chance * (1 - chance) / 4000) ** 0.5
    assert set(raw.rounds.tolist()) == {1}
    fixed = replace(state, rulings=RULESET.rulings({"initiative.full_tie": "roster_order"}))
    raw = Simulation(RULESET, fixed, players).run(1000, seed=5, compiled=False)
    assert not (raw.winner == -2).any()


def test_what_tables_refuse() -> None:
    state = two()
    players = {"a": RULESET.policies["aggressive"], "b": RULESET.policies["aggressive"]}
    tables = CepheusTables(state)
    assert "policy" in tables.refused(state, {**players, "a": RULESET.policies["tactical"]})
    assert "surprise" in tables.refused(replace(state, fighters=(replace(state["A"], aware=()), state["B"])), players)
    assert "a turn is in progress" in tables.refused(replace(state, turn="A"), players)


@pytest.mark.parametrize("armour", [(), (Armour("mesh", 5),), (Armour("ablat", 1, 6, True), Armour("cloth", 3))])
def test_hits_that_are_told_as_one_do_the_same(armour: tuple[Armour, ...]) -> None:
    """By what is worn, and by what is left of somebody: strengths of a hit, fine hits, lasers, harm that was held back."""
    state = two()
    hits = [Hit(n, laser, through, quiet) for n in range(40) for laser in BOTH for through in BOTH for quiet in BOTH]
    tables, solver = CepheusTables(state), Exact(replace(state, fighters=()), lambda who: RULESET.policies["aggressive"])
    solver._inside = True
    told: set[Any] = set()
    for scores in ((7, 8, 7), (7, 8, 0), (1, 4, 0)):
        names = dict(zip(("strength", "dexterity", "endurance"), scores, strict=True))
        for aim in (0, 2):
            sheet = replace(state["A"].sheet, armour=armour)
            hurt: dict[str, Any] = {"was_hurt": scores[2] == 0, **names}
            me = replace(state["A"], sheet=sheet, rolled=True, aim=aim, aim_at="B" if aim else "", **hurt)
            seat = Seat(plain(me), "aggressive")
            worn = Worn(armour, (), 0, ())
            for hit in hits:
                *_, harm, quiet = tables.messages(Struck(3, "none", hit), worn)
                assert dict(received(tables, solver, seat, harm)) == dict(received(tables, solver, seat, hit))
                assert quiet == replace(harm, quiet=True)
                heard = tables.heard(seat, hit)
                assert dict(received(tables, solver, seat, heard)) == dict(received(tables, solver, seat, hit))
                told.add(tables.heard(seat, harm))
    assert len(told) < len(hits) * 2 / 3


def test_many_pairs_are_found_like_few() -> None:
    names = [f"x{number}" for number in range(13)]
    pairs = [Pair(a, b, 2.0 * at) for at, (a, b) in enumerate(combinations(names, 2))]
    pairs += [Pair("x1", "x0", 99.0)]  # the first counts, whoever is named first
    many, few = State((), pairs=tuple(pairs)), State((), pairs=tuple(pairs[: numbers.FEW_PAIRS]))
    assert len(many.pairs) > numbers.FEW_PAIRS
    for one in few.pairs:
        for a, b in ((one.a, one.b), (one.b, one.a)):
            assert numbers.pair(many, a, b) is numbers.pair(few, a, b) is one
    assert numbers.pair(many, "x0", "somebody") == Pair("x0", "somebody")
