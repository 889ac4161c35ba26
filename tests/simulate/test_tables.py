"""Fights in tables: equal whatever the batches, equal compiled or not, and in agreement with the exact duel and live play."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from simulate import chances

from affray.cli.fight import chosen_policies
from affray.dice import Code
from affray.encounter import Encounter
from affray.formats.encounter import load_fight
from affray.ruleset import find
from affray.rulesets.rond6.sheet import Armor, Fighter, Sheet, State, Weapon
from affray.simulate import layout, lots, mass, memory
from affray.simulate.duel import duel
from affray.simulate.mass import Raw, Simulation

ROOT = Path(__file__).parent.parent.parent
RULES = find("rond6")
PISTOL = Weapon("pistol", "ranged", Code(4), ranges=(10, 25, 50))


def fighter(name: str, side: str, dice: int, y: int, x: int = 0, **more: Any) -> Fighter:
    attributes = {"Strength": 3, "Agility": 3, "Stamina": 3, "Perception": 3, "Will Power": 2}
    skills = {"Ranged Weapons": dice, "Dodge": 4, "Fortitude": 3}
    sheet = Sheet(
        tuple((k, Code(v)) for k, v in attributes.items()),
        tuple((k, Code(v)) for k, v in skills.items()),
        (PISTOL,),
        Armor(Code(1)),
    )
    return Fighter(name, name, side, sheet, at=(x, y), held=("pistol",), **more)


def start(each: int = 1) -> State:
    many = [fighter(f"a{i}", "a", 5, 0, i) for i in range(each)] + [fighter(f"b{i}", "b", 6, 8, i) for i in range(each)]
    return State(tuple(many))


def players(b: str = "aggressive") -> dict[str, Any]:
    return {"a": RULES.policies["aggressive"], "b": RULES.policies[b]}


def test_results_do_not_depend_on_batches_or_compilation() -> None:
    state = start(2)
    one = Simulation(RULES, state, players()).run(400, seed=5, compiled=False)
    simulation = Simulation(RULES, state, players())
    simulation.run(50, seed=9, compiled=False)  # other rows are there before
    parts = [simulation.run(150, seed=5, first=0, compiled=False), simulation.run(250, seed=5, first=150, compiled=False)]
    fates = [simulation.tabular.fate(seat) for seat in simulation.tables.seats]
    assert np.array_equal(one.winner, np.concatenate([p.winner for p in parts]))
    assert np.array_equal(one.rounds, np.concatenate([p.rounds for p in parts]))
    assert np.array_equal(one.downed_by, np.concatenate([p.downed_by for p in parts]))
    assert set(fates) <= {"untouched", "wounded", "out", "dead"}
    assert not np.array_equal(one.winner, Simulation(RULES, state, players()).run(400, seed=6, compiled=False).winner)


def same(one: Raw, other: Raw) -> bool:
    """Every number of every fight, with seats by what they are: their numbers depend on what was built first."""
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ("winner", "rounds", "downed_by"))


def sample(name: str) -> Simulation:
    fight = load_fight(str(ROOT / "examples" / f"{name}-5v5.toml"))
    return Simulation(fight.ruleset, fight.state, chosen_policies(fight, ())[0])


def fates(simulation: Simulation, raw: Raw) -> list[list[str]]:
    return [[simulation.tabular.fate(simulation.tables.seats[seat]) for seat in row] for row in raw.final.tolist()]


@pytest.mark.parametrize("name", ["rond6", "rd6", "cepheus"])
def test_compiled_and_plain_kernel_give_the_same_fights(name: str) -> None:
    pytest.importorskip("numba")
    one, other = sample(name), sample(name)
    plain, compiled = one.run(80, seed=5, compiled=False), other.run(80, seed=5, compiled=True)
    assert same(plain, compiled) and fates(one, plain) == fates(other, compiled)


def test_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr(mass, "THREADS_FROM", 16)
    one, other = (Simulation(RULES, start(2), players()) for _ in range(2))
    alone, together = one.run(3000, seed=5, compiled=True), other.run(3000, seed=5, threads=3, compiled=True)
    assert same(alone, together) and fates(one, alone) == fates(other, together)
    assert same(alone, other.run(3000, seed=5, threads=2, compiled=True))


def part(first: int) -> Raw:
    return Simulation(RULES, start(2), players()).run(200, seed=5, first=first, compiled=False)


def test_processes_change_nothing() -> None:
    whole = part(0), part(200)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert all(same(one, other) for one, other in zip(whole, pool.map(part, (0, 200)), strict=True))


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**40 + 7])
def test_random_numbers_are_even_and_of_their_own_for_every_fight(seed: int) -> None:
    """A row of 64 equal outcomes, drawn by many fights once and by one fight many times."""
    row = tuple((value, 1 / 64) for value in range(64))
    words = memory.alias_columns(row, 6)
    code = -(32 - 6)
    room = [0] * layout.PEOPLE
    many: Counter[int] = Counter()
    for fight in range(6400):
        lots.sow(seed, fight, room)
        many[lots.draw(code, words, room)] += 1
    single = Counter(lots.draw(code, words, room) for _ in range(6400))
    for found in (many, single):
        assert chances.against(found, dict.fromkeys(range(64), 1 / 64)) > 1e-4


@pytest.mark.parametrize("size", [2, 3, 5, 8, 33, 64])
def test_columns_hold_the_weights_of_a_row(size: int) -> None:
    weights = [1 / (k + 1) for k in range(size)]
    row = tuple((100 + k, weight / sum(weights)) for k, weight in enumerate(weights))
    bits = max(1, (size - 1).bit_length())
    words, full = memory.alias_columns(row, bits), memory.WHOLE >> bits
    held: Counter[int] = Counter()
    for column in range(1 << bits):
        share = (words[2 * column] >> lots.VALUE) - full * column
        held[words[2 * column] & (1 << lots.VALUE) - 1] += share
        held[words[2 * column + 1]] += full - share
    assert sum(held.values()) == memory.WHOLE
    assert all(abs(held[value] / memory.WHOLE - weight) < 1e-9 for value, weight in row)


def test_a_hashed_table_finds_what_was_put_into_it() -> None:
    hashed = memory.Hashed()
    for seat in range(60):
        for number in range(20):
            hashed.put(seat << layout.SEATS | number, seat)
            hashed.put(layout.OF_JOIN | seat << layout.SEATS | number, number)
    assert all(lots.look_up(key, hashed.data) == value for key, value in hashed.values.items())
    assert lots.look_up(layout.OF_BOUT | 3, hashed.data) == lots.look_up(61 << layout.SEATS, hashed.data) == lots.UNKNOWN


def chances_of(code: int, words: Any) -> dict[int, float]:
    """What a code stands for: its outcomes with their chances, in the arrays of the kernel."""
    if code >= 0:
        return {code: 1.0}
    at, shift = -code >> lots.PLACE, -code & (1 << lots.PLACE) - 1
    found: Counter[int] = Counter()
    if shift == 0:
        for result, chance in chances_of(int(words[at]), words).items():
            for value, share in chances_of(int(words[at + 1 + result]), words).items():
                found[value] += chance * share  # type: ignore[assignment]
        return dict(found)
    for column in range(1 << 32 - shift):
        own, other = int(words[at + 2 * column]), int(words[at + 2 * column + 1])
        share = ((own >> lots.VALUE) - (column << shift)) / (1 << 32)
        found[own & (1 << lots.VALUE) - 1] += share  # type: ignore[assignment]
        found[other] += 2.0 ** (shift - 32) - share  # type: ignore[assignment]
    return {value: chance for value, chance in found.items() if chance}


@pytest.mark.parametrize("name", ["rond6", "rd6", "cepheus"])
def test_attacks_in_one_draw_or_two_have_the_chances_of_their_row(name: str) -> None:
    simulation = sample(name)
    simulation.run(40, seed=2, compiled=False)
    tables, kernel_tables = simulation.tables, simulation.kernel_tables
    words, draws = kernel_tables.words.data, set()
    bouts = [key for key in kernel_tables.keys.values if key >> layout.KINDS & 3 == layout.OF_BOUT >> layout.KINDS]
    for key in bouts[:: max(1, len(bouts) // 40)]:
        brings, offers = key >> layout.BROUGHT, key & (1 << layout.KINDS) - 1
        ground = key >> layout.GROUNDS & (1 << layout.BROUGHT - layout.GROUNDS) - 1
        code = kernel_tables.keys.values[key]
        draws.add(-code & (1 << lots.PLACE) - 1 == 0)
        found = chances_of(code, words)
        values, weights = tables.rows.row(tables.row_attack(brings, ground, offers))
        wanted: Counter[tuple[int, ...]] = Counter()
        for value, weight in zip(values, weights, strict=True):
            target, attacker, harm, held = tables.pairs[value]
            wanted[target, harm, attacker, held] += weight  # type: ignore[assignment]
        told = {tuple(words[at : at + 4].tolist()): chance for at, chance in found.items()}
        assert all(abs(told.get(one, 0.0) - chance) < 1e-7 for one, chance in wanted.items())
        assert set(told) <= set(wanted)
    assert draws == ({False, True} if name == "rond6" else {False})


def live(state: State, who: dict[str, Any], fights: int) -> float:
    """Share of live fights that side a wins."""

    class Defaults:
        name = "defaults"

        def answer(self, request: Any, state: Any, pick: Any) -> Any:
            return request.default

    won = 0
    for seed in range(fights):
        encounter = Encounter(RULES, state, seed, {**who, "master": Defaults()})  # type: ignore[dict-item]
        encounter.advance()
        while not RULES.over(encounter.state):
            encounter.step()
        won += any(f.side == "a" and not f.out for f in encounter.state.fighters)
    return won / fights


def test_exact_duel_tables_and_live_play_agree() -> None:
    exact = duel(RULES, start(), players(), prune=1e-9, undecided=1e-5)
    assert abs(sum(exact.win) + exact.both_out + exact.undecided + exact.lost - 1) < 1e-9
    assert abs(sum(w for _, w in exact.fates) - sum(exact.win) - exact.both_out) < 1e-9
    raw = Simulation(RULES, start(), players()).run(1500, seed=1, compiled=False)
    for share, count in (((raw.winner == 0).mean(), 1500), (live(start(), players(), 150), 150)):
        p = exact.win[0]
        assert abs(share - p) <= 4 * sqrt(p * (1 - p) / count)


def test_fights_that_tables_cannot_hold_say_why() -> None:
    far = State((fighter("a", "a", 5, 0), fighter("b", "b", 5, 90)))
    with pytest.raises(ValueError, match="has to move"):
        Simulation(RULES, far, players())
    with pytest.raises(ValueError, match="random"):
        Simulation(RULES, start(), {"a": RULES.policies["random"], "b": RULES.policies["aggressive"]})


def test_a_fight_that_never_ends_is_undecided() -> None:
    harmless = Weapon("feather", "ranged", Code(1), ranges=(10, 25, 50))
    armored = tuple(_with(f, harmless) for f in start().fighters)
    raw = Simulation(RULES, State(armored), players(), max_rounds=5).run(20, compiled=False)
    assert set(raw.winner.tolist()) == {-1} and set(raw.rounds.tolist()) == {5}


def test_a_fight_that_can_never_end_is_known_as_such() -> None:
    harmless = Weapon("feather", "ranged", Code(1), ranges=(10, 25, 50))
    none = Simulation(RULES, State(tuple(_with(f, harmless, 600) for f in start().fighters)), players(), max_rounds=5)
    assert not none.endless  # not known yet
    none.run(20, compiled=False)
    assert none.endless
    some = Simulation(RULES, start(), players(), max_rounds=30)
    some.run(20, compiled=False)
    assert not some.endless


def _with(f: Fighter, weapon: Weapon, armor: int = 60) -> Fighter:
    return replace(f, sheet=replace(f.sheet, weapons=(weapon,), armor=Armor(Code(armor))), held=(weapon.name,))
