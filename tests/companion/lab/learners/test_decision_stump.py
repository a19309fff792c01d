"""The decision stump: every test tried, in whole numbers."""

from fractions import Fraction
from math import prod

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.lab.learners import DecisionStump


def perplexity(branches):
    """2 to the power of rows times entropy within branches, as a fraction: prod n^n / prod k^k."""
    value = Fraction(1)
    for counts in branches:
        n = sum(counts)
        value *= Fraction(n**n, prod(k**k for k in counts))
    return value


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0, 1, 2, None]),
            st.sampled_from([0, 1, None]),
            st.integers(0, 2),
        ),
        min_size=2,
        max_size=12,
    ).filter(
        lambda rows: (
            len({row[-1] for row in rows}) > 1
            and {row[:2] for row in rows} - {(None, None)}
        )
    )
)
def test_the_first_test_with_the_least_entropy_is_taken(rows):
    *columns, labels = zip(*rows)
    X = pd.DataFrame(
        {
            "a": pd.Categorical(columns[0], categories=[0, 1, 2]),
            "b": pd.Categorical(columns[1], categories=[0, 1]),
        }
    )
    learner = DecisionStump().fit(
        X, pd.Series(pd.Categorical(labels, categories=[0, 1, 2]))
    )
    taken = {
        (name, split): [2 if x is None else 0 if x == split else 1 for x in column]
        for name, column in zip(X, columns)
        for split in X[name].cat.categories
    }
    counts = {
        test: [
            [
                sum(b == branch and label == c for b, label in zip(branches, labels))
                for c in range(3)
            ]
            for branch in range(3)
        ]
        for test, branches in taken.items()
    }
    best = min(counts, key=lambda test: perplexity(counts[test]))
    assert (learner.attribute_, learner.split_) == best
    assert learner.counts_.tolist() == counts[best]
    of_class = np.bincount(labels, minlength=3)
    for branch, found in zip(taken[best], learner.predict_proba(X)):
        of_branch = np.array(counts[best][branch])
        expected = of_branch if of_branch.sum() else of_class
        np.testing.assert_allclose(found, expected / expected.sum())


def test_numbers_are_refused():
    with pytest.raises(ValueError, match="nominal attributes only, and 'x' is none"):
        DecisionStump().fit(pd.DataFrame({"x": [1.0, 2.0]}), ["a", "b"])
