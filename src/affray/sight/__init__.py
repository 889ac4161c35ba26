"""What the master, a player or a spectator may see and do in a fight, as plain data: the one place that decides it.

Pure functions over an `Encounter` and an `Audience`. Everything that a player is told is worked out from the state as that
player knows it (`Ruleset.seen`); what comes from the true state (order of turns, events) goes through `Eyes`. The pages, the
API, the event stream and exports show what these functions return and nothing else.
"""

from affray.audience import MASTER, SPECTATOR, Audience
from affray.sight.asking import may_answer, requests
from affray.sight.deciding import NOT_YET, Forbidden, NotAsked, answer, known, may_order, order, refusal
from affray.sight.eyes import Eyes, eyes
from affray.sight.log import log
from affray.sight.model import fight, version
from affray.sight.offering import offers
from affray.sight.people import numbers
from affray.sight.preview import preview
from affray.sight.weighing import weigh

__all__ = [
    "MASTER",
    "NOT_YET",
    "SPECTATOR",
    "Audience",
    "Eyes",
    "Forbidden",
    "NotAsked",
    "answer",
    "eyes",
    "fight",
    "known",
    "log",
    "may_answer",
    "may_order",
    "numbers",
    "offers",
    "order",
    "preview",
    "refusal",
    "requests",
    "version",
    "weigh",
]
