from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from web.hosting import Table, hosted


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    with hosted(tmp_path) as client:
        yield Table(client)
