"""What goes wrong, as people and programs are told: one shape, under /api as JSON, elsewhere as a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException

from affray.errors import AffrayError, BadAnswer, DataError, IllegalOrder, Problem, StaleOrder, nearest, plainly, shortened
from affray.sight import Forbidden
from affray.store.jsonl import NotSaved


class Fault(AffrayError):
    """Something that the server refuses. `status`: of HTTP; `error`: one word; `more`: what else stands in the answer."""

    status, error = 400, "refused"

    def __init__(self, message: str, **more: Any) -> None:
        super().__init__(message)
        self.more = more


class NotKnown(Fault):
    """Nobody knows who asks."""

    status, error = 401, "unknown"

    def __init__(self, message: str = "join with the code that the game master shows") -> None:
        super().__init__(message)


class NotAllowed(Fault):
    """Somebody else may."""

    status, error = 403, "forbidden"


class NotAsked(NotAllowed):
    """An answer that nobody waits for, or not from this person; `view` holds the fight as it is."""

    error = "not asked"


class NotFound(Fault):
    """There is no such thing, or not for this person."""

    status, error = 404, "not found"


class Stale(Fault):
    """Decided on a view that has changed since; `view` holds the present one."""

    status, error = 409, "stale"


class TooMuch(Fault):
    """More than is taken."""

    status, error = 413, "too much"


class TooOften(Fault):
    """Too many tries."""

    status, error = 429, "too often"


class Told(msgspec.Struct, omit_defaults=True):
    """One thing that is wrong."""

    text: str
    where: str = ""
    allowed: tuple[str, ...] = ()
    nearest: str = ""


class Wrong(msgspec.Struct, omit_defaults=True):
    """What an answer with a status of 400 and above holds. `view`: the fight as it is now, where the order was too late."""

    error: str
    message: str
    problems: tuple[Told, ...] = ()
    rule: str = ""
    legal: tuple[str, ...] = ()
    view: Any = None


@dataclass(frozen=True, slots=True)
class Answered:
    status: int
    body: Wrong


def told(problem: Problem) -> Told:
    where = ":".join(part for part in (problem.file, str(problem.line) if problem.line else "", problem.key) if part)
    return Told(problem.text, where, problem.allowed, problem.nearest)


def answered(wrong: Exception, body: Any = None) -> Answered | None:
    """The answer to a mistake; None: it is none of ours. `body`: the type of what was to be sent."""
    if isinstance(wrong, Fault):
        return Answered(wrong.status, Wrong(wrong.error, str(wrong), **wrong.more))
    if isinstance(wrong, IllegalOrder):
        refusal = wrong.refusal
        return Answered(400, Wrong("illegal", refusal.hinted, rule=refusal.rule, legal=refusal.legal))
    if isinstance(wrong, Forbidden):
        return Answered(403, Wrong("forbidden", str(wrong)))
    if isinstance(wrong, StaleOrder):
        return Answered(409, Wrong("stale", str(wrong)))
    if isinstance(wrong, DataError):
        return Answered(400, Wrong("bad data", str(wrong), tuple(map(told, wrong.problems))))
    if isinstance(wrong, NotSaved):
        return Answered(503, Wrong("not saved", str(wrong)))
    if isinstance(wrong, AffrayError):
        return Answered(400, Wrong("bad answer" if isinstance(wrong, BadAnswer) else "refused", str(wrong)))
    if isinstance(wrong, RecursionError):
        return Answered(400, Wrong("bad request", "this is nested too deeply to be read"))
    if isinstance(wrong, ValidationException):
        extra = [one for one in (wrong.extra or ()) if isinstance(one, dict)]
        some = tuple(_misread(str(one.get("message", "")), str(one.get("key", "")), body) for one in extra)
        return Answered(400, Wrong("bad request", some[0].text if some else "this request cannot be read", some))
    if isinstance(wrong, HTTPException):
        return Answered(wrong.status_code, Wrong(_WORDS.get(wrong.status_code, "refused"), _plain(wrong)))
    return None


def _misread(message: str, key: str, body: Any) -> Told:
    """What is wrong with a body, with what may stand there instead: the names of its fields, or the values of one."""
    fields = getattr(body, "__struct_fields__", ())
    if found := re.search(r"unknown field `(.*)`", message, re.DOTALL):
        return _instead(f"there is no field {found[1]!r}", found[1], found[1], fields)
    if (found := re.search(r"Invalid enum value '?(.*?)'?$", message, re.DOTALL)) and key in fields:
        values = tuple(map(str, _values(get_type_hints(body)[key])))
        return _instead(f"{key}: {found[1]!r} is not possible", key, found[1], values)
    text = "this needs a body in JSON, and says so in its Content-Type" if message == "'data'" else plainly(message)
    where = "" if key == "data" else key
    return Told(f"{where}: {text}" if where and not text.startswith(f"{where}:") else text, shortened(where))


def _instead(text: str, where: str, name: str, known: Sequence[str]) -> Told:
    near = nearest(name, known)
    return Told(shortened(text + (f"; did you mean {near!r}?" if near else "")), shortened(where), tuple(known), near)


def _values(hint: Any) -> list[Any]:
    """The values of a Literal, wherever in a type it stands."""
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    return [value for one in get_args(hint) if not isinstance(one, str) for value in _values(one)]


_WORDS = {401: "unknown", 403: "forbidden", 404: "not found", 405: "not allowed", 413: "too much", 429: "too often"}


def _plain(wrong: HTTPException) -> str:
    words = {404: "there is nothing here", 405: "this cannot be done here", 413: "more than is taken", 500: "a fault in Affray"}
    return words.get(wrong.status_code, plainly(wrong.detail))


def is_api(path: str) -> bool:
    return path.startswith("/api")


def _body_of(request: Request[Any, Any, Any]) -> Any:
    """The type of the body that a handler takes."""
    handler = request.scope.get("route_handler")
    field = getattr(handler, "parsed_data_field", None)
    return None if field is None else field.annotation


def handle(request: Request[Any, Any, Any], wrong: Exception) -> Response[Any]:
    """Litestar's handler for everything that is raised."""
    found = answered(wrong, _body_of(request) if isinstance(wrong, ValidationException) else None)
    if found is None:
        request.app.state.hall.note_fault(wrong)
        found = Answered(500, Wrong("fault", "a fault in Affray; the terminal of the server says more"))
    if is_api(request.url.path) or "text/html" not in request.headers.get("accept", ""):
        return Response(found.body, status_code=found.status, media_type="application/json")
    from affray.web.pages import fault

    return fault(request, found)
