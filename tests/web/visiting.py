"""The application in this process, and visitors who send it requests over ASGI: streams are read while they are open."""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from waiting import PATIENCE, coming

from affray.web.app import create_app
from affray.web.gate import HEADERS

HOST = "127.0.0.1:8000"
USUAL = {name.decode() for name, _ in HEADERS} | {"content-length", "cache-control"}
"""Headers that every answer has."""


class Answer:
    """What came back."""

    def __init__(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        self.status, self.body = status, body
        self.headers = {name.decode().lower(): value.decode() for name, value in headers}

    @property
    def text(self) -> str:
        """Everything of it as one text: headers too, for they can tell as well."""
        heads = "\n".join(f"{name}: {value}" for name, value in self.headers.items() if name not in USUAL)
        return f"{heads}\n\n{self.body.decode('utf-8', 'replace')}"

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Listening:
    """An open stream. `heard` grows; `events()` takes what has come since."""

    def __init__(self) -> None:
        self.heard = b""
        self.status = 0
        self.gone = asyncio.Event()
        self.task: asyncio.Task[None] | None = None
        self._read = 0

    async def events(self, quiet: float = 0.05) -> list[tuple[str, str]]:
        """(name, data) of the events that have come since, once it has been quiet for so many seconds; comments are none."""
        size = -1
        while size != len(self.heard):
            size = len(self.heard)
            await asyncio.sleep(quiet)
        text = self.heard[self._read :].decode()
        self._read = len(self.heard)
        found = []
        for block in text.split("\n\n"):
            lines = block.split("\n")
            name = next((one[7:] for one in lines if one.startswith("event: ")), "")
            if name:
                found.append((name, "\n".join(one[6:] for one in lines if one.startswith("data: "))))
        return found

    async def close(self) -> None:
        self.gone.set()
        if self.task:
            await asyncio.wait([self.task], timeout=PATIENCE)


class Visitor:
    """Somebody with a browser of their own. `token`: what the cookie holds."""

    def __init__(self, app: Any, name: str = "", token: str = "") -> None:
        self.app, self.name, self.token = app, name, token
        self.ident = ""

    async def send(self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None) -> Answer:
        start: list[Any] = []
        chunks: list[bytes] = []

        async def sending(message: Any) -> None:
            if message["type"] == "http.response.start":
                start.append(message)
            elif message["type"] == "http.response.body":
                chunks.append(message.get("body", b""))

        scope, receive = self._scope(method, path, body, headers)
        await self.app(scope, receive, sending)
        answer = Answer(start[0]["status"], start[0]["headers"], b"".join(chunks))
        given = answer.headers.get("set-cookie", "")
        if given.startswith("affray="):
            self.token = given.partition("=")[2].partition(";")[0]
        return answer

    async def get(self, path: str, **query: Any) -> Answer:
        return await self.send("GET", path + ("?" + urlencode(query) if query else ""))

    async def form(self, path: str, **fields: str) -> Answer:
        """A form of a page."""
        kind = {"content-type": "application/x-www-form-urlencoded"}
        return await self.send("POST", path, urlencode(fields).encode(), kind)

    async def post(self, path: str, **body: Any) -> Answer:
        return await self.send("POST", path, body)

    async def listen(self, path: str) -> Listening:
        """Open a stream."""
        ear = Listening()

        async def sending(message: Any) -> None:
            if message["type"] == "http.response.start":
                ear.status = message["status"]
            ear.heard += message.get("body", b"")

        scope, receive = self._scope("GET", path, None, None, ear.gone)
        ear.task = asyncio.ensure_future(self.app(scope, receive, sending))
        task = ear.task
        await coming(lambda: ear.heard.count(b"\n\n") > 1 or task.done(), "the stream begins")
        return ear

    def _scope(
        self, method: str, path: str, body: Any, headers: dict[str, str] | None, gone: asyncio.Event | None = None
    ) -> tuple[dict[str, Any], Any]:
        content = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        known = {"host": HOST, "x-affray": "1", "content-type": "application/json", "content-length": str(len(content))}
        if self.token:
            known["cookie"] = f"affray={self.token}"
        known |= headers or {}
        bare, _, query = path.partition("?")
        scope = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "method": method,
            "scheme": "http", "path": bare, "raw_path": quote(bare).encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in known.items()],
            "client": ("127.0.0.1", 4711), "server": ("127.0.0.1", 8000), "state": {},
        }  # fmt: skip
        sent = False

        async def receive() -> Any:
            nonlocal sent
            if not sent:
                sent = True
                return {"type": "http.request", "body": content, "more_body": False}
            if gone is not None:
                await gone.wait()
            else:
                await asyncio.sleep(3600)
            return {"type": "http.disconnect"}

        return scope, receive


class Site:
    """The application on a folder, with its master. Use it in `async with`."""

    def __init__(self, folder: Path) -> None:
        self.app = create_app(str(folder), key="the-master-key")
        self.hall = self.app.state.hall
        self.master = Visitor(self.app, "master")
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Site:
        await self._stack.enter_async_context(self.app.lifespan())
        await self.master.get("/", key="the-master-key")
        assert self.master.token
        return self

    async def __aexit__(self, *wrong: Any) -> None:
        await self._stack.aclose()

    async def campaign(self, title: str, ruleset: str) -> dict[str, Any]:
        answer = await self.master.post("/api/campaigns", title=title, ruleset=ruleset)
        assert answer.status == 201, answer.text
        return dict(answer.json)

    async def fight(self, campaign: str, source: str, title: str = "", begin: bool = True) -> str:
        answer = await self.master.post(f"/api/campaigns/{campaign}/encounters", source=source, title=title, begin=begin)
        assert answer.status == 201, answer.text
        return str(answer.json["id"])

    async def person(
        self, campaign: dict[str, Any], name: str, role: str = "player", seat: str = "", approved: bool = True
    ) -> Visitor:
        """Somebody joins by the code, takes a seat, is let in."""
        visitor = Visitor(self.app, name)
        joined = await visitor.post("/api/join", code=campaign["code"], name=name, role=role)
        assert joined.status == 201, joined.text
        ident, here = joined.json["person"]["id"], campaign["id"]
        if approved:
            changed = await self.master.send("PATCH", f"/api/campaigns/{here}/people/{ident}", {"approved": True})
            assert changed.status == 200, changed.text
        if seat:
            sat = await self.master.post(f"/api/campaigns/{here}/seats", character=seat, person=ident, approved=approved)
            assert sat.status == 201, sat.text
        visitor.ident = ident
        return visitor
