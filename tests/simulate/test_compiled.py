"""Machine code of the kernel: kept whole or not at all, and loaded without numba."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from affray.simulate import compiled

AGAIN = """
import sys
from affray.simulate.compiled import fights
from affray.simulate import kernel
assert fights() is not kernel.fights
assert "numba" not in sys.modules
"""


def test_kept_code_is_loaded_without_numba() -> None:
    pytest.importorskip("numba")
    assert compiled.fights() is not None  # compiles it, if nobody has yet
    subprocess.run([sys.executable, "-c", AGAIN], check=True)


def test_code_is_made_by_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    assert compiled.made_apart() and compiled.kept() is not None
    monkeypatch.setattr(compiled, "kept", lambda: None)
    assert not compiled.made_apart(stopped=lambda: True)
    monkeypatch.setattr(compiled.sys, "executable", "/no/such/program")
    assert not compiled.made_apart()


def test_damaged_code_is_not_loaded() -> None:
    whole = hashlib.sha256(b"name\ncode").digest() + b"name\ncode"
    assert compiled._checked(whole) == b"name\ncode"
    for damaged in (b"", whole[:-1], whole[:40], b"x" + whole[1:]):
        assert compiled._checked(damaged) == b""


def test_what_cannot_be_code_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a right checksum too: no name, nothing behind it, a name that is not there; or a folder in its place."""
    binding = pytest.importorskip("llvmlite.binding")
    for code in (b"no end of line", b"name\n", b"\ncode", b"name\nsomething else"):
        assert compiled._loaded(code, binding) == 0
    (tmp_path / "kernel.code").mkdir()
    assert compiled._read(tmp_path / "kernel.code") == compiled._read(tmp_path / "none.code") == b""
    monkeypatch.setattr(compiled, "_places", lambda: [tmp_path])
    compiled._keep(b"name\ncode", "kernel.code")
    assert [one.name for one in tmp_path.iterdir()] == ["kernel.code"]


def test_code_goes_where_something_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(compiled, "_places", lambda: [tmp_path / "file" / "no", tmp_path / "yes"])
    compiled._keep(b"name\ncode", "kernel.code")
    assert [one.name for one in (tmp_path / "yes").iterdir()] == ["kernel.code"]
    assert compiled._checked((tmp_path / "yes" / "kernel.code").read_bytes()) == b"name\ncode"
    monkeypatch.setattr(compiled, "_places", lambda: [tmp_path / "file" / "no"])
    compiled._keep(b"name\ncode", "kernel.code")


def test_only_whole_numbers_in_a_row_are_given_to_it() -> None:
    assert compiled._place_of(np.zeros(4, np.int64))
    for wrong in (np.zeros(4, np.int32), np.zeros(4), np.zeros(8, np.int64)[::2]):
        with pytest.raises(TypeError, match="int64"):
            compiled._place_of(wrong)
