"""`affray sweep`: a whole grid of fights, on all cores or a cluster, into one table."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from affray.formats.grid import Plan
    from affray.simulate.results import Results
    from affray.simulate.sweep import Cell, Row

OUT = (".csv", ".parquet", ".json")


@click.command("sweep")
@click.argument("grid", type=click.Path())
@click.option("--results", type=click.Path(dir_okay=False), help="Where results are kept; GRID.results.jsonl beside the grid.")
@click.option("--fresh", is_flag=True, help="Forget the results that are kept.")
@click.option("--workers", type=click.IntRange(1, 1000), help="Processes; one a core.")
@click.option("--cluster", metavar="ADDRESS", help="Play on a dask.distributed cluster, as tcp://host:8786.")
@click.option("--out", multiple=True, type=click.Path(dir_okay=False), help="Write the table to this .csv, .parquet or .json.")
@click.option("--side", help="Whose chance is printed and drawn; the grid's, else the first one.")
@click.option("--plot", type=click.Path(dir_okay=False), help="Write a chart to this .png, .svg or .pdf.")
@click.option("--json", "as_json", is_flag=True, help="The table as one JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="The table, one line a cell and side.")
def command(
    grid: str,
    results: str | None,
    fresh: bool,
    workers: int | None,
    cluster: str | None,
    out: tuple[str, ...],
    side: str | None,
    plot: str | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Play every cell of GRID: files, sheets, policies and rulings in all combinations.

    Each result is kept as soon as it is there: whoever stops, or is stopped, goes on where it ended with the same command.
    """
    from affray.cli.counting import csv_text, one_form, outputs, picture
    from affray.formats.grid import load_grid
    from affray.simulate.results import Results

    one_form(as_json, as_csv)
    if workers is not None and cluster is not None:
        raise click.UsageError("--workers is for this machine; a --cluster brings its own. Leave one of them out.")
    if side is not None and (as_json or as_csv) and plot is None:
        raise click.UsageError("--side says whose chance is printed in words or drawn; --json and --csv hold every side.")
    path = str(Path(grid).with_suffix(".results.jsonl")) if results is None else results
    outputs(out, OUT, "tables", [grid, path])
    if any(file.lower().endswith(".parquet") for file in out):
        _pyarrow()
    picture(plot)
    plan = load_grid(grid)
    cells = cells_of(plan)
    side = _side(plan, side)
    with Results(path, fresh) as kept:
        stopped = _play(cells, kept, workers, cluster)
        found = [(values, kept.rows.get(cell.key())) for (values, _), cell in zip(plan.cells, cells, strict=True)]
    rows = [(values, row) for values, row in found if row is not None]
    from affray.simulate.sweep import table

    head, lines = table(plan.columns, rows)
    for file in out:
        write(file, head, lines)
    if plot is not None and rows:
        _plot(plan, rows, side, plot)
    if as_json:
        click.echo(json.dumps({"title": plan.title, "columns": head, "rows": lines, "complete": not stopped}, ensure_ascii=False))
    elif as_csv:
        click.echo(csv_text(head, lines), nl=False)
    else:
        _told(plan, rows, side, stopped, path)
        for file in (*out, *([plot] if plot else [])):
            click.echo(f"written: {file}")
    sys.exit(1 if stopped else 0)


def _pyarrow() -> Any:
    from affray.errors import AffrayError

    try:
        import_module("pyarrow.parquet")
        return import_module("pyarrow")
    except ImportError:
        raise AffrayError("Parquet needs pyarrow: pip install 'affray[parquet]'") from None


def cells_of(plan: Plan) -> list[Cell]:
    """The cells of a plan, each with the policies that play it."""
    from affray.cli.counting import percentage
    from affray.cli.fight import chosen_policies
    from affray.simulate.sweep import Cell

    grid = plan.grid
    within = percentage(grid.until, "until") if grid.until else 0.0
    found = []
    for _, fight in plan.cells:
        names = tuple(sorted(chosen_policies(fight, ())[1].items()))
        found.append(Cell(fight.ruleset.name, fight.state, names, grid.fights, within, grid.seed, grid.rounds, grid.live))
    return found


def _side(plan: Plan, side: str | None) -> str:
    from affray.cli.balance import first_side
    from affray.errors import DataError, unknown

    if side is None:
        side = plan.grid.side or first_side(plan.cells[0][1])
    known = list(dict.fromkeys(f.side for _, fight in plan.cells for f in fight.state.fighters))
    if side not in known:
        raise DataError([unknown("side", side, known, key="side")])
    return side


def _play(cells: list[Cell], kept: Results, workers: int | None, cluster: str | None) -> bool:
    """Play what is not kept yet; True if somebody broke in."""
    try:
        _played(cells, kept, workers, cluster)
    except KeyboardInterrupt:
        return True
    return False


