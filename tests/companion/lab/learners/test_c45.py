"""C4.5: a plain one in Python, exact fractions, limits of confidence intervals."""

from fractions import Fraction
from math import log2
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from companion.lab.learners import C45, Attributes
from companion.lab.learners.kernels.c45 import LEAF, children, errors, extra_errors


def test_c45_prefers_the_gain_ratio_in_exact_fractions():
    """Two perfect splits, of 2 and of 4 values: the same gain, 1 bit, but 1 and 2 bits to say."""
    X = pd.DataFrame(
        {
            "four": pd.Categorical(list("aabbccdd")),
            "two": pd.Categorical(list("xxxxyyyy")),
        }
    )
    y = list("00001111")
    tested = C45().fit(X, y).nodes_.attribute
    assert len(tested) == 3 and X.columns[tested[0]] == "two"
    # its gain ratio by counting: gain 1 bit over the entropy of its branches
    ratios = {}
    for name in X:
        shares = [Fraction(int(n), 8) for n in X[name].value_counts()]
        ratios[name] = Fraction(1) / sum(
            share * int(log2(1 / share)) for share in shares
        )
    assert ratios == {"four": Fraction(1, 2), "two": Fraction(1)}


@given(st.integers(1, 500), st.floats(0, 1), st.sampled_from([0.05, 0.25, 0.5]))
def test_estimated_errors_are_upper_confidence_limits(n, share, confidence):
    z = NormalDist().inv_cdf(1 - confidence)
    # none in n: the rate at which that has probability `confidence`
    assert (1 - extra_errors(n, 0.0, confidence, z) / n) ** n == pytest.approx(
        confidence
    )
    e = float(round(share * n))
    if e >= 1 and e + 0.5 < n:  # the score interval's upper end for e + 1/2 errors
        p = (e + extra_errors(n, e, confidence, z)) / n
        assert p - (e + 0.5) / n == pytest.approx(
            z * np.sqrt(p * (1 - p) / n), abs=1e-9
        )
    between = extra_errors(n, 0.5, confidence, z)
    ends = extra_errors(n, 0.0, confidence, z), extra_errors(n, 1.0, confidence, z)
    assert between == pytest.approx(sum(ends) / 2)


@pytest.mark.parametrize("name", ["anneal", "labor", "iris", "lymph"])
def test_nodes_hold_all_training_weight(name, data):
    X, y = data(name)
    learner = C45().fit(X, y)
    tree, cardinality = learner.nodes_, Attributes.of(X).cardinality
    leaves = np.flatnonzero(tree.attribute == LEAF)
    assert tree.counts[leaves].sum() == pytest.approx(len(y))
    for node in np.flatnonzero(tree.attribute != LEAF):
        # `counts` of the children add up to the node's
        below = tree.counts[children.py_func(node, tree, cardinality)]
        assert_allclose(below.sum(axis=0), tree.counts[node], atol=1e-9)
    # without missing values the errors of the leaves are the instances it gets wrong
    if not X.isna().to_numpy().any():
        wrong = sum(errors(counts) for counts in tree.counts[leaves])
        assert wrong == pytest.approx((learner.predict(X) != y).sum())
