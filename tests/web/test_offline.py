"""Nothing of the page comes from anywhere else: no address of another host in what is served, none in the API's documents."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from web.visiting import Site

import affray.web

WEB = Path(affray.web.__file__).parent
ADDRESS = re.compile(r"""(?:https?:)?//([a-z0-9-]+(?:\.[a-z0-9-]+)+)""", re.IGNORECASE)
NAMES = ("www.w3.org", "127.0.0.1")
"""Names that are none of hosts to be asked: of XML, and the server's own."""


def foreign(text: str) -> list[str]:
    return [one[0] for one in ADDRESS.finditer(text) if one[1].lower() not in NAMES]


@pytest.mark.parametrize("folder", ["templates", "static"])
def test_files_name_no_other_host(folder: str) -> None:
    for path in sorted((WEB / folder).rglob("*")):
        if path.suffix in (".html", ".js", ".css", ".svg", ".json", ".webmanifest"):
            code = re.sub(r"/\*.*?\*/|^\s*//.*$", "", path.read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
            assert not foreign(code), f"{path.name}: {foreign(code)}"


def test_served_pages_name_no_other_host(tmp_path: Path) -> None:
    async def work() -> None:
        async with Site(tmp_path) as site:
            for path in ("/", "/join", "/rules", "/rules/cepheus", "/help", "/api", "/schema", "/schema/openapi.json"):
                answer = await site.master.get(path)
                assert answer.status < 500, path
                assert not foreign(answer.body.decode()), f"{path}: {foreign(answer.body.decode())}"

    asyncio.run(work())
