"""Everything that this server holds: campaigns, characters, encounters, and the fights that are open."""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
import traceback
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import msgspec
import sqlalchemy as sa
from litestar.di import NamedDependency

from affray import ruleset as rulesets
from affray.errors import DataError, Problem
from affray.formats.draft import checked
from affray.store import sql
from affray.store.lines import head
from affray.web.errors import NotFound, NotKnown, TooMuch
from affray.web.people import Guest, People, Tries, code, fresh_id
from affray.web.tables import Settings, Table
from affray.web.texts import printable

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
        self.seed: int | None = None
        """The seed of every fight that begins; None: each has its own, which nobody foresees."""
        self.decided = 0.0
        """When somebody decided something last, by the monotonic clock."""
        self.watched = False
        """Whether forecasts grow surer by themselves (see `outlook.Watchman`)."""
        self.clock: Callable[[], float] = time.perf_counter
        """What forecasters ask for the time."""
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

    async def prepare(self, campaign: str, source: str, title: str = "") -> str:
        """An encounter that has not begun, as text, right or not. Returns its id."""
        ruleset = (await self.campaign(campaign))["ruleset"]
        return await self._put(campaign, printable(title) or "Untitled fight", ruleset, "prepared", source)

    def _seed(self) -> int:
        return secrets.randbits(52) if self.seed is None else self.seed

    async def begin_source(self, campaign: str, source: str, title: str = "") -> str:
        """The fight of an encounter file begins under the campaign's house rules. Raises DataError with all that is wrong."""
        fight = await asyncio.to_thread(read_source, source, (await self.campaign(campaign))["rulings"])
        return await self.begin(campaign, fight, self._seed(), source, title)

    async def begin_prepared(self, ident: str) -> str:
        """A prepared encounter begins, once. Raises DataError, NotFound."""
        row = await self.encounter(ident)
        if row["status"] != "prepared":
            return ident
        fight = await asyncio.to_thread(read_source, row["source"], (await self.campaign(row["campaign"]))["rulings"])
        async with self._loading:
            if (await self.encounter(ident))["status"] == "prepared":
                await self.keep(sql.together(self._begun(ident, fight, self._seed(), row["title"])))
        await self.table(ident)
        return ident

    async def begin(self, campaign: str, fight: Any, seed: int, source: str = "", title: str = "") -> str:
        """A fight (`formats.encounter.Fight`) begins. Returns its id."""
        title = printable(title or fight.title) or fight.ruleset.title
        ident = await self._put(campaign, title, fight.ruleset.name, "prepared", source)
        await self.keep(sql.together(self._begun(ident, fight, seed, title)))
        await self.table(ident)
        return ident

    async def _put(self, campaign: str, title: str, ruleset: str, status: str, source: str) -> str:
        if len(await self.rows(sa.select(sql.ENCOUNTERS.c.id).where(sql.ENCOUNTERS.c.campaign == campaign))) >= MOST:
            raise TooMuch("there are too many fights in this campaign already; drop some")
        ident, now = fresh_id(), time.time()
        row = {
            "id": ident, "campaign": campaign, "title": title, "ruleset": ruleset, "status": status,
            "settings": msgspec.to_builtins(Settings()), "source": source, "created": now, "changed": now,
        }  # fmt: skip
        await self.keep(sql.insert(sql.ENCOUNTERS, row))
        return ident

    def _begun(self, ident: str, fight: Any, seed: int, title: str) -> list[sql.Work]:
        """The first lines of a fight: its head, and who plays whom."""
        lines = [head(fight.ruleset, fight.state, seed, title)]
        policies = dict(fight.policies)
        if {f.side for f in fight.state.fighters} <= policies.keys():
            policies = {}  # a file that says so for all is for the computer alone; at a table somebody wants to play
        if policies:
            lines.append({"t": "memo", "memo": {"policies": policies}})
        values = {"status": "running", "ruleset": fight.ruleset.name, "changed": time.time()}
        return [sql.update(sql.ENCOUNTERS, {"id": ident}, values), sql.keep_lines(ident, 0, lines)]

    async def change_encounter(self, ident: str, **values: Any) -> dict[str, Any]:
        """Another title or status, or another source for one that has not begun."""
        await self.keep(sql.update(sql.ENCOUNTERS, {"id": ident}, {**values, "changed": time.time()}))
        if (table := self.tables.get(ident)) and "title" in values:
            table.title = values["title"]
            table.refresh()
        return await self.encounter(ident)

    async def drop_encounter(self, ident: str) -> None:
        """A fight and all its lines are gone."""
        table = self.tables.get(ident)
        if table is not None:
            await table.drop()
        gone = [sql.delete(sql.LINES, {"encounter": ident}), sql.delete(sql.ENCOUNTERS, {"id": ident})]
        await self.keep(sql.together(gone))
        self.tables.pop(ident, None)

    async def change_campaign(self, ident: str, **values: Any) -> dict[str, Any]:
        """Another title, other house rules, another code. Raises DataError."""
        row = await self.campaign(ident)
        if "rulings" in values:
            rulesets.find(row["ruleset"]).rulings(values["rulings"])
        await self.keep(sql.update(sql.CAMPAIGNS, {"id": ident}, values))
        return await self.campaign(ident)

    async def drop_campaign(self, ident: str) -> None:
        """A campaign and all that is in it are gone."""
        for one in await self.encounters(ident):
            await self.drop_encounter(one["id"])
        for person in self.people.of(ident):
            await self.people.change(self.keep, person, gone=True)
        gone = [sql.delete(table, {"campaign": ident}) for table in (sql.CHARACTERS, sql.SEATS)]
        await self.keep(sql.together([*gone, sql.delete(sql.CAMPAIGNS, {"id": ident})]))

    # ---- characters

    async def characters(self, campaign: str) -> list[dict[str, Any]]:
        """All characters of a campaign, by name."""
        return await self.rows(sql.find(sql.CHARACTERS, campaign=campaign).order_by(sql.CHARACTERS.c.name))

    async def character(self, campaign: str, ident: str) -> dict[str, Any]:
        """Raises NotFound."""
        found = await self.rows(sql.find(sql.CHARACTERS, campaign=campaign, id=ident))
        if not found:
            raise NotFound("there is no such character")
        return found[0]

    async def put_character(
        self, campaign: str, name: str, sheet: Mapping[str, Any], state: Mapping[str, Any] | None = None, ident: str = ""
    ) -> dict[str, Any]:
        """A new character, or (with its id) another sheet for one. Raises DataError: two have one name."""
        name, all_ = printable(name), await self.characters(campaign)
        if any(one["name"].lower() == name.lower() and one["id"] != ident for one in all_):
            raise DataError([Problem(f"there is a character called {name!r} already", key="name")])
        values = {"name": name, "sheet": dict(sheet), "state": dict(state or {})}
        if ident:
            old = await self.character(campaign, ident)
            works = [sql.update(sql.CHARACTERS, {"id": ident}, values)]
            if old["name"] != name:
                works.append(sql.update(sql.SEATS, {"campaign": campaign, "character": old["name"]}, {"character": name}))
            await self.keep(sql.together(works))
            self.people.renamed(campaign, old["name"], name)
            self.check_viewers()
        else:
            if len(all_) >= MOST:
                raise TooMuch("there are too many characters already; drop some")
            ident = fresh_id()
            await self.keep(sql.insert(sql.CHARACTERS, {"id": ident, "campaign": campaign, "created": time.time(), **values}))
        return await self.character(campaign, ident)

    async def drop_character(self, campaign: str, ident: str) -> None:
        """A character is gone; its seat stays for fights in which it is."""
        await self.character(campaign, ident)
        await self.keep(sql.delete(sql.CHARACTERS, {"id": ident}))

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

    async def table_for(self, guest: Guest, ident: str) -> Table:
        """The open fight, for somebody of its campaign; for others it is not there. Raises NotKnown, NotAllowed, NotFound."""
        if not guest.known:
            raise NotKnown()
        table = await self.table(ident)
        if guest.person(table.campaign) is None:
            raise NotFound("there is no such fight")
        return table

    def check_viewers(self) -> None:
        """Somebody has come, or somebody's rights have changed."""
        for table in self.tables.values():
            table.check_viewers()
            table.refresh()


TheHall = NamedDependency[Hall]
"""For the parameter `hall` of a handler."""


def offered(character: Mapping[str, Any]) -> bool:
    """Whether players may know of a character: those whose sheet says `player = false` are the game master's alone."""
    return character["sheet"].get("player") is not False


def read_source(source: str, house: Mapping[str, Any]) -> Any:
    """The fight that an encounter file describes, under the house rules where it states no ruling itself. Raises DataError."""
    fight, problems = checked(source, "encounter", house)
    if fight is None:
        raise DataError(problems)
    return fight
