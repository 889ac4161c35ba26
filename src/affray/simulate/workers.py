"""Work on all cores: jobs go to processes, results come back in the order of the jobs, with the processor time they took.

No more jobs are handed out than are soon needed, so whoever stops early wastes little.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any, TypeVar

J = TypeVar("J")
R = TypeVar("R")
AHEAD = 3
"""Jobs waiting for each process."""


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Workers:
    """Processes, started when the first long row of jobs comes. `count` 1: everything in this process."""

    def __init__(self, count: int = 0) -> None:
        self.count = count or cores()
        self._pool: Executor | None = None

    def map(self, work: Callable[[J], R], jobs: Iterable[J]) -> Iterator[tuple[R, float]]:
        """Results in order, each with the seconds of processor time that other processes spent on it.

        `work` is a function of a module. The first job runs here: if it is the only one, no process is started.
        """
        source = iter(jobs)
        waiting: deque[Future[tuple[R, float]]] = deque()
        try:
            for number, job in enumerate(source):
                if number == 0 or self.count == 1:
                    yield work(job), 0.0
                    continue
                waiting.append(self._started().submit(_timed, work, job))
                while len(waiting) >= AHEAD * self.count:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()

    def _started(self) -> Executor:
        if self._pool is None:
            self._pool = processes(self.count)
        return self._pool

    def close(self) -> None:
        """End the processes; what they are at is thrown away."""
        if self._pool is not None:
            let_go(self._pool)
            self._pool = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _timed(work: Callable[[Any], Any], job: Any) -> tuple[Any, float]:
    began = time.process_time()
    return work(job), time.process_time() - began


def processes(count: int) -> Executor:
    """An executor of so many processes. They do not hear Ctrl-C and end when this process does, however it ends."""
    executor = ProcessPoolExecutor(count, initializer=_obedient)
    try:
        with _undisturbed():
            executor.submit(os.getpid)  # starts them
    except BaseException:
        let_go(executor)
        raise
    return executor


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Ctrl-C is heard when it is over. One that comes while a process forks would be lost: Python runs hooks there, and what
    is raised in them is only printed."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def let_go(executor: Executor) -> None:
    """End an executor at once; what it is at is thrown away."""
    if not isinstance(executor, ProcessPoolExecutor):
        executor.shutdown(wait=False)
        return
    # its thread first: it complains of jobs that were cancelled when it finds its processes gone
    children = list((executor._processes or {}).values())  # Python 3.14 has terminate_workers()
    thread: Any = executor._executor_manager_thread
    executor.shutdown(wait=False, cancel_futures=True)
    for child in children:
        child.terminate()
    if thread is not None:
        thread.join()


def _obedient() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
