"""Processes that end when the one which they work for has ended, however it ended.

joblib's own wait five minutes for more work; and Ctrl-C, which reaches all processes of a terminal,
makes each of them say so.
"""

import os
import signal
import threading
import time

from joblib import parallel_config

_LOOK_EVERY = 0.2  # seconds


def end_with(parent: int) -> None:
    """Let this process end as soon as its parent, whose number is given, is gone.

    It leaves the answer to Ctrl-C to its parent.
    """
    # a handler, because what is ignored would be ignored by the processes that it starts, too
    signal.signal(signal.SIGINT, lambda *_: None)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_EVERY)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def processes(n_jobs: int) -> parallel_config:
    """A `with` in which joblib works in so many processes of this machine, -1 for one a core."""
    return parallel_config("loky", n_jobs=n_jobs, initializer=end_with, initargs=(os.getpid(),))
