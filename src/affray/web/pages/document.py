"""The API on a page: what it offers, in short, with the whole document as JSON beside it."""

from __future__ import annotations

from typing import Any

from litestar import Request

from affray.web.pages import page
from affray.web.pages.routes import Html, look
from affray.web.people import TheGuest

METHODS = ("get", "post", "put", "patch", "delete")


@look("/api")
async def document(request: Request[Any, Any, Any], guest: TheGuest) -> Html:
    """Every path of the API with its methods, by what it is about."""
    paths = request.app.openapi_schema.to_schema()["paths"]
    about: dict[str, list[dict[str, str]]] = {}
    for path, methods in paths.items():
        for name in METHODS:
            if name in methods:
                told = {"method": name.upper(), "path": path, "text": methods[name].get("summary", "")}
                about.setdefault(path.split("/")[2], []).append(told)
    return page("api.html", guest, about=sorted(about.items()))


handlers: list[Any] = [document]
