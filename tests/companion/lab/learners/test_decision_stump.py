"""The decision stump: brute force in whole numbers, known limits."""

import itertools
from fractions import Fraction
from math import prod

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from companion.lab.learners import DecisionStump


def perplexity(branches):
    """2 to the power of rows times entropy within branches, as a fraction: prod n^n / prod k^k."""
    value = Fraction(1)
    for counts in branches:
        n = sum(counts)
        value *= Fraction(n**n, prod(k**k for k in counts))
    return value


def every_test(columns, nominal):
    """(attribute, split, which branch each row takes) of every test, in the order of preference."""
    for a, column in enumerate(columns):
        known = sorted({x for x in column if x is not None})
        splits = range(nominal[a]) if nominal[a] else [
            (low + high) / 2 for low, high in itertools.pairwise(known)
        ] or [float("-inf")]
        for split in splits:
            holds = (lambda x: x == split) if nominal[a] else (lambda x: x <= split)
            yield a, split, [2 if x is None else 0 if holds(x) else 1 for x in column]


@given(
    st.lists(
        st.tuples(
            st.sampled_from([0, 1, 2, None]), st.sampled_from([1.0, 2.0, 4.0, 8.0, None]),
            st.integers(0, 1), st.integers(0, 2),
        ),
        min_size=2, max_size=12,
    ).filter(lambda rows: len({row[-1] for row in rows}) > 1)
)
def test_no_test_leaves_less_entropy_than_the_stumps(rows):
    *columns, labels = zip(*rows)
    nominal = [3, 0, 2]
    X = pd.DataFrame({
        "a": pd.Categorical(columns[0], categories=[0, 1, 2]),
        "b": np.array(columns[1], dtype=float),
        "c": pd.Categorical(columns[2], categories=[0, 1]),
    })
    learner = DecisionStump().fit(X, pd.Series(pd.Categorical(labels, categories=[0, 1, 2])))

    def counts(branch_of):
        return [[sum(b == branch and label == c for b, label in zip(branch_of, labels))
                 for c in range(3)] for branch in range(3)]

    tests = [(a, split, counts(taken)) for a, split, taken in every_test(columns, nominal)]
    a, split, best = min(tests, key=lambda test: perplexity(test[2]))  # the first of equals
    assert (learner.attribute_, learner.split_) == ("abc"[a], split)
    assert learner.counts_.tolist() == best

    whole = [sum(label == c for label in labels) for c in range(3)]
    taken = next(t for b, s, t in every_test(columns, nominal) if (b, s) == (a, split))
    for branch, found in zip(taken, learner.predict_proba(X)):
        share = best[branch] if sum(best[branch]) else whole
        assert_allclose(found, [k / sum(share) for k in share], rtol=1e-15)


def test_an_empty_branch_has_the_shares_of_all_rows():
    X = pd.DataFrame({"kind": pd.Categorical(["u", "u", "v"], categories=["u", "v"])})
    learner = DecisionStump().fit(X, ["a", "b", "b"])
    missing = pd.DataFrame({"kind": pd.Categorical([None], categories=["u", "v"])})
    assert learner.predict_proba(missing).tolist() == [[1 / 3, 2 / 3]]
