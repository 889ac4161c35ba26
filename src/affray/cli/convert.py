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

    if force and out is None:
        raise click.UsageError("--force would be ignored: nothing is written without --out.")
    if out is not None:
        _check_output(out, force)
    text, notes = convert(file, target)
    if out is not None:
        path = Path(out)
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


def _check_output(out: str, force: bool) -> None:
    """Whether the new file can be written, before anything is read. Raises AffrayError."""
    from affray.cli.counting import unwritable
    from affray.errors import AffrayError

    path = Path(out)
    if path.is_dir():
        raise AffrayError(f"{out}: this is a directory; name a file")
    if path.exists() and not force:
        raise AffrayError(f"{out} exists already; --force overwrites it")
    if wrong := unwritable(out):
        raise AffrayError(f"{out}: {wrong}")
