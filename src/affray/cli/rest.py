"""`affray rest`: what comes after a saved fight: minutes and days pass, people are helped, Wounds heal. Logged like a fight."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from affray.encounter import Encounter
    from affray.errors import AffrayError
    from affray.table.session import Session

HOUR, DAY = 60, 24 * 60


@click.command("rest")
@click.argument("what", metavar="FILE|SAVE")
@click.option("--days", type=click.IntRange(0), default=0, help="So many days pass.")
@click.option("--hours", type=click.IntRange(0), default=0, help="So many hours.")
@click.option("--minutes", type=click.IntRange(0), default=0, help="So many minutes.")
@click.option("--disturbed", is_flag=True, help="Nobody gets proper rest in that time.")
@click.option("--next", "until_next", is_flag=True, help="Until the next thing is due.")
@click.option("--healed", is_flag=True, help="Until nothing is due any more.")
@click.option("--do", "orders", multiple=True, metavar="LINE", help="First an order as at the table, such as 'Ash treat Bo'.")
@click.option("--saves", type=click.Path(), default="saves", envvar="AFFRAY_SAVES", show_default=True, help="Folder of saves.")
@click.option("--json", "as_json", is_flag=True, help="How things stand, as one JSON object.")
def command(
    what: str,
    days: int,
    hours: int,
    minutes: int,
    disturbed: bool,
    until_next: bool,
    healed: bool,
    orders: tuple[str, ...],
    saves: str,
    as_json: bool,
) -> None:
    """Let time pass after the fight saved in FILE, or under the name SAVE.

    Without options: how everybody is and what time will bring. The fight has to be over.
    """
    from affray.store import jsonl
    from affray.store.folder import find

    if not all(line.strip() for line in orders):
        raise click.UsageError("--do: the line is empty; write an order as at the table, such as 'Ash treat Bo'.")
    spans = [name for name, on in (("--days/--hours/--minutes", days or hours or minutes), ("--next", until_next)) if on]
    if healed and spans:
        raise click.UsageError(f"--healed goes on until nothing is due any more; leave out {' and '.join(spans)}.")
    if len(spans) > 1:
        raise click.UsageError("--next goes as far as something is due; leave out --days/--hours/--minutes.")
    if disturbed and not spans and not healed:
        raise click.UsageError("--disturbed would be ignored: say how long, with --days, --hours, --minutes, --next or --healed.")
    path = Path(what)
    path = path if path.is_file() else find(Path(saves), what)
    fight = jsonl.load(path)
    try:
        code = _rested(fight, path, what, orders, days * DAY + hours * HOUR + minutes, disturbed, until_next, healed, as_json)
    finally:
        fight.journal.close()  # type: ignore[union-attr]
    sys.exit(code)


def _rested(
    fight: Encounter,
    path: Path,
    what: str,
    orders: tuple[str, ...],
    stated: int,
    disturbed: bool,
    until_next: bool,
    healed: bool,
    as_json: bool,
) -> int:
    """Give the orders, let the time pass, tell it. Returns the exit code."""
    from affray.store import jsonl
    from affray.table import resting
    from affray.table.session import Session

    session = Session(fight, str(jsonl.read(path)[0].get("title", "")), what)
    session.tape.skip()
    told = _silent if as_json else _print
    if fight.open and not orders and (stated or until_next or healed):
        who = session.label(fight.open.requests[0].request.by)
        click.echo(f"{who} is asked something first; go on at the table: affray play {path}", err=True)
        return 2
    code = 0
    for line in orders:
        said = session.take(line)
        if session.wrong is not None:
            code = _code(session.wrong)
            click.echo(f"--do {line!r}: {session.wrong}", err=True)
            break
        told(said)
        if session.draft is not None:
            wanted = session.draft.wanted()
            lacks = f"; it lacks: {wanted.text or wanted.name}" if wanted else ""
            click.echo(f"--do {line!r}: write the whole order{lacks}", err=True)
            return 2
    if code == 2:
        return code
    spans = resting.spans(fight, stated, until_next, healed) if not code else iter(())
    for span in spans:
        fight.order(resting.order(fight, span, disturbed))
        told(session.tape.news(session.label))
        if fight.open:
            break
    if as_json:
        click.echo(json.dumps(_standing(fight), ensure_ascii=False))
    else:
        _print_end(session, path)
    return code


def _code(wrong: AffrayError) -> int:
    """2 for a line that is no order at all, 1 for one that the rules refuse."""
    from affray.errors import IllegalOrder

    return 1 if isinstance(wrong, IllegalOrder) and wrong.refusal.rule else 2


def _silent(lines: Any) -> None:
    """Nothing is told before the JSON object."""


def _print(lines: Any) -> None:
    from affray.table import layout

    for line in layout.plain(lines):
        click.echo(line)


def _print_end(session: Session, path: Path) -> None:
    from affray.render import text
    from affray.table import questions
    from affray.table.resting import span

    fight = session.fight
    if fight.open:
        _print(questions.asked(fight.open.requests[0], session.label, fight.ruleset, fight.state.rulings))
        click.echo(f"go on at the table: affray play {path}")
        return
    click.echo("")
    for line in text.standing(fight.ruleset, fight.start, fight.state):
        click.echo(f"  {line}")
    due = fight.ruleset.due(fight.state)
    if due:
        click.echo("time will bring:")
    for one in due:
        click.echo(f"  {span(one.minutes):<16} {session.label(one.who)}: {one.what}" + (f" [{one.rule}]" if one.rule else ""))


def _standing(fight: Encounter) -> dict[str, Any]:
    import msgspec

    view = fight.ruleset.view(fight.state, "master")
    asked = [msgspec.to_builtins(one.request.why) for one in fight.open.requests] if fight.open else []
    return {
        "ruleset": fight.ruleset.name,
        "entries": len(fight.entries),
        "fighters": msgspec.to_builtins(view.get("fighters", [])),
        "due": [msgspec.to_builtins(one) for one in fight.ruleset.due(fight.state)],
        "asked": asked,
    }
