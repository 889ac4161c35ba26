"""`affray simulate`: the same fight many times over, by policies."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from affray.simulate.report import Batch, Report, Tally

ROUNDS = 200


@click.command("simulate")
@click.argument("file", type=click.Path())
@click.option("--fights", type=click.IntRange(1, 100_000_000), default=1000, show_default=True, help="How many.")
@click.option(
    "--until", metavar="PERCENT", help="Stop when every side's chance is known this well (as 0.5%), at --fights at the latest."
)
@click.option("--seed", type=click.IntRange(0, 2**40), help="Seed of the dice; the file's, else 0.")
@click.option("--policy", "policies", multiple=True, metavar="SIDE=NAME", help="Who plays a side (or one combatant).")
@click.option("--rounds", type=click.IntRange(1, 10_000), default=ROUNDS, show_default=True, help="Then a fight is undecided.")
@click.option("--live", is_flag=True, help="Whole fights even where tables would do.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="One line a side.")
def command(
    file: str,
    fights: int,
    until: str | None,
    seed: int | None,
    policies: tuple[str, ...],
    rounds: int,
    live: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """How does the fight in FILE end? Plays it many times; the same seed gives the same numbers.

    Where nobody has to move and the policies are simple, fights run in tables of exact outcomes; otherwise whole fights are
    played on all cores, and the report says so. Ctrl-C prints what there is.
    """
    from affray.cli.fight import chosen_policies
    from affray.formats.encounter import load_fight
    from affray.simulate.report import Tally
    from affray.simulate.run import Fights
    from affray.simulate.workers import Workers

    fight = load_fight(file)
    wanted = _percent(until)
    _, names = chosen_policies(fight, policies)
    seed = fight.seed if seed is None else seed
    tally = Tally(tuple((f.id, f.side) for f in fight.state.fighters))
    with Workers() as workers:
        source = Fights(fight.ruleset, fight.state, names, rounds, live, workers)
        stopped = _count(source.run(seed, fights), tally, fights, wanted)
    report = tally.report(seed, source.how, source.cpu_seconds)
    if as_json:
        click.echo(json.dumps(report.plain() | {"interrupted": stopped}, ensure_ascii=False))
    elif as_csv:
        click.echo("side,fights,win,low,high")
        for name, share in report.sides:
            click.echo(f'"{name}",{report.fights},{share.share:.6f},{share.low:.6f},{share.high:.6f}')
    else:
        click.echo("\n".join(_told(report, fight.title, stopped)))
    sys.exit(1 if stopped else 0)


def _percent(text: str | None) -> float:
    from affray.errors import BadAnswer

    if text is None:
        return 0.0
    try:
        value = float(text.strip().rstrip("%")) / 100
    except ValueError:
        value = 0.0
    if not 0 < value < 0.5:
        raise BadAnswer(f"--until {text!r}: expected a percentage such as 0.5%")
    return value


def _count(source: Iterator[Batch], tally: Tally, fights: int, wanted: float) -> bool:
    """Take fights from the source until there are enough; True if somebody broke in. Progress goes to the error stream."""
    shown = time.monotonic()
    try:
        for batch in source:
            tally.take(batch)
            if sys.stderr.isatty() and time.monotonic() - shown > 0.5:
                shown = time.monotonic()
                click.echo(f"\r{tally.fights} of {fights} fights", nl=False, err=True)
            if wanted and tally.fights >= 100 and tally.known(wanted):
                break
    except KeyboardInterrupt:
        return True
    finally:
        if sys.stderr.isatty():
            click.echo("\r" + " " * 40 + "\r", nl=False, err=True)
    return False


def _told(report: Report, title: str, stopped: bool) -> Iterator[str]:
    yield f"{title}: {report.fights} fights, seed {report.seed}" + (" (interrupted)" if stopped else "")
    yield f"  ({report.how}; {report.cpu_seconds:.1f} s of processor time)"
    yield ""
    width = max([len(name) for name, _ in report.sides] + [9])
    for name, share in [*report.sides, ("nobody", report.nobody), ("undecided", report.undecided)]:
        if share.count or name not in ("nobody", "undecided"):
            bar = "▮" * round(share.share * 30)
            yield f"  {name:<{width}} {100 * share.share:6.2f} %  ({100 * share.low:.2f} to {100 * share.high:.2f})  {bar}"
    yield (
        f"  rounds: {report.mean_rounds:.1f} in the mean, {report.rounds[0][0]} to {report.rounds[-1][0]}"
        if report.rounds
        else ""
    )
    yield ""
    wide = max(len(fate.id) for fate in report.fates)
    yield f"  {'':<{wide}}  untouched  wounded    out   dead   put out"
    for one in report.fates:
        fates = dict(one.fates)
        yield (
            f"  {one.id:<{wide}}    {100 * fates['untouched']:5.1f} %  {100 * fates['wounded']:5.1f} %"
            f" {100 * fates['out']:4.0f} % {100 * fates['dead']:4.0f} %     {one.downed:.2f}"
        )
