"""Who is winning? Each side's chance from any state in the middle of a fight, within a time budget.

Exact where the fight is decided, else by fights from here on, whose number depends on the budget and nothing else: fight
number n from one place is always the same. A forecast looks at the whole state, hidden combatants and secret rolls
included, so it is for the game master; whoever shows it to players decides what it may give away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from math import inf, sqrt
from time import perf_counter
from typing import Any

from msgspec import Struct

from affray.encounter import Encounter
from affray.policies import Policy
from affray.policies.ahead import Late
from affray.ruleset import Ruleset
from affray.simulate.forecast_tables import AGAIN, ForecastTables
from affray.simulate.playout import MAX_ROUNDS, SPACING, Players, Playout, Standing, sides
from affray.simulate.report import Share, Z

LEAST, MOST = 0.05, 1.0
"""Seconds that a forecast may be given."""
TABLED_FROM = 100
"""Fights that are asked for by number from which tables are worth building."""


class Chance(Struct, frozen=True):
    """How likely a side wins: the chance, and the ends of its 95 % interval (both the chance where it is exact)."""

    side: str
    win: float
    low: float
    high: float


class Forecast(Struct, frozen=True):
    """Chances of all sides, of nobody being left, and of no decision; they sum to 1.

    `how`: 'exact' (the intervals hold the error bound), 'tables' or 'live'; `fights`: how many it rests on (0 where it is
    exact, or where not one ended within the budget: the chances are then guessed from who still stands, and the intervals
    are 0 to 1). `seconds`: time taken.
    """

    sides: tuple[Chance, ...]
    nobody: float
    undecided: float
    fights: int
    how: str
    seconds: float

    def of(self, side: str) -> Chance:
        """The chance of a side. Raises LookupError."""
        for chance in self.sides:
            if chance.side == side:
                return chance
        raise LookupError(f"there is no side {side!r}")


def forecast(
    where: Any,
    ruleset: Ruleset | None = None,
    policies: Mapping[str, Policy | str] | None = None,
    budget: float = 0.2,
    fights: int | None = None,
    seed: int = 0,
    max_rounds: int = MAX_ROUNDS,
) -> Forecast:
    """Each side's chance from `where`: a running `Encounter` (an open order included) or a state with its `ruleset`.

    `policies`: by fighter, side or 'master'; for an Encounter they default to its own. People are played by 'aggressive'.
    `budget`: seconds, 0.05 to 1. `fights`: exactly so many instead, whatever the time: the same seed then gives the same
    forecast everywhere, exact or on tables where they hold the fight and it is 100 or more. Raises ValueError without a ruleset.
    """
    return Forecaster.of(where, ruleset, policies, seed, max_rounds).at(where, budget, fights)


class Forecaster:
    """Forecasts of one fight, again and again: after each entry, or for all of them at once.

    Within a budget, tables are used once `warm` has built them; until then fights are played live, a few only.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        policies: Mapping[str, Policy | str] | None = None,
        seed: int = 0,
        max_rounds: int = MAX_ROUNDS,
        now: Callable[[], float] = perf_counter,
    ) -> None:
        """`now`: the clock, asked now and then in the middle of the work; one that waits a while lets others go first, one
        that says `inf` ends the work."""
        self.ruleset, self.seed, self.max_rounds, self.now = ruleset, seed, max_rounds, now
        self.players = Players(ruleset, policies)
        self._tables = ForecastTables(ruleset, self.players, seed, max_rounds, now)

    @staticmethod
    def of(
        where: Any,
        ruleset: Ruleset | None = None,
        policies: Mapping[str, Policy | str] | None = None,
        seed: int = 0,
        max_rounds: int = MAX_ROUNDS,
    ) -> Forecaster:
        """For a running Encounter (its ruleset and policies where none are given) or a state. Raises ValueError."""
        if isinstance(where, Encounter):
            ruleset = ruleset or where.ruleset
            policies = where.policies if policies is None else policies
        if ruleset is None:
            raise ValueError("a bare state needs its ruleset")
        return Forecaster(ruleset, policies, seed, max_rounds)

    def at(self, where: Any, budget: float = 0.2, fights: int | None = None, how: str = "", again: int = 0) -> Forecast:
        """The forecast from `where`; see `forecast`. `how`: 'exact', 'tables' or 'live' alone ('': the best there is).

        `again`: the same once more, from other fights than those of any other number, so that several make a surer one.
        """
        began = self.now()
        standing = Standing.of(where)
        if standing.order is None and self.ruleset.over(standing.state):
            return self._decided(standing.state, began)
        budget = min(MOST, max(LEAST, budget))
        if how != "live" and (found := self._by_tables(standing, budget, fights, how, began, again)):
            return found
        end = inf if fights is not None else began + budget

        def late() -> bool:
            return self.now() >= end

        won, cut = self._live(standing, late, fights, again)
        return self._told(standing.state, won, cut, "live", began)

    def _by_tables(
        self, standing: Standing, budget: float, fights: int | None, how: str, began: float, again: int
    ) -> Forecast | None:
        """Exact or from fights in tables, where they are warm or there is time."""
        tables = self._tables
        if not how and fights is not None and fights < TABLED_FROM:
            return None
        if (fights is None and not tables.warmed) or not tables.busy.acquire(blocking=fights is not None):
            return None
        try:
            if how in ("", "exact") and (found := tables.exact(standing, began + 0.4 * budget if fights is None else None)):
                chances = [Chance(side, p, p, min(1.0, p + found.error)) for side, p in zip(found.sides, found.win, strict=True)]
                left = max(0.0, 1.0 - sum(found.win) - found.both_out)
                return Forecast(tuple(chances), found.both_out, left, 0, "exact", self.now() - began)
            if how in ("", "tables"):
                until = None if fights is not None else began + 0.8 * budget
                if tallies := tables.fights(standing, until, fights, again):
                    return self._gathered(standing.state, tallies, began)
            return None
        finally:
            tables.busy.release()

    def warm(self, where: Any, seconds: float = 5.0) -> bool:
        """Build tables for the fight for about so long. False where tables cannot hold it. Code that was never compiled on this
        machine is compiled first, which takes some seconds more.

        Meant for a thread of its own when a fight begins.
        """
        return self._tables.warm(Standing.of(where), seconds)

    def _live(self, standing: Standing, late: Callable[[], bool], fights: int | None, again: int) -> tuple[Counter[str], int]:
        """Winners of fights from here on, and how many were cut off by the clock."""
        playout = Playout(self.ruleset, self.players, self.max_rounds, late)
        won: Counter[str] = Counter()
        number = (self.seed + AGAIN * again) * SPACING
        try:
            while fights is None or won.total() < fights:
                won[playout.fight(standing, number + won.total())] += 1
                if late():
                    break
        except Late:
            return won, 1
        return won, 0

    def _gathered(self, state: Any, tallies: list[Counter[str]], began: float) -> Forecast:
        """From tallies of about equally many fights, each from another way in which the turn may end."""
        fights = sum(tally.total() for tally in tallies)
        found = []
        for side in sides(state):
            shares = [tally[side] / tally.total() for tally in tallies]
            found.append(Chance(side, *_interval(shares, fights)))
        nobody, undecided = (sum(tally[end] / tally.total() for tally in tallies) / len(tallies) for end in ("", "?"))
        return Forecast(tuple(found), nobody, undecided, fights, "tables", self.now() - began)

    def _decided(self, state: Any, began: float) -> Forecast:
        left = {f.side for f in state.fighters if not self.ruleset.fallen(f)}
        found = [Chance(side, p, p, p) for side in sides(state) for p in (float(left == {side}),)]
        nobody = float(not left)
        return Forecast(tuple(found), nobody, 1 - nobody - sum(c.win for c in found), 0, "exact", self.now() - began)

    def _told(self, state: Any, won: Counter[str], cut: int, how: str, began: float) -> Forecast:
        n = won.total()
        if not n:
            return self._guessed(state, how, began)
        found = []
        for side in sides(state):
            # a fight that was cut off might have gone either way
            low = Share.of(won[side], n + cut).low
            high = Share.of(won[side] + cut, n + cut).high
            found.append(Chance(side, won[side] / n, low, high))
        return Forecast(tuple(found), won[""] / n, won["?"] / n, n, how, self.now() - began)

    def _guessed(self, state: Any, how: str, began: float) -> Forecast:
        """By the number of those who can still fight: no fight has ended in time."""
        able = Counter(f.side for f in state.fighters if not self.ruleset.fallen(f))
        total = max(1, able.total())
        found = tuple(Chance(side, able[side] / total, 0.0, 1.0) for side in sides(state))
        return Forecast(found, 0.0, 1.0 - sum(c.win for c in found), 0, how, self.now() - began)


def _interval(shares: list[float], fights: int) -> tuple[float, float, float]:
    """Mean of the shares and the ends of its 95 % interval: by Wilson, with as many fights as the scatter is worth."""
    n = len(shares)
    mean = sum(shares) / n
    worth = float(fights)
    if n > 1:
        square = sum((share - mean) ** 2 for share in shares) / (n - 1) / n * (1 + 2 / n)
        worth = min(worth, max(float(n), mean * (1 - mean) / square)) if square else worth
    middle = (mean + Z * Z / (2 * worth)) / (1 + Z * Z / worth)
    half = Z / (1 + Z * Z / worth) * sqrt(mean * (1 - mean) / worth + Z * Z / (4 * worth * worth))
    return mean, max(0.0, min(mean, middle - half)), min(1.0, max(mean, middle + half))
