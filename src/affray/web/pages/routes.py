"""How a page is declared: by its path, always as HTML, never in the description of the API.

A handler answers with `Html` (`common.show`, `common.go`, `pages.page`; `plain` says that it is none). mypy refuses one that
answers with anything else, and the media type stands here alone. It must not know what any page shows.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.handlers import HTTPRouteHandler

Html = Response[Any]
"""A page, or the way to another one."""

Handler = Callable[..., Awaitable[Html]]


def look(path: str) -> Callable[[Handler], HTTPRouteHandler]:
    """A page that is looked at."""
    return get(path, media_type=MediaType.HTML, include_in_schema=False)


def send(path: str) -> Callable[[Handler], HTTPRouteHandler]:
    """A form of a page that is sent; wrong ones are shown again with status 400, so it answers 200 unless it says otherwise."""
    return post(path, media_type=MediaType.HTML, status_code=200, include_in_schema=False)


def download(path: str) -> Callable[[Handler], HTTPRouteHandler]:
    """A text file that a page offers."""
    return get(path, media_type=MediaType.TEXT, include_in_schema=False)


def plain(found: Any) -> Html:
    """Plain data in the place of a page, for a page's own script."""
    return Response(found, media_type=MediaType.JSON)
