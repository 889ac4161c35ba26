"""`affray schema`: JSON Schema of the files that people write, for editors and other programs."""

from __future__ import annotations

import json

import click


@click.command("schema")
@click.argument("what", type=click.Choice(["encounter", "case", "grid"]))
@click.option("--ruleset", help="With the sheet of this ruleset only; otherwise of any.")
def command(what: str, ruleset: str | None) -> None:
    """Print the JSON Schema of encounter, case or grid files."""
    from affray.formats.schema import case_schema, encounter_schema

    if what == "grid":
        if ruleset is not None:
            raise click.UsageError("--ruleset would be ignored: grid files are the same for every ruleset.")
        from affray.formats.grid import schema

        found = schema()
    else:
        found = encounter_schema(ruleset) if what == "encounter" else case_schema(ruleset)
    click.echo(json.dumps(found, indent=2, ensure_ascii=False))
