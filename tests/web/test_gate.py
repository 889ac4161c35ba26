"""What every request passes: Host, Origin, key, size, types; what every answer says to a browser."""

from __future__ import annotations

from typing import Any

import pytest
from web.hosting import BASE, KEY, Person, Table


def raw(table: Table, method: str, path: str, **headers: str) -> Any:
    table.client.cookies.clear()
    return table.client.request(method, path, headers={"cookie": table.master.cookie, **headers})


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost", "localhost:9", "192.168.1.20:8000", "[::1]:8000"])
def test_hosts_that_are_this_server(table: Table, host: str) -> None:
    assert raw(table, "GET", table.path, host=host).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "", "localhost.evil:8000"])
def test_a_name_that_somebody_else_points_here_is_refused(table: Table, host: str) -> None:
    found = raw(table, "GET", table.path, host=host)
    assert found.status_code == 400 and "address" in found.json()["message"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://evil.example", "x-affray": "1"}, 403),
        ({"origin": "http://127.0.0.1:9999", "x-affray": "1"}, 403),
        ({"origin": "null", "x-affray": "1"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"x-affray": "1"}, 201),
        ({"origin": BASE}, 201),
        ({"sec-fetch-site": "same-origin"}, 201),
    ],
    ids=str,
)
def test_a_page_of_another_site_changes_nothing(table: Table, headers: dict[str, str], status: int) -> None:
    table.client.cookies.clear()
    body = {"title": "X", "ruleset": "rond6"}
    found = table.client.post("/api/campaigns", json=body, headers={"cookie": table.master.cookie, **headers})
    assert found.status_code == status, found.text


def test_every_answer_carries_the_headers(table: Table) -> None:
    for path in (table.path, "/nothing", "/static/robots.txt", "/schema/openapi.json", "/api/nothing"):
        found = raw(table, "GET", path)
        policy = found.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["x-frame-options"] == "DENY"
        assert (found.headers.get("cache-control") == "no-store") == (not path.startswith("/static"))


def test_the_key_makes_the_master_and_leads_only_within_the_server(table: Table) -> None:
    for to, leads in (
        ("/f/abc", "/f/abc"), ("//evil.example", "/"), ("http://evil.example", "/"), ("/\\evil", "/"), ("/a%0d%0ab", "/"),
    ):  # fmt: skip
        found = Person(table.client).ask("GET", f"/?key={KEY}&to={to}", follow_redirects=False)
        assert found.status_code == 303 and found.headers["location"] == leads
        cookie = found.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=Lax" in cookie and KEY not in cookie
    stranger = Person(table.client)
    stranger.ask("GET", "/?key=wrong", follow_redirects=False)
    assert not stranger.cookie and not stranger.get("/api/me")["host"]
    for _ in range(12):
        last = stranger.ask("GET", "/?key=wrong", follow_redirects=False)
    assert last.status_code == 429


def test_codes_are_not_guessed_for_long(table: Table) -> None:
    stranger = Person(table.client)
    codes = [stranger.ask("POST", "/api/join", {"code": f"AAAA{n:02}", "name": "X"}).status_code for n in range(14)]
    assert codes[0] == 404 and codes[-1] == 429


@pytest.mark.parametrize("junk", ["", "x", "null", "[1]", '"a"', "{", "{}", '{"order": 3}', '{"order": {}, "seen": 4}', "\x00"])
def test_bodies_that_are_none(table: Table, junk: str) -> None:
    headers = table.master.headers() | {"content-type": "application/json"}
    found = table.client.post(f"{table.path}/orders", content=junk, headers=headers)
    assert found.status_code == 400, found.text
    wrong = found.json()
    assert wrong["error"] and wrong["message"] and "Traceback" not in found.text


def test_huge_and_deep_bodies(table: Table) -> None:
    headers = table.master.headers() | {"content-type": "application/json"}
    found = table.client.post(f"{table.path}/orders", content=b'{"order": {"do": "' + b"x" * 3_000_000 + b'"}}', headers=headers)
    assert found.status_code == 413
    deep = '{"order": {"do": "end", "by": ' + "[" * 100_000 + "]" * 100_000 + "}}"
    assert table.client.post(f"{table.path}/orders", content=deep, headers=headers).status_code == 400
    found = table.client.post(f"{table.path}/orders", content='{"order": {"do": "end", "by": 1e400}}', headers=headers)
    assert found.status_code == 400
    big = {"order": {"do": "end", "by": "x" * 100_000}}
    assert table.client.post(f"{table.path}/orders", json=big, headers=headers).status_code == 400
    assert table.client.get("/" + "a" * 60_000, headers=headers).status_code in (404, 414)


@pytest.mark.parametrize("path", ["/api/fights/none", "/api/fights/..%2f..", "/api/campaigns/none", "/api/%00"])
def test_what_is_not_there(table: Table, path: str) -> None:
    found = table.master.ask("GET", path)
    assert found.status_code == 404 and found.json()["error"] == "not found"


def test_static_files_stay_in_their_folder(table: Table) -> None:
    for path in ("/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd"):
        assert raw(table, "GET", path).status_code == 404


def test_the_description_names_every_route(table: Table) -> None:
    found = table.client.get("/schema/openapi.json").json()
    assert found["info"]["title"] == "Affray"
    for path in ("/api/fights/{fight}/orders", "/api/fights/{fight}/stream", "/api/join", "/api/campaigns/{campaign}/people"):
        assert path in found["paths"]
