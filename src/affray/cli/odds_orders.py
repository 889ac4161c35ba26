"""`affray odds VERB`: what would come of an order, from an encounter file or a saved fight."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from affray.encounter import Encounter
    from affray.odds.actions import Lab, Preview, Watched
    from affray.odds.compare import Comparison
    from affray.ruleset import Ruleset

TARGETS = ("target", "at", "victim", "who", "whom")
"""What an order may call the one it is aimed at; the first that it has is meant by --at."""
OPEN = "open"
"""In place of a verb: the question that a saved fight waits for."""


def verb(name: str) -> click.Command:
    """The command for one verb."""
    params: list[click.Parameter] = [
        click.Argument(["file"], required=False, type=click.Path()),
        click.Option(["--by"], help="Who acts."),
        click.Option(["--at"], help="At whom."),
        click.Option(["--with", "weapon"], help="With which weapon."),
        click.Option(["--set", "fields"], multiple=True, metavar="NAME=VALUE", help="Any other option of the order."),
        click.Option(["--from-save", "save"], type=click.Path(), help="Start from where this saved fight stands."),
        click.Option(["--policy", "policies"], multiple=True, metavar="WHO=NAME", help="Who decides for a side or fighter."),
        click.Option(["--answer", "wishes"], multiple=True, metavar="[WHO:]QUESTION=VALUE", help="Answer this wherever allowed."),
        click.Option(["--watch"], multiple=True, metavar="WHO", help="Whose fate is told; else the target's."),
        click.Option(["--compare"], metavar="WHAT", help="Compare: weapon, target, actions, aim, dodge, or a question (feat)."),
        click.Option(["--sort", "measure"], default="", help="Best first by this measure: out, wounds, hits, dead, ..."),
        click.Option(["--exact"], is_flag=True, help="Work in fractions (slower; --json always does)."),
        click.Option(["--json", "as_json"], is_flag=True, help="One JSON object, with exact fractions as text."),
        click.Option(["--plot"], type=click.Path(dir_okay=False), help="Write a chart to this .png or .svg."),
    ]
    told = "the question that the saved fight waits for" if name == OPEN else f"the order {name!r}"
    text = f"What would come of {told}, exactly. FILE is an encounter; policies answer for everybody else and are named."
    return click.Command(name, params=params, callback=lambda **given: _run(name, **given), help=text)


def _run(
    name: str,
    file: str | None,
    by: str | None,
    at: str | None,
    weapon: str | None,
    fields: tuple[str, ...],
    save: str | None,
    policies: tuple[str, ...],
    wishes: tuple[str, ...],
    watch: tuple[str, ...],
    compare: str | None,
    measure: str,
    exact: bool,
    as_json: bool,
    plot: str | None,
) -> None:
    from fractions import Fraction

    from affray.cli.counting import picture, useless
    from affray.odds.actions import Lab, Preview

    if save is not None:
        useless(("file",), "the saved fight says where everybody stands.")
    if name == OPEN:
        useless(("by", "at", "weapon", "fields", "wishes", "compare"), "the saved fight says what is asked.")
    elif not compare:
        useless(("measure",), "it sorts what is compared; say what with --compare.")
    else:
        useless(("wishes",), "what is compared is answered in every way.")
    picture(plot)
    ruleset, state, chosen, encounter = _position(file, save, policies)
    lab = Lab(ruleset, state, chosen, Fraction if exact or as_json else float)
    watched = tuple(_who(state, one) for one in watch)
    found: Preview | Comparison
    if name == OPEN:
        from affray.odds.compare import by_open

        if encounter is None:
            raise click.UsageError("name the saved fight: --from-save SAVE")
        found = by_open(lab, encounter, measure, watched)
    else:
        order = _order(ruleset, state, name, by, at, weapon, fields)
        answers = tuple(_wish(state, one) for one in wishes)
        if not watched and not compare and "target" not in order.__struct_fields__:
            watched = lab.affected(order, answers)
        found = _compared(lab, order, compare, measure, watched) if compare else lab.of(order, watched, answers)
    if plot is not None:
        found.plot(plot)
    if as_json:
        click.echo(json.dumps(found.plain(), ensure_ascii=False, default=str))
        return
    click.echo("\n".join(told_preview(found) if isinstance(found, Preview) else told_comparison(found)))
    if plot is not None:
        click.echo(f"chart: {plot}")


# ---- from words to a position and an order


def _position(
    file: str | None, save: str | None, given: tuple[str, ...]
) -> tuple[Ruleset, Any, dict[str, str], Encounter | None]:
    """The ruleset, the state, policies by side or fighter, and the saved fight if there is one."""
    from affray.ask import MASTER
    from affray.errors import DataError, Problem, unknown

    encounter = None
    if save is not None:
        from affray.store.jsonl import look

        encounter = look(Path(save))
        ruleset, state, names = encounter.ruleset, encounter.settled, dict[str, str]()
    elif file is not None:
        from affray.formats.encounter import load_fight

        fight = load_fight(file)
        ruleset, state, names = fight.ruleset, fight.state, dict(fight.policies)
    else:
        raise click.UsageError("name an encounter FILE, or a saved fight with --from-save")
    fighters = state.fighters
    people = list(dict.fromkeys([*(f.side for f in fighters), *(f.id for f in fighters), MASTER]))
    for one in given:
        who, equals, policy = one.partition("=")
        if not equals:
            raise DataError([Problem(f"{one!r}: write WHO=NAME", key="--policy")])
        if who not in people:
            raise DataError([unknown("side or combatant", who, people, key="--policy")])
        if policy not in ruleset.policies:
            raise DataError([unknown("policy", policy, tuple(ruleset.policies), key="--policy")])
        names[who] = policy
    return ruleset, state, names, encounter


def _who(state: Any, name: str) -> str:
    """The id meant by a name: itself, in any case, or the first able one of a group ('Thug' for 'Thug 1')."""
    from affray.errors import DataError, unknown

    ids = [str(fighter.id) for fighter in state.fighters]
    for match in (
        [one for one in ids if one == name],
        [one for one in ids if one.lower() == name.lower()],
        [one for one in ids if one.lower().startswith(f"{name.lower()} ")],
    ):
        if match:
            return match[0]
    raise DataError([unknown("combatant", name, ids)])


def _order(
    ruleset: Ruleset, state: Any, verb: str, by: str | None, at: str | None, weapon: str | None, fields: tuple[str, ...]
) -> Any:
    """The order in its proper type. Raises IllegalOrder, DataError with what is wrong."""
    import msgspec

    kinds = {str(kind.__struct_config__.tag): kind for kind in ruleset.orders.__args__}
    if verb not in kinds:
        ruleset.order({"do": verb})  # says so, with the nearest one
    if by is None:
        raise click.UsageError("who acts? --by NAME")
    data: dict[str, Any] = {"do": verb, "by": _who(state, by)}
    known = [one.encode_name for one in msgspec.structs.fields(kinds[verb])] if verb in kinds else []
    if at is not None:
        field = next((name for name in TARGETS if name in known), "target")
        data[field] = _who(state, at)
    if weapon is not None:
        data["weapon"] = weapon
    for one in fields:
        name, equals, value = one.partition("=")
        if not equals:
            raise click.UsageError(f"--set {one!r}: write NAME=VALUE")
        data[name] = _value(value)
    return ruleset.order(data)


def _value(text: str) -> Any:
    """A number, yes or no, a list; else the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return {"yes": True, "no": False}.get(text, text)


