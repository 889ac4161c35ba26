"""What each answer to an open question would come to, exactly."""

from __future__ import annotations

from typing import Any

import msgspec

from affray.ask import Choose
from affray.audience import Audience
from affray.encounter import Encounter
from affray.errors import AffrayError
from affray.events import Chose, Rolled
from affray.interpreters.replay import Answer
from affray.odds.actions import Lab, answered, begun
from affray.odds.deciders import options_of
from affray.sight.asking import known, may_answer, said
from affray.sight.eyes import eyes
from affray.sight.preview import watched

MOST, OUTCOMES = 8, 150
"""Options, and outcomes of one of them, beyond which nothing is worked out."""


def weigh(fight: Encounter, audience: Audience, n: int) -> list[dict[str, Any]]:
    """[{value, label, fates: [{who, name, results, measures}]}] for each answer to request `n`: what becomes of the one who
    is asked and of whom the order is aimed at. [] where that cannot be told from what the audience knows, or takes too long.
    Raises Forbidden for somebody else's question."""
    asked, view, opened = may_answer(fight, audience, n), eyes(fight, audience), fight.open
    assert opened is not None
    answers_so_far = [event for event in opened.events if isinstance(event, Rolled | Chose)]
    secret = any(event.seen or not view.whole(event.who) for event in answers_so_far)
    if not isinstance(asked.request, Choose) or (secret and not audience.master):
        return []
    options = options_of(known(asked.request.domain, view))
    if not options or len(options) > MOST or not hasattr(opened.order, "by"):
        return []
    policies = fight.policies if audience.master else {}
    lab = Lab(fight.ruleset, fight.ruleset.seen(fight.settled, audience), policies, most=OUTCOMES)
    given = (*answered(opened.events), *begun(opened.requests))
    target = getattr(opened.order, "target", "")
    people = list(dict.fromkeys(who for who in (asked.request.by, target) if who in view.there))
    found = []
    for value in options:
        row: dict[str, Any] = {"value": msgspec.to_builtins(value), "label": said(value, view), "fates": []}
        try:
            for who in people:
                answers = (*given, Answer(n, asked.request.why.key, asked.request.by, value))
                told = lab.of(opened.order, (who,), (), answers)
                row["fates"].append({"who": who, "name": view.name(who), **watched(told.watched[0])})
        except (AffrayError, StopIteration, LookupError):
            return []
        found.append(row)
    return found
