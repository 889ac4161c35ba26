"""Every worked example of the rules, and every fault that was reported, is a case; all are played here.

Cases of rules that are still open may fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from affray.errors import DataError
from affray.formats.case import Case, load_cases, run
from affray.formats.toml import load

HERE = Path(__file__).parent


def _files() -> Iterator[Path]:
    for file in sorted([*HERE.rglob("*.toml"), *(HERE.parent / "regressions").rglob("*.toml")]):
        if "case" in load(file).data:
            yield file


def _cases() -> Iterator[object]:
    for file in _files():
        try:
            cases = load_cases(file)
        except DataError as error:
            yield pytest.param(error, id=str(file.relative_to(HERE.parent)))
            continue
        for case in cases:
            yield pytest.param(case, id=f"{case.fight.ruleset.name}-{case.model.id}")


@pytest.mark.parametrize("case", list(_cases()))
def test_example(case: Case | DataError) -> None:
    if isinstance(case, DataError):
        raise case
    result = run(case)
    assert result.passed, "\n" + "\n".join(result.report)


def test_case_names_are_unique() -> None:
    seen: dict[str, str] = {}
    for file in _files():
        for one in load(file).data["case"]:
            assert one["id"] not in seen, f"{one['id']} stands in {file.name} and in {seen[one['id']]}"
            seen[one["id"]] = file.name
