"""Who decides inside a question of odds: named policies, with wishes for single questions, and a note of what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from affray.ask import Choose
from affray.domains import Number, OneOf, Pick, YesNo
from affray.errors import AffrayError, BadAnswer
from affray.events import get
from affray.policies import Policy
from affray.ruleset import Ruleset

Wishes = tuple[tuple[str, str, Any], ...]
"""(who, question, answer): given wherever it is allowed; who '' is anybody."""
MANY = 24
"""Options of a question beyond which they are not listed one by one."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A question that somebody was asked, and the policy that answered it."""

    who: str
    why: str
    policy: str


@dataclass(slots=True)
class Noted:
    """What was asked so far, with the options that were met."""

    decisions: dict[tuple[str, str], Decision] = field(default_factory=dict)
    options: dict[tuple[str, str], dict[Any, None]] = field(default_factory=dict)


class Decider:
    """A policy that keeps to some wishes and notes what it is asked. Its name tells the wishes, so that odds are kept apart."""

    def __init__(self, policy: Policy, who: str, wishes: Wishes, noted: Noted) -> None:
        self._policy, self._who, self._noted = policy, who, noted
        self._wishes = {why: answer for by, why, answer in wishes if by in ("", who)}
        told = [f"{why}={answer}" for why, answer in self._wishes.items()]
        self.name = " ".join([policy.name, *told])

    def order(self, state: Any, who: str, pick: Pick) -> Any:
        return self._policy.order(state, who, pick)

    def answer(self, request: Choose, state: Any, pick: Pick) -> Any:
        key = (request.by, request.why.key)
        if key not in self._noted.decisions:
            self._noted.decisions[key] = Decision(request.by, request.why.key, self.name)
        seen = options_of(request.domain)
        if seen is not None:
            self._noted.options.setdefault(key, {}).update(dict.fromkeys(seen))
        if request.why.key in self._wishes:
            wish = self._wishes[request.why.key]
            if seen is not None and wish in seen:
                return wish
            if seen is None:
                with suppress(BadAnswer):
                    return request.domain.check(wish)
        return self._policy.answer(request, state, pick)


class Deciders:
    """The policies of one fight by fighter or side; `default` for everybody else."""

    def __init__(self, ruleset: Ruleset, state: Any, policies: Mapping[str, Policy | str] | None = None) -> None:
        self._state = state
        self._by = {who: ruleset.policies[p] if isinstance(p, str) else p for who, p in (policies or {}).items()}
        self._default = next((p for name, p in ruleset.policies.items() if name != "random"), None)
        self._cache: dict[tuple[str, Wishes], Decider] = {}
        self.noted = Noted()

    def of(self, who: str, wishes: Wishes = ()) -> Decider:
        """Who decides for a fighter. Raises AffrayError where nobody can."""
        found = self._cache.get((who, wishes))
        if found is None:
            policy = self._by.get(who) or self._by.get(self._side(who)) or self._default
            if policy is None:
                raise AffrayError(f"no policy decides for {who}")
            found = self._cache[who, wishes] = Decider(policy, who, wishes, self.noted)
        return found

    def _side(self, who: str) -> str:
        if all(fighter.id != who for fighter in self._state.fighters):
            return ""
        return str(get(self._state, who).side)


def options_of(domain: Any) -> tuple[Any, ...] | None:
    """The answers that a question allows, where they can be listed."""
    if isinstance(domain, OneOf):
        return domain.options
    if isinstance(domain, YesNo):
        return (True, False)
    if isinstance(domain, Number) and domain.most - domain.least < MANY:
        return tuple(range(domain.least, domain.most + 1))
    return None
