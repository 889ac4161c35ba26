"""`affray check`: every problem of encounter, case and grid files at once."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import Any

import click

from affray.errors import DataError, Problem


@click.command("check")
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One JSON object for all files.")
def command(files: tuple[str, ...], as_json: bool) -> None:
    """Find every problem in encounter, case and grid FILES.

    Each problem names the file, the line and the key, what is allowed there, and the nearest name.
    """
    found = [_checked(file) for file in files]
    if as_json:
        click.echo(json.dumps({"files": [_plain(*one) for one in found]}, indent=2, ensure_ascii=False))
    else:
        for file, told, problems in found:
            if problems:
                for problem in problems:
                    click.echo(str(problem), err=True)
                click.echo(f"{file}: {len(problems)} problem{'s' if len(problems) > 1 else ''}")
            else:
                click.echo(f"{file}: fine ({told})")
    if any(problems for _, _, problems in found):
        sys.exit(2)


def _checked(file: str) -> tuple[str, str, tuple[Problem, ...]]:
    from affray.formats.case import load_cases
    from affray.formats.encounter import load_fight
    from affray.formats.toml import load

    try:
        data = load(file).data
        if "case" in data or "cast" in data:
            cases = load_cases(file)
            return file, f"{len(cases)} case{'s' if len(cases) > 1 else ''}", ()
        if "files" in data:
            from affray.formats.grid import load_grid

            count = len(load_grid(file).cells)
            return file, f"a grid of {count} cell{'s' if count > 1 else ''}", ()
        if data and (part := _part(data)):
            return file, f"{part}; what it says is checked where it is used", ()
        fight = load_fight(file)
    except DataError as error:
        return file, "", error.problems
    count, sides = len(fight.state.fighters), len(fight.sides)
    return file, f"{fight.ruleset.title}, {count} combatant{'s' if count > 1 else ''}, {sides} side{'s' if sides > 1 else ''}", ()


def _part(data: dict[str, Any]) -> str:
    """What a file is that only another file uses: a sheet or a cast; '' for an encounter."""
    people = data.get("combatant")
    if "ruleset" in data or "side" in data:
        return ""
    if isinstance(people, list) and all(isinstance(one, dict) and "name" in one and "side" not in one for one in people):
        return f"a cast of {len(people)}"
    sheet = {"attributes", "skills", "weapons", "armor", "template", "sheet", "upp"}
    return "a sheet" if people is None and sheet & data.keys() else ""


def _plain(file: str, told: str, problems: tuple[Problem, ...]) -> dict[str, Any]:
    return {"file": file, "ok": not problems, "holds": told, "problems": [asdict(problem) for problem in problems]}
