"""How the table looks: no line is cut or too long, in any width, and plain text says as much as columns do."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from cli.playing import GATE, ROOT, script, table
from rich.console import Console

from affray.table.layout import SIDES, STYLES, Printer, plain, wrapped
from affray.table.lines import Line
from affray.table.screen import Screen

EXAMPLES = sorted((ROOT / "examples").glob("*.toml"))


def printed(out: list[Line | Screen], width: int, height: int = 24) -> list[str]:
    """What a terminal of that size shows, without colours."""
    file = io.StringIO()
    Printer(Console(file=file, width=width, height=height, force_terminal=False, highlight=False)).show(out)
    return file.getvalue().splitlines()


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_line_is_too_long_and_no_word_is_lost(tmp_path: Path, width: int) -> None:
    session = table(tmp_path, GATE, "typed=Travellers")
    for line in script():
        out = session.take(line)
        for shown in printed(out, width, 50 if width == 200 else 24):
            assert len(shown) <= width, (line, shown)
        for one in out:
            if isinstance(one, Line):
                assert " ".join(wrapped(one, width)).split() == one.text.split()


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("size", [(80, 24), (200, 50)], ids=["80x24", "200x50"])
def test_every_example_opens_and_its_screen_fits(tmp_path: Path, file: Path, size: tuple[int, int]) -> None:
    session = table(tmp_path, file)
    session.take("rest")
    screen = session.screen()
    lines = printed([screen], *size)
    assert all(len(line) <= size[0] for line in lines)
    text = "\n".join(lines)
    for row in screen.rows:
        assert row.name in text
    for action in screen.actions:
        assert action.verb in text
    assert len(list(plain([screen]))) >= len(screen.rows)


def luminance(colour: str) -> float:
    """Relative luminance of #rrggbb."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_colours_read_on_a_dark_ground_and_on_a_light_one() -> None:
    """At least 4 : 1 against black and against white; more than 4.58 : 1 on both is not possible."""
    colours = {*SIDES, *(word for style in STYLES.values() for word in style.split() if word.startswith("#"))}
    for colour in colours:
        light = luminance(colour)
        assert (light + 0.05) / 0.05 >= 4, (colour, "on black")
        assert 1.05 / (light + 0.05) >= 4, (colour, "on white")
