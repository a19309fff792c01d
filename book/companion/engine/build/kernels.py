"""Kernels of chapters, each forked from a process that has already imported what all of them need.

A process that executes chapters starts one server, which pays for the imports once.  It holds
third-party packages only: what a chapter reads of this checkout must be read, and recorded, by its
own kernel.  It ends with the process that started it, and its kernels end with it.  Elsewhere than
on Linux, where forking is not safe among the libraries of the system, each kernel starts from
nothing.
"""

import builtins
import gc
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from multiprocessing.connection import Connection
from types import SimpleNamespace

import psutil
from jupyter_client import AsyncKernelManager
from traitlets.config import Config

_LAUNCHER = "ipykernel_launcher"
_NEEDED = (
    "ipykernel.kernelapp", "matplotlib.pyplot", "matplotlib_inline.backend_inline", "numba",
    "pandas", "scipy.stats", "sklearn.base",
)


@contextmanager
def own_sockets() -> Iterator[Config]:
    """Let kernels listen in a folder of their own; a free port may be taken before they open it.

    A kernel that still starts when its chapter is interrupted is ended before its folder is gone.
    """
    with tempfile.TemporaryDirectory(prefix="replib-") as folder:
        try:
            yield Config(KernelManager={"transport": "ipc", "ip": f"{folder}/kernel"})
        finally:
            for kernel in _of_this_process():
                with suppress(psutil.Error):
                    kernel.kill()
                    kernel.wait()


@contextmanager
def forked() -> Iterator[Config]:
    """Fork kernels with sockets of their own, where forking is safe."""
    with own_sockets() as config:
        if sys.platform == "linux":
            config.NotebookClient.kernel_manager_class = ForkingManager
        yield config


def _of_this_process() -> Iterator[psutil.Process]:
    for child in psutil.Process().children():
        with suppress(psutil.Error):
            words = child.cmdline()
            if _LAUNCHER in words:
                yield child
            elif __file__ in words:
                yield from child.children()


class ForkingManager(AsyncKernelManager):
    """A manager of a kernel that the server forks."""

    async def _async_launch_kernel(self, kernel_cmd: list[str], **options) -> None:
        arguments = kernel_cmd[kernel_cmd.index(_LAUNCHER):]
        folder = os.path.abspath(options.get("cwd") or ".")  # the server has another one
        try:
            kernel = _Kernel(_server().fork(arguments, options["env"], folder))
        except (EOFError, OSError, psutil.NoSuchProcess) as problem:
            raise RuntimeError("the kernel could not be forked") from problem
        provisioner = self.provisioner
        provisioner.process, provisioner.pid, provisioner.pgid = kernel, kernel.pid, kernel.pid
        self._reconcile_connection_info(provisioner.connection_info)


class _Kernel(psutil.Process):
    """What Jupyter asks of a process, for one that is not our child."""

    stdin = stdout = stderr = None

    def poll(self) -> int | None:
        return None if self.is_running() else 1

    def send_signal(self, sig: int) -> None:
        with suppress(psutil.NoSuchProcess):
            super().send_signal(sig)


class _Server:
    def __init__(self):
        ours, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(
                # without this folder on the path: it has a sphinx.py, for example
                [sys.executable, "-P", __file__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, start_new_session=True,
            )
        self.connection = Connection(ours.detach())

    def fork(self, arguments: Sequence[str], environment: Mapping[str, str], folder: str) -> int:
        """Return the number of a new process, a kernel with these arguments."""
        try:
            self.connection.send((arguments, dict(environment), folder))
            return self.connection.recv()
        except BaseException:  # an answer that comes later would be taken for that of the next
            self.connection.close()
            _server.cache_clear()
            raise


@cache
def _server() -> _Server:
    return _Server()


def _serve(connection: Connection) -> None:
    """Import what chapters need; then fork a kernel per message, until the other end is closed."""
    gc.disable()
    builtins.get_ipython = lambda: SimpleNamespace(kernel=None)  # pandas asks while it is imported
    for name in _NEEDED:
        import_module(name)
    del builtins.get_ipython
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # kernels that have ended leave nothing behind
    server = os.getpid()
    while True:
        try:
            arguments, environment, folder = connection.recv()
        except EOFError:
            return
        if kernel := os.fork():
            connection.send(kernel)
            continue
        connection.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        gc.enable()
        os.setsid()
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = [*arguments, f"--IPKernelApp.parent_handle={server}"]
        import_module("ipykernel.kernelapp").launch_new_instance()
        return


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # as in any kernel
    _serve(Connection(int(sys.argv[1])))
