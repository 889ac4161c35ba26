"""What somebody may not see is in nothing that the server sends them: every route, fragment, stream, export and error.

Random fights with planted secrets are crawled as a player, a spectator, somebody not let in, somebody from another campaign
and a stranger.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from difflib import unified_diff
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from web import planted
from web.crawling import Route, Things, body, routes
from web.visiting import Listening, Site, Visitor

from affray import referee, sight
from affray.ask import MASTER, Choose
from affray.audience import Audience
from affray.encounter import Encounter
from affray.interpreters.live import picker
from affray.sight.eyes import eyes
from affray.sight.people import fighter, fighters
from affray.store import sql
from affray.web import play
from affray.web.hall import read_source

EVERY = [pytest.param(one, marks=[pytest.mark.slow] if one != "rond6" else []) for one in planted.RULESETS]
NOBODY = "Nonesuch"
"""Stands where a secret name could stand, to see that both are answered alike."""


@dataclass
class World:
    """A site with two campaigns, and everybody who may look."""

    site: Site
    ruleset: str
    campaign: dict[str, Any]
    fight: str
    visitors: dict[str, Visitor] = field(default_factory=dict)
    things: Things = field(default_factory=Things)
    person: str = ""

    @property
    def routes(self) -> list[Route]:
        return routes(self.site.app)

    @property
    def shown(self) -> Encounter:
        return self.site.hall.tables[self.fight].shown


@asynccontextmanager
async def world(folder: Path, ruleset: str) -> AsyncIterator[World]:
    async with Site(folder) as site:
        home = await site.campaign("The mill", ruleset)
        away = await site.campaign("Qantofeld", ruleset)
        here = home["id"]
        fight = await site.fight(here, planted.fight(ruleset))
        prepared = await site.fight(here, planted.prepared(ruleset), begin=False)
        foreign = await site.fight(away["id"], planted.elsewhere(ruleset), "Rivensloe")
        sheet = {"template": "Officer" if ruleset == "cepheus" else "guard"}
        villain = {**sheet, "notes": "Hushnote", "player": False}
        made = await site.master.post(f"/api/campaigns/{here}/characters", name="Drownvault", sheet=villain)
        assert made.status == 201, made.text
        made_ann = await site.master.post(f"/api/campaigns/{here}/characters", name="Ann", sheet=sheet)
        assert made_ann.status == 201, made_ann.text
        found = World(site, ruleset, home, fight)
        ann = await site.person(home, "Ann's player", seat="Ann")
        bob = await site.person(home, "Bo's player", seat="Bo")
        found.visitors = {
            "player": ann,
            "spectator": await site.person(home, "Screen", "spectator"),
            "waiting": await site.person(home, "Somebody at the door", seat="Ann", approved=False),
            "outsider": await site.person(away, "Somebody else's player", seat="Peg"),
            "stranger": Visitor(site.app, "stranger"),
        }
        found.person = bob.ident
        found.things = Things(
            fight=(fight, prepared, foreign, NOBODY),
            campaign=(here, away["id"], NOBODY),
            person=(ann.ident, bob.ident, NOBODY),
            character=(made_ann.json["id"], made.json["id"], "Ann", NOBODY),
            ident=(prepared, fight, foreign, made.json["id"], made_ann.json["id"], NOBODY),
            name=("panel", "head", "order", "map", "prompt", "me", "log", "all", "person", "entry", "add", "forecast", NOBODY),
            only=("Drownvault", "Ann", NOBODY),
            q=("hit", NOBODY),
            screen=("true", "false"),
            code=(home["code"],),
            ruleset=(ruleset, NOBODY),
            rule=({"rond6": "RON-ATK-1", "rd6": "RD6-ATK-1", "cepheus": "CEP-ATK-1"}[ruleset], NOBODY),
            loose=(
                "who=Ann",
                "who=Zorquill",
                "who=Guard 1",
                "who=Ann&verb=attack&v.target=%22Zorquill%22",
                "screen=1&id=1",
                "prepare=1",
                "prepare=1&who=Ann&verb=move",
            ),
            file_path=("app.css", "affray.js", NOBODY),
            path=(NOBODY,),
            who=("Ann", "Bo", "Guard 1", "Zorquill", "Quillon", NOBODY),
            target=("Guard 1", "Zorquill", NOBODY),
            verb=("attack", "move", "end", NOBODY),
            after=("0", "2", "-1"),
            entry=("1", "2", "9999"),
        )
        yield found


def played(work: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """An event loop for one test."""
    asyncio.run(work())


# ---- looking for secrets


def still_secret(fight: Encounter, audience: Audience) -> tuple[str, ...]:
    """The planted words that this audience may not know as things stand, given all that has been shown to it."""
    states = (fight.start, *(entry.state for entry in fight.entries), fight.state)
    shown = {one for state in states for one in fight.ruleset.knows(state, audience)}
    words = set(planted.SECRETS)
    if "Zorquill" in shown:
        words -= {"Zorquill", "Nyxpack", "Umbrage", "Vexblade", "Voidmail"}
    if "Quillon" in shown:
        words -= {"Quillon", "Thraxgun"}
    orders = [entry.order for entry in fight.entries]
    tried = [str(order) for order in orders if getattr(order, "by", "") in shown]
    # what somebody in plain sight throws is in plain sight, also when it opposes somebody who is not
    opposed = [order for order in orders if getattr(order, "verb", "") == "oppose" and order.target in shown]
    tried += [order.against or order.skill for order in opposed]
    words -= {skill for skill in ("Occultry", "Wickwort", "Nethercraft") if any(skill in one for one in tried)}
    if any("Guard" in who for who in shown):
        guards = [(state, f.id) for state in states for f in state.fighters if "Guard" in f.id]
        words -= {one for state, guard in guards for one in fight.ruleset.bearing(state, guard).held} & {"Kryssdirk"}
    return tuple(sorted(words))


def audience(name: str) -> Audience:
    return Audience(own=("Ann",)) if name == "player" else Audience()


def leaks(text: str, words: tuple[str, ...]) -> list[str]:
    low = text.lower()
    return [one for one in words if one.lower() in low]


def safe(address: str, words: tuple[str, ...]) -> tuple[str, ...]:
    """What may not stand in the answer: what was said in the question may be repeated."""
    return tuple(one for one in words if one.lower() not in address.lower())


def alike(text: str, name: str) -> str:
    """A text in which it does not matter which name was asked for."""
    return re.sub(rf'(?i)data-now="[\d.]+"|{re.escape(name)}|{NOBODY}', "", text)


def difference(one: str, two: str) -> str:
    """Lines that differ, in short."""
    return "\n".join(line[:400] for line in unified_diff(one.splitlines(), two.splitlines(), lineterm="", n=0))[:3000]


async def crawl(world: World, name: str) -> int:
    """Everything that can be asked for, as one visitor. Returns how much was."""
    visitor = world.visitors[name]
    words = still_secret(world.shown, audience(name))
    if name == "outsider":
        words = tuple(one for one in words if one not in planted.ELSEWHERE)
    count = 0
    for route in world.routes:
        if route.method != "GET" or route.stream:
            continue
        for address in world.things.requests(route):
            answer = await visitor.get(address)
            count += 1
            assert answer.status < 500, f"{name}: {route} at {address}: {answer.text}"
            found = leaks(answer.text, safe(address, words))
            assert not found, f"{name} reads {found} at {address}:\n{excerpt(answer.text, found[0])}"
            named = [one for one in words if one in address]
            if named:
                other = await visitor.get(address.replace(named[0], NOBODY))
                one, two = alike(answer.text, named[0]), alike(other.text, NOBODY)
                told = f"{name} can tell {named[0]} from nobody at {address}: {answer.status} {other.status}"
                assert answer.status == other.status and one == two, f"{told}\n{difference(one, two)}"
    return count


def excerpt(text: str, word: str) -> str:
    at = text.lower().index(word.lower())
    return text[max(0, at - 300) : at + 300]


async def ears(world: World) -> dict[str, Listening]:
    """Open streams of all who may see the fight."""
    found = {}
    for name in ("player", "spectator"):
        for kind in ("/f", "/api/fights"):
            ear = await world.visitors[name].listen(f"{kind}/{world.fight}/stream")
            assert ear.status == 200
            found[f"{name} {kind}"] = ear
    return found


async def heard(world: World, listening: dict[str, Listening], quiet: float = 0.05) -> dict[str, list[tuple[str, str]]]:
    """What the streams have said since; none of it may be secret."""
    found = {}
    for name, ear in listening.items():
        words = still_secret(world.shown, audience(name.partition(" ")[0]))
        found[name] = await ear.events(quiet)
        for kind, data in found[name]:
            leaked = leaks(data, words)
            assert not leaked, f"{name} hears {leaked} in {kind}:\n{excerpt(data, leaked[0])}"
    return found


# ---- a fight that goes on at random


def one_step(seed: int) -> Callable[[Encounter], None]:
    """Anything legal by whoever is up; any allowed answer."""

    def step(fight: Encounter) -> None:
        settle(fight, seed)
        up = fight.up()
        if fight.open or not up or fight.ruleset.over(fight.state):
            return
        policy = fight.ruleset.policies["random"]
        fight.order(policy.order(fight.state, up[0], picker(seed, len(fight.entries), 99)))

    return step


def settle(fight: Encounter, seed: int) -> None:
    """Answer what is asked, at random."""
    policy = fight.ruleset.policies["random"]
    for n in range(40):
        if not fight.open:
            return
        one = fight.open.requests[0]
        if isinstance(one.request, Choose):
            fight.answer(one.n, policy.answer(one.request, fight.state, picker(seed, len(fight.entries), n)))
        else:
            play.thrown(fight, one.n)
    raise AssertionError("the questions never end")


async def steps(world: World, seed: int, count: int) -> None:
    table = await world.site.hall.table(world.fight)
    for n in range(count):
        await table.act(one_step(seed * 1000 + n))


@pytest.mark.parametrize("ruleset", EVERY)
def test_planted_secrets_are_there(tmp_path: Path, ruleset: str) -> None:
    """The master sees what nobody else may: the crawl looks for the right words."""

    async def work() -> None:
        async with world(tmp_path, ruleset) as here:
            texts = []
            for route in here.routes:
                if route.method == "GET" and not route.stream and "name" not in route.inner:
                    for address in here.things.requests(route):
                        texts.append((await here.site.master.get(address)).text)
            await here.site.master.post(f"/api/fights/{here.fight}/corrections", do="set", who="Zorquill", fields={}, why="x")
            seen = leaks("\n".join(texts), planted.SECRETS)
            assert set(planted.SECRETS) - set(seen) <= {*planted.CORRECTED, "Wickwort"}

    played(work)


@pytest.mark.parametrize("ruleset", EVERY)
def test_crawl_at_the_beginning(tmp_path: Path, ruleset: str) -> None:
    async def work() -> None:
        async with world(tmp_path, ruleset) as here:
            for name in here.visitors:
                assert await crawl(here, name) > 40

    played(work)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", planted.RULESETS)
@pytest.mark.parametrize("seed", range(2))
def test_crawl_through_a_fight(tmp_path: Path, ruleset: str, seed: int) -> None:
    """A random fight: the streams are read at every step, everything is crawled at some of them."""

    async def work() -> None:
        async with world(tmp_path, ruleset) as here:
            listening = await ears(here)
            await heard(here, listening)
            for n in range(5):
                for _ in range(6):
                    versions = {name: await version(here, name) for name in ("player", "spectator")}
                    await steps(here, seed * 50 + n, 1)
                    news = await heard(here, listening)
                    for name, before in versions.items():
                        if await version(here, name) == before:
                            told = [one for ear in news if ear.startswith(name) for one in news[ear]]
                            new = [data for kind, data in told if kind == "panel" and data != before]  # others came late
                            assert not new, f"{name} is told of something that changes nothing for them: {told}"
                for name in here.visitors:
                    await crawl(here, name)
            await here.site.master.post(f"/api/fights/{here.fight}/undo")
            await heard(here, listening)
            await crawl(here, "player")

    played(work)


@pytest.mark.parametrize("fights", [3, pytest.param(60, marks=pytest.mark.slow)])
@pytest.mark.parametrize("ruleset", planted.RULESETS)
def test_what_is_seen_of_many_fights(ruleset: str, fights: int) -> None:
    """Random fights without a server: model and log of a player and of a stranger at every step."""
    opening = read_source(planted.fight(ruleset), {})
    for seed in range(fights):
        fight = Encounter(opening.ruleset, opening.state, seed)
        fight.advance()
        for n in range(30):
            one_step(seed * 1000 + n)(fight)
            for name in ("player", "spectator"):
                who = audience(name)
                seen = msgspec.json.encode((sight.fight(fight, who), sight.log(fight, who))).decode()
                leaked = leaks(seen, still_secret(fight, who))
                assert not leaked, f"fight {seed}: {name} sees {leaked} after step {n}:\n{excerpt(seen, leaked[0])}"


@pytest.mark.parametrize("ruleset", planted.RULESETS)
def test_strangers_look_alike_to_all_who_know_the_same_people(ruleset: str) -> None:
    """They are worked out once for all; each audience by itself would see just that."""
    opening = read_source(planted.fight(ruleset), {})
    for seed in range(3):
        fight = Encounter(opening.ruleset, opening.state, seed)
        fight.advance()
        for n in range(30):
            one_step(seed * 1000 + n)(fight)
            first, *_, last = (f.id for f in fight.state.fighters)
            for who in (sight.SPECTATOR, Audience(own=(first,)), Audience(own=(last,), known=(first,)), Audience(numbers=True)):
                view = eyes(fight, who)
                up = tuple(one for one in fight.up() if one in view.there)
                alone = [fighter(fight, view, f, up) for f in fight.state.fighters if f.id in view.there]
                assert fighters(fight, view, up) == alone


async def version(world: World, name: str) -> str:
    return str((await world.visitors[name].get(f"/api/fights/{world.fight}")).json["version"])


@pytest.mark.parametrize("ruleset", EVERY)
def test_no_event_for_what_cannot_be_seen(tmp_path: Path, ruleset: str) -> None:
    """The master changes somebody hidden: nobody's stream says a word, nobody's version changes."""

    async def work() -> None:
        async with world(tmp_path, ruleset) as here:
            table = await here.site.hall.table(here.fight)
            await table.act(lambda fight: settle(fight, 1))  # a change in the middle of a throw may well be seen by all
            listening = await ears(here)
            await heard(here, listening, 0.4)
            before = {name: await version(here, name) for name in ("player", "spectator")}
            point = {"at": [12, 12]} if table.shown.state.fighters[0].at is not None else {"group": "Nyxpack"}
            hurt = {"wounds": 1} if hasattr(table.shown.state.fighters[0], "wounds") else {"fatigued": True}
            await table.act(lambda fight: fight.order(referee.Set(MASTER, "Zorquill", point, "Whyzzle")))
            await table.act(lambda fight: fight.order(referee.Set(MASTER, "Quillon", hurt, "Whyzzle")))
            assert len(table.shown.entries) >= 2
            assert not any((await heard(here, listening, 0.4)).values())
            assert before == {name: await version(here, name) for name in ("player", "spectator")}
            for name in ("player", "spectator"):
                await crawl(here, name)
            undone = await here.site.master.post(f"/api/fights/{here.fight}/undo")
            assert undone.status == 200, undone.text
            assert not any((await heard(here, listening, 0.4)).values())
            assert before == {name: await version(here, name) for name in ("player", "spectator")}

    played(work)


# ---- what is not theirs to do


THEIRS = {
    "player": {
        "POST /api/fights/{fight}/orders", "POST /api/fights/{fight}/answers", "POST /api/fights/{fight}/dice",
        "POST /api/fights/{fight}/preview", "POST /api/campaigns/{campaign}/seats", "DELETE /api/campaigns/{campaign}/seats",
        "POST /api/campaigns/{campaign}/tokens", "DELETE /api/campaigns/{campaign}/people/{person}/tokens",
    },
    "all": {"POST /api/join", "POST /api/leave", "POST /api/check", "POST /join", "POST /join/{code}/seat"},
}  # fmt: skip
"""Methods that change something and that are not the master's alone; whose things they touch is tested apart."""


