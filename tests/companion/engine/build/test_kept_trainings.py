"""What a chapter has trained is found by its next execution, and nothing else is."""

import sys

import nbformat
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import replib
from companion.engine.build import chapters, execution, kept_trainings, staleness

TRAINING = """
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from replib import train

models = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
scores = train(models, *load_iris(return_X_y=True), design="2x5", random_state=n // 10)
print(scores.blocks["bayes"].mean(), n)
np.random."""


@pytest.fixture
def trainings(monkeypatch, tmp_path):
    """Let `replib.train` keep what it returns; yield the seeds of those that were made."""
    made, train = [], replib.train

    def counted(*arguments, **settings):
        made.append(settings["random_state"])
        return train(*arguments, **settings)

    monkeypatch.setattr(replib, "train", counted)
    kept_trainings.keep(tmp_path / "of_code")
    return made


def trained(seed, tree=None):
    """Return the scores of two models on four rows of each class."""
    models = {"bayes": GaussianNB(), "tree": tree or DecisionTreeClassifier()}
    X, y = [[0.0], [1.0], [2.0], [9.0], [0.5], [7.0], [8.0], [6.0]], [0] * 4 + [1] * 4
    return replib.train(models, X, y, design="2x2", random_state=seed)


def test_the_same_training_is_made_once(trainings):
    first, second = trained(1), trained(1)
    assert first.frame.equals(second.frame) and first.notes == second.notes
    trained(2)
    trained(1, DecisionTreeClassifier(max_depth=1))
    assert trainings == [1, 2, 1]


def test_what_is_defined_in_a_chapter_is_trained_each_time(trainings, monkeypatch):
    """Parameters may determine what it does, and its name is the same."""
    own = type("Own", (DecisionTreeClassifier,), {"__module__": "__main__"})
    monkeypatch.setattr(sys.modules["__main__"], "Own", own, raising=False)
    for _ in range(2):
        trained(1, own())
        trained(2, type("Nowhere", (DecisionTreeClassifier,), {})())
    assert trainings == [1, 2, 1, 2]


def test_a_damaged_file_is_trained_again(trainings, tmp_path):
    trained(1)
    for file in (tmp_path / "of_code").iterdir():
        file.write_bytes(b"damaged")
    trained(1)
    assert trainings == [1, 1]


def test_a_chapter_trains_once_for_values_that_change_no_training(project):
    """Both executions print what they would without the other."""
    chapter = chapters.find("sample")
    text = chapter.source.read_text().replace("\nnp.random.", TRAINING)
    chapter.source.write_text(text)
    chapter = chapters.find("sample")
    place = kept_trainings.folder(chapter, staleness.parts(chapter, {}))
    printed = []
    for n, known in ((2, 1), (4, 1), (20, 2)):
        execution.execute(chapter, {"n": n}, project / "a.ipynb")
        outputs = nbformat.read(project / "a.ipynb", as_version=4).cells[-1].outputs
        printed.append(outputs[0].text.split())
        assert len([*place.iterdir()]) == known
    means, values = zip(*printed)
    assert means[0] == means[1] and values == ("2", "4", "20")
    chapter.source.write_text(text.replace('"2x5"', '"3x5"'))
    chapter = chapters.find("sample")
    execution.execute(chapter, {"n": 2}, project / "a.ipynb")
    assert not place.exists()
    assert len([*place.parent.glob("*/*")]) == 1
