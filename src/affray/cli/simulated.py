"""A report of many fights in words, tables and bars for the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from affray.cli.counting import ALONE, fights_told
from affray.odds.chart import bar
from affray.simulate.report import Combatant, Report, Share, Side, by_kind

MANY = 8
"""More combatants than these are told by kind."""
BINS = 12
COLOURS = ("cyan", "yellow", "magenta", "green", "blue")


def console() -> Console:
    """Where things are printed: as wide as the terminal, 100 columns in a file or pipe."""
    found = Console(highlight=False)
    return found if found.is_terminal else Console(highlight=False, width=100)


def ways(how: Iterable[str]) -> str:
    """How fights were played: 'in tables', 'fight by fight (why)', each once."""
    told = ("in tables" if one == "tables" else f"fight by fight ({one.removeprefix('live: ')})" for one in how)
    return "; ".join(dict.fromkeys(told))


def show(out: Console, thing: Any) -> None:
    """Print a table without blanks at the ends of its lines."""
    with out.capture() as caught:
        out.print(thing)
    out.file.write("".join(line.rstrip() + "\n" for line in caught.get().splitlines()))


def percent(share: float, digits: int = 1) -> str:
    """'36.2 %'; what is rare but not never is never told as 0."""
    if 0 < share < 0.5 * 10 ** -(digits + 2):
        return f"<{10**-digits:.{digits}f} %"
    return f"{100 * share:.{digits}f} %"


def told(report: Report, title: str, each: bool = False, out: Console | None = None, stopped: str = "") -> None:
    """Print all of a report. `each`: every combatant by itself; `stopped`: why there are fewer fights than asked for."""
    out = out or console()
    colour = {side.name: COLOURS[at % len(COLOURS)] for at, side in enumerate(report.sides)}
    show(out, Text(f"{title or 'A fight'}: {fights_told(report.fights)}, seed {report.seed}", style="bold"))
    show(out, Text(f"{ways([report.how])}; {report.cpu_seconds:.1f} s of processor time", style="dim"))
    if stopped:
        show(out, Text(stopped, style="bold"))
    if not report.fights:
        return
    out.print()
    show(out, _chances(report, colour, out))
    if report.undecided.count == report.fights:
        show(out, _endless(report))
    if report.mean_rounds == 0:
        show(out, ALONE)
    out.print()
    for line in _lengths(report):
        show(out, Text(line))
    out.print()
    show(out, _fates(report, each or len(report.combatants) <= MANY, colour))
    out.print()
    for side in report.sides:
        for line in disasters(side, report.fights):
            show(out, Text(line))
    used = _used(report, each or len(report.combatants) <= MANY)
    if used is not None:
        out.print()
        show(out, used)


def plain_table(*heads: str) -> Table:
    """The first column to the left, the others to the right, without lines."""
    table = Table(box=None, show_header=any(heads), pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for at, head in enumerate(heads):
        table.add_column(head, justify="right" if at else "left", no_wrap=at != 0, overflow="ellipsis" if at else "fold")
    return table


def bars(out: Console, table: Table, rows: Iterable[tuple[float, str]], widest: int) -> Table:
    """The table with bars to its right, (share, style) for each row, as wide as there is room for; too little: no bars."""
    room = min(widest, out.width - out.measure(table).maximum - 3)
    if room < 6:
        return table
    drawn = [Text(), *(Text(bar(share, room), style) for share, style in rows)]
    both = Table.grid(padding=(0, 2, 0, 0))
    both.add_row(table, Text("\n").join(drawn))  # where there is room for bars, no row is broken into two lines
    return both


def _chances(report: Report, colour: dict[str, str], out: Console) -> Table:
    table = plain_table("wins", "", "95 % sure")
    rows: list[tuple[str, Share]] = [(side.name, side.win) for side in report.sides]
    rows += [(name, share) for name, share in (("nobody", report.nobody), ("undecided", report.undecided)) if share.count]
    for name, share in rows:
        interval = f"{100 * share.low:.2f} to {100 * share.high:.2f}"
        table.add_row(Text(name, colour.get(name, "dim")), percent(share.share, 2), interval)
    return bars(out, table, [(share.share, colour.get(name, "dim")) for name, share in rows], 60)


def _endless(report: Report) -> str:
    """Why no fight was decided."""
    if report.endless:
        return "This fight can never end: nothing that anybody did could have harmed anybody, whatever the dice had shown."
    return f"No fight was decided within {report.rounds[-1][0]} rounds: perhaps nobody here can hurt anybody."


def _lengths(report: Report) -> Iterator[str]:
    first, last = report.rounds[0][0], report.rounds[-1][0]
    rare = f"; 1 % are over by round {report.round_by(0.01)}, 1 % last {report.round_by(0.99)} or more"
    yield f"Rounds: {report.mean_rounds:.1f} on average, {first} to {last}{rare if report.fights >= 100 else ''}."
    end = max(report.round_by(0.99), first)
    step = max(1, -(-(end - first + 1) // BINS))
    bins: dict[int, int] = {}
    for number, fights in report.rounds:
        at = min(number, end) - (min(number, end) - first) % step
        bins[at] = bins.get(at, 0) + fights
    most = max(bins.values())
    names = {}
    for at in range(first, end + 1, step):
        to = "+" if at + step > end and last > end else f"-{at + step - 1}" if step > 1 else ""
        names[at] = f"{at}{to}"
    width = max(map(len, names.values()))
    for at, name in names.items():
        count = bins.get(at, 0)
        yield f"  {name:>{width}}  {percent(count / report.fights):>6}  {bar(count / most, 40)}".rstrip()


def _fates(report: Report, each: bool, colour: dict[str, str]) -> Table:
    table = plain_table("", "untouched", "wounded", "out", "dead", "puts out", "harm", "mostly")
    table.columns[-1].justify = "left"
    table.columns[-1].no_wrap = False
    rows = [(1, one) for one in report.combatants] if each else by_kind(report.combatants)
    for count, one in rows:
        fates = [percent(share, 0 if share in (0, 1) else 1) for _, share in one.fates]
        name = f"{one.id} ×{count}" if count > 1 else one.id
        table.add_row(Text(name, colour[one.side]), *fates, f"{one.downed:.2f}", f"{one.harm:.2f}", _mostly(one))
    return table


def _mostly(one: Combatant) -> str:
    kinds: dict[str, float] = {}
    for who, often in one.downs:
        kinds[who] = kinds.get(who, 0.0) + often
    best = sorted(kinds.items(), key=lambda pair: -pair[1])[:2]
    return ", ".join(f"{who} {often:.2f}" for who, often in best)


def disasters(side: Side, fights: int) -> Iterator[str]:
    """What can happen to a side at worst, in words."""
    dead = percent(side.at_least(1, True).share)
    if side.size == 1:
        yield f"{side.name}: falls in {percent(side.at_least(1).share)} of the fights, dies in {dead}."
        return
    yield (
        f"{side.name}: nobody lost in {percent(side.lost[0] / max(1, sum(side.lost)))} of the fights,"
        f" two or more in {percent(side.at_least(2).share)}, all {side.size} in {percent(side.at_least(side.size).share)};"
        f" somebody dead in {dead}, two or more in {percent(side.at_least(2, True).share)}."
    )
    worst = f"in the worst 1 % {_several(side.worst(), side.size)} lost and {_several(side.worst(True), side.size)} dead; "
    yield f"  {worst if fights >= 100 else ''}won, but with half of it lost, in {percent(side.dear.share)}."


def _several(count: int, size: int) -> str:
    return "nobody" if not count else f"all {size}" if count == size else f"{count} or more"


def _used(report: Report, each: bool) -> Any:
    """What ran low: points, rounds in weapons. None where nothing did."""
    rows = [(1, one) for one in report.combatants] if each else by_kind(report.combatants)
    names = list(dict.fromkeys(u.name for _, one in rows for u in one.used if u.mean))
    if not names:
        return None
    table = plain_table("used", *names)
    for count, one in rows:
        mine = {u.name: u for u in one.used}
        if not any(u.mean for u in one.used):
            continue
        cells = []
        for name in names:
            u = mine.get(name)
            if u is None:
                cells.append("")
                continue
            dry = f" (none left at the end: {percent(u.ran_out)})" if u.ran_out else ""
            cells.append(f"{u.mean:.1f}{f', {u.start} at a time' if u.mean > u.start else f' of {u.start}'}{dry}")
        table.add_row(f"{one.id} ×{count}" if count > 1 else one.id, *cells)
    return table
