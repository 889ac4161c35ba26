"""The table's own commands, all in one place: what they are called, how they are written, what they do.

A verb of the ruleset with the same name is reached with `do`: `do help kess`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from affray.table import corrections, history, info
from affray.table.lines import Line, bad, note
from affray.table.words import split

if TYPE_CHECKING:
    from affray.table.session import Output, Session


@dataclass(frozen=True, slots=True)
class TableCommand:
    """A command: names (the first is shown), how it is written, what it does, and the heading it stands under."""

    names: tuple[str, ...]
    usage: str
    text: str
    head: str
    run: Callable[[Session, str], Output]


LOOK, EXPLAIN, HISTORY, REFEREE, TABLE = "Look", "Explain", "Take back", "Correct", "Table"


def help_(session: Session, rest: str) -> Output:
    """What can be typed."""
    if rest:
        return _help_on(session, rest)
    out: Output = [Line("What can be typed (numbers, names, and any beginning that is unique will do):", "head")]
    out.append(Line("  ACTION options    an order of the one who is up: attack kess, move 5,3, dodge full", "", 20))
    out.append(Line("  WHO ACTION ...    for somebody else who may act, a group or a side: guards attack kess", "", 20))
    out.append(Line("  A; B; C           one after another: declare 2; attack orc; dodge", "", 20))
    out.append(Line("  Enter             ends a turn in which nothing is left; at a question: what stands in [ ]", "", 20))
    out.append(Line("  rest, always      at a question: as Enter, for all of its kind now; from now on", "", 20))
    for head in (LOOK, EXPLAIN, HISTORY, REFEREE, TABLE):
        names = [command.usage for command in COMMANDS if command.head == head]
        out.append(Line(f"  {head + ':':<18}{' · '.join(names)}", "", 20))
    return [*out, Line("help WORD tells more about one of them.", "note", 2)]


def _help_on(session: Session, rest: str) -> Output:
    word = rest.split()[0].lower()
    found: Output = [Line(f"  {c.usage:<28} {c.text}", "", 31) for c in COMMANDS if word in c.names]
    for offer in session.offers():
        if offer.verb.startswith(word):
            found += info.action(session, offer)
    near: Output = [Line(f"  {c.usage:<28} {c.text}", "", 31) for c in COMMANDS if word in c.text.lower().split()]
    return found or near or [bad(f"{word!r} is no command and no action here")]


def do(session: Session, rest: str) -> Output:
    """An order whose verb a command of the table hides."""
    who = session.actor()
    return session.start(who, split(rest)) if who else [bad("nobody can act now")]


def quit_(session: Session, rest: str) -> Output:
    """Leave; everything is on the disk already."""
    session.closed = True
    where = f"; go on with: affray play {session.name}" if session.name else ""
    return [note(f"saved{where}")]


def cancel(session: Session, rest: str) -> Output:
    """Drop an order that is being put together."""
    if session.draft is None:
        return [note("there is nothing to cancel; undo takes a decision back")]
    session.draft = None
    return [note("dropped; nothing has happened")]


COMMANDS = (
    TableCommand(("look", "l"), "look", "the whole screen again", LOOK, info.look),
    TableCommand(("refused",), "refused", "actions that are not possible now, and why", LOOK, info.refused),
    TableCommand(("sheet", "who"), "sheet WHO", "everything about somebody, numbers and state", LOOK, info.sheet),
    TableCommand(("numbers",), "numbers [WHO]", "derived numbers and what they are made of", LOOK, info.numbers),
    TableCommand(("map", "distances"), "map [ACTION]", "where everybody is; or what an area covers", LOOK, info.places),
    TableCommand(("log",), "log [N [M]]", "the last entries in a line each; one, or N to M, in full", LOOK, info.log),
    TableCommand(("secrets",), "secrets", "secret rolls of the last entries, for the game master", LOOK, info.secrets),
    TableCommand(("help", "h", "?"), "help [WORD]", "what can be typed; more about one command or action", EXPLAIN, help_),
    TableCommand(("why",), "why NUMBER", "open a number into its parts: why 5D, why 11, why kess dodge", EXPLAIN, info.why),
    TableCommand(("rule",), "rule ID", "a rule in words; or search: rule cover", EXPLAIN, info.rule),
    TableCommand(("odds",), "odds [ACTION]", "exact odds of an action, or of what is being asked", EXPLAIN, info.odds),
    TableCommand(("undo", "u"), "undo [N]", "take back the last decision, or N of them", HISTORY, history.undo),
    TableCommand(("redo",), "redo [N|all]", "return what was taken back", HISTORY, history.redo),
    TableCommand(("back",), "back N", "back to entry N: everything after it is taken back", HISTORY, history.back),
    TableCommand(("retract",), "retract N", "take back entry N alone; what followed is played again", HISTORY, history.retract),
    TableCommand(("reaim",), "reaim N WHO", "give the order of entry N another target", HISTORY, history.reaim),
    TableCommand(("overrule",), "overrule N [ROLL] DICE", "other dice for a roll of entry N", HISTORY, history.overrule),
    TableCommand(("wounds",), "wounds WHO N", "set wounds (+1, -1 change them)", REFEREE, corrections.wounds),
    TableCommand(("condition",), "condition WHO NAME [N turns]", "give one; -NAME ends it", REFEREE, corrections.condition),
    TableCommand(("points",), "points WHO KIND N", "set Character or Fate Points", REFEREE, corrections.points),
    TableCommand(("ammo",), "ammo WHO WEAPON N", "set the rounds left", REFEREE, corrections.ammo),
    TableCommand(("place", "distance"), "place WHO X,Y | distance A B N", "put somebody elsewhere", REFEREE, corrections.place),
    TableCommand(("initiative",), "initiative WHO N", "set the initiative", REFEREE, corrections.initiative),
    TableCommand(("rename",), "rename WHO NAME", "another name", REFEREE, corrections.rename),
    TableCommand(("side",), "side WHO SIDE", "change sides", REFEREE, corrections.side),
    TableCommand(("add",), "add [N] TEMPLATE|FILE [as NAME] [side S] [at X,Y]", "a late arrival", REFEREE, corrections.add),
    TableCommand(("remove",), "remove WHO", "take somebody out", REFEREE, corrections.remove),
    TableCommand(("set",), "set WHO FIELD VALUE", "set any field; set scene FIELD VALUE", REFEREE, corrections.set_),
    TableCommand(("ruling",), "ruling [KEY VALUE]", "play a rule the other way from now on", REFEREE, corrections.ruling),
    TableCommand(("say", "judge"), "say WORDS", "a judgement or remark for the log", REFEREE, corrections.say),
    TableCommand(("before",), "before N CORRECTION", "make a correction before entry N", REFEREE, corrections.before),
    TableCommand(("dice",), "dice typed|virtual [WHO]", "whose dice are thrown by hand", TABLE, history.dice),
    TableCommand(("auto",), "auto WHO [POLICY]", "let a policy play a side or somebody", TABLE, history.auto),
    TableCommand(("people",), "people WHO", "a person plays them again", TABLE, history.people),
    TableCommand(("ask",), "ask", "ask again what was answered with always", TABLE, history.ask),
    TableCommand(("do",), "do ACTION", "an action whose name is a command here", TABLE, do),
    TableCommand(("cancel",), "cancel", "drop the order that is being put together", TABLE, cancel),
    TableCommand(("quit", "exit", "q"), "quit", "leave; everything is saved already", TABLE, quit_),
)


def find(text: str) -> TableCommand | None:
    """The command that a line begins with. With '/' before it, the beginning of a name will do."""
    word = text.partition(" ")[0].lower()
    if word.startswith("/"):
        begun = [command for command in COMMANDS if any(name.startswith(word[1:]) for name in command.names)]
        return begun[0] if word[1:] and begun else None
    return next((command for command in COMMANDS if word in command.names), None)
