"""Who cites a rule: read from the index that ships with the package (made by `tools/citations.py`)."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec


@cache
def index() -> dict[str, tuple[int, int]]:
    """Rule id -> (places in the code, tests)."""
    source = files("affray").joinpath("citations.json")
    if not source.is_file():
        return {}
    return msgspec.json.decode(source.read_bytes(), type=dict[str, tuple[int, int]])


def cited(rule: str) -> tuple[int, int]:
    """How many places in the code and how many tests cite a rule."""
    return index().get(rule, (0, 0))
