"""How lines and screens look: plain text for pipes and screen readers, columns and colour for a terminal.

Colours lie in the middle between black and white, so that they read on a dark ground and on a light one. Sides differ in
shape as well. Nothing is ever cut: what does not fit in a line goes on in the next one.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from rich.console import Console
from rich.text import Text

from affray.table.lines import Line
from affray.table.screen import Action, Row, Screen

SIDES = ("#3b7dd8", "#d2452f", "#2f8f4e", "#a35bd6", "#a86f12", "#1f8a94")
STYLES = {
    "entry": "bold",
    "event": "",
    "bad": "#d2452f",
    "head": "bold",
    "note": "#7a7a7a",
    "ask": "bold #3b7dd8",
    "option": "",
    "total": "bold",
    "screen": "",
    "": "",
}
MARKS = {">": "▶", "=": "▷", "": " ", "-": "✓", "x": "✕"}
WORDS = {">": "now", "=": "may act too", "": "to act", "-": "has acted", "x": "out"}
MARK_STYLES = {">": "bold", "=": "bold", "x": "#7a7a7a"}
RULE = r"\[[A-Z0-9]+(-[A-Z0-9]+)+\]"
"""Rule ids stand back, so that the sentence reads on its own."""
MANY = 6
"""Options of a question up to which each has a line of its own."""
LEAST = 26
"""A column narrower than this is not made."""


def wrapped(line: Line, width: int) -> list[str]:
    """A line broken at words, the later parts set in."""
    if len(line.text) <= width:
        return [line.text]
    hang = " " * min(line.hang or 2, width // 3)
    return textwrap.wrap(line.text, width, subsequent_indent=hang, replace_whitespace=False, break_on_hyphens=False) or [""]


# ---- plain text


def plain(out: Iterable[Line | Screen]) -> Iterator[str]:
    """Everything as unbroken lines, without colours and without drawing."""
    for one in out:
        if isinstance(one, Screen):
            yield from plain_screen(one)
        else:
            yield f"! {one.text.lstrip()}" if one.kind == "bad" else one.text


def plain_screen(screen: Screen) -> Iterator[str]:
    """A screen under headings."""
    yield f"== {screen.title} · {screen.where}"
    for row in screen.rows:
        score = f" {row.score}" if row.score else ""
        yield f"  {row.name} ({row.party}){score}: {WORDS[row.mark]}, {row.state}"
    if screen.distances:
        yield f"  distances: {'; '.join(screen.distances)}"
    if screen.now:
        yield f"{screen.now}: {screen.left}" if screen.left else screen.now
    for action in screen.actions:
        yield (
            f"  {action.number} {action.verb}"
            + (f" ({action.cost})" if action.cost else "")
            + (f": {action.text}" if action.text else "")
        )
    yield "; ".join(part for part in (_refused(screen), screen.hint) if part)


def _refused(screen: Screen) -> str:
    return f"{screen.refused} refused now (refused tells why)" if screen.refused else ""


# ---- a terminal


class Printer:
    """Prints on a rich console."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def show(self, out: Iterable[Line | Screen]) -> None:
        for kind, some in groupby(out, key=lambda one: "screen" if isinstance(one, Screen) else one.kind):
            listed = list(some)
            cells = [one.text for one in listed if isinstance(one, Line)]
            if kind == "option" and len(cells) > MANY:
                self.cells(cells)
                continue
            for one in listed:
                if isinstance(one, Screen):
                    self.screen(one)
                else:
                    self.line(one)

    def line(self, line: Line) -> None:
        """One line, broken where it has to be."""
        if line.kind == "bad":
            line = line._replace(text=f"! {line.text.lstrip()}")
        for part in wrapped(line, self.console.width):
            text = Text(part, STYLES[line.kind])
            if line.kind in ("event", "ask", ""):
                text.highlight_regex(RULE, STYLES["note"])
            self.put(text)

    def put(self, text: Text) -> None:
        self.console.print(text, soft_wrap=True, highlight=False)

    def screen(self, screen: Screen) -> None:
        """Title, order beside the map or the distances, then what can be done."""
        width = self.console.width
        title = f"── {screen.title} · {screen.where} "
        self.put(Text(title + "─" * max(0, width - len(title)) if len(title) < width else title, "bold"))
        columns = self._right(screen, width)
        room = width - sum(max(len(line.plain) for line in column) + 3 for column in columns)
        left = [line for row in screen.rows for line in self._row(row, screen.rows, room)]
        room = min(room, max((len(line.plain) for line in left), default=0) + 2)
        for number in range(max(map(len, (left, *columns)))):
            text = left[number] if number < len(left) else Text("")
            wide = room
            for column in columns:
                right = column[number] if number < len(column) else Text("")
                text = Text.assemble(text, " " * max(0, wide - len(text.plain)), ("│ ", STYLES["note"]), right)
                wide += max(len(line.plain) for line in column) + 3
            self.put(text)
        if not columns and screen.distances:
            self.line(Line(f"distances: {'; '.join(screen.distances)}", "note", 11))
        self._now(screen, width)

    def _right(self, screen: Screen, width: int) -> list[list[Text]]:
        """The map and the distances, as far as there is room beside the order."""
        need = max(LEAST, max((len(row.name) for row in screen.rows), default=0) + 20)
        tall = max(len(screen.rows) + 3, self.console.height - 6 - min(len(screen.actions), 8))
        found: list[list[Text]] = []
        for lines in ([self._map_line(line, screen) for line in screen.map], [Text(line) for line in screen.distances]):
            wide = max((len(line.plain) for line in lines), default=0) + 3
            if lines and need + wide <= width and len(lines) <= tall and (not found or width >= 120):
                found.append(lines)
                need += wide
        return found

    def _map_line(self, line: str, screen: Screen) -> Text:
        text = Text(line)
        for token, side in screen.tokens:
            at = line.find(token, 3)
            if at >= 0:
                text.stylize(f"bold {SIDES[side % len(SIDES)]}", at, at + len(token))
        return text

    def _row(self, row: Row, rows: Sequence[Row], room: int) -> list[Text]:
        """Somebody in the order; the state goes on below where it is long."""
        name = max(len(one.name) for one in rows)
        score = max(len(one.score) for one in rows)
        head = len("▶ ● ") + name + score + 3
        words = textwrap.wrap(row.state, max(12, room - head), break_on_hyphens=False) or [""]
        style = MARK_STYLES.get(row.mark, "")
        first = Text.assemble(
            (f"{MARKS[row.mark]} ", "bold"),
            (f"{row.shape} ", SIDES[row.side % len(SIDES)]),
            (f"{row.name:<{name}} {row.score:>{score}}  ", style),
            (words[0], style),
        )
        return [first, *(Text(" " * head + word, style) for word in words[1:])]

    def _now(self, screen: Screen, width: int) -> None:
        if screen.now:
            self.put(Text("─" * width, STYLES["note"]))
            self.line(Line(f"{screen.now}: {screen.left}" if screen.left else screen.now, "head", 4))
        room = self.console.height - len(screen.rows) - 6
        if len(screen.actions) <= max(6, room):
            verb = max((len(action.verb) for action in screen.actions), default=0)
            cost = max((len(action.cost) for action in screen.actions), default=0)
            for a in screen.actions:
                self.line(Line(f"{a.number:>3} {a.verb:<{verb}}  {a.cost:<{cost}}  {a.text}".rstrip(), "option", verb + cost + 8))
        else:
            self._grid(screen.actions)
        if told := "; ".join(part for part in (_refused(screen), screen.hint) if part):
            self.line(Line(told, "note", 2))

    def _grid(self, actions: Sequence[Action]) -> None:
        """Many actions, side by side, without their explanation."""
        cells = [f"{a.number:>3} {a.verb}" + (f" ({a.cost})" if a.cost else "") for a in actions]
        self.cells(cells)

    def cells(self, cells: Sequence[str]) -> None:
        """Short texts side by side, in columns from top to bottom."""
        for across in range(len(cells), 0, -1):
            down = -(-len(cells) // across)
            columns = [cells[at : at + down] for at in range(0, len(cells), down)]
            wide = [max(map(len, column)) + 2 for column in columns]
            if across == 1 or sum(wide) - 2 <= self.console.width:
                break
        for row in range(down):
            some = [(column[row], width) for column, width in zip(columns, wide, strict=True) if row < len(column)]
            self.line(Line("".join(cell.ljust(width) for cell, width in some).rstrip(), "option", 4))
