"""An order before it is given: its numbers one by one, the area it covers and who is inside, and its exact odds.

For a player all of it is worked out from the state as that player knows it.
"""

from __future__ import annotations

from typing import Any

from affray.audience import Audience
from affray.encounter import Encounter
from affray.sight.deciding import Forbidden, not_now
from affray.sight.eyes import eyes


def preview(fight: Encounter, audience: Audience, order: Any) -> dict[str, Any]:
    """What an order would need and come to. Raises Forbidden for somebody else's combatant, IllegalOrder for nonsense."""
    view = eyes(fight, audience)
    given = fight.ruleset.order(order)
    if not audience.mine(given.by) or given.by not in view.there:
        raise Forbidden("that combatant is not yours")
    refused = fight.ruleset.why_not(view.judged, given) or not_now(fight, view, given.by)
    return {"refused": None if refused is None else {"text": view.veiled(refused.text), "rule": refused.rule}}
