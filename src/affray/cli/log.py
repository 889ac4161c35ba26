"""`affray log`: prints a saved fight, shows how things stood, or runs every entry again and compares."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from affray.cli.counting import Within, picture, useless

if TYPE_CHECKING:
    from affray.encounter import Encounter


@click.command("log")
@click.argument("file", type=click.Path())
@click.option("--at", "at", type=click.IntRange(0), metavar="N", help="Only up to entry N, and how things stood then.")
@click.option("--verify", is_flag=True, help="Run every entry again from its answers and compare the events.")
@click.option("--json", "as_json", is_flag=True, help="As JSON, one entry a line.")
@click.option("--markdown", is_flag=True, help="As Markdown, to keep or to print.")
@click.option("--forecast", "foretold", is_flag=True, help="Who was winning after each order, and what moved it most.")
@click.option("--seconds", type=Within(0.1, 3600), default=20.0, show_default=True, help="Time for --forecast.")
@click.option("--policy", "policies", multiple=True, metavar="SIDE=NAME", help="Who plays on in the forecast.")
@click.option("--plot", type=click.Path(), default="", help="The forecast as a picture (.png, .svg, .pdf).")
def command(
    file: str,
    at: int | None,
    verify: bool,
    as_json: bool,
    markdown: bool,
    foretold: bool,
    seconds: float,
    policies: tuple[str, ...],
    plot: str,
) -> None:
    """Print the fight saved in FILE. Exit code 1 when --verify finds a difference.

    The forecast sees everything, hidden combatants too: it is for the game master, or for afterwards.
    """
    from affray.errors import DataError, Problem
    from affray.store.jsonl import look, read

    if as_json and markdown:
        raise click.UsageError("--json and --markdown are two forms of one answer; ask for one of them.")
    if verify:
        others = ("at", "markdown", "foretold", "seconds", "policies", "plot")
        useless(others, "--verify runs all entries again and compares them.")
    if not foretold and not plot:
        useless(("seconds", "policies"), "they are about the forecast; ask for --forecast too.")
    elif markdown:
        raise click.UsageError("--markdown prints the log; leave it out with --forecast.")
    picture(plot or None)
    encounter = look(_file(file))
    if at is not None and at > len(encounter.entries):
        raise DataError([Problem(f"has {len(encounter.entries)} entries; there is no entry {at}", file)])
    if verify:
        sys.exit(_verified(encounter, as_json))
    entries = encounter.entries if at is None else encounter.entries[:at]
    if foretold or plot:
        from affray.cli.foretold import show

        del encounter.entries[len(entries) :]
        show(encounter, policies, seconds, plot, as_json)
        return
    if as_json:
        _print_json(entries)
        return
    if markdown:
        from affray.render.report import report

        click.echo("\n".join(report(encounter, entries, str(read(Path(file))[0].get("title", "")))))
        return
    for line in _told(encounter, entries):
        click.echo(line)
    if at is not None:
        _standing(encounter, at)


def _file(file: str) -> Path:
    from affray.errors import DataError, Problem
    from affray.formats.toml import like

    path = Path(file)
    if not path.is_file():
        if path.is_dir():
            raise DataError([Problem("this is a directory; a saved fight is a file", file)])
        raise DataError([Problem("no such file", file, nearest=like(path))])
    return path


def _told(encounter: Encounter, entries: list[Any]) -> Iterator[str]:
    from affray.render import text

    now = -1
    for number, entry in enumerate(entries, 1):
        if entry.state.round != now:
            now = entry.state.round
            yield f"── round {now} ──"
        yield f"{number:>4}  {f'({entry.order.verb})' if entry.auto else text.ordered(entry.order)}"
        yield from (f"        {line}" for line in text.lines(entry.events, encounter.ruleset.texts))
    if encounter.open and len(entries) == len(encounter.entries):
        yield "open:"
        yield from (f"        {text.question(one)}" for one in encounter.open.requests)


def _standing(encounter: Encounter, at: int) -> None:
    from affray.render import text

    state = encounter.entries[at - 1].state if at else encounter.start
    click.echo(f"\nafter entry {at}, round {state.round}:")
    for line in text.standing(encounter.ruleset, encounter.start, state):
        click.echo(f"  {line}")


def _print_json(entries: list[Any]) -> None:
    import msgspec

    for number, entry in enumerate(entries, 1):
        plain = msgspec.to_builtins(
            {"n": number, "id": entry.id, "auto": entry.auto, "order": entry.order, "events": entry.events}
        )
        click.echo(json.dumps(plain, ensure_ascii=False))


def _verified(encounter: Encounter, as_json: bool) -> int:
    wrong = list(differences(encounter))
    count = len(encounter.entries)
    if as_json:
        click.echo(json.dumps({"entries": count, "same": not wrong, "differences": wrong}, ensure_ascii=False))
    else:
        for one in wrong:
            click.echo(f"entry {one['n']} ({one['order']}): {one['what']}")
        click.echo(f"{count} entries run again: " + ("all the same" if not wrong else f"{len(wrong)} differ"))
    return 1 if wrong else 0


def differences(encounter: Encounter) -> Iterator[dict[str, Any]]:
    """Entries that no longer give the same events when they are run again from their answers."""
    from affray import referee
    from affray.ask import Pending
    from affray.errors import AffrayError
    from affray.interpreters.replay import Replay
    from affray.scene import Recorder

    before = encounter.start
    for number, entry in enumerate(encounter.entries, 1):
        replay = Replay(entry.answers)
        scene = Recorder(before, replay)
        told = ""
        try:
            if isinstance(entry.order, referee.RefereeOrder):
                referee.perform(scene, encounter.ruleset, entry.order)
            else:
                encounter.ruleset.perform(scene, entry.order)
            if replay.leftover():
                told = "asks for fewer answers than it has"
        except Pending as pending:
            told = f"asks for more: {pending}"
        except AffrayError as error:
            told = str(error)
        if not told and tuple(scene.events) != entry.events:
            told = _first_difference(entry.events, tuple(scene.events))
        if told:
            yield {"n": number, "order": f"{entry.order.by}: {entry.order.verb}", "what": told}
        before = entry.state


def _first_difference(saved: tuple[Any, ...], now: tuple[Any, ...]) -> str:
    for number, (old, new) in enumerate(zip(saved, now, strict=False), 1):
        if old != new:
            return f"event {number} was {old}, is {new}"
    return f"had {len(saved)} events, has {len(now)}"
