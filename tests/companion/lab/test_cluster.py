"""Workers of a cluster get the data sets that they need, or are named before the start."""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.lab import datasets

pytest.importorskip("distributed", reason="dask's distributed is not installed")

from companion.lab import cluster

IRIS = {"dataset": "iris", "learners": ["c45", {"of": ["zoo"]}]}


class Client:
    """Keeps what is sent to its workers, of which the first lacks everything."""

    def __init__(self):
        self.sent = {}

    def register_plugin(self, plugin):
        self.sent |= plugin.contents

    def run(self, function, names):
        assert function is cluster._unavailable
        return {"first": names, "second": []}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(tmp_path))
    return tmp_path


def test_files_that_parameters_name_are_sent(folder):
    for name in ("iris", "zoo", "vote"):
        (folder / datasets.table().at[name, "file"]).write_text(name)
    client = Client()
    cluster.provide(client, [IRIS, {"n": 3}])
    assert sorted(client.sent.values()) == [b"iris", b"zoo"]


def test_what_a_worker_lacks_is_named(folder):
    (folder / datasets.table().at["zoo", "file"]).write_text("zoo")
    with pytest.raises(datasets.DataUnavailable, match="1 of 2 workers .* 'iris': set"):
        cluster.provide(Client(), [IRIS])


def test_without_data_sets_nobody_is_asked():
    cluster.provide(None, [{"n": 3, "source": "twins.0"}])


def test_a_worker_keeps_its_own_files_and_gets_those_that_it_lacks(folder, tmp_path):
    (folder / "a.arff").write_text("own")
    worker = SimpleNamespace(local_directory=tmp_path)
    cluster.DataSets({"a.arff": b"sent"}).setup(worker)
    assert os.environ[datasets.FOLDER_VARIABLE] == str(folder)
    cluster.DataSets({"a.arff": b"sent", "b.arff": b"b"}).setup(worker)
    given = Path(os.environ[datasets.FOLDER_VARIABLE])
    assert given != folder and (given / "a.arff").read_bytes() == b"sent"
    assert (given / "b.arff").read_bytes() == b"b"
