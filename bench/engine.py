"""The engine's own costs: an attack's rules against a bare function, a whole order, exact odds, automatic fights. CPU time."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import count
from statistics import median
from typing import Any

from timing import RUNS, alternating, show, told

from affray import odds
from affray.ask import ATTACKER, SELF, TARGET
from affray.dice import Code
from affray.encounter import Encounter
from affray.interpreters.live import Live
from affray.interpreters.replay import Replay
from affray.rulesets.rond6 import RULESET
from affray.rulesets.rond6.attack import Attack
from affray.rulesets.rond6.mechanics import exchange
from affray.rulesets.rond6.numbers import circumstances, guard, line
from affray.rulesets.rond6.sheet import Armor, Fighter, Sheet, State, Weapon
from affray.scene import Recorder

ENTRIES = count(1)
FIGHTS = 4


def start(each: int = 1) -> State:
    """So many alike on each side, in reach of one another."""
    plain = tuple((name, Code(3)) for name in ("Strength", "Agility", "Stamina", "Perception", "Will Power"))
    sword = Weapon("sword", "melee", Code(2), strength=True, reach=9)
    kit = Sheet(plain, (("Melee Weapons", Code(5)), ("Dodge", Code(4))), (sword,), Armor(Code(1)))

    def one(side: str, n: int, x: int) -> Fighter:
        name = f"{side}{n}"
        return Fighter(name, name, side, kit, at=(x, n), held=("sword",))

    return State(tuple(one(side, n, x) for x, side in enumerate("ab") for n in range(each)))


def bare(skill: int, dealt: int, need: int, resistance: int, stamina: int, wounds: int) -> tuple[int, bool, bool]:
    """The same attack as a function of numbers: Wild Dice, bought dice, Wounds, staying awake. Nothing recorded or asked."""

    def roll(dice: int) -> int:
        total = 0
        while (face := random.randrange(6) + 1) == 6:
            total += 6
        total += face
        for _ in range(dice - 1):
            total += random.randrange(6) + 1
        return total

    reached = roll(skill)
    if reached < need:
        return wounds, False, False
    over = roll(dealt + (reached - need) // 5) - resistance
    if over < 0:
        return wounds, False, False
    more = over // 6
    after = wounds + more
    out = after >= 4 or (more and after == 3 and roll(stamina) < 10)
    return after, True, bool(out)


def attacks() -> list[tuple[str, str, str]]:
    """Mechanics against the bare function; the whole order; the whole order as a decision of a kept fight."""
    policies = RULESET.policies
    state = RULESET.ready(start(), "a0")
    order = Attack("a0", "b0", "sword")
    me, target = state.fighters
    c = circumstances(state, "a0", "b0", me.sheet.weapons[0])
    brought, met = line(me, me.sheet.weapons[0], c, state.rulings), guard(target, "melee", c, state.rulings)

    def source() -> Replay:
        return Replay((), Live(7, next(ENTRIES), lambda who: policies["aggressive"]))

    def mechanics() -> Any:
        scene = Recorder(state, source())
        return scene.call(exchange, brought, met, target, roles={ATTACKER: "a0", TARGET: "b0", SELF: "b0"})

    def whole() -> Any:
        scene = Recorder(state, source())
        RULESET.perform(scene, order)
        return scene.state

    def decided() -> Any:
        fight = Encounter(RULESET, state, next(ENTRIES), {"a": policies["aggressive"], "b": policies["aggressive"]}, auto=False)
        return fight.order(order)

    hand, rules, procedure, kept = alternating(
        (lambda: bare(5, 4, met.value, met.drt, 3, 0), 500), (mechanics, 100), (whole, 100), (decided, 100)
    )
    return [
        ("an attack's mechanics / a bare function of it", f"{rules / hand:.1f} ({told(rules)}, {told(hand)})", "8"),
        ("a whole order, dice to events", told(procedure), "60 µs"),
        ("the same, checked and kept by an encounter", told(kept), ""),
    ]


def exact() -> list[tuple[str, str, str]]:
    """Odds of that attack: nothing known, and asked again."""
    state = RULESET.ready(start(), "a0")
    order = Attack("a0", "b0", "sword")
    kept = odds.Lab(RULESET, state)
    cold, warm = alternating((lambda: odds.of(RULESET, state, order), 1), (lambda: kept.of(order), 5))
    return [("exact odds of an attack, cold", told(cold), ""), ("the same, its mechanics solved before", told(warm), "")]


def fights() -> list[tuple[str, str, str]]:
    """Automatic fights of five against five."""
    rows = []
    for policy in ("aggressive", "cautious"):
        orders = 0

        def play(policy: str = policy) -> None:
            nonlocal orders
            fight = Encounter(RULESET, start(5), next(ENTRIES), dict.fromkeys(("a", "b", "master"), RULESET.policies[policy]))
            fight.advance()
            while not RULESET.over(fight.state) and fight.state.round < 60:
                fight.step()
            orders += sum(not entry.auto for entry in fight.entries)

        (seconds,) = alternating((play, FIGHTS))
        each = orders / (1 + RUNS * FIGHTS)
        rows.append((f"5 against 5, {policy}, fights a second", f"{1 / seconds:.1f} ({each:.0f} orders each)", ""))
    return rows


def starting() -> list[tuple[str, str, str]]:
    """What `affray --help` takes over a bare interpreter."""

    def spent(*args: str) -> float:
        before = os.times()
        subprocess.run([sys.executable, *args], check=True, capture_output=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    over = median(spent("-m", "affray", "--help") - spent("-c", "pass") for _ in range(RUNS))
    return [("affray --help over a bare interpreter", told(over), "<= 100 ms")]


if __name__ == "__main__":
    show([*starting(), *attacks(), *exact(), *fights()])
