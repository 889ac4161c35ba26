"""The forecast of an encounter in preparation: played over and over in a thread of its own, a second at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from affray.errors import DataError
from affray.recent import Recent
from affray.simulate.forecast import Forecaster
from affray.simulate.report import Share
from affray.web.hall import Hall, read_source

STEPS = 8
SECONDS = 1.0
"""Of each step."""


@dataclass(slots=True)
class Telling:
    """One forecast: how often each side has won so far. `source`: of which text."""

    source: str
    won: dict[str, float] = field(default_factory=dict)
    fights: int = 0
    undecided: float = 0.0
    steps: int = 0
    problem: str = ""
    fight: Any = None
    forecaster: Forecaster | None = None
    last: list[tuple[str, float]] = field(default_factory=list)
    """What the forecast before this one had said."""

    def shown(self) -> dict[str, Any]:
        sides = []
        for side, won in self.won.items():
            share = Share.of(round(won), self.fights)
            before = dict(self.last).get(side)
            sides.append({"name": side, "win": share.share, "low": share.low, "high": share.high, "before": before})
        return {
            "sides": sides, "fights": self.fights, "going_on": self.steps < STEPS and not self.problem, "problem": self.problem,
            "done": self.steps / STEPS, "undecided": self.undecided / self.fights if self.fights else 0.0,
        }  # fmt: skip


_TELLINGS: Recent[Telling] = Recent(20)


async def told(hall: Hall, ident: str, source: str, house: Mapping[str, Any]) -> dict[str, Any]:
    """One step more of the forecast of this draft, and what it says so far."""
    telling = _TELLINGS.find(ident)
    if telling is None or telling.source != source or telling.steps >= STEPS:
        last = [(side, won / telling.fights) for side, won in telling.won.items()] if telling and telling.fights else []
        telling = _TELLINGS.put(ident, Telling(source, last=last))
    await asyncio.to_thread(_step, telling, house, hall.watched)
    return telling.shown()


def _step(telling: Telling, house: Mapping[str, Any], tables: bool) -> None:
    """`tables`: they may be built after the first step, which takes a moment."""
    if telling.forecaster is None:
        try:
            telling.fight = read_source(telling.source, house)
        except DataError:
            telling.problem = "something is still wrong with the encounter; see the list"
            return
        telling.forecaster = Forecaster(telling.fight.ruleset, dict(telling.fight.policies), 1)
    forecaster, state = telling.forecaster, telling.fight.state
    if tables and telling.steps == 1:
        forecaster.warm(state, SECONDS)
    slow = telling.steps and not telling.fights  # none was over in time: one whole fight at a time, however long it takes
    how = "tables" if telling.fights else "live"  # where there are no tables, live as well
    found = forecaster.at(state, SECONDS, 1 if slow else None, how, again=telling.steps)
    telling.steps += 1
    if not found.fights:
        telling.problem = "" if telling.fights or telling.steps < STEPS else "not one fight was over in time"
        return
    for chance in found.sides:
        telling.won[chance.side] = telling.won.get(chance.side, 0.0) + chance.win * found.fights
    telling.fights += found.fights
    telling.undecided += (found.undecided + found.nobody) * found.fights
