"""`affray serve`: the table as a web page."""

from __future__ import annotations

import click


@click.command("serve")
@click.option("--data", default="affray-data", envvar="AFFRAY_DATA", show_default=True, metavar="DIR|URL", help="The store.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="0 takes a free one.")
@click.option("--lan", is_flag=True, help="Let the phones around the table in: listen in the local network.")
@click.option("--name", "names", multiple=True, metavar="HOST", help="A host name by which this server is reached.")
@click.option("--no-open", is_flag=True, help="Open no browser.")
@click.option("--seed", type=click.IntRange(0, 2**52), help="For tests: every fight that begins throws the same dice.")
def command(data: str, port: int, lan: bool, names: tuple[str, ...], no_open: bool, seed: int | None) -> None:
    """Serve the page for the game master and the players.

    Everything is kept in DIR (an SQLite file), or in a PostgreSQL database by its URL.
    """
    from affray.web.serve import serve

    raise SystemExit(serve(data, port=port, lan=lan, names=names, browser=not no_open, seed=seed))
