"""The server with live viewers, against a plain Starlette application that stores and broadcasts the same lines.

Two loads, each on both servers in turn, several times: (1) one fight with 20 viewers on their streams, orders one after
another: the time from an order to the last viewer who is told; (2) many fights at once, each with a viewer and somebody who
orders: orders per second. Both over loopback, both servers kept by SQLite (WAL, synchronous=FULL). CPU is the server's own.

    python bench/web.py [--orders N] [--fights N] [--rounds N]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))
KEY = "bench"
PLAYERS = ("Dame Orla", "Veteran 1", "Crossbow 1", "Crossbow 2")
VIEWERS = 20
SAMPLE = "rond6-6v10"


# ---- what is ordered


def script(seed: int, count: int) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Decisions of a fight played by a policy: path and body for Affray, and the line that the plain server stores."""
    import msgspec

    from affray.encounter import Encounter
    from affray.interpreters.live import picker
    from affray.record import Held

    fight = opening()
    rules, held = fight.ruleset, Held()
    table = Encounter(rules, fight.state, seed, journal=held)
    table.advance()
    found: list[tuple[str, dict[str, Any], dict[str, Any]]] = []
    while len(found) < count and not rules.over(table.state):
        held.lines.clear()
        if table.open:
            one = table.open.requests[0]
            path, body = "answers", {"n": one.n, "usual": True}
            table.answer(one.n, one.request.default)
        else:
            who = table.up()[0]
            order = rules.policies["aggressive"].order(table.state, who, picker(seed, len(found), 1))
            path, body = "orders", {"order": msgspec.to_builtins(order)}
            table.order(order)
        line = {"t": "all", "then": list(held.lines)}
        found.append((path, body, json.loads(msgspec.json.encode(line))))
    return found


def opening() -> Any:
    from affray.formats import samples
    from affray.formats.draft import whole
    from affray.web.hall import read_source

    return read_source(whole(samples.path(SAMPLE)), {})


# ---- the servers, each in a process of its own


def serve_affray(folder: str, port: int, fights: int) -> None:
    """Affray with fights that have begun; tells the ids and tokens of a master and of players."""
    import uvicorn

    from affray.web.app import create_app
    from affray.web.hall import Hall
    from affray.web.rendering import renderer
    from affray.web.tidying import tidied

    app = create_app(folder, key=KEY)
    hall: Hall = app.state.hall

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            camp = await hall.make_campaign("bench", "rond6")
            ids = [await hall.begin(camp["id"], opening(), seed) for seed in range(fights)]
            tokens = {"master": await hall.people.token(hall.keep, hall.people.master)}
            for name in (*PLAYERS, "wall"):
                person = await hall.people.join(hall.keep, camp["id"], name, "player" if name != "wall" else "spectator")
                person = await hall.people.change(hall.keep, person, approved=True)
                if name != "wall":
                    await hall.people.sit(hall.keep, camp["id"], person.id, name, True)
                tokens[name] = await hall.people.token(hall.keep, person)
            await super().startup(sockets)
            renderer().ready()
            await stack.enter_async_context(tidied(hall))  # as `affray serve` does
            print(json.dumps({"ids": ids, "tokens": tokens}), flush=True)

    stack = AsyncExitStack()
    Server(uvicorn.Config(app, port=port, log_level="warning", access_log=False)).run()


