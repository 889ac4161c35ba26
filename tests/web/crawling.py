"""Every route of the application, with what may be put into its path, its query and its body.

A route that wants something unknown here fails the crawl: teach it, so that no new route goes unseen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

GIVEN = {"hall", "guest", "request", "scope", "state", "data", "last", "path", "headers", "cookies"}
"""Parameters of handlers that are neither of the path nor of the query."""
STREAM = re.compile(r"/stream$")


@dataclass(frozen=True)
class Route:
    """One method of one path: names in the path, names in the query, the type of the body."""

    method: str
    path: str
    inner: tuple[str, ...]
    query: tuple[str, ...]
    body: Any
    loose: bool = False
    """Whether it reads the request itself: any query, or a form."""

    @property
    def stream(self) -> bool:
        return bool(STREAM.search(self.path))

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


def routes(app: Any) -> list[Route]:
    """All of them; what the server answers to OPTIONS by itself is left out."""
    found = []
    for route in app.routes:
        inner = tuple(route.path_parameters)
        path = re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path)
        for method, entry in route.route_handler_map.items():
            handler = entry[0] if isinstance(entry, tuple) else entry
            if method in ("OPTIONS", "HEAD"):
                continue
            names = handler.parsed_fn_signature.parameters
            query = tuple(one for one in names if one not in GIVEN and one not in inner)
            body = names["data"].annotation if "data" in names else None
            found.append(Route(str(method), path, inner, query, body, "request" in names))
    return sorted(found, key=str)


class Things:
    """What is known to exist, by the names that routes use for it. `words` maps a parameter to what may stand there;
    `loose`: queries for routes that read the request themselves."""

    def __init__(self, loose: tuple[str, ...] = (), **words: tuple[str, ...]) -> None:
        self.loose, self.words = loose, words

    def of(self, name: str, route: Route) -> tuple[str, ...]:
        assert name in self.words, f"{route}: tell the crawl (tests/web) what {name!r} may be"
        return self.words[name]

    def requests(self, route: Route, least: bool = False) -> Iterator[str]:
        """Addresses of a route. `least`: one that is likely to exist."""
        choices = [self.of(name, route) for name in route.inner]
        for values in product(*([one[:1] for one in choices] if least else choices)):
            path = route.path
            for name, value in zip(route.inner, values, strict=True):
                path = path.replace(f"{{{name}}}", value)
            yield path
            here = all(value == self.words[name][0] for name, value in zip(route.inner, values, strict=True) if name != "name")
            if route.loose and here and not least and route.method == "GET":
                yield from (f"{path}?{query}" for query in self.loose)
            if route.query and not least:
                for query in self._queries(route):
                    yield f"{path}?{query}"

    def _queries(self, route: Route) -> Iterator[str]:
        """Each name of the query with each value, the others with their first; then without one of them."""
        firsts = {name: self.of(name, route)[0] for name in route.query}
        seen = set()
        for name in route.query:
            for value in self.of(name, route):
                query = "&".join(f"{key}={one}" for key, one in {**firsts, name: value}.items())
                if query not in seen:
                    seen.add(query)
                    yield query


def body(struct: Any, values: dict[str, Any]) -> Any:
    """A body that can be read: what must be there, from `values` by name, else by its type."""
    if struct is None:
        return None
    if not (isinstance(struct, type) and issubclass(struct, Struct)):
        return {}
    hints = get_type_hints(struct, include_extras=True)
    found = {}
    for one in msgspec.structs.fields(struct):
        if one.name in values:
            found[one.encode_name] = values[one.name]
        elif one.required:
            found[one.encode_name] = _any(hints[one.name])
    return found


def _any(kind: Any) -> Any:
    if hasattr(kind, "__metadata__"):
        return _any(get_args(kind)[0])
    origin = get_origin(kind)
    if origin is not None and str(origin).endswith("Literal"):
        return get_args(kind)[0]
    if origin in (list, tuple):
        return []
    if origin is dict:
        return {}
    return {str: "x", int: 0, bool: True, float: 0.0}.get(kind)


__all__ = ["Route", "Things", "body", "routes"]
