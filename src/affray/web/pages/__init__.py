"""Pages as HTML. Each module of this package holds a list `handlers`; what they show comes from the hall and its tables."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from litestar import MediaType, Request, Response
from litestar.response import Template

from affray.web.people import Guest
from affray.web.texts import WORDS

if TYPE_CHECKING:
    from affray.web.errors import Answered
    from affray.web.tables import Table
    from affray.web.views import View


def handlers() -> list[Any]:
    """The handlers of all pages."""
    found: list[Any] = []
    for module in iter_modules(__path__):
        found += getattr(import_module(f"{__name__}.{module.name}"), "handlers", [])
    return found


def page(name: str, guest: Guest, status: int = 200, campaign: str = "", **context: Any) -> Template:
    """A template with what every page has: `guest`, `words`, `theme` and `who` (who looks, in words)."""
    known = {"guest": guest, "words": WORDS, "theme": "", "who": called(guest, campaign)}
    return Template(name, context={**known, **context}, status_code=status, media_type=MediaType.HTML)


def called(guest: Guest, campaign: str = "") -> str:
    """Who somebody is, in words; '' for strangers."""
    person = guest.person(campaign) or (guest.people[0] if guest.people else None)
    if person is None:
        return ""
    return person.name if person.role == "master" and guest.host else f"{person.name}, {person.role}"


def fault(request: Request[Any, Any, Any], wrong: Answered) -> Response[Any]:
    """What went wrong, as a page."""
    guest: Any = request.scope.get("affray_guest") or Guest()
    return page("fault.html", guest, wrong.status, wrong=wrong.body, code=wrong.status)


def fragments(table: Table, view: View) -> dict[str, str]:
    """The parts of a fight's page by name, as HTML; all but the log."""
    made: dict[str, str] = import_module(f"{__name__}.fight").fragments(table, view.audience, view.model, view.log)
    return made


def tail(view: View, start: int) -> str:
    """The log of a fight's page from an entry on."""
    made: str = import_module(f"{__name__}.fight").tail(view.table, view.model, view.log, start)
    return made
