"""Where the tests of data sets read them."""

from pathlib import Path

import pytest
from weka_and_openml import OpenML

from companion.lab import datasets


@pytest.fixture(scope="module")
def folder(shared) -> Path:
    return shared / "uci"


@pytest.fixture
def weka(folder, monkeypatch):
    """Read from the folder of Weka's files."""
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(folder))


@pytest.fixture
def openml(folder, monkeypatch, tmp_path_factory) -> OpenML:
    """OpenML, simulated here, and no folder."""
    server = OpenML(folder, tmp_path_factory.mktemp("openml"))
    monkeypatch.delenv(datasets.FOLDER_VARIABLE, raising=False)
    monkeypatch.setattr("sklearn.datasets.fetch_openml", server)
    return server
