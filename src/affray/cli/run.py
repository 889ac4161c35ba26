"""`affray run`: plays cases and says which of them hold."""

from __future__ import annotations

import json
import sys

import click


@click.command("run")
@click.argument("files", nargs=-1, required=True, type=click.Path())
@click.option("--json", "as_json", is_flag=True, help="One JSON object a case, one a line.")
@click.option("--only", metavar="ID", help="Run only the case with this id.")
@click.option("--verbose", "-v", is_flag=True, help="Name the cases that pass, too.")
def command(files: tuple[str, ...], as_json: bool, only: str | None, verbose: bool) -> None:
    """Run the cases in FILES: stated positions, orders, dice, and what must come out.

    Exit code 0: all passed. 1: some failed. 2: a file is wrong.
    """
    from affray.errors import DataError, Problem, nearest
    from affray.formats.case import load_cases, run

    problems: list[Problem] = []
    cases = []
    for file in files:
        try:
            cases += load_cases(file)
        except DataError as error:
            problems += error.problems
    if problems:
        raise DataError(problems)
    if only is not None:
        known = tuple(dict.fromkeys(case.model.id for case in cases))
        cases = [case for case in cases if case.model.id == only]
        if not cases:
            few = known if len(known) <= 12 else ()
            raise DataError([Problem(f"no case is called {only!r}", files[0], allowed=few, nearest=nearest(only, known))])
    failed = 0
    for case in cases:
        result = run(case)
        failed += not result.passed
        if as_json:
            click.echo(json.dumps(result.plain(), ensure_ascii=False))
        elif not result.passed:
            click.echo("\n".join(result.report) + "\n")
        elif verbose:
            click.echo(f"passed {result.id}" + (f" ({result.title})" if result.title else ""))
    if not as_json:
        click.echo(f"{len(cases) - failed} of {len(cases)} cases passed" + (f", {failed} failed" if failed else ""))
    if failed:
        sys.exit(1)
