"""`affray duel`: a fight of two, or of a few, worked out exactly."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from affray.simulate.duel import Duel

FATES = 10
"""Final states that are listed."""
BARS = 12
"""Rounds that are drawn."""


@click.command("duel")
@click.argument("file", type=click.Path())
@click.option("--policy", "policies", multiple=True, metavar="SIDE=NAME", help="Who plays a side (or one combatant).")
@click.option("--rounds", type=click.IntRange(1, 10_000), default=200, show_default=True, help="Then it is undecided.")
@click.option(
    "--prune", type=click.FloatRange(0, 0.01), default=5e-7, show_default=True, help="Probability that may be dropped in all."
)
@click.option(
    "--states", type=click.IntRange(100), default=1_500_000, show_default=True, help="With more states it is simulated instead."
)
@click.option(
    "--seconds", type=click.FloatRange(0.1), default=60.0, show_default=True, help="After so long it is simulated instead."
)
@click.option(
    "--fights", type=click.IntRange(1), default=400, show_default=True, help="How many fights where it is simulated."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(
    file: str,
    policies: tuple[str, ...],
    rounds: int,
    prune: float,
    states: int,
    seconds: float,
    fights: int,
    as_json: bool,
) -> None:
    """Work out the fight in FILE exactly: the chance of each to win, rounds and fates, with a proven bound of the error.

    For two, and for a few on each side while there are not too many states. Where tables cannot hold it (somebody has to
    move, richer policies) or it is too large, it is simulated instead, and the output says so. What is cut off by
    --seconds depends on the machine; --states does not.
    """
    import msgspec

    from affray.cli.fight import chosen_policies
    from affray.formats.encounter import load_fight
    from affray.policies.ahead import Late
    from affray.simulate.duel import duel

    fight = load_fight(file)
    chosen, names = chosen_policies(fight, policies)

    def progress(number: int, left: float) -> None:
        if sys.stderr.isatty():
            click.echo(f"\rround {number}, {left:.2e} undecided ", nl=False, err=True)

    until = perf_counter() + seconds
    try:
        found = duel(fight.ruleset, fight.state, chosen, prune, max_rounds=rounds, progress=progress, most=states, until=until)
    except (ValueError, Late) as reason:
        told_why = f"it takes longer than {seconds:g} seconds" if isinstance(reason, Late) else str(reason)
        _simulated(fight, names, rounds, fights, told_why, as_json)
        return
    if sys.stderr.isatty():
        click.echo("\r" + " " * 40 + "\r", nl=False, err=True)
    if as_json:
        plain = msgspec.to_builtins(found) | {"how": "exact", "error": found.error, "names": list(named(found))}
        click.echo(json.dumps(plain, ensure_ascii=False))
    else:
        click.echo("\n".join(told(found, fight.title)))


def named(found: Duel) -> tuple[str, ...]:
    """What the sides are called: by their only member where each has one."""
    return found.ids if len(found.ids) == len(found.sides) else found.sides


def told(found: Duel, title: str) -> Iterator[str]:
    """The whole answer in lines."""
    yield f"{title}: worked out exactly; each chance is too low by at most {found.error:.1e}"
    yield ""
    end = f"undecided after {len(found.rounds)} rounds"
    names = (*named(found), "nobody is left", end)
    width = max(map(len, names))
    for name, chance in zip(names, (*found.win, found.both_out, found.undecided), strict=True):
        if chance > 0:
            yield f"  {name:<{width}} {100 * chance:11.6f} %  {'▮' * round(30 * chance)}".rstrip()
    over = sum(found.rounds)
    if not over:
        return
    yield ""
    yield f"  It ends after {sum((r + 1) * p for r, p in enumerate(found.rounds)) / over:.2f} rounds in the mean:"
    yield from _drawn(found.rounds)
    yield ""
    yield f"  How they end ({', '.join(found.ids)}):"
    for fates, weight in found.fates[:FATES]:
        yield f"  {100 * weight:9.4f} %  {', '.join(fates)}"
    if rest := sum(weight for _, weight in found.fates[FATES:]):
        yield f"  {100 * rest:9.4f} %  {len(found.fates) - FATES} other ways"


def _drawn(rounds: tuple[float, ...]) -> Iterator[str]:
    """A bar for each of the first rounds, one for the rest."""
    tallest = max(rounds)
    for number, chance in enumerate(rounds[:BARS], 1):
        yield f"  round {number:>3} {100 * chance:8.3f} %  {'▮' * round(24 * chance / tallest)}".rstrip()
    if rest := sum(rounds[BARS:]):
        yield f"  later     {100 * rest:8.3f} %"


def _simulated(fight: Any, names: dict[str, str], rounds: int, fights: int, reason: str, as_json: bool) -> None:
    """What many fights came to, where it cannot be worked out."""
    from affray.simulate.forecast import Forecaster

    forecaster = Forecaster(fight.ruleset, names, max_rounds=rounds)
    found = forecaster.at(fight.state, fights=fights)
    if as_json:
        sides = [{"name": c.side, "win": c.win, "low": c.low, "high": c.high} for c in found.sides]
        plain = {"how": found.how, "why": reason, "fights": found.fights, "sides": sides}
        click.echo(json.dumps(plain | {"nobody": found.nobody, "undecided": found.undecided}, ensure_ascii=False))
        return
    click.echo(f"{fight.title}: simulated, not worked out: {reason}")
    click.echo(f"  ({found.fights} fights, {found.how}; in brackets the 95 % interval)")
    click.echo("")
    width = max(len(c.side) for c in found.sides)
    for chance in found.sides:
        interval = f"({100 * chance.low:.1f} to {100 * chance.high:.1f})"
        click.echo(f"  {chance.side:<{width}} {100 * chance.win:6.2f} %  {interval}  {'▮' * round(30 * chance.win)}".rstrip())
    for name, share in (("nobody is left", found.nobody), ("undecided", found.undecided)):
        if share:
            click.echo(f"  {name}: {100 * share:.2f} %")
