"""Who may ask: only a browser on this machine that was given the token of this server.

Any program on this machine can reach a loopback port, and so can any page that a browser
shows.  So each request needs the token, which the terminal prints and a cookie keeps, the
server's own name (else a foreign name could be made to lead here), and, if it changes
something, an origin of our own.
"""

import hmac
import re
import secrets
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from tornado.httputil import HTTPHeaders
from tornado.web import HTTPError, RequestHandler

#: What a page of ours may load: only what this server has.  Pages of a book have scripts
#: and styles within them, and pictures as data.
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
#: Requests that change nothing.
_SAFE = ("GET", "HEAD")


class Guard:
    """The token of a server, and the names by which it may be called.

    Parameters
    ----------
    port : int
        Where the server listens.
    """

    def __init__(self, port: int):
        self.port = port
        self.token = secrets.token_urlsafe(32)
        self.cookie = f"replib_{port}"  # cookies do not know ports
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}

    @property
    def address(self) -> str:
        """The address to open, with the token."""
        return f"http://{min(self.hosts)}/?{urlencode({'token': self.token})}"

    def refusal(
        self, method: str, headers: HTTPHeaders, cookie: str | None
    ) -> str | None:
        """Return why a request is refused; None if it is not."""
        host, origin = headers.get("Host", ""), headers.get("Origin")
        if host not in self.hosts:
            return f"this server is not {host[:80]!r}"
        origins = {f"http://{name}" for name in self.hosts}
        if origin is not None and origin not in origins:
            return "a page from elsewhere asked"
        if method not in _SAFE and origin is None:
            return "only a page of this server may ask for that"
        if not self.is_token(cookie):
            return "open the address that the terminal shows: it has the key"
        return None

    def is_token(self, text: str | None) -> bool:
        return hmac.compare_digest((text or "").encode(), self.token.encode())


class Guarded(RequestHandler):
    """Answers only those who may ask; each kind of request derives from it."""

    @property
    def guard(self) -> Guard:
        return self.settings["guard"]

    def set_default_headers(self) -> None:
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        token = self.get_query_argument("token", None)
        if token is not None and self.request.method in _SAFE:
            self._take(token)
            return
        refusal = self.guard.refusal(
            self.request.method or "",
            self.request.headers,
            self.get_cookie(self.guard.cookie),
        )
        if refusal:
            raise HTTPError(HTTPStatus.FORBIDDEN, reason=_plain(refusal))

    def _take(self, token: str) -> None:
        """Put the token of the address into a cookie, and ask again without it."""
        if self.guard.is_token(token):
            self.set_cookie(self.guard.cookie, token, httponly=True, samesite="Strict")
        self.redirect(self.request.path)

    def write_error(self, status_code: int, **options: Any) -> None:
        """Answer with one sentence."""
        problem = options.get("exc_info", (None, None))[1]
        sentence = getattr(problem, "reason", None) or HTTPStatus(status_code).phrase
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{sentence}\n")


def _plain(sentence: str) -> str:
    """Return a sentence that can stand in the first line of an answer."""
    return re.sub(r"[^\x20-\x7e]", "?", sentence)
