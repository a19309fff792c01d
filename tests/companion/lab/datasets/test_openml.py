"""Data sets from OpenML: Weka's in the end, and bounded in what is read."""

import json
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import URLError

import pytest
import sklearn.datasets
from weka_and_openml import publish, same

from companion.lab import datasets

# One of each trap: the value '?', absent classes, quotes and blanks, a range, a string-like number.
TRAPS = ("anneal", "glass", "breast-w", "credit-g", "vehicle", "labor", "zoo", "zoo-noname")


@pytest.mark.parametrize("name", TRAPS)
def test_from_openml(name, folder, openml):
    """scikit-learn sorts the declared values and forgets the unused ones; Weka's come back."""
    publish(openml, folder, name)
    found = datasets.load(name)
    same(found, datasets.read_arff(folder / f"{name}.arff"))
    assert "OpenML" in found.source


def test_from_openml_where_quotes_were_lost(folder, openml):
    """OpenML counts the value '?' of anneal as missing; its unquoted form is put right."""
    publish(openml, folder, "anneal", edit=lambda text: text.replace("'?'", "?"))
    same(datasets.load("anneal"), datasets.read_arff(folder / "anneal.arff"))


def test_from_openml_where_the_animal_is_ignored(folder, openml):
    publish(openml, folder, "zoo-noname", ignored=("animal",))
    same(datasets.load("zoo-noname"), datasets.read_arff(folder / "zoo-noname.arff"))
    with pytest.raises(datasets.DataMismatch, match="no attribute 'animal'"):
        datasets.load("zoo")


def test_a_server_that_is_silent_is_asked_twice(openml, monkeypatch):
    asked = []

    def silent(*_, **__):
        asked.append(1)
        raise URLError("no route to host")

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", silent)
    with pytest.raises(datasets.DataUnavailable, match="no route to host"):
        datasets.load("iris")
    assert len(asked) == 2


class Endless(BaseHTTPRequestHandler):
    """A server that never stops: plain zeros, or ones that `encoding` claims to be compressed."""

    encoding, sent = "identity", 0

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Encoding", self.encoding)
        self.end_headers()
        try:
            while True:
                type(self).sent += self.wfile.write(bytes(2**16))
        except ConnectionError:
            pass

    def log_message(self, *_):
        pass


@pytest.mark.parametrize("encoding, sentence", [
    ("identity", r"answer exceeds 1 megabytes\)$"), ("gzip", r"answer is compressed, .*\)$"),
])
def test_a_server_that_sends_without_end(encoding, sentence, monkeypatch, tmp_path, recwarn):
    handler = type("Handler", (Endless,), {"encoding": encoding})
    monkeypatch.delenv(datasets.FOLDER_VARIABLE, raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setattr("companion.lab.datasets.openml.MOST_BYTES", 2**20)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        address = f"http://127.0.0.1:{server.server_port}/{{}}"
        monkeypatch.setattr("sklearn.datasets._openml._SEARCH_NAME", address)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(datasets.DataUnavailable, match=sentence) as refusal:
            datasets.load("iris")
        server.shutdown()
    assert "\n" not in str(refusal.value) and not recwarn.list
    assert handler.sent < 100 * 2**20
    assert not [file for file in tmp_path.rglob("*") if file.is_file()]


def test_a_bounded_answer_is_read(folder, openml, monkeypatch):
    """With the real `urlopen` and a server of few words; nobody is asked for an archive."""
    publish(openml, folder, "iris")
    asked = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.headers.get("Accept-Encoding"))
            answer = openml._answer(self.path)
            content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            address = f"http://127.0.0.1:{server.server_port}"
            content = content.replace(b"https://openml.test", address.encode())
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_):
            pass

    monkeypatch.setattr("sklearn.datasets._openml.urlopen", urllib.request.urlopen)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        for name in ("_SEARCH_NAME", "_DATA_INFO", "_DATA_FEATURES", "_DATA_QUALITIES"):
            whole = getattr(sklearn.datasets._openml, name)
            monkeypatch.setattr(f"sklearn.datasets._openml.{name}", whole.replace(
                "https://www.openml.org", f"http://127.0.0.1:{server.server_port}"
            ))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = datasets.load("iris")
        server.shutdown()
    same(found, datasets.read_arff(folder / "iris.arff"))
    assert asked and set(asked) <= {None, "identity"}
