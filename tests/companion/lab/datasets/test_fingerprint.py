"""Any other file is refused; harmless differences are put right."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from weka_and_openml import EVERY_NAME, openml_text, same

from companion.lab import datasets
from companion.lab.datasets.fingerprint import verified

EDITS = [
    # data set, what to replace, with what, what the sentence says
    ("iris", "5.1,3.5,1.4,0.2", "5.1,3.5,1.4,0.20000000000000004", "other cells"),
    (
        "iris",
        "5.1,3.5,1.4,0.2",
        "5.1,3.5,1.4,?",
        "missing cells 1 instead of 0; other cells",
    ),
    ("iris", "5.1,3.5,1.4,0.2,Iris-setosa\n", "", "instances 149 instead of 150"),
    (
        "iris",
        "5.1,3.5,1.4,0.2,Iris-setosa\n4.9,3.0,1.4,0.2",
        "4.9,3.0,1.4,0.2,Iris-setosa\n5.1,3.5,1.4,0.2",
        "other cells",
    ),
    ("iris", "0.2,Iris-setosa\n4.9", "0.2,Iris-virginica\n4.9", "other cells"),
    ("iris", "sepalwidth", "width", "no attribute 'sepalwidth'"),
    ("hepatitis", "\n30,male", "\n30.5,male", "other cells"),
    (
        "zoo",
        "legs INTEGER [0,9]",
        "legs {0,2,4,5,6,8}",
        "attribute 'legs' should be numeric",
    ),
    (
        "vote",
        "'n','y','n','y','y','y','n'",
        "?,'y','n','y','y','y','n'",
        "missing cells 393 instead of 392",
    ),
]


@pytest.mark.parametrize("name, old, new, sentence", EDITS, ids=range(len(EDITS)))
def test_any_other_file_is_refused(
    name, old, new, sentence, folder, tmp_path, monkeypatch
):
    text = (folder / f"{name}.arff").read_text().replace("\r\n", "\n")
    assert old in text
    text = text.replace(old, new, 1)
    (tmp_path / f"{name}.arff").write_text(text)
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(tmp_path))
    with pytest.raises(datasets.DataMismatch, match=re.escape(sentence)) as refusal:
        datasets.load(name)
    assert f"is not Weka's {name}: " in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.slow
def test_every_cell_counts(weka):
    """Any single changed cell of any set changes its fingerprint."""
    rng = np.random.default_rng(27)
    for name in EVERY_NAME:
        found = datasets.load(name)
        row, column = (
            int(rng.integers(len(found.X))),
            int(rng.integers(found.X.shape[1])),
        )
        X = found.X.copy()
        cell = X.iloc[row, column]
        if isinstance(X.dtypes.iloc[column], pd.CategoricalDtype):
            others = [
                label for label in X.iloc[:, column].cat.categories if label != cell
            ]
            X.iloc[row, column] = others[0]
        else:
            X.iloc[row, column] = 0.0 if np.isnan(cell) else np.nextafter(cell, np.inf)
        with pytest.raises(datasets.DataMismatch, match="other cells"):
            verified(name, replace(found, X=X))


@pytest.mark.parametrize("name", EVERY_NAME)
def test_harmless_differences_are_put_right(name, folder, tmp_path, monkeypatch):
    """Reversed declared values and columns, quotes, other case: the same data set in the end."""
    expected = datasets.read_arff(folder / f"{name}.arff")
    (tmp_path / datasets.table().at[name, "file"]).write_text(
        openml_text(folder, name).replace("@ATTRIBUTE ", "@attribute ")
    )
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(tmp_path))
    same(datasets.load(name), expected)


def test_a_surplus_attribute_is_refused(weka):
    iris = datasets.load("iris")
    with pytest.raises(
        datasets.DataMismatch, match="not Weka's iris: a surplus attribute 'id'"
    ):
        verified("iris", replace(iris, X=iris.X.assign(id=1.0)))
