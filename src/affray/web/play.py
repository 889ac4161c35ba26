"""Decisions about one fight, from plain data: orders of one or of a group, answers, taking back; and what follows by itself.

Each function changes an `Encounter` or raises AffrayError. Who may do it has been settled before; keeping it comes after.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from affray import sight
from affray.ask import MASTER, Choose, Open, Roll
from affray.encounter import Encounter
from affray.errors import AffrayError, BadAnswer, IllegalOrder, Refusal
from affray.interpreters.live import stream
from affray.sight import Audience, Forbidden
from affray.table import agenda

MAX_STEPS = 2000
"""Steps that follow by themselves in a row."""
Told = tuple[str, Any, AffrayError]
"""An order of a group that was refused: whose, the order, and why."""


def settle(fight: Encounter) -> list[Told]:
    """Standing answers, and orders of a group that are still to come, until somebody has to decide. Returns what was refused."""
    told: list[Told] = []
    for _ in range(MAX_STEPS):
        if fight.open:
            usual = fight.memo.get("usual") or ()
            asked = next((one for one in fight.open.requests if _standing(one, usual)), None)
            if asked is None:
                return told
            assert isinstance(asked.request, Choose)
            fight.answer(asked.n, asked.request.default)
        elif fight.ruleset.over(fight.state) or not agenda.waiting(fight):
            return told
        else:
            told += _next_of_group(fight)
    return told


def _standing(one: Open, usual: Sequence[Any]) -> bool:
    return isinstance(one.request, Choose) and [one.request.by, one.request.why.key] in [list(some) for some in usual]


def policy_due(fight: Encounter) -> bool:
    """Whether a policy gives the next order, and no order that is still to come."""
    return fight.played() and not agenda.waiting(fight)


# ---- orders


def order(fight: Encounter, audience: Audience, data: Mapping[str, Any]) -> list[Told]:
    """An order; with a list in `by`, the same order by each of them, one after another. Raises Forbidden, IllegalOrder."""
    by = data.get("by")
    if not isinstance(by, list | tuple):
        sight.order(fight, audience, dict(data))
        return settle(fight)
    if strange := [one for one in by if not isinstance(one, str) or not audience.mine(one)]:
        raise Forbidden(f"{strange[0]} is not yours" if audience.master else "that combatant is not yours")
    if twice := next((one for one in by if by.count(one) > 1), ""):
        raise IllegalOrder(Refusal("", f"{sight.eyes(fight, audience).name(twice)} is named twice"))
    given = sight.known(fight, audience, {**data, "by": next(iter(by), "")})
    return group(fight, by, {key: value for key, value in given.items() if key != "by"})


def group(fight: Encounter, who: Sequence[str], data: Mapping[str, Any]) -> list[Told]:
    """The same order for several; each ends its turn when somebody comes after. Raises IllegalOrder when nobody may act."""
    if fight.open:
        raise IllegalOrder(Refusal("", "an answer is awaited first"))
    known = {f.id: f for f in fight.state.fighters}
    if strange := [one for one in who if one not in known]:
        raise IllegalOrder(Refusal("", f"nobody is called {strange[0]!r}"))
    able = [one for one in dict.fromkeys(who) if not fight.ruleset.fallen(known[one])]
    if not able or not set(able) & set(fight.up()):
        raise IllegalOrder(Refusal("", "none of them can act now"))
    later = fight.ruleset.view(fight.state, "master").get("order", ())
    turns = {one: place for place, one in enumerate((*fight.up(), *later))}
    able.sort(key=lambda one: turns.get(one, len(turns)))
    fight.ruleset.order({**data, "by": able[0]})  # what cannot be read is refused for all
    agenda.begin(fight, tuple(able), [(one, {**data, "by": one}) for one in able], str(data.get("do", "")))
    return settle(fight)


def _next_of_group(fight: Encounter) -> list[Told]:
    """The next order on the agenda. One that is refused is told, and that one's others are passed over."""
    (who, what), *rest = fight.memo["agenda"]
    told: list[Told] = []
    try:
        _one_of_group(fight, who, what)
    except AffrayError as wrong:
        told = [(who, what, wrong)]
        rest = [job for job in rest if job[0] != who]
    fight.remember(agenda=rest, at=fight.next_id())
    if not rest:
        fight.remember(job=None)
    return told


def _one_of_group(fight: Encounter, who: str, what: Any) -> None:
    fighter = next((f for f in fight.state.fighters if f.id == who), None)
    if fighter is None or fight.ruleset.fallen(fighter):
        raise IllegalOrder(Refusal("", "can no longer act"))
    if what == agenda.END:
        ends = any(one.verb == "end" and one.refused is None for one in fight.ruleset.offers(fight.state, who))
        if who in fight.up() and ends:
            fight.order(fight.ruleset.order({"do": "end", "by": who}))
        return
    if isinstance(what, str):
        raise IllegalOrder(Refusal("", f"{what!r} was ordered at a terminal; order it again here"))
    if once := fight.memo.get("once"):
        fight.remember(once={**once, "entries": [*once["entries"], fight.next_id()]})
    fight.order(fight.ruleset.order(what))


def words(fight: Encounter, audience: Audience, told: Sequence[Told]) -> list[str]:
    """Refusals of a group's orders as somebody may read them: those of his own."""
    found = []
    for who, what, wrong in told:
        if not audience.mine(who):
            continue
        text = str(wrong)
        if isinstance(wrong, IllegalOrder):
            given = fight.ruleset.order(what) if isinstance(what, dict) else None
            text = str(sight.refusal(fight, audience, wrong.refusal, given))
        found.append(f"{sight.eyes(fight, audience).name(who)}: {text}")
    return found


