"""`affray demo`: a sample fight, and what to try next."""

from __future__ import annotations

import click


@click.command("demo")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=None, help="Another seed, another fight.")
def command(seed: int | None) -> None:
    """Run a sample fight and say what to try next."""
    from importlib.resources import as_file, files

    from affray.cli.fight import play_out
    from affray.formats.encounter import load_fight

    with as_file(files("affray.cli").joinpath("demo.toml")) as path:
        fight = load_fight(path)
    code = play_out(fight, fight.seed if seed is None else seed, (), None)
    click.echo(NEXT)
    raise SystemExit(code)


NEXT = """
Try next:
  affray demo --seed 7                         the same people, other dice
  affray fight examples/rond6-5v5.toml         a bigger fight from a file; its log is saved
  affray log rond6-5v5-1.jsonl --verify        run the saved fight again and compare
  affray play examples/rond6-tavern.toml       run a fight yourself, with your own dice if you like
  affray simulate examples/rond6-noon.toml     how often does who win?
  affray odds test 5D+1 --difficulty 15        the exact chance of a roll
  affray check examples/*.toml                 every problem of your own files at once
  affray rules rond6 RON-ATK-4                 the rule behind a number
"""
