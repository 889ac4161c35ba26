"""Many cells of a grid, each a fight played many times: on all cores or on a cluster, and never the same cell twice.

A cell is known by a digest of all that it depends on, so results that were kept serve again, whatever else of the grid has
changed. What a cell comes to depends on nothing but the cell: not on the machine, the order, or what was interrupted.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from typing import Any

import msgspec
from msgspec import Struct

from affray import __version__
from affray.errors import AffrayError
from affray.ruleset import find
from affray.simulate.run import Fights
from affray.simulate.tally import Tally
from affray.simulate.workers import Workers, let_go

ATTEMPTS = 4
"""How often a cell is tried when the process that plays it dies."""
LEAST = 100
"""Fights before the stop rule is asked."""
BLOCK = 1000
"""The stop rule is asked after so many fights in tables, so that the result depends on the cell alone."""


class Cell(Struct, frozen=True):
    """One fight to play. `policies`: (side or combatant, name); `within`: stop when chances are known this well; 0: never."""

    ruleset: str
    state: Any
    policies: tuple[tuple[str, str], ...]
    fights: int
    within: float
    seed: int
    rounds: int
    live: bool

    def key(self) -> str:
        """Digest of everything that the result depends on."""
        return hashlib.sha256(msgspec.json.encode((__version__, self))).hexdigest()[:32]


class SideRow(Struct, frozen=True):
    """What a cell comes to for one side."""

    name: str
    won: int
    win: float
    low: float
    high: float
    lost_mean: float
    dead_mean: float


class Row(Struct, frozen=True):
    """What a cell comes to. `seconds` of processor time are no part of the result."""

    key: str
    fights: int
    how: str
    mean_rounds: float
    undecided: float
    nobody: float
    sides: tuple[SideRow, ...]
    seconds: float = 0.0

    def side(self, name: str) -> SideRow | None:
        return next((one for one in self.sides if one.name == name), None)


def play(cell: Cell) -> Row:
    """All fights of a cell, in this process."""
    began = time.process_time()
    fights = Fights(find(cell.ruleset), cell.state, dict(cell.policies), cell.rounds, cell.live, Workers(1))
    tally = Tally(fights.roster)
    for batch in fights.run(cell.seed, cell.fights, batch=BLOCK if cell.within else 50_000):
        tally.take(batch)
        if cell.within and tally.fights >= LEAST and tally.known(cell.within):
            break
        if tally.hopeless and tally.fights >= LEAST:
            break
    report = tally.report(cell.seed, fights.how, 0.0)
    sides = tuple(
        SideRow(s.name, s.win.count, s.win.share, s.win.low, s.win.high, s.mean(), s.mean(dead=True)) for s in report.sides
    )
    spent = time.process_time() - began
    undecided, nobody = report.undecided.share, report.nobody.share
    return Row(cell.key(), report.fights, fights.how, report.mean_rounds, undecided, nobody, sides, spent)


def played(
    cells: Iterable[Cell], start: Callable[[], Executor], ahead: int, attempts: int = ATTEMPTS, work: Callable[[Cell], Row] = play
) -> Iterator[Row]:
    """The rows of cells as they are finished, in no order. `start` makes an executor, again when one has broken down.

    At most `ahead` cells are handed out at a time. Raises AffrayError when a cell cannot be played anywhere.
    """
    source = iter(cells)
    executor = start()
    running: dict[Future[Row], tuple[Cell, int]] = {}
    again: list[tuple[Cell, int]] = []
    try:
        while True:
            while len(running) < ahead and (job := again.pop() if again else _next(source)) is not None:
                running[executor.submit(work, job[0])] = job
            if not running:
                return
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            broken = False
            for future in done:
                cell, tries = running.pop(future)
                wrong = future.exception() if not future.cancelled() else CancelledError("the executor gave it back")
                if wrong is None:
                    yield future.result()
                elif not _lost(wrong):
                    raise wrong
                elif tries + 1 >= attempts:
                    raise AffrayError(f"a cell could not be played, though tried {attempts} times: {wrong!r}") from wrong
                else:
                    again.append((cell, tries + 1))
                    broken = broken or isinstance(wrong, BrokenExecutor)
            if broken:
                again += [(cell, tries + 1) for cell, tries in running.values()]
                running.clear()
                let_go(executor)
                executor = start()
    finally:
        for future in running:
            future.cancel()
        let_go(executor)


def _lost(wrong: BaseException) -> bool:
    """The process that played it is gone, or cannot be reached; the cell itself is not to blame."""
    return isinstance(wrong, BrokenExecutor | CancelledError | OSError) or type(wrong).__module__.startswith("distributed")


def _next(source: Iterator[Cell]) -> tuple[Cell, int] | None:
    cell = next(source, None)
    return None if cell is None else (cell, 0)


class Here(Executor):
    """Everything in this process, at once: for one core, and to look into."""

    def submit(self, work: Callable[..., Any], /, *args: Any, **more: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(work(*args, **more))
        except Exception as wrong:
            future.set_exception(wrong)
        return future


def table(columns: tuple[str, ...], cells: Iterable[tuple[tuple[Any, ...], Row]]) -> tuple[list[str], list[list[Any]]]:
    """The one result table: a line for each cell and side. `cells`: the values in the columns, and the row."""
    from affray.formats.grid import COLUMNS  # loads what a worker has no use for

    head = [*columns, *COLUMNS[1:]]
    lines = []
    for values, row in cells:
        for s in row.sides:
            numbers = [row.fights, s.win, s.low, s.high, s.lost_mean, s.dead_mean, row.mean_rounds, row.undecided]
            lines.append([*values, s.name, *numbers, row.how])
    return head, lines
