"""Trees to be read: their nodes."""

import pandas as pd

from companion.lab.learners import C45


def test_a_tree_that_is_one_leaf_is_shown_as_its_verdict():
    tree = C45().fit(pd.DataFrame({"x": [1.0, 1.0, 1.0]}), list("aab")).tree_
    assert str(tree) == ": a (3.0/1.0)"
