"""Live streams: what has changed for whom, nothing for those who cannot see it, and nobody holds anybody up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from web.hosting import FIGHT, HIDDEN

from affray.audience import MASTER, SPECTATOR, Audience
from affray.store.jsonl import NotSaved
from affray.store.sql import Database
from affray.web import channels, play
from affray.web.errors import Stale
from affray.web.hall import Hall, read_source
from affray.web.people import Guest, People
from affray.web.tables import Table

KESS = Audience(own=("Kess",))


class Room:
    """A hall without HTTP: one fight, a master, a player and a spectator."""

    def __init__(self, db: Database) -> None:
        self.people = People(db)
        self.hall = Hall(db, self.people)
        self.table: Table

    async def open(self) -> None:
        camp = await self.hall.make_campaign("Friday", "rond6")
        self.campaign = camp["id"]
        fight = await self.hall.begin(self.campaign, read_source(FIGHT, {}), 7)
        self.table = await self.hall.table(fight)
        self.master = self.guest(await self.people.token(self.hall.keep, self.people.master))
        self.kess, self.wall = await self.come("Ann", "Kess"), await self.come("Wall", role="spectator")

    def guest(self, token: str) -> Guest:
        return self.people.guest([token])

    async def come(self, name: str, character: str = "", role: Any = "player") -> Guest:
        person = await self.people.join(self.hall.keep, self.campaign, name, role)
        person = await self.people.change(self.hall.keep, person, approved=True)
        if character:
            await self.people.sit(self.hall.keep, self.campaign, person.id, character, True)
        return self.guest(await self.people.token(self.hall.keep, person))

    async def end(self) -> None:
        """Whoever is up ends the turn."""
        who = self.table.shown.up()[0]
        await self.table.decide(self.master, lambda fight, eyes: play.order(fight, eyes, {"do": "end", "by": who}), "", "")
        await self.table.told()


@asynccontextmanager
async def room(folder: Path) -> AsyncIterator[Room]:
    db = Database(str(folder))
    one = Room(db)
    await one.open()
    try:
        yield one
    finally:
        one.hall.close_streams()
        db.close()


def run(folder: Path, test: Any) -> None:
    async def go() -> None:
        async with room(folder) as one:
            await test(one)

    asyncio.run(asyncio.wait_for(go(), 30))


def events(data: bytes) -> list[tuple[str, str, Any]]:
    """Name, id and data of the events in some bytes."""
    found = []
    for block in data.decode().split("\n\n"):
        lines = dict(line.partition(": ")[::2] for line in block.split("\n") if ": " in line)
        if "event" in lines:
            text = lines["data"]
            found.append((lines["event"], lines.get("id", ""), msgspec.json.decode(text) if text[:1] in "[{" else text))
    return found


async def waiting(stream: AsyncIterator[bytes], seconds: float = 0.3) -> bytes:
    """What comes within a while; b'' when nothing does."""
    task = asyncio.ensure_future(anext(stream))
    done, _ = await asyncio.wait([task], timeout=seconds)
    if not done:
        task.cancel()
        await asyncio.wait([task])
        return b""
    return task.result()


async def begun(room: Room, guest: Guest, last: str = "") -> tuple[Any, Any, bytes]:
    """A stream that was opened, and what came first."""
    channel, viewer = room.table.watch(guest, "json", last)
    stream = viewer.stream()
    assert (await anext(stream)).startswith(b"retry:")
    return channel, viewer, b"" if last == channel.ident else await anext(stream)


def test_everybody_gets_what_he_sees_and_then_what_changes(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        opened = {}
        for guest, audience in ((room.master, MASTER), (room.kess, KESS), (room.wall, SPECTATOR)):
            _, viewer, first = await begun(room, guest)
            (name, ident, model), *_ = events(first)
            assert name == "fight" and model == msgspec.to_builtins(room.table.view(audience).model) and ident == model["version"]
            assert (HIDDEN in str(events(first))) == (audience == MASTER)
            opened[audience] = viewer
        assert opened[KESS] is not opened[SPECTATOR]
        await room.end()
        for audience, viewer in opened.items():
            (name, ident, model), *_ = events(viewer._waiting.popleft())
            assert name == "fight" and ident == room.table.view(audience).version == model["version"]

    run(tmp_path, test)


def test_what_one_cannot_see_makes_no_event(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        _, master, _ = await begun(room, room.master)
        _, kess, _ = await begun(room, room.kess)
        before = room.table.view(KESS).version
        from affray import referee

        for order in (
            referee.Set("master", HIDDEN, {"at": [7, 7]}),
            referee.Set("master", HIDDEN, {"wounds": 1}),
            referee.Say("master", f"{HIDDEN} waits"),
        ):
            await room.table.act(lambda fight, order=order: fight.order(order))
            await room.table.told()
        assert len(master._waiting) == 3
        told = [one for data in kess._waiting for one in events(data)]
        assert HIDDEN not in str(told)
        if told:  # words of the master are for all who may read them
            assert room.table.view(KESS).version != before

    run(tmp_path, test)


def test_viewers_who_see_the_same_share_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(room: Room) -> None:
        made = []
        real = channels.packed
        monkeypatch.setattr(channels, "packed", lambda ident, parts: made.append(ident) or real(ident, parts))
        some = [(await begun(room, room.wall))[1] for _ in range(20)]
        made.clear()
        await room.end()
        assert len(made) == 1
        assert len({id(viewer._waiting[0]) for viewer in some}) == 1

    run(tmp_path, test)


def test_a_slow_viewer_gets_everything_later_and_holds_nobody_up(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        channel, slow, _ = await begun(room, room.master)
        stream = slow.stream()
        await anext(stream)
        for _ in range(channels.QUEUE + 20):
            await room.end()
        assert len(slow._waiting) <= channels.QUEUE
        data = await anext(stream)
        assert events(data)[0][1] == room.table.view(MASTER).version and len(data) < 3 * len(channel.whole())

    run(tmp_path, test)


def test_coming_back_with_the_last_id(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        now = room.table.view(MASTER).version
        _, viewer = room.table.watch(room.master, "json", now)
        stream = viewer.stream()
        await anext(stream)
        assert await waiting(stream) == b""
        await room.end()
        _, _, first = await begun(room, room.master, now)
        assert events(first)[0][1] == room.table.view(MASTER).version != now

    run(tmp_path, test)


def test_streams_end_when_rights_change(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        _, kess, _ = await begun(room, room.kess)
        _, wall, _ = await begun(room, room.wall)
        _, master, _ = await begun(room, room.master)
        person = room.kess.people[0]
        await room.people.sit(room.hall.keep, room.campaign, person.id, "Bo", True)
        room.hall.check_viewers()
        assert events(b"".join(kess._waiting))[-1][0] == "again" and kess._closed and not wall._closed
        _, kess, _ = await begun(room, room.kess)
        await room.people.change(room.hall.keep, person, gone=True)
        room.hall.check_viewers()
        assert events(b"".join(kess._waiting))[-1][0] == "gone" and kess._closed
        assert not wall._closed and not master._closed

    run(tmp_path, test)


# ---- kept before it is shown


def test_nothing_is_shown_before_it_is_kept(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        import threading

        gate = threading.Event()
        room.hall.db.writer.hold = lambda: gate.wait(10)  # type: ignore[assignment,return-value]
        _, viewer, _ = await begun(room, room.wall)
        before = room.table.view(MASTER).version
        task = asyncio.ensure_future(room.end())
        await asyncio.sleep(0.2)
        assert not task.done() and room.table.view(MASTER).version == before and not viewer._waiting
        gate.set()
        await task
        assert room.table.view(MASTER).version != before and viewer._waiting

    run(tmp_path, test)


def test_what_could_not_be_kept_has_not_happened(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        before = room.table.view(MASTER).version
        _, viewer, _ = await begun(room, room.wall)

        def broken() -> None:
            raise OSError(28, "No space left on device")

        room.hall.db.writer.hold = broken
        with pytest.raises(NotSaved, match="No space left"):
            await room.end()
        assert room.table.view(MASTER).version == before and not viewer._waiting
        room.hall.db.writer.hold = None
        await room.end()
        assert room.table.view(MASTER).version != before and viewer._waiting

    run(tmp_path, test)


def test_fights_that_decide_at_once_share_a_transaction(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        some = []
        for seed in range(30):
            some.append(await room.hall.table(await room.hall.begin(room.campaign, read_source(FIGHT, {}), seed)))
        writer = room.hall.db.writer
        before = writer.transactions

        async def end(table: Table) -> None:
            for _ in range(3):
                await table.act(lambda fight: fight.order(fight.ruleset.order({"do": "end", "by": fight.up()[0]})))

        await asyncio.gather(*map(end, some))
        assert writer.transactions - before <= 30
        for table in some:
            shown = table.shown.settled
            await table.load()
            assert table.shown.settled == shown

    run(tmp_path, test)


def test_a_refused_decision_leaves_no_trace(tmp_path: Path) -> None:
    async def test(room: Room) -> None:
        before = room.table.view(MASTER).version, room.table._count

        def half(fight: Any, eyes: Any) -> None:
            play.order(fight, eyes, {"do": "end", "by": fight.up()[0]})
            play.order(fight, eyes, {"do": "end", "by": "nobody"})

        with pytest.raises(Exception, match=r"nobody|somebody"):
            await room.table.decide(room.master, half, "", "")
        assert (room.table.view(MASTER).version, room.table._count) == before
        with pytest.raises(Stale):
            await room.table.decide(room.master, half, "another", "")

    run(tmp_path, test)
