"""A built book of three pages, and a server that a test asks."""

import asyncio
import json
from http.client import HTTPConnection

import pytest
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets

from companion.engine.serve import site
from companion.engine.serve.guard import Guard
from companion.engine.serve.runs import Runs


@pytest.fixture
def book(project):
    """A built book with one chapter, two pages of other kinds, and a file beside the site."""
    built = project / "_build" / "html"
    (built / "book" / "chapters").mkdir(parents=True)
    page = "<html><head></head><body>{}</body></html>"
    (built / "index.html").write_text(page.format("start"))
    (built / "book" / "chapters" / "10_sample.html").write_text(page.format("default"))
    (built / "book" / "compare.html").write_text(page.format("my data"))
    (project / "_build" / "secret.txt").write_text("secret")
    return project


class Server:
    """A server, which a test asks from another thread."""

    def __init__(self):
        self.runs = Runs()

    def __call__(self, ask):
        return asyncio.run(self._serve(ask))

    async def _serve(self, ask):
        sockets = bind_sockets(0, "127.0.0.1")
        self.guard = Guard(sockets[0].getsockname()[1])
        server = HTTPServer(
            site.application(self.guard, self.runs), max_body_size=200_000
        )
        server.add_sockets(sockets)
        try:
            return await asyncio.to_thread(ask)
        finally:
            server.stop()

    def ask(self, path, order=None, *, body=None, **headers):
        """Return status, headers and text of an answer."""
        port = self.guard.cookie.removeprefix("replib_")
        own = {"Host": f"127.0.0.1:{port}"}
        own["Cookie"] = f"{self.guard.cookie}={self.guard.token}"
        if order is not None or body is not None:
            own["Origin"] = f"http://127.0.0.1:{port}"
            own["Content-Type"] = "application/json"
            body = body if order is None else json.dumps(order)
        connection = HTTPConnection("127.0.0.1", int(port), timeout=20)
        connection.request("GET" if body is None else "POST", path, body, own | headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read().decode()


@pytest.fixture
def server(book):
    return Server()
