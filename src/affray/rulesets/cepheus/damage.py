"""Damage: armour, where the points go, and what they mean. The one who was hit changes alone.

Mechanics on one fighter; the amount is told before anybody is asked to place it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec.structs import replace

from affray.ask import SELF, Ask, Why
from affray.dice import PlainPool
from affray.domains import OneOf, Split
from affray.events import Changed
from affray.modifiers import Modifier, Parts
from affray.rules import rule
from affray.rulesets.cepheus import numbers
from affray.rulesets.cepheus.mechanics import check
from affray.rulesets.cepheus.numbers import lowered_dm
from affray.rulesets.cepheus.rulings import Rulings
from affray.rulesets.cepheus.sheet import PHYSICAL, Blast, Fighter, Hit, Shift, Stun, Suppression, Toll

Three = tuple[int, int, int]
"""Strength, Dexterity, Endurance."""
STATES = ("unhurt", "wounded", "seriously wounded", "unconscious", "dead")


def scores(me: Fighter) -> Three:
    return me.strength, me.dexterity, me.endurance


def maxima(me: Fighter) -> Three:
    return me.sheet.strength, me.sheet.dexterity, me.sheet.endurance


@rule("CEP-DMG-4", "CEP-WND-1", "CEP-WND-2")
def severity(now: Three, most: Three, rulings: Rulings) -> int:
    """Index in STATES of what these scores mean right after a loss."""
    if not any(now):
        return 4
    zeros = now.count(0)
    if zeros >= 2 or (rulings.unconscious_threshold == "str_or_dex_zero" and 0 in now[:2]):
        return 3
    below = sum(a < b for a, b in zip(now, most, strict=True))
    return 2 if below == 3 else 1 if below else 0


# ---- where the points go


@rule("CEP-DMG-2", "CEP-DMG-3")
def divisions(now: Three, points: int, first: bool) -> Iterator[Three]:
    """All legal losses of `points` (at most the sum): anyhow; for a first hit Endurance, one of the others, the last."""
    if not first:
        for s in range(min(points, now[0]) + 1):
            for d in range(min(points - s, now[1]) + 1):
                if points - s - d <= now[2]:
                    yield s, d, points - s - d
        return
    off_end = min(points, now[2])
    rest = points - off_end
    for one in (0, 1):
        if now[one] or not rest:
            mine = min(rest, now[one])
            other = rest - mine
            if other <= now[1 - one]:
                yield (mine, other, off_end) if one == 0 else (other, mine, off_end)


@cache
def placed(now: Three, most: Three, points: int, first: bool, rulings: Rulings) -> Three:
    """CEP-DMG-5: the automatic choice among the legal losses."""
    if rulings.damage_auto_policy == "endurance_first" or (rulings.damage_auto_policy == "spread" and first):
        return _in_turn(now, points)
    if rulings.damage_auto_policy == "spread":
        return _evenly(now, points)

    def worth(loss: Three) -> tuple[int, ...]:
        left: Three = tuple(a - b for a, b in zip(now, loss, strict=True))  # type: ignore[assignment]
        dms = [lowered_dm(a, b, rulings) for a, b in zip(left, most, strict=True)]
        return (-severity(left, most, rulings), sum(dms), dms[1], dms[0], min(left), loss[2], loss[0])

    return max(divisions(now, points, first), key=worth)


def _in_turn(now: Three, points: int) -> Three:
    """Endurance, then Strength, then Dexterity."""
    e = min(points, now[2])
    s = min(points - e, now[0])
    return s, points - e - s, e


def _evenly(now: Three, points: int) -> Three:
    """One point at a time off the highest score; ties Endurance, Strength, Dexterity."""
    left, loss = list(now), [0, 0, 0]
    for _ in range(points):
        i = max((2, 0, 1), key=lambda k: left[k])
        left[i] -= 1
        loss[i] += 1
    return loss[0], loss[1], loss[2]


@rule("CEP-DMG-2", "CEP-DMG-3", "CEP-DMG-5", "CEP-DMG-6")
def choose_loss(ask: Ask, me: Fighter, points: int) -> Three:
    """Where `points` go: asked of the owner, or placed by the automatic choice; nothing is asked when there is one way only."""
    now, most = scores(me), maxima(me)
    if points >= sum(now):
        return now
    first = now == most and (ask.rulings.damage_first_hit == "undamaged" or not me.was_hurt)
    ways = sorted(set(divisions(now, points, first)))
    best = placed(now, most, points, first, ask.rulings)
    if len(ways) == 1 or ask.rulings.damage_allocation == "policy":
        return best
    seen = (now, most, points)
    if first:
        where = "strength" if best[0] > best[1] else "dexterity"
        why = Why("where", "CEP-DMG-2", "which characteristic takes the damage")
        one = ask.choose(OneOf(("strength", "dexterity")), why, SELF, where, seen)
        return max(ways, key=lambda loss: loss[0 if one == "strength" else 1])
    split = Split(points, tuple((name, room) for name, room in zip(PHYSICAL, now, strict=True)))
    s, d, e = ask.choose(split, Why("where", "CEP-DMG-3", "where the rest of the damage goes"), SELF, best, seen)
    return s, d, e


# ---- losing points


@rule("CEP-DMG-4", "CEP-WND-2", "CEP-UNC-3", "CEP-DMG-6")
def lose(ask: Ask, me: Fighter, points: int, rule_id: str = "CEP-DMG-1", parts: Parts | tuple[Modifier, ...] = ()) -> Fighter:
    """Take `points` (more than none) off the characteristics, and what follows from it."""
    loss = choose_loss(ask, me, points)
    return lowered(ask, me, loss, rule_id, parts)


def lowered(ask: Ask, me: Fighter, loss: Three, rule_id: str, parts: Parts | tuple[Modifier, ...] = ()) -> Fighter:
    """The fighter after these losses: scores, states, and one event with its three parts."""
    most = maxima(me)
    left: Three = tuple(max(0, a - b) for a, b in zip(scores(me), loss, strict=True))  # type: ignore[assignment]
    state = severity(left, most, ask.rulings)
    changes: tuple[tuple[str, Any], ...] = (*zip(PHYSICAL, left, strict=True), ("eased", False), ("was_hurt", True))
    data = (*zip(PHYSICAL, loss, strict=True), ("points", sum(loss)), ("state", STATES[state]))
    me = ask.tell(Changed(me.id, rule_id, changes, "loses", data, tuple(parts)), me)
    if state == 4:
        return ask.tell(Changed(me.id, "CEP-DMG-4", (("status", "dead"), *dropped(me)), "dies"), me)
    return faint(ask, me, "CEP-DMG-4") if state == 3 and me.status == "up" else me


def dropped(me: Fighter) -> tuple[tuple[str, Any], ...]:
    """CEP-UNC-1: prone, hands empty, out of any grapple, without aim and work."""
    held = tuple(replace(one, ready=False) for one in me.held)
    return (
        ("stance", "prone"), ("held", held), ("grapple", ""), ("task", None), ("aim_at", ""), ("aim", 0), ("kill", 0),
        ("waiting", False),
    )  # fmt: skip


@rule("CEP-UNC-1", "CEP-FAT-3")
def faint(ask: Ask, me: Fighter, rule_id: str) -> Fighter:
    """Fall unconscious."""
    changes = (("status", "unconscious"), ("failed_wakings", 0), *dropped(me))
    return ask.tell(Changed(me.id, rule_id, changes, "unconscious"), me)


@rule("CEP-FAT-1", "CEP-FAT-3", "CEP-FAT-4")
def tire(ask: Ask, me: Fighter, rule_id: str = "CEP-FAT-4") -> Fighter:
    """Become fatigued; somebody fatigued falls unconscious instead."""
    if me.fatigued:
        return faint(ask, me, "CEP-FAT-3") if me.status == "up" else me
    return ask.tell(Changed(me.id, rule_id, (("fatigued", True),), "fatigued"), me)


# ---- being hit


@rule("CEP-ARM-1", "CEP-ARM-3", "CEP-ARM-4", "CEP-ARM-5", "CEP-ARM-8", "CEP-GER-2", "CEP-GER-16")
def armour(me: Fighter, laser: bool) -> tuple[tuple[int, str], ...]:
    """Ratings from outside in, with their names; ablat's laser rating less its wear, natural armour innermost."""
    layers: list[tuple[int, str]] = []
    for layer in me.sheet.armour:
        rating = layer.rating if not laser or layer.rating_laser is None else layer.rating_laser
        if laser and layer.ablative:
            rating = max(0, rating - me.wear)
        layers.append((rating, layer.name))
    if "armored" in me.sheet.traits:
        layers.append((1, "natural armour"))
    return tuple(layers)


