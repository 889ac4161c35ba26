"""Playing a fight out from wherever it stands: whole orders by policies, quickly and without keeping a log.

Every fight is known by a number: the same number from the same place gives the same fight. It may be stopped by a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct

from affray import referee
from affray.ask import MASTER, Choose, Roll
from affray.encounter import Encounter
from affray.events import Chose, Rolled
from affray.interpreters.live import Live, stream
from affray.interpreters.replay import Answer, folded
from affray.policies import Policy
from affray.policies.ahead import FIRST_ENTRY, Ahead, no_clock, winner
from affray.ruleset import Ruleset
from affray.scene import Recorder, checked

MAX_ROUNDS = 200
"""Rounds from now on after which a fight is undecided."""
SPACING = 1_000_003
"""Fight number i of a seed that is played live has the number seed * SPACING + i."""
DEFAULTS = ("aggressive", "random")
"""Who plays for a person: the first of these that the ruleset has."""


class Standing(Struct, frozen=True):
    """Where a fight stands: its settled state, and the order that is under way there with what has been answered."""

    state: Any
    order: Any = None
    answers: tuple[Answer, ...] = ()

    @staticmethod
    def of(where: Any) -> Standing:
        """Of a running fight, or of a bare state."""
        if isinstance(where, Standing):
            return where
        if not isinstance(where, Encounter):
            return Standing(where)
        if where.open is None:
            return Standing(where.settled)
        known = {answer.n: answer for answer in answered(where.open.events)} | folded(where.open.given)
        return Standing(where.settled, where.open.order, tuple(known[n] for n in sorted(known)))


def answered(events: Iterable[Any]) -> Iterable[Answer]:
    """The answers that an order under way has had, seeded dice and policies included."""
    for event in events:
        if isinstance(event, Rolled):
            yield Answer(event.n, event.why, event.who, event.faces)
        elif isinstance(event, Chose):
            yield Answer(event.n, event.why, event.who, event.answer)


class Begun:
    """A source for an order under way: the answers that it has had, the dice that have fallen, the rest from `then`."""

    def __init__(self, answers: Sequence[Answer], then: Live) -> None:
        self.answers = {answer.n: answer for answer in answers}
        self.then = then

    def faces(self, n: int, request: Roll) -> Sequence[int]:
        answer = self.answers.get(n)
        if answer is None or answer.why != request.why.key:
            return self.then.faces(n, request)
        rest = stream(self.then.seed, self.then.entry, n)
        return request.pool.throw(chain(answer.value, rest))  # type: ignore[no-any-return]

    def answer(self, n: int, request: Choose, state: Any) -> Any:
        answer = self.answers.get(n)
        if answer is None or answer.why != request.why.key:
            return self.then.answer(n, request, state)
        return checked(request, answer.value)


class Players:
    """Who decides: policies by fighter, side or 'master'; whoever has none (a person) is played by `default`."""

    def __init__(self, ruleset: Ruleset, policies: Mapping[str, Policy | str] | None = None, default: str = "") -> None:
        known = ruleset.policies
        self.chosen = {key: known[one] if isinstance(one, str) else one for key, one in (policies or {}).items()}
        names = [name for name in (default, *DEFAULTS) if name in known]
        self.default: Policy = known[names[0]] if names else next(iter(known.values()))

    def of(self, who: str, state: Any) -> Policy:
        if who in self.chosen:
            return self.chosen[who]
        side = next((f.side for f in state.fighters if f.id == who), MASTER)
        return self.chosen.get(side, self.default)

    def by_side(self, state: Any) -> dict[str, Policy]:
        """A policy for every side, for every combatant with its own, and for the master."""
        found = {side: self.chosen.get(side, self.default) for side in sides(state)}
        ids = {f.id for f in state.fighters}
        return found | {who: p for who, p in self.chosen.items() if who in ids} | {MASTER: self.of(MASTER, state)}


def sides(state: Any) -> tuple[str, ...]:
    """The sides in the order of the roster."""
    return tuple(dict.fromkeys(f.side for f in state.fighters))


class Playout:
    """Fights that go on from where one stands. `late()` is asked between orders; when it says so, `Late` is raised."""

    def __init__(
        self, ruleset: Ruleset, players: Players, max_rounds: int = MAX_ROUNDS, late: Callable[[], bool] = no_clock
    ) -> None:
        self.ruleset, self.max_rounds = ruleset, max_rounds
        self.ahead = Ahead(ruleset, players.of, late)

    def fight(self, standing: Standing, number: int) -> str:
        """The winning side of fight `number`; '' nobody, '?' undecided. Raises Late."""
        over = self.ruleset.over
        state = self.on(standing, number, over)
        return winner(self.ruleset, state) if over(state) else "?"

    def on(self, standing: Standing, number: int, enough: Callable[[Any], bool]) -> Any:
        """The state in which `enough` is true for the first time between two orders, or in which nothing goes on any more."""
        state = standing.state
        if standing.order is not None:
            state = self._finished(standing, number)
        return self.ahead.on(state, number, self.max_rounds, enough)

    def _finished(self, standing: Standing, number: int) -> Any:
        """The state after the order that is under way."""
        source = Begun(standing.answers, self.ahead.live(number, FIRST_ENTRY - 1, standing.state))
        scene = Recorder(standing.state, source)
        if isinstance(standing.order, referee.RefereeOrder):
            referee.perform(scene, self.ruleset, standing.order)
        else:
            self.ruleset.perform(scene, standing.order)
        return scene.state
