"""The server in a process of its own, as people start it, and a browser in front of it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
from waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
EXAMPLES = ROOT / "examples"
CHROMIUM = ("/usr/bin/chromium", "/usr/bin/chromium-browser")
SEED = int(os.environ.get("AFFRAY_SEED", "77"))
"""Of the dice of every fight: the same for everybody and each time. Another one for a look at other luck."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync", "--no-first-run"]


def chromium() -> str:
    """Where the system's Chromium is; '' when there is none, or when AFFRAY_NO_BROWSER is set."""
    if os.environ.get("AFFRAY_NO_BROWSER"):
        return ""
    given = os.environ.get("AFFRAY_CHROMIUM", "")
    return next((one for one in (given, *CHROMIUM) if one and Path(one).exists()), "")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class Server:
    """`affray serve` on a folder of its own. `client` is the master's, by HTTP. The same dice fall each time."""

    def __init__(self, data: Path, seed: int = SEED) -> None:
        self.data, self.port, self.seed = data, free_port(), seed
        self.said: list[str] = []
        self.key = ""
        self.process: subprocess.Popen[str] | None = None
        self.client = httpx.Client(base_url=self.url, headers={"X-Affray": "1"}, timeout=PATIENCE)
        self.start()
        self.client.get("/", params={"key": self.key})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def link(self) -> str:
        """What makes a browser the master's."""
        return f"{self.url}/?key={self.key}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        command = [sys.executable, "-m", "affray", "serve", "--no-open", "--port", str(self.port)]
        command += ["--data", str(self.data), "--seed", str(self.seed)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1"}
        self.said = []
        self.process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        threading.Thread(target=self._listen, args=(self.process,), daemon=True).start()
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = re.search(r"http://\S+key=\S+", "".join(self.said))
            if found:
                self.key = parse_qs(urlsplit(found[0]).query)["key"][0]
                self._wait(end)
                return
            assert self.process.poll() is None, "the server ended:\n" + "".join(self.said)
            time.sleep(0.05)
        raise AssertionError("the server said nothing:\n" + "".join(self.said))

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout:
            self.said.extend(process.stdout)

    def _wait(self, end: float) -> None:
        while time.monotonic() < end:
            try:
                self.client.get("/api/me", timeout=20)
                return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError("the server does not answer:\n" + "".join(self.said))

    def kill(self) -> None:
        """As when the battery dies."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> str:
        """End it as with Ctrl-C. Returns what it has said."""
        assert self.process is not None
        self.client.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()
        return "".join(self.said)

    # ---- the master by HTTP, to prepare what a test is not about

    def api(self, path: str, **body: Any) -> Any:
        """A request of the master; with a body a POST."""
        answer = self.client.post(f"/api{path}", json=body) if body else self.client.get(f"/api{path}")
        assert answer.is_success, f"{path}: {answer.status_code} {answer.text}"
        return answer.json()

    def campaign(self, title: str, ruleset: str) -> dict[str, Any]:
        """A new campaign, with its join code."""
        made: dict[str, Any] = self.api("/campaigns", title=title, ruleset=ruleset)
        return made

    def fight(self, campaign: str, source: str, title: str = "") -> str:
        """A fight of an encounter file."""
        return str(self.api(f"/campaigns/{campaign}/encounters", source=source, title=title)["id"])
