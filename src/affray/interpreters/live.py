"""Live play: seeded dice and policies.

The stream of dice is keyed by (seed, entry, ordinal of the request), so undo and redo repeat a throw, and nothing but
these three decides it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain, count
from typing import Any

from affray.ask import Choose, Open, Pending, Roll
from affray.domains import Pick
from affray.policies import Policy


def stream(seed: int, entry: int, n: int) -> Iterator[int]:
    """Endless fair faces 1 to 6 for one request."""
    return chain.from_iterable(_blocks(seed, entry, n))


_FACES = bytes([byte % 6 + 1 for byte in range(256)])
_UNFAIR = bytes(range(252, 256))
"""Bytes that would favour some faces are left out."""


def _blocks(seed: int, entry: int, n: int) -> Iterator[bytes]:
    for block in count():
        yield blake2b(b"%d/%d/%d/%d" % (seed, entry, n, block), digest_size=64).digest().translate(_FACES, _UNFAIR)


def picker(seed: int, entry: int, n: int) -> Pick:
    """Fair whole numbers below a bound, for one decision of a policy that plays at random."""
    drawn = 0

    def pick(bound: int) -> int:
        nonlocal drawn
        drawn += 1
        digest = blake2b(b"pick %d/%d/%d/%d" % (seed, entry, n, drawn), digest_size=16).digest()
        return int.from_bytes(digest, "little") % bound

    return pick


class Live:
    """A source that throws seeded dice and lets policies decide. Where `policy(who)` is None, a person has to: Pending."""

    def __init__(self, seed: int, entry: int, policy: Callable[[str], Policy | None]) -> None:
        self.seed, self.entry, self.policy = seed, entry, policy

    def faces(self, n: int, request: Roll) -> Sequence[int]:
        return request.pool.throw(stream(self.seed, self.entry, n))  # type: ignore[no-any-return]

    def answer(self, n: int, request: Choose, state: Any) -> Any:
        policy = self.policy(request.by)
        if policy is None:
            raise Pending([Open(n, request)])
        return request.domain.check(policy.answer(request, state, picker(self.seed, self.entry, n)))
