"""A server inside a test, and the people who come to it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from litestar.testing import TestClient
from waiting import PATIENCE

from affray.web.app import create_app

ROOT = Path(__file__).resolve().parents[2]
KEY = "the-key"
BASE = "http://127.0.0.1:8000"
FIGHT = """
ruleset = "rond6"
title = "Two and two"
[space]
size = [12, 8]
[[combatant]]
name = "Kess"
side = "heroes"
attributes = { Agility = "4D", Perception = "4D" }
skills = { "Fighting" = "5D" }
points = { character = 9, fate = 1 }
at = [2, 2]
player = true
[[combatant]]
name = "Bo"
side = "heroes"
attributes = { Strength = "1D" }
points = { character = 9, fate = 1 }
skills = { "Fighting" = "14D" }
at = [2, 3]
player = true
[[combatant]]
name = "Orc"
side = "orcs"
count = 2
skills = { "Fighting" = "3D" }
at = [[3, 2], [3, 3]]
[[combatant]]
name = "Zyxomma"
side = "orcs"
hidden = true
at = [6, 6]
"""
HIDDEN = "Zyxomma"


class Person:
    """Somebody with a browser of their own."""

    def __init__(self, client: Any, token: str = "") -> None:
        self.client = client
        self.cookie = ""
        self.bearer = token
        self.id = ""

    def headers(self) -> dict[str, str]:
        if self.bearer:
            return {"authorization": f"Bearer {self.bearer}"}
        return {"x-affray": "1"} | ({"cookie": self.cookie} if self.cookie else {})

    def ask(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """A response."""
        self.client.cookies.clear()
        found = self.client.request(method, path, json=body, headers=self.headers() | more.pop("headers", {}), **more)
        if "set-cookie" in found.headers:
            self.cookie = found.headers["set-cookie"].partition(";")[0]
        self.client.cookies.clear()
        return found

    def get(self, path: str) -> Any:
        found = self.ask("GET", path)
        assert found.status_code == 200, found.text
        return found.json()

    def do(self, method: str, path: str, **body: Any) -> Any:
        found = self.ask(method, path, body)
        assert found.status_code < 300, found.text
        return found.json() if found.content else None

    def post(self, path: str, **body: Any) -> Any:
        return self.do("POST", path, **body)

    def refused(self, status: int, method: str, path: str, **body: Any) -> Any:
        found = self.ask(method, path, None if method == "GET" else body)
        assert found.status_code == status, (found.status_code, found.text)
        return found.json()


class Table:
    """A campaign with one fight: a master, and whoever joins."""

    def __init__(self, client: Any, source: str = FIGHT, ruleset: str = "rond6", key: str = KEY) -> None:
        self.client = client
        self.master = Person(client)
        self.master.ask("GET", f"/?key={key}", follow_redirects=False)
        camp = self.master.post("/api/campaigns", title="Friday", ruleset=ruleset)
        self.campaign, self.code = camp["id"], camp["code"]
        self.fight = self.master.post(f"/api/campaigns/{self.campaign}/encounters", source=source)["id"]

    @property
    def path(self) -> str:
        return f"/api/fights/{self.fight}"

    def join(self, name: str, *characters: str, role: str = "player", approved: bool = True) -> Person:
        person = Person(self.client)
        found = person.post("/api/join", code=self.code, name=name, role=role)
        person.id = found["person"]["id"]
        for one in characters:
            person.post(f"/api/campaigns/{self.campaign}/seats", character=one)
        if approved:
            self.master.do("PATCH", f"/api/campaigns/{self.campaign}/people/{person.id}", approved=True)
        return person

    def model(self, person: Person | None = None) -> dict[str, Any]:
        return (person or self.master).get(self.path)  # type: ignore[no-any-return]

    def turn_of(self, who: str) -> None:
        """Everybody ends the turn until it is somebody's."""
        for _ in range(40):
            model = self.model()
            if model["requests"]:
                self.settle()
            elif who in model["up"]:
                return
            else:
                self.master.post(f"{self.path}/orders", order={"do": "end", "by": model["up"][0]})
        raise AssertionError(f"it is never the turn of {who}")

    def settle(self) -> None:
        """The master answers everything as usual."""
        for _ in range(60):
            asked = self.model()["requests"]
            if not asked:
                return
            self.master.post(f"{self.path}/answers", n=asked[0]["n"], usual=True)

    def attack(self, who: str, target: str, person: Person | None = None, **more: Any) -> Any:
        order = {"do": "attack", "by": who, "target": target, "weapon": ""}
        return (person or self.master).post(f"{self.path}/orders", order=order, **more)


@contextmanager
def hosted(folder: Path, key: str = KEY) -> Iterator[TestClient[Any]]:
    """An application in this process."""
    with TestClient(create_app(str(folder), key=key), base_url=BASE) as client:
        yield client


class Process:
    """`affray serve` in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        command = [sys.executable, "-m", "affray", "serve", "--no-open", "--data", str(folder), *options]
        if "--port" not in options:
            command += ["--port", "0"]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, stdin=subprocess.DEVNULL
        )
        assert self.process.stdout is not None
        self.told: list[str] = []
        self.base, self.key = "", ""
        for line in self.process.stdout:
            self.told.append(line)
            if found := re.search(r"(http://127\.0\.0\.1:\d+)/\?key=([\w-]+)", line):
                self.base, self.key = found[1], found[2]
            if line.startswith("Ctrl-C"):
                break

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.base, timeout=PATIENCE, trust_env=False)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self._over()

    def stop(self) -> tuple[int, str]:
        """Ctrl-C; returns the exit code and what was said as an error."""
        self.process.send_signal(signal.SIGINT)
        return self._over()

    def _over(self) -> tuple[int, str]:
        out, err = self.process.communicate(timeout=PATIENCE)
        self.told.append(out)
        return self.process.returncode, err
