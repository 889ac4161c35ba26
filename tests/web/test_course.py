"""Who was winning, over a whole fight: drawn when the game master asks, for nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import until
from web.pages_client import Table, table
from web.test_after import fought

from affray.web.pages import course


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr(course, "SECONDS", 0.5)
    with table(tmp_path) as found:
        yield found


def drawn(at: Table, path: str) -> str:
    """The part of the page once it no longer says how far it is."""

    def page() -> str:
        text = str(at.master.get(path).text)
        return "" if "positions" in text else text

    return str(until(page, "the line is drawn", 0.1))


@pytest.mark.parametrize("ruleset", ["rond6", "cepheus"])
def test_the_line_is_drawn_for_the_master(at: Table, ruleset: str) -> None:
    _, fight = fought(at, ruleset)
    path = f"/f/{fight}/summary/course"
    assert path in at.master.get(f"/f/{fight}/summary").text
    assert "Draw the line" in at.master.get(path).text  # nothing is worked out before it is asked for
    assert at.master.get(f"/api/fights/{fight}/course").json()["of"] == 0
    assert "positions" in at.master.post(path).text
    page = drawn(at, path)
    assert page.count("<polyline") == 2 and "Heroes: from" in page and "hx-trigger" not in page
    told = at.master.get(f"/api/fights/{fight}/course").json()
    assert not told["going_on"] and len(told["points"]) == told["of"] > 2
    final = {one["name"]: one["win"] for one in told["points"][-1]["sides"]}
    assert sorted(final.values()) == [0, 1]  # one side holds the field, so the line ends there
    assert f" → {100 * final['Heroes']:.0f} %" in page


def test_nobody_else_may_ask(at: Table) -> None:
    campaign, fight = fought(at)
    player, watcher = at.join(campaign, "Ann"), at.join(campaign, "Wall", role="spectator")
    for one, code in ((player, 403), (watcher, 403), (at.stranger, 401)):
        assert one.get(f"/f/{fight}/summary/course", follow_redirects=False).status_code == code
        assert one.post(f"/f/{fight}/summary/course", follow_redirects=False).status_code == code
        assert one.get(f"/api/fights/{fight}/course").status_code == code
        assert one.post(f"/api/fights/{fight}/course", headers={"X-Affray": "1"}).status_code == code
    assert "/summary/course" not in player.get(f"/f/{fight}/summary").text
    assert at.master.get(f"/api/fights/{fight}/course").json()["of"] == 0


def test_a_fault_ends_the_asking(at: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **more: object) -> None:
        raise LookupError("broken")

    monkeypatch.setattr(course, "line", broken)
    _, fight = fought(at)
    at.master.post(f"/f/{fight}/summary/course")
    page = drawn(at, f"/f/{fight}/summary/course")
    assert "could not be drawn" in page and at.app.state.hall.faults == 1
