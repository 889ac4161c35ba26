"""Writes docs/rules-NAME.md for each ruleset: every rule with its paraphrase, its status and the tests that show it.

    python tools/rules_pages.py            write the pages
    python tools/rules_pages.py --check    only say whether they are up to date (exit 1 if not)

`python tools/citations.py` writes them as well.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import citations

ROOT = citations.ROOT
TITLES = {"rond6": "RonD6 Combat 4.0", "rd6": "Rd6 Combat 3.0", "cepheus": "Cepheus Engine personal combat"}
MARKED = re.compile(r"mark\.rules\(([^)]*)\)(?:(?!mark\.rules).)*?def (test_\w+)", re.DOTALL)


def shown_by() -> dict[str, list[tuple[str, str]]]:
    """Rule -> (file, case or test) for all that cite it, in the order of the files."""
    found: dict[str, list[tuple[str, str]]] = {}
    for file in sorted((ROOT / "tests").rglob("*")):
        name = file.relative_to(ROOT / "tests").as_posix()
        if file.suffix == ".toml":
            try:
                data = tomllib.loads(file.read_text(encoding="utf-8"))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError):
                continue  # files that are wrong on purpose
            for case in data.get("case", []):
                for rule in citations._of_case(case) if isinstance(case, dict) else ():
                    found.setdefault(rule, []).append((name, str(case.get("id", ""))))
        elif file.suffix == ".py":
            for marked, test in MARKED.findall(file.read_text(encoding="utf-8")):
                for rule in citations.RULE.findall(marked):
                    found.setdefault(rule, []).append((name, test))
    return found


def tests_text(tests: list[tuple[str, str]]) -> str:
    """The tests of a rule by their files: `a.toml` X, Y; `b.py` z."""
    files: dict[str, list[str]] = {}
    for file, test in tests:
        names = files.setdefault(file, [])
        if test not in names:
            names.append(test)
    return "; ".join(f"`{file}` {', '.join(names)}" for file, names in files.items()) or "none yet"


def page(name: str, rules: list[dict[str, Any]], tests: dict[str, list[tuple[str, str]]]) -> str:
    """The page of one ruleset."""
    counts = Counter(rule["status"] for rule in rules)
    told = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    lines = [
        f"# Rules of {TITLES.get(name, name)}",
        "",
        "Written by `python tools/rules_pages.py`; changes belong into the rule index and the tests.",
        f"{len(rules)} rules: {told}. *done*: the engine carries it out; *referee*: a person is asked.",
        f"`affray rules {name} --search WORDS` finds a rule, `affray rules {name} --rulings` lists what can be switched.",
    ]
    section = ""
    for rule in rules:
        if rule["section"] != section:
            section = rule["section"]
            lines += ["", f"## {section}"]
        lines += ["", f"### {rule['id']} · {rule['title']}", "", plain(rule["text"])]
        if rule.get("note"):
            lines += ["", f"Note: {plain(rule['note'])}"]
        lines += ["", f"*{rule.get('status', 'open')}*; tests: {tests_text(tests.get(rule['id'], []))}"]
    return "\n".join(lines) + "\n"


def plain(text: str) -> str:
    """Text that Markdown leaves as it is outside of code."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if n % 2 else re.sub(r"([*_\[\]<>])", r"\\\1", part) for n, part in enumerate(parts))


def pages() -> dict[Path, str]:
    """All pages: path and text."""
    tests = shown_by()
    found = {}
    for file in sorted((ROOT / "src" / "affray" / "rulesets").glob("*/rules.toml")):
        rules = tomllib.loads(file.read_text(encoding="utf-8")).get("rule", [])
        for rule in rules:
            rule.setdefault("status", "open")
        found[ROOT / "docs" / f"rules-{file.parent.name}.md"] = page(file.parent.name, rules, tests)
    return found


def stale() -> list[Path]:
    """Pages that are not what they should be."""
    return [path for path, text in pages().items() if not path.is_file() or path.read_text(encoding="utf-8") != text]


def write() -> list[Path]:
    """Write the pages that are stale."""
    found = stale()
    for path, text in pages().items():
        if path in found:
            path.write_text(text, encoding="utf-8")
    return found


def main() -> int:
    if "--check" in sys.argv:
        found = stale()
        names = ", ".join(path.name for path in found)
        print(f"out of date: {names}; run python tools/rules_pages.py" if found else "up to date")
        return 1 if found else 0
    for path in write():
        print(f"wrote {path.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
