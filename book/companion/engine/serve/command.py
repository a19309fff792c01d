"""The command `serve`."""

import asyncio
import errno
import socket
from typing import TYPE_CHECKING

import click

from companion.engine.build import pages

if TYPE_CHECKING:
    from companion.engine.serve.guard import Guard

#: The port, unless it is in use.
PORT = 8420
#: Bytes of the largest request.
MOST_BYTES = 25_000_000


@click.command()
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="NUMBER",
    help=f"Port on this machine: {PORT}, or another one if it is in use.",
)
def serve(port: int | None) -> None:
    """Open the built book with forms that run its chapters, on this machine only."""
    if not (pages.site() / "index.html").is_file():
        raise click.ClickException(
            "the book has not been built here: `make book` builds it, and `make quick` a small "
            "version"
        )
    # here, because other commands need neither tornado nor what runs chapters
    from companion.engine.serve.guard import Guard

    sockets = sockets_of(port)
    guard = Guard(sockets[0].getsockname()[1])
    click.echo(f"open {guard.address}\nCtrl-C ends the server")
    asyncio.run(answer(sockets, guard))


async def answer(sockets: list[socket.socket], guard: "Guard") -> None:
    """Answer what a guard lets in, and run what is asked for, until this is cancelled."""
    from tornado.httpserver import HTTPServer

    from companion.engine.build import reruns
    from companion.engine.serve import runs, site

    line = runs.Runs()
    server = HTTPServer(site.application(guard, line), max_body_size=MOST_BYTES)
    server.add_sockets(sockets)
    try:
        await asyncio.gather(line.work(), asyncio.to_thread(reruns.prepare))
    finally:
        server.stop()
        await line.close()


def sockets_of(port: int | None) -> list[socket.socket]:
    """Listen on this machine's own address, which no other machine reaches."""
    from tornado.netutil import bind_sockets

    try:
        return bind_sockets(PORT if port is None else port, "127.0.0.1")
    except OSError as problem:
        if problem.errno != errno.EADDRINUSE:
            raise
        if port is None:
            return bind_sockets(0, "127.0.0.1")
        raise click.ClickException(
            f"port {port} is in use: choose another, or leave out --port"
        ) from None
