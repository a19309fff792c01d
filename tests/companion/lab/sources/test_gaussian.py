"""Two classes of normal features: their distributions, and how well they can be told apart."""

import numpy as np
import pytest
from scipy import special, stats
from some_networks import RARE

from companion.lab.sources.gaussian import TwoGaussians


@pytest.mark.parametrize("mean, sd", [(0.0, 1.0), (0.7, 1.0), (-1.0, 2.5)])
def test_each_feature_is_normal_in_each_class_and_no_two_go_together(mean, sd):
    """For one feature a mean off by 0.07, a deviation off by 12% or a correlation of 0.06 is found
    with probability 0.9 or more.
    """
    x, y = TwoGaussians(cases=20_000, features=3, mean=mean, sd=sd).sample(
        np.random.default_rng(1)
    )
    assert y.tolist() == [1] * 10_000 + [0] * 10_000
    for label, law in ((1, stats.norm(mean, sd)), (0, stats.norm())):
        for feature in x[y == label].T:
            assert stats.kstest(feature, law.cdf).pvalue > RARE
        for a, b in ((0, 1), (0, 2), (1, 2)):
            assert stats.pearsonr(x[y == label, a], x[y == label, b]).pvalue > RARE


@pytest.mark.parametrize("features", [1, 4, 20])
@pytest.mark.parametrize("mean", [0.1, -0.5])
def test_the_best_rule_is_right_as_often_as_two_normal_distributions_overlap(
    features, mean
):
    """The centres are `mean` times sqrt(features) apart; a case is of the nearer one.

    A mean that is twice as large is always found, one 20% too large with 20 features
    only.
    """
    x, y = TwoGaussians(cases=40_000, features=features, mean=mean).sample(
        np.random.default_rng(2)
    )
    nearer_to_positive = (x.mean(axis=1) - mean / 2) * mean > 0
    accuracy = special.ndtr(abs(mean) * np.sqrt(features) / 2)
    hits = int((nearer_to_positive == y).sum())
    assert stats.binomtest(hits, len(y), accuracy).pvalue > RARE


def test_mean_and_deviation_move_the_same_draws_of_the_positives_only():
    z = np.random.default_rng(3).standard_normal((6, 2))
    x, _ = TwoGaussians(cases=6, features=2, mean=2.0, sd=3.0).sample(
        np.random.default_rng(3)
    )
    np.testing.assert_array_equal(
        x, np.where(np.arange(6)[:, None] < 3, 2.0 + 3.0 * z, z)
    )
