"""Charts as pictures. The only module that loads matplotlib; nothing else may import it except when a picture is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from affray.errors import AffrayError
from affray.odds.distribution import Distribution

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = (".png", ".svg", ".pdf")
NEGLIGIBLE = 0.0001


def bars(all_odds: Sequence[Distribution], path: str | None = None, title: str = "") -> Figure:
    """One panel a distribution, bars in per cent. Raises AffrayError if matplotlib is missing or `path` is of no known kind."""
    figure = _figure(len(all_odds), path)
    for number, odds in enumerate(all_odds):
        panel = figure.add_subplot(len(all_odds), 1, number + 1)
        shown = [(value, 100 * float(weight / odds.whole)) for value, weight in odds.outcomes]
        if odds.numeric:
            shown = [pair for pair in shown if pair[1] >= 100 * NEGLIGIBLE]
            panel.bar([value for value, _ in shown], [share for _, share in shown], color="#36648b")
        else:
            places = range(len(shown))
            panel.barh(places, [share for _, share in shown], color="#36648b")
            panel.set_yticks(places, [str(value) for value, _ in shown])
            panel.invert_yaxis()
        (panel.set_ylabel if odds.numeric else panel.set_xlabel)("%")
        panel.set_title(odds.name)
    return _done(figure, path, title)


def lines(name: str, across: Sequence[Any], series: Sequence[tuple[str, Sequence[float]]], path: str | None = None) -> Figure:
    """One line a series over the same places."""
    figure = _figure(1, path)
    panel = figure.add_subplot(1, 1, 1)
    for label, shares in series:
        panel.plot(list(across), [100 * share for share in shares], marker="o", label=label)
    panel.set_ylabel("%")
    if len(series) > 1:
        panel.legend()
    return _done(figure, path, name)


def _figure(panels: int, path: str | None) -> Figure:
    if path is not None and not path.lower().endswith(KINDS):
        raise AffrayError(f"{path}: pictures are written as {', '.join(KINDS)}")
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise AffrayError("pictures need matplotlib: pip install 'affray[plot]'") from None
    return Figure(figsize=(7, max(3, 2.6 * panels)), layout="constrained")


def _done(figure: Figure, path: str | None, title: str) -> Figure:
    if title:
        figure.suptitle(title)
    if path is not None:
        try:
            figure.savefig(path)
        except OSError as wrong:
            raise AffrayError(f"{path}: {wrong.strerror or wrong}") from None
    return figure
