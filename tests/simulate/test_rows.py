"""Rows of tables are what the mechanics come to: nothing that was left out of a seat to solve it once may matter."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from affray.ask import ATTACKER, SELF, TARGET
from affray.cli.fight import chosen_policies
from affray.formats.encounter import load_fight
from affray.simulate.mass import Simulation
from affray.simulate.tables import ACTS, BEGINS, ENDS, FIRST, INITIATIVE, MISSING, OPENS, Tables
from affray.tabular import OUTLOOKS, Seat

ROOT = Path(__file__).parent.parent.parent
FILES = ("rond6-5v5", "rd6-5v5", "cepheus-5v5")
SAMPLE = 40


@pytest.fixture(scope="module", params=FILES)
def simulation(request: Any) -> Simulation:
    fight = load_fight(str(ROOT / "examples" / f"{request.param}.toml"))
    chosen, _ = chosen_policies(fight, ())
    found = Simulation(fight.ruleset, fight.state, chosen)
    found.run(60, seed=3, compiled=False)
    return found


def close(one: dict[Any, float], other: dict[Any, float]) -> bool:
    return all(abs(one.get(key, 0.0) - other.get(key, 0.0)) < 1e-9 for key in one.keys() | other.keys())


def spread(tables: Tables, row: int) -> dict[Any, float]:
    return {tables.seats[value]: weight for value, weight in zip(*tables.rows.row(row), strict=True)}


def test_steps_of_seats_are_those_of_the_seats_solved_in_their_place(simulation: Simulation) -> None:
    t, tables = simulation.tabular, simulation.tables
    pick = random.Random(1)
    names = {OPENS: "opens", BEGINS: "begins", ENDS: "ends"}
    for op, number in pick.sample(sorted(tables.solo), min(len(tables.solo), 5 * SAMPLE)):
        seat, row = tables.seats[number], tables.solo[op, number]
        if op in (FIRST, INITIATIVE):
            direct = dict(tables.exact.solve_as({SELF: seat.policy}, t.initiative, seat, op == FIRST))
            assert close(direct, dict(zip(*tables.rows.row(row), strict=True)))
            continue
        mechanic = getattr(t, names[op] if op < ACTS else "after" if (op - ACTS) % 2 else "acts")
        detail = () if op < ACTS else (tables.actions[(op - ACTS) // 2],)
        tables._playing = seat.policy
        assert close(dict(tables.exact.solve_as({SELF: seat.policy}, mechanic, seat, *detail)), spread(tables, row)), (op, seat)
    for number, look in pick.sample(sorted(tables.next), min(len(tables.next), 5 * SAMPLE)):
        assert tables.actions[tables.next[number, look]] == t.next(tables.seats[number], OUTLOOKS[look])
    for number, message in pick.sample(sorted(tables.receives), min(len(tables.receives), 5 * SAMPLE)):
        seat = tables.seats[number]
        tables._playing = seat.policy
        direct = dict(tables.exact.solve_as({SELF: seat.policy}, t.receives, seat, tables.messages[message >> 1]))
        assert close(direct, spread(tables, tables.receives[number, message])), (seat, tables.messages[message >> 1])


def whole_attack(simulation: Simulation, by: Seat, action: str, between: Any, at: Seat) -> dict[Any, float]:
    """Target and attacker after an attack, from the seats as they are and from the mechanic alone."""
    t, tables = simulation.tabular, simulation.tables
    mechanic, args, read = simulation_attack(t, by, action, between, at)
    found: dict[Any, float] = {}
    for outcome, weight in tables.exact.solve_as({ATTACKER: by.policy, TARGET: at.policy}, mechanic, *args, keep=True):
        told = (*read(outcome), None, None)[:3]
        targets: dict[Any, float] = {at: weight}
        for message in (told[0], told[2]):
            if message is not None:
                targets = receiving(simulation, targets, message)
        for target, share in targets.items():
            for attacker, more in (receiving(simulation, {by: 1.0}, told[1]) if told[1] is not None else {by: 1.0}).items():
                found[target, attacker] = found.get((target, attacker), 0.0) + share * more
    return found


def receiving(simulation: Simulation, seats: dict[Any, float], message: Any) -> dict[Any, float]:
    found: dict[Any, float] = {}
    for seat, weight in seats.items():
        simulation.tables._playing = seat.policy
        for after, share in simulation.tables.exact.solve_as({SELF: seat.policy}, simulation.tabular.receives, seat, message):
            found[after] = found.get(after, 0.0) + weight * share
    return found


def simulation_attack(t: Any, by: Seat, action: str, between: Any, at: Seat) -> tuple[Any, tuple[Any, ...], Any]:
    """The mechanic of the rules behind an attack, its arguments, and how its outcome is read."""
    from msgspec.structs import replace

    kind = type(t).__name__
    weapon, c = between
    if kind == "RondTables":
        from affray.rulesets.rond6.mechanics import resolve
        from affray.rulesets.rond6.numbers import guard, line

        c = replace(c, prone=at.me.prone)
        return (
            resolve,
            (line(by.me, weapon, c, t.rulings), guard(at.me, weapon.kind, c, t.rulings, weapon.stun)),
            lambda out: (out.to_target, None),
        )
    bout = t.bout(by, action, between, at)
    if kind != "RdTables" or bout.then is None:
        return bout.resolve, bout.args, t.messages
    from affray.rulesets.rd6.mechanics import attack_roll
    from affray.rulesets.rd6.tabular import landed

    def whole(ask: Any, mine: Any, met: Any, against: Any) -> Any:
        return landed(ask, mine, met, attack_roll(ask, mine), against)

    return whole, (bout.args[0], *bout.then.alike[1:]), t.messages


def tabulated_attack(simulation: Simulation, by: int, action: int, between: int, at: int) -> dict[Any, float]:
    tables = simulation.tables
    found: dict[Any, float] = {}
    row = tables.row_attack(tables.brings(by, action), between, tables.offers(at))
    for number, weight in zip(*tables.rows.row(row), strict=True):
        target, attacker, harm, _ = tables.pairs[number]
        targets = {at: weight}
        for message in (target, harm):
            if message != MISSING:
                after: dict[int, float] = {}
                for seat, share in targets.items():
                    for new, more in zip(*tables.rows.row(tables.row_receive(seat, message)), strict=True):
                        after[new] = after.get(new, 0.0) + share * more
                targets = after
        mine = {by: 1.0}
        if attacker != MISSING:
            mine = dict(zip(*tables.rows.row(tables.row_receive(by, attacker)), strict=True))
        for seat, share in targets.items():
            for one, more in mine.items():
                key = (tables.seats[seat], tables.seats[one])
                found[key] = found.get(key, 0.0) + share * more
    return found


def without_idle(simulation: Simulation, found: dict[Any, float]) -> dict[Any, float]:
    """Seats without carried points that a standing Test is above of: they are not told apart."""
    from msgspec.structs import replace

    merged: dict[Any, float] = {}
    idle = getattr(simulation.tabular, "idle_margin", None)
    for (target, attacker), weight in found.items():
        if idle and target.me.standing and target.me.carried:
            bare = replace(target.me, carried=0)
            if target.me.carried <= idle(bare):
                target = Seat(bare, target.policy)
        merged[target, attacker] = merged.get((target, attacker), 0.0) + weight
    return merged


def test_attacks_are_those_of_the_whole_seats(simulation: Simulation) -> None:
    nodes, tables = simulation.kernel_tables, simulation.tables
    attacking = [(seat, doing) for seat, doing in nodes.nodes if doing > 0]
    able = simulation.tabular.able
    resting = [seat for seat, doing in nodes.nodes if not doing and able(tables.seats[seat])]
    grounds = range(len(tables.between))
    pick = random.Random(2)
    for _ in range(SAMPLE):
        (by, action), at = pick.choice(attacking), pick.choice(resting)
        ground = pick.choice([g for g in grounds if fits(simulation, by, g)])
        direct = whole_attack(simulation, tables.seats[by], tables.actions[action], tables.between[ground], tables.seats[at])
        told = tabulated_attack(simulation, by, action, ground, at)
        assert close(without_idle(simulation, direct), without_idle(simulation, told)), (tables.seats[by], tables.seats[at])
        shown = tables.brings(by, action), ground, tables.offers(at)
        assert close(in_two_steps(tables, *shown), row_of(tables, tables.row_attack(*shown)))


def row_of(tables: Tables, row: int) -> dict[Any, float]:
    return dict(zip(*tables.rows.row(row), strict=True))


def in_two_steps(tables: Tables, brings: int, ground: int, offers: int) -> dict[Any, float]:
    """An attack as the kernel draws it: the throw, then what comes of that."""
    throw, after = tables.staged(brings, ground, offers)
    found: dict[Any, float] = {}
    for result, weight in row_of(tables, throw).items():
        for pair, share in (row_of(tables, after[result]) if after else {result: 1.0}).items():
            found[pair] = found.get(pair, 0.0) + weight * share
    return found


def fits(simulation: Simulation, seat: int, ground: int) -> bool:
    """Whether the weapon of a ground is the one in this seat's hand."""
    me, weapon = simulation.tables.seats[seat].me, simulation.tables.between[ground][0]
    return any(weapon == one for one in me.sheet.weapons)
