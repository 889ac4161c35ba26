"""Results of a sweep on disk: a line of JSON for each cell, appended and synced as it is finished.

Whoever is killed in the middle has lost at most the cell it was at: a last line that is torn is cut off.
"""

from __future__ import annotations

import os
from io import BufferedRandom
from pathlib import Path

import msgspec

from affray.errors import DataError, Problem
from affray.simulate.sweep import Row

HEAD = b'{"t":"affray sweep","format":1}\n'


class Results:
    """The file of results, open for appending and locked against a second sweep. Raises DataError."""

    def __init__(self, path: str | Path, fresh: bool = False) -> None:
        self.path = Path(path)
        self.rows: dict[str, Row] = {}
        """By the key of the cell."""
        try:
            if self.path.exists() and not self.path.is_file():  # a device may never end, a pipe never begin
                raise DataError([Problem("results are kept in a plain file; name another with --results", str(path))])
            if self.path.exists() and self.path.stat().st_size and not self._ours():
                raise DataError([Problem("exists and holds no results of a sweep; name another with --results", str(path))])
            self._file: BufferedRandom = open(self.path, "r+b" if self.path.exists() else "w+b")  # noqa: SIM115
        except OSError as wrong:
            raise DataError([Problem(wrong.strerror or str(wrong), str(path))]) from None
        try:
            self._lock()
            if fresh:
                self._file.truncate(0)
            self._read()
        except BaseException:
            self._file.close()
            raise

    def _ours(self) -> bool:
        with open(self.path, "rb") as file:
            return HEAD.startswith(start) if len(start := file.read(len(HEAD))) < len(HEAD) else start == HEAD

    def _lock(self) -> None:
        try:
            import fcntl
        except ImportError:
            return  # not on this system
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise DataError([Problem("another sweep is writing here", str(self.path))]) from None

    def _read(self) -> None:
        self._file.seek(0)
        raw = self._file.read()
        whole = raw[: raw.rfind(b"\n") + 1]
        if len(whole) < len(raw):
            self._file.truncate(len(whole))
        if not whole:
            self._file.seek(0)
            self._append(HEAD)
            return
        decoder = msgspec.json.Decoder(Row)
        for number, line in enumerate(whole.splitlines()[1:], 2):
            try:
                row = decoder.decode(line)
            except msgspec.MsgspecError as wrong:
                raise DataError([Problem(f"not a result of a sweep: {wrong}", str(self.path), number)]) from None
            self.rows[row.key] = row
        self._file.seek(0, os.SEEK_END)

    def add(self, row: Row) -> None:
        """Keep a row; it is on the disk when this returns."""
        self.rows[row.key] = row
        self._append(msgspec.json.encode(row) + b"\n")

    def _append(self, line: bytes) -> None:
        try:
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as wrong:
            raise DataError([Problem(wrong.strerror or str(wrong), str(self.path))]) from None

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
