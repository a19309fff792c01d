"""Who may ask the server, and what a page from it may load."""

import pytest
from tornado.httputil import HTTPHeaders

from companion.engine.serve.guard import POLICY, Guard

OWN = "127.0.0.1:8420"


def refusal(method="GET", token=None, **headers):
    guard = Guard(8420)
    given = guard.token if token is None else token
    return guard.refusal(method, HTTPHeaders({"Host": OWN} | headers), given)


@pytest.mark.parametrize("host", [OWN, "localhost:8420"])
def test_a_page_of_this_server_may_ask(host):
    assert refusal(Host=host) is None
    assert refusal("POST", Host=host, Origin=f"http://{host}") is None


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8420",
        "127.0.0.1",
        "127.0.0.1:1",
        f"{OWN}.evil",
    ],
)
def test_another_name_of_this_machine_is_refused(host):
    """A foreign name can be made to lead here, and its pages would then be of our origin."""
    assert "is not" in refusal(Host=host)


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:8420", "http://127.0.0.1:8421"],
)
def test_a_page_from_elsewhere_is_refused(method, origin):
    assert "from elsewhere" in refusal(method, Origin=origin)


def test_what_changes_something_must_say_where_it_comes_from():
    assert "only a page" in refusal("POST")
    assert "only a page" in refusal("DELETE")


@pytest.mark.parametrize("token", ["", "x", "é"])
def test_without_the_token_nobody_may_ask(token):
    assert "the terminal shows" in refusal(token=token)
    guard = Guard(8420)
    assert not guard.is_token(None) and not guard.is_token(Guard(8420).token)
    assert guard.is_token(guard.token) and len(guard.token) >= 40


def test_a_page_loads_nothing_from_elsewhere():
    rules = dict(rule.split(" ", 1) for rule in POLICY.split("; "))
    assert rules["default-src"] == rules["frame-ancestors"] == "'none'"
    sources = {source for rule in rules.values() for source in rule.split()}
    assert sources == {"'none'", "'self'", "'unsafe-inline'", "data:"}
