"""Kernels: where they listen, what they inherit, and that none outlives its chapter."""

import asyncio
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from jupyter_client import KernelManager

from companion.engine.build import chapters, execution, kernels

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="kernels are forked on Linux only")


def fork():
    """Return the manager of a running kernel, its process and that of the server."""
    manager = kernels.ForkingManager()
    asyncio.run(manager.start_kernel())
    kernel = psutil.Process(manager.provisioner.pid)
    return manager, kernel, psutil.Process(kernels._server().process.pid)


def test_kernels_need_no_free_port():
    with kernels.own_sockets() as config:
        manager = KernelManager(config=config)
        folder = Path(manager.ip).parent
        assert manager.transport == "ipc" and folder.stat().st_mode & 0o777 == 0o700
    assert not folder.exists()


def test_interrupted_kernels_end_before_their_folder_is_gone():
    with suppress(KeyboardInterrupt), kernels.own_sockets() as config:
        manager = KernelManager(config=config)
        manager.start_kernel()
        raise KeyboardInterrupt
    assert not manager.is_alive()


@on_linux
def test_interrupted_kernels_that_were_forked_end_too():
    with suppress(KeyboardInterrupt), kernels.own_sockets():
        _, kernel, server = fork()
        raise KeyboardInterrupt
    assert not kernel.is_running() and server.is_running()


@on_linux
def test_one_server_forks_kernels_of_all_chapters_before_anything_of_this_checkout_is_read(project):
    chapter = chapters.find("sample")
    text = chapter.source.read_text()
    chapter.source.write_text(text.replace("import numpy as np", (
        "import numpy as np\n"
        "import os, sys\n"
        "order = [*sys.modules]\n"
        "assert order.index('scipy.stats') < order.index('companion') < order.index('replib')\n"
        "assert sys.modules['pandas'].get_option('display.max_columns') > 0  # 0 in a terminal\n"
        "open('parents', 'a').write(f'{os.getppid()} ')\n"
    ), 1))
    for name in ("a.ipynb", "b.ipynb"):
        execution.execute(chapters.find("sample"), {}, project / name)
    server = psutil.Process(kernels._server().process.pid)
    assert (project / "parents").read_text().split() == [str(server.pid)] * 2
    assert server.num_threads() == 1  # a lock that another thread holds would stay locked in a fork


@on_linux
def test_a_kernel_that_is_killed_is_noticed_and_leaves_nothing_behind():
    manager, kernel, _ = fork()
    assert asyncio.run(manager.is_alive())
    kernel.kill()
    kernel.wait(10)
    assert not asyncio.run(manager.is_alive())
    asyncio.run(manager.shutdown_kernel(now=True))


@on_linux
def test_a_server_that_is_killed_costs_one_chapter_and_its_kernels_end():
    _, kernel, server = fork()
    server.kill()
    kernel.wait(10)
    with pytest.raises(RuntimeError, match="could not be forked"):
        fork()
    manager, again, _ = fork()
    assert again.is_running()
    asyncio.run(manager.shutdown_kernel(now=True))


@on_linux
def test_an_answer_that_nobody_waited_for_is_not_given_to_the_next(monkeypatch):
    def interrupted(_):
        raise KeyboardInterrupt

    server = kernels._server()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(type(server.connection), "recv", interrupted)
        fork()
    assert kernels._server() is not server
    server.process.wait(10)


@on_linux
@pytest.mark.parametrize("end", ["os._exit(0)", "os.kill(os.getpid(), 9)"])
def test_nothing_outlives_the_process_that_executes_chapters(end):
    said = subprocess.run([sys.executable, "-c", (
        "import asyncio, os\n"
        "from companion.engine.build import kernels\n"
        "manager = kernels.ForkingManager()\n"
        "asyncio.run(manager.start_kernel())\n"
        f"print(kernels._server().process.pid, manager.provisioner.pid, flush=True); {end}"
    )], stdout=subprocess.PIPE, text=True, check=False).stdout
    for pid in map(int, said.split()):
        for _ in range(100):
            if not psutil.pid_exists(pid):
                break
            time.sleep(0.1)
        assert not psutil.pid_exists(pid)
    assert len(said.split()) == 2
