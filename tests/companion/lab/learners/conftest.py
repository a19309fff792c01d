"""Data sets for the tests of learners."""

from functools import cache

import numpy as np
import pandas as pd
import pytest

from companion.lab.datasets import read_arff
from companion.lab.learners import (
    Table,
)


@pytest.fixture(scope="session")
def data(request, golden):
    """Reads a data set of the golden files once."""

    @cache
    def read(name):
        if name.startswith("synth"):
            dataset = read_arff(golden(f"weka/synth/{name}.arff"))
        else:
            dataset = read_arff(
                request.getfixturevalue("shared") / "uci" / f"{name}.arff"
            )
        return dataset.X, dataset.y

    return read


@pytest.fixture(scope="session")
def random_table():
    """Draws a small data set from a generator."""
    return _random_table


def _random_table(rng, n_rows):
    """A small data set of every kind of attribute, with ties, missing values, an absent class."""
    labels = rng.integers(0, 3, n_rows)
    labels[:2] = 0, 1
    noise = rng.random(n_rows) < 0.3
    hint = np.where(noise, rng.integers(0, 3, n_rows), labels)
    X = pd.DataFrame(
        {
            "few": pd.Categorical.from_codes(hint, list("uvwx")),
            "coarse": (labels + rng.integers(0, 4, n_rows)).astype(float),
            "fine": hint + rng.normal(0, 0.7, n_rows).round(2),
            "many": pd.Categorical.from_codes(
                rng.integers(0, 9, n_rows), list("abcdefghi")
            ),
            "pure noise": rng.normal(size=n_rows),
        }
    )
    X = X.mask(rng.random(X.shape) < rng.choice([0, 0.1, 0.3]))
    classes = ["yes", "no", "perhaps", "never"]
    return Table.from_frame(X, pd.Series(pd.Categorical.from_codes(labels, classes)))
