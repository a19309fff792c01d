"""The served book as an extension of Jupyter: who is let in, and what is passed on."""

import json
import os
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection

import pytest

from companion.engine.build import chapters, pages
from companion.engine.serve.guard import HEADERS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (pages.site() / "index.html").is_file(), reason="needs a built book"
    ),
]
pytest.importorskip("jupyter_server")

TOKEN = "of-jupyter"
BASE = "/user/someone/"
#: Seconds that Jupyter has to start.
PATIENCE = 240


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    """Where a Jupyter server with the extension listens, as behind a hub."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    extension = '{"companion.engine.serve.in_jupyter": True}'
    options = {
        "ServerApp.jpserver_extensions": extension,
        "ServerApp.base_url": BASE,
        "ServerApp.port": str(number),
        "ServerApp.open_browser": "False",
        "IdentityProvider.token": TOKEN,
    }
    home = tmp_path_factory.mktemp("jupyter")
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "jupyter_server", "--allow-root"),
            *(f"--{name}={value}" for name, value in options.items()),
        ],
        cwd=chapters.ROOT,
        env=os.environ | {"JUPYTER_CONFIG_DIR": str(home), "HOME": str(home)},
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_for(number)
        yield number
    finally:
        process.terminate()
        process.wait()


def wait_for(port):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError("Jupyter has not started")


def ask(port, path, order=None, **headers):
    """Return status, headers and text of an answer to a reader with Jupyter's token."""
    own = {"Authorization": f"token {TOKEN}", "Host": f"127.0.0.1:{port}"}
    if order is not None:
        own |= {
            "Origin": f"http://127.0.0.1:{port}",
            "Content-Type": "application/json",
        }
    own = {name: value for name, value in (own | headers).items() if value}
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    body = None if order is None else json.dumps(order)
    connection.request(
        "GET" if order is None else "POST", f"{BASE}replib/{path}", body, own
    )
    answer = connection.getresponse()
    return answer.status, answer.headers, answer.read().decode()


def test_a_reader_with_jupyters_token_has_the_served_book(port):
    status, headers, text = ask(port, "")
    assert status == 200 and "intro.html" in text
    assert {name: headers[name] for name in HEADERS} == HEADERS
    chapter = ask(port, "book/chapters/09_estimators.html?n=20&token=" + TOKEN)[2]
    assert 'src="../../serve.js"' in chapter
    assert ask(port, "serve.js")[1]["Content-Type"].endswith("javascript")
    assert ask(port, "nothing")[0] == 404


def test_nobody_else_is_let_in(port):
    for path in ("", "runs", "serve.js", "book/chapters/09_estimators.html"):
        assert ask(port, path, Authorization="")[0] in (302, 403)
        assert ask(port, path, Authorization="token x")[0] in (302, 403)


def test_only_a_page_of_this_jupyter_starts_something(port):
    order = {"values": {"n": "7"}, "small": False}
    status, _, text = ask(port, "check/estimators", order)
    assert status == 200 and json.loads(text)["wrong"] == "n"
    for origin in ("http://evil.example", ""):
        assert ask(port, "check/estimators", order, Origin=origin)[0] == 403
    assert ask(port, "check/estimators", order, Authorization="")[0] in (302, 403)


def test_no_path_leads_out_of_the_book(port):
    for path in ("../api/kernels", "%2e%2e/%2e%2e/secret", "/etc/passwd"):
        assert ask(port, f"book/{path}")[0] in (403, 404)


def test_events_come_as_they_are(port):
    """Of a run that is not known there are none; its refusal is passed on."""
    assert ask(port, "runs/1/events")[0] == 404