def everything(world: World) -> dict[str, Any]:
    """All rows of the database."""
    return {one.name: world.site.hall.db.rows(sa.select(one)) for one in sql.META.sorted_tables}


@pytest.mark.parametrize("ruleset", ["rond6"])
def test_masters_things_are_refused_to_others(tmp_path: Path, ruleset: str) -> None:
    async def work() -> None:
        async with world(tmp_path, ruleset) as here:
            before = everything(here)
            values = {
                "order": {"do": "end", "by": "Guard 1"}, "n": 0, "value": True, "faces": [1], "do": "say", "text": "x",
                "entry": 0, "who": "Ann", "title": "Mine", "ruleset": ruleset, "source": planted.prepared(ruleset),
                "character": "Guard 1", "approved": True, "numbers": True, "name": "Mine", "role": "master", "sheet": {},
                "bot": "mine",
            }  # fmt: skip
            tried = 0
            for route in here.routes:
                if route.method == "GET" or str(route) in THEIRS["all"]:
                    continue
                for name, visitor in here.visitors.items():
                    if name in ("player", "spectator") and str(route) in THEIRS["player"]:
                        continue
                    for address in here.things.requests(route, least=True):
                        query = "&".join(f"{one}={here.things.of(one, route)[0]}" for one in route.query)
                        where = f"{address}?{query}" if query else address
                        if route.loose:
                            answer = await visitor.form(where, do="drop", name="Mine", title="Mine", ruleset=ruleset, begin="1")
                        else:
                            answer = await visitor.send(route.method, where, body(route.body, values))
                        tried += 1
                        told = f"{name}: {route} was answered with {answer.text}"
                        expected = {"stranger": (401,), "waiting": (401, 403, 404, 201, 204)}.get(name, (401, 403, 404))
                        assert answer.status in expected, told
                        found = leaks(answer.text, still_secret(here.shown, Audience()))
                        assert not found, f"{told}: {found}"
            assert tried > 60
            after = everything(here)
            for table in before:
                if table not in ("seats", "tokens", "people"):
                    assert after[table] == before[table], table

    played(work)


