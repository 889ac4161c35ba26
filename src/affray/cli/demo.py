"""`affray demo`: a sample fight on the page, or in this terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from affray.web.hall import Hall

SAMPLE = "rond6-6v10"


@click.command("demo")
@click.option("--terminal", is_flag=True, help="Run a fight in this terminal instead of showing the page.")
@click.option("--sample", default=SAMPLE, show_default=True, metavar="NAME", help="Which sample the page shows.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=None, help="In the terminal: another seed, another fight.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port of the page; a free one unless stated.")
@click.option("--lan", is_flag=True, help="Let the phones around the table in.")
@click.option("--no-open", is_flag=True, help="Open no browser.")
def command(terminal: bool, sample: str, seed: int | None, port: int, lan: bool, no_open: bool) -> None:
    """Show the page with a sample fight, ready to be played; nothing of it is kept.

    With --terminal (or --seed): run a sample fight here and say what to try next.
    """
    if terminal or seed is not None:
        from affray.cli.counting import useless

        useless(("sample", "port", "lan", "no_open"), f"{'--terminal' if terminal else '--seed'} shows no page.")
    raise SystemExit(in_terminal(seed) if terminal or seed is not None else on_page(sample, port, lan, not no_open))


def on_page(sample: str, port: int, lan: bool, browser: bool) -> int:
    """The page until Ctrl-C. Returns the exit code."""
    from tempfile import TemporaryDirectory

    from affray.formats import samples
    from affray.formats.draft import whole
    from affray.web.serve import serve

    source = whole(samples.path(sample))

    async def prepare(hall: Hall) -> str:
        ruleset = next(one.ruleset for one in samples.samples() if one.name == sample)
        campaign = await hall.make_campaign("Sample fights", ruleset)
        return f"/f/{await hall.begin_source(campaign['id'], source)}"

    with TemporaryDirectory(prefix="affray-demo-") as folder:
        return serve(folder, port=port, lan=lan, browser=browser, prepare=prepare)


def in_terminal(seed: int | None) -> int:
    """A fight played out in lines. Returns the exit code."""
    from importlib.resources import as_file, files

    from affray.cli.fight import play_out
    from affray.formats.encounter import load_fight

    with as_file(files("affray.cli").joinpath("demo.toml")) as path:
        fight = load_fight(path)
    code = play_out(fight, fight.seed if seed is None else seed, (), None)
    click.echo(NEXT)
    return code


NEXT = """
Try next:
  affray demo                                  the page with a bigger fight, for you to play
  affray serve --lan                           the page for your own table, phones included
  affray demo --seed 7                         the same people, other dice
  affray fight examples/rond6-5v5.toml         a bigger fight from a file; its log is saved
  affray log rond6-5v5-1.jsonl --verify        run the saved fight again and compare
  affray play examples/rond6-tavern.toml       run a fight yourself, with your own dice if you like
  affray simulate examples/rond6-noon.toml     how often does who win?
  affray odds test 5D+1 --difficulty 15        the exact chance of a roll
  affray check examples/*.toml                 every problem of your own files at once
  affray rules rond6 RON-ATK-4                 the rule behind a number
"""
