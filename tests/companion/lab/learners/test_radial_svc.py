"""The support vector machine with a radial kernel: agreement with R and with scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.datasets import load_iris
from sklearn.svm import SVC

from companion.lab.learners import RadialSVC
from companion.lab.learners.kernels.radial_svm import (
    exponentiate,
)


@pytest.mark.parametrize("number", range(1, 21, 2))
def test_agrees_with_r(number, golden):
    data = pd.read_csv(golden(f"berrar/s1g3_ds{number:02}.csv.gz"))
    X, y, test = data.filter(regex="^x").to_numpy(), data["y"], data["split"] == "test"
    learner = RadialSVC().fit(X[~test], y[~test])
    assert_array_equal(learner.predict(X[test]), data["svm_pred"][test])
    # the files hold twelve digits
    assert_allclose(
        learner.decision_function(X[test]), data["svm_dec"][test], atol=1e-11
    )


@pytest.mark.parametrize("name", ["ls1_d20", "ls3_d11", "ls5_d24"])
def test_agrees_with_r_in_cross_validation(name, golden):
    data = pd.read_csv(golden(f"berrar/{name}.csv.gz"))
    X, y, folds = (
        data.filter(regex="^x").to_numpy(),
        data["y"].to_numpy(),
        data["fold"] - 1,
    )
    for fold in range(10):
        test = folds == fold
        decisions = RadialSVC().fit(X[~test], y[~test]).decision_function(X[test])
        assert_allclose(decisions, data["svm_dec"][test], atol=1e-11)
    correct = (data["svm_pred"] == y).groupby(folds).sum()
    assert_array_equal(
        RadialSVC().count_correct_of_folds(X, y, folds.to_numpy()), correct
    )


@pytest.mark.parametrize("C", [0.3, 1.0, 20.0])
@pytest.mark.parametrize("gamma", [0.05, 0.25, 3.0])
def test_with_other_parameters_as_scikit_learn(C, gamma):
    X, y = load_iris(return_X_y=True)
    X, y = (
        X[50:],
        y[50:],
    )  # two species that overlap, the first rows of the one that sorts first
    train, test = slice(None, None, 2), slice(1, None, 2)
    mean, deviation = X[train].mean(axis=0), X[train].std(axis=0, ddof=1)
    other = SVC(C=C, gamma=gamma).fit((X[train] - mean) / deviation, y[train])
    learner = RadialSVC(C=C, gamma=gamma).fit(X[train], y[train])
    assert_array_equal(
        learner.predict(X[test]), other.predict((X[test] - mean) / deviation)
    )
    assert_array_equal(np.sort(learner.support_), np.sort(other.support_))


@pytest.mark.parametrize("first", [0, 1])
def test_on_the_border_between_two_rows_the_class_of_the_later_one_is_predicted(first):
    learner = RadialSVC().fit([[-1.0], [1.0]], [first, 1 - first])
    assert (
        learner.decision_function([[0.0]]) == 0
        and learner.predict([[0.0]]) == 1 - first
    )


def test_a_constant_feature_leaves_all_as_they_are():
    """Like R: "Cannot scale data"."""
    rng = np.random.default_rng(5)
    X, y = rng.normal(size=(60, 3)) * [1, 5, 9], np.arange(60) % 2
    X[:, 0] = 0.1
    other = SVC(gamma=1 / 3).fit(X[:40], y[:40])
    learner = RadialSVC().fit(X[:40], y[:40])
    assert_allclose(
        learner.decision_function(X[40:]), other.decision_function(X[40:]), atol=2e-3
    )


def test_exponentials_of_a_matrix_are_those_of_the_mathematical_library():
    """To a unit in the last place, and in single precision, which the kernel keeps, to the bit."""
    rng = np.random.default_rng(7)
    x = np.concatenate(
        [
            -np.logspace(-17, np.log10(708), 50_000),
            -rng.exponential(3, 50_000),
            [0.0, 1e-16],
        ]
    ).reshape(2, -1)
    ours = x.copy()
    exponentiate(ours)
    exact = np.exp(x)
    assert (np.abs(ours - exact) <= np.spacing(exact)).all() and ours[1, -2] == 1
    assert_array_equal(ours.astype(np.float32), exact.astype(np.float32))
    far = np.array([[-709.0, -1e4, -1e300]])
    exponentiate(far)
    assert ((far > 0) & (far < 1e-307)).all()