def _wish(state: Any, text: str) -> tuple[str, str, Any]:
    head, equals, value = text.partition("=")
    if not equals:
        raise click.UsageError(f"--answer {text!r}: write QUESTION=VALUE or WHO:QUESTION=VALUE")
    who, colon, why = head.rpartition(":")
    return (_who(state, who) if colon else "", why, _value(value))


def _compared(lab: Lab, order: Any, what: str, measure: str, watch: tuple[str, ...]) -> Comparison:
    """The comparison meant by a word: an option of the order, a plan of the ruleset, or a question."""
    from affray.odds.compare import by_answer, by_field, by_plan

    if what in getattr(order, "__struct_fields__", ()):
        return by_field(lab, order, what, measure, watch)
    kinds = {kind for kind, _, _ in lab.ruleset.plans(lab.up(lab.state, order.by), order)}
    if what in kinds:
        return by_plan(lab, order, what, measure, watch)
    return by_answer(lab, order, what, measure, watch)


# ---- telling


def told_preview(preview: Preview) -> Iterable[str]:
    """Each watched fighter with the chances of each result and the numbers behind them."""
    from affray.odds import chart

    yield preview.title
    for one in preview.watched:
        yield f"\n{one.id}"
        yield from (f"  {line}" for line in chart.lines(one.results))
        yield f"  {numbers(one)}"
    yield ""
    yield from _closing(preview)


def numbers(one: Watched) -> str:
    """'hits 62.04 %, wounds 0.59 on average'."""
    return ", ".join(f"{measure.name} {amount(measure)}" for measure in one.measures)


def amount(measure: Any) -> str:
    from affray.odds.distribution import percent

    if set(measure.values) <= {0, 1}:
        return percent(measure.mean())
    return f"{measure.mean():.2f} on average"


def told_comparison(found: Comparison) -> Iterable[str]:
    """One line a plan, the best first."""
    from affray.odds import chart

    names = found.measures()
    yield f"{found.name}; best first by {found.measure}" + (f" of {found.who}" if found.who else "")
    rows = []
    for row in found.rows:
        if row.preview is not None:
            watched = row.preview.of(found.who)
            rows.append([row.name, *[amount(watched.measure(name)) if _has(watched, name) else "" for name in names]])
    yield from chart.table(["", *names], rows)
    for row in found.rows:
        if row.preview is None:
            yield f"{row.name}: not possible: {row.refused}"
        else:
            for other in row.preview.watched:
                if found.who and other.id != found.who:
                    yield f"{row.name}, for {other.id}: {numbers(other)}"
    first = next(row.preview for row in found.rows if row.preview is not None)
    yield from _closing(first)


def _has(watched: Watched, name: str) -> bool:
    return any(one.name == name for one in watched.measures)


def _closing(preview: Preview) -> Iterable[str]:
    from affray.odds.distribution import percent

    by_policy: Mapping[str, list[str]] = {}
    for one in preview.decided:
        by_policy.setdefault(one.policy, []).append(f"{one.who} ({one.why})")  # type: ignore[attr-defined]
    for policy, asked in by_policy.items():
        yield f"decided by the policy {policy!r}: {', '.join(asked)}"
    if preview.lost:
        yield f"a later order is no longer possible in {percent(preview.lost)}"
    if preview.note:
        yield f"({preview.note})"
