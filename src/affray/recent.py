"""What was worked out lately, as much of it as may be kept."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from threading import Lock
from typing import Any, Generic, TypeVar

T = TypeVar("T")
V = TypeVar("V")


class Recent(Generic[V]):
    """The last few values by a key and, where `of` is given, by the identity of that. Several threads may ask at once."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: OrderedDict[tuple[int, Hashable], tuple[Any, V]] = OrderedDict()
        self._lock = Lock()

    def find(self, key: Hashable, of: Any = None) -> V | None:
        """The value that is kept, if there is one."""
        place = (id(of), key)
        with self._lock:
            found = self._kept.get(place)
            if found is None or found[0] is not of:
                return None
            self._kept.move_to_end(place)
            return found[1]

    def put(self, key: Hashable, value: V, of: Any = None) -> V:
        """Keep a value in the place of an older one."""
        place = (id(of), key)
        with self._lock:
            self._kept[place] = (of, value)
            self._kept.move_to_end(place)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
        return value

    def get(self, key: Hashable, make: Callable[[], V], of: Any = None) -> V:
        """The value, made where it is not kept."""
        found = self.find(key, of)
        return self.put(key, make(), of) if found is None else found


def remembered(most: int) -> Callable[[Callable[[T], V]], Callable[[T], V]]:
    """A function of one value that never changes, worked out once for each of the last so many (by identity)."""

    def wrap(function: Callable[[T], V]) -> Callable[[T], V]:
        kept: Recent[V] = Recent(most)

        @wraps(function)
        def ask(value: T) -> V:
            return kept.get((), lambda: function(value), value)

        return ask

    return wrap
