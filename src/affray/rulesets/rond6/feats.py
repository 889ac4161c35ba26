"""What Result Points buy: dice of damage and Combat Feats, as data with their behaviour."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from affray.rules import rule
from affray.rulesets.rond6.rulings import Rulings
from affray.rulesets.rond6.sheet import Kind


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
    """A Combat Feat: printed price, what it does ('damage', 'target', 'scene'), whether it may be bought again."""

    name: str
    price: int
    does: str
    rule: str
    again: bool = False
    kinds: tuple[Kind, ...] = ()
    """Attacks it goes with; empty: any."""


FEATS = {
    feat.name: feat
    for feat in (
        Feat("wild_flip", 1, "damage", "RON-RP-5", again=True),
        Feat("party_pool", 1, "scene", "RON-RP-6", again=True),
        Feat("add_wild_die", 2, "damage", "RON-RP-9", again=True),
    )
}


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
def price(feat: Feat, rulings: Rulings) -> int:
    """Result Points for a feat."""
    return feat.price * (success(rulings) if rulings.feat_price == "per_success" else 1)


def affordable(bought: Bought, kind: Kind, rulings: Rulings) -> tuple[str, ...]:
    """What may be bought now, plain dice first."""
    plain = "add_pips" if rulings.rp_damage == "pip_per_point" else "add_die"
    cost = 1 if plain == "add_pips" else die_price(rulings)
    options = [plain] if bought.left >= cost else []
    for feat in FEATS.values():
        had = any(name == feat.name for name, _ in bought.effects + bought.then)
        if bought.left >= price(feat, rulings) and (feat.again or not had) and (not feat.kinds or kind in feat.kinds):
            options.append(feat.name)
    return tuple(options)


@rule("RON-RP-4", "RON-RP-5", "RON-RP-6", "RON-RP-9")
def buy(bought: Bought, choice: str, rulings: Rulings) -> Bought:
    """One purchase more."""
    if choice == "add_pips":
        return replace(bought, left=0, pips=bought.pips + bought.left)
    if choice == "add_die":
        return replace(bought, left=bought.left - die_price(rulings), dice=bought.dice + 1)
    feat = FEATS[choice]
    left = bought.left - price(feat, rulings)
    if choice == "wild_flip":
        return replace(bought, left=left, flips=bought.flips + 1)
    if choice == "add_wild_die":
        return replace(bought, left=left, wilds=bought.wilds + 1)
    if feat.does == "target":
        return replace(bought, left=left, effects=(*bought.effects, (choice, feat.price)))
    return replace(bought, left=left, then=(*bought.then, (choice, feat.price)))
