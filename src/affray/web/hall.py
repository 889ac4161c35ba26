"""Everything that this server holds: campaigns, characters, encounters, and the fights that are open."""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
import traceback
from collections.abc import Coroutine, Mapping
from typing import Any

import msgspec
import sqlalchemy as sa
from litestar.di import NamedDependency

from affray import ruleset as rulesets
from affray.errors import DataError
from affray.formats.encounter import Reader
from affray.formats.toml import loads
from affray.store import sql
from affray.store.lines import head
from affray.web import play
from affray.web.errors import NotFound, TooMuch
from affray.web.people import Guest, People, Tries, code, fresh_id
from affray.web.tables import Settings, Table

MOST = 500
"""Campaigns on a server, characters and encounters in a campaign."""


class Hall:
    """The server's contents. `keep` is the only way to change the database."""

    def __init__(self, db: sql.Database, people: People) -> None:
        self.db, self.people = db, people
        self.tables: dict[str, Table] = {}
        self.addresses: tuple[str, ...] = ()
        """Where others in the network reach this server; empty when they cannot."""
        self.tries = Tries()
        self.faults = 0
        self.closing = False
        self._loading = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    async def keep(self, work: sql.Work) -> Any:
        """Done when it is on the disk. Raises NotSaved."""
        return await asyncio.wrap_future(self.db.writer.put(work))

    async def rows(self, query: Any) -> list[dict[str, Any]]:
        return await asyncio.to_thread(self.db.rows, query)

    def later(self, work: Coroutine[Any, Any, None]) -> None:
        """Something to be done beside."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def note_fault(self, wrong: BaseException) -> None:
        """A bug: its traceback belongs in the terminal."""
        self.faults += 1
        traceback.print_exception(wrong, file=sys.stderr)

    def close_streams(self) -> None:
        """All streams end, so that the server can."""
        self.closing = True
        for table in self.tables.values():
            table.close()

    # ---- campaigns

    async def campaigns(self, guest: Guest) -> list[dict[str, Any]]:
        """Those in which somebody is, oldest first; all of them for the master of the server."""
        found = await self.rows(sql.find(sql.CAMPAIGNS).order_by(sql.CAMPAIGNS.c.created))
        return [one for one in found if guest.host or guest.person(one["id"])]

    async def campaign(self, ident: str) -> dict[str, Any]:
        """Raises NotFound."""
        found = await self.rows(sql.find(sql.CAMPAIGNS, id=ident))
        if not found:
            raise NotFound("there is no such campaign")
        return found[0]

    async def by_code(self, typed: str) -> dict[str, Any] | None:
        """The campaign with that join code."""
        found = await self.rows(sql.find(sql.CAMPAIGNS, code=typed.strip().upper().replace(" ", "").replace("-", "")))
        return found[0] if found else None

    async def make_campaign(self, title: str, ruleset: str, rulings: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A new campaign with its house rules. Raises DataError."""
        rules = rulesets.find(ruleset)
        rules.rulings(rulings or {})
        if len(await self.rows(sql.find(sql.CAMPAIGNS))) >= MOST:
            raise TooMuch("there are too many campaigns already; drop some")
        row = {
            "id": fresh_id(), "title": title, "ruleset": rules.name, "rulings": dict(rulings or {}), "code": code(),
            "created": time.time(),
        }  # fmt: skip
        await self.keep(sql.insert(sql.CAMPAIGNS, row))
        return row

    # ---- encounters

    async def encounters(self, campaign: str) -> list[dict[str, Any]]:
        """In short, the one changed last first."""
        cols = [c for c in sql.ENCOUNTERS.c if c.name != "source"]
        query = sa.select(*cols).where(sql.ENCOUNTERS.c.campaign == campaign).order_by(sql.ENCOUNTERS.c.changed.desc())
        return await self.rows(query)

    async def encounter(self, ident: str) -> dict[str, Any]:
        """Raises NotFound."""
        found = await self.rows(sql.find(sql.ENCOUNTERS, id=ident))
        if not found:
            raise NotFound("there is no such fight")
        return found[0]

    async def begin(self, campaign: str, fight: Any, seed: int, source: str = "", title: str = "") -> str:
        """A fight (`formats.encounter.Fight`) begins. Returns its id."""
        ident, now = fresh_id(), time.time()
        row = {
            "id": ident, "campaign": campaign, "title": title or fight.title or fight.ruleset.title,
            "ruleset": fight.ruleset.name,
            "status": "running", "settings": msgspec.to_builtins(Settings()), "source": source, "created": now,
            "changed": now,
        }  # fmt: skip
        first = [head(fight.ruleset, fight.state, seed, row["title"])]
        await self.keep(sql.together([sql.insert(sql.ENCOUNTERS, row), sql.keep_lines(ident, 0, first)]))
        table = await self.table(ident)
        if fight.policies:
            await table.act(lambda one: play.played_by(one, dict(fight.policies)))
        await table.act(lambda one: one.advance())
        table.go_on()
        return ident

    async def begin_source(self, campaign: str, source: str, title: str = "") -> str:
        """The fight of an encounter file begins under the campaign's house rules. Raises DataError with all that is wrong."""
        fight = await asyncio.to_thread(read_source, source, (await self.campaign(campaign))["rulings"])
        return await self.begin(campaign, fight, secrets.randbits(52), source, title)

    # ---- open fights

    async def table(self, ident: str) -> Table:
        """The open fight of that id, loaded when it is wanted. Raises NotFound, DataError."""
        found = self.tables.get(ident)
        if found is not None:
            return found
        async with self._loading:
            if ident not in self.tables:
                row = await self.encounter(ident)
                if row["status"] == "prepared":
                    raise NotFound("this fight has not begun")
                table = Table(self, row)
                await table.load()
                self.tables[ident] = table
        return self.tables[ident]

    def check_viewers(self) -> None:
        """Somebody's rights have changed."""
        for table in self.tables.values():
            table.check_viewers()


TheHall = NamedDependency[Hall]
"""For the parameter `hall` of a handler."""


def read_source(source: str, house: Mapping[str, Any]) -> Any:
    """The fight that an encounter file describes, under the house rules where it states no ruling itself. Raises DataError."""
    reader = Reader(loads(source, "encounter"))
    fight = reader.read({**reader.doc.data, "rulings": {**house, **reader.doc.data.get("rulings", {})}})
    if fight is None or reader.problems:
        raise DataError(reader.problems)
    return fight
