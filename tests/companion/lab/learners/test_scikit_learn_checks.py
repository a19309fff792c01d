"""scikit-learn's own checks of estimators, for every learner that takes numbers."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from companion.lab import learners
from companion.lab.learners import (
    C45,
    TAN,
    DecisionStump,
    GaussianNaiveBayes,
    NaiveBayes,
    NearestNeighbour,
    RadialSVC,
    RandomForest,
)
from companion.lab.learners.scikit_learn import ScikitLearner

LEARNERS = [
    C45(),
    GaussianNaiveBayes(),
    NaiveBayes(),
    NearestNeighbour(),
    RadialSVC(),
    RandomForest(
        n_trees=1
    ),  # of several a tie of votes is drawn, as in R, which a check forbids
    ScikitLearner("LinearSVC"),
]
NOMINAL_ONLY = {DecisionStump, TAN}  # the checks are about arrays of numbers


@pytest.mark.filterwarnings("ignore")  # of what the checks provoke
@parametrize_with_checks(LEARNERS)
def test_scikit_learn(estimator, check):
    check(estimator)


def test_no_learner_is_left_out():
    public = [getattr(learners, name) for name in learners.__all__]
    classes = {
        learner
        for learner in public
        if isinstance(learner, type)
        and hasattr(learner, "fit")
        and not learner.__abstractmethods__
    }
    assert (
        classes | {ScikitLearner}
        == {type(learner) for learner in LEARNERS} | NOMINAL_ONLY
    )