# ---- answers


def asked(fight: Encounter, n: int) -> Open:
    """The open request. Raises BadAnswer."""
    for one in fight.open.requests if fight.open else ():
        if one.n == n:
            return one
    raise BadAnswer("nobody is asked that now")


def answer(fight: Encounter, audience: Audience, n: int, value: Any) -> list[Told]:
    """A choice, or the faces of a roll."""
    sight.answer(fight, audience, n, value)
    return settle(fight)


def usual(fight: Encounter, audience: Audience, n: int, always: bool = False) -> list[Told]:
    """What the question says happens by default, or dice thrown here."""
    one = sight.may_answer(fight, audience, n)
    if isinstance(one.request, Roll):
        return thrown(fight, n)
    if always:
        mine = [one.request.by, one.request.why.key]
        fight.remember(usual=[*(some for some in fight.memo.get("usual") or () if list(some) != mine), mine])
    fight.answer(n, one.request.default)
    return settle(fight)


def dice(fight: Encounter, audience: Audience, n: int, faces: Sequence[int]) -> list[Told]:
    """Dice as they fell, in their order."""
    if not isinstance(sight.may_answer(fight, audience, n).request, Roll):
        raise BadAnswer("this is a choice, no throw")
    sight.answer(fight, audience, n, tuple(faces))
    return settle(fight)


def die_back(fight: Encounter, audience: Audience, n: int) -> list[Told]:
    """The die typed last for this roll is taken back."""
    sight.may_answer(fight, audience, n)
    given = fight.open.given if fight.open else ()
    if not given or given[-1].n != n or not given[-1].die:
        raise BadAnswer("no die of this roll can be taken back; the game master may undo")
    fight.undo()
    return []


def thrown(fight: Encounter, n: int) -> list[Told]:
    """Whatever is missing of a roll is thrown here."""
    one = asked(fight, n)
    if not isinstance(one.request, Roll):
        raise BadAnswer("this is a choice, no throw")
    assert fight.open is not None
    left, have = stream(fight.seed, fight.open.id, n), list(one.faces)
    got: list[int] = []
    while one.request.pool.wanted((*have, *got)) is not None:
        got.append(next(left))
    fight.answer(n, tuple(got))
    return settle(fight)


def by_itself(fight: Encounter, n: int) -> list[Told]:
    """What happens when somebody does not answer in time: the default, or dice thrown here."""
    one = asked(fight, n)
    if isinstance(one.request, Roll):
        return thrown(fight, n)
    fight.answer(n, one.request.default)
    return settle(fight)


def ask_again(fight: Encounter) -> list[Told]:
    """Nothing is answered as usual any more."""
    fight.remember(usual=[])
    return []


# ---- taking back


def undo(fight: Encounter) -> str:
    """Take back the last decision of a person, and what policies did after it."""
    drop_agenda(fight)
    taken = fight.undo()
    while policy_due(fight):
        try:
            fight.undo()
        except AffrayError:
            break
    return taken


def redo(fight: Encounter) -> str:
    """Return the last decision taken back, and what policies did after it."""
    told = fight.redo()
    while fight.undone and policy_due(fight):
        fight.redo()
    return told


def back(fight: Encounter, entry: int) -> str:
    """Back to an entry; 0 is the beginning."""
    drop_agenda(fight)
    before = len(fight.entries)
    fight.back_to(entry)
    return f"{before - len(fight.entries)} taken back"


def drop_agenda(fight: Encounter) -> None:
    """Orders that were still to come are off."""
    if fight.memo.get("agenda") or fight.memo.get("job"):
        fight.remember(agenda=[], job=None)


# ---- who plays, who throws


def throw_by_hand(fight: Encounter, typed: Sequence[str] | None) -> None:
    """Whose dice are thrown at the table: ids, 'master', or 'all'. Raises IllegalOrder."""
    known = (*(f.id for f in fight.state.fighters), MASTER, "all")
    if strange := [one for one in typed or () if one not in known and one not in fight.throwing()]:
        raise IllegalOrder(Refusal("", f"there is no combatant {strange[0]!r} whose dice could be typed", known))
    fight.throw_by_hand(sorted(set(typed or ())) or None)
    if fight.open is None:
        fight.advance()  # dice that are thrown here now may have ended the open order


def throw_always(fight: Encounter, audience: Audience, n: int, typed: bool) -> list[Told]:
    """All dice of whoever is asked for this roll are typed in from now on, or thrown here, those of this roll included."""
    request = sight.may_answer(fight, audience, n).request
    if not isinstance(request, Roll):
        raise BadAnswer("this is a choice, no throw")
    told = [] if typed else thrown(fight, n)
    now = fight.throwing()
    who = MASTER if request.secret else request.by
    throw_by_hand(fight, sorted(now | {who} if typed else now - {who}))
    return [*told, *settle(fight)]


def played_by(fight: Encounter, names: Mapping[str, str]) -> None:
    """Which policies play, by side or combatant. Raises AffrayError."""
    known = fight.ruleset.policies
    who = {f.side for f in fight.state.fighters} | {f.id for f in fight.state.fighters}
    for one, name in names.items():
        if one not in who or name not in known:
            told = f"there is no policy {name!r}" if one in who else f"nobody and no side is called {one!r}"
            raise IllegalOrder(Refusal("", told, tuple(known) if one in who else tuple(sorted(who))))
    fight.remember(policies=dict(names), once=None)
    fight.policies = {one: known[name] for one, name in names.items()}
