"""`affray fight`: plays a fight out, tells it blow by blow, and saves its log."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from affray.encounter import Encounter
    from affray.formats.encounter import Fight
    from affray.ruleset import Ruleset

MAX_ROUNDS = 200
DEFAULT_POLICY = ("aggressive", "random")
"""Who plays a side that names no policy: the first of these that the ruleset has."""


@click.command("fight")
@click.argument("file", type=click.Path())
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Seed of the dice; the file's, else 0.")
@click.option("--policy", "policies", multiple=True, metavar="SIDE=NAME", help="Who plays a side (or one combatant).")
@click.option("--log", "log_file", type=click.Path(), help="Where to save the log; '-' for nowhere.")
@click.option("--rounds", type=click.IntRange(1, 10_000), default=MAX_ROUNDS, show_default=True, help="Stop after these.")
@click.option("--quiet", "-q", is_flag=True, help="Only the end.")
@click.option("--json", "as_json", is_flag=True, help="The end as one JSON object.")
def command(
    file: str,
    seed: int | None,
    policies: tuple[str, ...],
    log_file: str | None,
    rounds: int,
    quiet: bool,
    as_json: bool,
) -> None:
    """Play the fight in FILE out. The same seed gives the same fight."""
    from affray.formats.encounter import load_fight

    fight = load_fight(file)
    seed = fight.seed if seed is None else seed
    path = _log_path(file, seed, log_file)
    if path is not None:
        writable(path)
    sys.exit(play_out(fight, seed, policies, path, rounds, quiet or as_json, as_json))


def play_out(
    fight: Fight,
    seed: int,
    policies: tuple[str, ...],
    path: Path | None,
    rounds: int = MAX_ROUNDS,
    quiet: bool = False,
    as_json: bool = False,
) -> int:
    """Play a fight to its end and tell it. Returns the exit code."""
    from affray.encounter import Encounter
    from affray.store.lines import head

    chosen, names = chosen_policies(fight, policies)
    journal = Lines([head(fight.ruleset, fight.state, seed, fight.title)])
    encounter = Encounter(fight.ruleset, fight.state, seed, chosen, journal=journal)
    if not quiet:
        click.echo("\n".join(_heading(fight, seed, names)))
    stopped = ""
    for line in _story(encounter, rounds):
        if line.startswith("!"):
            stopped = line[1:]
        elif not quiet:
            click.echo(line)
    if path is not None:
        journal.save(path)
    if as_json:
        click.echo(json.dumps(_ending(fight, encounter, seed, names, path), ensure_ascii=False))
    else:
        click.echo("\n".join(_closing(fight, encounter, stopped, path)))
    return 1 if stopped else 0


class Lines:
    """A journal in memory, written in one go at the end."""

    def __init__(self, lines: list[dict[str, Any]]) -> None:
        self.lines = lines

    def append(self, lines: Any) -> None:
        self.lines += lines

    def save(self, path: Path) -> None:
        """Write all lines; an older log of a fight is replaced, anything else is left alone. Raises DataError."""
        from affray.errors import DataError, Problem
        from affray.store.lines import encode

        writable(path)
        try:
            path.write_bytes(b"".join(encode(line) + b"\n" for line in self.lines))
        except OSError as wrong:
            raise DataError([Problem(wrong.strerror or str(wrong), str(path))]) from None


def writable(path: Path) -> None:
    """Whether a log can be written there; told before the fight is played. Raises DataError."""
    from affray.cli.counting import unwritable
    from affray.errors import DataError, Problem

    try:
        if path.is_dir():
            wrong = "this is a directory; name a file with --log"
        elif path.exists() and not path.read_bytes()[:200].lstrip().startswith(b'{"t":"affray"'):
            wrong = "exists and is no log of a fight; name another file with --log"
        else:
            wrong = unwritable(path)
    except (OSError, ValueError) as problem:
        wrong = getattr(problem, "strerror", None) or str(problem)
    if wrong:
        raise DataError([Problem(wrong, str(path))])


def _log_path(file: str, seed: int, given: str | None) -> Path | None:
    if given == "-":
        return None
    return Path(given) if given else Path(f"{Path(file).stem}-{seed}.jsonl")


def chosen_policies(fight: Fight, given: tuple[str, ...]) -> tuple[dict[str, Any], dict[str, str]]:
    """The policy of every side and of the referee. Raises DataError for an unknown side or policy."""
    from affray.ask import MASTER
    from affray.errors import DataError, unknown

    known: Mapping[str, Any] = fight.ruleset.policies
    default = next((name for name in DEFAULT_POLICY if name in known), next(iter(known), ""))
    sides = list(dict.fromkeys(fighter.side for fighter in fight.state.fighters))
    names = dict.fromkeys([*sides, MASTER], default) | dict(fight.policies)
    names |= named_policies(fight.ruleset, fight.state, given)
    if strange := [name for name in names.values() if name not in known]:
        raise DataError([unknown("policy", strange[0], tuple(known))])
    return {side: known[name] for side, name in names.items()}, names


def named_policies(ruleset: Ruleset, state: Any, given: tuple[str, ...]) -> dict[str, str]:
    """The names of policies from SIDE=NAME or ID=NAME. Raises DataError for an unknown side or policy."""
    from affray.errors import DataError, Problem, unknown

    sides = tuple(dict.fromkeys(fighter.side for fighter in state.fighters))
    problems, found = [], {}
    for one in given:
        side, equals, name = one.partition("=")
        if not equals:
            problems.append(Problem(f"{one!r}: write SIDE=NAME", key="--policy"))
        elif side not in (*sides, *(fighter.id for fighter in state.fighters)):
            problems.append(unknown("side", side, sides, key="--policy"))
        elif name not in ruleset.policies:
            problems.append(unknown("policy", name, tuple(ruleset.policies), key="--policy"))
        else:
            found[side] = name
    if problems:
        raise DataError(problems)
    return found


def _story(encounter: Encounter, rounds: int) -> Iterator[str]:
    """Line by line as it happens; a last line that begins with '!' says why the fight cannot go on."""
    from affray.errors import AffrayError
    from affray.render import text

    told, now = 0, -1
    texts = encounter.ruleset.texts

    def news() -> Iterator[str]:
        nonlocal told, now
        for entry in encounter.entries[told:]:
            lines = list(text.lines(entry.events, texts))
            if entry.state.round != now and lines:
                now = entry.state.round
                yield f"\n── round {now} ──"
            if not entry.auto and (lines or entry.order.verb not in ("end", "pass")):
                yield f"  ▸ {text.ordered(entry.order)}"
            yield from (f"    {line}" for line in lines)
        told = len(encounter.entries)

    try:
        encounter.advance()
        yield from news()
        while not encounter.ruleset.over(encounter.state):
            if encounter.state.round > rounds:
                yield f"!no decision after {rounds} rounds"
                return
            if not encounter.up():
                yield "!nobody can act any more"
                return
            encounter.step()
            yield from news()
    except AffrayError as wrong:
        yield from news()
        yield f"!{wrong}"


def _heading(fight: Fight, seed: int, names: Mapping[str, str]) -> Iterator[str]:
    yield fight.title or "A fight"
    yield f"{fight.ruleset.title}, seed {seed}"
    for side in dict.fromkeys(fighter.side for fighter in fight.state.fighters):
        who = ", ".join(fighter.id for fighter in fight.state.fighters if fighter.side == side)
        yield f"  {side} ({names.get(side, '')}): {who}"


def _winners(fight: Fight, state: Any) -> list[str]:
    """Sides with somebody who can still fight."""
    return list(dict.fromkeys(one.side for one in state.fighters if not fight.ruleset.fallen(one)))


def _closing(fight: Fight, encounter: Encounter, stopped: str, path: Path | None) -> Iterator[str]:
    from affray.render import text

    state = encounter.state
    left = _winners(fight, state)
    yield ""
    if stopped:
        yield f"The fight cannot go on: {stopped}"
    else:
        yield f"Winner: {left[0]}" if len(left) == 1 else "Nobody is left standing" if not left else "The fight is over"
    yield f"After {state.round} round{'s' if state.round != 1 else ''}:"
    yield from (f"  {line}" for line in text.standing(fight.ruleset, fight.state, state))
    if path is not None:
        yield f"log: {path}"


def _ending(
    fight: Fight, encounter: Encounter, seed: int, names: Mapping[str, str], path: Path | None
) -> dict[str, Any]:
    import msgspec

    state = encounter.state
    return {
        "title": fight.title,
        "ruleset": fight.ruleset.name,
        "seed": seed,
        "policies": dict(names),
        "over": bool(fight.ruleset.over(state)),
        "sides_left": _winners(fight, state),
        "rounds": state.round,
        "entries": len(encounter.entries),
        "log": str(path) if path else None,
        "fighters": [
            {"id": one.id, "side": one.side, "fallen": fight.ruleset.fallen(one), "state": _without(msgspec.to_builtins(one))}
            for one in state.fighters
        ],
    }


def _without(fighter: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fighter.items() if key != "sheet"}
