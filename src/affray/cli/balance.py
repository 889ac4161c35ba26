"""`affray balance`: how many, how strong, how well played, for a fair fight?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from affray.formats.encounter import Fight
    from affray.formats.vary import Base
    from affray.simulate.balance import Balance


@click.command("balance")
@click.argument("file", type=click.Path())
@click.option("--vary", required=True, metavar="PATH=VALUES", help="What may change, as thug.count=1..8.")
@click.option("--target", required=True, metavar="PERCENT", help="The chance to aim at, as 70%.")
@click.option("--for", "side", help="Whose chance; the side of the player characters, else the first one.")
@click.option("--with", "fixed", multiple=True, metavar="PATH=VALUE", help="Something else that is changed for good.")
@click.option("--policy", "policies", multiple=True, metavar="SIDE=NAME", help="Who plays a side (or one combatant).")
@click.option("--fights", type=click.IntRange(10, 10_000_000), help="At most so many fights a value; 20,000, live 400.")
@click.option("--all", "every", is_flag=True, help="Try every value instead of halving.")
@click.option("--seed", type=click.IntRange(0, 2**40), help="Seed of the dice; the file's, else 0.")
@click.option("--rounds", type=click.IntRange(1, 10_000), default=200, show_default=True, help="Then a fight is undecided.")
@click.option("--live", is_flag=True, help="Whole fights even where tables would do.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="One line a value.")
@click.option("--plot", type=click.Path(dir_okay=False), help="Write a chart to this .png, .svg or .pdf.")
def command(
    file: str,
    vary: str,
    target: str,
    side: str | None,
    fixed: tuple[str, ...],
    policies: tuple[str, ...],
    fights: int | None,
    every: bool,
    seed: int | None,
    rounds: int,
    live: bool,
    as_json: bool,
    as_csv: bool,
    plot: str | None,
) -> None:
    """Which value makes the fight in FILE come out as wanted?

    Counts, numbers of a combatant or template (guard.skills.Dodge, guard.points.character, guard.armor), rulings
    (rulings.KEY) and policies (policy.SIDE) can be varied: a range 1..8, 1..9/2, 3D..6D, or a list a,b,c.
    Each value gets as many fights as it takes to be clear about it, and no more.
    """
    from affray.cli.counting import Progress, once, one_form, percentage, picture, settings
    from affray.cli.fight import chosen_policies
    from affray.errors import DataError, unknown
    from affray.formats import vary as varying
    from affray.simulate.balance import Search
    from affray.simulate.run import Fights
    from affray.simulate.workers import Workers

    one_form(as_json, as_csv)
    wanted = percentage(target, "--target", 1.0)
    path, values = varying.parse(vary)
    picture(plot)
    base = varying.Base.load(file)
    always = settings(fixed)
    once([("--vary", path), *(("--with", one) for one, _ in always)], policies)
    made = _made(base, always, path, values)
    seed = base.fight.seed if seed is None else seed
    sides = list(dict.fromkeys(f.side for f in base.fight.state.fighters))
    side = first_side(base.fight) if side is None else side
    if side not in sides:
        raise DataError([unknown("side", side, sides, key="--for")])
    names = {key: chosen_policies(fight, policies)[1] for key, fight in made.items()}

    with Workers() as workers, Progress() as progress:

        def fights_of(value: Any) -> Fights:
            key = varying.told("", value)
            fight = made[key]
            return Fights(fight.ruleset, fight.state, names[key], rounds, live, workers)

        def tell(words: str) -> None:
            if progress.due():
                progress.tell(f"{path} = {words}")

        ordered = not every and all(varying.number(value) is not None for value in values)
        found = Search(values, fights_of, side, wanted, seed, fights or 0, tell).run(ordered)
    if plot is not None:
        _plot(found, path, base.fight.title, plot)
    if as_json:
        told = found.plain() | {"title": base.fight.title, "vary": path, "with": dict(always), "seed": seed}
        click.echo(json.dumps(told, ensure_ascii=False))
    elif as_csv:
        _csv(found, path)
    else:
        _told(found, path, base.fight.title, seed)
        if plot is not None:
            click.echo(f"chart: {plot}")
    sys.exit(1 if found.interrupted else 0)


def _made(base: Base, always: list[tuple[str, Any]], path: str, values: Sequence[Any]) -> dict[str, Fight]:
    """The fight of every value, by the value as it is written. Raises DataError; what is wrong with all is told once."""
    from affray.errors import DataError
    from affray.formats.vary import told

    problems: dict[str, Any] = {}
    made = {}
    for value in values:
        try:
            made[told("", value)] = base.varied([*always, (path, value)])
        except DataError as wrong:
            problems |= {one.text.split(": ", 1)[-1]: one for one in reversed(wrong.problems)}
    if problems:
        raise DataError(list(problems.values())[:12])
    return made


def first_side(fight: Any) -> str:
    """The side of the player characters; the first one where there are none."""
    fighters = fight.state.fighters
    return str(next((f.side for f in fighters if getattr(f, "player", False)), fighters[0].side))


def _told(found: Balance, path: str, title: str, seed: int) -> None:
    from rich.text import Text

    from affray.cli.counting import fights_told
    from affray.cli.simulated import bars, console, percent, plain_table, show, ways
    from affray.formats.vary import shown

    out = console()
    show(out, Text(f"{title or 'A fight'}: {found.side} to win {100 * found.target:g} %, by {path}", style="bold"))
    total = fights_told(sum(one.fights for one in found.tried))
    show(out, Text(f"{total}, seed {seed}, {ways(found.how)}; {found.cpu_seconds:.1f} s of processor time", style="dim"))
    out.print()
    table = plain_table("", path, f"{found.side} wins", "95 % sure", "fights", "")
    table.columns[0].no_wrap, table.columns[5].justify = True, "left"
    for place, one in enumerate(found.tried):
        mark = "▸" if place == found.best else ""
        if not one.fights:
            table.add_row(mark, Text(shown(one.value), style="dim"), "", "", "", Text("not tried", style="dim"))
            continue
        interval = f"{100 * one.win.low:.1f} to {100 * one.win.high:.1f}"
        verdict = {"above": "above", "below": "below", "open": "near"}[one.verdict]
        style = "bold green" if place == found.best else ""
        row = (shown(one.value), percent(one.win.share), interval, f"{one.fights:,}", verdict)
        table.add_row(mark, *(Text(cell, style=style) for cell in row))
    styles = ["bold green" if place == found.best else "" for place in range(len(found.tried))]
    lengths = [one.win.share if one.fights else 0.0 for one in found.tried]
    show(out, bars(out, table, zip(lengths, styles, strict=True), 30))
    out.print()
    for line in words(found, path):
        show(out, Text(line))


def words(found: Balance, path: str) -> list[str]:
    """The answer in words."""
    from affray.cli.simulated import percent
    from affray.formats.vary import told

    if found.interrupted:
        return ["Interrupted before it was clear."]
    best = found.tried[found.best]
    interval = f"{100 * best.win.low:.1f} to {100 * best.win.high:.1f}"
    answer = f"{told(path, best.value)}: {found.side} wins {percent(best.win.share)} ({interval})"
    lines = [f"Nearest to {100 * found.target:g} % is {answer}."]
    if not found.sure:
        lines[0] = f"Nearest to {100 * found.target:g} %, as far as these fights can tell, is {answer}; another may be as near."
    if found.reach in ("above", "below"):
        lines.append(f"Every value that was tried is {found.reach} the target: it lies outside of what was varied.")
    if found.way == "halving":
        if any(not one.fights for one in found.tried):
            lines.append(
                "Not every value was tried: the chance is taken to rise or fall steadily, and nothing seen speaks against it"
                " (--all tries every one)."
            )
    elif found.way != "all":
        lines.append("All values were tried: the chance does not simply rise or fall with the value.")
    return lines


def _csv(found: Balance, path: str) -> None:
    from affray.cli.counting import csv_text
    from affray.formats.vary import shown

    lines = []
    for place, one in enumerate(found.tried):
        shares = [f"{share:.6f}" for share in (one.win.share, one.win.low, one.win.high)] if one.fights else ["", "", ""]
        lines.append([shown(one.value), one.fights, *shares, one.verdict if one.fights else "", int(place == found.best)])
    click.echo(csv_text([path, "fights", "win", "low", "high", "verdict", "best"], lines), nl=False)


def _plot(found: Balance, path: str, title: str, file: str) -> None:
    from affray.formats.vary import shown
    from affray.simulate.charts import curves

    points = [
        (one.value if isinstance(one.value, int | float) else shown(one.value), one.win.share, one.win.low, one.win.high)
        for one in found.tried
        if one.fights
    ]
    curves([(found.side, points)], file, title, path, f"% won by {found.side}", found.target)
