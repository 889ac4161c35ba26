"""Cells on a cluster of `dask.distributed`, through its `concurrent.futures` interface. Loaded only when one is named."""

from __future__ import annotations

import logging
from concurrent.futures import Executor
from importlib import import_module
from typing import Any

from affray import __version__
from affray.errors import AffrayError

PATIENCE = 15
"""Seconds to wait for the scheduler."""


def _look_at(address: str) -> None:
    """Raises AffrayError for what is no address: a client that was begun with one is not ended cleanly."""
    parse: Any = import_module("distributed.comm.addressing").get_address_host_port
    try:
        host, port = parse(address, strict=True)
        if not host or not 0 < port < 65536:
            raise ValueError("a host and a port from 1 to 65535 are needed")
    except ValueError as wrong:
        told = str(wrong).splitlines()[0]
        example = "write tcp://HOST:PORT, such as tcp://localhost:8786"
        raise AffrayError(f"--cluster {address!r} is no address: {told}; {example}") from None


def version() -> str:
    """Which Affray a worker has."""
    return __version__


class Cluster:
    """A connection to a scheduler. Raises AffrayError when there is none, or its workers have another version of Affray."""

    def __init__(self, address: str) -> None:
        try:
            make: Any = import_module("distributed").Client
        except ImportError:
            raise AffrayError("a cluster needs dask.distributed: pip install 'affray[cluster]'") from None
        logging.getLogger("distributed").setLevel(logging.ERROR)
        _look_at(address)
        try:
            self.client: Any = make(address, timeout=PATIENCE, set_as_default=False)
        except (OSError, TimeoutError, ValueError, TypeError) as wrong:
            told = str(wrong).splitlines()[0] if str(wrong) else type(wrong).__name__
            raise AffrayError(f"no scheduler answers at {address!r}: {told}") from None
        try:
            self._check()
        except BaseException:
            self.close()
            raise

    def _check(self) -> None:
        try:
            found = self.client.run(version, on_error="return")
        except Exception as wrong:
            raise AffrayError(f"the cluster does not answer: {wrong}") from None
        for worker, has in found.items():
            if has != __version__:
                told = f"has Affray {has}" if isinstance(has, str) else f"cannot load Affray ({has})"
                raise AffrayError(f"the worker {worker} {told}; here it is {__version__}")

    @property
    def threads(self) -> int:
        """Cells that can be played at a time."""
        return max(1, sum(int(threads) for threads in self.client.nthreads().values()))

    def executor(self) -> Executor:
        """The cluster as an executor."""
        return self.client.get_executor()  # type: ignore[no-any-return]

    def close(self) -> None:
        self.client.close()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()
