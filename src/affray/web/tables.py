"""One open fight: a lock, what is kept and shown, and its viewers.

A decision is made on the fight under the lock, kept, and only then shown and answered: `shown` is a copy that changes when
the database has said that the lines are on the disk. When they cannot be kept, the fight is loaded again.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from affray import sight
from affray.ask import MASTER, Roll
from affray.encounter import Encounter
from affray.errors import AffrayError
from affray.record import Held
from affray.sight import SPECTATOR, Audience
from affray.store import sql
from affray.store.lines import restore
from affray.web import play
from affray.web.channels import Channel, Look, Viewer, event
from affray.web.errors import Fault, NotAsked, NotFound, Stale
from affray.web.people import Guest
from affray.web.rendering import Made

if TYPE_CHECKING:
    from affray.web.hall import Hall
    from affray.web.outlook import Outlook

Kind = Literal["page", "json"]
POLICY_STEPS = 2000
BREATH = 0.02
"""Seconds that viewers wait at most, so that whoever has decided is answered first."""
PATIENCE = 2.0
"""Seconds that an answer waits for policies to finish; they go on by themselves."""
GRACE = 10.0
"""Seconds that a question has at least when a server starts again: phones must find their way back first."""


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the master has chosen for a fight.

    `numbers`: players see everybody's numbers. `limit`: seconds until a player's question is answered as usual (0: no limit).
    `forecast`: who sees it.
    """

    numbers: bool = False
    limit: int = 0
    forecast: Literal["master", "all", "nobody"] = "master"


def copied(fight: Encounter) -> Encounter:
    """The fight as it is, which nobody keeps."""
    one = copy.copy(fight)
    one.record, one.memo, one.policies, one.journal = one.record.copy(), dict(one.memo), dict(one.policies), None
    return one


class View:
    """What one audience may see of a fight as it is kept; made when it is wanted, once."""

    def __init__(self, table: Table, audience: Audience) -> None:
        self.table, self.audience = table, audience
        self._model: dict[str, Any] | None = None
        self._log: list[dict[str, Any]] | None = None
        self._fragments: dict[str, str] | None = None

    @property
    def model(self) -> dict[str, Any]:
        """Plain data; `version` in it changes exactly when this audience sees something else."""
        if self._model is None:
            table = self.table
            self._model = sight.fight(table.shown, self.audience, table.seated(), **table.extra())
            if self.audience.master:
                self._model["seated"] = list(table.seated())
                self._model["door"] = table.hall.people.at_the_door(table.campaign)
            for one in self._model["requests"]:
                one["limit"] = table.limit(one["n"])
        return self._model

    @property
    def log(self) -> list[dict[str, Any]]:
        if self._log is None:
            self._log = sight.log(self.table.shown, self.audience)
        return self._log

    @property
    def version(self) -> str:
        return str(self.model["version"])

    @property
    def fragments(self) -> dict[str, str]:
        """HTML by name; the log is not among it."""
        if self._fragments is None:
            from affray.web import pages

            self._fragments = pages.fragments(self.table, self)
        return self._fragments

    def tail(self, start: int) -> str:
        """HTML of the log from an entry on (counted from 0)."""
        from affray.web import pages

        return pages.tail(self, start)


