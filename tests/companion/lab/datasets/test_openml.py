"""Data sets from OpenML: those of Weka, or a sentence that says why not."""

import shutil
from urllib.error import URLError

import pytest
from weka_and_openml import same

from companion.lab import datasets


# One of each trap: the value '?', absent classes, quotes and blanks, a range, a
# string-like number.
@pytest.mark.parametrize(
    "name", ["anneal", "glass", "credit-g", "vehicle", "labor", "zoo-noname"]
)
def test_from_openml(name, folder, openml):
    openml.publish(name)
    found = datasets.load(name)
    same(found, datasets.read_arff(folder / f"{name}.arff"))
    assert "OpenML" in found.source


def test_from_openml_where_quotes_were_lost_or_the_animal(folder, openml):
    """The value '?' of anneal counts there as missing; its unquoted form is put right."""
    openml.publish("anneal", edit=lambda text: text.replace("'?'", "?"))
    same(datasets.load("anneal"), datasets.read_arff(folder / "anneal.arff"))
    openml.publish("zoo-noname", ignored=["animal"])
    same(datasets.load("zoo-noname"), datasets.read_arff(folder / "zoo-noname.arff"))
    with pytest.raises(datasets.DataMismatch, match="no attribute 'animal'"):
        datasets.load("zoo")


def test_the_fingerprint_chooses_the_version(openml):
    openml.publish("iris", edit=lambda text: text.replace("\n5.1,", "\n5.2,", 1))
    sentence = "version 1.*other cells.*version 2 not found$"
    with pytest.raises(datasets.DataMismatch, match=sentence):
        datasets.load("iris")
    openml.publish("iris", version=2)
    assert "version 2" in datasets.load("iris").source


def test_the_folder_comes_first(folder, openml, monkeypatch, tmp_path):
    openml.publish("iris")
    shutil.copy(folder / "glass.arff", tmp_path)
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(tmp_path))
    assert datasets.load("glass").source == "glass.arff"
    assert "OpenML" in datasets.load("iris").source


@pytest.mark.parametrize(
    "failure",
    [
        URLError("Name or service not known"),
        TimeoutError("timed out"),
        None,
    ],
)
def test_neither_folder_nor_network(failure, openml):
    openml.failure = failure
    with pytest.raises(datasets.DataUnavailable) as refusal:
        datasets.load("colic")
    sentence = str(refusal.value)
    assert (
        "set REPLIB_DATA to a folder with Weka's colic.arff, or connect to" in sentence
    )
    assert "\n" not in sentence
