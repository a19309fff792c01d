"""Two classifiers that are compared here: the splits on which they are."""

import numpy as np
import pytest
from sklearn.datasets import make_moons
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GroupKFold,
    LeaveOneGroupOut,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    ShuffleSplit,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from replib.comparison import compare_classifiers


def test_a_seed_gives_the_splits_of_scikit_learn():
    X, y = make_moons(60, noise=0.3, random_state=0)
    learners = GaussianNB(), SVC()
    for text, runs in (("2x5", 2), (5, 1)):
        by_text = compare_classifiers(*learners, X, y, cv=text, random_state=7, progress=False)
        cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=runs, random_state=7)
        by_splitter = compare_classifiers(*learners, X, y, cv=cv, progress=False)
        np.testing.assert_array_equal(by_text.scores, by_splitter.scores)
        assert by_text.design == by_splitter.design


def test_classifiers_see_the_same_splits_and_are_not_changed():
    X, y = make_moons(60, noise=0.3, random_state=0)
    one, other = GaussianNB(), GaussianNB(var_smoothing=1e-9)
    for cv in (ShuffleSplit(5, test_size=0.25), "2x5", 5):  # none of them has a seed
        result = compare_classifiers(one, other, X, y, cv=cv, progress=False)
        assert np.array_equal(*result.scores)
        assert result.pvalue == 1 and result.estimate == 0
    assert not hasattr(one, "classes_")
    thirds = ShuffleSplit(4, test_size=1 / 3)
    third = compare_classifiers(one, other, X, y, cv=thirds, progress=False)
    assert third.design.test_train_ratio == pytest.approx(20 / 40)


def test_groups_that_are_given_make_the_folds():
    """The number of folds is read off the splits, which the splitter does not say."""
    X, y = make_moons(60, noise=0.3, random_state=0)
    group = np.random.default_rng(0).permutation(60) % 6
    learners = GaussianNB(), SVC()
    left_out, predefined, grouped = (
        compare_classifiers(*learners, X, y, cv=cv, groups=groups, progress=False)
        for cv, groups in (
            (LeaveOneGroupOut(), group), (PredefinedSplit(group), None), (GroupKFold(6), group),
        )
    )
    assert left_out.design == predefined.design == grouped.design
    assert left_out.pvalue == predefined.pvalue
    assert sorted(left_out.scores[0].ravel()) == sorted(grouped.scores[0].ravel())


@pytest.mark.parametrize("given, says", [
    (lambda X, y: ({"nb": GaussianNB()}, X, y), "a must be a dict of two or more"),
    (lambda X, y: ({}, X, y), "a must be a dict of two or more"),
    (lambda X, y: (GaussianNB(), X, y), "y must be given.*with a dict"),
    (lambda X, y: ({"nb": GaussianNB(), "svm": SVC()}, X), "y must be given"),
    (lambda X, y: ([GaussianNB(), SVC()], X, y), "y must be given"),
])
def test_a_form_of_the_call_that_does_not_exist_is_refused(given, says):
    with pytest.raises(ValueError, match=says) as refusal:
        compare_classifiers(*given(*make_moons(60)), cv=5)
    assert "\n" not in str(refusal.value)


def test_a_negated_error_is_an_error():
    X, y = make_moons(60, noise=0.3, random_state=0)
    two = {"nb": GaussianNB(), "svm": LogisticRegression()}
    losses = compare_classifiers(two, X, y, cv=5, random_state=0, scoring="neg_log_loss",
                                 progress=False)
    assert losses.metric == "log loss" and not losses.greater_is_better
    assert min(scores.min() for scores in losses.scores) > 0
    assert "lower mean log loss" in losses.sentence() or "mean log loss of nb" in losses.sentence()
    assert losses.estimate == pytest.approx(losses.scores[1].mean() - losses.scores[0].mean())


@pytest.mark.parametrize("dataset, called", [(None, "the data"), ("moons", "moons")])
def test_a_fit_that_fails_is_named_with_its_data(dataset, called):
    class Broken(GaussianNB):
        def fit(self, X, y):
            raise RuntimeError("no luck")

    X, y = make_moons(60, noise=0.3, random_state=0)
    with pytest.raises(ValueError, match=called) as refusal:
        compare_classifiers(GaussianNB(), Broken(), X, y, cv=5, dataset=dataset, progress=False)
    assert "no luck" in str(refusal.value) and "Broken" in str(refusal.value)
