"""What replicability is: probabilities by enumeration, mean and variance, the schemes of Figure
1."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from companion.studies import opening_experiment

# Fewer false alarms than one in a million runs; the seeds are fixed anyway.
ERROR_RATE = 1e-6


def rejects(outcomes: tuple[int, ...], alpha: Fraction) -> bool:
    """McNemar's exact test by tossing every coin: +1 is an instance for B, -1 one for A, 0 none."""
    b, a = outcomes.count(1), outcomes.count(-1)
    tosses = list(product((0, 1), repeat=a + b))
    as_extreme = sum(abs(2 * sum(t) - a - b) >= abs(a - b) for t in tosses)
    return Fraction(as_extreme, len(tosses)) < alpha


def rejection_probability(
    data: tuple[int, ...], test_size: int, alpha: Fraction
) -> Fraction:
    test_sets = list(combinations(data, test_size))
    return Fraction(sum(rejects(t, alpha) for t in test_sets), len(test_sets))


@pytest.mark.parametrize("seed", range(6))
def test_acceptance_probability_by_all_test_sets(seed):
    right = opening_experiment.two_classifiers(9, difference=0.3, seed=seed)
    data = tuple(right["B"].astype(int) - right["A"].astype(int))
    exact = 1 - rejection_probability(data, 6, Fraction(3, 10))
    found = opening_experiment.acceptance_probability(right, 6, alpha=0.3)
    assert_allclose(found, float(exact), atol=1e-12)


@pytest.fixture(scope="module")
def small_world() -> dict[str, Fraction]:
    """Moments of p(D) over all data sets of six instances without a difference between A and B."""
    rate = {1: Fraction(1, 4), -1: Fraction(1, 4), 0: Fraction(1, 2)}
    power = square = agreement = Fraction(0)
    for data in product(rate, repeat=6):
        weight = Fraction(np.prod([rate[x] for x in data]))
        p = rejection_probability(data, 4, Fraction(1, 5))
        power += weight * p
        square += weight * p**2
        agreement += weight * (p**2 + (1 - p) ** 2)
    return {"power": power, "square": square, "agreement": agreement}


def test_worlds_by_all_data_sets(small_world):
    worlds = opening_experiment.worlds_of_equal_type_1_error(6, 4, alpha=0.2)
    found = opening_experiment.compare_worlds(worlds)
    assert_allclose(found["type_1_error"], float(small_world["power"]), atol=1e-10)
    agree = found["replicability"]
    assert_allclose(agree["McNemar"], float(small_world["agreement"]), atol=1e-10)
    power = small_world["power"]
    assert agree["coin"] == pytest.approx(float(power**2 + (1 - power) ** 2))
    assert agree["fixed"] == 1
    again = opening_experiment.rejecting_again(6, 4, 0.0, alpha=0.2)
    assert again["new data"] == pytest.approx(float(power))
    assert again["same data"] == pytest.approx(float(small_world["square"] / power))


def test_repeated_experiments_follow_the_exact_probability():
    """A probability off by 0.1 is found with probability 0.9.

    At 6 of 20 other seeds p is not between 0.2 and 0.8.
    """
    right = opening_experiment.two_classifiers(200, difference=0.15, seed=7)
    repeated = opening_experiment.repeated_mcnemar(right, 80, repetitions=1000, seed=7)
    accepted = int((repeated["outcome"] == "no difference").sum())
    p = opening_experiment.acceptance_probability(right, 80)
    assert 0.2 < p < 0.8
    assert stats.binomtest(accepted, 1000, p).pvalue > ERROR_RATE


def test_a_longer_series_begins_like_a_shorter_one():
    right = opening_experiment.two_classifiers(100)
    few, many = (
        opening_experiment.repeated_mcnemar(right, 40, repetitions=n) for n in (3, 8)
    )
    pd.testing.assert_frame_equal(few, many.head(3))


def test_the_winner_is_the_one_that_is_right_more_often():
    right = opening_experiment.two_classifiers(400, difference=0.4)
    swapped = right.rename(columns={"A": "B", "B": "A"})
    assert set(opening_experiment.repeated_mcnemar(right, 300)["outcome"]) == {
        "B better"
    }
    assert set(opening_experiment.repeated_mcnemar(swapped, 300)["outcome"]) == {
        "A better"
    }


def test_the_lead_of_b_is_the_stated_one():
    """A share off by 0.007 is found with probability 0.9."""
    n = 200_000
    right = opening_experiment.two_classifiers(n, difference=0.1)
    limit = stats.norm.isf(ERROR_RATE) / (
        2 * np.sqrt(n)
    )  # no proportion varies more than one half
    assert abs(right["A"].mean() - 0.5) < limit
    assert abs(right["B"].mean() - 0.6) < limit
    assert (
        abs((right["A"] & right["B"]).mean() - 0.3) < limit
    )  # B is right independently of A


def test_drawn_worlds_reject_as_often_as_they_say():
    """A rate off by 2.1 points is found with probability 0.9."""
    worlds = opening_experiment.worlds_of_equal_type_1_error(300, 200, alpha=0.2)
    drawn = opening_experiment.draw_worlds(worlds, datasets=400, repetitions=50)
    error = worlds["coin"].power
    for name, rows in drawn.groupby("world"):
        by_dataset = rows.groupby("dataset")["reject"].mean()
        # the quantiles of a distribution average its mean, but for half a data set at
        # its step
        assert abs(by_dataset.mean() - error) < 0.5 / 400 + 5 * np.sqrt(
            error / len(rows)
        ), name
    spread = drawn.groupby(["world", "dataset"])["reject"].mean().groupby("world").var()
    assert spread["coin"] < spread["McNemar"] < spread["fixed"]


@pytest.mark.parametrize("lead", [Fraction(0), Fraction(1, 4)])
def test_power_and_replicability_are_sums_over_all_data_sets(lead):
    chances = {
        1: Fraction(1, 4) + lead / 2,
        -1: Fraction(1, 4) - lead / 2,
        0: Fraction(1, 2),
    }
    alpha = Fraction(3, 10)
    moments = [Fraction(0)] * 2
    for data in product(chances, repeat=4):
        weight = np.prod([chances[instance] for instance in data])
        rejected = rejection_probability(data, 3, alpha)
        moments = [m + weight * rejected**k for k, m in enumerate(moments, start=1)]
    power, square = (float(m) for m in moments)
    found = opening_experiment.power_and_replicability(
        4, 3, float(lead), alpha=float(alpha)
    )
    assert_allclose(found["power"], power)
    assert_allclose(found["replicability"], 1 - 2 * (power - square))
    assert_allclose(found["correlation"], (square - power**2) / (power * (1 - power)))
