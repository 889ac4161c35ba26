"""From what pydantic says to problems that a person can act on: file, line, key, what is allowed, the nearest name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from affray.errors import Problem, nearest
from affray.formats.toml import Place

M = TypeVar("M", bound=BaseModel)


class Source(Protocol):
    """Something that knows which file and line a place is on: a document, or a combatant put together from several."""

    def problem(self, place: Iterable[str | int], text: str, allowed: Iterable[str] = (), near: str = "") -> Problem: ...


_EXPECTED = {
    "string_type": "text in quotes",
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "list_type": "a list [...]",
    "tuple_type": "a list [...]",
    "dict_type": "a table { key = value }",
    "model_type": "a table { key = value }",
    "model_attributes_type": "a table { key = value }",
}


def validate(model: type[M], data: Any, doc: Source, at: Place = ()) -> tuple[M | None, list[Problem]]:
    """`data`, which stands at `at` in the file, as a model; or None and everything that is wrong with it."""
    try:
        return model.model_validate(data), []
    except ValidationError as error:
        found: dict[Place, Problem] = {}
        for one in error.errors(include_url=False):
            place = _place(one["loc"], data)
            problem = _problem(model, one, doc, at + place)
            found.setdefault(at + place, problem)
        return None, list(found.values())


def _place(loc: tuple[int | str, ...], data: Any) -> Place:
    """Without the names of union members that pydantic puts into a location."""
    place: list[int | str] = []
    here = data
    for part in loc:
        if isinstance(here, dict) and isinstance(part, str):
            place.append(part)
            here = here.get(part)
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            place.append(part)
            here = here[part]
    return tuple(place)


def _problem(model: type[BaseModel], error: Any, doc: Source, place: Place) -> Problem:
    kind, ctx, given = error["type"], error.get("ctx", {}), error.get("input")
    if kind == "extra_forbidden":
        known = _known(model, error["loc"][:-1])
        near = nearest(str(place[-1]), known)
        return doc.problem(place, "there is no such key", known if len(known) <= 14 else (), near)
    if kind == "missing":
        return doc.problem(place[:-1] if place and place[-1] == error["loc"][-1] else place, f"needs {_key(error)}")
    if kind == "literal_error":
        known = tuple(str(ctx["expected"]).replace("'", "").replace(" or ", ", ").split(", "))
        return doc.problem(place, f"{given!r} is not possible here", known, nearest(str(given), known))
    if kind in _EXPECTED:
        return doc.problem(place, f"{_shown(given)} is not possible here; {_EXPECTED[kind]} is expected")
    if kind == "value_error":
        return doc.problem(place, f"{_shown(given)}: {ctx['error']}")
    return doc.problem(place, f"{_shown(given)}: {_plain(kind, ctx, error['msg'])}")


def _key(error: Any) -> str:
    return f"{error['loc'][-1]} = ..."


def _shown(given: Any) -> str:
    told = repr(given)
    return told if len(told) <= 60 else told[:57] + "..."


def _plain(kind: str, ctx: dict[str, Any], told: str) -> str:
    match kind:
        case "greater_than_equal":
            return f"must be at least {ctx['ge']}"
        case "less_than_equal":
            return f"must be at most {ctx['le']}"
        case "less_than":
            return f"must be less than {ctx['lt']}"
        case "string_too_short":
            return "must not be empty"
        case "string_too_long":
            return f"has more than {ctx['max_length']} letters"
        case "too_long":
            return f"has {ctx['actual_length']} entries; at most {ctx['max_length']}"
        case "too_short":
            return f"has {ctx['actual_length']} entries; at least {ctx['min_length']}"
    return told[:1].lower() + told[1:]


def _known(model: type[BaseModel], loc: tuple[int | str, ...]) -> tuple[str, ...]:
    """Keys of the model at a location inside `model`."""
    here: Any = model
    for part in loc:
        if isinstance(part, str) and here is not None and part in here.model_fields:
            here = _inner(here.model_fields[part].annotation)
    return tuple(field.alias or name for name, field in here.model_fields.items()) if here is not None else ()


def _inner(annotation: Any) -> Any:
    """The model inside list[...], Annotated[...] and `| None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for one in getattr(annotation, "__args__", ()):
        found = _inner(one)
        if found is not None:
            return found
    return None
