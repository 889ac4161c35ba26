"""`affray play`: a table at one terminal. Reads lines from a person, a pipe or a script; everything is saved as it happens."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from affray.encounter import Encounter
    from affray.table.session import Session


@click.command("play")
@click.argument("what", required=False, metavar="[FILE|SAVE]")
@click.option("--saves", type=click.Path(), default="saves", envvar="AFFRAY_SAVES", show_default=True, help="Folder of saves.")
@click.option("--list", "only_list", is_flag=True, help="List the saved fights.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Seed of the virtual dice; the file's, else 0.")
@click.option("--dice", default="virtual", metavar="virtual|typed[=NAMES]", show_default=True, help="Whose dice are typed in.")
@click.option("--auto", "--policy", "auto", multiple=True, metavar="SIDE[=POLICY]", help="Who is played by the computer.")
@click.option("--people", is_flag=True, help="People play everybody, whatever policies the file names.")
@click.option("--secrets", is_flag=True, help="Show secret rolls at once (nobody else looks at this screen).")
@click.option("--plain", is_flag=True, help="Plain lines without colours or columns, as for a screen reader.")
@click.option("--strict", is_flag=True, help="For scripts: stop at the first line that is refused, with exit code 1.")
def command(
    what: str | None,
    saves: str,
    only_list: bool,
    seed: int | None,
    dice: str,
    auto: tuple[str, ...],
    people: bool,
    secrets: bool,
    plain: bool,
    strict: bool,
) -> None:
    """Run a fight at this terminal: begin the one in FILE, or go on with a SAVE.

    Without an argument: the list of saved fights. Type help at the table for what can be typed there.
    """
    from affray.cli.counting import useless

    folder = Path(saves)
    if what is None or only_list:
        ignored = ("seed", "dice", "auto", "people", "secrets", "plain", "strict")
        useless((*ignored, "what") if only_list else ignored, "the saved fights are listed; name a FILE or a SAVE to play.")
        for line in listing(folder):
            click.echo(line)
        return
    path = Path(what)
    if path.suffix == ".toml" or (path.is_file() and path.suffix != ".jsonl"):
        fight, save, title = begun(path, folder, seed, dice, auto, people)
    else:
        useless(("seed", "dice", "auto", "people"), "a saved fight goes on as it was; change it at the table.")
        fight, save, title = resumed(path, folder, what)
    from affray.table.session import Session

    session = Session(fight, title, _called(save, folder), secrets)
    sys.exit(run(session, plain, strict))


def _called(save: Path, folder: Path) -> str:
    """How the save is named on the command line."""
    return save.name.removesuffix(".jsonl") if save.parent == folder else str(save)


def listing(folder: Path) -> Iterable[str]:
    """Saved fights, the last one first."""
    from datetime import datetime

    from affray.store.folder import saves

    found = saves(folder)
    if not found:
        yield f"no saved fights in {folder}; begin one with: affray play FILE.toml"
        return
    width = max(len(save.name) for save in found)
    for save in found:
        when = datetime.fromtimestamp(save.changed).strftime("%Y-%m-%d %H:%M")
        if save.wrong:
            yield f"{save.name:<{width}}  {when}  cannot be read: {save.wrong}"
            continue
        state = "over" if save.over else f"waits for {save.waiting}" if save.waiting else "open"
        yield f"{save.name:<{width}}  {when}  round {save.round}, {save.entries} entries, {state}  {save.title or save.ruleset}"
    if good := [save for save in found if not save.wrong]:
        yield f"go on with: affray play {good[0].name}"


def begun(
    path: Path, folder: Path, seed: int | None, dice: str, auto: tuple[str, ...], people: bool
) -> tuple[Encounter, Path, str]:
    """A new fight from a file, kept in the folder."""
    from affray.formats.encounter import load_fight
    from affray.store import jsonl
    from affray.store.folder import fresh

    fight = load_fight(path)
    policies = {} if people else dict(fight.policies)
    policies |= _chosen(fight, auto)
    typed = _typed(fight, dice)
    save = fresh(folder, path.stem)
    named = {who: fight.ruleset.policies[name] for who, name in policies.items()}
    opened = jsonl.create(save, fight.ruleset, fight.state, fight.seed if seed is None else seed, named, typed, fight.title)
    if policies:
        opened.remember(policies=policies)
    return opened, save, fight.title


def resumed(path: Path, folder: Path, what: str) -> tuple[Encounter, Path, str]:
    """A saved fight, by path or by name."""
    from affray.store import jsonl
    from affray.store.folder import find

    save = path if path.is_file() else find(folder, what)
    fight = jsonl.load(save)
    return fight, save, str(jsonl.read(save)[0].get("title", ""))


def _chosen(fight: Any, auto: tuple[str, ...]) -> dict[str, str]:
    """Policies named on the command line. Raises DataError with all that is wrong."""
    from affray.errors import DataError, Problem, unknown

    known = tuple(fight.ruleset.policies)
    who = list(dict.fromkeys([*(f.side for f in fight.state.fighters), *(f.id for f in fight.state.fighters)]))
    found: dict[str, str] = {}
    problems: list[Problem] = []
    for one in auto:
        side, _, name = one.partition("=")
        name = name or ("aggressive" if "aggressive" in known else known[0])
        if side not in who:
            problems.append(unknown("side", side, who, key="--auto"))
        elif name not in known:
            problems.append(unknown("policy", name, known, key="--auto"))
        else:
            found[side] = name
    if problems:
        raise DataError(problems)
    return found


def _typed(fight: Any, dice: str) -> list[str] | None:
    """Whose dice are typed: nobody's, all, or those named (combatants, groups, sides, master)."""
    from affray.errors import DataError, Problem, unknown

    kind, _, names = dice.partition("=")
    if kind == "virtual" and not names:
        return None
    if kind != "typed":
        raise DataError([Problem(f"{dice!r}: write virtual, typed, or typed=NAME,NAME", key="--dice")])
    if not names:
        return ["all"]
    found: set[str] = set()
    people = [(f.id, {f.id.lower(), str(getattr(f, "group", "")).lower(), f.side.lower()}) for f in fight.state.fighters]
    for name in (part.strip() for part in names.split(",")):
        some = {who for who, called in people if name.lower() in called} or ({"master"} if name.lower() == "master" else set())
        if not some:
            raise DataError([unknown("combatant", name, [who for who, _ in people], key="--dice")])
        found |= some
    return sorted(found)


