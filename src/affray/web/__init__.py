"""The table as a web page: a server for the game master's laptop and the phones around it.

What the parts give one another (handlers of pages stand in `web/pages/*.py`, each module with a list `handlers`):

- `app.create_app(data, ...) -> Litestar` makes the whole application. `app.state.hall` is the `Hall`.
- A handler asks for what it needs by the names of its parameters: `hall: TheHall` (campaigns, characters, fights: `hall.py`)
  and `guest: TheGuest` (who is looking: `people.py`); path and query: `FromPath[str]`, `FromQuery[str]` of
  `litestar.params`. Types are imported at run time, not under TYPE_CHECKING.
- `guest.host` (the master of this server), `guest.role(campaign)` ('master', 'player', 'spectator', '' for a stranger),
  `guest.person(campaign)`, `guest.need(campaign, 'master')` (raises NotAllowed; nobody known: NotKnown).
- `table = await hall.table(id)` is an open fight (`tables.py`); `table.audience(guest)` what one may see;
  `table.view(audience)` a `View` with `.model` (plain data, see `affray.sight`), `.log`, `.version`, `.fragments` (HTML by name,
  made once for all who see the same). `table.shown` is the fight as it is kept, not to be changed. Nothing else may be shown.
- `pages/fight.py` gives `fragments(table, audience, model, log) -> dict[str, str]`: HTML of `head order map log prompt`.
- Pages are declared with `look` and `send` of `pages/routes.py`, so they are HTML wherever they stand, and answered with
  `page(name, guest, **context) -> Response` of `pages/__init__.py`; templates are Jinja2 in
  `web/templates`, static files in `web/static` (served at `/static`). Every template has `guest`, `words` (`texts.py`), `theme`
  and `who`.
- What goes wrong is raised (`AffrayError`, `errors.Fault`) and becomes JSON under `/api`, a page elsewhere (`errors.py`).
- Everything that changes something goes through `/api` (`api.py`), with JSON and the header `X-Affray: 1`.

It must not know any rule, and what somebody may see is decided in `affray.sight` alone.
"""
