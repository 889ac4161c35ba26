"""`affray odds`: exact chances, of dice alone or of any order that a fight allows.

The dice questions stand here and load nothing but the dice; every other name is the verb of an order (see odds_orders).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click

from affray.cli.counting import picture, useless

F = TypeVar("F", bound=Callable[..., Any])
EPILOG = """Any other name is an order: `affray odds attack FILE --by Kess --at Thug` works out what comes of it, from the
position in FILE or in a saved fight. See `affray odds attack --help`."""
MANY = 400
"""Most cells of a table."""


class Questions(click.Group):
    """Dice questions by name; every other name is the verb of an order."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        if found is not None or cmd_name.startswith("-"):
            return found
        from affray.cli.odds_orders import verb

        return verb(cmd_name)


@click.group("odds", cls=Questions, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Exact chances, of dice alone or of any order."""


def shown(function: F) -> F:
    """The options that every question has."""
    function = click.option("--plot", type=Picture(dir_okay=False), help="Write a chart to this .png or .svg.")(function)
    return click.option("--json", "as_json", is_flag=True, help="Everything as one JSON object, with exact fractions.")(function)


def ruled(default: str = "") -> Callable[[F], F]:
    told = f"Whose dice these are (rond6, rd6, cepheus){'; ' + default if default else '; without one, D6 with a Wild Die'}."
    return click.option("--ruleset", default=default, help=told)


class Numbers(click.ParamType):  # type: ignore[type-arg]  # not generic in older versions of click
    """'5', '1..12', '5..30/5' or '5,10,15'."""

    name = "numbers"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[int, ...]:
        if isinstance(value, tuple):
            return value
        try:
            found = tuple(number for part in str(value).split(",") for number in _range(part))
        except ValueError:
            self.fail(f"{value!r}: write a number, a range like 1..12 or 5..30/5, or a list like 5,10,15", param, ctx)
        if not found or len(found) > MANY:
            self.fail(f"{value!r}: a range holds 1 to {MANY} numbers, from the lower to the higher", param, ctx)
        return found


def _range(part: str) -> Iterable[int]:
    head, _, step = part.partition("/")
    low, dots, high = head.partition("..")
    if not dots:
        return (int(low),)
    if int(high) - int(low) > 100_000:
        raise ValueError(part)
    return range(int(low), int(high) + 1, int(step or 1))


class Picture(click.Path):
    """A file for a chart; what cannot be written is told before anything is worked out."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        found = super().convert(value, param, ctx)
        picture(str(found))
        return found


def out(found: Any, as_json: bool, plot: str | None, lines: Callable[[], Iterable[str]]) -> None:
    """Print a result, and draw it where that is wanted."""
    if plot is not None:
        found.plot(plot)
    if as_json:
        import json

        click.echo(json.dumps(found.plain(), ensure_ascii=False))
        return
    click.echo("\n".join(lines()))
    if plot is not None:
        click.echo(f"chart: {plot}")


@command.command("test")
@click.argument("dice", required=False)
@click.option("--difficulty", "-d", type=Numbers(), required=True, help="What must be reached; 5..30/5 for several.")
@click.option("--dice", "counts", type=Numbers(), help="Numbers of dice instead of one code: 1..12.")
@click.option("--pips", type=click.IntRange(0, 2), default=0, help="Pips with --dice.")
@ruled()
@shown
def test(
    dice: str | None,
    difficulty: tuple[int, ...],
    counts: tuple[int, ...] | None,
    pips: int,
    ruleset: str,
    as_json: bool,
    plot: str | None,
) -> None:
    """The chance that DICE reach a difficulty: affray odds test 5D+1 --difficulty 10"""
    from affray.odds import questions

    if (dice is None) == (counts is None):
        raise click.UsageError("name the dice: either a code like 5D+1, or --dice 1..12")
    if counts is None:
        useless(("pips",), "it goes with --dice; write pips into the code, as 5D+1.")
    if counts is not None or len(difficulty) > 1:
        codes = [f"{count}D" + (f"+{pips}" if pips else "") for count in counts] if counts is not None else [str(dice)]
        table = questions.table(codes, difficulty, ruleset)
        out(table, as_json, plot, lambda: told_table(table))
        return
    found = questions.test(str(dice), difficulty[0], ruleset)
    out(found, as_json, plot, lambda: told_test(found))


@command.command("opposed")
@click.argument("first")
@click.argument("second")
@ruled()
@shown
def opposed(first: str, second: str, ruleset: str, as_json: bool, plot: str | None) -> None:
    """Two rolls against each other: affray odds opposed 5D+1 4D+2"""
    from affray.odds import questions

    found = questions.opposed(first, second, ruleset)

    def lines() -> Iterable[str]:
        from affray.odds import chart

        yield found.name
        yield from chart.lines(found.result())
        yield f"on average the first is {found.ahead.mean():+.2f} ahead"
        yield from noted(found.ahead.note)

    out(found, as_json, plot, lines)


@command.command("total")
@click.argument("dice")
@ruled()
@shown
def total(dice: str, ruleset: str, as_json: bool, plot: str | None) -> None:
    """Every total of DICE: affray odds total 4D+2"""
    from affray.odds import questions

    found = questions.total(dice, ruleset)
    out(found, as_json, plot, lambda: told(found))


@command.command("damage")
@click.argument("dice")
@click.option("--resistance", "-r", type=int, required=True, help="What the damage must exceed.")
@ruled("rond6")
@shown
def damage(dice: str, resistance: int, ruleset: str, as_json: bool, plot: str | None) -> None:
    """What damage DICE do against a resistance: affray odds damage 4D+1 --resistance 12"""
    from affray.odds import questions

    found = questions.damage(dice, resistance, ruleset)
    out(found, as_json, plot, lambda: told(found))


@command.command("check")
@click.option("--dm", type=Numbers(), default="0", help="The modifiers together; -3..4 for several.")
@click.option("--need", type=Numbers(), default="8", show_default=True, help="What must be reached.")
@ruled("cepheus")
@shown
def check(dm: tuple[int, ...], need: tuple[int, ...], ruleset: str, as_json: bool, plot: str | None) -> None:
    """The chance and the Effect of a 2D6 check: affray odds check --dm 2"""
    from affray.odds import questions

    if len(dm) > 1 or len(need) > 1:
        table = questions.check_table(dm, need, ruleset)
        out(table, as_json, plot, lambda: told_table(table))
        return
    found = questions.check(dm[0], need[0], ruleset)
    out(found, as_json, plot, lambda: told_test(found))


# ---- telling


def noted(note: str) -> Iterable[str]:
    return (f"({note})",) if note else ()


def told(odds: Any) -> Iterable[str]:
    """A distribution: its chart and its average."""
    from affray.odds import chart

    yield odds.name
    yield from chart.lines(odds)
    if odds.numeric:
        yield f"average {odds.mean():.2f}"
    yield from noted(odds.note)


def told_test(found: Any) -> Iterable[str]:
    """A roll against a number: the chance first."""
    from affray.odds import chart
    from affray.odds.distribution import percent

    exact = found.exact if len(found.exact) <= 40 else "exact fraction: --json"
    yield f"{found.name}: {percent(found.success)}  ({exact})"
    yield from chart.lines(found.total, mark=found.least)
    yield f"average {found.total.mean():.2f}"
    yield from noted(found.total.note)


def told_table(table: Any) -> Iterable[str]:
    """Chances over ranges."""
    from affray.odds import chart
    from affray.odds.distribution import percent

    yield table.name
    rows = [[str(row), *[percent(cell) for cell in cells]] for row, cells in zip(table.rows, table.cells, strict=True)]
    yield from chart.table(["", *[str(column) for column in table.columns]], rows)
    yield from noted(table.note)