def test_others_combatants_and_questions(tmp_path: Path) -> None:
    """A player gives orders for, and answers, nobody else."""

    async def work() -> None:
        async with world(tmp_path, "rond6") as here:
            ann, base = here.visitors["player"], f"/api/fights/{here.fight}"
            before = everything(here)
            for who in ("Bo", "Guard 1", "Zorquill", NOBODY, "master", ""):
                for order in ({"do": "end", "by": who}, {"do": "end", "by": ["Ann", who]}, {"do": "end", "by": [who]}):
                    for path in ("orders", "preview"):
                        answer = await ann.post(f"{base}/{path}", order=order)
                        assert answer.status in (400, 403), f"{path} {order}: {answer.text}"
                        other = "" if who != "Zorquill" else (await ann.post(f"{base}/{path}", order=replaced(order))).text
                        assert not other or alike(other, NOBODY) == alike(answer.text, "Zorquill"), f"{answer.text} / {other}"
            for who in ("spectator", "waiting", "outsider", "stranger"):
                answer = await here.visitors[who].post(f"{base}/orders", order={"do": "end", "by": "Ann"})
                assert answer.status in (401, 403, 404), answer.text
            referees = ({"do": "set", "by": "master", "who": "Ann", "fields": {}}, {"do": "say", "by": "Ann", "text": "x"},
                        {"do": "remove", "by": "Ann", "who": "Guard 1"}, {"do": "add", "by": "Ann", "fighter": {}})  # fmt: skip
            for order in referees:
                answer = await ann.post(f"{base}/orders", order=order)
                assert answer.status in (400, 403), answer.text
            for n in range(4):
                for path, given in (("answers", {"value": True}), ("dice", {"face": 3}), ("dice", {"roll": True})):
                    answer = await ann.post(f"{base}/{path}", n=n, **given)
                    assert answer.status in (400, 403), answer.text
            assert everything(here)["lines"] == before["lines"]
            seat = await ann.post(f"/api/campaigns/{here.campaign['id']}/seats", character="Zorquill", approved=True)
            assert seat.status in (201, 403, 404)
            assert "Zorquill" not in (await ann.get(base)).text
            bot = await ann.post(f"/api/campaigns/{here.campaign['id']}/tokens", bot="Spy", characters=["Bo"])
            assert bot.status == 403
            for path in (f"people/{here.person}/tokens", f"seats?character=Bo&person={here.person}"):
                answer = await ann.send("DELETE", f"/api/campaigns/{here.campaign['id']}/{path}")
                assert answer.status == 403, answer.text

    played(work)


