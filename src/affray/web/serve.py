"""Runs the server in this process: finds a port, tells where it is, opens a browser, ends cleanly."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import webbrowser
from collections.abc import Awaitable, Callable, Sequence

import uvicorn

from affray.errors import DataError, Problem
from affray.web.app import create_app
from affray.web.hall import Hall
from affray.web.outlook import Watchman
from affray.web.rendering import renderer
from affray.web.tidying import tidied


class Server(uvicorn.Server):
    """Tells where it is once it listens, and ends the open streams when it is asked to stop, so that nobody waits for them."""

    def __init__(self, config: uvicorn.Config, hall: Hall, announce: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self.hall, self.announce = hall, announce
        self._beside = contextlib.AsyncExitStack()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            await self.announce()
            await asyncio.to_thread(renderer().ready)
            await self._beside.enter_async_context(tidied(self.hall))
            self._beside.callback(watch(self.hall))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._beside.aclose()
        self.hall.close_streams()
        await super().shutdown(sockets)


def watch(hall: Hall) -> Callable[[], None]:
    """Forecasts grow surer by themselves from now on. Returns what ends that."""
    watchman = Watchman(hall)
    hall.clock, hall.watched = watchman.now, True
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.001)  # whoever acts gets his turn from that thread sooner
    watchman.start()

    def end() -> None:
        watchman.end()
        sys.setswitchinterval(before)

    return end


def serve(
    data: str,
    *,
    port: int = 8000,
    lan: bool = False,
    names: Sequence[str] = (),
    browser: bool = True,
    seed: int | None = None,
    prepare: Callable[[Hall], Awaitable[str]] | None = None,
) -> int:
    """Serve until Ctrl-C. Returns the exit code. Raises DataError (a port that is taken, data that cannot be read), Busy.

    `seed`: of the dice of every fight that begins, for tests and demonstrations; None: each has its own.
    `prepare`: what is done before anybody comes; it returns the path at which the master begins.
    """
    listening = bound("0.0.0.0" if lan else "127.0.0.1", port)
    port = listening.getsockname()[1]
    found = tuple(f"http://{one}:{port}" for one in addresses()) if lan else ()
    own = [*names, *((name := socket.gethostname()), f"{name}.local")] if lan else list(names)
    try:
        app = create_app(data, lan=lan, names=own, addresses=found)
    except BaseException:
        listening.close()
        raise
    hall: Hall = app.state.hall
    hall.seed = seed

    async def announce() -> None:
        path = await prepare(hall) if prepare else "/"
        link = f"http://127.0.0.1:{port}/?key={hall.people.key}" + (f"&to={path}" if path != "/" else "")
        tell(link, found, data if prepare is None else "")
        if browser:
            open_browser(link)

    config = uvicorn.Config(app, log_level="warning", access_log=False, timeout_graceful_shutdown=3, server_header=False)
    server = Server(config, hall, announce)
    with contextlib.suppress(KeyboardInterrupt):  # uvicorn gives the signal on when it has ended
        server.run(sockets=[listening])
    print("ended", flush=True)
    return 0 if server.started else 1


def tell(link: str, found: Sequence[str], data: str) -> None:
    """Where the server is."""
    print(f"Affray is at {link}")
    print("That address makes you the game master; keep it to yourself.")
    for one in found:
        print(f"For the phones around the table: {one}/join (with the join code of your campaign)")
    if found:
        qr(f"{found[0]}/join")
    if data:
        print(f"Everything is kept in {data.rpartition('@')[2]}.")
    print("Ctrl-C ends it.", flush=True)


def bound(host: str, port: int) -> socket.socket:
    """A listening socket. Raises DataError when the port is taken."""
    one = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        one.bind((host, port))
    except OSError as wrong:
        one.close()
        told = f"port {port} is taken or not allowed ({wrong.strerror}); name another one: --port {port + 1 if port else 8000}"
        raise DataError([Problem(told)]) from None
    one.setblocking(False)
    return one


def addresses() -> list[str]:
    """Where this machine is found in its network, the likeliest first. Nothing is sent."""
    found: list[str] = []
    for target in ("192.168.255.255", "10.255.255.255", "172.31.255.255"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
                found.append(probe.getsockname()[0])
            except OSError:
                continue
    return [one for one in dict.fromkeys(found) if not one.startswith("127.")]


def qr(text: str) -> None:
    """A QR code in the terminal."""
    import segno

    segno.make(text, micro=False).terminal(out=sys.stdout, compact=True)


def open_browser(link: str) -> None:
    """Where there is one to be seen."""
    import os

    if sys.platform.startswith("linux") and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    try:
        webbrowser.open(link)
    except (webbrowser.Error, OSError):
        print("no browser could be opened; open the address yourself")
