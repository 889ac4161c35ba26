"""Counts who cites each rule, for `src/affray/citations.json`. Run it after tests or rules were added:

    python tools/citations.py            write the index, and the pages of rules (see rules_pages.py)
    python tools/citations.py --check    only say whether it is up to date (exit 1 if not)
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
INDEX = ROOT / "src" / "affray" / "citations.json"
RULE = re.compile(r"\b(?:RON|RD6|CEP)-[A-Z0-9]+-\d+\b")
MARK = re.compile(r"(?:mark\.rules\(|\brules = )([^)\]]*)")


def known() -> list[str]:
    """All rule ids, in the order of the rule files."""
    found = []
    for file in sorted((ROOT / "src" / "affray" / "rulesets").glob("*/rules.toml")):
        found += [entry["id"] for entry in tomllib.loads(file.read_text(encoding="utf-8")).get("rule", [])]
    return found


def in_code() -> Counter[str]:
    """Rule ids in the modules and tables of the rulesets."""
    counts: Counter[str] = Counter()
    for file in sorted((ROOT / "src" / "affray" / "rulesets").rglob("*")):
        if file.suffix in (".py", ".toml") and file.name != "rules.toml":
            counts.update(RULE.findall(file.read_text(encoding="utf-8")))
    return counts


def in_tests() -> Counter[str]:
    """How many cases and test functions cite each rule."""
    counts: Counter[str] = Counter()
    for file in sorted((ROOT / "tests").rglob("*")):
        if file.suffix == ".toml":
            try:
                data = tomllib.loads(file.read_text(encoding="utf-8"))
            except (tomllib.TOMLDecodeError, UnicodeDecodeError):
                continue  # files that are wrong on purpose
            counts.update(rule for case in data.get("case", []) if isinstance(case, dict) for rule in _of_case(case))
        elif file.suffix == ".py":
            for marked in MARK.findall(file.read_text(encoding="utf-8")):
                counts.update(RULE.findall(marked))
    return counts


def _of_case(case: dict[str, Any]) -> set[str]:
    found = {rule for rule in case.get("rules", []) if isinstance(rule, str)}
    own = RULE.match(str(case.get("id", "")))
    return found | ({own[0]} if own else set())


def index() -> str:
    """The text of the index: one rule a line, code and tests."""
    code, tests = in_code(), in_tests()
    lines = [f"{json.dumps(rule)}: [{code[rule]}, {tests[rule]}]" for rule in known()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> int:
    text = index()
    if "--check" in sys.argv:
        fresh = INDEX.is_file() and INDEX.read_text(encoding="utf-8") == text
        print("up to date" if fresh else "out of date: run python tools/citations.py")
        return 0 if fresh else 1
    INDEX.write_text(text, encoding="utf-8")
    print(f"wrote {INDEX.relative_to(ROOT)}")
    import rules_pages

    for page in rules_pages.write():
        print(f"wrote {page.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
