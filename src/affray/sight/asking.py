"""Open requests as plain data: who is asked what, what may be answered, which die comes next."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from affray import domains
from affray.ask import MASTER, Open, Roll
from affray.audience import Audience
from affray.encounter import Encounter
from affray.render.text import chains, minus, plain
from affray.render.words import in_words, shown
from affray.rules import told
from affray.sight.eyes import Eyes, eyes
from affray.sight.log import part

Extra = Callable[[Any], dict[str, Any]]
"""More about an option that is a value of a domain."""


def requests(fight: Encounter, audience: Audience) -> list[dict[str, Any]]:
    """The open requests that this audience may answer."""
    view = eyes(fight, audience)
    return [request(fight, view, one) for one in (fight.open.requests if fight.open else ()) if theirs(audience, one)]


def theirs(audience: Audience, one: Open) -> bool:
    """Whether a request is theirs: the master's are all, secret rolls are nobody else's."""
    secret = isinstance(one.request, Roll) and one.request.secret
    return audience.master or (one.request.by in audience.own and not secret)


def may_answer(fight: Encounter, audience: Audience, n: int) -> Open:
    """The request `n` if this audience may answer it. Raises NotAsked, the same for one that is not open."""
    from affray.sight.deciding import NotAsked

    for one in fight.open.requests if fight.open else ():
        if one.n == n and theirs(audience, one):
            return one
    raise NotAsked()


def request(fight: Encounter, view: Eyes, one: Open) -> dict[str, Any]:
    asked = one.request
    found: dict[str, Any] = {
        "n": one.n,
        "by": asked.by,
        "name": view.name(asked.by),
        "mine": view.audience.mine(asked.by) and asked.by != MASTER,
        "why": asked.why.key,
        "rule": asked.why.rule,
        "text": view.read(asked.why.text or asked.why.key),
    }
    if isinstance(asked, Roll):
        next_die = asked.pool.wanted(one.faces)
        found |= {
            "kind": "roll",
            "pool": minus(str(asked.pool)),
            "faces": list(one.faces),
            "thrown": dict(zip(("wild", "plain"), chains(str(asked.pool), one.faces), strict=True)),
            "next": {"kind": "wild" if next_die and next_die.startswith("Wild") else "d6", "text": next_die or ""},
            "parts": [part(view, p) for p in asked.parts],
            "secret": asked.secret,
            "always": by_hand(fight, MASTER if asked.secret else asked.by),
        }
        return found
    domain = known(asked.domain, view)
    default = asked.default if not view.mentions(asked.default) else None
    found |= {
        "kind": "choose",
        "domain": explained(fight, asked.why.key, described(domain, view)),
        "default": msgspec.to_builtins(default),
        "default_text": said(default, view),
        "parts": [],
        "secret": False,
    }
    return found


def by_hand(fight: Encounter, who: str) -> bool:
    """Whether all dice of somebody are typed in as they fell."""
    return fight.typed is not None and ("all" in fight.typed or who in fight.typed)


def explained(fight: Encounter, key: str, domain: dict[str, Any]) -> dict[str, Any]:
    """A domain with what its options do, where that has to be told: `text` in a line, its `rule`, and `note`, what it takes."""
    for one in domain.get("options", ()) if domain["kind"] == "one_of" else ():
        rule, note = fight.ruleset.explains(fight.state.rulings, key, one["value"])
        if rule:
            one |= {"text": told(fight.ruleset.package, rule), "rule": rule, "note": note}
    return domain


def said(value: Any, view: Eyes) -> str:
    """A value in words."""
    return view.read(in_words(value, view.name) if hasattr(value, "verb") else shown(value, view.name))


# ---- domains


def known(domain: Any, view: Eyes) -> Any:
    """A domain without the options that name somebody of whom the audience does not know."""
    if view.audience.master or not view.hidden:
        return domain
    if isinstance(domain, domains.OneOf | domains.Ranking):
        return type(domain)(tuple(one for one in domain.options if not view.mentions(one)))
    if isinstance(domain, domains.Subset):
        left = tuple(one for one in domain.options if not view.mentions(one))
        most = domain.most if domain.most < 0 else min(domain.most, len(left))
        return domains.Subset(left, min(domain.least, len(left)), most)
    if isinstance(domain, domains.AnOrder):
        return domains.AnOrder(domain.by, tuple(one for one in domain.orders if not view.mentions(one)))
    return domain


def described(domain: Any, view: Eyes, extra: Extra | None = None) -> dict[str, Any]:
    """A domain as plain data, with a label for each option. `kind` is its tag: one_of, yes_no, number, split, ..."""
    kind = str(type(domain).__struct_config__.tag)
    found: dict[str, Any] = {"kind": kind}
    if isinstance(domain, domains.OneOf | domains.Subset | domains.Ranking):
        found["options"] = [option(one, view, extra) for one in domain.options]
        if isinstance(domain, domains.Subset):
            found |= {"least": domain.least, "most": len(domain.options) if domain.most < 0 else domain.most}
    elif isinstance(domain, domains.AnOrder):
        found["by"] = domain.by
        found["options"] = [{"value": msgspec.to_builtins(one), "label": said(one, view)} for one in domain.orders]
    elif isinstance(domain, domains.Number):
        found |= {"least": domain.least, "most": domain.most}
    elif isinstance(domain, domains.Split):
        found |= {"total": domain.total, "places": [{"name": name, "most": most} for name, most in domain.places]}
    elif isinstance(domain, domains.Place):
        found |= {"around": list(domain.around) if domain.around else None, "reach": domain.reach}
    elif isinstance(domain, domains.Text):
        found["most"] = domain.most
    return found


def option(value: Any, view: Eyes, extra: Extra | None) -> dict[str, Any]:
    found = {"value": msgspec.to_builtins(value), "label": view.read(shown(value, view.name))}
    if isinstance(value, str) and value in view.there:
        found["fighter"] = True
        if extra is not None:
            found |= extra(value)
    return found


__all__ = ["described", "known", "may_answer", "plain", "requests", "said", "theirs"]
