"""`affray serve` as a process: beginning, ending, a port that is taken, and kill -9 in the middle of things."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import httpx
import pytest
from waiting import until
from web.hosting import Person, Process, Table


def test_it_begins_and_ends(tmp_path: Path) -> None:
    one = Process(tmp_path)
    assert one.base and "keep it to yourself" in "".join(one.told)
    with one.client() as client:
        table = Table(client, key=one.key)
        with client.stream("GET", f"{table.path}/stream", headers=table.master.headers()) as stream:
            assert next(stream.iter_lines()) == "retry: 1000"
            assert one.stop() == (0, "")  # an open stream does not hold it up: waiting in vain would be an error
    assert one.told[-1].strip() == "ended"


def test_a_port_or_a_store_that_is_taken(tmp_path: Path) -> None:
    one = Process(tmp_path / "a")
    port = one.base.rpartition(":")[2]
    other = Process(tmp_path / "b", "--port", port)
    code, err = other._over()
    assert code == 2 and f"port {port} is taken" in err and "Traceback" not in err and not (tmp_path / "b").exists()
    code, err = Process(tmp_path / "a")._over()
    assert code == 2 and "open in another process" in err and "Traceback" not in err
    assert one.stop()[0] == 0


@pytest.mark.parametrize("kills", [3, pytest.param(25, marks=pytest.mark.slow)])
def test_killed_in_the_middle_nothing_is_lost_or_done_twice(tmp_path: Path, kills: int) -> None:
    """A player taps on, with a key a tap; the server is killed at random moments and started again; each tap that was
    answered is there, each that was not is sent again, and at the end every one of them is there once."""
    rng = random.Random(kills)
    server = Process(tmp_path)
    port = server.base.rpartition(":")[2]
    client = server.client()
    table = Table(client, key=server.key)
    heads = 0
    for number in range(kills):
        cut = threading.Timer(rng.uniform(0.0, 0.25), server.process.kill)
        cut.start()
        tap, done = 0, False
        while not done:
            text, key = f"tap {number}.{tap}", f"key {number}.{tap}"
            try:
                body = {"do": "say", "text": text, "key": key}
                answered = client.post(f"{table.path}/corrections", json=body, headers=table.master.headers())
                assert answered.status_code == 200
                tap, heads = tap + 1, heads + 1
            except httpx.TransportError:
                done = True
        server._over()
        client.close()
        server = Process(tmp_path, "--port", port)
        client = server.client()
        table.client = table.master.client = client
        table.master.post(f"{table.path}/corrections", do="say", text=text, key=key)  # the one that was not answered
        heads += 1
        log = table.master.get(f"{table.path}/log")
        said = [line["text"] for one in log for line in one["lines"] if "tap " in line["text"]]
        assert len(said) == len(set(said)) == heads
    client.close()
    assert server.stop()[0] == 0


def test_killed_in_the_middle_of_an_action_the_question_is_still_open(tmp_path: Path) -> None:
    server = Process(tmp_path)
    with server.client() as client:
        table = Table(client, key=server.key)
        bo = table.join("Ben", "Bo")
        table.turn_of("Bo")
        table.attack("Bo", "Orc 1", bo, dice="type", key="tap")
        n = table.model(bo)["requests"][0]["n"]
        bo.post(f"{table.path}/dice", n=n, face=5)
        before, whole = table.model(bo), table.model()
    server.kill()
    server = Process(tmp_path)
    with server.client() as client:
        for one in (bo, table.master):
            one.client = client
        table.client = client
        assert table.model(bo) == before and table.model() == whole
        assert table.model(bo)["requests"][0]["faces"] == [5]
        bo.post(f"{table.path}/orders", order={"do": "attack", "by": "Bo", "target": "Orc 1", "weapon": ""}, key="tap")
        assert table.model(bo) == before
        bo.post(f"{table.path}/dice", n=n, roll=True)
        assert n not in [one["n"] for one in table.model(bo)["requests"]]
        stranger = Person(client)
        stranger.refused(401, "GET", table.path)
    assert server.stop()[0] == 0


def test_the_bot_of_the_examples_plays(tmp_path: Path) -> None:
    import subprocess
    import sys

    from web.hosting import ROOT

    server = Process(tmp_path)
    with server.client() as client:
        table = Table(client, key=server.key)
        camp = f"/api/campaigns/{table.campaign}"
        made = table.master.post(f"{camp}/tokens", bot="Rex", characters=["Orc 1", "Orc 2", "Kess", "Bo", "Zyxomma"])
        command = [sys.executable, str(ROOT / "examples" / "bot.py"), server.base, table.fight, made["token"]]
        bot = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


        def attacks() -> int:
            return sum("attack" in one["head"] for one in table.master.get(f"{table.path}/log"))

        until(lambda: bot.poll() is not None or attacks() >= 3, "the bot attacks", 0.3)
        assert bot.poll() is None, bot.communicate()
        bot.terminate()
        bot.communicate()
    assert server.stop()[0] == 0


def test_a_seed_of_its_own(tmp_path: Path) -> None:
    """--seed: fights that begin throw the same dice, on whatever server."""
    logs = []
    for folder in ("a", "b"):
        one = Process(tmp_path / folder, "--seed", "5")
        with one.client() as client:
            table = Table(client, key=one.key)
            table.settle()
            logs.append([entry["lines"] for entry in table.master.get(f"{table.path}/log")])
        assert one.stop() == (0, "")
    assert logs[0] == logs[1] and "dice" in str(logs[0])