def replaced(order: dict[str, Any]) -> dict[str, Any]:
    by = order["by"]
    return {**order, "by": [NOBODY if one == "Zorquill" else one for one in by] if isinstance(by, list) else NOBODY}


@pytest.mark.parametrize("ruleset", EVERY)
def test_aiming_at_the_hidden_is_aiming_at_nobody(tmp_path: Path, ruleset: str) -> None:
    """An order, or a preview, that names somebody hidden is refused as if nobody had that name."""

    async def work() -> None:
        async with world(tmp_path, ruleset) as here:
            ann, base = here.visitors["player"], f"/api/fights/{here.fight}"
            for _ in range(30):
                table = await here.site.hall.table(here.fight)
                if "Ann" in table.shown.up() and not table.shown.open:
                    break
                await steps(here, 5, 1)
            if "Zorquill" in table.shown.ruleset.knows(table.shown.state, Audience(own=("Ann",))):
                return
            verbs = [one["verb"] for one in (await ann.get(f"{base}/offers?who=Ann")).json]
            for verb in verbs:
                for path in ("preview", "orders"):
                    order = {"do": verb, "by": "Ann", "target": "Zorquill"}
                    one = await ann.post(f"{base}/{path}", order=order)
                    two = await ann.post(f"{base}/{path}", order={**order, "target": NOBODY})
                    assert one.status < 500 and two.status < 500, one.text + two.text
                    assert (one.status, alike(one.text, "Zorquill")) == (two.status, alike(two.text, NOBODY)), one.text + two.text
                    assert not leaks(one.text, safe(str(order), still_secret(here.shown, Audience(own=("Ann",)))))

    played(work)


