"""The OpenAPI document of the API: mistakes are described in the shape in which they are answered."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin

from affray.web.errors import Wrong

MISTAKES = {
    "400": "Something is wrong with what was sent, or the rules do not allow it",
    "401": "Nobody knows who asks",
    "403": "Somebody else may",
    "404": "There is no such thing, or not for you",
    "409": "Decided on a view that has changed since; `view` holds the present one",
}
"""Answers that every operation may give. Others (413, 429, 503) have the same shape."""


class Described(JsonRenderPlugin):
    """The document as JSON."""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return super().render(request, with_mistakes(openapi_schema))


def with_mistakes(document: dict[str, Any]) -> dict[str, Any]:
    """The document with our answers to mistakes in the place of the framework's."""
    (shape,), shapes = msgspec.json.schema_components((Wrong,), ref_template="#/components/schemas/{name}")
    content = {"application/json": {"schema": shape}}
    paths = {path: {verb: _mended(one, content) for verb, one in some.items()} for path, some in document["paths"].items()}
    known = document.get("components", {})
    schemas = {**known.get("schemas", {}), **shapes}
    return {**document, "paths": paths, "components": {**known, "schemas": schemas}}


def _mended(operation: Any, content: dict[str, Any]) -> Any:
    """An operation of a path; other things stay as they are."""
    if not isinstance(operation, dict):
        return operation
    fine = {status: one for status, one in operation.get("responses", {}).items() if status < "400"}
    wrong = {status: {"description": text, "content": content} for status, text in MISTAKES.items()}
    default = {"description": "Any other mistake", "content": content}
    return {**operation, "responses": {**fine, **wrong, "default": default}}