def serve_plain(folder: str, port: int, fights: int) -> None:
    """Starlette: a line that is posted is put into SQLite, then sent to all who listen."""
    import sqlite3

    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse, StreamingResponse
    from starlette.routing import Route

    connection = sqlite3.connect(Path(folder) / "plain.db", check_same_thread=False)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("create table lines (fight text, n integer, line blob)")
    listening: dict[str, set[asyncio.Queue[bytes]]] = {}
    lock = asyncio.Lock()
    counts: dict[str, int] = {}

    def keep(fight: str, n: int, line: bytes) -> None:
        with connection:
            connection.execute("insert into lines values (?, ?, ?)", (fight, n, line))

    async def order(request: Request) -> JSONResponse:
        fight, line = request.path_params["fight"], await request.body()
        async with lock:
            counts[fight] = counts.get(fight, 0) + 1
            await asyncio.to_thread(keep, fight, counts[fight], line)
        data = f"id: {counts[fight]}\nevent: line\ndata: ".encode() + line + b"\n\n"
        for queue in listening.get(fight, ()):
            queue.put_nowait(data)
        return JSONResponse({"version": str(counts[fight])})

    async def stream(request: Request) -> StreamingResponse:
        queue: asyncio.Queue[bytes] = asyncio.Queue()
        listening.setdefault(request.path_params["fight"], set()).add(queue)

        async def events() -> AsyncIterator[bytes]:
            yield b"retry: 1000\n\n"
            while True:
                yield await queue.get()

        return StreamingResponse(events(), media_type="text/event-stream")

    app = Starlette(routes=[Route("/{fight}/orders", order, methods=["POST"]), Route("/{fight}/stream", stream)])

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            print(json.dumps({"ids": [f"f{n}" for n in range(fights)], "tokens": {}}), flush=True)

    Server(uvicorn.Config(app, port=port, log_level="warning", access_log=False)).run()


