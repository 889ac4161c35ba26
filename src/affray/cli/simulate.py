"""`affray simulate`: the same fight many times over, by policies."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from affray.simulate.report import Report

ROUNDS = 200
FIGHTS, AT_MOST = 1000, 1_000_000
"""How many fights without and with --until."""
CSV = {"side": "side,fights,win,low,high,lost_mean,dead_mean", "combatant": "combatant,side", "round": "round,fights"}


@click.command("simulate")
@click.argument("file", type=click.Path())
@click.option("--fights", type=click.IntRange(1, 100_000_000), help=f"How many; {FIGHTS}, or {AT_MOST:,} with --until.")
@click.option(
    "--until", metavar="PERCENT", help="Stop when every side's chance is known this well (as 0.5%), at --fights at the latest."
)
@click.option("--seed", type=click.IntRange(0, 2**40), help="Seed of the dice; the file's, else 0.")
@click.option("--with", "fixed", multiple=True, metavar="PATH=VALUE", help="Something changed, as thug.count=3.")
@click.option("--policy", "policies", multiple=True, metavar="SIDE=NAME", help="Who plays a side (or one combatant).")
@click.option("--rounds", type=click.IntRange(1, 10_000), default=ROUNDS, show_default=True, help="Then a fight is undecided.")
@click.option("--live", is_flag=True, help="Whole fights even where tables would do.")
@click.option("--each", is_flag=True, help="Every combatant by itself, also where there are many of a kind.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated values.")
@click.option("--per", type=click.Choice(list(CSV)), help="What a line of --csv is about; side.")
@click.option("--plot", type=click.Path(dir_okay=False), help="Write charts to this .png, .svg or .pdf.")
def command(
    file: str,
    fights: int | None,
    until: str | None,
    seed: int | None,
    fixed: tuple[str, ...],
    policies: tuple[str, ...],
    rounds: int,
    live: bool,
    each: bool,
    as_json: bool,
    as_csv: bool,
    per: str | None,
    plot: str | None,
) -> None:
    """How does the fight in FILE end? Plays it many times; the same seed gives the same numbers.

    Where nobody has to move and the policies are simple, fights run in tables of exact outcomes; otherwise whole fights are
    played on all cores, and the report says so. Ctrl-C prints what there is.
    """
    from affray.cli.counting import count, once, one_form, percentage, picture, settings
    from affray.cli.fight import chosen_policies
    from affray.formats.vary import Base
    from affray.simulate.run import Fights
    from affray.simulate.tally import Tally
    from affray.simulate.workers import Workers

    one_form(as_json, as_csv)
    if per is not None and not as_csv:
        raise click.UsageError(f"--per {per} says what a line of --csv is about; ask for --csv too, or leave it out.")
    if each and (as_json or as_csv):
        raise click.UsageError(f"--each is for the report in words; leave it out with {'--json' if as_json else '--csv'}.")
    changes = settings(fixed)
    once((("--with", path) for path, _ in changes), policies)
    fight = Base.load(file).varied(changes, "--with")
    within = percentage(until, "--until") if until is not None else 0.0
    picture(plot)
    _, names = chosen_policies(fight, policies)
    seed = fight.seed if seed is None else seed
    fights = fights or (AT_MOST if within else FIGHTS)
    with Workers() as workers:
        source = Fights(fight.ruleset, fight.state, names, rounds, live, workers)
        tally = Tally(source.roster)
        stop = count(source.run(seed, fights), tally, fights, within)
    report = tally.report(seed, source.how, source.cpu_seconds, source.endless)
    if plot is not None and report.fights:
        from affray.simulate.charts import simulation

        simulation(report, fight.title, plot)
    if as_json:
        click.echo(json.dumps(report.plain() | {"title": fight.title, "interrupted": stop == "interrupted"}, ensure_ascii=False))
    elif as_csv:
        _csv(report, per or "side")
    else:
        from affray.cli.simulated import told

        told(report, fight.title, each, stopped=_why(stop, within, fights, report.fights))
        if plot is not None and report.fights:
            click.echo(f"chart: {plot}")
    sys.exit(1 if stop == "interrupted" else 0)


def _why(stop: str, within: float, fights: int, done: int) -> str:
    """Why the fights ended where they did; '' when it is the number that was asked for."""
    from affray.cli.counting import fights_told

    if stop == "interrupted":
        return "Interrupted: this is what there is so far." if done else "Interrupted before a single fight was over."
    if stop == "hopeless":
        return "Stopped: not one of these fights came to an end."
    if within:
        wanted = f"±{100 * within:g} %"
        if stop == "known":
            return f"Known to {wanted} or better."
        return f"Not known to {wanted} yet after {fights_told(fights)}; --fights allows more."
    return ""


def _csv(report: Report, per: str) -> None:
    from affray.cli.counting import csv_text

    head, lines = CSV[per].split(","), list[tuple[Any, ...]](report.rounds)
    if per == "side":
        lines = []
        for s in report.sides:
            shares = (s.win.share, s.win.low, s.win.high, s.mean(), s.mean(dead=True))
            lines.append((s.name, report.fights, *(f"{share:.6f}" for share in shares)))
    elif per == "combatant":
        used = list(dict.fromkeys(u.name for one in report.combatants for u in one.used))
        head += [*(fate for fate, _ in report.combatants[0].fates), "puts_out", "harm", *used]
        lines = []
        for one in report.combatants:
            means = {u.name: f"{u.mean:.4f}" for u in one.used}
            fates = [f"{share:.6f}" for _, share in one.fates]
            done = [f"{one.downed:.4f}", f"{one.harm:.4f}"]
            lines.append((one.id, one.side, *fates, *done, *(means.get(name, "") for name in used)))
    click.echo(csv_text(head, lines), nl=False)