# ---- the loop


def run(session: Session, plain: bool, strict: bool) -> int:
    """Lines in, lines out, until somebody leaves. Returns the exit code."""
    screen = sys.stdin.isatty() and sys.stdout.isatty()
    if screen and signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent in the background handed that down
    show = _printer(plain or not screen)
    read = _reader(session) if screen else _echoed
    show(session.begin())
    while not session.closed:
        try:
            line = read(session.prompt())
        except EOFError:
            show(session.take("quit"))
            break
        except KeyboardInterrupt:
            click.echo()
            show(session.take("cancel") if session.draft else session.take("help quit"))
            continue
        show(session.take(line))
        if strict and session.failed:
            return 1
    return 0


def _printer(plain: bool) -> Any:
    """How things are shown."""
    from affray.table import layout

    if not plain:
        from rich.console import Console

        return layout.Printer(Console(highlight=False)).show

    def show(out: Any) -> None:
        for line in layout.plain(out):
            print(line)
        sys.stdout.flush()

    return show


def _echoed(prompt: str) -> str:
    """A line from a pipe, shown behind the prompt, so that what comes out reads like a conversation."""
    line = sys.stdin.readline()
    if not line:
        print(prompt)
        raise EOFError
    line = line.rstrip("\n")
    print(prompt + line, flush=True)
    return line


def _reader(session: Session) -> Any:
    """A line from a terminal, with completion where the machine has it."""
    try:
        import readline
    except ImportError:
        return input
    from affray.table.completion import complete

    found: list[str] = []

    def completer(text: str, number: int) -> str | None:
        nonlocal found
        if number == 0:
            begun = readline.get_line_buffer()[: readline.get_endidx()]
            found = [word + " " for word in complete(session, begun)]
        return found[number] if number < len(found) else None

    readline.set_completer(completer)
    readline.set_completer_delims(" \t\n")
    libedit = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")
    return input
