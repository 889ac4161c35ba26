"""Which value brings a side's chance nearest to a target? Fights go where they decide something.

Numbers are searched by halving, on the assumption that the chance only rises or only falls with them; where what was seen
contradicts that, and for values that are words, all values race each other. A value is left alone as soon as it is clearly
above or below the target, or clearly farther from it than another. "Clearly": by `SURE` standard deviations, because it is
looked at again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any

from msgspec import Struct

from affray.simulate.report import Share
from affray.simulate.run import Fights

SURE = 3.0
FEW = 3
"""So few values are not searched but all tried."""
TABLES_FIRST, TABLES_MOST = 400, 20_000
LIVE_FIRST, LIVE_MOST = 40, 400
"""Fights of a value at first and at most."""


class Tried(Struct, frozen=True):
    """One value: the fights it got (0: not tried) and the chance. `verdict`: 'above' or 'below' the target clearly, or 'open'."""

    value: Any
    fights: int
    win: Share
    verdict: str


class Balance(Struct, frozen=True):
    """`best`: place of the nearest value among `tried` (all values in order); -1 where nothing was tried at all.

    `sure`: no other value can be as near, as far as the fights show. `way`: 'halving' or 'all', and why. `reach`: the target
    lies between the chances of the values ('between'), or all of them are 'above' or 'below' it.
    """

    side: str
    target: float
    best: int
    sure: bool
    reach: str
    way: str
    tried: tuple[Tried, ...]
    how: tuple[str, ...]
    cpu_seconds: float
    interrupted: bool = False

    def plain(self) -> dict[str, Any]:
        """As JSON shows it."""
        return {
            "side": self.side,
            "target": self.target,
            "best": self.tried[self.best].value if self.best >= 0 else None,
            "sure": self.sure,
            "reach": self.reach,
            "way": self.way,
            "how": list(self.how),
            "cpu_seconds": self.cpu_seconds,
            "interrupted": self.interrupted,
            "fights": sum(one.fights for one in self.tried),
            "tried": [
                {
                    "value": one.value, "fights": one.fights, "win": one.win.share, "low": one.win.low, "high": one.win.high,
                    "verdict": one.verdict,
                }
                for one in self.tried
            ],
        }  # fmt: skip


class _Candidate:
    """A value with its fights so far; the fights are set up when the first is wanted."""

    def __init__(self, value: Any, make: Callable[[Any], Fights], side: str, seed: int, most: int) -> None:
        self.value, self._make, self.side, self.seed, self._most = value, make, side, seed, most
        self.fights = self.won = 0
        self.source: Fights | None = None

    @property
    def most(self) -> int:
        if self._most or self.source is None:
            return self._most or TABLES_MOST
        return TABLES_MOST if self.source.how == "tables" else LIVE_MOST

    def more(self) -> None:
        """Twice as many fights as before, but no more than allowed."""
        if self.source is None:
            self.source = self._make(self.value)
        first = TABLES_FIRST if self.source.how == "tables" else LIVE_FIRST
        count = min(self.most, max(first, 2 * self.fights)) - self.fights
        sides = self.source.roster.sides
        mine = sides.index(self.side) if self.side in sides else -9
        for batch in self.source.run(self.seed, count, self.fights):
            self.won += int((batch.winner == mine).sum())
            self.fights += len(batch)

    @property
    def done(self) -> bool:
        return self.fights > 0 and self.fights >= self.most

    def share(self) -> float:
        return self.won / max(1, self.fights)

    def variance(self) -> float:
        p = (self.won + 1) / (self.fights + 2)
        return p * (1 - p) / max(1, self.fights)

    def verdict(self, target: float) -> str:
        found = Share.of(self.won, self.fights, SURE)
        return "above" if found.low > target else "below" if found.high < target else "open"


class Search:
    """The search of one side's target over values. `make(value)`: the fights of a value; `tell`: progress in words.

    `most`: fights of a value at most; 0: so many as it may need, fewer where they are played one by one.
    """

    def __init__(
        self,
        values: Sequence[Any],
        make: Callable[[Any], Fights],
        side: str,
        target: float,
        seed: int = 0,
        most: int = 0,
        tell: Callable[[str], None] = lambda words: None,
    ) -> None:
        self.candidates = [_Candidate(value, make, side, seed, most) for value in values]
        self.side, self.target, self.tell = side, target, tell
        self.sure, self.way = False, "all"

    def run(self, ordered: bool) -> Balance:
        """Find it. `ordered`: the values are numbers in order, so that halving makes sense. Ctrl-C: what there is."""
        interrupted = False
        try:
            if ordered and len(self.candidates) > FEW:
                self.way = "halving"
                contenders = self.halved()
                self.sure = self.race(contenders)
                if not self.monotone():
                    self.way = "all: the chance goes up and down with the value"
                    self.sure = self.race(self.candidates)
            else:
                self.sure = self.race(self.candidates)
        except KeyboardInterrupt:
            interrupted, self.sure = True, False
        return self.result(interrupted)

    def decide(self, one: _Candidate) -> str:
        """Fight until the value is clearly above or below the target, or has had its share of fights."""
        while True:
            verdict = one.verdict(self.target) if one.fights else "open"
            if verdict != "open" or one.done:
                return verdict
            self.tell(f"{one.value}: {100 * one.share():.1f} % of {one.fights:,} fights won" if one.fights else f"{one.value}")
            one.more()

    def halved(self) -> list[_Candidate]:
        """The values that may be nearest, if the chance only rises or only falls."""
        low, high = 0, len(self.candidates) - 1
        at_low, at_high = self.decide(self.candidates[low]), self.decide(self.candidates[high])
        while high - low > 1 and at_low != at_high and "open" not in (at_low, at_high):
            middle = (low + high) // 2
            found = self.decide(self.candidates[middle])
            if found == "open":
                low = high = middle
            elif found == at_low:
                low = middle
            else:
                high = middle
        around = {low, high}
        for place, verdict in ((low, at_low), (high, at_high)):
            if low == high or verdict == "open":
                around |= {place - 1, place, place + 1}
        return [self.candidates[place] for place in sorted(around) if 0 <= place < len(self.candidates)]

    def race(self, contenders: Sequence[_Candidate]) -> bool:
        """Fight on among these until one is clearly the nearest; False when the fights run out before."""
        running = list(contenders)
        while True:
            for one in running:
                if not one.fights:
                    self.tell(f"{one.value}")
                    one.more()
            nearest = min(running, key=self.distance)
            running = [one for one in running if one is nearest or not self.clearly_farther(one, nearest)]
            if len(running) == 1:
                return True
            open_ones = [one for one in running if not one.done]
            if not open_ones:
                return False
            fewest = min(open_ones, key=lambda one: one.fights)
            self.tell(f"{fewest.value}: {100 * fewest.share():.1f} % of {fewest.fights:,} fights won")
            fewest.more()

    def distance(self, one: _Candidate) -> float:
        return abs(one.share() - self.target)

    def clearly_farther(self, one: _Candidate, nearest: _Candidate) -> bool:
        return self.distance(one) - self.distance(nearest) > SURE * sqrt(one.variance() + nearest.variance())

    def monotone(self) -> bool:
        """Nothing seen contradicts that the chance only rises or only falls."""
        seen = [one for one in self.candidates if one.fights]
        ways = set()
        for a, b in pairwise(seen):
            if abs(b.share() - a.share()) > SURE * sqrt(a.variance() + b.variance()):
                ways.add(b.share() > a.share())
        return len(ways) < 2

    def result(self, interrupted: bool) -> Balance:
        tried = tuple(
            Tried(one.value, one.fights, Share.of(one.won, one.fights), one.verdict(self.target) if one.fights else "open")
            for one in self.candidates
        )
        seen = [place for place, one in enumerate(self.candidates) if one.fights]
        best = min(seen, key=lambda place: self.distance(self.candidates[place]), default=-1)
        verdicts = {tried[place].verdict for place in seen}
        reach = verdicts.pop() if len(verdicts) == 1 and "open" not in verdicts else "between"
        sources = [one.source for one in self.candidates if one.source is not None]
        how = tuple(dict.fromkeys(source.how for source in sources))
        cpu = sum(source.cpu_seconds for source in sources)
        return Balance(self.side, self.target, best, self.sure, reach, self.way, tried, how, cpu, interrupted)
