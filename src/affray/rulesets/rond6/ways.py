"""Ways to make one attack: all-out, called shot, lunge, single round, full auto, rapid fire, off hand.

What a way costs, forbids and adds, from the order and the fighters alone. Nothing rolls or changes here.
"""

from __future__ import annotations

from typing import Literal, Protocol

from msgspec import Struct

from affray.errors import Refusal
from affray.modifiers import Parts, listed
from affray.rules import rule
from affray.rulesets.rond6.actions import ACTION, FULL
from affray.rulesets.rond6.numbers import scale_between, size
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import Fighter, Kind, Weapon
from affray.rulesets.rond6.tables import SCALE

Manner = Literal["", "all_out", "called", "full_auto", "lunge", "single"]


class Way(Struct, frozen=True):
    """A manner of attack: dice on the attack and on the damage, and what it needs."""

    words: str
    rule: str
    attack: int = 0
    damage: int = 0
    kinds: tuple[Kind, ...] = ()
    """Kinds of weapon it goes with; empty: any."""
    mode: str = ""
    """A mode of fire that the weapon must have."""
    full: bool = False
    """A Full Action, which bars from Active Defense until the next turn."""


WAYS: dict[str, Way] = {
    "": Way("", ""),
    "all_out": Way("all-out attack", "RON-SPC-1", 2, 1, ("melee", "unarmed"), full=True),
    "single": Way("single round", "RON-SPC-5", 0, -2, ("ranged",), "burst"),
    "called": Way("called shot", "RON-SPC-6", 0, 0, ("ranged", "thrown")),
    "full_auto": Way("full auto", "RON-SPC-11", 1, 2, ("ranged",), "auto", full=True),
    "lunge": Way("lunge", "RON-SPC-13", -1, -1, ("melee",)),
}


class Try(Protocol):
    """The part of an order that says how the attack is made."""

    @property
    def manner(self) -> str: ...
    @property
    def rounds(self) -> int: ...
    @property
    def off_hand(self) -> bool: ...
    @property
    def size(self) -> str: ...
    @property
    def spot(self) -> str: ...
    @property
    def situational(self) -> int: ...


@rule("RON-SPC-1", "RON-SPC-11", "RON-SPC-19")
def cost(me: Fighter, weapon: Weapon | None, order: Try, rulings: Rulings) -> int:
    """An Action, or a Full Action for the reckless ways and for more than half of the rounds that are left."""
    if WAYS[order.manner].full:
        return FULL
    if weapon and weapon.ammo and 1 < order.rounds <= most_rounds(me, weapon, rulings):
        return FULL if 2 * order.rounds > me.rounds(weapon) else ACTION
    return ACTION


@rule("RON-SPC-1", "RON-SPC-5", "RON-SPC-6", "RON-SPC-11", "RON-SPC-13", "RON-SPC-15", "RON-DMG-17")
def refused(me: Fighter, target: Fighter, weapon: Weapon, order: Try, rulings: Rulings) -> Refusal | None:
    """Why an attack cannot be made in this way with this weapon."""
    way = WAYS[order.manner]
    if way.kinds and weapon.kind not in way.kinds:
        return Refusal(way.rule, f"{way.words}: not with the {weapon.name}, only with {' or '.join(way.kinds)} weapons")
    if way.mode and way.mode not in weapon.modes:
        return Refusal(way.rule, f"{way.words}: the {weapon.name} has no {way.mode} fire", weapon.modes)
    if order.manner == "lunge" and not weapon.reach:
        return Refusal("RON-SPC-13", f"a lunge needs a weapon with Reach, which the {weapon.name} has not")
    if order.off_hand and weapon.hands > 1:
        return Refusal("RON-SPC-15", f"the {weapon.name} needs both hands")
    if order.manner == "called" and (wrong := no_spot(target, order)):
        return wrong
    if me.massive and cost(me, weapon, order, rulings) == FULL:
        return Refusal("RON-DMG-17", "massive damage allows no Full Action of this sort")
    return not_so_many(me, weapon, order, rulings)


@rule("RON-SPC-6", "RON-DICE-12")
def no_spot(target: Fighter, order: Try) -> Refusal | None:
    """A called shot needs a size from the table, no larger than the whole target."""
    if order.size not in SCALE:
        return Refusal("RON-SPC-6", f"there is no size {order.size!r}", tuple(SCALE))
    if scale_between(size(target), SCALE[order.size]) > 0:
        return Refusal("RON-SPC-6", f"a spot of {target.name} cannot be larger than {target.name}")
    return None


