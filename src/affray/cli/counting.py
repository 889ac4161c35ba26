"""What `simulate`, `balance`, `compare` and `sweep` share: percentages, outputs, progress, counting until there is enough."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click
from click.core import ParameterSource

from affray.errors import AffrayError, BadAnswer

if TYPE_CHECKING:
    from affray.simulate.tally import Batch, Tally

ALONE = "The fight is over before it begins: there are no two sides of which somebody can fight."
Stop = Literal["", "interrupted", "known", "hopeless"]
COMMANDLINE = ParameterSource.COMMANDLINE
LEAST = 100
"""Fights before anything is decided."""
LINE = 3.0
"""Seconds between lines of progress where they are not written over each other."""
HOPELESS = 50
"""Fights without a single decision after which there is no use in more."""


class Within(click.FloatRange):
    """A number between bounds; what is no number ('nan', 'inf') lies nowhere."""

    def convert(self, value: Any, param: Any, ctx: Any) -> Any:
        found = super().convert(value, param, ctx)
        if not isfinite(found):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return found


def percentage(text: str, option: str, high: float = 0.5) -> float:
    """'0.5%' as 0.005. Raises BadAnswer when it is no percentage below `high`."""
    from affray.formats.vary import share

    try:
        return share(text, high)
    except ValueError as wrong:
        raise BadAnswer(f"{option} {text!r}: {wrong}") from None


def outputs(files: Iterable[str], kinds: Sequence[str], what: str, kept: Iterable[str] = ()) -> None:
    """Files that are to be written, by their endings: what cannot be written is told before hours of work.

    `kept`: files that must not be written over. Raises AffrayError.
    """
    taken = {Path(file).resolve() for file in kept}
    for file in files:
        path = Path(file).resolve()
        if not file.lower().endswith(tuple(kinds)):
            raise AffrayError(f"{file}: {what} are written as {', '.join(kinds)}")
        if path in taken:
            raise AffrayError(f"{file}: this file is read or written for something else; name another")
        if wrong := unwritable(file):
            raise AffrayError(f"{file}: {wrong}")
        taken.add(path)


def unwritable(file: str | Path) -> str:
    """Why a file cannot be written, before anything is done for it; '' if it can."""
    path = Path(file).resolve()
    if not path.parent.is_dir():
        return f"there is no directory {path.parent}"
    return "cannot be written to" if path.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK) else ""


def picture(file: str | None) -> None:
    """Raises AffrayError when no picture can be written to this file, if there is to be one."""
    if file is None:
        return
    from importlib.util import find_spec

    from affray.simulate.charts import KINDS

    outputs([file], KINDS, "pictures")
    if find_spec("matplotlib") is None:
        raise AffrayError("pictures need matplotlib: pip install 'affray[plot]'")


def csv_text(head: Sequence[Any], lines: Iterable[Sequence[Any]]) -> str:
    """A table as comma-separated values; numbers in full, so that equal tables are equal texts."""
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([head, *lines])
    return text.getvalue()


def fights_told(count: int) -> str:
    """'1 fight', '2,000 fights'."""
    return f"{count:,} fight{'s' if count != 1 else ''}"


def settings(given: tuple[str, ...], option: str = "--with") -> list[tuple[str, Any]]:
    """PATH=VALUE, each with one value. Raises DataError."""
    from affray.errors import DataError, Problem
    from affray.formats.vary import parse

    found = []
    for text in given:
        path, values = parse(text, option)
        if len(values) != 1:
            raise DataError([Problem(f"{text!r}: one value is expected", key=option)])
        found.append((path, values[0]))
    return found


def one_form(as_json: bool, as_csv: bool) -> None:
    """Raises UsageError when both are asked for."""
    if as_json and as_csv:
        raise click.UsageError("--json and --csv are two forms of one answer; ask for one of them.")


def useless(names: Sequence[str], why: str) -> None:
    """Raises UsageError when one of these parameters was given on the command line, where nothing would come of it."""
    ctx = click.get_current_context()
    given = [p for p in ctx.command.params if p.name in names and ctx.get_parameter_source(p.name) is COMMANDLINE]
    if given:
        called = ", ".join(p.opts[0] if isinstance(p, click.Option) else p.human_readable_name for p in given)
        raise click.UsageError(f"{called} would be ignored: {why}")


def once(made: Iterable[tuple[str, str]], policies: Iterable[str] = ()) -> None:
    """Nothing may be set twice, since one of the two would be ignored: paths with the option that names them, and --policy.

    Raises DataError.
    """
    from affray.errors import DataError, Problem
    from affray.formats.vary import place

    seen: dict[str, str] = {}
    named = [*((f"{option} {path}", place(path)) for option, path in made)]
    named += [(f"--policy {text.partition('=')[0]}", place("policy." + text.partition("=")[0])) for text in policies]
    for words, where in named:
        if where in seen:
            raise DataError([Problem(f"{seen[where]} sets the same; leave one of them out", key=words)])
        seen[where] = words


class Progress:
    """One line on the error stream that is written over and over. Where that is no terminal: nothing, or with `lines` a line
    now and then."""

    def __init__(self, lines: bool = False) -> None:
        self.shown = time.monotonic()
        self.began = self.shown
        self.seen = sys.stderr.isatty()
        self._lines, self._width = lines, 0

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *exc: object) -> None:
        if self.seen and self._width:
            click.echo("\r" + " " * self._width + "\r", nl=False, err=True)

    def due(self) -> bool:
        wait = 0.3 if self.seen else LINE
        return (self.seen or self._lines) and time.monotonic() - self.shown > wait

    def tell(self, text: str, share: float = 0.0) -> None:
        """`share`: how much is done, for a guess at the time that is left."""
        self.shown = time.monotonic()
        left = (self.shown - self.began) * (1 - share) / share if share > 0 else 0.0
        if left >= 1:
            text += f", {left:.0f} s left" if left < 100 else f", {left / 60:.0f} min left"
        if not self.seen:
            click.echo(text, err=True)
            return
        click.echo("\r" + text.ljust(self._width), nl=False, err=True)
        self._width = len(text)


def count(source: Iterator[Batch], tally: Tally, fights: int, within: float) -> Stop:
    """Take fights from the source until there are enough; why it stopped."""
    with Progress() as progress:
        try:
            for batch in source:
                tally.take(batch)
                if progress.due():
                    chance = ", ".join(f"{side} {100 * tally.share(side).share:.1f} %" for side in tally.sides)
                    progress.tell(f"{tally.fights:,} of {fights:,} fights: {chance}", tally.fights / fights)
                if tally.hopeless and tally.fights >= HOPELESS:
                    return "hopeless"
                if within and tally.fights >= LEAST and tally.known(within):
                    return "known"
        except KeyboardInterrupt:
            return "interrupted"
    return ""
