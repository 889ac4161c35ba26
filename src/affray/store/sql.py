"""Campaigns, people and fights in an SQL database: SQLite in a folder (the default), or PostgreSQL by URL.

The lines of a fight are the same as in a JSON Lines file, a row each. Whatever is to be kept goes through one `Writer`: it
gathers what all fights have queued into one transaction and answers when that is on the disk. Reading needs no writer.
It must not know the page.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from affray.errors import DataError, Problem
from affray.store.jsonl import Busy, NotSaved
from affray.store.lines import encode

SCHEMA = 1
FILE = "affray.db"
GATHER = 400
"""The most pieces of work in one transaction."""

META = sa.MetaData()
ABOUT = sa.Table("about", META, sa.Column("key", sa.String, primary_key=True), sa.Column("value", sa.String, nullable=False))
CAMPAIGNS = sa.Table(
    "campaigns",
    META,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("ruleset", sa.String, nullable=False),
    sa.Column("rulings", sa.JSON, nullable=False),
    sa.Column("code", sa.String, nullable=False, unique=True),
    sa.Column("created", sa.Float, nullable=False),
)
PEOPLE = sa.Table(
    "people",
    META,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("campaign", sa.String, nullable=False, index=True),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("role", sa.String, nullable=False),
    sa.Column("approved", sa.Boolean, nullable=False),
    sa.Column("gone", sa.Boolean, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
)
TOKENS = sa.Table(
    "tokens",
    META,
    sa.Column("hash", sa.String, primary_key=True),
    sa.Column("person", sa.String, nullable=False, index=True),
    sa.Column("label", sa.String, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
)
SEATS = sa.Table(
    "seats",
    META,
    sa.Column("campaign", sa.String, primary_key=True),
    sa.Column("character", sa.String, primary_key=True),
    sa.Column("person", sa.String, primary_key=True),
    sa.Column("approved", sa.Boolean, nullable=False),
)
CHARACTERS = sa.Table(
    "characters",
    META,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("campaign", sa.String, nullable=False, index=True),
    sa.Column("name", sa.String, nullable=False),
    sa.Column("sheet", sa.JSON, nullable=False),
    sa.Column("state", sa.JSON, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.UniqueConstraint("campaign", "name"),
)
ENCOUNTERS = sa.Table(
    "encounters",
    META,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("campaign", sa.String, nullable=False, index=True),
    sa.Column("title", sa.String, nullable=False),
    sa.Column("ruleset", sa.String, nullable=False),
    sa.Column("status", sa.String, nullable=False),
    sa.Column("settings", sa.JSON, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("changed", sa.Float, nullable=False),
)
LINES = sa.Table(
    "lines",
    META,
    sa.Column("encounter", sa.String, primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True),
    sa.Column("line", sa.LargeBinary, nullable=False),
    sa.Column("key", sa.String, nullable=True),
    sa.Column("person", sa.String, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.UniqueConstraint("encounter", "key"),
)
Row = Mapping[str, Any]
Work = Callable[[sa.Connection], Any]
"""Something to be kept: what it does to the database, inside a transaction that it shares with others."""


class Database:
    """An open database: `rows` reads, `writer` keeps. One process at a time holds it."""

    def __init__(self, where: str) -> None:
        self.where = where
        self._held: Any = None
        self.engine = self._postgres(where) if "://" in where else self._sqlite(Path(where))
        try:
            self._prepare()
        except BaseException:
            self.close_engine()
            raise
        self.writer = Writer(self.engine, self.name)

    @property
    def name(self) -> str:
        """How the database is called in messages: without a password."""
        return self.engine.url.render_as_string(hide_password=True)

    def rows(self, query: sa.Select[Any]) -> list[dict[str, Any]]:
        """What a query finds."""
        with self.engine.connect() as connection:
            return [dict(row) for row in connection.execute(query).mappings()]

    def close(self) -> None:
        """Everything queued is kept first."""
        self.writer.close()
        self.close_engine()

    def close_engine(self) -> None:
        if isinstance(self._held, sa.Connection):
            self._held.close()
        self.engine.dispose()
        if isinstance(self._held, int):
            os.close(self._held)
        self._held = None

    def _sqlite(self, folder: Path) -> sa.Engine:
        path = folder if folder.suffix == ".db" else folder / FILE
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._held = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, 0o600)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as wrong:
            raise DataError([Problem(wrong.strerror or str(wrong), str(path))]) from None
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._held)
            self._held = None
            raise Busy(f"{path} is open in another process; close that one first") from None
        engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": 10})
        sa.event.listen(engine, "connect", _safe)
        return engine

    def _postgres(self, url: str) -> sa.Engine:
        try:
            parsed = sa.make_url(url)
        except SQLAlchemyError:
            raise DataError([Problem("this is no address of a database: postgresql://user@host/name", url)]) from None
        if parsed.get_backend_name() == "sqlite":
            return self._sqlite(Path(parsed.database or "."))
        if parsed.get_backend_name() != "postgresql":
            raise DataError([Problem("a folder, or postgresql://user@host/name", parsed.drivername)])
        try:
            engine = sa.create_engine(parsed.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
            held = engine.connect()
            alone = held.execute(sa.text("select pg_try_advisory_lock(hashtext('affray ' || current_schema()))")).scalar()
        except ModuleNotFoundError:
            raise DataError([Problem("PostgreSQL needs psycopg: pip install 'affray[postgres]'", url)]) from None
        except SQLAlchemyError as wrong:
            engine.dispose()
            raise DataError([Problem(f"cannot be reached: {_first(wrong)}", parsed.render_as_string())]) from None
        self._held = held
        if not alone:
            held.close()
            engine.dispose()
            raise Busy(f"{parsed.render_as_string()} is open in another process; close that one first")
        return engine

    def _prepare(self) -> None:
        """Make the tables in an empty database; refuse one of another version."""
        try:
            with self.engine.begin() as connection:
                if not sa.inspect(connection).get_table_names():
                    META.create_all(connection)
                    connection.execute(ABOUT.insert(), [{"key": "schema", "value": str(SCHEMA)}])
                    return
                try:
                    found = connection.execute(sa.select(ABOUT.c.value).where(ABOUT.c.key == "schema")).scalar()
                except SQLAlchemyError:
                    found = None
        except SQLAlchemyError as wrong:
            raise DataError([Problem(f"this is no database of Affray: {_first(wrong)}", self.name)]) from None
        if found is None:
            raise DataError([Problem("this database is not Affray's; name another folder or database", self.name)])
        if found != str(SCHEMA):
            told = f"kept in version {found} of the tables, this version of Affray reads {SCHEMA}"
            raise DataError([Problem(told, self.name)])


def _safe(connection: Any, record: Any) -> None:
    """A transaction of SQLite is on the disk when it is over, and readers do not wait for the writer."""
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _first(wrong: Exception) -> str:
    return str(getattr(wrong, "orig", None) or wrong).strip().partition("\n")[0]


class Writer:
    """One thread that keeps things: all that is queued when it comes round goes into one transaction.

    `hold` makes it wait before a transaction (for tests).
    """

    def __init__(self, engine: sa.Engine, name: str) -> None:
        self.engine, self.name = engine, name
        self.transactions = 0
        self.hold: Callable[[], None] | None = None
        self._queue: SimpleQueue[tuple[Work, Future[Any]] | None] = SimpleQueue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="affray-writer", daemon=True)
        self._thread.start()

    def put(self, work: Work) -> Future[Any]:
        """Queue something to be kept. The future is done when it is on the disk; NotSaved when it could not be."""
        future: Future[Any] = Future()
        if self._closed:
            future.set_exception(NotSaved(f"{self.name} is closed; this has not been done"))
        else:
            self._queue.put((work, future))
        return future

    def do(self, work: Work) -> Any:
        """Keep something and wait for it. Raises NotSaved."""
        return self.put(work).result()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            self._thread.join()

    def _run(self) -> None:
        connection: sa.Connection | None = None
        while (first := self._queue.get()) is not None:
            batch, last = [first], False
            while len(batch) < GATHER:
                try:
                    more = self._queue.get_nowait()
                except Empty:
                    break
                if more is None:
                    last = True
                    break
                batch.append(more)
            connection = self._keep(connection, batch)
            if last:
                break
        if connection is not None:
            connection.close()

    def _keep(self, connection: sa.Connection | None, batch: list[tuple[Work, Future[Any]]]) -> sa.Connection | None:
        """One transaction for all of it; if that fails, one for each, so that only what is wrong fails."""
        try:
            if self.hold:
                self.hold()
            connection = connection or self.engine.connect()
            with connection.begin():
                results = [work(connection) for work, _ in batch]
            self.transactions += 1
        except Exception as wrong:
            if connection is not None:
                connection.close()
                connection = None
            if len(batch) > 1 and not isinstance(wrong, OSError):
                for one in batch:
                    connection = self._keep(connection, [one])
                return connection
            told = f"{self.name} cannot be written ({_first(wrong)}); this has not been done"
            batch[0][1].set_exception(NotSaved(told) if isinstance(wrong, SQLAlchemyError | OSError) else wrong)
            for _, future in batch[1:]:
                future.set_exception(NotSaved(told))
            return connection
        for (_, future), result in zip(batch, results, strict=True):
            future.set_result(result)
        return connection


# ---- lines of fights


def keep_lines(encounter: str, n: int, lines: Sequence[Mapping[str, Any]], key: str = "", person: str = "") -> Work:
    """Put lines behind the first `n` of a fight. The key of what was asked for stands with the first of them."""
    now = time.time()
    rows = [
        {"encounter": encounter, "n": n + i, "line": encode(line), "key": key or None, "person": person, "at": now}
        for i, line in enumerate(lines)
    ]
    for row in rows[1:]:
        row["key"] = None

    def work(connection: sa.Connection) -> None:
        connection.execute(_PUT_LINE, rows)

    return work


_PUT_LINE = LINES.insert()


def read_lines(db: Database, encounter: str) -> tuple[list[dict[str, Any]], list[str]]:
    """The lines of a fight, and the keys that were used. Raises DataError naming a line that cannot be read."""
    query = sa.select(LINES.c.n, LINES.c.line, LINES.c.key).where(LINES.c.encounter == encounter).order_by(LINES.c.n)
    lines, keys = [], []
    for row in db.rows(query):
        try:
            lines.append(msgspec.json.decode(row["line"], type=dict[str, Any]))
        except (msgspec.DecodeError, msgspec.ValidationError) as wrong:
            raise DataError([Problem(f"not a line of a saved fight: {wrong}", f"fight {encounter}", row["n"] + 1)]) from None
        if row["key"]:
            keys.append(row["key"])
    return lines, keys


class SqlLines:
    """The journal of one fight in the database, for whoever waits for each decision by itself: `append` returns when the
    lines are on the disk. (The server gathers instead.)"""

    def __init__(self, db: Database, encounter: str, n: int = 0) -> None:
        self.db, self.encounter, self.n = db, encounter, n

    def append(self, lines: Sequence[Mapping[str, Any]]) -> None:
        """Raises NotSaved; then nothing of it has been kept."""
        self.db.writer.do(keep_lines(self.encounter, self.n, lines))
        self.n += len(lines)


# ---- everything else: plain rows


def insert(table: sa.Table, *rows: Row) -> Work:
    """Keep rows of a table."""
    return lambda connection: connection.execute(table.insert(), [dict(row) for row in rows])


def update(table: sa.Table, where: Row, values: Row) -> Work:
    """Change the rows that have these values."""
    return lambda connection: connection.execute(_where(table.update(), table, where).values(**values))


def delete(table: sa.Table, where: Row) -> Work:
    """Drop the rows that have these values."""
    return lambda connection: connection.execute(_where(table.delete(), table, where))


def together(works: Iterable[Work]) -> Work:
    """Several pieces of work, all or none."""
    listed = tuple(works)

    def work(connection: sa.Connection) -> None:
        for one in listed:
            one(connection)

    return work


def _where(statement: Any, table: sa.Table, where: Row) -> Any:
    for name, value in where.items():
        statement = statement.where(table.c[name] == value)
    return statement


def find(table: sa.Table, **where: Any) -> sa.Select[Any]:
    """The query for the rows that have these values."""
    query: sa.Select[Any] = _where(sa.select(table), table, where)
    return query
