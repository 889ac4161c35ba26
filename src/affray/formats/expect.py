"""Paths in `expect`: what must hold after a step of a case.

`look_up` finds what is at a path; `same` compares it with what the case says. Paths are those of the case format.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from affray.errors import nearest
from affray.events import Event, Rolled
from affray.formats.script import Failed
from affray.render import text
from affray.ruleset import Ruleset


class Seen:
    """What can be looked at after a step: the state, the events of the step, and the open questions."""

    def __init__(
        self, ruleset: Ruleset, state: Any, events: Sequence[Event], opened: Sequence[Any], actor: str
    ) -> None:
        self.ruleset, self.state, self.events, self.opened, self.actor = ruleset, state, events, opened, actor

    # ---- finding

    def look_up(self, path: str) -> Any:
        """The value at a path. Raises Failed when there is no such thing."""
        if path.startswith("roll."):
            return self._roll(path)
        for fighter in sorted(self.state.fighters, key=lambda one: -len(one.id)):
            if path.startswith(f"{fighter.id}."):
                return self._fighter(fighter, path[len(fighter.id) + 1 :])
        match path:
            case "events":
                return [event.rule for event in self.events if event.rule]
            case "log":
                return "\n".join(text.lines(self.events, self.ruleset.texts))
            case "asked":
                return [{"of": one.request.by, "why": one.request.why.key} for one in self.opened]
            case "order":
                return list(self._view().get("order", self.ruleset.up(self.state)))
        if path.startswith("offers."):
            return self._offer(self.actor, path.removeprefix("offers."))
        return self._told(path)

    def _told(self, path: str) -> Any:
        """A field of the scene, or a word that an event carries (`result`, `result_points`)."""
        if hasattr(self.state, path) and path not in ("fighters",):
            return msgspec.to_builtins(getattr(self.state, path))
        for event in reversed(self.events):
            for key, value in getattr(event, "data", ()):
                if key == path:
                    return msgspec.to_builtins(value)
        view = self._view()
        if path in view:
            return view[path]
        names = [f"{fighter.id}.…" for fighter in self.state.fighters]
        raise Failed(path, "something to compare with", f"there is no such path (try {', '.join(names)}, roll.…, round)")

    def _view(self) -> dict[str, Any]:
        return self.ruleset.view(self.state, "master")

    def _fighter(self, fighter: Any, path: str) -> Any:
        head, _, rest = path.partition(".")
        if head == "numbers":
            return self._number(fighter, rest)
        if head == "offers":
            return self._offer(fighter.id, rest)
        plain = msgspec.to_builtins(fighter)
        shown = self._shown(fighter.id)
        if head in plain:
            return _into(plain[head], rest, f"{fighter.id}.{path}")
        if head in shown:
            return _into(msgspec.to_builtins(shown[head]), rest, f"{fighter.id}.{path}")
        near = nearest(head, [*plain, *shown])
        raise Failed(f"{fighter.id}.{path}", "a field", "no such field" + (f"; did you mean {near!r}?" if near else ""))

    def _shown(self, who: str) -> Mapping[str, Any]:
        for one in self._view().get("fighters", ()):
            if isinstance(one, Mapping) and one.get("id") == who:
                return one
        return {}

    def _number(self, fighter: Any, name: str) -> Any:
        known = self.ruleset.numbers(self.state, fighter.id)
        base, _, what = name.partition("#")
        if base not in known:
            near = nearest(base, known)
            told = "no such number" + (f"; did you mean {near!r}?" if near else f"; known: {', '.join(known)}")
            raise Failed(f"{fighter.id}.numbers.{name}", "a number", told)
        shown = known[base]
        return _parts(shown.parts) if what == "modifiers" else shown

    def _offer(self, who: str, verb: str) -> Any:
        for offer in self.ruleset.offers(self.state, who):
            if offer.verb == verb:
                return offer
        raise Failed(f"offers.{verb}", "an offer", f"{who} is offered nothing of that name")

    def _roll(self, path: str) -> Any:
        why, _, what = path.removeprefix("roll.").rpartition(".")
        why, _, by = why.partition("@")
        found = [e for e in self.events if isinstance(e, Rolled) and e.why == why and (not by or e.who == by)]
        if not found:
            made = [e.why for e in self.events if isinstance(e, Rolled)]
            raise Failed(path, "a roll", f"no {why!r} was rolled; rolled were: {', '.join(made) or 'none'}")
        event = found[-1]
        match what:
            case "pool":
                return event.pool
            case "faces":
                return list(event.faces)
            case "total":
                total = text.roll_total(event)
                return msgspec.to_builtins(event.result) if total is None else total
            case "result":
                return msgspec.to_builtins(event.result)
            case "flags":
                return [event.flag] if event.flag else []
            case "modifiers":
                return _parts(event.parts)
        raise Failed(path, "pool, faces, total, result, flags or modifiers", what)


def _parts(parts: Iterable[Any]) -> dict[str, int]:
    found: dict[str, int] = {}
    for part in parts:
        found[part.source] = found.get(part.source, 0) + part.amount
    return found


def _into(value: Any, path: str, whole: str) -> Any:
    """Further in: by key, by position from 0, or by the first entry of a pair."""
    for part in path.split(".") if path else ():
        if isinstance(value, Mapping) and part in value:
            value = value[part]
        elif isinstance(value, list | tuple) and part.isdigit() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, list | tuple) and any(_is_pair(one) and one[0] == part for one in value):
            value = next(one[1] for one in value if _is_pair(one) and one[0] == part)
        else:
            raise Failed(whole, f"something at {part!r}", value)
    return value


def _is_pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2 and isinstance(value[0], str)


# ---- comparing


def verify(seen: Seen, path: str, expected: Any, exact: bool) -> None:
    """Raises Failed unless `expected` holds at the path."""
    actual = seen.look_up(path)
    told = _comparable(actual)
    if path == "log":
        wanted = expected if isinstance(expected, list) else [expected]
        for one in wanted:
            if str(one) not in actual:
                raise Failed(path, f"text that contains {one!r}", actual)
        return
    if path == "events" and not exact:
        rest = iter(actual)
        if not isinstance(expected, list) or not all(one in rest for one in expected):
            raise Failed(path, expected, actual)
        return
    if path == "asked":
        if not _asked(expected, actual):
            raise Failed(path, expected, actual)
        return
    if not any(same(expected, one) for one in told):
        raise Failed(path, expected, told[0])


def _asked(expected: Any, actual: list[dict[str, str]]) -> bool:
    wanted = expected if isinstance(expected, list) else [expected]
    if len(wanted) != len(actual):
        return False
    for one, there in zip(wanted, actual, strict=True):
        told = f"{there['of']}: {there['why']}"
        fits = one in (there["of"], there["why"], told) if isinstance(one, str) else same(one, there)
        if not fits:
            return False
    return True


def _comparable(actual: Any) -> list[Any]:
    """The forms in which a case may write what was found, the plainest first."""
    if hasattr(actual, "verb"):  # an offer
        if actual.refused is not None:
            return [actual.refused.rule, False]
        return [actual.cost, True]
    if hasattr(actual, "parts") and hasattr(actual, "value"):  # a derived number
        return [msgspec.to_builtins(actual.value), actual.text]
    return [actual]


def same(expected: Any, actual: Any) -> bool:
    """Equal, as far as the case says: a table may leave keys out; pairs may be written as a table."""
    if isinstance(expected, bool) or isinstance(actual, bool):
        return expected is actual
    if isinstance(expected, Mapping):
        if isinstance(actual, list) and all(_is_pair(one) for one in actual):
            actual = {one[0]: one[1] for one in actual}
        if not isinstance(actual, Mapping):
            return False
        return all(key in actual and same(value, actual[key]) for key, value in expected.items())
    if isinstance(expected, list):
        if isinstance(actual, Mapping | str) or not isinstance(actual, Sequence):
            return False
        return len(expected) == len(actual) and all(same(a, b) for a, b in zip(expected, actual, strict=True))
    if isinstance(expected, str) and isinstance(actual, Mapping):
        return same(expected, actual.get("name"))
    if isinstance(expected, str) and isinstance(actual, list):
        return len(actual) == 1 and same(expected, actual[0])
    return bool(expected == actual)
