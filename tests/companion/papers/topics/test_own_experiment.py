"""A reader's own experiment: scores that are misread."""

import numpy as np

from companion.papers.topics import own_experiment


def test_misreadings_of_the_same_scores_differ():
    rng = np.random.default_rng(1)
    folds = rng.normal(0.02, 0.05, 10)
    a = np.tile(folds, (4, 1)) + rng.normal(0, 0.01, (4, 10))
    found = own_experiment.misreadings(a.ravel(), np.zeros(40), runs=4, folds=10)["pvalue"]
    assert found.nunique() == 5
    assert found["no correction"] < found["corrected t, ratio 1 / (folds - 1)"]
