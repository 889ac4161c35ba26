"""Commands that take back, return and change what was decided, and that say who decides and who throws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from affray import referee
from affray.ask import Roll
from affray.dice import check
from affray.encounter import Encounter
from affray.errors import AffrayError, BadAnswer, nearest
from affray.events import Rolled
from affray.interpreters.replay import Replay
from affray.record import Entry
from affray.scene import Recorder
from affray.table import agenda, telling
from affray.table.lines import Line, note
from affray.table.words import Unclear, pieces, split, take, whole

if TYPE_CHECKING:
    from affray.table.session import Output, Session

FIRST_POLICY = ("aggressive", "cautious", "random")


def undo(session: Session, rest: str) -> Output:
    """Take back decisions, orders of policies included, until a person decides."""
    out: Output = list(agenda.clear(session.fight))
    session.draft = None
    count = whole(rest, "how many") if rest else 1
    for _ in range(max(1, count)):
        taken = session.fight.undo()
        more = 0
        while session.fight.played():
            try:
                session.fight.undo()
            except AffrayError:
                break
            more += 1
        out.append(note(f"taken back: {_words(session, taken)}" + (f", and {more} by policies" if more else "")))
    return _again(session, out)


def redo(session: Session, rest: str) -> Output:
    """Return decisions that were taken back, those of policies included."""
    session.draft = None
    start = len(session.fight.entries)
    out: Output = []
    count = len(session.fight.undone) if rest == "all" else max(1, whole(rest, "how many") if rest else 1)
    for _ in range(max(1, count)):
        out.append(note(f"returned: {_words(session, session.fight.redo())}"))
        if not session.fight.undone:
            break
        while session.fight.undone and session.fight.played():
            session.fight.redo()
    session.tape.back_to(min(start, len(session.fight.entries)))
    session.show_again()
    return [*out, *session.go_on()]


def _words(session: Session, taken: str) -> str:
    who, colon, what = taken.partition(": ")
    return f"{session.label(who)}: {what}" if colon else taken


def _again(session: Session, out: Output) -> Output:
    session.tape.skip()
    session.show_again()
    return [*out, *session.go_on()]


def _entry(session: Session, word: str) -> Entry:
    """The entry with that number. Raises Unclear."""
    number = whole(word, "entry")
    entries = session.fight.entries
    if not 1 <= number <= len(entries):
        raise Unclear(f"entry {number}: they go from 1 to {len(entries)} (log lists them)")
    return entries[number - 1]


def back(session: Session, rest: str) -> Output:
    """Back to an entry; 0 is the beginning."""
    if not rest:
        raise Unclear("back to which entry? (log lists them; undo takes back one decision)")
    entry = _entry(session, rest).id if rest.strip() != "0" else 0
    out: Output = list(agenda.clear(session.fight))
    session.draft = None
    before = len(session.fight.entries)
    session.fight.back_to(entry)
    gone = before - len(session.fight.entries)
    out.append(note(f"back to entry {rest}: {gone} taken back; redo all returns them"))
    if session.fight.played():
        out.append(note("a policy plays on from there; to decide otherwise, say people WHO before you go back"))
    return _again(session, out)


def changed(session: Session, change: Any) -> Output:
    """Make a change in the middle, and tell what became different behind it."""
    fight = session.fight
    session.draft = None
    old = {entry.id: entry for entry in fight.entries}
    change()
    out: Output = list(agenda.clear(fight)) if not fight.open else []
    label = session.label
    new = {entry.id for entry in fight.entries} | ({fight.open.id} if fight.open else set())
    for number, entry in enumerate(fight.entries):
        was = old.get(entry.id)
        if was is None and not entry.auto:
            out.append(telling.one_line(fight, number, label))
        elif was is not None and was.events != entry.events and not entry.auto:
            out.append(Line(telling.one_line(fight, number, label).text + "  (played again)", "entry", 6))
    if fight.open and fight.open.id in old:
        out.append(telling.headline(len(fight.entries) + 1, fight.open.order, label))
        out += telling.happened(fight, fight.open.events, label, session.secrets)
    lost = [entry for entry in old.values() if entry.id not in new and not entry.auto]
    if lost:
        out.append(note(f"{len(lost)} later orders no longer fit and are gone; from here on it is decided anew"))
    return _again(session, out)


def retract(session: Session, rest: str) -> Output:
    """Take one entry out, whatever came after it."""
    entry = _entry(session, rest)
    if entry.auto:
        raise Unclear(f"entry {rest} came by itself; retract the order before it, or go back to it")
    out: Output = [note(f"taken back: {telling.headline(int(rest), entry.order, session.label).text.strip()}")]
    return [*out, *changed(session, lambda: session.fight.drop(entry.id))]


def reaim(session: Session, rest: str) -> Output:
    """Give an order another target; its dice stay as they fell."""
    words = split(rest)
    if len(words) < 2:
        raise Unclear("reaim which entry at whom? for example: reaim 12 guard 2")
    entry = _entry(session, words[0])
    if not hasattr(entry.order, "target"):
        raise Unclear(f"entry {words[0]} has no target")
    people = [(f.id, (session.label(f.id), f.id)) for f in session.fight.state.fighters]
    target, _ = take(words[1:], people, "combatant", numbered=False)
    order = msgspec.structs.replace(entry.order, target=target)
    return changed(session, lambda: session.fight.revise(entry.id, order=order))


def overrule(session: Session, rest: str) -> Output:
    """Other faces for a roll of an entry, named when there are several."""
    words = split(rest.replace(",", " "))
    if len(words) < 2:
        raise Unclear("overrule which roll with which dice? for example: overrule 12 attack 6 3 4 4")
    entry = _entry(session, words[0])
    rolls = [event for event in entry.events if isinstance(event, Rolled)]
    named = [word for word in words[1:] if not word.isdigit()]
    dice = [whole(word, "die") for word in words[1:] if word.isdigit()]
    fits = [roll for roll in rolls if not named or pieces(" ".join(named)) == pieces(roll.why)[: len(pieces(" ".join(named)))]]
    names = ", ".join(f"{roll.why} {roll.pool} ({' '.join(map(str, roll.faces))})" for roll in rolls)
    if len(fits) != 1:
        raise Unclear(f"which roll of entry {words[0]}? it has {names or 'none'}")
    pool = pool_of(session.fight, entry, fits[0].n)
    if (missing := check(pool, dice)) is not None:
        raise Unclear(f"{pool} needs more than {len(dice)} dice here: next comes {missing}")
    return changed(session, lambda: session.fight.revise(entry.id, answers={fits[0].n: tuple(dice)}))


class _Probe(Replay):
    """Recorded answers, and the pools that they were for."""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry.answers)
        self.pools: dict[int, Any] = {}

    def faces(self, n: int, request: Roll) -> Any:
        self.pools[n] = request.pool
        return super().faces(n, request)


def pool_of(fight: Encounter, entry: Entry, n: int) -> Any:
    """The pool of a roll: the order is run once more to see it. Raises BadAnswer when there is no such roll."""
    index = fight.entries.index(entry)
    probe = _Probe(entry)
    scene = Recorder(fight.entries[index - 1].state if index else fight.start, probe)
    if not isinstance(entry.order, referee.RefereeOrder):
        fight.ruleset.perform(scene, entry.order)
    if n not in probe.pools:
        raise BadAnswer("that was no roll")
    return probe.pools[n]


# ---- who decides, who throws


def dice(session: Session, rest: str) -> Output:
    """Typed or virtual dice, for all or for somebody."""
    words = split(rest)
    fight = session.fight
    if not words or words[0] not in ("typed", "virtual"):
        raise Unclear("dice typed, dice virtual, dice typed WHO")
    if len(words) == 1:
        typed: list[str] | None = ["all"] if words[0] == "typed" else None
    else:
        named = agenda.people(fight, words[1:], session.label)
        some = list(named[0]) if named else ["master"] if words[1].startswith("master") else []
        if not some:
            raise Unclear(f"{' '.join(words[1:])!r} is nobody here")
        now = [f.id for f in fight.state.fighters] if fight.typed and "all" in fight.typed else list(fight.typed or ())
        typed = sorted({*now, *some} if words[0] == "typed" else {*now} - {*some}) or None
    fight.throw_by_hand(typed)
    who = "all" if typed == ["all"] else ", ".join(map(session.label, typed or ())) or "nobody"
    session.tape.skip()
    return [note(f"dice thrown by hand: {who}"), *session.go_on()]


def ask(session: Session, rest: str) -> Output:
    """Ask again what has been answered with `always`."""
    usual = session.fight.memo.get("usual", [])
    if not usual:
        return [note("nothing is answered by itself; at a question, always answers it so from then on")]
    session.fight.remember(usual=[])
    return [note(f"asked again: {', '.join(f'{session.label(who)} ({what})' for who, what in usual)}")]


def auto(session: Session, rest: str) -> Output:
    """A policy for a side or for somebody."""
    words = split(rest)
    fight = session.fight
    known = fight.ruleset.policies
    if not words:
        raise Unclear(f"auto WHO [POLICY]; policies: {', '.join(known)}")
    side, left = _side(session, words)
    name = left[0] if left else next((one for one in FIRST_POLICY if one in known), next(iter(known)))
    if name not in known:
        near = nearest(name, known)
        raise Unclear(f"there is no policy {name!r}" + (f"; did you mean {near!r}?" if near else f" ({', '.join(known)})"))
    names = {who: policy.name for who, policy in fight.policies.items()} | {side: name}
    fight.remember(policies=names)
    fight.policies[side] = known[name]
    return [note(f"{session.label(side)}: the policy {name} decides"), *session.go_on()]


def people(session: Session, rest: str) -> Output:
    """A person again."""
    side, _ = _side(session, split(rest))
    fight = session.fight
    if side not in fight.policies:
        raise Unclear(f"no policy plays {session.label(side)}" + (f" ({', '.join(fight.policies)})" if fight.policies else ""))
    names = {who: policy.name for who, policy in fight.policies.items() if who != side}
    fight.remember(policies=names)
    del fight.policies[side]
    session.show_again()
    return [note(f"{session.label(side)}: people decide"), *session.go_on()]


def _side(session: Session, words: list[str]) -> tuple[str, list[str]]:
    """A side or one combatant, and the words that follow. Raises Unclear."""
    fighters = session.fight.state.fighters
    sides = list(dict.fromkeys(f.side for f in fighters))
    choices = [(side, (side,)) for side in sides] + [(f.id, (session.label(f.id), f.id)) for f in fighters]
    found, used = take(words, choices, "side or combatant", numbered=False)
    return found, words[used:]
