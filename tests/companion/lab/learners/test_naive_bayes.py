"""Naive Bayes: exact fractions, and normal densities within a precision."""

from fractions import Fraction

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from companion.lab.learners import (
    NaiveBayes,
)

nominal_rows = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("uv"), st.integers(0, 2)),
    min_size=2,
    max_size=12,
).filter(lambda rows: len({label for *_, label in rows}) > 1)


def nominal_frame(rows):
    first, second, labels = zip(*rows)
    X = pd.DataFrame(
        {
            "first": pd.Categorical(first, categories=[*"abc"]),
            "second": pd.Categorical(second, categories=[*"uv"]),
        }
    )
    return X, pd.Series(pd.Categorical(labels, categories=[0, 1, 2, 3]))


@given(nominal_rows)
def test_naive_bayes_is_a_product_of_laplace_estimates(rows):
    X, y = nominal_frame(rows)
    for values, found in zip(X.to_numpy(), NaiveBayes().fit(X, y).predict_proba(X)):
        joint = []
        for c in range(4):
            of_class = [row for row in rows if row[2] == c]
            p = Fraction(len(of_class) + 1, len(rows) + 4)
            for a, n_values in enumerate((3, 2)):
                count = sum(row[a] == values[a] for row in of_class)
                p *= Fraction(count + 1, len(of_class) + n_values)
            joint.append(p)
        assert_allclose(found, [float(p / sum(joint)) for p in joint], rtol=1e-12)


def test_naive_bayes_bounds_each_factor():
    """Far from both classes each factor is 1e-75: the prior decides, however far it is."""
    X = pd.DataFrame({"x": [0.0, 1.0, 0.0, 1.0, 0.5], "w": [5.0, 6.0, 5.0, 6.0, 5.5]})
    learner = NaiveBayes().fit(X, list("aabbb"))
    far = pd.DataFrame({"x": [1e6], "w": [1e6]})
    assert_allclose(learner.predict_proba(far), [[3 / 7, 4 / 7]])
