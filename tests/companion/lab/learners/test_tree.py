"""Trees to be read: rules, nodes."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from companion.lab.learners import C45


@pytest.mark.parametrize("name", ["anneal", "labor", "iris", "lymph"])
def test_rules_and_nodes_hold_all_training_weight(name, data):
    X, y = data(name)
    learner = C45().fit(X, y)
    tree = learner.tree_
    rules, nodes = tree.rules(), tree.to_frame()
    assert len(rules) == learner.n_leaves_ and len(nodes) == learner.size_
    assert rules["weight"].sum() == pytest.approx(len(y))
    assert not rules["conditions"].duplicated().any()
    for node in nodes.index[nodes["attribute"].notna()]:
        # `counts` of the children add up to the node's
        assert_allclose(tree.counts[tree.children(node)].sum(axis=0), tree.counts[node], atol=1e-9)
        assert (nodes.loc[tree.children(node), "parent"] == node).all()
    # without missing values a rule's errors are the instances it gets wrong
    if not X.isna().to_numpy().any():
        assert rules["errors"].sum() == pytest.approx((learner.predict(X) != y).sum())


def test_a_rule_holds_for_the_rows_that_it_counts(data):
    X, y = data("iris")
    for rule in C45().fit(X, y).tree_.rules().itertuples(index=False):
        rows = np.logical_and.reduce([X.eval(f"`{c.split()[0]}` {' '.join(c.split()[1:])}")
                                      for c in rule.conditions])
        assert rows.sum() == rule.weight
        assert (y[rows] != rule[1]).sum() == rule.errors


def test_a_tree_that_is_one_leaf_has_one_rule():
    tree = C45().fit(pd.DataFrame({"x": [1.0, 1.0, 1.0]}), list("aab")).tree_
    assert str(tree) == ": a (3.0/1.0)"
    assert tree.rules()["conditions"].tolist() == [()]
