"""Tables for a forecast: kept warm from call to call, entered between two turns.

A turn or an order that is under way is finished live, in several ways; from each of them the fight goes on in tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import inf
from threading import Lock
from time import perf_counter
from typing import Any

from affray.policies.ahead import Late, winner
from affray.ruleset import Ruleset
from affray.simulate.compiled import kept, made_apart, ready
from affray.simulate.duel import duel
from affray.simulate.mass import Simulation
from affray.simulate.playout import SPACING, Players, Playout, Standing

WAYS = 24
"""Ways in which a turn under way is finished."""
FEWEST = 4
"""With fewer of them, tables would not know how uncertain they are."""
FAR = 2
"""Rounds within which tables must be able to take over."""
STATES = 30_000
"""States of an exact forecast."""
AGAIN = 7919
"""Between the seeds of a forecast and those of the same once more."""
SLOW, FAST = 4, 256
"""Fights at a time, plain and compiled."""


class ForecastTables:
    """The tables of one fight. Nothing here needs numba; compiled code is used once it is loaded (see `warm`)."""

    def __init__(
        self, ruleset: Ruleset, players: Players, seed: int, max_rounds: int, now: Callable[[], float] = perf_counter
    ) -> None:
        self.ruleset, self.players, self.seed, self.max_rounds, self.now = ruleset, players, seed, max_rounds, now
        self._kept: dict[Any, Any] = {}
        self.busy = Lock()
        """Held while tables are built or read."""
        self.warmed = False
        """Most rows are there, so that few have to be built in the middle of a forecast."""

    # ---- answers

    def exact(self, standing: Standing, until: float | None) -> Any:
        """The rest of the fight worked out, where two are left and no turn is under way; None where it cannot be in time."""
        state = standing.state
        able = [f for f in state.fighters if not self.ruleset.fallen(f)]
        if standing.order is not None or len(able) != 2 or not self._enters(state):
            return None
        try:
            like = self._simulation(state)
            policies = self.players.by_side(state)
            return duel(self.ruleset, state, policies, 1e-5, 1e-5, self.max_rounds, most=STATES, until=until, like=like)
        except (ValueError, OverflowError, Late):
            return None

    def fights(self, standing: Standing, until: float | None, wanted: int | None, again: int = 0) -> list[Counter[str]]:
        """Winners of equally many fights from each way in which the turn may end, some of one more where that does not come out
        even; none where tables do not serve in time.

        `again`: other ways and other fights than those of any other number.
        """
        if self.ruleset.tabular is None:
            return []
        begins = self._begins(standing, until, wanted, again)
        if not begins:
            return []
        tallies: list[Counter[str]] = [Counter() for _ in begins]
        number = (self.seed + AGAIN * again) * SPACING
        try:
            done = 0
            each = -(-wanted // len(begins)) if wanted is not None else 0
            while wanted is None or done < each:
                size = FAST if ready() else SLOW
                size = size if wanted is not None else max(1, size // (1 if len(begins) == 1 else 4))
                sizes = [size] * len(begins)
                if wanted is not None:
                    sizes = [min(size, -(-(wanted - k) // len(begins)) - done) for k in range(len(begins))]
                sweep = [self._run(state, number + done, one, until) for state, one in zip(begins, sizes, strict=True)]
                for tally, part in zip(tallies, sweep, strict=True):
                    tally.update(part)
                done += size
        except Late:  # a sweep counts as a whole or not at all, or short fights would count too much
            pass
        except OverflowError:
            return []
        return tallies if tallies[0] else []

    def warm(self, standing: Standing, seconds: float) -> bool:
        """Load compiled code, then build rows for so long. Forecasts that are asked for meanwhile are played live."""
        if self.ruleset.tabular is None:
            return False
        if made_apart():
            kept()
        until = self.now() + seconds
        if not self._begins(standing, until, FEWEST):
            return False
        with self.busy:
            self.exact(standing, self._soon(until, 0.3))
            while self.now() < until:
                self.fights(standing, until, None)
            self.warmed = True
        return True

    # ---- how it works

    def _begins(self, standing: Standing, until: float | None, wanted: int | None, again: int = 0) -> list[Any]:
        """States from which tables go on: the one that is there, or what may come of the turn under way."""
        rules = self.ruleset
        if standing.order is None and self._enters(standing.state):
            return [standing.state]
        soon = None if until is None else self._soon(until, 0.4)

        def late() -> bool:
            now = self.now()
            return soon is not None and now > soon

        playout = Playout(rules, self.players, FAR, late)
        found: list[Any] = []
        try:
            for number in range(WAYS if wanted is None else min(WAYS, wanted)):
                seed = (self.seed + AGAIN * again) * SPACING
                state = playout.on(standing, seed + number, self._enters_or_over)
                if not self._enters_or_over(state):
                    return []
                found.append(state)
        except Late:
            return found if len(found) >= FEWEST else []
        return found

    def _soon(self, until: float, share: float) -> float:
        """When this share of the time is over; long ago where all of it is (the clock may say `inf` to end the work)."""
        now = self.now()
        return now + share * (until - now) if now < until else -inf

    def _enters_or_over(self, state: Any) -> bool:
        return self.ruleset.over(state) or self._enters(state)

    def _enters(self, state: Any) -> bool:
        """Whether tables can take over: between two turns, and nothing that they do not hold."""
        if self.ruleset.tabular is None or self.ruleset.flow(state) is None:
            return False
        return not self.ruleset.tabular(state).refused(state, self.players.by_side(state))

    def _run(self, state: Any, number: int, fights: int, until: float | None) -> Counter[str]:
        if self.ruleset.over(state):
            return Counter({winner(self.ruleset, state): fights})
        simulation = self._simulation(state)
        late = None if until is None else lambda: self.now() > until
        raw = simulation.run(fights, number, compiled=ready() is not None, late=late)
        names = {-1: "?", -2: ""} | dict(enumerate(simulation.sides))
        return Counter(names[int(won)] for won in raw.winner)

    def _simulation(self, state: Any) -> Any:
        """The simulation from a state, on the tables of all those with the same ground between everybody."""
        if ("at", state) in self._kept:
            return self._kept["at", state]
        policies = self.players.by_side(state)
        tabular = self.ruleset.tabular(state)
        ids = [f.id for f in state.fighters]
        side = {f.id: f.side for f in state.fighters}
        ground = tuple(tabular.between(state, a, b) for a in ids for b in ids if side[a] != side[b])
        key = ("ground", state.rulings, tuple(ids), ground)
        made = Simulation(self.ruleset, state, policies, self.max_rounds, self._kept.get(key))
        self._kept.setdefault(key, made)
        if len(self._kept) > 400:
            self._kept = {name: kept for name, kept in self._kept.items() if name[0] == "ground"}
        self._kept["at", state] = made
        return made
