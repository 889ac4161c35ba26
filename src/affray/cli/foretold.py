"""`affray log --forecast`: who was winning when, drawn as a line of characters or as a picture."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from affray.encounter import Encounter
    from affray.simulate.line import Point

BLOCKS = "▁▂▃▄▅▆▇█"
WIDTH = 60
"""Characters of a line at most."""


def show(encounter: Encounter, policies: tuple[str, ...], seconds: float, plot: str, as_json: bool) -> None:
    """Work the line out and print it. Raises DataError for an unknown side or policy."""
    from affray.cli.fight import named_policies
    from affray.simulate.forecast import Forecaster
    from affray.simulate.line import line, plain, shares

    forecaster = Forecaster(encounter.ruleset, named_policies(encounter.ruleset, encounter.start, policies))

    def progress(done: int, of: int) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r{done} of {of} ", nl=False, err=True)

    points = line(encounter, forecaster, seconds, progress=progress)
    if sys.stderr.isatty():
        click.echo("\r" + " " * 30 + "\r", nl=False, err=True)
    if plot:
        from affray.odds.plot import lines

        lines("chance to win after each entry", [point.n for point in points], shares(points), plot)
    if as_json:
        click.echo(json.dumps(plain(points), ensure_ascii=False))
        return
    for told in _told(encounter, points):
        click.echo(told)
    if plot:
        click.echo(f"picture: {plot}")


def _told(encounter: Encounter, points: tuple[Point, ...]) -> Iterator[str]:
    from affray.render import text
    from affray.simulate.line import shares, turning_points

    yield f"Who was winning, after each of {len(points) - 1} orders:"
    yield ""
    series = shares(points)
    width = max(len(side) for side, _ in series)
    for side, chances in series:
        drawn = "".join(BLOCKS[min(7, int(8 * chance))] for chance in _thinned(chances))
        yield f"  {side:<{width}} {100 * chances[0]:5.1f} % {drawn} {100 * chances[-1]:5.1f} %"
    turns = turning_points(points)
    yield ""
    if not turns:
        yield "  No single order moved it beyond the uncertainty of the line."
        return
    yield "  What moved it most:"
    for turn in turns:
        entry = encounter.entries[turn.n - 1]
        moved = f"{turn.side} {100 * turn.before:.0f} → {100 * turn.after:.0f} % (± {196 * turn.error:.0f})"
        yield f"  {turn.n:>5}  round {entry.state.round:<3} {moved:<34} {text.ordered(entry.order)}"
    ways = {point.forecast.how for point in points}
    fights = sum(point.forecast.fights for point in points)
    yield ""
    yield f"  ({', '.join(sorted(ways))}; {fights} fights in all; everybody played on by policies)"


def _thinned(chances: tuple[float, ...]) -> list[float]:
    """At most WIDTH of them, evenly."""
    if len(chances) <= WIDTH:
        return list(chances)
    return [chances[round(i * (len(chances) - 1) / (WIDTH - 1))] for i in range(WIDTH)]
