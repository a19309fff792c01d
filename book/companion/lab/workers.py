"""Processes that end when the one which they work for has ended, however it ended.

joblib's own wait five minutes for more work; and Ctrl-C, which reaches all processes of a terminal,
makes each of them say so.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

from joblib import Parallel, delayed, effective_n_jobs, parallel_config

_LOOK_EVERY = 0.2  # seconds


def end_with(parent: int) -> None:
    """Let this process end as soon as its parent, whose number is given, is gone.

    It leaves the answer to Ctrl-C to its parent.
    """
    # a handler, because what is ignored would be ignored by the processes that it starts, too
    signal.signal(signal.SIGINT, lambda *_: None)
    _hold_ctrl_c(False)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_EVERY)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def processes(n_jobs: int) -> Iterator[None]:
    """A `with` in which joblib works in that many processes here, -1 for one per core."""
    with parallel_config("loky", n_jobs=n_jobs, initializer=end_with, initargs=(os.getpid(),)):
        if (n := effective_n_jobs()) > 1:
            # Ctrl-C waits until all have started: before `end_with` they would complain of it.
            _hold_ctrl_c(True)
            try:
                Parallel()(delayed(os.getpid)() for _ in range(n))
            finally:
                _hold_ctrl_c(False)
        yield


def _hold_ctrl_c(hold: bool) -> None:
    """Let SIGINT wait, for this thread and the processes that it starts; or wait no longer."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        return
    if hold:
        resource_tracker.ensure_running()  # whoever starts it lets SIGINT through
    signal.pthread_sigmask(signal.SIG_BLOCK if hold else signal.SIG_UNBLOCK, {signal.SIGINT})
