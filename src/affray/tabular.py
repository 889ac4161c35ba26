"""What a ruleset provides so that its fights can be tabulated: local states and the mechanics that move them.

A table never sees the scene. Each combatant is a `seat`: its fighter without name, place or score, and the policy that
plays it. What lies between two of them is fixed (`between`); whatever a policy may know of the rest is an `Outlook`.
Mass simulation, exact duels and forecasts all run on these; the mechanics are the ones of live play.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Protocol

from msgspec import Struct

from affray.ask import Ask
from affray.policies import Policy

END = "end"
"""The action that ends a turn."""


PLENTY = 10**6
"""Rounds of a weapon that counts none."""


class Seat(Struct, frozen=True):
    """A combatant as tables know it."""

    me: Any
    policy: str = ""


class Outlook(Struct, frozen=True):
    """What a plan may know of the rest of the fight."""

    outnumbered: bool = False
    threatened: bool = False
    """An enemy who can still fight is near."""

    @property
    def code(self) -> int:
        return int(self.outnumbered) + 2 * int(self.threatened)


OUTLOOKS = tuple(Outlook(bool(code & 1), bool(code & 2)) for code in range(4))


Simpler = tuple[Seat, Callable[[Seat], Seat]]
"""The simpler seat, and what makes of its result the result of the seat itself; equal ones should compare equal."""


def as_it_is(seat: Seat) -> Seat:
    """For steps whose result holds nothing that was left out."""
    return seat


class Bout(Struct, frozen=True):
    """An attack as a mechanic and its arguments; equal bouts are solved once.

    `then`: what comes of each result of the mechanic. None: the results are the outcomes of the attack. `at`: what `messages`
    has to know of the target.
    """

    resolve: Callable[..., Any]
    args: tuple[Any, ...]
    then: Then | None = None
    at: Hashable = None


class Then(Struct, frozen=True):
    """The second half of an attack: a result is given a label, and what bears it comes to the bout of that label.

    `label(result, *given)` says all that matters of a result; `bout(label, *alike)` is solved once for a label.
    """

    label: Callable[..., Hashable]
    given: tuple[Any, ...]
    bout: Callable[..., Bout]
    alike: tuple[Any, ...]


class Tabular(Protocol):
    """The hook of a ruleset. All methods are pure; those with `ask` are mechanics in which `me` changes alone."""

    @property
    def rerolls(self) -> bool:
        """Initiative is thrown anew every round."""

    @property
    def together(self) -> bool:
        """Those who are equal in score and in `tie_now` act at one moment: harm among them waits until all have acted."""

    def refused(self, state: Any, policies: Mapping[str, Policy]) -> str:
        """'' or, in words, why this fight needs more than tables."""

    def midway(self, state: Any) -> tuple[tuple[int, ...], tuple[bool, ...]] | None:
        """In the middle of a round, between two turns: scores of initiative, and who has had a turn. None: at the start."""

    def seat(self, state: Any, who: str, policy: str) -> Seat:
        """A combatant's local state at the start."""

    def between(self, state: Any, a: str, b: str) -> Hashable:
        """What lies between an attacker and a target, as far as it does not change."""

    def near(self, state: Any, a: str, b: str) -> bool:
        """Whether b threatens a (for `Outlook.threatened`)."""

    def preference(self, state: Any, who: str) -> tuple[str, ...]:
        """All other ids in the order in which `who` picks among targets of equal rank."""

    def tie(self, state: Any, who: str) -> Any:
        """What breaks a tie of initiative (higher first); equal ties go by the roster."""

    def group(self, state: Any, who: str) -> str:
        """Those with one name roll initiative together; '' alone."""

    def initiative(self, ask: Ask, seat: Seat, first: bool) -> int:
        """The initiative score."""

    def opens(self, ask: Ask, seat: Seat) -> Seat:
        """A round opens (the last one having closed)."""

    def begins(self, ask: Ask, seat: Seat) -> Seat:
        """A turn begins."""

    def next(self, seat: Seat, outlook: Outlook) -> str:
        """The next action of the turn: a word, or END."""

    def attacks(self, action: str) -> bool:
        """Whether an action is aimed at somebody."""

    def acts(self, ask: Ask, seat: Seat, action: str) -> Seat:
        """The doer's part of an action: its cost, and all of it when it is aimed at nobody."""

    def simpler(self, seat: Seat, step: str, detail: Any = None) -> Simpler | None:
        """A seat for which a step comes to the same, apart from what it leaves alone; None: this one as it is.

        `step` names a method here ('opens', 'begins', 'ends', 'initiative', 'next', 'acts', 'after', 'receives'), `detail` is
        its action or message. Seats that differ in what they carry along (rounds, a defence that stands) are solved once.
        """

    def bout(self, seat: Seat, action: str, between: Any, target: Seat) -> Bout:
        """An attack, from what the two show each other."""

    def brings(self, seat: Seat, action: str) -> Seat:
        """An attacker without what `bout` does not read of it, so that few attacks have to be solved."""

    def offers(self, seat: Seat) -> Seat:
        """The same of somebody who is attacked."""

    def messages(self, outcome: Any, at: Any = None) -> tuple[Any, ...]:
        """What an outcome tells the target and the attacker; None: nothing. `at`: that of the bout, by which messages that come
        to the same for such a target may be told as one.

        Where those who act at one moment hold their harm back (`together`), two more: the harm to the target, and the
        harm as it is told when it has been held back.
        """

    def aside(self, message: Any) -> bool:
        """Whether `simpler` leaves out something else for this message than for a hit; all of one kind are alike in that."""

    def heard(self, seat: Seat, message: Any) -> Any:
        """The message, of the same kind (`aside`), that stands for all those that do the same to this seat."""

    def receives(self, ask: Ask, seat: Seat, message: Any) -> Seat:
        """What a message does to its receiver."""

    def after(self, ask: Ask, seat: Seat, action: str) -> Seat:
        """What an attack has used up of the attacker."""

    def ends(self, ask: Ask, seat: Seat) -> Seat:
        """A turn ends."""

    def rank(self, seat: Seat, by: str) -> tuple[int, ...]:
        """How a policy sorts a target (lowest first)."""

    def shift(self, seat: Seat) -> int:
        """What is added to the seat's initiative score now."""

    def tie_now(self, seat: Seat) -> int:
        """What breaks a tie of scores before `tie` does, as it is now (higher first); 0 where nothing of the seat does."""

    def able(self, seat: Seat) -> bool:
        """Can still fight."""

    def acting(self, seat: Seat) -> bool:
        """Gets a turn when it is up. Whoever does not, does not until a round opens."""

    def fate(self, seat: Seat) -> str:
        """'untouched', 'wounded', 'out' or 'dead'."""

    def supply(self, seat: Seat) -> int:
        """Rounds in the weapon in use; PLENTY where they are not counted."""

    def in_use(self, seat: Seat) -> Hashable:
        """Which of its weapons that is: those that share their rounds are one."""

    def capacity(self, seat: Seat) -> int:
        """Rounds in the weapon in use when it is full; PLENTY where they are not counted."""

    def enough(self, seat: Seat) -> int:
        """With so many rounds in the weapon when its turn begins, more of them change nothing in the turn."""

    def stocked(self, seat: Seat, rounds: int) -> Seat:
        """The same with so many rounds in the weapon in use, which counts them."""
