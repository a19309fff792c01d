"""A reader's own experiment: scores that are read wrongly, and every pair."""

import numpy as np
import pytest

from companion.papers.topics import own_experiment
from replib import comparison


def test_misreadings_of_the_same_scores_differ():
    rng = np.random.default_rng(1)
    folds = rng.normal(0.02, 0.05, 10)
    a = np.tile(folds, (4, 1)) + rng.normal(0, 0.01, (4, 10))
    found = own_experiment.misreadings(a.ravel(), np.zeros(40), runs=4, folds=10)["pvalue"]
    assert found.nunique() == 5
    assert found["no correction"] < found["corrected t, ratio 1 / (folds - 1)"]


def test_every_pair_has_its_own_pvalue_and_that_of_holm():
    rng = np.random.default_rng(1)
    scores = {name: rng.normal(mean, 0.05, 100) for name, mean in (("a", 0.8), ("b", 0.7),
                                                                   ("c", 0.69))}
    found = own_experiment.all_pairs(scores, "10x10").set_index(["a", "b"])
    assert list(found.index) == [("a", "b"), ("a", "c"), ("b", "c")]
    alone = comparison.compare_scores(scores["b"], scores["c"], cv="10x10")
    assert found.at[("b", "c"), "pvalue"] == round(alone.pvalue, 4)
    p = np.sort(found["pvalue"])
    holm = np.maximum.accumulate(np.minimum(p * [3, 2, 1], 1))
    assert np.sort(found["holm"]) == pytest.approx(holm, abs=3e-4)  # of p-values with four digits
