"""The command line. Each command lives in its own module and is loaded only when it is called.

Exit codes: 0 fine, 1 it ran and something failed (a case, a check of a log), 2 bad input. Whatever a user can cause is
told without a traceback; a traceback is a bug of the program.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from importlib import import_module

_COLLECTING = gc.isenabled()
gc.disable()  # nothing that loading makes is garbage, and looking for some takes a tenth of the time of a short command

import click  # noqa: E402

from affray import __version__  # noqa: E402

COMMANDS: dict[str, tuple[str, str]] = {
    "balance": ("affray.cli.balance", "Find the number or strength that makes a fight fair."),
    "check": ("affray.cli.check", "Find every problem in encounter, case and grid files."),
    "compare": ("affray.cli.compare", "What does a ruling, a policy or another sheet change?"),
    "convert": ("affray.cli.convert", "Move an encounter between RonD6 and Rd6."),
    "demo": ("affray.cli.demo", "Show the page with a sample fight, ready to be played."),
    "duel": ("affray.cli.duel", "Work a fight of a few out exactly."),
    "fight": ("affray.cli.fight", "Play a fight out, blow by blow, and save its log."),
    "log": ("affray.cli.log", "Print a saved fight, or run it again and compare."),
    "play": ("affray.cli.play", "Run a fight at this terminal, with your own dice if you like."),
    "odds": ("affray.cli.odds", "Exact chances: of dice alone, or of any order."),
    "rest": ("affray.cli.rest", "After a saved fight: time passes, people are helped, wounds heal."),
    "rules": ("affray.cli.rules", "Look up rules, rulings and what is done."),
    "run": ("affray.cli.run", "Run cases: stated positions, dice and what must come out."),
    "serve": ("affray.cli.serve", "Serve the table as a web page: master, players, a screen for all."),
    "simulate": ("affray.cli.simulate", "Play a fight many times: who wins, how often?"),
    "sweep": ("affray.cli.sweep", "Play a whole grid of fights into one table."),
    "schema": ("affray.cli.schema", "Print the JSON Schema of encounter, case or grid files."),
}
"""Command -> module that holds it (as `command`), and the line that the list of commands shows."""

GROUPS: dict[str, tuple[str, ...]] = {
    "Run a fight": ("demo", "play", "serve", "fight", "log", "rest"),
    "Ask what will happen": ("odds", "duel", "simulate", "balance", "compare", "sweep"),
    "Files and rules": ("check", "convert", "run", "schema", "rules"),
}
"""How the list of commands is divided; what is in no group comes at the end."""


class Lazy(click.Group):
    """A group that imports a command only when it is wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found = import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(found, click.Command)
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from affray.errors import nearest

            near = nearest(args[0], COMMANDS)
            hint = f" Did you mean {near!r}?" if near else f" Commands: {', '.join(COMMANDS)}."
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        grouped = {name for names in GROUPS.values() for name in names}
        rest = tuple(sorted(set(COMMANDS) - grouped))
        width = max(map(len, COMMANDS))
        for title, names in (*GROUPS.items(), *([("More", rest)] if rest else [])):
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), COMMANDS[name][1]) for name in names if name in COMMANDS])


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", prog_name="affray", message="%(prog)s %(version)s")
def affray() -> None:
    """Affray: a combat engine for tabletop role-playing games.

    Describe a fight in a TOML file, then `affray check FILE` and `affray fight FILE`.
    """


def main(args: list[str] | None = None) -> None:
    """Entry point: runs a command and turns what users can cause into plain words and an exit code."""
    gc.freeze()
    try:
        code = affray.main(args, prog_name="affray", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):  # the latter while a command is still being imported
        click.echo("stopped", err=True)
        code = 130
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as error:
        from affray.errors import LONGEST, shortened

        (error if len(error.message) <= LONGEST else click.ClickException(shortened(error.message))).show()
        code = 2
    except BrokenPipeError:
        sys.stderr.close()
        code = 0
    except OSError as error:
        code = _unwritten(error)
    except Exception as error:
        code = _told(error)
    sys.exit(code if isinstance(code, int) else 0)


def _unwritten(error: OSError) -> int:
    """Whoever pipes into a file on a full disk hears of it; an error of another file is told where it is written."""
    if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO) or error.filename is not None:
        raise error
    click.echo(f"the output cannot be written: {error.strerror}", err=True)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or what is left of it would fail once more at the end of the process
    return 1


def _told(error: Exception) -> int:
    from affray.errors import AffrayError

    if not isinstance(error, AffrayError):
        raise error
    click.echo(str(error), err=True)
    return 2


if _COLLECTING:
    gc.enable()
