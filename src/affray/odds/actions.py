"""Odds of orders: the exact interpreter runs the whole procedure, seen by one watched fighter at a time.

Several orders run one after the other; equal states are put together in between. It must not know any ruleset: what came
of an order is put into words by `Ruleset.result`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from affray.ask import Open
from affray.errors import AffrayError, IllegalOrder, Refusal
from affray.events import Chose, Event, Rolled, get
from affray.interpreters.exact import Exact
from affray.interpreters.replay import Answer
from affray.odds.deciders import Deciders, Decision, Wishes
from affray.odds.distribution import Distribution
from affray.odds.questions import cut_note
from affray.policies import Policy
from affray.ruleset import Result, Ruleset

Plan = Sequence[Any]
"""Orders one after the other; None: the next turn of the one who gave the first, nobody else acting in between."""


@dataclass(frozen=True, slots=True)
class Watched:
    """What comes of the orders for one fighter: the chance of each word, and the numbers behind it."""

    id: str
    results: Distribution
    measures: tuple[Distribution, ...]

    def measure(self, name: str) -> Distribution:
        """One of the numbers, or how likely a result is. Raises AffrayError with what there is."""
        for one in self.measures:
            if one.name == name:
                return one
        if name in self.results.values:
            return self.results.read(name, lambda word: int(word == name))
        known = [one.name for one in self.measures] + [str(word) for word in self.results.values]
        raise AffrayError(f"{name!r} is not told of {self.id}; told are: {', '.join(dict.fromkeys(known))}")

    def expect(self, name: str) -> float:
        """Expectation of a number; of one that only says whether something happened, its probability."""
        return self.measure(name).mean()

    def plain(self) -> dict[str, Any]:
        return {"id": self.id, "results": self.results.plain(), "measures": [one.plain() for one in self.measures]}


@dataclass(frozen=True, slots=True)
class Preview:
    """Odds of some orders. `decided`: who was asked what, and by which policy it was answered.

    `lost`: how likely it is that an order can no longer be carried out when its turn has come (the target is down, say).
    """

    title: str
    watched: tuple[Watched, ...]
    decided: tuple[Decision, ...] = ()
    lost: float = 0.0
    note: str = ""

    def of(self, who: str = "") -> Watched:
        """What comes of it for one fighter ('': the first watched)."""
        for one in self.watched:
            if who in ("", one.id):
                return one
        raise AffrayError(f"{who!r} was not watched; watched: {', '.join(one.id for one in self.watched)}")

    def plain(self) -> dict[str, Any]:
        decided = [{"who": d.who, "why": d.why, "policy": d.policy} for d in self.decided]
        watched = [one.plain() for one in self.watched]
        return {"title": self.title, "watched": watched, "decided": decided, "lost": self.lost, "note": self.note}

    def plot(self, path: str | None = None) -> Any:
        from affray.odds.plot import bars

        return bars([one.results.named(one.id) for one in self.watched], path, self.title)


class Lab:
    """Questions about one position. What has been solved for one question is used again for the next.

    `policies`: who decides, by fighter, side or 'master' (policies or their names); else the ruleset's first.
    `number`: float, or Fraction for odds that are exact to the last digit. `most`: see `Exact`.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        state: Any,
        policies: Mapping[str, Policy | str] | None = None,
        number: type[float] | type[Fraction] = float,
        most: int = 0,
    ) -> None:
        self.ruleset, self.state, self.number, self.most = ruleset, state, number, most
        self.deciders = Deciders(ruleset, state, policies)
        self._like: Exact | None = None

    def of(
        self,
        orders: Any,
        watch: Iterable[str] = (),
        wishes: Wishes = (),
        answers: Iterable[Answer] = (),
        title: str = "",
    ) -> Preview:
        """Odds of an order (or a plan). `answers`: what has been answered of the first one already.

        Raises IllegalOrder where it is not possible now.
        """
        plan = self.plan(orders)
        watched = tuple(watch) or target_of(plan)
        given = tuple(answers)
        self.deciders.noted.decisions.clear()
        seen, lost = [], 0.0
        for who in watched:
            spread, gone = self._spread(who, plan, wishes, given)
            seen.append(self._told(who, spread))
            lost = max(lost, gone)
        decided = tuple(self.deciders.noted.decisions.values())
        return Preview(title or _words(plan), tuple(seen), decided, lost, self._cut())

    def each(
        self, order: Any, who: str, label: Callable[[Any], Any], answers: Iterable[Answer] = ()
    ) -> dict[Any, Any]:
        """Weights of `label(state)` after an order, as far as it changes the one who gave it and `who`."""
        watch, deciders = frozenset((who, order.by)), self.deciders
        given = tuple(answers)
        state = self.state if given else self.up(self.state, order.by)
        exact = Exact(state, deciders.of, given, watch, self.number, self._like, self.ruleset.alike, self.most)
        self._like = exact
        return exact.odds(lambda scene: self.ruleset.perform(scene, order), label)

    def affected(self, orders: Any, wishes: Wishes = ()) -> tuple[str, ...]:
        """All to whom the orders may do something that is told, in roster order; else the one who acts."""
        plan = self.plan(orders)
        actor = next(order.by for order in plan if order is not None)
        found = []
        for fighter in self.state.fighters:
            one = self.of(plan, (fighter.id,), wishes).of()
            if len(one.results.outcomes) > 1 or any(measure.values != (0,) for measure in one.measures):
                found.append(fighter.id)
        return tuple(found) or (actor,)

    def plan(self, orders: Any) -> tuple[Any, ...]:
        """Orders in their proper types. Raises IllegalOrder."""
        listed = orders if isinstance(orders, list | tuple) else (orders,)
        plan = tuple(None if order is None else self.ruleset.order(order) for order in listed)
        if all(order is None for order in plan):
            raise AffrayError("there is no order to work out")
        return plan

    def options(self, who: str, why: str) -> tuple[Any, ...]:
        """The answers to a question that have come up in what was worked out so far."""
        return tuple(self.deciders.noted.options.get((who, why), ()))

    # ---- working it out

    def _spread(self, who: str, plan: Plan, wishes: Wishes, answers: tuple[Answer, ...]) -> tuple[dict[Result, Any], float]:
        """Weights of what comes of the plan for one fighter, and how likely a later order is lost."""
        spread: dict[tuple[Any, Result], Any] = {(self.state, Result("")): self.number(1)}
        actor = next(order.by for order in plan if order is not None)
        gone = 0.0
        for number, order in enumerate(plan):
            last = number == len(plan) - 1
            following: dict[tuple[Any, Result], Any] = {}
            refused: Refusal | None = None
            missed: Any = 0
            for (state, so_far), weight in spread.items():
                if order is None:
                    _add(following, (self.ruleset.ready(state, actor), so_far), weight)
                    continue
                state = self.up(state, order.by)
                known = answers if number == 0 else ()
                if not known and (refusal := self.ruleset.why_not(state, order)) is not None:
                    refused, missed = refusal, missed + weight
                    _add(following, (state, so_far), weight)
                    continue
                for (after, told), share in self._order(who, state, order, wishes, known, last).items():
                    _add(following, (after, self._both(so_far, told)), weight * share)
            if refused is not None and missed == sum(spread.values()):
                raise IllegalOrder(refused)
            gone = max(gone, float(missed))
            spread = following
        found: dict[Result, Any] = {}
        for (_, told), weight in spread.items():
            _add(found, told, weight)
        return found, gone

    def _order(
        self, who: str, state: Any, order: Any, wishes: Wishes, answers: tuple[Answer, ...], last: bool
    ) -> dict[tuple[Any, Result], Any]:
        """States (None after the last order) and results after one order."""
        watch = frozenset((who, order.by))
        deciders, alike = self.deciders, self.ruleset.alike
        exact = Exact(state, lambda one: deciders.of(one, wishes), answers, watch, self.number, self._like, alike, self.most)
        self._like = exact
        before = get(state, who)

        def label(after: Any) -> tuple[Any, Result]:
            returned = exact.returned if who != order.by else []
            return (None if last else after), self.result(before, after, who, returned)

        return exact.odds(lambda scene: self.ruleset.perform(scene, order), label)

    def up(self, state: Any, who: str) -> Any:
        """The state in which it is somebody's turn."""
        return state if who in self.ruleset.up(state) else self.ruleset.ready(state, who)

    def result(self, before: Any, state: Any, who: str, returned: list[Any]) -> Result:
        """What an order came to for a fighter, in the words of the ruleset."""
        after = next((fighter for fighter in state.fighters if fighter.id == who), None)
        if after is None:
            return Result("gone")
        if self.ruleset.result is not None:
            return self.ruleset.result(before, after, tuple(returned))
        fell = self.ruleset.fallen(after)
        new = int(bool(fell) and not self.ruleset.fallen(before))
        return Result(fell if new else "unchanged" if after == before else "changed", (("out", new),))

    def _both(self, one: Result, two: Result) -> Result:
        """The worse word, and the numbers added up."""
        if not one.word:
            return two
        order = self.ruleset.results
        word = max((one.word, two.word), key=lambda w: order.index(w) if w in order else -1)
        numbers = dict(one.measures)
        for name, value in two.measures:
            numbers[name] = numbers.get(name, 0) + value
        return Result(word, tuple(numbers.items()))

    def _told(self, who: str, spread: dict[Result, Any]) -> Watched:
        whole = self.number(1)
        order = self.ruleset.results
        words: dict[Any, Any] = {}
        numbers: dict[str, dict[int, Any]] = {}
        for told, weight in spread.items():
            _add(words, told.word, weight)
            for name, value in told.measures:
                _add(numbers.setdefault(name, {}), value, weight)
        listed = sorted(words.items(), key=lambda pair: (order.index(pair[0]) if pair[0] in order else len(order), str(pair[0])))
        note = self._cut()
        measures = tuple(Distribution(name, tuple(sorted(found.items())), whole, note) for name, found in numbers.items())
        return Watched(who, Distribution("result", tuple(listed), whole, note), measures)

    def _cut(self) -> str:
        """Where exploding dice are cut off, if any were thrown."""
        pools = self._like.pools() if self._like else ()
        return next((note for pool in pools if (note := cut_note(pool))), "")