@rule("RON-SPC-5", "RON-SPC-11", "RON-SPC-18")
def not_so_many(me: Fighter, weapon: Weapon, order: Try, rulings: Rulings) -> Refusal | None:
    """Rounds that cannot be fired: no such mode, or not in the weapon. Judged before any die."""
    if order.rounds < 1:
        return Refusal("RON-SPC-18", "at least one round is fired")
    if order.rounds > 1:
        if order.manner:
            return Refusal("RON-SPC-18", f"Rapid Fire is not joined with a {WAYS[order.manner].words}")
        if weapon.kind != "ranged" or "semi" not in weapon.modes or not weapon.ammo:
            return Refusal("RON-SPC-18", f"the {weapon.name} is no semi-automatic weapon with a magazine", weapon.modes)
        most = most_rounds(me, weapon, rulings)
        if order.rounds > most:
            return Refusal("RON-SPC-18", f"the {weapon.name} can fire {most} rounds now", (str(most),))
    return empty(me, weapon, order)


@rule("RON-SPC-20")
def empty(me: Fighter, weapon: Weapon, order: Try) -> Refusal | None:
    """Too few rounds left for what is fired (Rapid Fire is judged for itself)."""
    if not weapon.ammo:
        return None
    left, wanted = me.rounds(weapon), 1 if order.rounds > 1 else max(1, rounds_spent(weapon, order))
    if left >= wanted:
        return None
    words = "is empty" if not left else f"has {left} rounds left, and this takes {wanted}"
    return Refusal("RON-SPC-20", f"the {weapon.name} {words}: reload it first")


@rule("RON-SPC-18")
def most_rounds(me: Fighter, weapon: Weapon, rulings: Rulings) -> int:
    """How many rounds Rapid Fire may use."""
    return weapon.ammo if rulings.rapid_fire_max == "capacity" else me.rounds(weapon)


@rule("RON-SPC-5", "RON-SPC-11", "RON-SPC-18")
def rounds_spent(weapon: Weapon, order: Try) -> int:
    """Rounds that leave the magazine: for automatic fire the figure of the weapon, none without one."""
    if order.manner == "full_auto":
        return weapon.rounds_auto
    if order.rounds > 1 or order.manner == "single" or "single" in weapon.modes:
        return order.rounds
    return max(1, weapon.rounds_auto) if "burst" in weapon.modes else 1


@rule("RON-SPC-13")
def reach_gained(order: Try) -> int:
    """Spaces of reach that this way adds."""
    return 1 if order.manner == "lunge" else 0


@rule("RON-SPC-1", "RON-SPC-6", "RON-SPC-11", "RON-SPC-13", "RON-SPC-15", "RON-SPC-18", "RON-ATK-9")
def attack_parts(me: Fighter, target: Fighter, order: Try) -> Parts:
    """What this way adds to the attack Test, on top of the size of the whole target."""
    way = WAYS[order.manner]
    aimed = 0
    if order.manner == "called":
        aimed = scale_between(size(me), SCALE[order.size]) - scale_between(size(me), size(target))
    clumsy = order.off_hand and not me.sheet.talent("Ambidextrous")
    return listed(
        (way.attack, "D", way.words, way.rule),
        (aimed, "D", f"called shot: {order.spot or order.size}", "RON-SPC-6"),
        (-1 if clumsy else 0, "D", "off hand", "RON-SPC-15"),
        (order.rounds - 1, "", f"{order.rounds} rounds", "RON-SPC-18"),
        (order.situational, "", "the Game Master's modifier", "RON-ATK-9"),
    )


@rule("RON-SPC-1", "RON-SPC-5", "RON-SPC-11", "RON-SPC-13", "RON-SPC-18")
def damage_parts(order: Try) -> Parts:
    """What this way adds to the damage roll, in dice."""
    way = WAYS[order.manner]
    return listed((way.damage, "D", way.words, way.rule), (order.rounds - 1, "D", f"{order.rounds} rounds", "RON-SPC-18"))


def suits(name: str, weapon: Weapon) -> bool:
    """Whether a manner goes with a weapon at all."""
    way = WAYS[name]
    fits = not way.kinds or weapon.kind in way.kinds
    return fits and (not way.mode or way.mode in weapon.modes) and (name != "lunge" or weapon.reach > 0)
