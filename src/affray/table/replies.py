"""Answers to open questions: one by one, as usual for all of a kind, or as somebody has said once and for all."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from affray.ask import Choose, Open, Roll
from affray.table import questions

if TYPE_CHECKING:
    from affray.table.session import Output, Session

MAX_ANSWERS = 2000
"""Answers in a row that are given as usual."""


def answer(session: Session, text: str) -> Output:
    """What a line says to the questions that are open. Raises Unclear, BadAnswer."""
    opened, rest = questions.pick(session.requests, text, session.label)
    if isinstance(opened.request, Choose) and rest.strip().lower() in ("rest", "always"):
        why = opened.request.why.key
        if rest.strip().lower() == "always":
            known = [one for one in session.fight.memo.get("usual", []) if one != [opened.request.by, why]]
            session.fight.remember(usual=[*known, [opened.request.by, why]])
        return session.do(lambda: usual(session, lambda one: one.request.why.key == why))
    if isinstance(opened.request, Roll):
        assert session.fight.open is not None
        given: Any = questions.faces(rest, opened, (session.fight.seed, session.fight.open.id))
    else:
        given = questions.choice(opened.request, rest, session.label, session.fight.ruleset)
    return session.do(lambda: session.fight.answer(opened.n, given))


def usual(session: Session, which: Callable[[Open], bool]) -> bool:
    """Answer questions of a kind, and those of that kind that follow at once, as Enter would. Whether there were any."""
    for count in range(MAX_ANSWERS):
        mine = [(one.n, one.request) for one in session.requests if which(one)]
        asked = next(((n, request) for n, request in mine if isinstance(request, Choose)), None)
        if asked is None:
            return count > 0
        session.fight.answer(asked[0], asked[1].default)
    return True


def standing(session: Session, one: Open) -> bool:
    """Whether somebody has said that a question is always answered as usual."""
    return [one.request.by, one.request.why.key] in session.fight.memo.get("usual", [])