class Table:
    """An open fight of a campaign. `fight` is touched under the lock alone; all that is shown is made of `shown`."""

    def __init__(self, hall: Hall, row: dict[str, Any]) -> None:
        self.hall = hall
        self.id: str = row["id"]
        self.campaign: str = row["campaign"]
        self.title: str = row["title"]
        self.settings = msgspec.convert(row["settings"], Settings)
        self.lock = asyncio.Lock()
        self.shown: Encounter
        self._fight: Encounter
        self._count = 0
        self._keys: set[str] = set()
        self.made = Made()
        """Parts of the page."""
        self.outlooks: dict[bool, Outlook] = {}
        """Who is winning: for the master, and for the others."""
        self._views: dict[Audience, View] = {}
        self._channels: dict[tuple[Audience, Kind], Channel] = {}
        self._limits: dict[tuple[int, int], tuple[float, asyncio.TimerHandle]] = {}
        self._gone = False
        self._untold: set[tuple[Audience, Kind]] = set()
        self._answering = 0
        """People who have decided and are not answered yet."""
        self._telling: asyncio.Task[None] | None = None
        self._driving: asyncio.Task[None] | None = None

    # ---- loading

    async def load(self) -> None:
        """The fight as the database has it. Raises DataError."""
        lines, keys = await asyncio.to_thread(sql.read_lines, self.hall.db, self.id)
        held = Held()
        fight = await asyncio.to_thread(restore, lines, None, held)
        fight.journal = None
        self._count, self._keys = len(lines), set(keys)
        if made := held.gathered():  # an open order of an older version went on by itself
            await self._keep(made, "", "")
        self._fight = fight
        self._show(GRACE)
        self.go_on()

    # ---- what one may see

    def audience(self, guest: Guest) -> Audience:
        """What somebody may see. Raises NotKnown, NotAllowed."""
        return self.hall.people.audience(guest, self.campaign, self.shown.state.fighters, self.settings.numbers)

    def seated(self) -> tuple[str, ...]:
        """Combatants whom players run."""
        playing = self.hall.people.playing(self.campaign)
        return tuple(f.id for f in self.shown.state.fighters if f.id in playing)

    def still(self) -> Encounter:
        """A copy of what is shown, for work in a thread."""
        return copied(self.shown)

    def view(self, audience: Audience) -> View:
        found = self._views.get(audience)
        if found is None:
            found = self._views[audience] = View(self, audience)
        return found

    def outlook(self, master: bool) -> Outlook:
        """The forecast of the fight as it is shown. Raises AffrayError."""
        from affray.web.outlook import Outlook

        found = self.outlooks.get(master)
        if found is None or not found.suits(self.shown):
            found = self.outlooks[master] = Outlook(self.shown, master, self.hall.clock)
        # what others are told may not begin anew when something happens that they do not see
        found.look(self.view(sight.MASTER if master else sight.SPECTATOR).version, self.still())
        return found

    def extra(self) -> dict[str, Any]:
        """What is known of the fight beside its rules."""
        return {
            "id": self.id,
            "title": self.title,
            "campaign": self.campaign,
            "settings": msgspec.to_builtins(self.settings),
        }

    def limit(self, n: int) -> float | None:
        """When an open request is answered by itself, in seconds of the epoch."""
        opened = self.shown.open
        found = self._limits.get((opened.id, n)) if opened else None
        return round(found[0], 1) if found else None

    def _show(self, grace: float = 0.0) -> None:
        """What is kept may be seen now."""
        kept = copied(self._fight)
        if hasattr(self, "shown"):  # the same object, so that what is worked out of it stays known
            self.shown.__dict__.update(kept.__dict__)
        else:
            self.shown = kept
        self._set_limits(grace)
        self.refresh()

    def refresh(self) -> None:
        """The viewers are told what they see differently now, as soon as there is time; whoever decided is answered first."""
        self._views = {}
        self._untold = set(self._channels)
        if self._untold and (self._telling is None or self._telling.done()):
            self._telling = asyncio.ensure_future(self._tell())

    async def _tell(self) -> None:
        """One audience after another, others get their turn in between. What changes meanwhile is told at once with it."""
        until = time.monotonic() + BREATH
        await asyncio.sleep(0)
        while self._answering and time.monotonic() < until:
            await asyncio.sleep(0.001)
        while self._untold:
            channel = self._channels.get(key := self._untold.pop())
            if channel is None or not channel.viewers:
                self._channels.pop(key, None)
                continue
            try:
                channel.send()
            except Exception as wrong:  # a fault in showing must not undo what has been done
                self.hall.note_fault(wrong)
            await asyncio.sleep(0)

    async def told(self) -> None:
        """When all viewers have been told what is shown now."""
        while self._telling is not None and not self._telling.done():
            await asyncio.wait([self._telling])

    # ---- deciding

    async def act(
        self,
        do: Callable[[Encounter], Any],
        person: str = "",
        key: str = "",
        check: Callable[[], None] | None = None,
        thread: bool = False,
    ) -> Any:
        """Decide something; returns what `do` returns once it is kept and shown (None when `key` was done before).

        `check` raises what speaks against it, under the lock. `thread`: it may take long.
        """
        return await asyncio.shield(asyncio.ensure_future(self._act(do, person, key, check, thread)))

    async def _act(
        self, do: Callable[[Encounter], Any], person: str, key: str, check: Callable[[], None] | None, thread: bool
    ) -> Any:
        self.hall.decided = time.monotonic()
        async with self.lock:
            if self._gone:
                raise NotFound("this fight is gone")
            key = f"{person} {key}" if key else ""
            if key and key in self._keys:
                return None
            if check:
                check()
            held, fight = Held(), self._fight
            before = copied(fight).__dict__
            fight.journal = held
            try:
                result = await asyncio.to_thread(do, fight) if thread else do(fight)
                self._keep_limits(fight)
            except BaseException:
                fight.__dict__.update(before)
                raise
            finally:
                fight.journal = None
            if lines := held.gathered():
                try:
                    await self._keep(lines, person, key)
                except BaseException:
                    await self.load()
                    raise
                self._keys |= {key} if key else set()
                self._show()
            return result

    async def _keep(self, lines: list[dict[str, Any]], person: str, key: str) -> None:
        line = {"t": "all", "then": lines} if len(lines) > 1 else lines[0]
        await self.hall.keep(sql.keep_lines(self.id, self._count, [line], key, person))
        self._count += 1

    async def decide(self, guest: Guest, do: Callable[[Encounter, Audience], Any], seen: str, key: str) -> Any:
        """A person decides on what was seen; `do` judges whether that person may. Raises Stale, NotAsked with the view."""
        person = guest.person(self.campaign)

        def check() -> None:
            now = self.view(self.audience(guest))
            if seen and seen != now.version:
                raise Stale("the fight has moved on since; look again before you decide", view=now.model)

        self._answering += 1
        try:
            result = await self.act(lambda fight: do(fight, self.audience(guest)), person.id if person else "", key, check)
            await self.policies()
        except sight.NotAsked as wrong:
            raise NotAsked(str(wrong), view=self.view(self.audience(guest)).model) from None
        finally:
            asyncio.get_running_loop().call_soon(self._answered_one)  # when the answer has been written
        return result

    def _answered_one(self) -> None:
        self._answering -= 1

    # ---- what follows by itself

    async def policies(self) -> None:
        """Policies play until somebody has to decide; after a while they go on behind the back of whoever waits."""
        self.go_on()
        if self._driving:
            await asyncio.wait([self._driving], timeout=PATIENCE)

    def go_on(self) -> None:
        """Let policies play, if they are up."""
        if (self._driving is None or self._driving.done()) and play.policy_due(self.shown):
            self._driving = asyncio.create_task(self._drive())

    async def _drive(self) -> None:
        def step(fight: Encounter) -> bool:
            if not play.policy_due(fight):
                return False
            fight.step()
            play.settle(fight)
            return True

        with contextlib.suppress(AffrayError):
            for _ in range(POLICY_STEPS):
                if not await self.act(step, thread=True):
                    return

    def _keep_limits(self, fight: Encounter) -> None:
        """When open questions are answered by themselves is kept with the decision that asked them."""
        asked = fight.open.requests if fight.open and self.settings.limit else ()
        before = fight.memo.get("limits") or {}
        until = round(time.time() + self.settings.limit, 1)
        names = [f"{fight.open.id} {one.n}" for one in asked if fight.open and self._limited(one)]
        if (limits := {name: before.get(name, until) for name in names}) != before:
            fight.remember(limits=limits)

    def _set_limits(self, grace: float = 0.0) -> None:
        """Questions to players are answered as usual when their time is over. `grace`: seconds that are left at least."""
        opened, loop, now = self.shown.open, asyncio.get_running_loop(), time.time()
        asked = opened.requests if opened and self.settings.limit else ()
        wanted = {(opened.id, one.n) for one in asked if opened and self._limited(one)}
        for gone in self._limits.keys() - wanted:
            self._limits.pop(gone)[1].cancel()
        kept = self.shown.memo.get("limits") or {}
        for one in wanted - self._limits.keys():
            until = max(kept.get(f"{one[0]} {one[1]}", now + self.settings.limit), now + grace)
            self._limits[one] = until, loop.call_later(until - now, self._time_over, *one)

    def _limited(self, one: Any) -> bool:
        secret = isinstance(one.request, Roll) and one.request.secret
        return one.request.by != MASTER and not secret

    def _time_over(self, entry: int, n: int) -> None:
        def do(fight: Encounter) -> Any:
            if fight.open and fight.open.id == entry:
                return play.by_itself(fight, n)
            return None

        self.hall.later(self._answered(do))

    async def _answered(self, do: Callable[[Encounter], Any]) -> None:
        with contextlib.suppress(AffrayError):
            await self.act(do)
            await self.policies()

    async def change(self, settings: Settings) -> None:
        """Other settings."""
        async with self.lock:
            await self.hall.keep(sql.update(sql.ENCOUNTERS, {"id": self.id}, {"settings": msgspec.to_builtins(settings)}))
            again = settings.limit != self.settings.limit
            self.settings = settings
            if again:
                for _, timer in self._limits.values():
                    timer.cancel()
                self._limits = {}
            self.check_viewers()
            self.refresh()
        if again:  # all open questions have the whole new time
            await self.act(lambda fight: fight.remember(limits={}))

    # ---- viewers

    def watch(self, guest: Guest, kind: Kind, last: str = "", screen: bool = False) -> tuple[Channel, Viewer]:
        """A new stream for somebody. `screen`: of what everybody at the table may see."""
        audience = self.audience(guest)
        audience = sight.SPECTATOR if screen else audience
        channel = self._channels.get((audience, kind))
        if channel is None:
            channel = self._channels[audience, kind] = Channel(lambda: self._look(audience, kind))
        return channel, channel.join(guest.tokens, last)

    def _look(self, audience: Audience, kind: Kind) -> Look:
        view = self.view(audience)
        if kind == "page":
            return Look(view.version, view.fragments, view.log, view.tail)
        parts = {"fight": msgspec.json.encode(view.model).decode()}
        return Look(view.version, parts, view.log, lambda start: msgspec.json.encode(view.log[start:]).decode())

    def check_viewers(self) -> None:
        """Streams of those who may see something else now end; who is still welcome comes back by itself."""
        for (audience, _), channel in self._channels.items():
            for viewer in list(channel.viewers):
                guest = self.hall.people.by_hash(viewer.tokens)
                try:
                    same = self.audience(guest) == audience
                except Fault:
                    viewer.close(event("gone", "you are no longer at this table"))
                else:
                    if same or audience == SPECTATOR:
                        continue
                    viewer.close(event("again", "you may see something else now"))
                channel.leave(viewer)

    async def drop(self) -> None:
        """Nothing is decided here any more."""
        async with self.lock:
            self._gone = True
            self.close()

    def close(self) -> None:
        for _, timer in self._limits.values():
            timer.cancel()
        for task in (self._driving, self._telling):
            if task:
                task.cancel()
        for channel in self._channels.values():
            for viewer in channel.viewers:
                viewer.close()
