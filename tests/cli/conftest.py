"""The command line, called from a test."""

from __future__ import annotations

import pytest
from cli.playing import Call

from affray.cli import main


@pytest.fixture
def affray(capsys: pytest.CaptureFixture[str]) -> Call:
    """Calls the command line; answers exit code, output, errors."""

    def call(*args: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main([str(arg) for arg in args])
        told = capsys.readouterr()
        return int(stop.value.code or 0), told.out, told.err

    return call