@rule("CEP-DMG-7", "CEP-ARM-1", "CEP-ARM-2", "CEP-ARM-3", "CEP-GER-13")
def passed(me: Fighter, hit: Hit, rulings: Rulings) -> tuple[int, tuple[Modifier, ...]]:
    """The points that reach the body, and how: armour layer by layer, combat drug, at least 0, the one point of a fine hit."""
    left = hit.damage
    parts = [Modifier(left, "", "damage", "CEP-DMG-1")]
    for rating, name in armour(me, hit.laser):
        left = max(0, left - rating)
        parts.append(Modifier(-rating, "", name, "CEP-ARM-1"))
    if hit.through and left == 0 and rulings.armour_floor_when == "before_drug":
        left = 1
        parts.append(Modifier(1, "", "exceptional hit", "CEP-ARM-2"))
    soften = sum(2 for dose in me.doses if dose.drug == "combat_drug" and dose.onset <= 0 < dose.left)
    if soften:
        left = max(0, left - soften)
        parts.append(Modifier(-soften, "", "combat drug", "CEP-GER-13"))
    if hit.through and left == 0 and rulings.armour_floor_when == "last":
        left = 1
        parts.append(Modifier(1, "", "exceptional hit", "CEP-ARM-2"))
    return left, tuple(parts)


