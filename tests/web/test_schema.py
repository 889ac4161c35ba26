"""Requests made up from the API's own description: whatever is sent, the server answers in its shape and has no fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from waiting import PATIENCE

pytest.importorskip("schemathesis")
import schemathesis
from hypothesis import HealthCheck, given, settings
from web.hosting import Process, Table

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]
NO_STREAM = r"/stream$"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Process, Table]]:
    server = Process(tmp_path_factory.mktemp("data"))
    with server.client() as client:
        yield server, Table(client, key=server.key)
    code, err = server.stop()
    assert code == 0 and "Traceback" not in err, err[-3000:]


def test_made_up_requests(served: tuple[Process, Table]) -> None:
    """Half of them name what there is."""
    server, table = served
    described = schemathesis.openapi.from_url(f"{server.base}/schema/openapi.json").exclude(path_regex=NO_STREAM)
    tried = 0
    for operation in described.get_all_operations():
        tried += 1
        try_out(operation.ok(), table)
    assert tried > 30


def try_out(operation: Any, table: Table) -> None:
    known = {"fight": table.fight, "campaign": table.campaign}

    @settings(max_examples=12, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy())
    def sent(case: Any) -> None:
        if case.method.upper() != "DELETE" and len(str(case.body)) % 2:
            for name, value in known.items():
                if name in case.path_parameters:
                    case.path_parameters[name] = value
        headers = {name.title(): value for name, value in table.master.headers().items()}
        if case.path.endswith("/leave"):
            headers.pop("Cookie")
        response = case.call(headers=headers, timeout=PATIENCE)
        assert response.status_code < 500, (case.method, case.path, case.body, response.status_code, response.text[:500])
        if response.status_code >= 400:
            wrong = response.json()
            assert wrong["error"] and wrong["message"]

    sent()
