"""What every request passes first: is it meant for this server, does it come from its own page, who sends it.

A page of another site must not reach the server through the browser of somebody who is at the table (Host and Origin), and
what the server answers must not load or run anything from elsewhere.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Collection, Sequence
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

import msgspec
from litestar.types import ASGIApp, Message, Receive, Send

from affray.web.errors import TooOften, Wrong
from affray.web.people import Guest, People, Tries

COOKIE = "affray"
MOST_TOKENS = 8
"""In one browser: one for each campaign."""
LOCAL = re.compile(r"/([A-Za-z0-9][A-Za-z0-9/_-]*)?")
"""Where a link with the key may lead."""
SAFE = ("GET", "HEAD", "OPTIONS")
HEADERS = [
    (b"content-security-policy", b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
     b"font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
]  # fmt: skip


class Gate:
    """ASGI middleware. Puts a `Guest` into the scope as `affray_guest`."""

    def __init__(self, app: ASGIApp, people: People, keep: Any, names: Collection[str]) -> None:
        self.app, self.people, self.keep = app, people, keep
        self.tries = Tries()
        self.names = {"localhost", "testserver.local", *(name.lower() for name in names)}

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        path: str = scope["path"]
        if not self.ours(host):
            await refuse(send, 400, "forbidden", f"this server is not called {host!r}; use its address, or start it with --name")
            return
        tokens, bearer = shown(headers)
        if scope["method"] not in SAFE and (why := foreign(headers, host, bearer)):
            await refuse(send, 403, "forbidden", why)
            return
        if path == "/" and b"key=" in scope["query_string"] and await self.by_key(scope, tokens, send):
            return
        scope["affray_guest"] = self.people.guest(tokens) if tokens else Guest()
        dynamic = not path.startswith("/static/")

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                known = {name.lower() for name, _ in message["headers"]}
                extra = [*HEADERS, (b"cache-control", b"no-store")] if dynamic else HEADERS
                message["headers"] = [*message["headers"], *(pair for pair in extra if pair[0] not in known)]
            await send(message)

        await self.app(scope, receive, sending)

    async def by_key(self, scope: Any, tokens: tuple[str, ...], send: Send) -> bool:
        """Whoever comes with the key that the terminal shows is the master from then on."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        who = scope["client"][0] if scope.get("client") else ""
        try:
            self.tries.check(who)
        except TooOften as wrong:
            await refuse(send, wrong.status, wrong.error, str(wrong))
            return True
        if not self.people.is_key(query.get("key", [""])[0]):
            self.tries.failed(who)
            return False
        there = query.get("to", ["/"])[0]
        headers = [(b"location", there.encode() if LOCAL.fullmatch(there) else b"/")]
        if not self.people.guest(tokens).host:
            token = await self.people.token(self.keep, self.people.master, "browser")
            headers.append((b"set-cookie", cookie([*tokens, token]).encode()))
        await refuse(send, 303, "", "", headers)
        return True

    def ours(self, host: str) -> bool:
        """A number (nobody can point that elsewhere), localhost, or a name that the server was started with."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        try:
            ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return name.lower().rstrip(".") in self.names
        return True


def foreign(headers: dict[bytes, bytes], host: str, bearer: bool) -> str:
    """Why something that changes things may come from a page of another site; '' when it cannot: a browser says where a
    form comes from, and lets no other site send a header of ours, nor a program's token."""
    origin = headers.get(b"origin", b"").decode("latin-1")
    if origin and origin.partition("://")[2] != host:
        return "this was sent by a page of another site"
    own = bool(origin) or headers.get(b"sec-fetch-site") == b"same-origin" or b"x-affray" in headers
    return "" if own or bearer else "send the header X-Affray: 1 with whatever changes something"


def shown(headers: dict[bytes, bytes]) -> tuple[tuple[str, ...], bool]:
    """The tokens that a request shows, and whether it does so as a program."""
    given = headers.get(b"authorization", b"").decode("latin-1")
    if given[:7].lower() == "bearer ":
        return (given[7:].strip(),), True
    try:
        cookie = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1")).get(COOKIE)
    except CookieError:
        return (), False
    return tuple(cookie.value.split(".")[:MOST_TOKENS]) if cookie and cookie.value else (), False


async def refuse(
    send: Send, status: int, error: str, message: str, more: Sequence[tuple[bytes, bytes]] = ()
) -> None:
    """An answer before anybody has looked at the request."""
    body = msgspec.json.encode(Wrong(error, message)) if error else b""
    headers: Any = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *HEADERS, *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def cookie(tokens: list[str], secure: bool = False) -> str:
    """The header that gives a browser its tokens, for a year."""
    value = ".".join(tokens[-MOST_TOKENS:])
    age = 365 * 24 * 3600 if value else 0
    return f"{COOKIE}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={age}" + ("; Secure" if secure else "")
