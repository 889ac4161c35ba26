"""The fights of the accessibility scan hold every sign that the page can show, whatever the dice do."""

from __future__ import annotations

import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from web.browser import signs
from web.hosting import Table, hosted

NEVER = {"rond6": {"grappled"}}
"""Conditions that are told in other words ('held by ...')."""


def known(ruleset: str) -> set[str]:
    """How the signs of a ruleset begin, as far as they are plain words in its source; its conditions."""
    module = importlib.import_module(f"affray.rulesets.{ruleset}.bearing")
    words = {one.strip() for one in re.findall(r'Sign\(f?"([^"{(]*)', inspect.getsource(module.signs))}
    return {one for one in words if one} | set(getattr(module, "RULES", ())) - NEVER.get(ruleset, set())


@pytest.mark.parametrize("ruleset", signs.STATES)
def test_every_sign_is_there(tmp_path: Path, ruleset: str) -> None:
    with hosted(tmp_path) as client:
        table = Table(client, signs.fight(ruleset), ruleset)
        table.settle()

        def api(path: str, **body: Any) -> Any:
            return table.master.post(f"/api{path}", **body) if body else table.master.get(f"/api{path}")

        signs.put(api, table.fight)
        table.settle()
        people = table.model()["fighters"]
        told = [sign["word"] for one in people for sign in one["conditions"]]
        missing = {word for word in known(ruleset) if not any(one.startswith(word) for one in told)}
        assert not missing, f"no scene shows {missing}"
        assert len(known(ruleset)) >= 8
        lasting = [bool(re.search(r"\d", sign["left"])) for one in people for sign in one["conditions"]]
        assert True in lasting and False in lasting
        levels = {one["state"]["level"] for one in people}
        assert levels >= ({0, 2, 3, 4} if ruleset == "cepheus" else {0, 1, 2, 3, 4})
        assert {one["state"]["word"] for one in people} >= {"dead", "unconscious", "gone"}
        assert ruleset == "cepheus" or sum(bool(one["standing"]) for one in people) >= 2
        assert [one["name"] for one in people if one["hidden"]] == [signs.HIDDEN]
        seen = table.join("Ines", "Ann").get(table.path)
        assert signs.HIDDEN not in str(seen)
