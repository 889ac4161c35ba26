"""`affray duel`: a fight of two, or of a few, worked out exactly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import ceil, floor, log10
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from affray.cli.counting import ALONE, Within, fights_told

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
    "--prune",
    type=Within(0, 0.01),
    default=5e-7,
    show_default=True,
    help="How much may be left out in all as too unlikely; 1e-6 is 0.0001 %.",
)
@click.option(
    "--states",
    type=click.IntRange(100),
    default=1_500_000,
    show_default=True,
    help="With more different situations than this it is simulated.",
)
@click.option(
    "--seconds", type=Within(0.1), default=60.0, show_default=True, help="After so long it is simulated."
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
    """Work out the fight in FILE exactly: each side's chance to win, how many rounds it takes, how everybody ends.

    For two, and for a few on each side while it cannot go in too many ways. What is too unlikely is left out; the output says
    how little that can matter. Where somebody has to move, where a policy looks at the whole scene, or where there is too much to
    work out, the fight is simulated instead, and the output says so. What is cut off by --seconds depends on the machine;
    --states does not.
    """
    import msgspec

    from affray.cli.counting import Progress, once
    from affray.cli.fight import chosen_policies
    from affray.cli.simulated import percent
    from affray.formats.encounter import load_fight
    from affray.policies.ahead import Late
    from affray.simulate.duel import Far, duel

    once((), policies)
    fight = load_fight(file)
    chosen, names = chosen_policies(fight, policies)

    until, why = perf_counter() + seconds, ""
    with Progress(lines=True) as line:

        def progress(far: Far) -> None:
            if line.due():
                share = percent(far.left, 1 if far.left >= 0.01 else 4)
                line.tell(f"round {far.round}: {share} still undecided; {far.states:,} different situations so far")

        try:
            found = duel(
                fight.ruleset, fight.state, chosen, prune, max_rounds=rounds, progress=progress, most=states, until=until
            )
        except (ValueError, Late) as reason:
            why = f"it takes longer than {seconds:g} seconds" if isinstance(reason, Late) else str(reason)
    if why:
        _simulated(fight, names, rounds, fights, why, as_json)
        return
    if as_json:
        plain = msgspec.to_builtins(found) | {"how": "exact", "error": found.error, "names": list(named(found))}
        click.echo(json.dumps(plain, ensure_ascii=False))
    else:
        click.echo("\n".join(told(found, fight.title)))


def named(found: Duel) -> tuple[str, ...]:
    """What the sides are called: by their only member where each has one."""
    return found.ids if len(found.ids) == len(found.sides) else found.sides


def within(error: float) -> str:
    """', each chance to 0.00006 %': the next number of one digit above the bound; '' without one."""
    if error <= 0:
        return ""
    digits = max(0, -floor(log10(100 * error)))
    told = f"{ceil(100 * error * 10**digits) / 10**digits:.{digits}f}"
    return f", each chance to {told.rstrip('0').rstrip('.') if digits else told} %"


def told(found: Duel, title: str) -> Iterator[str]:
    """The whole answer in lines."""
    yield f"{title}: worked out exactly{within(found.error)}"
    yield ""
    end = f"undecided after {len(found.rounds)} rounds"
    names = (*named(found), "nobody is left", end)
    width = max(map(len, names))
    for name, chance in zip(names, (*found.win, found.both_out, found.undecided), strict=True):
        if chance > 0:
            yield f"  {name:<{width}} {100 * chance:11.6f} %  {'▮' * round(30 * chance)}".rstrip()
    if not found.rounds:
        yield ""
        yield f"  {ALONE}"
    over = sum(found.rounds)
    if not over:
        return
    yield ""
    yield f"  It ends after {sum((r + 1) * p for r, p in enumerate(found.rounds)) / over:.2f} rounds on average:"
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
    """What many fights came to, where it cannot be worked out; why not is told before they are played."""
    from affray.simulate.forecast import Forecaster

    if not as_json:
        click.echo(f"{fight.title}: simulated, not worked out: {reason}")
    forecaster = Forecaster(fight.ruleset, names, max_rounds=rounds)
    found = forecaster.at(fight.state, fights=fights, how="tables")
    if as_json:
        sides = [{"name": c.side, "win": c.win, "low": c.low, "high": c.high} for c in found.sides]
        plain = {"how": found.how, "why": reason, "fights": found.fights, "sides": sides}
        click.echo(json.dumps(plain | {"nobody": found.nobody, "undecided": found.undecided}, ensure_ascii=False))
        return
    way = "in tables" if found.how == "tables" else "fight by fight"
    click.echo(f"  ({fights_told(found.fights)}, {way}; in brackets where the true chance lies, 95 times in 100)")
    click.echo("")
    width = max(len(c.side) for c in found.sides)
    for chance in found.sides:
        interval = f"({100 * chance.low:.1f} to {100 * chance.high:.1f})"
        click.echo(f"  {chance.side:<{width}} {100 * chance.win:6.2f} %  {interval}  {'▮' * round(30 * chance.win)}".rstrip())
    for name, share in (("nobody is left", found.nobody), ("undecided", found.undecided)):
        if share:
            click.echo(f"  {name}: {100 * share:.2f} %")
