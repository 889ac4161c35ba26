"""One open fight: a lock, what is kept and shown, and its viewers.

A decision is made on the fight under the lock, kept, and only then shown and answered: `shown` is a copy that changes when
the database has said that the lines are on the disk. When they cannot be kept, the fight is loaded again.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from affray import sight
from affray.encounter import Encounter
from affray.errors import AffrayError
from affray.record import Held
from affray.sight import Audience
from affray.store import sql
from affray.store.lines import restore
from affray.web import play
from affray.web.channels import Channel, Look, Viewer
from affray.web.errors import NotAsked, NotFound, Stale
from affray.web.limits import Limits
from affray.web.people import Guest
from affray.web.rendering import Made
from affray.web.viewers import Kind, Viewers
from affray.web.views import View

if TYPE_CHECKING:
    from affray.web.hall import Hall
    from affray.web.outlook import Outlook

POLICY_STEPS = 2000
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
        self._viewers = Viewers(self._look, hall.note_fault)
        self.limits = Limits(self._time_over)
        self._gone = False
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
        return self.shown.copy()

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

    def _show(self, grace: float = 0.0) -> None:
        """What is kept may be seen now."""
        kept = self._fight.copy()
        if hasattr(self, "shown"):  # the same object, so that what is worked out of it stays known
            self.shown.__dict__.update(kept.__dict__)
        else:
            self.shown = kept
        self.limits.set(self.shown, self.settings.limit, grace)
        self.refresh()

    def refresh(self) -> None:
        """The viewers are told what they see differently now, as soon as there is time; whoever decided is answered first."""
        self._views = {}
        self._viewers.refresh()

    async def told(self) -> None:
        """When all viewers have been told what is shown now."""
        await self._viewers.told()

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
            before = fight.copy().__dict__
            fight.journal = held
            try:
                result = await asyncio.to_thread(do, fight) if thread else do(fight)
                self.limits.keep(fight, self.settings.limit)
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

        with self._viewers.answering():
            try:
                result = await self.act(lambda fight: do(fight, self.audience(guest)), person.id if person else "", key, check)
                await self.policies()
            except sight.NotAsked as wrong:
                raise NotAsked(str(wrong), view=self.view(self.audience(guest)).model) from None
        return result

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
                self.limits.clear()
            self.check_viewers()
            self.refresh()
        if again:  # all open questions have the whole new time
            await self.act(lambda fight: fight.remember(limits={}))

    # ---- viewers

    def watch(self, guest: Guest, kind: Kind, last: str = "", screen: bool = False) -> tuple[Channel, Viewer]:
        """A new stream for somebody. `screen`: of what everybody at the table may see."""
        audience = sight.SPECTATOR if screen else self.audience(guest)
        return self._viewers.join(audience, kind, guest.tokens, last)

    def _look(self, audience: Audience, kind: Kind) -> Look:
        view = self.view(audience)
        if kind == "page":
            return Look(view.version, view.fragments, view.log, view.tail)
        parts = {"fight": msgspec.json.encode(view.model).decode()}
        return Look(view.version, parts, view.log, lambda start: msgspec.json.encode(view.log[start:]).decode())

    def check_viewers(self) -> None:
        """Streams of those who may see something else now end; who is still welcome comes back by itself."""
        self._viewers.check(lambda viewer: self.audience(self.hall.people.by_hash(viewer.tokens)))

    async def drop(self) -> None:
        """Nothing is decided here any more."""
        async with self.lock:
            self._gone = True
            self.close()

    def close(self) -> None:
        self.limits.clear()
        self._viewers.close()
        if self._driving:
            self._driving.cancel()
