"""`affray rules`: the rules of a ruleset in the project's words, its rulings, and what is done."""

from __future__ import annotations

import json
import textwrap
from typing import Any

import click


@click.command("rules")
@click.argument("ruleset")
@click.argument("rule_id", required=False, metavar="[ID]")
@click.option("--search", metavar="WORDS", help="Rules that fit these words, the best first.")
@click.option("--rulings", is_flag=True, help="The switchable rulings: defaults and alternatives.")
@click.option("--status", is_flag=True, help="What is done, and how many tests show it.")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(
    ruleset: str, rule_id: str | None, search: str | None, rulings: bool, status: bool, as_json: bool
) -> None:
    """Look up rules of RULESET (rond6, rd6, cepheus).

    Without options: the list of all rules. With an ID such as RON-ATK-4: that rule, whole.
    """
    from affray.ruleset import NAMES

    if ruleset not in NAMES:
        from affray.errors import DataError, unknown

        raise DataError([unknown("ruleset", ruleset, NAMES)])
    _one_question(rule_id, search, rulings, status)
    if rulings:
        _show(_rulings(ruleset), as_json, _ruling_text)
    elif rule_id is not None:
        _show([_one(ruleset, rule_id)], as_json, _rule_text)
    else:
        found = _entries(ruleset, search)
        _show(found, as_json, _status_text if status else _line_text)
        if status and not as_json:
            click.echo(_summary(found))


def _one_question(rule_id: str | None, search: str | None, rulings: bool, status: bool) -> None:
    """Raises UsageError for options of which one would be ignored."""
    asked = [("an ID", rule_id is not None), ("--search", search is not None), ("--rulings", rulings)]
    given = [name for name, on in asked if on]
    if len(given) > 1:
        raise click.UsageError(f"{' and '.join(given)} are different questions; ask one of them.")
    if search is not None and not search.strip():
        raise click.UsageError("--search: say for which words.")
    if status and given and search is None:
        raise click.UsageError(f"--status is about a list of rules; leave it out with {given[0]}.")


def _show(found: list[dict[str, Any]], as_json: bool, told: Any) -> None:
    if as_json:
        click.echo(json.dumps(found, indent=2, ensure_ascii=False))
        return
    for one in found:
        click.echo(told(one))
    if not found:
        click.echo("nothing found")


def _entries(ruleset: str, words: str | None) -> list[dict[str, Any]]:
    from affray import rules

    package = f"affray.rulesets.{ruleset}"
    found = rules.search(package, words) if words else list(rules.index(package).values())
    return [_plain(entry) for entry in found]


def _plain(entry: Any) -> dict[str, Any]:
    from affray.render.citations import cited

    code, tests = cited(entry.id)
    return {
        "id": entry.id,
        "title": entry.title,
        "section": entry.section,
        "status": entry.status,
        "tests": tests,
        "code": code,
        "text": entry.text,
        "note": entry.note,
    }


def _one(ruleset: str, rule_id: str) -> dict[str, Any]:
    from affray import rules
    from affray.errors import DataError, unknown

    index = rules.index(f"affray.rulesets.{ruleset}")
    found = index.get(rule_id.upper())
    if found is None:
        raise DataError([unknown("rule", rule_id.upper(), tuple(index))])
    return _plain(found)


def _rulings(ruleset: str) -> list[dict[str, Any]]:
    from affray.render.rulings import listed

    return listed(ruleset)


def _line_text(one: dict[str, Any]) -> str:
    return f"{one['id']:<14} {one['title']}  ({one['section']})"


def _status_text(one: dict[str, Any]) -> str:
    return f"{one['id']:<14} {one['status']:<12} {one['tests']:>3} test{' ' if one['tests'] == 1 else 's'}  {one['title']}"


def _summary(found: list[dict[str, Any]]) -> str:
    counts: dict[str, int] = {}
    for one in found:
        counts[one["status"]] = counts.get(one["status"], 0) + 1
    return f"{len(found)} rules: " + ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))


def _rule_text(one: dict[str, Any]) -> str:
    shown = f"shown by {one['tests']} test{'s' * (one['tests'] != 1)}"
    told = [f"{one['id']}  {one['title']}", f"{one['section']}; {one['status']}; {shown}", ""]
    told += textwrap.wrap(one["text"], 100)
    if one["note"]:
        told += ["", *textwrap.wrap(f"Note: {one['note']}", 100)]
    return "\n".join(told)


def _ruling_text(one: dict[str, Any]) -> str:
    told = [f"{one['key']}  [{one['rule']}]  {one['meaning']}"]
    for value, meaning in one["values"].items():
        mark = "*" if value == one["default_text"] else " "
        told.append(f"  {mark} {value}: {meaning}")
    if one["default_text"] not in one["values"]:
        told.append(f"  * default {one['default_text']}")
    return "\n".join(told)
