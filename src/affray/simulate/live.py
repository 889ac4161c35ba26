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
    """One fight: the winning side ('' nobody, '?' undecided), rounds, fate of each, who was put out by whom, and what each
    has left of all that runs out."""

    winner: str
    rounds: int
    fates: tuple[str, ...]
    downed: tuple[tuple[str, str], ...]
    left: tuple[tuple[tuple[str, int], ...], ...]


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
    seen = _Watch(rules)
    state = Ahead(rules, Players(rules, policies).of).on(start, seed, max_rounds, seen.over)
    known = {f.id: f for f in start.fighters}
    fates = tuple(fate(rules, known[f.id], f) for f in state.fighters if f.id in known)
    left = tuple(rules.stock(f) for f in state.fighters if f.id in known)
    return Fought(winner(rules, state) if rules.over(state) else "?", state.round, fates, tuple(seen.downed), left)


class _Watch:
    """Sees every state of a fight: is it over, and who was put out by whom?

    What happens by itself (a round opens, a turn ends) counts for the last one who did something.
    """

    def __init__(self, rules: Any) -> None:
        self.rules = rules
        self.last: deque[Any] = deque(maxlen=60)
        self.gone: frozenset[str] = frozenset()
        self.downed: list[tuple[str, str]] = []

    def over(self, state: Any) -> bool:
        if not self.last or self.last[-1].fighters is not state.fighters:
            gone = frozenset(f.id for f in state.fighters if self.rules.fallen(f))
            if self.last and (new := gone - self.gone):
                by = next((self.rules.up(one)[0] for one in reversed(self.last) if self.rules.flow(one) is None), "")
                self.downed += [(who, by) for who in sorted(new) if who != by]
            self.gone = gone
        self.last.append(state)
        return bool(self.rules.over(state))
