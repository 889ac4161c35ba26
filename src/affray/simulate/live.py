"""The live loop: whole fights by policies, for what tables cannot hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from affray.encounter import Encounter
from affray.errors import LimitReached
from affray.ruleset import find


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
    players = {key: rules.policies[name] for key, name in policies.items()}
    fight = Encounter(rules, start, seed, players)
    downed: list[tuple[str, str]] = []
    try:
        fight.advance()
        while not rules.over(fight.state) and fight.state.round <= max_rounds and fight.up():
            able = {f.id for f in fight.state.fighters if not rules.fallen(f)}
            fight.step()
            entry = next((e for e in reversed(fight.entries) if not e.auto), fight.entries[-1])
            gone = able - {f.id for f in fight.state.fighters if not rules.fallen(f)}
            downed += [(who, entry.order.by) for who in sorted(gone) if who != entry.order.by]
    except LimitReached:
        pass  # the fight goes round in a circle: undecided
    state = fight.state
    standing = {f.side for f in state.fighters if not rules.fallen(f)}
    winner = "?" if not rules.over(state) else next(iter(standing), "") if len(standing) < 2 else "?"
    known = {f.id: f for f in start.fighters}
    fates = tuple(fate(rules, known[f.id], f) for f in state.fighters if f.id in known)
    left = tuple(rules.stock(f) for f in state.fighters if f.id in known)
    return Fought(winner, state.round, fates, tuple(downed), left)
