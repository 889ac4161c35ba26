from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from web.hosting import Table, hosted


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with hosted(tmp_path) as client:
        yield Table(client)


@pytest.fixture(autouse=True)
def same_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fights that a server in the test's own process begins throw the same dice each time."""
    monkeypatch.setattr("affray.web.hall.secrets.randbits", lambda bits: 77)
