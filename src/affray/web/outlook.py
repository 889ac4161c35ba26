"""Who is winning a running fight: the forecast of one table, surer the longer the fight stands as it does.

One `Outlook` for the game master and one for everybody else, who forecast from what everybody knows. A server lets a
`Watchman` make them surer in a thread of its own, which gives way to whatever is decided; without one, a forecast rests on
what is played when it is asked for.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Any

from affray import sight
from affray.encounter import Encounter
from affray.errors import AffrayError
from affray.simulate.compiled import made_apart
from affray.simulate.forecast import Forecast, Forecaster
from affray.simulate.playout import Standing
from affray.simulate.report import Share
from affray.web.hall import Hall

BUDGET = 0.4
"""Seconds of a forecast that somebody waits for."""
PATIENCE = 5.0
"""Seconds that somebody waits for a thread that works on the same forecast."""
SLICE = 0.5
"""Seconds of work of the watchman on one fight at a time, pauses included."""
SURE = 0.012
"""Half the width of the interval of a forecast that needs no more work."""
MOST, MOST_LIVE = 40, 400
"""Forecasts of one position after which it stays as it is: from tables, and of single fights that are played live."""
WARM = 6
"""Slices in which tables are built before forecasts are taken from them."""
GIVE_WAY = 0.4
"""Seconds that the watchman stands still after somebody has decided something."""
WANTED = 120.0
"""Seconds after which nobody is taken to look at a forecast any more."""


class Position:
    """What has been found out about one position of a fight. `tries`: how often it was worked on."""

    def __init__(self, key: str, where: Any) -> None:
        self.key, self.where, self.tries = key, where, 0
        self.found: list[Forecast] = []

    def add(self, found: Forecast) -> None:
        """Forecasts from tables take the place of those that were played live, an exact one of all."""
        self.tries += 1
        known = self.found[0].how if self.found else found.how
        if found.how == known != "exact" and (found.fights or found.how == "tables"):
            self.found = [*self.found, found]
        elif found.how != "live":
            self.found = [found]


class Outlook:
    """The forecast of one fight for the master (`master`), or for the others."""

    def __init__(self, fight: Encounter, master: bool, now: Callable[[], float] = time.perf_counter) -> None:
        self.master = master
        self.policies = dict(fight.policies)
        self.forecaster = Forecaster(fight.ruleset, self.policies, now=self._now)
        self.asked = 0.0
        """When somebody looked at it last, by the monotonic clock."""
        self.position = Position("", None)
        self._warmed = 0
        """Slices of work on tables; more than WARM where they cannot hold this position."""
        self._clock = now
        self._busy = threading.Lock()
        self._work: Position | None = None

    def suits(self, fight: Encounter) -> bool:
        return self.policies == fight.policies

    def look(self, key: str, fight: Encounter) -> None:
        """The fight stands so now; `key` changes when that does. The fight is a copy that nobody changes. Raises AffrayError."""
        self.asked = time.monotonic()
        if key != self.position.key:
            self.position = Position(key, Standing.of(fight if self.master else sight.eyes(fight, sight.SPECTATOR).judged))
            self._warmed = 0 if self._warmed > WARM else self._warmed

    def told(self) -> dict[str, Any] | None:
        """{side, chance, error, fights, how} of the first side, `error` half the width of its interval; None when nothing
        can be said. The first who asks waits; what is said does not depend on how often it is asked."""
        position = self.position
        if not position.tries and self._busy.acquire(timeout=PATIENCE):
            try:
                if not position.tries:
                    position.add(self.forecaster.at(position.where, BUDGET))
            finally:
                self._busy.release()
        return summed(position.found)

    @property
    def sure(self) -> bool:
        """Nothing more is to be found out about where the fight stands."""
        told, live = summed(self.position.found), self._warmed > WARM
        return self.position.tries >= (MOST_LIVE if live else MOST) or (told is not None and told["error"] <= SURE)

    def work(self) -> None:
        """A slice of work: tables first, then forecasts of this position. Raises AffrayError."""
        with self._busy:
            self._work = position = self.position
            try:
                if self._warmed < WARM:
                    self._warmed = self._warmed + 1 if self.forecaster.warm(position.where, SLICE) else WARM + 1
                elif self._warmed == WARM:
                    position.add(self.forecaster.at(position.where, SLICE, again=position.tries))
                else:
                    position.add(self.forecaster.at(position.where, fights=1, how="live", again=position.tries))
            finally:
                self._work = None

    def _now(self) -> float:
        """The clock; there is no time left for a position that is there no more."""
        return math.inf if self._work not in (None, self.position) else self._clock()


def summed(found: list[Forecast]) -> dict[str, Any] | None:
    """What forecasts of one position say together: {side, chance, low, high, error, fights, how}; `low` and `high` are the ends
    of its interval."""
    if not found or not found[0].sides or (found[0].how == "live" and not found[0].fights):
        return None
    side, how, fights = found[0].sides[0].side, found[0].how, sum(one.fights for one in found)
    chances = [one.sides[0] for one in found]
    if how == "live":
        won = sum(one.win * told.fights for one, told in zip(chances, found, strict=True))
        share = Share.of(round(won), fights)
        ends = {"low": share.low, "high": share.high, "error": (share.high - share.low) / 2}
        return {"side": side, "chance": won / fights, **ends, "fights": fights, "how": how}
    error = sum(((one.high - one.low) / 2) ** 2 for one in chances) ** 0.5 / len(chances)
    chance = sum(one.win for one in chances) / len(chances)
    ends = {"low": max(0.0, chance - error), "high": min(1.0, chance + error), "error": error}
    return {"side": side, "chance": chance, **ends, "fights": fights, "how": how}


class Watchman(threading.Thread):
    """Makes forecasts surer while nobody decides anything: one thread for the whole server, at most half of its time."""

    def __init__(self, hall: Hall) -> None:
        super().__init__(name="affray-outlook", daemon=True)
        self.hall = hall
        self.ended = threading.Event()
        self._since = 0.0

    def run(self) -> None:
        ready = False
        while not self.ended.wait(0.2):
            outlook = next((one for one in self._outlooks() if not one.sure), None)
            if outlook is None:
                continue
            if not ready and not (ready := made_apart(self.ended.is_set)):
                return
            try:
                outlook.work()
            except AffrayError:
                outlook.asked = 0.0
            except Exception as wrong:  # a fault in forecasting must not end the others
                outlook.asked = 0.0
                self.hall.note_fault(wrong)

    def now(self) -> float:
        """The clock that forecasters ask in the middle of their work. In this thread it lets others go first."""
        if threading.current_thread() is self:
            while time.monotonic() - self.hall.decided < GIVE_WAY and not self.ended.is_set():
                time.sleep(0.05)
            time.sleep(min(0.01, max(0.0, time.perf_counter() - self._since)))
            self._since = time.perf_counter()
        return time.perf_counter()

    def end(self) -> None:
        self.ended.set()

    def _outlooks(self) -> list[Outlook]:
        """Those that somebody looks at, the one that was worked on least first."""
        wanted = time.monotonic() - WANTED
        found = [one for table in list(self.hall.tables.values()) for one in list(table.outlooks.values())]
        return sorted((one for one in found if one.asked > wanted), key=lambda one: one.position.tries)
