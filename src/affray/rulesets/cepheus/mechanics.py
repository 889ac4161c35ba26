"""Layer two: pure procedures that see only small values and ask by role. Attacks and checks; damage is in `damage`.

Nothing here reads the scene, knows an id, or changes anybody.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from affray.ask import AGAIN, ATTACKER, SELF, TARGET, Again, Ask, Role, Why
from affray.dice import PlainPool
from affray.modifiers import Parts, total
from affray.rules import rule
from affray.rulesets.cepheus.numbers import Guard, Line
from affray.rulesets.cepheus.rulings import Rulings
from affray.rulesets.cepheus.sheet import Hit, Suppression

TWO = PlainPool(2)
BLIND = PlainPool(3, 1)
ONE = PlainPool(1)
FLOOR_EFFECT = 6
"""CEP-ARM-2: from this Effect on a hit does at least one point."""


class Outcome(Struct, frozen=True):
    """What came of an attack roll, and what the target gets."""

    effect: int
    to_target: Hit | Suppression | None = None


@rule("CEP-CHK-3", "CEP-CHK-4")
def effect_of(natural: int, dm: int, rulings: Rulings) -> int:
    """Total minus 8. By ruling a natural 2 always fails and a natural 12 always succeeds."""
    effect = natural + dm - 8
    if rulings.check_naturals == "auto_2_12":
        if natural == 2:
            return min(effect, -1)
        if natural == 12:
            return max(effect, 0)
    return effect


def degree(effect: int) -> str:
    """CEP-CHK-3 in words."""
    if effect <= -6:
        return "exceptional failure"
    if effect < 0:
        return "failure"
    return "success" if effect < 6 else "exceptional success"


@rule("CEP-CHK-1", "CEP-CHK-8")
def check(ask: Ask, parts: Parts, why: Why, by: Role = SELF) -> int:
    """Two dice and the modifiers; the Effect."""
    return effect_of(ask.roll(TWO, why, by, parts), total(parts), ask.rulings)


@rule("CEP-CHK-9")
def opposed(
    ask: Ask,
    mine: Parts,
    theirs: Parts,
    scores: tuple[int, int],
    why: Why,
    roles: tuple[Role, Role] = (ATTACKER, TARGET),
) -> tuple[bool, int, int]:
    """Both check, the acting side first; higher Effect, then higher score, else again. (acting side won, both Effects)."""
    while isinstance(out := ask.call(_both, mine, theirs, scores, why, roles), Again):
        pass
    return out


def _both(
    ask: Ask, mine: Parts, theirs: Parts, scores: tuple[int, int], why: Why, roles: tuple[Role, Role]
) -> tuple[bool, int, int] | Again:
    a = check(ask, mine, why, roles[0])
    b = check(ask, theirs, why, roles[1])
    return ((a, scores[0]) > (b, scores[1]), a, b) if (a, scores[0]) != (b, scores[1]) else AGAIN


def throw(ask: Ask, line: Line, guards: Sequence[Guard]) -> int:
    """CEP-BLD-2: the attack dice; blind, three of which the highest is dropped. Explained with the first guard's parts."""
    parts = line.parts + (guards[0].parts if guards else ())
    return ask.roll(BLIND if line.pool == 3 else TWO, Why("attack", "CEP-ATK-1"), ATTACKER, parts)


@rule("CEP-MOD-4", "CEP-MOD-3")
def attack_effect(natural: int, line: Line, guard: Guard, rulings: Rulings) -> int:
    """The Effect of these dice against that guard; an intelligent weapon helps within its tolerance, a jarred sight misses."""
    dm = line.dm + guard.dm
    if line.tolerance >= 0 and -line.tolerance <= dm <= line.tolerance:
        dm += 1
    effect = effect_of(natural, dm, rulings)
    return min(effect, -1) if line.jarred else effect


@rule("CEP-DMG-1", "CEP-DMG-7", "CEP-XRF-3", "CEP-GER-4", "CEP-ATK-8")
def wound(ask: Ask, line: Line, effect: int) -> Hit:
    """The damage of a hit: weapon dice, then burst dice, Effect and points; mist; half at extreme range."""
    dealt = ask.roll(PlainPool(line.dice), Why("damage", "CEP-DMG-1"), ATTACKER) * line.factor + line.plus + effect
    if line.burst:
        dealt += ask.roll(PlainPool(line.burst), Why("burst", "CEP-BUR-2"), ATTACKER)
    if line.mist:
        dealt -= 10
    if line.halved:
        dealt = -(-dealt // 2)
    return Hit(max(0, dealt), line.laser, effect >= FLOOR_EFFECT)


@rule("CEP-ATK-1", "CEP-ATK-8", "CEP-SUP-1", "CEP-SUP-3")
def resolve(ask: Ask, line: Line, guard: Guard) -> Outcome:
    """One attack on one target: the roll, and on a success what the target gets."""
    effect = attack_effect(throw(ask, line, (guard,)), line, guard, ask.rulings)
    if effect < 0 or line.payload:
        return Outcome(effect)
    if line.manner == "suppress":
        return Outcome(effect, Suppression(effect))
    return Outcome(effect, wound(ask, line, effect))


@rule("CEP-BLD-3")
def pick(ask: Ask, n: int, why: Why, by: Role = ATTACKER) -> int:
    """One of `n` by dice: equal blocks of a die, thrown again beyond them; two dice in base six for more than six."""
    if n == 1:
        return 0
    while isinstance(out := ask.call(_block, n, why, by), Again):
        pass
    return out


def _block(ask: Ask, n: int, why: Why, by: Role) -> int | Again:
    sides, dice = (6, 1) if n <= 6 else (36, 2)
    value = 0
    for _ in range(dice):
        value = value * 6 + ask.roll(ONE, why, by) - 1
    return value // (sides // n) if value < n * (sides // n) else AGAIN


def rolled(ask: Ask, dice: int, key: str, rule_id: str, by: Role = SELF) -> int:
    """So many dice for something."""
    return ask.roll(PlainPool(dice), Why(key, rule_id), by)