@rule("CEP-EXP-2")
def lessened(ask: Ask, dealt: int, answer: str) -> int:
    """What reaches a victim who dodged (less a die) or dived (half)."""
    if answer == "dodge":
        return max(0, dealt - ask.roll(PlainPool(1), Why("dodge", "CEP-EXP-2"), SELF))
    if answer == "dive":
        return -(-dealt // 2) if ask.rulings.explosion_half_rounding == "up" else dealt // 2
    return dealt


@rule("CEP-ARM-1", "CEP-ACT-5", "CEP-ACT-18")
def receive(ask: Ask, me: Fighter, message: Hit | Stun | Suppression | Blast) -> Fighter:
    """What reaches one who was hit, stunned or suppressed."""
    if isinstance(message, Suppression):
        return suppressed(ask, me, message.effect)
    if isinstance(message, Blast):
        dealt = lessened(ask, message.damage, message.answer)
        message = Stun(dealt) if message.stun else Hit(dealt, quiet=message.quiet)
    if isinstance(message, Stun):
        return stunned(ask, me, message.damage)
    points, parts = passed(me, message, ask.rulings)
    if message.laser and any(layer.ablative for layer in me.sheet.armour):
        me = ask.tell(Changed(me.id, "CEP-ARM-5", (("wear", me.wear + 1),), "ablat worn"), me)
    if (points or ask.rulings.aim_lost_on_hit == "any_hit") and not message.quiet:
        me = unaimed(ask, me, "CEP-ACT-5")
    if points:
        me = lose(ask, me, points, "CEP-DMG-1", parts)
    else:
        me = ask.tell(Changed(me.id, "CEP-ARM-1", (), "unharmed", (("points", 0),), parts), me)
    return disturbed(ask, me, points) if me.task and not message.quiet else me


@rule("CEP-ACT-5", "CEP-REA-10")
def unaimed(ask: Ask, me: Fighter, rule_id: str = "CEP-ACT-5") -> Fighter:
    """The aim is gone."""
    if not (me.aim or me.kill):
        return me
    return ask.tell(Changed(me.id, rule_id, (("aim_at", ""), ("aim", 0), ("kill", 0)), "aim lost"), me)


@rule("CEP-ACT-18")
def disturbed(ask: Ask, me: Fighter, points: int) -> Fighter:
    """Hit while working: the skill at minus the damage, or this round does not count; failing by six ruins it all."""
    task = me.task
    if task is None or me.status != "up":
        return me
    parts = numbers.check(me, ask.rulings, task.skill, task.characteristic, 0, -points)
    effect = check(ask, parts, Why("task", "CEP-ACT-18"), SELF)
    if effect >= 0:
        return me
    done = 0 if effect <= -6 else task.done
    spoiled = replace(task, done=done, counts=False)
    return ask.tell(Changed(me.id, "CEP-ACT-18", (("task", spoiled),), "work ruined" if effect <= -6 else "round lost"), me)


@rule("CEP-GER-5")
def stunned(ask: Ask, me: Fighter, damage: int) -> Fighter:
    """Endurance against what passes the armour of a stun blast, or unconsciousness."""
    points, parts = passed(me, Hit(damage), ask.rulings)
    me = unaimed(ask, me)
    if me.status != "up":
        return me
    against = numbers.check(me, ask.rulings, "", "endurance", 0, -points, action=False)
    effect = check(ask, against, Why("stun", "CEP-GER-5"), SELF)
    if effect >= 0:
        return ask.tell(Changed(me.id, "CEP-GER-5", (), "shakes it off", (), parts), me)
    return faint(ask, me, "CEP-GER-5")


@rule("CEP-SUP-2")
def unsuppressable(me: Fighter) -> bool:
    """Machines, zealots, the suicidal, those in vehicles or full battle dress."""
    return bool(me.sheet.immune) or any(layer.unsuppressable for layer in me.sheet.armour)


@rule("CEP-SUP-2", "CEP-SUP-3", "CEP-SUP-4", "CEP-SUP-5", "CEP-ACT-5")
def suppressed(ask: Ask, me: Fighter, effect: int) -> Fighter:
    """The next action's Initiative lower by the Effect, -1 on checks through the next round; only a higher Effect replaces."""
    if unsuppressable(me):
        return ask.tell(Changed(me.id, "CEP-SUP-2", (), "not impressed"), me)
    me = unaimed(ask, me)
    if me.suppressed >= effect:
        return ask.tell(Changed(me.id, "CEP-SUP-5", (), "already suppressed"), me)
    others = tuple(shift for shift in me.shifts if shift.rule != "CEP-SUP-3")
    tolls = (*(toll for toll in me.tolls if toll.rule != "CEP-SUP-4"), Toll(-1, "CEP-SUP-4", 2))
    changes = (
        ("shifts", (*others, Shift(-effect, "CEP-SUP-3", 1 if me.begun else 0))),
        ("tolls", tolls),
        ("suppressed", effect),
    )
    return ask.tell(Changed(me.id, "CEP-SUP-3", changes, "suppressed", (("effect", effect),)), me)
