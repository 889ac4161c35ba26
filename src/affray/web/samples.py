"""Sample fights that come with the program."""

from __future__ import annotations

from affray.web.errors import NotFound


def text(name: str) -> str:
    """The encounter file of a sample. Raises NotFound."""
    raise NotFound(f"there is no sample {name!r}")
