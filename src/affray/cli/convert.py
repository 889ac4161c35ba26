"""`affray convert`: an encounter of one D6 edition as a file of the other."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click


@click.command("convert")
@click.argument("file", type=click.Path())
@click.option("--to", "target", type=click.Choice(["rond6", "rd6"]), required=True, help="The edition to convert to.")
@click.option("--out", "-o", type=click.Path(), help="Where to write the new file; otherwise it is printed.")
@click.option("--force", is_flag=True, help="Overwrite a file that exists.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object: the text, and what has no counterpart.")
def command(file: str, target: str, out: str | None, force: bool, as_json: bool) -> None:
    """Move the encounter in FILE to the other D6 edition. What has no counterpart is told, and left out."""
    from affray.formats.convert import convert, lines

    text, notes = convert(file, target)
    if out is not None:
        path = Path(out)
        if path.exists() and not force:
            click.echo(f"{out} exists already; --force overwrites it", err=True)
            sys.exit(2)
        try:
            path.write_text(text, encoding="utf-8")
        except OSError as wrong:
            click.echo(f"{out} cannot be written: {wrong.strerror}", err=True)
            sys.exit(2)
    if as_json:
        click.echo(json.dumps({"to": target, "text": text, "left_out": list(notes)}, indent=2, ensure_ascii=False))
        return
    if out is None:
        click.echo(text, nl=not text.endswith("\n"))
    for line in lines(notes):
        click.echo(line, err=True)
