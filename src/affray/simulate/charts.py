"""Pictures of simulations and advice, by matplotlib. Loaded only when a picture is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from affray.errors import AffrayError
from affray.simulate.report import Report, by_kind

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = (".png", ".svg", ".pdf")
COLOURS = ("#1b6ca8", "#d1731b", "#8a4f9e", "#3f8f4f", "#7a7a7a")
FATE_COLOURS = ("#bcd9c4", "#f2d16b", "#d98a5a", "#8c3b3b")
Point = tuple[Any, float, float, float]
"""Place on the axis, share, and the ends of its interval."""


def _figure(width: float, height: float) -> Figure:
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _saved(figure: Figure, path: str) -> None:
    try:
        figure.savefig(path, dpi=120)
    except OSError as wrong:
        raise AffrayError(f"{path}: {wrong.strerror or wrong}") from None


def simulation(report: Report, title: str, path: str) -> None:
    """Chances, rounds, losses of each side and fates of each combatant."""
    rows = [(1, one) for one in report.combatants] if len(report.combatants) <= 24 else list(by_kind(report.combatants))
    figure = _figure(11, 4.6 + 0.28 * len(rows))
    grid = figure.add_gridspec(2, 2, height_ratios=(3.2, 1.4 + 0.28 * len(rows)))
    figure.suptitle(f"{title or 'A fight'}: {report.fights:,} fights")
    _chances(figure.add_subplot(grid[0, 0]), report)
    _rounds(figure.add_subplot(grid[0, 1]), report)
    _fates(figure.add_subplot(grid[1, 0]), rows)
    _losses(figure.add_subplot(grid[1, 1]), report)
    _saved(figure, path)


def _chances(panel: Any, report: Report) -> None:
    rows = [(side.name, side.win) for side in report.sides]
    rows += [(name, share) for name, share in (("nobody", report.nobody), ("undecided", report.undecided)) if share.count]
    for at, (_, share) in enumerate(rows):
        colour = COLOURS[at % len(COLOURS)] if at < len(report.sides) else "#aaaaaa"
        spread = [[100 * (share.share - share.low)], [100 * (share.high - share.share)]]
        panel.barh([at], [100 * share.share], xerr=spread, color=colour, capsize=3)
        panel.text(1, at, f"{100 * share.share:.1f} %", va="center", color="white" if share.share > 0.12 else "black")
    panel.set_yticks(range(len(rows)), [name for name, _ in rows])
    panel.invert_yaxis()
    panel.set_xlim(0, 100)
    panel.set_xlabel("% of the fights")
    panel.set_title("Who wins")


def _rounds(panel: Any, report: Report) -> None:
    end = report.round_by(0.995)
    shown = [(number, fights) for number, fights in report.rounds if number <= end]
    panel.bar([n for n, _ in shown], [100 * k / max(1, report.fights) for _, k in shown], width=0.9, color="#6b7f8f")
    panel.axvline(report.mean_rounds, color="black", linestyle=":", label=f"mean {report.mean_rounds:.1f}")
    panel.legend()
    panel.set_xlabel("round in which the fight ends")
    panel.set_ylabel("%")
    panel.set_title("How long it takes")


def _fates(panel: Any, rows: Sequence[tuple[int, Any]]) -> None:
    names = [f"{one.id} ×{count}" if count > 1 else one.id for count, one in rows]
    left = [0.0] * len(rows)
    for at, (fate, _) in enumerate(rows[0][1].fates):
        shares = [100 * one.fates[at][1] for _, one in rows]
        panel.barh(range(len(rows)), shares, left=left, color=FATE_COLOURS[at], label=fate)
        left = [a + b for a, b in zip(left, shares, strict=True)]
    panel.set_yticks(range(len(rows)), names)
    panel.invert_yaxis()
    panel.set_xlim(0, 100)
    panel.set_xlabel("% of the fights")
    panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.16 - 0.3 / len(rows)), ncols=4, frameon=False)
    panel.set_title("What becomes of each")


def _losses(panel: Any, report: Report) -> None:
    width = 0.8 / len(report.sides)
    most = max(side.size for side in report.sides)
    for at, side in enumerate(report.sides):
        total = max(1, sum(side.lost))
        places = [k - 0.4 + width * (at + 0.5) for k in range(side.size + 1)]
        panel.bar(places, [100 * k / total for k in side.lost], width=width, color=COLOURS[at % len(COLOURS)], label=side.name)
    panel.set_xticks(range(0, most + 1, max(1, most // 10)))
    panel.set_xlabel("put out or killed")
    panel.set_ylabel("% of the fights")
    panel.legend()
    panel.set_title("What a side loses")


def curves(
    series: Sequence[tuple[str, Sequence[Point]]],
    path: str,
    title: str = "",
    across: str = "",
    up: str = "% won",
    target: float | None = None,
) -> None:
    """One line with intervals for each series, over numbers or names."""
    figure = _figure(8, 5)
    panel = figure.add_subplot()
    places = list(dict.fromkeys(point[0] for _, points in series for point in points))
    numeric = all(isinstance(place, int | float) and not isinstance(place, bool) for place in places)
    for at, (name, points) in enumerate(series):
        x = [p[0] if numeric else places.index(p[0]) for p in points]
        y = [100 * p[1] for p in points]
        spread = [[100 * (p[1] - p[2]) for p in points], [100 * (p[3] - p[1]) for p in points]]
        colour = COLOURS[at % len(COLOURS)] if len(series) <= len(COLOURS) else None
        panel.errorbar(x, y, yerr=spread, marker="o", capsize=3, label=name, color=colour)
    if not numeric:
        panel.set_xticks(range(len(places)), [str(place) for place in places], rotation=20 if len(places) > 5 else 0)
    elif all(isinstance(place, int) for place in places):
        from matplotlib.ticker import MaxNLocator

        panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    if target is not None:
        panel.axhline(100 * target, color="black", linestyle=":", label=f"target {100 * target:g} %")
    panel.set_ylim(-2, 102)
    panel.set_xlabel(across)
    panel.set_ylabel(up)
    panel.grid(alpha=0.3)
    if len(series) > 1 or target is not None:
        panel.legend(fontsize="small")
    panel.set_title(title)
    _saved(figure, path)
