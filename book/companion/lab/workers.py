"""Processes that end when the process that started them has ended, in whatever way.

joblib's own processes wait five minutes for more work, and Ctrl-C, which reaches all
processes of a terminal, makes each of them print an error.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import current_process, resource_tracker

from joblib import Parallel, delayed, effective_n_jobs, parallel_config


def end_with(parent: int) -> None:
    """Let this process end as soon as its parent with the given number is gone.

    It leaves the answer to Ctrl-C to its parent.
    """
    # a handler, because the processes that it starts would also ignore an ignored
    # signal
    signal.signal(signal.SIGINT, lambda *_: None)
    _hold_ctrl_c(False)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def processes(n_jobs: int) -> Iterator[None]:
    """Let joblib work in this many processes here within a `with`; -1 is one per core.

    A chapter that the book executes is a daemon, which may not start any: it works
    alone.
    """
    backend = "sequential" if current_process().daemon else "loky"
    with parallel_config(
        backend, n_jobs=n_jobs, initializer=end_with, initargs=(os.getpid(),)
    ):
        if (n := effective_n_jobs()) > 1:
            # Ctrl-C waits until all have started: before `end_with` they would print an
            # error.
            _hold_ctrl_c(True)
            try:
                Parallel()(delayed(os.getpid)() for _ in range(n))
            finally:
                _hold_ctrl_c(False)
        yield


def _hold_ctrl_c(hold: bool) -> None:
    """Block SIGINT for this thread and the processes that it starts, or unblock it."""
    if hold:
        resource_tracker.ensure_running()  # whichever starts it lets SIGINT through
    signal.pthread_sigmask(
        signal.SIG_BLOCK if hold else signal.SIG_UNBLOCK, {signal.SIGINT}
    )
