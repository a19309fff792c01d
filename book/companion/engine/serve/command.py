"""The command `serve`."""

import asyncio
import errno

import click

from companion.engine.build import pages

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
    asyncio.run(_serve(port))


async def _serve(port: int | None) -> None:
    # here, because other commands need neither tornado nor what runs chapters
    from tornado.httpserver import HTTPServer

    from companion.engine.serve import guard, runs, site

    sockets = _sockets(port)
    door = guard.Guard(sockets[0].getsockname()[1])
    line = runs.Runs()
    server = HTTPServer(site.application(door, line), max_body_size=MOST_BYTES)
    server.add_sockets(sockets)
    click.echo(f"open {door.address}\nCtrl-C ends the server")
    try:
        await line.work()
    finally:
        server.stop()
        await line.close()


def _sockets(port: int | None) -> list:
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
