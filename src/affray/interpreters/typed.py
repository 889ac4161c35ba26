"""Dice that people throw at the table: a source that waits for typed faces, for everybody or for named people."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from affray.ask import MASTER, Choose, Open, Pending, Roll
from affray.scene import Source


class Typed:
    """Rolls by `people` (None: by everybody) are Pending; secret rolls and all the rest go to `then`."""

    def __init__(self, then: Source, people: Collection[str] | None = None) -> None:
        self.then, self.people = then, people

    def faces(self, n: int, request: Roll) -> Sequence[int]:
        who = MASTER if request.secret else request.by
        if (self.people is None and not request.secret) or (self.people is not None and who in self.people):
            if request.pool.wanted(()) is None:
                return ()
            raise Pending([Open(n, request)])
        return self.then.faces(n, request)

    def answer(self, n: int, request: Choose, state: Any) -> Any:
        return self.then.answer(n, request, state)