# ---- whose request it is


def test_headers_hosts_and_origins(tmp_path: Path) -> None:
    async def work() -> None:
        async with world(tmp_path, "rond6") as here:
            ann = here.visitors["player"]
            for route in here.routes:
                if route.method != "GET" or route.stream:
                    continue
                for address in here.things.requests(route, least=True):
                    answer = await ann.get(address)
                    policy = answer.headers["content-security-policy"]
                    assert "default-src 'none'" in policy and "unsafe" not in policy, address
                    assert answer.headers["x-content-type-options"] == "nosniff"
                    if not address.startswith("/static/"):
                        assert answer.headers["cache-control"] == "no-store", address
            before = everything(here)["lines"]
            order = {"order": {"do": "end", "by": "Ann"}}
            path = f"/api/fights/{here.fight}/orders"
            for headers in (
                {"origin": "http://evil.example"}, {"origin": "null"}, {"origin": "http://127.0.0.1:9999"},
                {"x-affray": "", "sec-fetch-site": "cross-site", "origin": "http://evil.example"},
            ):  # fmt: skip
                for master in (here.site.master, ann):
                    assert (await master.send("POST", path, order, headers)).status == 403, headers
            for host in ("evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8000", ""):
                for method, address in (("GET", "/"), ("GET", f"/api/fights/{here.fight}"), ("POST", path)):
                    answer = await here.site.master.send(method, address, order, {"host": host})
                    assert answer.status == 400, f"{host}: {answer.text}"
                    assert not leaks(answer.text, planted.SECRETS)
            assert everything(here)["lines"] == before
            for host in ("localhost:8000", "127.0.0.1", "[::1]:8000", "192.168.1.20:8000"):
                assert (await here.site.master.send("GET", "/api/me", headers={"host": host})).status == 200, host

    played(work)


def test_wrong_keys_tokens_and_codes(tmp_path: Path) -> None:
    async def work() -> None:
        async with world(tmp_path, "rond6") as here:
            stranger = here.visitors["stranger"]
            for headers in ({"cookie": "affray=" + "x" * 32}, {"authorization": "Bearer " + "x" * 32}, {"cookie": "affray"}):
                answer = await stranger.send("GET", f"/api/fights/{here.fight}", headers=headers)
                assert answer.status == 401, answer.text
            assert "set-cookie" not in (await stranger.get("/", key="wrong")).headers
            statuses = [(await stranger.post("/api/join", code=f"WRONG{n}", name="x")).status for n in range(14)]
            assert statuses[0] == 404 and statuses[-1] == 429, statuses

    played(work)
