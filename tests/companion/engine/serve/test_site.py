"""What the server answers: pages, orders, refusals."""

import json

import pytest

from companion.engine.build import chapters, parameters, reruns
from companion.engine.serve import site
from companion.engine.serve.guard import HEADERS


def test_the_token_of_the_address_becomes_a_cookie_that_pages_cannot_read(server):
    def ask():
        path = "/?token=" + server.guard.token
        status, headers, _ = server.ask(path, Cookie="")
        assert (status, headers["Location"]) == (302, "/")
        cookie = headers["Set-Cookie"]
        assert server.guard.token in cookie
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        assert "Set-Cookie" not in server.ask("/?token=x", Cookie="")[1]
        assert server.guard.address.endswith(path)

    server(ask)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/book/chapters/10_sample.html",
        "/runs",
        "/serve.js",
        "/data.js",
        "/favicon.ico",
        "/book/compare.html",
        "/runs/1/events",
        "/runs/sample/12345678/sample.ipynb",
        "/nothing",
    ],
)
def test_nothing_is_answered_without_the_token_or_under_another_name(server, path):
    def ask():
        for headers in ({"Cookie": ""}, {"Host": "evil.example"}):
            status, sent, text = server.ask(path, **headers)
            assert status == 403 and text.count("\n") == 1 and "secret" not in text
            assert {name: sent[name] for name in HEADERS} == HEADERS

    server(ask)


@pytest.mark.parametrize(
    "path", ["/run/sample", "/check/sample", "/runs/1/stop", "/data", "/data/report"]
)
def test_a_page_from_elsewhere_starts_and_stops_nothing(server, path):
    def ask():
        order = {"values": {"n": "4"}, "small": False}
        for origin in ("http://evil.example", "null"):
            assert server.ask(path, order, Origin=origin)[0] == 403
        assert server.ask(path, order, Cookie="")[0] == 403
        assert not server.runs.unfinished

    server(ask)


def test_a_browser_that_asks_for_a_mark_gets_that_of_the_book(server):
    def ask():
        status, headers, text = server.ask("/favicon.ico")
        assert (status, headers["Content-Type"]) == (200, "image/svg+xml")
        assert text.startswith("<svg")

    server(ask)


@pytest.mark.parametrize("path", ["/", "/book/chapters/10_sample.html", "/serve.js"])
def test_every_answer_has_the_policy(server, path):
    def ask():
        status, headers, _ = server.ask(path)
        assert status == 200
        assert {name: headers[name] for name in HEADERS} == HEADERS

    server(ask)


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/book/../../secret.txt",
        "//etc/passwd",
        "/runs/sample/../../sample.ipynb",
        "/runs/..%2f/12345678/..%2f.ipynb",
        "/book/chapters/99_other.html",
        "/serve.js/../guard.py",
        "/guard.py",
    ],
)
def test_no_path_leads_out_of_the_book(server, path):
    def ask():
        status, _, text = server.ask(path)
        assert status in (403, 404) and "secret" not in text

    server(ask)


@pytest.fixture
def made(monkeypatch):
    """Reruns that have been made; nothing is executed."""
    pages = {}
    monkeypatch.setattr(
        reruns, "finished_page", lambda asked: pages.get(str(asked.values))
    )
    return pages


def test_a_run_is_ordered_once_and_its_answer_comes_at_once_when_it_is_there(
    server, made
):
    def ask():
        order = {"values": {"n": "4"}, "small": False}
        first, again, other = (
            json.loads(server.ask("/run/sample", order | {"values": {"n": n}})[2])
            for n in ("4", "4", "6")
        )
        assert first == again != other
        waiting = json.loads(server.ask("/runs")[2])["runs"]
        assert [run["chapter"] for run in waiting] == ["sample", "sample"]
        made["{'n': 4}"] = server
        assert json.loads(server.ask("/run/sample", order)[2]) == {
            "address": "book/chapters/10_sample.html?n=4"
        }

    server(ask)


@pytest.mark.parametrize(
    "values, wrong, sentence",
    [
        ({"n": "10"}, "n", "n must be a whole number, 1 to 9 (things), not 10"),
        ({"n": " "}, "n", "n must be a whole number, 1 to 9 (things), not empty"),
        ({"n": "<b>"}, "n", "not '<b>'"),
        ({"m": "1"}, "", "has no parameter 'm'"),
    ],
)
def test_a_wrong_value_is_refused_at_its_field(server, made, values, wrong, sentence):
    def ask():
        for path, code in (("/check/sample", 200), ("/run/sample", 400)):
            status, headers, text = server.ask(path, {"values": values, "small": False})
            answer = json.loads(text)
            assert (status, answer["wrong"]) == (code, wrong)
            assert sentence in answer["sentence"]
            assert headers["Content-Type"].startswith("application/json")
        assert not server.runs.unfinished

    server(ask)


