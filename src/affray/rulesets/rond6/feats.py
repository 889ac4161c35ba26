"""What Result Points buy: dice of damage and Combat Feats, as data with their behaviour."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from affray.rules import rule
from affray.rulesets.rond6.numbers import Line
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.tables import rows


class Bought(Struct, frozen=True):
    """Purchases so far, and the Result Points left. `effects` go to the target, `then` needs the scene."""

    left: int = 0
    dice: int = 0
    flips: int = 0
    wilds: int = 0
    pips: int = 0
    effects: tuple[tuple[str, int], ...] = ()
    then: tuple[tuple[str, int], ...] = ()


class Feat(Struct, frozen=True):
    """A Combat Feat: printed price, what it does ('damage', 'target', 'scene'), whether it grows with every further point,
    and whether it may be bought again."""

    name: str
    price: int
    does: str
    rule: str
    more: bool = False
    often: bool = False


FEATS = {row["name"]: Feat(**row) for row in rows("feat") if row["name"] != "add_die"}
"""Everything but the plain die, whose price has a ruling of its own."""


@rule("RON-RP-1")
def result_points(margin: int, rulings: Rulings) -> int:
    """Result Points of a success by `margin`."""
    size = {"margin": 1, "per5": 5, "per6": 6}[rulings.result_points]
    return margin // size


def success(rulings: Rulings) -> int:
    """Result Points that make one success."""
    return 5 if rulings.result_points == "margin" else 1


@rule("RON-RP-2")
def die_price(rulings: Rulings) -> int:
    """Result Points for one die of damage."""
    return success(rulings) if rulings.rp_damage == "die_per_success" else 1


@rule("RON-RP-2")
def affordable(bought: Bought, line: Line, rulings: Rulings) -> tuple[str, ...]:
    """What may be bought now, plain dice first. A feat that would change nothing (`line.barred`) is not offered."""
    plain = "add_pips" if rulings.rp_damage == "pip_per_point" else "add_die"
    cost = 1 if plain == "add_pips" else die_price(rulings)
    options = [plain] if bought.left >= cost else []
    points = bought.left // (success(rulings) if rulings.feat_price == "per_success" else 1)  # as printed
    if not points:
        return tuple(options)
    had = [name for name, _ in bought.effects + bought.then]
    flips = max(1, line.damage.dice + bought.dice) - 1 - bought.flips
    for name, feat in FEATS.items():
        if feat.price > points or name in line.barred or (name in had and not feat.often):
            continue
        if name != "wild_flip" or flips > 0:
            options.append(name)
    return tuple(options)


@rule("RON-RP-6", "RON-RP-7", "RON-RP-13")
def most(choice: str, bought: Bought, rulings: Rulings) -> int:
    """The most points, as printed, that can go into a feat now."""
    feat = FEATS.get(choice)
    if feat is None or not feat.more:
        return 0
    return bought.left // (success(rulings) if rulings.feat_price == "per_success" else 1)


@rule("RON-RP-4", "RON-RP-5", "RON-RP-9")
def buy(bought: Bought, choice: str, rulings: Rulings, amount: int) -> Bought:
    """One purchase more; `amount`: points as printed that go into a feat that grows."""
    if choice == "add_pips":
        return replace(bought, left=0, pips=bought.pips + bought.left)
    if choice == "add_die":
        return replace(bought, left=bought.left - die_price(rulings), dice=bought.dice + 1)
    feat = FEATS[choice]
    points = max(feat.price, amount)
    left = bought.left - points * (success(rulings) if rulings.feat_price == "per_success" else 1)
    if choice == "wild_flip":
        return replace(bought, left=left, flips=bought.flips + 1)
    if choice == "add_wild_die":
        return replace(bought, left=left, wilds=bought.wilds + 1)
    if feat.does == "target":
        return replace(bought, left=left, effects=(*bought.effects, (choice, points)))
    return replace(bought, left=left, then=(*bought.then, (choice, points)))


@rule("RON-RP-1", "RON-RP-2", "RON-RP-3")
def explains(rulings: Rulings, key: str, value: object) -> tuple[str, str]:
    """The rule of a purchase, and its price in Result Points as they are counted at this table."""
    if key != "feat":
        return "", ""
    if value == "stop":
        return "RON-RP-3", ""
    if value == "add_pips":
        return "RON-RP-2", "all points"
    if value == "add_die":
        return "RON-RP-4", priced(die_price(rulings))
    feat = FEATS.get(str(value))
    if feat is None:
        return "", ""
    each = success(rulings) if rulings.feat_price == "per_success" else 1
    return feat.rule, priced(feat.price * each, feat.more)


def priced(points: int, more: bool = False) -> str:
    """A price in words."""
    return f"{points} {'point' if points == 1 else 'points'}{' or more' if more else ''}"


HOPELESS = 7
"""So far above the average damage lies a resistance that dice are not worth their points."""
LIKED = ("add_wild_die", "wild_flip", "intimidate", "taunt", "knock_down", "defensive_stance")
"""Feats for those who do not choose, the best first."""


@rule("RON-RP-2")
def advice(options: tuple[str, ...], bought: Bought, line: Line, drt: int, rulings: Rulings) -> str:
    """A sensible purchase: dice where they can hurt; else frightening, taunting or felling somebody too tough to hurt."""
    plain = options[0] if options and options[0] in ("add_die", "add_pips") else ""
    dice = line.damage.dice + line.damage.points + bought.dice + bought.left // die_price(rulings)
    if plain and 2 * (line.damage.pips + line.damage.plus) + 7 * dice >= 2 * (drt - HOPELESS):
        return plain
    liked = [name for name in LIKED if name in options and (FEATS[name].does != "damage" or not plain)]
    return liked[0] if liked else plain or "stop"
