"""The application: everything put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from litestar import Litestar, Request
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi.config import OpenAPIConfig
from litestar.plugins.jinja import JinjaTemplateEngine
from litestar.static_files import create_static_files_router
from litestar.template.config import TemplateConfig

from affray import __version__
from affray.store.sql import Database
from affray.web import api, desk, pages
from affray.web.describing import Described
from affray.web.errors import handle
from affray.web.gate import Gate
from affray.web.hall import Hall
from affray.web.people import Guest, People

HERE = Path(__file__).parent
MOST_BYTES = 2_000_000
"""Of one request."""


def create_app(
    data: str, *, lan: bool = False, key: str = "", names: Collection[str] = (), addresses: tuple[str, ...] = ()
) -> Litestar:
    """The application on a database (a folder, or an address of PostgreSQL). `key`: the master's, else one is made up.

    `names`: host names by which it is reached beside numbers and localhost; `addresses`: where the network finds it.
    Raises DataError, Busy.
    """
    db = Database(data)
    people = People(db, key)
    hall = Hall(db, people)
    hall.addresses = addresses if lan else ()

    @asynccontextmanager
    async def life(app: Litestar) -> AsyncIterator[None]:
        try:
            yield
        finally:
            hall.close_streams()
            db.close()

    app = Litestar(
        route_handlers=[
            *api.handlers,
            *desk.handlers,
            *pages.handlers(),
            create_static_files_router("/static", [HERE / "static"], send_as_attachment=False),
        ],
        dependencies={"hall": Provide(the_hall, sync_to_thread=False), "guest": Provide(the_guest, sync_to_thread=False)},
        exception_handlers={Exception: handle},
        template_config=TemplateConfig(directory=HERE / "templates", engine=JinjaTemplateEngine),
        openapi_config=OpenAPIConfig(
            title="Affray", version=__version__, path="/schema", render_plugins=[Described()],
            description="Everything that the page does.",
        ),
        request_max_body_size=MOST_BYTES,
        lifespan=[life],
        state=State({"hall": hall}),
        debug=False,
        logging_config=None,
    )
    app.asgi_handler = Gate(app.asgi_handler, people, hall.keep, names)  # before everything, what is not found included
    return app


def the_hall(state: State) -> Hall:
    """For handlers with a parameter `hall`."""
    hall: Hall = state.hall
    return hall


def the_guest(request: Request[Any, Any, Any]) -> Guest:
    """For handlers with a parameter `guest`."""
    return request.scope.get("affray_guest") or Guest()  # type: ignore[return-value]
