"""Trees to be read: their nodes."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from companion.lab.learners import C45
from companion.lab.learners.kernels.c45 import LEAF, errors


@pytest.mark.parametrize("name", ["anneal", "labor", "iris", "lymph"])
def test_nodes_hold_all_training_weight(name, data):
    X, y = data(name)
    learner = C45().fit(X, y)
    tree = learner.tree_
    leaves = np.flatnonzero(tree.attribute == LEAF)
    assert len(leaves) == learner.n_leaves_ and tree.size == learner.size_
    assert tree.counts[leaves].sum() == pytest.approx(len(y))
    for node in np.flatnonzero(tree.attribute != LEAF):
        # `counts` of the children add up to the node's
        assert_allclose(tree.counts[tree.children(node)].sum(axis=0), tree.counts[node], atol=1e-9)
        assert (tree.parent[tree.children(node)] == node).all()
    # without missing values the errors of the leaves are the instances it gets wrong
    if not X.isna().to_numpy().any():
        wrong = sum(errors(counts) for counts in tree.counts[leaves])
        assert wrong == pytest.approx((learner.predict(X) != y).sum())


def test_a_tree_that_is_one_leaf_is_shown_as_its_verdict():
    tree = C45().fit(pd.DataFrame({"x": [1.0, 1.0, 1.0]}), list("aab")).tree_
    assert str(tree) == ": a (3.0/1.0)"