def of(
    ruleset: Ruleset,
    state: Any,
    orders: Any,
    watch: Iterable[str] = (),
    policies: Mapping[str, Policy | str] | None = None,
    wishes: Wishes = (),
    number: type[float] | type[Fraction] = float,
) -> Preview:
    """Odds of an order or a plan from a state, for the target (or the watched fighters)."""
    return Lab(ruleset, state, policies, number).of(orders, watch, wishes)


def answered(events: Iterable[Event]) -> tuple[Answer, ...]:
    """All answers of an order that is under way, seeded dice included, from its events so far."""
    found = []
    for event in events:
        if isinstance(event, Rolled):
            found.append(Answer(event.n, event.why, event.who, event.faces))
        elif isinstance(event, Chose):
            found.append(Answer(event.n, event.why, event.who, event.answer))
    return tuple(found)


def begun(requests: Iterable[Open]) -> tuple[Answer, ...]:
    """The dice that have been typed in of rolls that still wait for more."""
    return tuple(Answer(one.n, one.request.why.key, one.request.by, one.faces) for one in requests if one.faces)


def target_of(plan: Plan) -> tuple[str, ...]:
    """Whom a plan is aimed at, else who carries it out."""
    orders = [order for order in plan if order is not None]
    aimed = [str(order.target) for order in orders if getattr(order, "target", "")]
    return (aimed[0] if aimed else orders[0].by,)


def _add(spread: dict[Any, Any], key: Any, weight: Any) -> None:
    spread[key] = spread[key] + weight if key in spread else weight


def _words(plan: Plan) -> str:
    return ", then ".join("next turn" if order is None else f"{order.by}: {order.verb}" for order in plan)
