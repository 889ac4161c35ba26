"""A weapon in each hand: two attacks in one go. The other ways to make an attack are options of the attack itself."""

from __future__ import annotations

from affray.domains import OneOf
from affray.errors import Refusal
from affray.events import Changed, Noted, get
from affray.rules import rule
from affray.ruleset import Field, Order
from affray.rulesets.rond6.actions import ACTION, Command, RondScene, pay
from affray.rulesets.rond6.attack import Attack, attack_refused, in_hand, loaded, spend_rounds, strike, targets
from affray.rulesets.rond6.sheet import Fighter, State, Weapon
from affray.rulesets.rond6.ways import rounds_spent


class TwoWeapons(Order, frozen=True, tag="two_weapons"):
    """Attack `target` with `weapon` and then `other_target` ('': the same) with `other_weapon`, which is in the off hand."""

    target: str = ""
    weapon: str = ""
    other_weapon: str = ""
    other_target: str = ""


@rule("RON-SPC-14")
def two_cost(state: State, me: Fighter, order: TwoWeapons) -> int:
    """Two Actions, or (ruling two_weapons) one of the limit that counts as two for the penalty."""
    return 2 * ACTION if state.rulings.two_weapons == "two_actions" else ACTION


def blows(order: TwoWeapons) -> tuple[Attack, Attack]:
    """The two attacks, the off hand last."""
    first = Attack(order.by, order.target, order.weapon)
    return first, Attack(order.by, order.other_target or order.target, order.other_weapon, off_hand=True)


@rule("RON-SPC-14", "RON-SPC-15")
def two_refused(state: State, me: Fighter, order: TwoWeapons) -> Refusal | None:
    """Why there are no two attacks: two different weapons in hand, neither for both hands, and each attack possible."""
    weapons = [me.sheet.weapon(name) for name in (order.weapon, order.other_weapon)]
    if order.weapon == order.other_weapon or None in weapons:
        return Refusal("RON-SPC-14", "name two different weapons", tuple(w.name for w in one_handed(me)))
    for weapon in weapons:
        if weapon is not None and weapon.hands > 1:
            return Refusal("RON-SPC-14", f"the {weapon.name} needs both hands")
    first, second = blows(order)
    return attack_refused(state, me, first) or attack_refused(state, me, second)


def one_handed(me: Fighter) -> tuple[Weapon, ...]:
    """Loaded weapons in hand that leave the other hand free, and the bare hand."""
    return tuple(weapon for weapon in loaded(me) if weapon.hands < 2)


def two_fields(state: State, me: Fighter) -> tuple[Field, ...] | Refusal:
    """The options: pairs of weapons, and targets that the first pair can attack."""
    names = tuple(weapon.name for weapon in one_handed(me) if weapon.hands)
    if len(names) < 2 or any(weapon.hands > 1 for weapon in in_hand(me)):
        return Refusal("RON-SPC-14", f"{me.name} has no weapon in each hand")
    found = [who for who in targets(state, me) if two_refused(state, me, TwoWeapons(me.id, who, *names[:2])) is None]
    if not found:
        return Refusal("RON-ATK-10", "nobody is in reach of both")
    return (
        Field("target", OneOf(tuple(found)), found[0], "target"),
        Field("weapon", OneOf(names), names[0], "weapon"),
        Field("other_weapon", OneOf(names), names[1], "weapon in the off hand"),
        Field("other_target", OneOf(("", *found)), "", "another target for the off hand"),
    )


@rule("RON-SPC-14", "RON-SPC-15", "RON-ACT-7")
def two_weapons(scene: RondScene, order: TwoWeapons) -> None:
    """Both attacks; the second is lost if it has become impossible by then."""
    state = scene.state
    pay(scene, order.by, two_cost(state, get(state, order.by), order), order.verb)
    if state.rulings.two_weapons == "one_slot":
        me: Fighter = get(scene.state, order.by)
        fields = (("declared", me.declared + 1), ("used", me.used + 1), ("extra", me.extra + 1))
        scene.tell(Changed(order.by, "RON-SPC-14", fields))
    for blow in blows(order):
        me = get(scene.state, order.by)
        if attack_refused(scene.state, me, blow) is not None:
            scene.tell(Noted(order.by, "RON-SPC-14", "action.lost", (("verb", f"strike with the {blow.weapon}"),)))
            continue
        weapon = me.sheet.weapon(blow.weapon)
        assert weapon is not None
        spend_rounds(scene, order.by, weapon, rounds_spent(weapon, blow))
        strike(scene, blow, weapon)


COMMANDS: dict[type, Command] = {
    TwoWeapons: Command(two_cost, two_refused, two_fields, two_weapons, "attack with a weapon in each hand"),
}
