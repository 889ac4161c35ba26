"""What time brings: what is due for whom, and when. Rounds are counted by rulesets as counters of their fighters."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct


class Due(Struct, frozen=True):
    """Something that time brings after a fight: to whom, in how many minutes from now, what, and by which rule."""

    who: str
    minutes: int
    what: str
    rule: str = ""


def by_time(due: Iterable[Due]) -> tuple[Due, ...]:
    """The soonest first; what comes at once stays in its order."""
    return tuple(sorted(due, key=lambda one: one.minutes))
