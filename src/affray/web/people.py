"""Who is who: the game master, players with their seats, spectators; tokens, join codes, approval.

All of it is held in memory and kept in the database; a token is kept as its hash only. What somebody may see of a fight is
not decided here.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Iterable
from typing import Any, Literal

from litestar.di import NamedDependency
from msgspec import Struct
from msgspec.structs import asdict, replace

from affray.audience import MASTER, Audience
from affray.store import sql
from affray.web.errors import NotAllowed, NotFound, NotKnown, TooMuch, TooOften

Role = Literal["master", "player", "spectator"]
HOST = ""
"""In the place of a campaign: all of them."""
LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
MOST_PEOPLE = 60
"""In one campaign, those included who wait."""


class Person(Struct, frozen=True):
    """Somebody in a campaign (HOST: in all of them, as their master)."""

    id: str
    campaign: str
    name: str
    role: Role
    approved: bool
    gone: bool = False
    created: float = 0.0


class Seat(Struct, frozen=True):
    """Somebody plays a character, by its name; others may share it."""

    campaign: str
    character: str
    person: str
    approved: bool


class Guest(Struct, frozen=True):
    """Who sends a request: nobody known, or one person in each of some campaigns."""

    people: tuple[Person, ...] = ()
    tokens: tuple[str, ...] = ()
    """The hashes of the tokens that were shown."""

    @property
    def host(self) -> bool:
        """Whether it is the master of this server."""
        return any(one.campaign == HOST and one.role == "master" for one in self.people)

    @property
    def known(self) -> bool:
        return bool(self.people)

    def person(self, campaign: str) -> Person | None:
        """Who this is in a campaign."""
        here = [one for one in self.people if one.campaign in (campaign, HOST)]
        return next((one for one in here if one.campaign == campaign and one.role == "master"), here[-1] if here else None)

    def role(self, campaign: str) -> str:
        """'master', 'player' or 'spectator'; '' for those who are not (yet) let in."""
        if self.host:
            return "master"
        person = self.person(campaign)
        return person.role if person and person.approved else ""

    def need(self, campaign: str, *roles: str) -> None:
        """Raises NotKnown, NotAllowed unless this is one of these (none named: anybody who was let in)."""
        role = self.role(campaign)
        if not role and self.person(campaign) is None:
            if campaign == HOST and self.known:
                raise NotAllowed("only the master of this server may do this")
            raise NotKnown()
        if not role:
            raise NotAllowed("the game master has not let you in yet")
        if roles and role not in roles:
            raise NotAllowed("only the game master may do this" if roles == ("master",) else "you may not do this")


TheGuest = NamedDependency[Guest]
"""For the parameter `guest` of a handler."""


def code() -> str:
    """A join code: six letters that are not mistaken for one another."""
    return "".join(secrets.choice(LETTERS) for _ in range(6))


def fresh_id() -> str:
    """A name for a row that nobody guesses."""
    return secrets.token_hex(6)


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Tries:
    """How often somebody has guessed wrongly: ten times in a minute, then that address has to wait."""

    def __init__(self, most: int = 10, seconds: float = 60.0) -> None:
        self.most, self.seconds = most, seconds
        self._failed: dict[str, list[float]] = {}

    def check(self, who: str) -> None:
        """Raises TooOften."""
        now = time.monotonic()
        recent = [one for one in self._failed.get(who, ()) if now - one < self.seconds]
        if len(recent) >= self.most:
            raise TooOften("too many wrong tries; wait a minute")
        self._failed[who] = recent
        if len(self._failed) > 10_000:
            self._failed = {who: recent}

    def failed(self, who: str) -> None:
        self._failed.setdefault(who, []).append(time.monotonic())


class People:
    """Everybody that the server knows."""

    def __init__(self, db: sql.Database, key: str = "") -> None:
        self.db = db
        self.key = key or secrets.token_urlsafe(24)
        """Whoever shows this (it is printed where the server was started) is the master."""
        self.persons = {row["id"]: Person(**row) for row in db.rows(sql.find(sql.PEOPLE))}
        self.tokens = {row["hash"]: row["person"] for row in db.rows(sql.find(sql.TOKENS))}
        self.seats = [Seat(**row) for row in db.rows(sql.find(sql.SEATS))]
        if not any(one.campaign == HOST for one in self.persons.values()):
            master = Person(fresh_id(), HOST, "Game master", "master", True, created=time.time())
            db.writer.do(sql.insert(sql.PEOPLE, asdict(master)))
            self.persons[master.id] = master

    @property
    def master(self) -> Person:
        return next(one for one in self.persons.values() if one.campaign == HOST)

    # ---- who asks

    def guest(self, tokens: Iterable[str]) -> Guest:
        """Whoever shows these tokens."""
        return self.by_hash(map(hashed, tokens))

    def by_hash(self, tokens: Iterable[str]) -> Guest:
        """Whoever has the tokens with these hashes."""
        found = {one: self.persons.get(self.tokens.get(one, "")) for one in tokens}
        good = {one: person for one, person in found.items() if person and not person.gone}
        return Guest(tuple(good.values()), tuple(good))

    def is_key(self, key: str) -> bool:
        return secrets.compare_digest(key.encode(), self.key.encode())

    async def token(self, keep: Any, person: Person, label: str = "") -> str:
        """A new token for somebody; only its hash is kept. `keep` is `Hall.keep`."""
        if sum(1 for one in self.tokens.values() if one == person.id) >= 200:
            raise TooMuch("this person has too many tokens; drop some")
        token = secrets.token_urlsafe(24)
        row = {"hash": hashed(token), "person": person.id, "label": label, "created": time.time()}
        await keep(sql.insert(sql.TOKENS, row))
        self.tokens[row["hash"]] = person.id
        return token

    async def drop_tokens(self, keep: Any, person: str, only: str = "") -> None:
        """Tokens of somebody are good no longer: all of them, or the one with that hash."""
        where = {"person": person} | ({"hash": only} if only else {})
        await keep(sql.delete(sql.TOKENS, where))
        self.tokens = {one: who for one, who in self.tokens.items() if who != person or (only and one != only)}

    # ---- who is here

    def of(self, campaign: str) -> list[Person]:
        """Everybody in a campaign, in the order in which they came; its master is not among them."""
        here = [one for one in self.persons.values() if one.campaign == campaign and not one.gone]
        return sorted(here, key=lambda one: one.created)

    def at_the_door(self, campaign: str) -> int:
        """How many wait for the master: to be let in, or to be given a seat."""
        return sum(
            not one.approved or any(not seat.approved for seat in self.seated(campaign, one.id)) for one in self.of(campaign)
        )

    def get(self, campaign: str, person: str) -> Person:
        """Raises NotFound."""
        found = self.persons.get(person)
        if found is None or found.campaign != campaign or found.gone:
            raise NotFound("nobody of that name is here")
        return found

    async def join(self, keep: Any, campaign: str, name: str, role: Role = "player") -> Person:
        """Somebody comes by the code and waits to be let in."""
        here = self.of(campaign)
        if len(here) >= MOST_PEOPLE:
            raise TooMuch("too many people wait here already; the game master must send some away")
        base, number = name, 2
        while any(one.name.lower() == name.lower() for one in here):
            name, number = f"{base} {number}", number + 1
        person = Person(fresh_id(), campaign, name, role, False, created=time.time())
        await keep(sql.insert(sql.PEOPLE, asdict(person)))
        self.persons[person.id] = person
        return person

    async def change(self, keep: Any, person: Person, **values: Any) -> Person:
        """Let somebody in, send somebody away (gone=True), another name or role."""
        await keep(sql.update(sql.PEOPLE, {"id": person.id}, values))
        self.persons[person.id] = replace(person, **values)
        if values.get("gone"):
            await self.drop_tokens(keep, person.id)
            for seat in [one for one in self.seats if one.person == person.id]:
                await self.leave(keep, seat)
        return self.persons[person.id]

    # ---- seats

    def seated(self, campaign: str, person: str = "", character: str = "") -> list[Seat]:
        """The seats of a campaign, of one person or of one character."""
        return [
            one
            for one in self.seats
            if one.campaign == campaign and person in ("", one.person) and character in ("", one.character)
        ]

    def own(self, guest: Guest, campaign: str) -> tuple[str, ...]:
        """The characters that somebody plays, by name."""
        person = guest.person(campaign)
        if person is None or not person.approved or person.role != "player":
            return ()
        return tuple(sorted(one.character for one in self.seated(campaign, person.id) if one.approved))

    async def sit(self, keep: Any, campaign: str, person: str, character: str, approved: bool = False) -> Seat:
        """Take a seat; the master approves."""
        seat = Seat(campaign, character, person, approved)
        key = {"campaign": campaign, "character": character, "person": person}
        old = next((one for one in self.seats if one.person == person and one.character == character), None)
        if old and (old.approved or not approved):
            return old
        await keep(sql.together([sql.delete(sql.SEATS, key), sql.insert(sql.SEATS, asdict(seat))]))
        self.seats = [one for one in self.seats if one is not old] + [seat]
        return seat

    async def leave(self, keep: Any, seat: Seat) -> None:
        key = {"campaign": seat.campaign, "character": seat.character, "person": seat.person}
        await keep(sql.delete(sql.SEATS, key))
        self.seats = [one for one in self.seats if one != seat]

    def playing(self, campaign: str) -> set[str]:
        """Characters that players run, by name."""
        return {one.character for one in self.seats if one.campaign == campaign and one.approved}

    def renamed(self, campaign: str, old: str, new: str) -> None:
        """A character has another name; its seats go along."""
        here = [replace(one, character=new) if (one.campaign, one.character) == (campaign, old) else one for one in self.seats]
        self.seats = here

    def audience(self, guest: Guest, campaign: str, fighters: Iterable[Any], numbers: bool) -> Audience:
        """What somebody may see of a fight with these combatants: of friends who are played at this table he knows also
        when they hide. Raises NotKnown, NotAllowed."""
        guest.need(campaign)
        if guest.role(campaign) == "master":
            return MASTER
        here = list(fighters)
        mine = set(self.own(guest, campaign))
        own = [one.id for one in here if one.id in mine]
        sides, playing = {one.side for one in here if one.id in mine}, self.playing(campaign)
        friends = [one.id for one in here if one.side in sides and one.id in playing and one.id not in mine]
        return Audience(own=tuple(sorted(own)), numbers=numbers, known=tuple(sorted(friends)))
