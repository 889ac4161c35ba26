"""A sweep on a cluster of two local worker processes, one of them killed in the middle: complete, and equal bit for bit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from waiting import PATIENCE, until

from affray.errors import AffrayError
from affray.simulate.cluster import Cluster

pytest.importorskip("distributed")
ROOT = Path(__file__).resolve().parents[2]
NOON = str(ROOT / "examples" / "rond6-noon.toml")


class Processes:
    """A scheduler and two workers on this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.running = folder, []
        self.environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONWARNINGS": "ignore"}
        self.environment |= {"DASK_DISTRIBUTED__WORKER__DAEMON": "False"}
        file = folder / "scheduler.json"
        self.start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
        until(lambda: file.exists() and file.read_text(), "the scheduler tells its address")
        self.address = json.loads(file.read_text())["address"]
        self.workers = [self.worker() for _ in range(2)]

    def worker(self) -> subprocess.Popen[bytes]:
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        return self.start("dask_worker", self.address, *options, "--local-directory", str(self.folder))

    def start(self, module: str, *args: str) -> subprocess.Popen[bytes]:
        log = open(self.folder / f"{module}{len(self.running)}.log", "wb")  # noqa: SIM115
        with log:
            process = subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{module}", *args], env=self.environment, stdout=log, stderr=log
            )
        self.running.append(process)
        return process

    def close(self) -> None:
        for process in reversed(self.running):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Processes]:
    found = Processes(tmp_path)
    try:
        yield found
    finally:
        found.close()


def lines_of(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


@pytest.mark.slow
def test_a_cluster_that_loses_a_worker_gives_the_same_table(cluster: Processes, tmp_path: Path) -> None:
    grid = tmp_path / "grid.toml"
    vary = '[[vary]]\npath = "ada.skills.Ranged Weapons"\nvalues = "3D..8D/+1"\n'
    grid.write_text(f"files = [{json.dumps(NOON)}]\nfights = 400\nrounds = 60\n{vary}", encoding="utf-8")
    command = [sys.executable, "-m", "affray", "sweep", str(grid), "--csv", "--results"]
    kept = tmp_path / "there.jsonl"
    there = subprocess.Popen(
        [*command, str(kept), "--cluster", cluster.address], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    until(lambda: there.poll() is not None or lines_of(kept) >= 4, "some rows are there")
    assert there.poll() is None, there.communicate()[1]
    cluster.workers[0].kill()
    out, err = there.communicate(timeout=PATIENCE)
    assert there.returncode == 0, err
    here = subprocess.run([*command, str(tmp_path / "here.jsonl"), "--workers", "1"], capture_output=True, text=True, check=True)
    assert out == here.stdout and lines_of(kept) == 17
    assert len(out.splitlines()) == 33 and "Traceback" not in err


@pytest.mark.parametrize(
    "address", ["nonsense", "host:8786", "tcp://host", "tcp://host:no", "tcp://host:99999", "http://h:1", "tcp://:1"]
)
def test_what_is_no_address_is_told_at_once(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(AffrayError, match=r"is no address.*write tcp://HOST:PORT"):
        Cluster(address)


@pytest.mark.slow
def test_no_scheduler_is_told(tmp_path: Path) -> None:
    depot = str(ROOT / "examples" / "grids" / "depot.toml")
    command = [sys.executable, "-m", "affray", "sweep", depot, "--cluster", "tcp://127.0.0.1:9", "--results", str(tmp_path / "r")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2 and "no scheduler answers" in done.stderr and "Traceback" not in done.stderr
