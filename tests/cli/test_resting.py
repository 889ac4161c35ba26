"""Spans of time in words, there and back."""

from __future__ import annotations

import pytest

from affray.errors import BadAnswer
from affray.table.resting import read_span, span

SPANS = [("3 days", 4320), ("1 day 2 hours", 1560), ("90 min", 90), ("2h", 120), ("1 week", 10080)]


@pytest.mark.parametrize("text,minutes", SPANS)
def test_spans(text: str, minutes: int) -> None:
    assert read_span(text) == minutes
    assert read_span(span(minutes)) == minutes


@pytest.mark.parametrize("text", ["", "soon", "3", "-3 days", "3 moons", "9999 days", "0 minutes"])
def test_what_is_no_time(text: str) -> None:
    with pytest.raises(BadAnswer):
        read_span(text)
