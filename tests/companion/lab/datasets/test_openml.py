"""Data sets from OpenML: Weka's in the end."""

from urllib.error import URLError

import pytest
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
