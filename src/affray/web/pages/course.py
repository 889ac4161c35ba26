"""Who was winning, over a whole fight: the line of forecasts in the summary.

For the game master alone: how often a fight was decided, and what a past position was worth, tells of people whom others may
never have seen. It is drawn in a thread of its own when it is asked for, and the page asks how far it is.
"""

from __future__ import annotations

import threading
from typing import Any

from litestar import get, post
from litestar.params import FromPath

from affray import sight
from affray.encounter import Encounter
from affray.errors import AffrayError
from affray.recent import Recent
from affray.render import text
from affray.simulate.line import Point, Turn, line, plain, shares, turning_points
from affray.web.hall import Hall, TheHall
from affray.web.pages.common import show
from affray.web.pages.routes import Html, look, send
from affray.web.people import TheGuest
from affray.web.tables import Table

SECONDS = 15.0
"""For one line, tables included."""
HEIGHT, WIDTH = 40, 100
"""Of the drawing, in units of its own."""


class Course:
    """The line of one fight as it stood, drawn in a thread: `points` in the end, or the `problem`. `fight`: a copy of its own."""

    def __init__(self, hall: Hall, fight: Encounter) -> None:
        self.hall, self.fight = hall, fight
        self.done, self.of = 0, 1 + sum(not entry.auto for entry in fight.entries)
        self.points: tuple[Point, ...] = ()
        self.problem = ""
        threading.Thread(target=self._draw, name="affray-course", daemon=True).start()

    def _draw(self) -> None:
        try:
            self.points = line(self.fight, seconds=SECONDS, progress=self._told)
        except AffrayError as wrong:
            self.problem = str(wrong)
        except Exception as wrong:  # else the page would ask for ever
            self.problem = "the line could not be drawn"
            self.hall.note_fault(wrong)

    def _told(self, done: int, of: int) -> None:
        self.done, self.of = done, of

    @property
    def going_on(self) -> bool:
        return not self.points and not self.problem

    def progress(self) -> dict[str, Any]:
        """How far it is."""
        return {"going_on": self.going_on, "done": self.done, "of": self.of, "problem": self.problem}

    def shown(self) -> dict[str, Any]:
        """What the page draws: a curve for each side, where rounds begin, and the orders that moved it most."""
        drawn = self.progress()
        if not self.points:
            return drawn
        last = max(1, len(self.points) - 1)
        curves = [
            {
                "side": side,
                "path": " ".join(f"{WIDTH * i / last:.2f},{HEIGHT * (1 - chance):.2f}" for i, chance in enumerate(chances)),
                "first": chances[0],
                "last": chances[-1],
            }
            for side, chances in shares(self.points)
        ]
        turns = [self._turn(one) for one in turning_points(self.points)]
        return {**drawn, "curves": curves, "rounds": self._rounds(last), "turns": turns, "height": HEIGHT, "width": WIDTH}

    def _rounds(self, last: int) -> list[tuple[int, float]]:
        """Each round that is begun, with its place on the line."""
        found: dict[int, float] = {}
        for i, point in enumerate(self.points):
            number = self.fight.entries[point.n - 1].state.round if point.n else 0
            if number:
                found.setdefault(number, WIDTH * i / last)
        return list(found.items())

    def _turn(self, turn: Turn) -> dict[str, Any]:
        entry = self.fight.entries[turn.n - 1]
        return {
            "n": turn.n,
            "round": entry.state.round,
            "text": text.ordered(entry.order),
            "side": turn.side,
            "before": turn.before,
            "after": turn.after,
        }


_COURSES: Recent[Course] = Recent(20)


def course(table: Table, begin: bool) -> Course | None:
    """The line of this fight as it stands; begun if it is not there and `begin` says so."""
    key = (table.id, table.view(sight.MASTER).version)
    return _COURSES.get(key, lambda: Course(table.hall, table.still())) if begin else _COURSES.find(key)


async def _part(hall: TheHall, guest: TheGuest, fight: str, begin: bool) -> Html:
    table = await hall.table_for(guest, fight)
    guest.need(table.campaign, "master")
    found = course(table, begin)
    camp = await hall.campaign(table.campaign)
    return show("parts/course.html", guest, camp, fight=fight, course=found.shown() if found else None)


@look("/f/{fight:str}/summary/course")
async def look_at(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> Html:
    """How far it is, or the line."""
    return await _part(hall, guest, fight, False)


@send("/f/{fight:str}/summary/course")
async def begin(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> Html:
    """Draw it, unless it is there."""
    return await _part(hall, guest, fight, True)


@get("/api/fights/{fight:str}/course", summary="Who was winning after each order, if it was asked for; for the game master")
async def course_json(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> dict[str, Any]:
    return await _told(hall, guest, fight, False)


@post("/api/fights/{fight:str}/course", status_code=200, summary="Begin to work out who was winning after each order")
async def course_begun(hall: TheHall, guest: TheGuest, fight: FromPath[str]) -> dict[str, Any]:
    """`going_on` says that it is not there yet; ask again with GET."""
    return await _told(hall, guest, fight, True)


async def _told(hall: TheHall, guest: TheGuest, fight: str, begin: bool) -> dict[str, Any]:
    table = await hall.table_for(guest, fight)
    guest.need(table.campaign, "master")
    found = course(table, begin)
    drawn = plain(found.points) if found and found.points else {"points": [], "turning_points": []}
    return {**(found.progress() if found else {"going_on": False, "done": 0, "of": 0, "problem": ""}), **drawn}


handlers: list[Any] = [look_at, begin, course_json, course_begun]
