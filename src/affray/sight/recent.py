"""What was worked out lately, kept by the state that it is about."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

V = TypeVar("V")


class Recent(Generic[V]):
    """The last few values, by the identity of a state and a key. Several threads may ask at once."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._kept: OrderedDict[tuple[int, Hashable], tuple[Any, V]] = OrderedDict()
        self._lock = Lock()

    def get(self, state: Any, key: Hashable, make: Callable[[], V]) -> V:
        """The value for this very state, made where it is not kept."""
        place = (id(state), key)
        with self._lock:
            found = self._kept.get(place)
            if found is not None and found[0] is state:
                self._kept.move_to_end(place)
                return found[1]
        value = make()
        with self._lock:
            self._kept[place] = (state, value)
            while len(self._kept) > self.most:
                self._kept.popitem(last=False)
        return value
