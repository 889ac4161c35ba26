"""Going on from a state: whole orders by policies, without keeping a log. The same number gives the same fight."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from affray.errors import AffrayError
from affray.interpreters.live import Live, picker
from affray.policies import Policy
from affray.ruleset import Ruleset
from affray.scene import Recorder

MAX_STEPS = 5000
"""Steps in one round after which nothing goes on any more: somebody goes round in circles."""
FIRST_ENTRY = 1_000_000
"""Entries of a fight that is played on begin here, so that its dice are never those which the real fight will see."""


class Late(Exception):
    """The clock has run out in the middle of a fight."""


def no_clock() -> bool:
    return False


class Ahead:
    """Plays on. `of(who, state)`: who decides. `late()` is asked between orders; when it says so, `Late` is raised."""

    def __init__(self, ruleset: Ruleset, of: Callable[[str, Any], Policy], late: Callable[[], bool] = no_clock) -> None:
        self.ruleset, self.of, self.late = ruleset, of, late

    def on(self, state: Any, number: int, rounds: int, enough: Callable[[Any], bool]) -> Any:
        """The state in which `enough` is true for the first time between two orders, or in which nothing goes on any more.

        At most `rounds` more rounds are begun. Raises Late.
        """
        entry, steps, now, last = FIRST_ENTRY, 0, state.round, state.round + rounds
        while not enough(state) and state.round <= last and steps < MAX_STEPS:
            if self.late():
                raise Late
            entry, steps = entry + 1, steps + 1
            if state.round != now:
                now, steps = state.round, 0
            try:
                order = self.ruleset.flow(state) or self._ordered(state, number, entry)
                if order is None:
                    break
                state = self.after(state, order, number, entry)
            except AffrayError:  # a fight in which nobody can go on
                break
        return state

    def after(self, state: Any, order: Any, number: int, entry: int = FIRST_ENTRY) -> Any:
        """The state after an order. Raises IllegalOrder."""
        scene = Recorder(state, self.live(number, entry, state))
        self.ruleset.perform(scene, order)
        return scene.state

    def live(self, number: int, entry: int, state: Any) -> Live:
        """Dice and decisions of one entry of a fight."""
        return Live(number, entry, lambda who: self.of(who, state))

    def _ordered(self, state: Any, number: int, entry: int) -> Any:
        up = self.ruleset.up(state)
        if not up:
            return None
        return self.of(up[0], state).order(state, up[0], picker(number, entry, 1_000_000))


def winner(ruleset: Ruleset, state: Any) -> str:
    """The only side of which somebody can still fight, or ''; '?' where there are more."""
    left = {f.side for f in state.fighters if not ruleset.fallen(f)}
    return "?" if len(left) > 1 else next(iter(left), "")
