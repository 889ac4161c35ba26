"""Recorded answers: resuming, undo, scripts and tests.

An answer names its request by ordinal and keeps the `why` and `by` it answered; a misfit raises ReplayMismatch.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from affray.ask import Choose, Open, Pending, Request, Roll
from affray.dice import check
from affray.errors import BadAnswer, ReplayMismatch
from affray.scene import Source, checked, plain


class Answer(Struct, frozen=True, omit_defaults=True):
    """What was answered to request `n` of an entry. `value`: faces of a roll, or a choice in JSON types.

    `die`: the value is one typed face, added to the faces before it. `given`: it came from a person, not from seeded
    dice or a policy (so undo takes it back as a decision).
    """

    n: int
    why: str
    by: str
    value: Any
    die: bool = False
    given: bool = False


def folded(answers: Iterable[Answer]) -> dict[int, Answer]:
    """The answers by ordinal, typed dice gathered into faces."""
    by_n: dict[int, Answer] = {}
    for answer in answers:
        if answer.die:
            before = by_n[answer.n].value if answer.n in by_n else ()
            if not isinstance(before, list | tuple):
                raise ReplayMismatch(f"answer {answer.n + 1} ({answer.why} by {answer.by}): a die cannot follow {before!r}")
            answer = msgspec.structs.replace(answer, value=(*before, answer.value), die=False)
        by_n[answer.n] = answer
    return by_n


class Replay:
    """A source of recorded answers; requests without one go to `then` (None: they are Pending).

    After a run, `used` holds all answers in the order of their requests, those of `then` included.
    """

    def __init__(self, answers: Iterable[Answer] = (), then: Source | None = None) -> None:
        self.recorded = folded(answers)
        self.then = then
        self.used: dict[int, Answer] = {}

    def faces(self, n: int, request: Roll) -> Sequence[int]:
        faces: tuple[int, ...]
        if answer := self._recorded(n, request):
            if not isinstance(answer.value, list | tuple):
                raise ReplayMismatch(f"answer {n + 1} ({request.why.key} by {request.by}): a list of faces is expected")
            faces = tuple(answer.value)
            try:
                wanted = check(request.pool, faces)
            except BadAnswer as wrong:
                raise ReplayMismatch(f"answer {n + 1} ({request.why.key} by {request.by}): {wrong}") from None
            if wanted is not None:
                raise Pending([Open(n, request, faces)])
            self.used[n] = answer
            return faces
        if self.then is None:
            raise Pending([Open(n, request)])
        faces = tuple(self.then.faces(n, request))
        self.used[n] = Answer(n, request.why.key, request.by, faces)
        return faces

    def answer(self, n: int, request: Choose, state: Any) -> Any:
        if answer := self._recorded(n, request):
            try:
                value = checked(request, answer.value)
            except BadAnswer as wrong:
                raise ReplayMismatch(f"answer {n + 1}: {wrong}") from None
            self.used[n] = answer
            return value
        if self.then is None:
            raise Pending([Open(n, request)])
        value = self.then.answer(n, request, state)
        self.used[n] = Answer(n, request.why.key, request.by, plain(value))
        return value

    def leftover(self) -> list[Answer]:
        """Recorded answers that no request wanted."""
        return [answer for n, answer in self.recorded.items() if n not in self.used]

    def _recorded(self, n: int, request: Request) -> Answer | None:
        answer = self.recorded.get(n)
        if answer and (answer.why, answer.by) != (request.why.key, request.by):
            raise ReplayMismatch(
                f"answer {n + 1}: the rules ask {request.why.key} of {request.by}, recorded is {answer.why} by {answer.by}"
            )
        return answer


class Scripted:
    """A source for tests and cases: faces consumed one by one in the order of asking, and choices matched by who and why.

    `choices`: (who, why, value); '' matches anybody or anything. `take_defaults`: unscripted questions take their default.
    """

    def __init__(
        self, faces: Iterable[int] = (), choices: Iterable[tuple[str, str, Any]] = (), take_defaults: bool = False
    ) -> None:
        self.left = list(faces)
        self.choices = list(choices)
        self.take_defaults = take_defaults
        self.asked: list[tuple[str, str, str]] = []

    def faces(self, n: int, request: Roll) -> Sequence[int]:
        self.asked.append((request.by, request.why.key, str(request.pool)))
        taken: tuple[int, ...] = ()
        while request.pool.wanted(taken) is not None:
            if not self.left:
                raise Pending([Open(n, request, taken)])
            taken = (*taken, self.left.pop(0))
            check(request.pool, taken)
        return taken

    def answer(self, n: int, request: Choose, state: Any) -> Any:
        self.asked.append((request.by, request.why.key, type(request.domain).__name__))
        for i, (who, why, value) in enumerate(self.choices):
            if who in ("", request.by) and why in ("", request.why.key):
                del self.choices[i]
                return checked(request, value)
        if self.take_defaults:
            return request.default
        raise Pending([Open(n, request)])
