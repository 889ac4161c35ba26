"""What Result Points bought that needs the scene: after the message to the target has been delivered."""

from __future__ import annotations

from affray.events import Changed, Noted
from affray.rules import rule
from affray.rulesets.rond6.actions import RondScene


@rule("RON-RP-6")
def follow(scene: RondScene, by: str, at: str, feat: str, points: int) -> None:
    """A purchase that needs the scene."""
    if feat == "party_pool":
        pool = scene.state.pool + points
        scene.tell(Changed("", "RON-RP-6", (("pool", pool),), "feat.pool", (("points", points), ("pool", pool))))
    else:
        scene.tell(Noted(by, "RON-RP-2", "feat.bought", (("feat", feat),)))
