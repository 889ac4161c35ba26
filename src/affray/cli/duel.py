"""`affray duel`: a fight of two, worked out exactly."""

from __future__ import annotations

import json
import sys

import click


@click.command("duel")
@click.argument("file", type=click.Path())
@click.option("--policy", "policies", multiple=True, metavar="SIDE=NAME", help="Who plays a side (or one combatant).")
@click.option("--rounds", type=click.IntRange(1, 10_000), default=200, show_default=True, help="Then it is undecided.")
@click.option(
    "--prune", type=float, default=1e-10, show_default=True, help="Weight below which a branch is dropped (and counted)."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def command(file: str, policies: tuple[str, ...], rounds: int, prune: float, as_json: bool) -> None:
    """Work out the duel in FILE: the chance of each to win, rounds and fates, with a proven bound of the error.

    Where tables cannot hold it (more than two, somebody has to move, richer policies), says so; `affray simulate` answers then.
    """
    import msgspec

    from affray.cli.fight import chosen_policies
    from affray.errors import DataError, Problem
    from affray.formats.encounter import load_fight
    from affray.simulate.duel import duel

    fight = load_fight(file)
    chosen, _ = chosen_policies(fight, policies)

    def progress(number: int, left: float) -> None:
        if sys.stderr.isatty():
            click.echo(f"\rround {number}, {left:.2e} undecided ", nl=False, err=True)

    try:
        found = duel(fight.ruleset, fight.state, chosen, prune, max_rounds=rounds, progress=progress)
    except ValueError as reason:
        raise DataError([Problem(f"this is not worked out exactly: {reason}; try affray simulate", file)]) from None
    if sys.stderr.isatty():
        click.echo("\r" + " " * 40 + "\r", nl=False, err=True)
    if as_json:
        click.echo(json.dumps(msgspec.to_builtins(found), ensure_ascii=False))
        return
    bound = found.lost + found.undecided
    click.echo(f"{fight.title}: worked out exactly; each chance is too low by at most {bound:.1e}")
    width = max(len(name) for name in (*found.ids, "both out", "undecided"))
    for name, chance in (*zip(found.ids, found.win, strict=True), ("both out", found.both_out), ("undecided", found.undecided)):
        if chance > 0:
            click.echo(f"  {name:<{width}} {100 * chance:10.6f} %  {'▮' * round(30 * chance)}")
    mean = sum((r + 1) * p for r, p in enumerate(found.rounds)) / max(1e-300, sum(found.rounds))
    click.echo(f"  rounds: {mean:.2f} in the mean; ends in round 1 {100 * found.rounds[0]:.2f} %")
    for a, b, weight in found.fates[:8]:
        click.echo(f"    {found.ids[0]} {a}, {found.ids[1]} {b}: {100 * weight:.3f} %")
