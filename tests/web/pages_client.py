"""A server in memory with a game master, a player and a stranger, for tests of pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from litestar.testing import TestClient

from affray.web.app import create_app

HEADERS = {"X-Affray": "1", "Accept": "text/html"}


class Table:
    """Clients of one server. `master` has shown the key."""

    def __init__(self, app: Any, main: TestClient[Any]) -> None:
        self.app, self.stranger = app, main
        main.headers.update(HEADERS)
        self.master = self.another()
        self.master.get("/", params={"key": app.state.hall.people.key})

    def another(self) -> TestClient[Any]:
        """One more browser."""
        client: TestClient[Any] = TestClient(self.app)
        client.blocking_portal = self.stranger.blocking_portal
        client.headers.update(HEADERS)
        return client

    def campaign(self, ruleset: str = "rond6", title: str = "Test") -> str:
        done = self.master.post("/campaigns", data={"title": title, "ruleset": ruleset})
        return done.url.path.removeprefix("/c/")

    def draft(self, campaign: str, names: str = "Heroes:\nKess (veteran)\nWatch:\n2 guards") -> str:
        done = self.master.post(f"/c/{campaign}/new", data={"do": "names", "title": "At the ford", "names": names})
        return done.url.path

    def join(
        self, campaign: str, name: str = "Ann", seat: str = "", let_in: bool = True, role: str = "player"
    ) -> TestClient[Any]:
        """Somebody joins, takes a seat and is let in."""
        hall = self.app.state.hall
        code = next(row["code"] for row in hall.db.rows(_campaigns()) if row["id"] == campaign)
        client = self.another()
        client.post("/join", data={"code": code, "name": name, "role": role})
        if seat:
            client.post(f"/join/{code}/seat", data={"character": seat})
        person = next(one for one in hall.people.of(campaign) if one.name == name)
        if let_in:
            self.master.post(f"/c/{campaign}/people", data={"do": f"in {person.id}"})
        return client


def _campaigns() -> Any:
    from affray.store import sql

    return sql.find(sql.CAMPAIGNS)


@contextmanager
def table(data: Path) -> Iterator[Table]:
    app = create_app(str(data))
    with TestClient(app) as client:
        yield Table(app, client)
