"""Common to learners on arrays: quick counts equal those of fitting and predicting."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from sklearn.base import clone
from sklearn.model_selection import PredefinedSplit, cross_val_predict

from companion.lab.learners import GaussianNaiveBayes, RadialSVC

LEARNERS = [GaussianNaiveBayes(), RadialSVC()]


def two_classes(seed, n=61):
    """Points about two centres, so near that learners mistake some of them."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(n) % 2
    return rng.normal(labels[:, None] * [1.2, -0.8], 1, (n, 2)), labels


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_correct_counts_are_those_of_scikit_learns_cross_validation(learner, seed):
    X, labels = two_classes(seed)
    folds = np.random.default_rng(seed).integers(0, 4, len(labels))  # of unequal sizes
    predicted = cross_val_predict(clone(learner), X, labels, cv=PredefinedSplit(folds))
    correct = np.bincount(folds[predicted == labels], minlength=4)
    assert_array_equal(clone(learner).count_correct_of_folds(X, labels, folds), correct)
    assert 0 < correct.sum() < len(labels)
    for fold in range(4):
        test = folds == fold
        split = X[~test], labels[~test], X[test], labels[test]
        assert clone(learner).count_correct(*split) == correct[fold]


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_names_of_classes_are_carried_through(learner):
    X, labels = two_classes(5)
    names = np.array(["few", "many"])
    by_number = clone(learner).fit(X, labels)
    by_name = clone(learner).fit(X, names[labels])
    assert by_name.classes_.tolist() == names.tolist()
    assert_array_equal(by_name.predict(X), names[by_number.predict(X)])
    assert by_name.score(X, names[labels]) == by_number.score(X, labels)
