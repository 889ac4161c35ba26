"""Rd6: tables are the same game as live play: one attack, one defence, one round, compared outcome by outcome."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from affray.dice import Code
from affray.interpreters.exact import Exact
from affray.rulesets.rd6 import RULESET, commands
from affray.rulesets.rd6.doctrines import DOCTRINES
from affray.rulesets.rd6.rulings import Rulings
from affray.rulesets.rd6.sheet import Cover, Fighter, Sheet, Skill, Standing, State, Weapon
from affray.rulesets.rd6.tabular import UNBEGUN, RdTables
from affray.simulate.mass import Simulation
from affray.simulate.tables import ACTS, MISSING, Tables
from affray.tabular import END, Outlook

GUN = Weapon("gun", "ranged", Code(4), ranges=(10, 30, 60), modes=("single", "semi"), clip=9)
SWORD = Weapon("sword", "melee", Code(2), strength=True, sharp=True)
ATTRIBUTES = (("Agility", Code(3)), ("Strength", Code(3)), ("Stamina", Code(2)), ("Perception", Code(3)))
SKILLS = (Skill("Ranged Weapons", Code(4)), Skill("Melee Weapons", Code(4)), Skill("Fighting", Code(3)), Skill("Dodge", Code(4)))
SHEET = Sheet(attributes=ATTRIBUTES, skills=SKILLS, weapons=(GUN, SWORD))
BODY = {"aggressive": DOCTRINES[0], "cautious": DOCTRINES[1], "guarded": DOCTRINES[2]}


def fight(ann: dict[str, Any], ben: dict[str, Any], rulings: Rulings, armour: Code = Code(0)) -> State:  # noqa: B008
    one = Fighter("Ann", "Ann", "a", SHEET, at=(0, 0), weapon="gun", loaded=(("gun", 9),), begun=True)
    two = Fighter("Ben", "Ben", "b", replace(SHEET, armour=armour), at=(1, 0), weapon="sword", loaded=(("gun", 9),))
    return State((replace(one, **ann), replace(two, **ben)), rulings, 1, "Ann")


def look(me: Fighter) -> tuple[Any, ...]:
    return (min(5, me.wounds), me.stunned and not me.unconscious, me.unconscious, me.dead, me.character_points)


def live_odds(state: State, order: Any, who: str) -> dict[Any, float]:
    exact = Exact(state, lambda name: BODY["guarded"])
    return exact.odds(lambda scene: RULESET.perform(scene, order), lambda s: look(next(f for f in s.fighters if f.id == who)))


def table_odds(state: State, action: str, who: int) -> dict[Any, float]:
    tabular = RdTables(state)
    tables = Tables(tabular, state, BODY)
    by, at = (tables.seat(tabular.seat(state, name, "guarded")) for name in ("Ann", "Ben"))
    ground = tables.ground(tabular.between(state, "Ann", "Ben"))
    row = tables.row_attack(tables.brings(by, tables.action(action)), ground, tables.offers(at))
    found: dict[Any, float] = {}
    for pair, weight in zip(*tables.rows.row(row), strict=True):
        seat, message = (at, by)[who], tables.pairs[pair][who]
        if message == MISSING:
            results: Any = ((seat,), (1.0,))
        else:
            results = tables.rows.row(tables.row_receive(seat, message))
        for after, chance in zip(*results, strict=True):
            key = look(tables.seats[after].me)
            found[key] = found.get(key, 0.0) + weight * chance
    return found


DODGING = {"standing": (Standing("dodge", "active", 2),)}
BLOCKING = {"standing": (Standing("block", "active", 2),)}
PARRYING = {"standing": (Standing("parry", "active", 2, weapon="sword"),)}
CASES: dict[str, tuple[dict[str, Any], dict[str, Any], Rulings, Code, str, int]] = {
    "passive": ({}, {}, Rulings(), Code(0), "attack 1", 0),
    "wounded before": ({"wounds": 1}, {"wounds": 2}, Rulings(), Code(0), "attack 1", 0),
    "two rounds": ({}, {}, Rulings(), Code(0), "attack 2", 0),
    "dodging in armour": ({}, DODGING, Rulings(), Code(1, 1), "attack 1", 0),
    "with points": ({}, {"character_points": 2}, Rulings(), Code(1), "attack 1", 0),
    "blade on body": ({"weapon": "sword"}, BLOCKING, Rulings(), Code(0), "attack 1", 0),
    "fist on blade": ({"weapon": ""}, PARRYING, Rulings(), Code(0), "attack 1", 1),
    "other rulings": ({}, {"wounds": 1}, Rulings(wound_also_stuns=True, resistance_toughness="rolled"), Code(1), "attack 1", 0),
}


@pytest.mark.parametrize("name", CASES)
def test_one_attack(name: str) -> None:
    ann, ben, rulings, armour, action, who = CASES[name]
    state = fight(ann, ben, rulings, armour)
    order = commands.Attack("Ann", "Ben", shots=int(action.split()[1]))
    live, table = live_odds(state, order, ("Ben", "Ann")[who]), table_odds(state, action, who)
    assert abs(sum(table.values()) - 1) < 1e-9
    for key in live | table:
        assert abs(live.get(key, 0) - table.get(key, 0)) < 1e-9, key


def test_a_defence_rolled_alone() -> None:
    state = fight({"declared": 2}, {}, Rulings())
    tabular = RdTables(state)
    tables = Tables(tabular, state, BODY)
    row = tables.row_solo(ACTS + 2 * tables.action("active"), tables.seat(tabular.seat(state, "Ann", "guarded")))
    found: dict[int, float] = {}
    for seat, weight in zip(*tables.rows.row(row), strict=True):
        result = tables.seats[seat].me.standing[0].result
        found[result] = found.get(result, 0.0) + weight
    exact = Exact(state, lambda name: BODY["guarded"])
    live = exact.odds(lambda scene: RULESET.perform(scene, commands.Dodge("Ann")), lambda s: s.fighters[0].standing[0].result)
    assert all(abs(live[result] - found[result]) < 1e-9 for result in live)


def test_before_the_fight_a_guarded_one_announces() -> None:
    state = replace(fight({"begun": False}, {}, Rulings()), round=0, turn="")
    tabular = RdTables(state)
    seat = tabular.seat(state, "Ann", "guarded")
    assert seat.me.declared == UNBEGUN
    tables = Tables(tabular, state, BODY)
    opened = {tables.seats[s].me for s in tables.rows.row(tables.row_solo(0, tables.seat(seat)))[0]}
    assert {me.declared for me in opened} == {2}
    assert {me.standing[0].mode for me in opened} == {"partial"}
    plain = tables.rows.row(tables.row_solo(0, tables.seat(tabular.seat(state, "Ann", "aggressive"))))[0]
    assert [tables.seats[s].me.standing for s in plain] == [()]


def test_words_of_a_turn() -> None:
    state = fight({}, {}, Rulings())
    tabular = RdTables(state)
    seat = tabular.seat(state, "Ann", "guarded")
    assert tabular.next(seat, Outlook()) == "attack 2"
    assert tabular.next(seat, Outlook(True, True)) == "declare 2"
    assert tabular.next(replace(seat, me=replace(seat.me, wounds=1)), Outlook(True, True)) == "full"
    assert tabular.next(replace(seat, me=replace(seat.me, loaded=(("gun", 0),))), Outlook()) == "reload"
    assert tabular.next(replace(seat, me=replace(seat.me, used=1, declared=1)), Outlook()) == END


def test_a_whole_fight_runs_on_tables() -> None:
    state = replace(fight({"begun": False}, {}, Rulings()), round=0, turn="")
    players: dict[str, Any] = {"a": BODY["aggressive"], "b": BODY["guarded"], "master": BODY["aggressive"]}
    found = Simulation(RULESET, state, players).run(40, seed=1, compiled=False)
    assert set(found.winner.tolist()) <= {0, 1}
    assert found.rounds.min() >= 1


def test_what_is_not_tabulated_is_said() -> None:
    state = replace(fight({"begun": False}, {}, Rulings()), turn="")
    players: dict[str, Any] = {"a": BODY["aggressive"], "b": BODY["aggressive"]}
    refused = RdTables(state).refused
    assert refused(state, players) == ""
    assert "policy random" in refused(state, {**players, "b": RULESET.policies["random"]})
    far = replace(state, fighters=(state.fighters[0], replace(state.fighters[1], at=(9, 0))))
    assert "has to move" in refused(far, players)
    walled = replace(state.fighters[1], behind="wall")
    behind = replace(state, fighters=(state.fighters[0], walled), covers=(Cover("wall", 100, Code(3)),))
    assert "cover" in refused(behind, players)
