"""`affray compare`: what does it change? Two fights side by side with the same dice."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from affray.ruleset import Ruleset
    from affray.simulate.compare import Comparison, Difference

TABLES, LIVE, AT_MOST = 10_000, 400, 1_000_000
"""How many pairs by default, and at most with --until."""


@click.command("compare")
@click.argument("first", type=click.Path())
@click.argument("second", type=click.Path(), required=False)
@click.option("--with", "changed", multiple=True, metavar="PATH=VALUE", help="Changed in the second fight, as rulings.KEY=VALUE.")
@click.option("--policy", "policies", multiple=True, metavar="SIDE=NAME", help="Who plays a side in the second fight.")
@click.option("--both", multiple=True, metavar="PATH=VALUE", help="Changed in both.")
@click.option("--fights", type=click.IntRange(2, 100_000_000), help=f"How many pairs; {TABLES:,}, or {LIVE} where played live.")
@click.option("--until", metavar="PERCENT", help="Stop when the difference is known this well (as 0.5%).")
@click.option("--seed", type=click.IntRange(0, 2**40), help="Seed of the dice of both; the first file's, else 0.")
@click.option("--rounds", type=click.IntRange(1, 10_000), default=200, show_default=True, help="Then a fight is undecided.")
@click.option("--live", is_flag=True, help="Whole fights even where tables would do.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="One line a measure.")
def command(
    first: str,
    second: str | None,
    changed: tuple[str, ...],
    policies: tuple[str, ...],
    both: tuple[str, ...],
    fights: int | None,
    until: str | None,
    seed: int | None,
    rounds: int,
    live: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """What is different in SECOND, or in FIRST with something changed?

    Both are played with the same seed and the same numbers of fights, so that most of the chance cancels out; the
    difference is told with its interval.
    """
    from affray.cli.counting import once, one_form, percentage, settings
    from affray.cli.fight import chosen_policies
    from affray.formats.vary import Base
    from affray.simulate.run import Fights
    from affray.simulate.workers import Workers

    if second is None and not changed and not policies:
        raise click.UsageError("Name a second file, or a change: --with PATH=VALUE, --policy SIDE=NAME.")
    one_form(as_json, as_csv)
    within = percentage(until, "--until") if until is not None else 0.0
    always, changes = settings(both, "--both"), settings(changed)
    once([*(("--both", path) for path, _ in always), *(("--with", path) for path, _ in changes)], policies)
    base = Base.load(first)
    one = base.varied(always, "--both")
    other = (base if second is None else Base.load(second)).varied([*always, *changes], "--with")
    names = chosen_policies(one, ())[1], chosen_policies(other, policies)[1]
    seed = one.seed if seed is None else seed
    with Workers() as workers:
        sources = [
            Fights(fight.ruleset, fight.state, who, rounds, live, workers) for fight, who in zip((one, other), names, strict=True)
        ]
        count = fights or (AT_MOST if within else TABLES if all(s.how == "tables" for s in sources) else LIVE)
        found, stopped = _paired(sources, seed, count, within)
    rulesets = one.ruleset, other.ruleset
    labels = Path(first).stem, " ".join(filter(None, [Path(second or first).stem, *changed, *policies]))
    if as_json:
        told = found.plain() | {"first": labels[0], "second": labels[1], "interrupted": stopped}
        told |= {"rulesets": [rules.name for rules in rulesets]}
        click.echo(json.dumps(told, ensure_ascii=False))
    elif as_csv:
        _csv(found)
    else:
        _told(found, labels, rulesets, stopped)
    sys.exit(1 if stopped else 0)


def _paired(sources: list[Any], seed: int, count: int, within: float) -> tuple[Comparison, bool]:
    """The comparison, and whether somebody broke in."""
    from affray.cli.counting import LEAST, Progress
    from affray.simulate.compare import Pairs, paired

    pairs, stopped = Pairs(sources[0].roster, sources[1].roster), False
    with Progress() as progress:
        try:
            for a, b in paired(sources[0], sources[1], seed, count):
                pairs.take(a, b)
                if progress.due():
                    progress.tell(f"{pairs.fights:,} of {count:,} pairs", pairs.fights / count)
                if within and pairs.fights >= LEAST and pairs.known(within):
                    break
        except KeyboardInterrupt:
            stopped = True
    cpu = sum(source.cpu_seconds for source in sources)
    return pairs.result(seed, (sources[0].how, sources[1].how), cpu), stopped


def _rows(found: Comparison) -> list[tuple[str, Difference]]:
    rows = [(f"{one.name} wins", one) for one in found.wins]
    if found.undecided.first or found.undecided.second:
        rows.append(("undecided", found.undecided))
    rows.append(("rounds", found.rounds))
    for title, group in (("lost", found.lost), ("dead", found.dead)):
        rows += [(f"{title} of {one.name}", one) for one in group]
    return [*rows, *((f"{one.name} is lost", one) for one in found.kinds)]


def _told(found: Comparison, labels: tuple[str, str], rulesets: tuple[Ruleset, Ruleset], stopped: bool) -> None:
    from rich.text import Text

    from affray.cli.simulated import console, percent, plain_table, show, ways

    out = console()
    show(out, Text(f"{labels[0]}  against  {labels[1]}", style="bold"))
    if rulesets[0] is not rulesets[1]:
        show(out, Text(f"Two rulesets, {rulesets[0].title} and {rulesets[1].title}: the rules differ too.", style="bold"))
    if not found.fights:
        show(out, "Interrupted before there was anything.")
        return
    line = f"{found.fights:,} pairs of fights, seed {found.seed}{', interrupted' if stopped else ''}, {ways(found.how)}"
    show(out, Text(f"{line}; {found.cpu_seconds:.1f} s of processor time", style="dim"))
    out.print()
    if alike(found):
        show(out, "Every pair of fights was the same: the change made no difference to any of them.")
        return
    table = plain_table("", "first", "second", "difference", "95 % sure", "")
    table.columns[-1].justify = "left"
    for name, one in _rows(found):
        if one.share:
            cells = [percent(one.first), percent(one.second), f"{100 * one.difference:+.1f} %"]
            interval = f"{100 * one.low:+.1f} to {100 * one.high:+.1f}"
        else:
            cells = [f"{one.first:.2f}", f"{one.second:.2f}", f"{one.difference:+.2f}"]
            interval = f"{one.low:+.2f} to {one.high:+.2f}"
        mark = ("more" if one.difference > 0 else "less") if one.clear else "not clear"
        table.add_row(_plainly(name), *cells, interval, Text(mark, style="bold" if one.clear else "dim"))
    show(out, table)
    out.print()
    for line in words(found):
        show(out, Text(line))


def _plainly(name: str) -> str:
    """'Guards lost' for the measure 'lost of Guards'."""
    what, of, whom = name.partition(" of ")
    return f"{whom} {what}" if of and what in ("lost", "dead") else name


def alike(found: Comparison) -> bool:
    """Nothing at all was different."""
    return found.same == 1 and not any(one.difference for _, one in _rows(found))


def words(found: Comparison) -> list[str]:
    """What it comes to."""
    clear = [one for one in found.wins if one.clear]
    lines = []
    if clear:
        one = max(clear, key=lambda side: side.difference)
        points = f"{100 * abs(one.difference):.1f}"
        better, won = ("better", "won") if one.difference > 0 else ("worse", "not won")
        lines.append(f"The second is {better} for {one.name}: {points} more in a hundred fights {won}.")
    else:
        lines.append("Who wins is not clearly different; more pairs (--fights) would tell smaller differences.")
    if found.worth > 1.05:
        worth = f"with the same dice in both they tell as much as {found.worth:.1f} times as many fights would with other dice"
        lines.append(f"{100 * found.same:.0f} % of the pairs had the same winner; {worth}.")
    return lines


def _csv(found: Comparison) -> None:
    from affray.cli.counting import csv_text

    lines = []
    for name, one in _rows(found):
        numbers = (one.first, one.second, one.difference, one.low, one.high)
        lines.append([name, *(f"{value:.6f}" for value in numbers), int(one.clear)])
    click.echo(csv_text(["measure", "first", "second", "difference", "low", "high", "clear"], lines), nl=False)
