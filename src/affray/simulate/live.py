"""The live loop on all cores: whole fights by policies, for what tables cannot hold."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from affray.encounter import Encounter
from affray.ruleset import find

Fought = tuple[str, int, tuple[str, ...], tuple[str, ...]]
"""Winning side ('' nobody, '?' undecided), rounds, fate of each, who put somebody out (one entry each)."""
CHUNK = 8


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
    fight.advance()
    downers: list[str] = []
    while not rules.over(fight.state) and fight.state.round <= max_rounds:
        able = {f.id for f in fight.state.fighters if not rules.fallen(f)}
        fight.step()
        by = fight.entries[-1].order.by
        entry = next((e for e in reversed(fight.entries) if not e.auto), None)
        if entry is not None:
            by = entry.order.by
        gone = able - {f.id for f in fight.state.fighters if not rules.fallen(f)}
        side = next((f.side for f in fight.state.fighters if f.id == by), "")
        downers += [by for who in sorted(gone) if side and who != by]
    state = fight.state
    standing = {f.side for f in state.fighters if not rules.fallen(f)}
    winner = "?" if not rules.over(state) else next(iter(standing), "") if len(standing) < 2 else "?"
    known = {f.id: f for f in start.fighters}
    fates = tuple(fate(rules, known[f.id], f) for f in state.fighters if f.id in known)
    return winner, state.round, fates, tuple(downers)


def _several(args: tuple[Any, ...]) -> list[Fought]:
    ruleset, start, policies, seeds, max_rounds = args
    return [one(ruleset, start, policies, seed, max_rounds) for seed in seeds]


def fights(
    ruleset: str, start: Any, policies: Mapping[str, str], count: int, seed: int, max_rounds: int, workers: int = 0
) -> Iterator[Fought]:
    """Fights seed * 1000003 + 0, 1, ... in order, from all cores."""
    first = seed * 1_000_003
    chunks = [range(first + i, first + min(i + CHUNK, count)) for i in range(0, count, CHUNK)]
    jobs = [(ruleset, start, dict(policies), chunk, max_rounds) for chunk in chunks]
    workers = workers or os.cpu_count() or 1
    if workers == 1 or count <= CHUNK:
        for job in jobs:
            yield from _several(job)
        return
    with ProcessPoolExecutor(workers) as pool:
        try:
            for done in pool.map(_several, jobs):
                yield from done
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