def test_a_value_that_names_code_comes_by_command_only(server, made, monkeypatch):
    """An address that somebody sends must not choose what is imported."""
    code = parameters.Parameter(
        "first", "str", "", "a class as in module:Class", "", ""
    )
    assert code.names_code
    monkeypatch.setattr(parameters.Parameter, "names_code", property(lambda self: True))

    def ask():
        order = {"values": {"n": "4"}, "small": False}
        status, _, text = server.ask("/run/sample", order)
        assert status == 400 and "n names code" in json.loads(text)["sentence"]
        assert not server.runs.unfinished

    server(ask)


@pytest.mark.parametrize(
    "body, headers",
    [
        ("{", {}),
        ("[]", {}),
        ('{"values": {"n": 4}, "small": false}', {}),
        ('{"values": ["n"], "small": false}', {}),
        ('{"values": {"n": "4"}}', {}),
        ('{"values": {"n": "4"}, "small": false}', {"Content-Type": "text/plain"}),
        ('{"values": {"n": "%s"}, "small": false}' % ("4" * 150_000), {}),
    ],
)
def test_other_orders_are_refused(server, made, body, headers):
    def ask():
        assert server.ask("/run/sample", body=body, **headers)[0] == 400
        assert server.ask("/run/other", body=body, **headers)[0] == 404

    server(ask)


def test_more_than_a_server_reads_is_refused(server, made):
    def ask():
        try:
            status = server.ask("/run/sample", body="x" * 300_000)[0]
        except (ConnectionError, TimeoutError):
            status = 400  # it hung up
        assert status == 400
        assert server.ask("/")[0] == 200

    server(ask)


def test_a_chapter_is_shown_as_it_was_run_or_else_as_it_was_built(server, made):
    asked = reruns.rerun("sample", {"n": 4})
    asked.folder.mkdir(parents=True)
    asked.copy.write_text("{}")
    up = "../../.."
    asked.page.write_text(
        f'<head></head><a href="{up}/_build/html/book/x.html"></a>'
        f'<link href="{up}/_build/run/html/_static/x.css"><a href="sample.ipynb"></a>'
    )

    def ask():
        address = "/book/chapters/10_sample.html"
        assert "default" in server.ask(address + "?n=4")[2]
        made["{'n': 4}"] = asked.page
        text = server.ask(address + "?n=4&seed=7&x=y")[2]
        assert '<a href="../../book/x.html">' in text
        assert '<link href="../../_static/x.css">' in text
        notebook = f"runs/sample/{asked.folder.name}/sample.ipynb"
        assert f'<a href="../../{notebook}">' in text
        _, headers, text = server.ask("/" + notebook)
        assert text == "{}"
        assert headers["Content-Disposition"] == 'attachment; filename="sample.ipynb"'
        for search in ("", "?n=5", "?n=ten", "?seed=4", "?n=4&n=<script>"):
            text = server.ask(address + search)[2]
            assert "default" in text and "serve.js" in text and "script>a" not in text

    server(ask)


def test_the_seed_of_a_chapter_is_not_the_reader_s():
    asked = reruns.rerun("studies_2_to_4", {"seed": 7, "replications": 20}, small=True)
    address = site.address_of(asked)
    assert address.endswith(
        "studies_2_to_4.html?replications=20&chapter_seed=7&small=1"
    )
    search = {"replications": "20", "chapter_seed": "7", "small": "1", "seed": "3"}
    again = site.asked_by(search, chapters.find("studies_2_to_4"))
    assert (again.values, again.base) == (asked.values, asked.base)


def test_who_follows_a_run_is_told_how_it_ends(server, made):
    def ask():
        order = {"values": {"n": "4"}, "small": False}
        number = json.loads(server.ask("/run/sample", order)[2])["number"]
        [run] = server.runs.unfinished
        server.runs._end(run, state="done", sentence="One number changed.")
        status, headers, text = server.ask(f"/runs/{number}/events")
        assert status == 200 and headers["Content-Type"] == "text/event-stream"
        event = json.loads(text.removeprefix("data: "))
        assert event["sentence"] == "One number changed."
        assert event["address"] == "book/chapters/10_sample.html?n=4"
        assert server.ask("/runs/999999/events")[0] == 404

    server(ask)


def test_a_run_that_waits_can_be_stopped(server, made):
    def ask():
        order = {"values": {"n": "4"}, "small": False}
        number = json.loads(server.ask("/run/sample", order)[2])["number"]
        assert server.ask(f"/runs/{number}/stop", {})[0] == 200
        assert not server.runs.unfinished

    server(ask)
