"""The places where a fight is kept, alike for tests: JSON Lines, SQLite, and PostgreSQL where there is one."""

from __future__ import annotations

import getpass
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from affray.encounter import Encounter
from affray.ruleset import Ruleset
from affray.store import jsonl, sql
from affray.store.lines import head, restore

BACKENDS = ("jsonl", "sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


class Files:
    """A JSON Lines file."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "a.jsonl"

    def create(self, ruleset: Ruleset, start: Any, seed: int, policies: Any = None, typed: Any = None) -> Encounter:
        return jsonl.create(self.path, ruleset, start, seed, policies, typed, "A title")

    def lines(self) -> list[dict[str, Any]]:
        return jsonl.read(self.path)

    def load(self, fight: Encounter) -> Encounter:
        """The fight again, to go on with; the one given is let go."""
        fight.journal.close()  # type: ignore[union-attr]
        return jsonl.load(self.path)

    def close(self) -> None:
        pass


class Rows:
    """A database."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.db = sql.Database(where)

    def create(self, ruleset: Ruleset, start: Any, seed: int, policies: Any = None, typed: Any = None) -> Encounter:
        journal = sql.SqlLines(self.db, "one")
        journal.append([head(ruleset, start, seed, "A title", typed)])
        fight = Encounter(ruleset, start, seed, policies, typed, journal)
        fight.advance()
        return fight

    def lines(self) -> list[dict[str, Any]]:
        return sql.read_lines(self.db, "one")[0]

    def load(self, fight: Encounter) -> Encounter:
        self.db.close()
        self.db = sql.Database(self.where)
        lines = self.lines()
        return restore(lines, None, sql.SqlLines(self.db, "one", len(lines)))

    def close(self) -> None:
        self.db.close()


@contextmanager
def place(kind: str, folder: Path, postgres: str = "") -> Iterator[Any]:
    """A fresh one."""
    found: Any = Files(folder) if kind == "jsonl" else Rows(str(folder) if kind == "sqlite" else postgres)
    try:
        yield found
    finally:
        found.close()


# ---- PostgreSQL


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """The address of a PostgreSQL for tests: AFFRAY_TEST_POSTGRES, else one that runs as long as this; else skipped."""
    if given := os.environ.get("AFFRAY_TEST_POSTGRES"):
        yield given
        return
    tools = next((path for path in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), None)
    initdb = shutil.which("initdb") or (str(tools / "initdb") if tools else "")
    if not initdb or not Path(initdb).exists():
        pytest.skip("no PostgreSQL: install one, or name one with AFFRAY_TEST_POSTGRES=postgresql://user@host/name")
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'affray[postgres]'")
    as_user: list[str] = []
    if os.geteuid() == 0:  # it refuses to run as root
        if subprocess.run(["id", "postgres"], capture_output=True).returncode or not shutil.which("setpriv"):
            pytest.skip("PostgreSQL does not run as root, and there is no user postgres to run it as")
        as_user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        shutil.chown(folder, "postgres", "postgres")
    user = "postgres" if as_user else getpass.getuser()
    data, ctl = folder / "data", str(Path(initdb).with_name("pg_ctl"))

    def run(*args: str) -> None:
        done = subprocess.run([*as_user, *args], capture_output=True, text=True, cwd=folder, stdin=subprocess.DEVNULL)
        if done.returncode:
            pytest.skip(f"PostgreSQL does not start here: {done.stderr.strip().splitlines()[-1:]}")

    run(initdb, "-D", str(data), "-U", user, "-A", "trust", "-E", "UTF8", "--no-sync")
    options = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
    run(ctl, "-D", str(data), "-l", str(folder / "log"), "-o", options, "-w", "start")
    try:
        yield f"postgresql://{user}@/postgres?host={folder}"
    finally:
        subprocess.run([*as_user, ctl, "-D", str(data), "-m", "immediate", "stop"], capture_output=True, cwd=folder)


def emptied(address: str) -> str:
    """The same database without any table."""
    import sqlalchemy as sa

    engine = sa.create_engine(sa.make_url(address).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        connection.execute(sa.text("drop schema public cascade"))
        connection.execute(sa.text("create schema public"))
    engine.dispose()
    return address
