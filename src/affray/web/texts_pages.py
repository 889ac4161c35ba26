"""The words of the pages around the fight.

They stand in the templates in English and are their own keys: `t("Start the fight")`. A translation is a catalogue from
these to others; what it lacks stays English.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Said:
    """Words by their English: `t('{n} people', n=3)`."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self.texts = texts or {}

    def __call__(self, words: str, **values: Any) -> str:
        told = self.texts.get(words, words)
        return told.format(**values) if values else told

    def count(self, n: int, one: str, many: str) -> str:
        """'1 fight', '3 fights'."""
        return f"{n} {self(one if n == 1 else many)}"


SAID = Said()
