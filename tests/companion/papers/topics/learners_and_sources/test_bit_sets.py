"""Bit sets hold the rows, and the learners on them are the plain ones."""

import numpy as np
import pandas as pd
import pytest

from companion.papers.topics.learners_and_sources import bit_sets

VALUES, CLASSES = {"a": [*"uvw"], "b": [*"xy"]}, [*"kl"]


def random_frame(seed, n):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame({
        name: pd.Categorical(rng.choice(values, n), categories=values)
        for name, values in VALUES.items()
    })
    return X, pd.Series(pd.Categorical(rng.choice(CLASSES, n), categories=CLASSES))


@pytest.mark.parametrize("n", [16, 64, 65, 150])
def test_bit_sets_are_the_rows_and_their_counts(n):
    X, y = random_frame(n, n)
    frame = bit_sets.bit_sets(X, y)
    for (name, value), row in frame.iterrows():
        has = X[name] == value
        assert row["rows"] == "".join("01"[int(bit)] for bit in has)
        assert [row[c] for c in CLASSES] == [int((has & (y == c)).sum()) for c in CLASSES]


def test_bit_sets_and_plain_learners_agree_on_a_drawn_data_set():
    frame = bit_sets.equal_counts("source3.0", instances=120, runs=2, folds=5)
    assert frame.index.tolist() == ["naive_bayes", "c45"]
    assert (frame["equal"] == frame["trainings"]).all() and (frame["trainings"] == 10).all()
    assert frame["accuracy"].between(50, 100).all()
