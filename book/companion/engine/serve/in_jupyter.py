"""The served book inside a Jupyter server: a container has no other door.

Whoever uses a container (Docker, Binder) reaches Jupyter alone, which lets in who has its
token or login.  This extension of Jupyter starts the server of the book beside it, on the
container's own address, and passes on what Jupyter has let in, with the key of the book,
which nobody else learns.  The server itself refuses any other proxy, as ever.
"""

import asyncio
from contextlib import suppress
from functools import cached_property
from http import HTTPStatus
from urllib.parse import parse_qsl, quote, urlencode, urlparse

from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.serverapp import ServerApp
from jupyter_server.utils import url_path_join
from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.iostream import StreamClosedError
from tornado.web import HTTPError, authenticated

from companion.engine.serve.guard import HEADERS, Guard

#: Where the book stands below the address of Jupyter.
PLACE = "replib"
#: What is passed on of an answer, besides its own policy.
_PASSED = ("Content-Type", "Content-Disposition", "Cache-Control")


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    return [{"module": __name__}]


def _load_jupyter_server_extension(app: ServerApp) -> None:
    where = url_path_join(app.base_url, PLACE, "(.*)")
    app.web_app.add_handlers(".*$", [(where, Door, {"book": Book()})])


class Book:
    """The server of the book, which is started when the first reader comes."""

    @cached_property
    def guard(self) -> Guard:
        # here, because Jupyter waits for its extensions
        from companion.engine.serve import command

        sockets = command.sockets_of(0)
        guard = Guard(sockets[0].getsockname()[1])
        self._server = asyncio.ensure_future(command.answer(sockets, guard))
        return guard


class Door(JupyterHandler):
    """Passes on a request that Jupyter has let in, and the answer to it."""

    def initialize(self, book: Book) -> None:
        self.book = book

    @authenticated
    async def get(self, path: str) -> None:
        await self._pass_on(path)

    @authenticated
    async def post(self, path: str) -> None:
        origin = urlparse(self.request.headers.get("Origin", ""))
        if origin.netloc != self.request.host:
            raise HTTPError(HTTPStatus.FORBIDDEN, reason="a page from elsewhere asked")
        await self._pass_on(path)

    def check_xsrf_cookie(self) -> None:
        """Ask for no cookie: `post` compares the origin, and the book's pages know none."""

    async def _pass_on(self, path: str) -> None:
        guard = self.book.guard
        host = min(guard.hosts)
        headers = {"Host": host, "Cookie": f"{guard.cookie}={guard.token}"}
        if self.request.method == "POST":
            headers["Origin"] = f"http://{host}"
            headers["Content-Type"] = self.request.headers.get("Content-Type", "")
        request = HTTPRequest(
            f"http://127.0.0.1:{guard.port}/{quote(path)}?{self._values}",
            method=self.request.method,
            headers=headers,
            body=self.request.body or None,
            follow_redirects=False,
            connect_timeout=0,  # the first reader waits until it has started
            request_timeout=0,  # of a long run
            header_callback=self._take_header,
            streaming_callback=self._take_body,
            allow_nonstandard_methods=True,  # a POST may have no body
        )
        await AsyncHTTPClient().fetch(request, raise_error=False)
        await self.finish()

    @property
    def _values(self) -> str:
        """What the address says after its question mark; a token there is Jupyter's."""
        values = parse_qsl(self.request.query, keep_blank_values=True)
        return urlencode([(name, value) for name, value in values if name != "token"])

    def _take_header(self, line: str) -> None:
        if line.startswith("HTTP/"):
            self.set_status(int(line.split()[1]))
        name, _, value = line.strip().partition(": ")
        if name in HEADERS or name in _PASSED:
            self.set_header(name, value)

    async def _take_body(self, part: bytes) -> None:
        """Give on what has come, such as the events of a run."""
        with suppress(StreamClosedError):  # the page was closed
            self.write(part)
            await self.flush()
