"""A fight as a Markdown page: its rounds, each order with what it did, and how everybody was at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from affray.encounter import Encounter
from affray.record import Entry
from affray.render import text


def report(fight: Encounter, entries: Sequence[Entry], title: str = "") -> Iterator[str]:
    """The page, line by line. Steps that came by themselves are told without a heading."""
    yield f"# {escaped(title or 'A fight')}"
    yield ""
    yield f"{fight.ruleset.title}, seed {fight.seed}."
    now = -1
    for number, entry in enumerate(entries, 1):
        if entry.state.round != now:
            now = entry.state.round
            yield ""
            yield f"## Round {now}"
        if not entry.auto:
            yield ""
            yield f"**{number}. {escaped(text.ordered(entry.order))}**"
        told = list(text.lines(entry.events, fight.ruleset.texts, "spectator"))
        if told:
            yield ""
        yield from (f"- {escaped(line)}" for line in told)
    yield ""
    yield "## How everybody is"
    yield ""
    state = entries[-1].state if entries else fight.start
    yield from (f"- {escaped(' '.join(line.split()))}" for line in text.standing(fight.ruleset, fight.start, state))


def escaped(line: str) -> str:
    """Text in which nothing is taken for Markdown."""
    return re.sub(r"([\\`*_<>#|\[\]])", r"\\\1", line)
