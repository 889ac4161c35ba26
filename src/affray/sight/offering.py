"""What somebody may order now: every verb with its cost and options, the refused ones with their reason and rule."""

from __future__ import annotations

from typing import Any

import msgspec

from affray.audience import Audience
from affray.encounter import Encounter
from affray.errors import AffrayError, Refusal
from affray.ruleset import Field, Offer
from affray.sight.asking import described, known, said
from affray.sight.deciding import Forbidden, not_now, plainly
from affray.sight.eyes import Eyes, eyes

AIMED = ("target", "targets")
"""Options that say whom an order is aimed at."""


def offers(fight: Encounter, audience: Audience, who: str, early: bool = False) -> list[dict[str, Any]]:
    """Every verb of a fighter of theirs. `early`: as if it were their turn now, for an order that is prepared.

    Raises Forbidden for anybody else's.
    """
    view = eyes(fight, audience)
    if not audience.mine(who) or who not in view.there:
        raise Forbidden("that combatant is not yours")
    state = view.judged
    late = None if early else not_now(fight, view, who)
    if early and who not in fight.ruleset.up(state):
        state = fight.ruleset.ready(state, who)
    found = [offered(fight, view, who, state, one, late) for one in fight.ruleset.offers(state, who)]
    return view.clean(found)  # type: ignore[no-any-return]


def offered(fight: Encounter, view: Eyes, who: str, state: Any, one: Offer, late: Refusal | None) -> dict[str, Any]:
    refused = (plainly(one.refused) if one.refused else None) or late
    order = default_order(fight, who, one)
    fields = whom(fight, state, who, one, order)
    return {
        "verb": one.verb,
        "label": one.verb.replace("_", " "),
        "cost": one.cost,
        "text": one.text,
        "refused": refusal_of(refused) if refused else None,
        "fields": [field(fight, view, who, order, f) for f in fields],
        "helps": one.verb in fight.ruleset.helps,
    }


def aimed(fight: Encounter, state: Any, who: str, verb: str, order: Any, one: Field) -> Field:
    """The option of whom a verb is aimed at, with somebody on the right side as its default: an enemy, or a friend to help.

    Nobody is named where only friends could be struck: that is for people to decide.
    """
    if one.name not in AIMED or not one.default:
        return one
    sides = {f.id: f.side for f in state.fighters}
    helps = verb in fight.ruleset.helps

    def right(target: Any) -> bool:
        return target in sides and (sides[target] == sides[who]) is helps

    several = isinstance(one.default, tuple)
    if all(right(target) for target in (one.default if several else (one.default,))):
        return one
    wanted = [target for target in getattr(one.domain, "options", ()) if right(target)]
    for target in wanted:
        value = (target,) if several else target
        if order is None or fight.ruleset.why_not(state, msgspec.structs.replace(order, **{one.name: value})) is None:
            return msgspec.structs.replace(one, default=value)
    if helps:
        return one
    return msgspec.structs.replace(one, default=() if several else None)


def whom(fight: Encounter, state: Any, who: str, one: Offer, order: Any) -> tuple[Field, ...]:
    """The options of an offer with whom it is aimed at by default on the right side. `order`: the one with all defaults."""
    return tuple(aimed(fight, state, who, one.verb, order, f) for f in one.fields)


def refusal_of(refused: Refusal) -> dict[str, Any]:
    return {"text": refused.text, "rule": refused.rule, "legal": list(refused.legal)}


def default_order(fight: Encounter, who: str, one: Offer) -> Any:
    """The order with all its defaults, None where one has to be named."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in fight.ruleset.orders.__args__}
    try:
        return kinds[one.verb](by=who, **{f.name: f.default for f in one.fields if f.default is not None})
    except TypeError:
        return None


def field(fight: Encounter, view: Eyes, who: str, order: Any, one: Field) -> dict[str, Any]:
    """One option; those that are fighters come with their distance and the range band."""

    def place(target: str) -> dict[str, Any]:
        found: dict[str, Any] = {"distance": "", "metres": None, "band": ""}
        if target != who:
            words, metres, band = fight.ruleset.apart(view.seen, who, target)
            found = {"distance": words, "metres": metres, "band": band}
            if order is not None and one.name in getattr(order, "__struct_fields__", ()):
                try:
                    aimed = msgspec.structs.replace(order, **{one.name: target})
                    found["band"] = fight.ruleset.band(view.seen, aimed) or band
                except (AffrayError, TypeError):
                    found["band"] = band
        return found

    domain = known(one.domain, view)
    default = None if view.mentions(one.default) else one.default
    return {
        "name": one.name,
        "label": one.name.replace("_", " "),
        "text": one.text or one.name.replace("_", " "),
        "domain": described(domain, view, place),
        "default": msgspec.to_builtins(default),
        "default_text": said(default, view) if default is not None else "",
        "needed": default is None,
    }
