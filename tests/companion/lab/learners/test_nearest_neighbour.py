"""The nearest neighbour: brute force in exact fractions."""

from fractions import Fraction

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from companion.lab.learners import (
    NearestNeighbour,
)


def brute_neighbours(train, labels, test, n_classes, nominal):
    """Class probabilities in exact fractions; numeric attributes range over 0..8 in training."""
    def part(x, v, nominal):
        if nominal:
            return Fraction(int(x is None or v is None or x != v))
        if x is None and v is None:
            return Fraction(1)
        if x is None or v is None:
            known = Fraction(x if v is None else v, 8)
            return max(known, 1 - known) ** 2
        return Fraction(x - v, 8) ** 2

    out = []
    for x in test:
        distances = [sum(map(part, x, row, nominal), Fraction(0)) for row in train]
        votes = [label for d, label in zip(distances, labels) if d == min(distances)]
        n = len(train)
        out.append([
            (votes.count(c) + Fraction(1, n)) / (len(votes) + Fraction(n_classes, n))
            for c in range(n_classes)
        ])
    return np.array(out, dtype=float)


cell = st.none() | st.integers(0, 8)
mixed_rows = st.lists(st.tuples(cell, st.none() | st.sampled_from([0, 1, 2]), cell), min_size=1,
                      max_size=8)


@given(mixed_rows, mixed_rows, st.randoms(use_true_random=False))
def test_nearest_neighbour_is_the_exact_one(train, test, random):
    train = [(0, 0, 0), (8, 1, 8), *train]
    labels = [0, 1, *(random.randrange(3) for _ in train[2:])]

    def frame(rows):
        x, kind, y = zip(*rows)
        return pd.DataFrame({
            "x": np.array(x, dtype=float),
            "kind": pd.Categorical(kind, categories=[0, 1, 2]),
            "y": np.array(y, dtype=float),
        })

    learner = NearestNeighbour().fit(frame(train), pd.Categorical(labels, categories=[0, 1, 2]))
    expected = brute_neighbours(train, labels, test, 3, (False, True, False))
    # eighths are exact in binary, so that ties are ties
    assert_allclose(learner.predict_proba(frame(test)), expected, rtol=1e-12)


bits = st.lists(st.tuples(*[st.integers(0, 1)] * 3), min_size=2, max_size=8)


@given(bits, bits, st.randoms(use_true_random=False))
def test_the_first_of_the_nearest_decides(train, test, random):
    labels = [0, 1, *(random.randrange(3) for _ in train[2:])]
    nearest = lambda row: min(
        range(len(train)), key=lambda i: (sum(a != b for a, b in zip(train[i], row)), i)
    )
    frame = lambda rows: pd.DataFrame(
        [map(str, row) for row in rows], columns=list("xyz")
    ).astype(pd.CategoricalDtype(["0", "1"]))
    y = pd.Categorical(labels, categories=[0, 1, 2])
    learner = NearestNeighbour(ties="first").fit(frame(train), y)
    assert learner.predict(frame(test)).tolist() == [labels[nearest(row)] for row in test]


def test_ranges_are_those_of_the_training_set_unless_updated():
    X = pd.DataFrame({"x": [0.0, 1.0, 1.0], "y": [0.0, 0.0, 1.0]})
    new = pd.DataFrame({"x": [0.0, 0.45], "y": [100.0, 0.7]})
    fixed = NearestNeighbour().fit(X, list("abc"))
    assert fixed.ranges_ == {"x": (0.0, 1.0), "y": (0.0, 1.0)}
    assert fixed.predict(new).tolist() == ["c", "c"]
    # with y ranging to 100, 0.7 is as good as 0: the nearest in x decides
    widening = NearestNeighbour(update_ranges=True).fit(X, list("abc"))
    assert widening.predict(new).tolist() == ["a", "a"]
    assert widening.predict(new.iloc[::-1]).tolist() == ["c", "a"]
    assert widening.predict(new.iloc[1:]).tolist() == ["c"]  # each call starts anew
