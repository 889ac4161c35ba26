"""Every address says what it sends: pages are HTML by the way they are declared, programs get JSON under /api."""

from __future__ import annotations

from pathlib import Path

import pytest
from litestar import MediaType
from litestar.handlers import HTTPRouteHandler
from web.pages_client import table

from affray.web import pages
from affray.web.app import create_app
from affray.web.pages.routes import look

OTHERS = ("/api/", "/schema", "/static")
STREAM = "/f/{fight:str}/stream"
FILES = {"/f/{fight:str}/log/text", "/c/{campaign:str}/new/{ident:str}/file"}


def own(tmp_path: Path) -> list[tuple[str, HTTPRouteHandler]]:
    app = create_app(f"{tmp_path}/data")
    found = [(path, one) for one in pages.handlers() if isinstance(one, HTTPRouteHandler) for path in one.paths]
    assert {path for path, _ in found} <= {route.path_format.replace("}", ":str}") for route in app.routes} | {"/"}
    return found


def test_pages_are_html_by_their_declaration(tmp_path: Path) -> None:
    declared = [(path, one) for path, one in own(tmp_path) if not path.startswith(OTHERS) and path != STREAM]
    assert len(declared) > 30
    for path, one in declared:
        wanted = MediaType.TEXT if path in FILES else MediaType.HTML
        assert one.media_type == wanted and not one.include_in_schema, f"{path}: declare it with affray.web.pages.routes"


def test_a_page_under_api_is_html(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        assert at.master.get("/api").headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("path", ["/api", "/api/odd", "/odd"])
def test_html_wherever_a_page_stands(path: str) -> None:
    async def page() -> pages.Response[str]:
        return pages.Response("<p>here</p>")

    from litestar.testing import create_test_client

    with create_test_client([look(path)(page)]) as client:
        assert client.get(path).headers["content-type"].startswith("text/html")
