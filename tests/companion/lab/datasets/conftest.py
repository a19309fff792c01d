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
def openml(monkeypatch, tmp_path) -> OpenML:
    """OpenML, simulated here, and no folder."""
    server = OpenML()
    monkeypatch.delenv(datasets.FOLDER_VARIABLE, raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "cache"))
    monkeypatch.setattr("sklearn.datasets._openml.urlopen", server)
    return server