class Running:
    """A server in a process, with the CPU seconds that it has used."""

    def __init__(self, kind: str, fights: int) -> None:
        self.kind = kind
        self.folder = tempfile.TemporaryDirectory(prefix="affray-bench-")
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            self.port = one.getsockname()[1]
        command = [sys.executable, __file__, "--serve", kind, self.folder.name, str(self.port), str(fights)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        self.ids, self.tokens = told["ids"], told["tokens"]

    def cpu(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(") ")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


# ---- the clients: bare sockets, so that the load costs little


def request(running: Running, method: str, path: str, who: str, body: bytes = b"") -> bytes:
    token = running.tokens.get(who, "")
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{running.port}\r\nAuthorization: Bearer {token}\r\n"
    return (head + f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n").encode() + body


class Caller:
    """One connection that is kept open."""

    def __init__(self, running: Running, who: str = "master") -> None:
        self.running, self.who = running, who

    async def open(self) -> Caller:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.running.port)
        return self

    async def post(self, path: str, body: Any) -> dict[str, Any]:
        self.writer.write(request(self.running, "POST", path, self.who, json.dumps(body).encode()))
        head = await self.reader.readuntil(b"\r\n\r\n")
        status = int(head.split(b" ", 2)[1])
        length = next(int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length"))
        answer = json.loads(await self.reader.readexactly(length))
        assert status == 200, answer
        return answer  # type: ignore[no-any-return]

    def close(self) -> None:
        self.writer.close()


class Watcher:
    """A viewer: notes when something came last."""

    def __init__(self) -> None:
        self.at, self.bytes = 0.0, 0

    async def watch(self, running: Running, path: str, who: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", running.port, limit=1 << 22)
        writer.write(request(running, "GET", path, who))
        try:
            while data := await reader.read(1 << 20):
                self.at, self.bytes = time.perf_counter(), self.bytes + len(data)
        finally:
            writer.close()


@asynccontextmanager
async def watching(running: Running, fight: str, people: list[str]) -> AsyncIterator[list[Watcher]]:
    watchers = [Watcher() for _ in people]
    path = f"/f/{fight}/stream" if running.kind == "affray" else f"/{fight}/stream"
    tasks = [asyncio.create_task(one.watch(running, path, who)) for one, who in zip(watchers, people, strict=True)]
    while not all(one.at for one in watchers):
        await asyncio.sleep(0.02)
    await asyncio.sleep(0.3)
    yield watchers
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def target(running: Running, fight: str, step: tuple[str, dict[str, Any], dict[str, Any]]) -> tuple[str, Any]:
    path, body, line = step
    return (f"/api/fights/{fight}/{path}", body) if running.kind == "affray" else (f"/{fight}/orders", line)


async def one_fight(running: Running, steps: list[Any]) -> dict[str, float]:
    """Orders one after another; each is over when the last viewer was told and nothing more comes for a moment."""
    fight = running.ids[0]
    people = ["master", *PLAYERS] + ["wall"] * (VIEWERS - 1 - len(PLAYERS))
    caller = await Caller(running).open()
    async with watching(running, fight, people) as watchers:
        before, told, answered = running.cpu(), [], []
        for step in steps:
            start = time.perf_counter()
            await caller.post(*target(running, fight, step))
            answered.append(time.perf_counter() - start)
            while True:
                last = max(one.at for one in watchers)
                if (last > start and time.perf_counter() - last > 0.02) or time.perf_counter() - start > 5:
                    break
                await asyncio.sleep(0.005)
            told.append(last - start)
        cpu, sent = running.cpu() - before, sum(one.bytes for one in watchers)
    caller.close()
    told.sort()
    return {
        "cpu ms/order": 1000 * cpu / len(steps),
        "answer ms": 1000 * statistics.median(answered),
        "last viewer ms": 1000 * statistics.median(told),
        "p99 ms": 1000 * told[min(len(told) - 1, int(len(told) * 0.99))],
        "kB/order": sent / len(steps) / 1000,
    }


async def many_fights(running: Running, scripts: list[list[Any]]) -> dict[str, float]:
    """All fights at once, each order as soon as the one before was answered."""
    times: list[float] = []

    async def play(fight: str, steps: list[Any]) -> None:
        caller = await Caller(running).open()
        async with watching(running, fight, ["master"]):
            await begin.wait()
            for step in steps:
                start = time.perf_counter()
                await caller.post(*target(running, fight, step))
                times.append(time.perf_counter() - start)
            left.discard(fight)
            while left:
                await asyncio.sleep(0.02)
        caller.close()

    begin, left = asyncio.Event(), set(running.ids)
    tasks = [asyncio.create_task(play(fight, steps)) for fight, steps in zip(running.ids, scripts, strict=True)]
    await asyncio.sleep(1.5)
    before, start = running.cpu(), time.perf_counter()
    begin.set()
    while left:
        await asyncio.sleep(0.01)
        assert time.perf_counter() - start < 120
    seconds, cpu = time.perf_counter() - start, running.cpu() - before
    await asyncio.gather(*tasks)
    times.sort()
    return {
        "orders/s": len(times) / seconds,
        "cpu ms/order": 1000 * cpu / len(times),
        "answer ms": 1000 * statistics.median(times),
        "p99 ms": 1000 * times[int(len(times) * 0.99)],
    }


# ---- the report


def show(title: str, rows: dict[str, list[dict[str, float]]]) -> None:
    print(f"\n{title}")
    for name in rows["affray"][0]:
        told = []
        for kind, found in rows.items():
            values = sorted(one[name] for one in found)
            told.append(f"{kind} {statistics.median(values):8.2f} ({values[0]:.2f} to {values[-1]:.2f})")
        print(f"  {name:<16} {'   '.join(told)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--orders", type=int, default=100, help="in the one fight with viewers")
    parser.add_argument("--fights", type=int, default=100)
    parser.add_argument("--each", type=int, default=8, help="orders in each of the many fights")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    steps = script(0, args.orders)
    scripts = [script(seed, args.each) for seed in range(args.fights)]
    alone: dict[str, list[dict[str, float]]] = {"affray": [], "plain": []}
    many: dict[str, list[dict[str, float]]] = {"affray": [], "plain": []}
    print(f"{VIEWERS} viewers, {len(steps)} orders; {args.fights} fights with {args.each} orders; {args.rounds} rounds by turns")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    for _ in range(args.rounds):
        for kind in ("affray", "plain"):
            loads = ((alone, 1, lambda one: one_fight(one, steps)), (many, args.fights, lambda one: many_fights(one, scripts)))
            for rows, fights, load in loads:
                running = Running(kind, fights)
                try:
                    rows[kind].append(asyncio.run(load(running)))
                finally:
                    running.close()
    show(f"one fight, {VIEWERS} live viewers (5 of them see something of their own)", alone)
    show(f"{args.fights} fights in parallel, a viewer each", many)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        kind, folder, port, fights = sys.argv[2:6]
        {"affray": serve_affray, "plain": serve_plain}[kind](folder, int(port), int(fights))
    else:
        main()
