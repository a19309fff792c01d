"""Naive Bayes with normal densities: agreement with R, and R's rules where something is 0."""

from math import log

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import special, stats

from companion.lab.learners import GaussianNaiveBayes
from companion.lab.learners.gaussian_naive_bayes import _log_likelihood


@pytest.mark.parametrize("number", range(1, 21, 2))
def test_agrees_with_r(number, golden):
    data = pd.read_csv(golden(f"berrar/s1g3_ds{number:02}.csv.gz"))
    X, y, test = data.filter(regex="^x").to_numpy(), data["y"], data["split"] == "test"
    learner = GaussianNaiveBayes().fit(X[~test], y[~test])
    assert_array_equal(learner.predict(X[test]), data["nb_pred"][test])
    # the files hold twelve digits
    assert_allclose(
        learner.predict_proba(X[test])[:, 1], data["nb_post1"][test], atol=1e-11
    )
    assert (
        learner.count_correct(
            X[~test], y[~test].to_numpy(), X[test], y[test].to_numpy()
        )
        == (data["nb_pred"] == y)[test].sum()
    )


def plain_posterior(X, y, x):
    """e1071's formula, one class and feature after the other."""
    logs = []
    for c in np.unique(y):
        rows = X[y == c]
        total = log(len(rows))
        for feature, value in zip(rows.T, x):
            deviation = np.std(feature, ddof=1)
            density = stats.norm.pdf(
                value, feature.mean(), deviation if deviation > 0 else 0.001
            )
            total += log(density if density > 0 else 0.001)
        logs.append(total)
    return special.softmax(logs)


@pytest.mark.parametrize(
    "x",
    [
        (0.0, 1.0),
        (5.0, 1.0),
        (1.0, 1.0005),
        (1.0, 1.04),
        (-90.0, 1.0),
        (200.0, 2.0),
        (28.0, 1.0),
        (0.5, 1.038),
    ],
)
def test_zero_deviations_and_densities(x):
    X = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [0.0, 1.0], [4.0, 3.0]])
    y = np.array(list("aaabb"))
    learner = GaussianNaiveBayes().fit(X, y)
    assert_allclose(
        learner.predict_proba([x])[0], plain_posterior(X, y, x), rtol=1e-9, atol=0
    )


@pytest.mark.filterwarnings("error")
def test_a_class_of_one_row_has_a_mean_and_no_deviation():
    learner = GaussianNaiveBayes().fit([[0.0], [2.0], [7.0]], list("aab"))
    assert_array_equal(learner.mean_, [[1], [7]])
    assert_array_equal(learner.deviation_, [[np.sqrt(2)], [np.nan]])
    # so that it has no density either, not even where it lies
    assert_array_equal(learner.predict_proba([[7.0], [0.0]]), [[1, 0], [1, 0]])


@pytest.mark.parametrize(
    "z, is_zero",
    [
        (37.05, False),
        (37.2, False),
        (37.31, False),
        (38.56, False),
        (38.57, True),
        (38.6, True),
    ],
)
def test_a_density_far_out_is_exact_until_it_counts_as_zero(z, is_zero):
    # one standard deviation is 0.001, so that the density is no denormal number up to
    # 37.7
    X, y = np.array([[-1e-3], [0.0], [1e-3], [10.0], [12.0]]), np.array([0, 0, 0, 1, 1])
    learner = GaussianNaiveBayes().fit(X, y)
    x = 1e-3 * z
    other = log(2) + stats.norm.logpdf(x, 11, np.sqrt(2))
    own = log(3) + (log(1e-3) if is_zero else stats.norm.logpdf(x, 0, 1e-3))
    found = np.subtract(*np.log(learner.predict_proba([[x]])[0]))
    # between 37.7 and its end the density has but a few bits
    assert found == pytest.approx(own - other, abs=0.1 if z == 38.56 else 1e-10)


def test_the_last_density_that_does_not_count_as_zero_is_that_of_two_to_the_minus_1073():
    last = np.sqrt(2 * log(2) * 1073)
    z = np.array([last, np.nextafter(last, np.inf)])
    found = _log_likelihood(z[:, None], np.full(1, 1e-3))
    assert found[0] < -700 and found[1] == pytest.approx(log(1e-3))
