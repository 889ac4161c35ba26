"""A fight in figures, when it is over or while it runs: who did what, how the dice fell, what was spent.

Only events and states are read, so that old fights count as they were played. An audience gets what it may see: of people
who are not theirs what anybody could see across the room, of the hidden nothing. No layout here, and no ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from affray.audience import Audience
from affray.encounter import Encounter
from affray.events import Changed, Event, Noted, Rolled, evolve
from affray.referee import RefereeOrder
from affray.render.luck import Luck, of_roll
from affray.render.words import called

AWAY = ("gone", "left")
"""Words for those who are out of the fight of their own will."""
REST = ("rest", "treat", "aftermath", "surgery")
"""Orders after the fight; what they bring is no part of it."""


class Deeds(Struct, frozen=True):
    """What one combatant did and suffered. What an audience may not know is None."""

    id: str
    name: str
    side: str
    mine: bool
    word: str
    """How it is now: 'able to fight', 'unconscious', 'dead'."""
    out: bool
    out_by: str = ""
    attacks: int = 0
    hits: int = 0
    put_out: tuple[str, ...] = ()
    """Whom it put out, by name."""
    dealt: int | None = None
    taken: int | None = None
    dice: Luck | None = None
    points: tuple[tuple[str, int], ...] | None = None
    """Points used, by kind."""
    rounds: tuple[tuple[str, int], ...] | None = None
    """Ammunition used, by weapon."""


class Summary(Struct, frozen=True):
    """The whole fight. `unit`: what damage is counted in ('wounds', 'points')."""

    rounds: int
    orders: int
    over: bool
    verdict: str
    unit: str
    people: tuple[Deeds, ...]
    sides: tuple[tuple[str, int, int], ...]
    """Name, how many came, how many can still fight."""
    dice: Luck | None = None
    """All dice together, for the master."""


@dataclass(slots=True)
class _Tally:
    attacks: int = 0
    hits: int = 0
    dealt: int = 0
    taken: int = 0
    out_by: str = ""
    put_out: list[str] = field(default_factory=list)
    luck: Luck = field(default_factory=Luck)
    points: dict[str, int] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)


class _Count:
    """Goes over a fight once, as one audience sees it."""

    def __init__(self, fight: Encounter, audience: Audience) -> None:
        self.fight, self.audience = fight, audience
        self.rules = fight.ruleset
        self.tallies: dict[str, _Tally] = {}
        self.last: dict[str, str] = {}
        """Who attacked somebody last."""
        self.unit = ""
        self.orders = 0

    def of(self, who: str) -> _Tally:
        return self.tallies.setdefault(who, _Tally())

    def run(self) -> Any:
        """Everything that happened; returns the state when the last order of the fight itself was done."""
        state = self.fight.start
        end = state
        for order, auto, events in _happened(self.fight):
            counts = not isinstance(order, RefereeOrder) and order.verb not in REST
            self.orders += counts and not auto and order.by in self.rules.knows(state, self.audience)
            state = self._entry(state, order, events, counts)
            end = state if counts else end
        return end

    def _entry(self, state: Any, order: Any, events: tuple[Event, ...], counts: bool) -> Any:
        striker, after = "", state
        known = self.rules.knows(state, self.audience)
        for event in events:
            before, after = after, evolve(event, after)
            if after is not before:
                known = known | self.rules.knows(after, self.audience)
            if not counts or (event.seen and not self.audience.master):
                continue
            if isinstance(event, Rolled):
                if event.who in known:
                    self.of(event.who).luck = self.of(event.who).luck.plus(of_roll(event.pool, event.faces))
                striker = event.who if event.why == "attack" else striker
            elif isinstance(event, Noted | Changed):
                self._blow(event, striker, order.by, known)
                if isinstance(event, Changed) and event.who and event.set:
                    self._harm(event.who, before, after, striker, known)
                    self._spent(event.who, before, after, order.verb)
        return after

    def _blow(self, event: Noted | Changed, striker: str, by: str, known: frozenset[str]) -> None:
        """An attack that came to something: ('result', 'hit') or ('result', 'miss') stands in its event."""
        data = dict(event.data)
        if data.get("result") not in ("hit", "miss") or not striker:
            return
        target = str(data.get("target", event.who))
        self.last[target] = striker
        if striker in known:
            self.of(striker).attacks += 1
            self.of(striker).hits += data["result"] == "hit"

    def _harm(self, who: str, before: Any, after: Any, striker: str, known: frozenset[str]) -> None:
        was, now = _find(before, who), _find(after, who)
        if was is None or now is None or was is now:
            return
        measures = dict(self.rules.result(was, now, ()).measures) if self.rules.result else {}
        self.unit = "wounds" if "wounds" in measures else "points" if "damage" in measures else self.unit
        amount = max(0, measures.get("wounds", measures.get("damage", 0)))
        fell = bool(self.rules.fallen(now)) and not self.rules.fallen(was) and self.rules.fallen(now) not in AWAY
        if not amount and not fell:
            return
        by = striker or self.last.get(who, "")
        self.of(who).taken += amount
        if by and by != who and by in known:
            self.of(by).dealt += amount
            if fell and who in known:
                self.of(by).put_out.append(who)
                self.of(who).out_by = by

    def _spent(self, who: str, before: Any, after: Any, verb: str) -> None:
        was, now = _find(before, who), _find(after, who)
        if was is None or now is None or was is now or not self.audience.whole(who):
            return
        a, b = self.rules.bearing(before, who), self.rules.bearing(after, who)
        left = dict(b.points)
        for name, count in a.points:
            if (used := count - left.get(name, count)) > 0:
                self.of(who).points[name] = self.of(who).points.get(name, 0) + used
        rounds = {weapon: count for weapon, count, _ in b.ammo}
        for weapon, count, _ in a.ammo:
            if (used := count - rounds.get(weapon, count)) > 0:
                self.of(who).rounds[weapon] = self.of(who).rounds.get(weapon, 0) + used


def summary(fight: Encounter, audience: Audience) -> Summary:
    """The figures of a fight for an audience."""
    count = _Count(fight, audience)
    end = count.run()
    rules = fight.ruleset
    known = rules.knows(fight.state, audience)
    names = {f.id: called(f) for f in fight.state.fighters}
    looks = {f.id: rules.fallen(f) for f in rules.seen(fight.state, audience).fighters}
    people = tuple(_deeds(count, f, names, known, looks.get(f.id, "")) for f in fight.state.fighters if f.id in known)
    dice = Luck()
    for tally in count.tallies.values():
        dice = dice.plus(tally.luck)
    parties = dict.fromkeys(f.side for f in fight.state.fighters if f.id in known)
    sides = tuple(
        (side, sum(one.side == side for one in people), sum(one.side == side and not one.out for one in people))
        for side in parties
    )
    over = bool(rules.over(fight.state))
    return Summary(
        end.round,
        count.orders,
        over,
        _verdict(sides, over),
        count.unit or "wounds",
        people,
        sides,
        dice if audience.master else None,
    )


def _deeds(count: _Count, fighter: Any, names: dict[str, str], known: frozenset[str], fallen: str) -> Deeds:
    audience, tally = count.audience, count.of(fighter.id)
    told = Deeds(
        fighter.id,
        names[fighter.id],
        fighter.side,
        fighter.id in audience.own,
        fallen or "able to fight",
        bool(fallen),
        names.get(tally.out_by, "") if tally.out_by in known and fallen else "",
        tally.attacks,
        tally.hits,
        tuple(names[who] for who in tally.put_out if who in names and who in known),
    )
    if not audience.whole(fighter.id):
        return told
    dealt = tally.dealt if audience.master or audience.numbers else None
    spent = tuple(tally.points.items()), tuple(tally.rounds.items())
    return replace(told, dealt=dealt, taken=tally.taken, dice=tally.luck, points=spent[0], rounds=spent[1])


def _verdict(sides: tuple[tuple[str, int, int], ...], over: bool) -> str:
    standing = [name for name, _, able in sides if able]
    if not over:
        return "the fight goes on"
    if len(standing) == 1:
        return f"{standing[0]} hold the field"
    return "nobody is left standing" if not standing else "it is over"


def _happened(fight: Encounter) -> Iterator[tuple[Any, bool, tuple[Event, ...]]]:
    for entry in fight.entries:
        yield entry.order, entry.auto, entry.events
    if fight.open:
        yield fight.open.order, fight.open.auto, fight.open.events


def _find(state: Any, who: str) -> Any:
    return next((f for f in state.fighters if f.id == who), None)
