"""What one audience sees of a fight: the model, the log, the parts of the page, each made when it is wanted, once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from affray import sight
from affray.sight import Audience

if TYPE_CHECKING:
    from affray.web.tables import Table


class View:
    """What one audience may see of a fight as it is kept; made when it is wanted, once."""

    def __init__(self, table: Table, audience: Audience) -> None:
        self.table, self.audience = table, audience
        self._model: dict[str, Any] | None = None
        self._log: list[dict[str, Any]] | None = None
        self._fragments: dict[str, str] | None = None

    @property
    def model(self) -> dict[str, Any]:
        """Plain data; `version` in it changes exactly when this audience sees something else."""
        if self._model is None:
            table = self.table
            self._model = sight.fight(table.shown, self.audience, table.seated(), **table.extra())
            if self.audience.master:
                self._model["seated"] = list(table.seated())
                self._model["door"] = table.hall.people.at_the_door(table.campaign)
            for one in self._model["requests"]:
                one["limit"] = table.limits.of(table.shown, one["n"])
        return self._model

    @property
    def log(self) -> list[dict[str, Any]]:
        if self._log is None:
            self._log = sight.log(self.table.shown, self.audience)
        return self._log

    @property
    def version(self) -> str:
        return str(self.model["version"])

    @property
    def fragments(self) -> dict[str, str]:
        """HTML by name; the log is not among it."""
        if self._fragments is None:
            from affray.web import pages

            self._fragments = pages.fragments(self.table, self)
        return self._fragments

    def tail(self, start: int) -> str:
        """HTML of the log from an entry on (counted from 0)."""
        from affray.web import pages

        return pages.tail(self, start)
