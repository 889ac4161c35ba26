"""The attack and what it does to the one who is hit. The second layer: procedures that see only lines, guards, fighters.

`resolve` lets an attacker try, `receive` changes the target alone. Messages between them carry no more than is read.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from affray.ask import ATTACKER, MASTER, TARGET, Ask, Why
from affray.dice import Code, WildPool
from affray.domains import Number, OneOf
from affray.events import Changed, Noted
from affray.modifiers import Modifier, Parts
from affray.rules import rule
from affray.rulesets.rond6 import feats, objects
from affray.rulesets.rond6.damage import ARMOR, hurt, resist, rung
from affray.rulesets.rond6.feats import Bought
from affray.rulesets.rond6.numbers import Guard, Line, Test
from affray.rulesets.rond6.sheet import Fighter

ATTACK = Why("attack", "RON-ATK-1", "attack")
DAMAGE = Why("damage", "RON-DMG-1", "damage")
SPOT_DAMAGE = Why("called_damage", "RON-SPC-6", "dice of damage for the spot that was hit")
FEAT = Why("feat", "RON-RP-2", "spend Result Points")

HOW_MANY = Why("how_many", "RON-RP-2", "how many points to put into it")

class Slip(Struct, frozen=True):
    """The attack failed against an Active Defense; the Result Points of the defender (RON-DEF-8)."""

    points: int


class Hit(Struct, frozen=True):
    """Damage over the Damage Resistance Total (negative: under it), and effects bought, each with the points put in.

    `total`: the Damage Total, where the receiver may need to know it (0 otherwise).
    """

    over: int
    stun: bool = False
    effects: tuple[tuple[str, int], ...] = ()
    levels: int = 0
    """Result Points left for structural damage (RON-SPC-3)."""


class Outcome(Struct, frozen=True):
    """What came of an attack: a message to the target, and follow-ups that need the scene, each with its points."""

    to_target: Hit | Slip | None = None
    then: tuple[tuple[str, int], ...] = ()
    hit: bool = False


@rule("RON-DICE-6", "RON-ATK-1", "RON-ATK-2", "RON-DEF-7", "RON-RP-1", "RON-RP-2", "RON-DMG-1")
def resolve(ask: Ask, line: Line, guard: Guard) -> Outcome:
    """An attack Test against the Defense Value; a hit spends its Result Points and rolls damage once."""
    total = ask.roll(line.test.pool(ask.rulings), ATTACK, ATTACKER, line.test.parts) + line.test.plus
    return judge(ask, line, guard, total)


@rule("RON-DICE-6", "RON-ATK-2", "RON-DEF-7", "RON-RP-1", "RON-RP-2", "RON-DMG-1")
def judge(ask: Ask, line: Line, guard: Guard, total: int) -> Outcome:
    """What an attack total comes to. Of the total, the Defense Value and the Test behind it only the differences matter."""
    points = feats.result_points(max(0, total - guard.value), ask.rulings)
    result = (("result", "hit"), ("result_points", points)) if total >= guard.value else (("result", "miss"),)
    data = (("total", total), ("need", guard.value), *result)
    ask.tell(Noted(TARGET, "RON-ATK-2", "attack.total", data, guard.parts))
    if total < guard.value:
        return Outcome(missed(ask, guard, total))
    if line.harmless:
        return Outcome(hit=True)
    bought = ask.call(spend, points, line, guard.drt)
    if not guard.thing:
        bought = replace(bought, left=0)
    return ask.finish(hits, vital(ask, line), line.stun, bought, guard.drt, guard.armor, guard.precise)


@rule("RON-DMG-1")
def hits(ask: Ask, test: Test, stun: bool, bought: Bought, drt: int, armor: Code | None, precise: bool) -> Outcome:
    """The damage of a hit, and what was bought with it."""
    over = ask.call(damage, with_dice(test, bought), drt, armor, precise)
    return Outcome(Hit(over, stun, bought.effects, bought.left), bought.then, True)


def exchange(ask: Ask, line: Line, guard: Guard, target: Fighter) -> tuple[Outcome, Fighter]:
    """An attack and what it does to its target: what came of it apart from that, and the target after it.

    The attacker asks as ATTACKER, the target as TARGET and, where it changes, as SELF.
    """
    outcome = ask.call(resolve, line, guard)
    if outcome.to_target is None:
        return outcome, target
    struck = ask.call(receive, target, outcome.to_target)
    return replace(outcome, to_target=None), struck


def stand_as(ask: Ask, me: Fighter, after: Fighter) -> Fighter:
    """A fighter as an exchange has left it."""
    return after


@rule("RON-SPC-6")
def vital(ask: Ask, line: Line) -> Test:
    """The damage roll, with the dice that the Game Master gives for the spot of a called shot."""
    more = ask.choose(Number(0, 10), SPOT_DAMAGE, MASTER, 0, (line.called,)) if line.called else 0
    if not more:
        return line.damage
    parts = Parts([*line.damage.parts, Modifier(more, "D", line.called, "RON-SPC-6")])
    return replace(line.damage, dice=line.damage.dice + more, parts=parts)


@rule("RON-DEF-8", "RON-RP-16")
def missed(ask: Ask, guard: Guard, total: int) -> Slip | None:
    """A failed attack leaves Result Points with a defender whose Test beat it (ruling defense_rp_source)."""
    beaten = guard.value if ask.rulings.defense_rp_source == "any_miss" else guard.test
    points = feats.result_points(max(0, beaten - total), ask.rulings) if beaten else 0  # 0: there was no Test
    return Slip(points) if points else None


@rule("RON-RP-2", "RON-RP-3")
def spend(ask: Ask, points: int, line: Line, drt: int) -> Bought:
    """Result Points buy dice and feats out of one pool, one purchase after another; what is left is lost."""
    bought = Bought(left=points)
    while line.feats:
        options = feats.affordable(bought, line, ask.rulings)
        if not options:
            break
        default = feats.advice(options, bought, line, drt, ask.rulings)
        left = replace(FEAT, text=f"{FEAT.text}, {bought.left} left")
        choice = ask.choose(OneOf((*options, "stop")), left, ATTACKER, default, (bought, line))
        if choice == "stop":
            break
        amount = 0
        if most := feats.most(choice, bought, ask.rulings):
            amount = ask.choose(Number(feats.FEATS[choice].price, most), HOW_MANY, ATTACKER, most, (bought, line))
        bought = feats.buy(bought, choice, ask.rulings, amount)
    return bought


@rule("RON-RP-4", "RON-RP-5", "RON-RP-9")
def with_dice(test: Test, bought: Bought) -> Test:
    """The damage roll with what Result Points bought."""
    parts = list(test.parts)
    for amount, words, cited in (
        (bought.dice, "Result Points", "RON-RP-4"),
        (bought.wilds, "Wild Dice bought", "RON-RP-9"),
    ):
        if amount:
            parts.append(Modifier(amount, "D", words, cited))
    dice = max(1, test.dice + bought.dice)
    points = test.points + bought.wilds + min(bought.flips, dice - 1)
    return Test(dice - min(bought.flips, dice - 1), test.pips, test.plus + bought.pips, points, test.rethrow, Parts(parts))


@rule("RON-DMG-1", "RON-DMG-3", "RON-DMG-5")
def damage(ask: Ask, test: Test, drt: int, armor: Code | None, precise: bool) -> int:
    """Damage over the resistance, −1 for any lack; unless `precise`, only full Wounds are told apart."""
    pool = test.pool(ask.rulings)

    def over(total: int, resists: int) -> int:
        beyond = total - resists
        ask.tell(Noted(TARGET, "RON-DMG-3", "damage.total", (("total", total), ("drt", resists), ("over", beyond))))
        return beyond if precise else rung(beyond)

    if armor is None:
        return ask.read(pool, DAMAGE, ATTACKER, lambda rolled: over(rolled + test.plus, drt), test.parts)
    total = ask.roll(pool, DAMAGE, ATTACKER, test.parts) + test.plus
    return over(total, drt + ask.roll(WildPool(armor.dice, armor.pips), ARMOR, TARGET))


# ---- the one who was hit changes alone


def receive(ask: Ask, me: Fighter, message: Hit | Slip) -> Fighter:
    """What an attack does to its target."""
    return receive_slip(ask, me, message) if isinstance(message, Slip) else receive_hit(ask, me, message)


@rule("RON-DEF-8")
def receive_slip(ask: Ask, me: Fighter, message: Slip) -> Fighter:
    """Points of a won defense raise Passive Defense until the defender's next turn."""
    carried = me.carried + message.points if ask.rulings.defense_rp_stack == "sum" else max(me.carried, message.points)
    if carried == me.carried or me.out:
        return me
    return ask.tell(Changed(me.id, "RON-DEF-8", (("carried", carried),), "defence.carried", (("carried", carried),)), me)


@rule("RON-DMG-3", "RON-DMG-7", "RON-DMG-8", "RON-DMG-9")
def receive_hit(ask: Ask, me: Fighter, message: Hit) -> Fighter:
    """Points on resistance after the Damage Total is known, then wounds."""
    if me.sheet.object:
        return objects.damaged(ask, me, message.over, message.levels, message.stun)
    me, over = resist(ask, me, message.over, message.stun)
    if over < 0:
        ask.tell(Noted(me.id, "RON-DMG-3", "damage.none"))
    else:
        me = hurt(ask, me, over, message.stun)
    for effect, _ in message.effects:
        me = afflicted(ask, me, effect)
    return me


@rule("RON-RP-11")
def afflicted(ask: Ask, me: Fighter, effect: str) -> Fighter:
    """A feat that changes nobody but the target, whether the damage told or not."""
    if effect == "knock_down" and not me.prone:
        return ask.tell(Changed(me.id, "RON-RP-11", (("prone", True),), "feat.knocked_down"), me)
    return me
