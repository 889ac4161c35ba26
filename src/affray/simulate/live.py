"""The live loop: whole fights by policies, for what tables cannot hold."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from affray.policies.ahead import Ahead, winner
from affray.ruleset import find
from affray.simulate.playout import Players


class Fought(Struct, frozen=True):
    """One fight: the winning side ('' nobody, '?' undecided), rounds, fate of each, who was put out by whom; what each has left
    of all that runs out, and has used of it; the harm that each did to others."""

    winner: str
    rounds: int
    fates: tuple[str, ...]
    downed: tuple[tuple[str, str], ...]
    left: tuple[tuple[tuple[str, int], ...], ...]
    used: tuple[tuple[tuple[str, int], ...], ...]
    harm: tuple[int, ...]


def fate(ruleset: Any, before: Any, now: Any) -> str:
    """A combatant's fate in one of four words."""
    fallen = ruleset.fallen(now)
    if fallen:
        return "dead" if fallen in ("dead", "destroyed") else "out"
    worse = any(getattr(now, name, 0) != getattr(before, name, 0) for name in WEAR)
    return "wounded" if worse else "untouched"


WEAR = ("wounds", "strength", "dexterity", "endurance", "hurt", "status")
"""Fields of fighters, whichever the ruleset has, that change when somebody is wounded."""


def one(ruleset: str, start: Any, policies: Mapping[str, str], seed: int, max_rounds: int) -> Fought:
    """One fight to its end."""
    rules = find(ruleset)
    seen = _Watch(rules, start)
    state = Ahead(rules, Players(rules, policies).of).on(start, seed, max_rounds, seen.over)
    known = {f.id: f for f in start.fighters}
    fates = tuple(fate(rules, known[f.id], f) for f in state.fighters if f.id in known)
    left = tuple(rules.stock(f) for f in state.fighters if f.id in known)
    used = tuple(tuple(seen.used[f.id].items()) for f in state.fighters if f.id in known)
    harm = tuple(seen.harm[f.id] for f in state.fighters if f.id in known)
    won = winner(rules, state) if rules.over(state) else "?"
    return Fought(won, state.round, fates, tuple(seen.downed), left, used, harm)


class _Watch:
    """Sees every state of a fight: is it over, who was put out or harmed by whom, what was used up?

    What happens by itself (a round opens, a turn ends) counts for the last one who did something.
    """

    def __init__(self, rules: Any, start: Any) -> None:
        self.rules = rules
        self.last: deque[Any] = deque(maxlen=60)
        self.gone: frozenset[str] = frozenset()
        self.downed: list[tuple[str, str]] = []
        self.known = {f.id: f for f in start.fighters}
        self.used: dict[str, dict[str, int]] = {f.id: {} for f in start.fighters}
        self.harm = {f.id: 0 for f in start.fighters}

    def over(self, state: Any) -> bool:
        if not self.last or self.last[-1].fighters is not state.fighters:
            gone = frozenset(f.id for f in state.fighters if self.rules.fallen(f))
            hurt = self._changed(state)
            new = gone - self.gone
            if self.last and (new or hurt):
                by = next((self.rules.up(one)[0] for one in reversed(self.last) if self.rules.flow(one) is None), "")
                self.downed += [(who, by) for who in sorted(new) if who != by]
                if by in self.harm:
                    self.harm[by] += sum(much for who, much in hurt if who != by)
            self.gone = gone
        self.last.append(state)
        return bool(self.rules.over(state))

    def _changed(self, state: Any) -> list[tuple[str, int]]:
        """Who has been harmed since the last state, and how much. Counts what has been used."""
        hurt = []
        for now in state.fighters:
            was = self.known.get(now.id)
            if was is None or was is now:
                continue
            self.known[now.id] = now
            left, used = dict(self.rules.stock(now)), self.used[now.id]
            for name, before in self.rules.stock(was):
                used[name] = used.get(name, 0) + max(0, before - left.get(name, 0))
            if (harm := self.rules.health(was) - self.rules.health(now)) > 0:
                hurt.append((now.id, harm))
        return hurt