def _played(cells: list[Cell], kept: Results, workers: int | None, cluster: str | None) -> None:
    from contextlib import ExitStack

    from affray.cli.counting import Progress
    from affray.simulate.sweep import Here, played
    from affray.simulate.workers import cores, processes

    wanted = {cell.key(): cell for cell in cells}
    open_cells = [cell for key, cell in wanted.items() if key not in kept.rows]
    if not open_cells:
        return
    with ExitStack() as stack:
        if cluster is not None:
            from affray.simulate.cluster import Cluster

            there = stack.enter_context(Cluster(cluster))
            start, ahead = there.executor, 2 * there.threads
        else:
            count = min(workers or cores(), len(open_cells))
            start, ahead = (lambda: processes(count)) if count > 1 else Here, 2 * count if count > 1 else 1
        progress = stack.enter_context(Progress())
        for done, row in enumerate(played(open_cells, start, ahead), 1):
            kept.add(row)
            if progress.seen:
                finished = len(wanted) - len(open_cells) + done
                progress.tell(f"{finished:,} of {len(wanted):,} combinations", done / len(open_cells))


# ---- what is shown and written


def write(file: str, head: list[str], lines: list[list[Any]]) -> None:
    """The table as a file, by its ending. Raises AffrayError."""
    from affray.cli.counting import csv_text
    from affray.errors import AffrayError

    try:
        if file.lower().endswith(".parquet"):
            arrow = _pyarrow()
            columns = {name: _column([line[at] for line in lines]) for at, name in enumerate(head)}
            arrow.parquet.write_table(arrow.table(columns), file)
        elif file.lower().endswith(".csv"):
            Path(file).write_text(csv_text(head, lines), encoding="utf-8")
        else:
            told = [dict(zip(head, line, strict=True)) for line in lines]
            Path(file).write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except OSError as wrong:
        raise AffrayError(f"{file}: {wrong.strerror or wrong}") from None


def _column(values: list[Any]) -> list[Any]:
    """Values of one kind, as a column wants them: all as text where they differ."""
    kinds = {type(value) for value in values}
    return values if len(kinds) < 2 or kinds <= {int, float} else [str(value) for value in values]


def _told(plan: Plan, rows: list[tuple[tuple[Any, ...], Row]], side: str, stopped: bool, path: str) -> None:
    from rich.text import Text

    from affray.cli.counting import fights_told
    from affray.cli.simulated import bars, console, percent, plain_table, show, ways
    from affray.formats.vary import shown

    out = console()
    show(out, Text(f"{plan.title}: {len(rows):,} of {len(plan.cells):,} combinations", style="bold"))
    fights = fights_told(sum(row.fights for _, row in rows))
    seconds = sum(row.seconds for _, row in rows)
    show(out, Text(f"{fights}, {seconds:.1f} s of processor time, kept in {path}", style="dim"))
    if stopped:
        show(out, Text("Interrupted: the same command goes on from here.", style="bold"))
    if not rows:
        return
    out.print()
    first = 0 if len(plan.grid.files) > 1 else 1
    heads = plan.columns[first:]
    table = plain_table(*heads, f"{side} wins", "95 % sure", "lost", "rounds", "fights")
    for column in table.columns[: len(heads)]:
        column.no_wrap, column.overflow = False, "fold"
    for values, row in rows:
        mine = row.side(side)
        cells = [shown(value) for value in values[first:]]
        if mine is None:
            table.add_row(*cells, "", "", "", f"{row.mean_rounds:.1f}", f"{row.fights:,}")
            continue
        interval = f"{100 * mine.low:.1f} to {100 * mine.high:.1f}"
        numbers = (percent(mine.win), interval, f"{mine.lost_mean:.2f}", f"{row.mean_rounds:.1f}", f"{row.fights:,}")
        table.add_row(*cells, *numbers)
    wins = [row.side(side) for _, row in rows]
    show(out, bars(out, table, [(mine.win if mine else 0.0, "") for mine in wins], 20))
    live = [row.how for _, row in rows if row.how != "tables"]
    if live:
        out.print()
        show(out, Text(f"{len(live)} combinations were played {ways(live)}.", style="dim"))


def _plot(plan: Plan, rows: list[tuple[tuple[Any, ...], Row]], side: str, file: str) -> None:
    """One line for each combination of the other columns, over the column of numbers with the most values."""
    from affray.formats.vary import number, shown
    from affray.simulate.charts import curves

    seen = [list(dict.fromkeys(values[at] for values, _ in rows)) for at in range(len(plan.columns))]
    numeric = [all(number(value) is not None for value in values) for values in seen]
    across = max(range(len(seen)), key=lambda at: (len(seen[at]) > 1, numeric[at], len(seen[at])))
    others = [at for at in range(len(seen)) if at != across and len(seen[at]) > 1]
    series: dict[str, list[Any]] = {}
    for values, row in rows:
        mine = row.side(side)
        if mine is not None:
            name = ", ".join(f"{Path(values[at]).stem if at == 0 else shown(values[at])}" for at in others) or side
            place = values[across] if isinstance(values[across], int | float) else shown(values[across])
            series.setdefault(name, []).append((place, mine.win, mine.low, mine.high))
    curves(list(series.items()), file, plan.title, plan.columns[across], f"% won by {side}")
