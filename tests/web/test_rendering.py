"""Parts of the page that are remembered are what they would be if they were made anew, for everybody who looks."""

from __future__ import annotations

import asyncio
import gc
import time
from types import SimpleNamespace
from typing import Any

import pytest
from waiting import coming
from web.fight_models import fighter, model, request

from affray import sight
from affray.encounter import Encounter
from affray.formats import samples
from affray.formats.draft import whole
from affray.interpreters.live import picker
from affray.sight import MASTER, SPECTATOR, Audience
from affray.web import tidying
from affray.web.hall import read_source
from affray.web.rendering import DERIVED, LAST, PARTS, Made, Reading, View, renderer


def fresh(seen: dict[str, Any], log: list[dict[str, Any]], name: str) -> str:
    return renderer().part(View(seen, log), name)


def kept(made: Made, seen: dict[str, Any], log: list[dict[str, Any]], name: str) -> str:
    return made.part(View(seen, log[-LAST.get(name, len(log)) :] if log else []), name)


@pytest.mark.parametrize("sample", ["rond6-6v10", "cepheus-corridor"])
def test_parts_that_are_remembered_are_those_made_anew(sample: str) -> None:
    opening = read_source(whole(samples.path(sample)), {})
    fight = Encounter(opening.ruleset, opening.state, 5)
    fight.advance()
    one, two = (f.id for f in fight.state.fighters[:2])
    audiences = [MASTER, SPECTATOR, Audience(own=(one,)), Audience(own=(two,), known=(one,)), Audience(numbers=True)]
    made = Made()
    policy = fight.ruleset.policies["aggressive"]
    for step in range(25):
        for audience in audiences:
            seen = sight.fight(fight, audience, (one, two), id="f", title="Fight", campaign="c", settings={})
            log = sight.log(fight, audience)
            for name in PARTS:
                assert kept(made, seen, log, name) == fresh(seen, log, name), (step, audience, name)
        if fight.ruleset.over(fight.state):
            break
        if fight.open:
            asked: Any = fight.open.requests[0]
            fight.answer(asked.n, asked.request.default)
        else:
            who = fight.up()[0]
            fight.order(policy.order(fight.state, who, picker(5, step, 1)))


def test_whatever_is_read_of_a_model_makes_another_part() -> None:
    people = [fighter("Kess", up=True, mine=True), fighter("Bo", "Gang", wounds=[{"name": "Wounds", "text": "1"}])]
    seen = model(
        people,
        own=("Kess",),
        master=False,
        settings={},
        requests=[request(0, "Kess", kind="roll", pool="3D", faces=[2], why="attack")],
    )
    changes: list[dict[str, Any]] = [
        {"title": "Another"}, {"over": True}, {"round": 3}, {"clock": "1:00"}, {"floor": "Somebody"}, {"busy": True},
        {"you": {**seen["you"], "own": ["Bo"]}}, {"you": {**seen["you"], "master": True}}, {"requests": []},
        {"waiting": ["Kess"], "busy": True}, {"sides": seen["sides"][:1]}, {"order": seen["order"][:1]},
        {"fighters": [fighter("Kess", at=[4, 4], hidden=True), people[1]]}, {"space": {"kind": "none", "scene": []}},
        {"can": {"undo": False}}, {"id": "f2"}, {"ruleset": {"name": "cepheus", "title": "Cepheus"}}, {"seated": ["Kess"]},
    ]  # fmt: skip
    line: dict[str, Any] = {"text": "it hits", "who": "Bo", "rule": "X-1", "parts": [], "dice": None, "secret": False}
    log = [{"n": 1, "who": "Kess", "round": 1, "head": "Kess: attack", "lines": [line], "auto": False, "open": False}]
    made = Made()
    for change in ({}, *changes, {}):
        for entries in (log, [], [{**log[0], "open": True}]):
            for name in PARTS:
                assert kept(made, {**seen, **change}, entries, name) == fresh({**seen, **change}, entries, name), (change, name)


def test_a_part_reads_by_name_alone() -> None:
    noted: set[tuple[str, ...]] = set()
    reading = Reading({"you": {"master": True}, "title": "T"}, noted)
    assert reading["title"] == "T" and reading.get("gone", 3) == 3 and reading["you"].get("master")
    assert noted == {("title",), ("gone",), ("you", "master")}
    with pytest.raises(TypeError):
        list(reading)
    assert "people" not in renderer().names("fight/head.html") and set(renderer().names("fight/page.html")) <= set(DERIVED)


def test_full_collections_wait_for_a_quiet_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "QUIET", 0.02)
    hall: Any = SimpleNamespace(decided=0.0)
    before = gc.get_threshold()
    done: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop" and info["generation"] == 2:
            done.append(1)

    async def run() -> None:
        async with tidying.tidied(hall):
            done.clear()
            await asyncio.sleep(0.1)
            assert not done  # nobody has decided anything
            hall.decided = time.monotonic()
            await coming(lambda: done, "a collection")
            await asyncio.sleep(0.1)
            assert len(done) == 1

    gc.callbacks.append(note)
    try:
        asyncio.run(run())
    finally:
        gc.callbacks.remove(note)
    assert gc.get_threshold() == before and not gc.get_freeze_count()
