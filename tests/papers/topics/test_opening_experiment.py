"""What replicability is: probabilities by enumeration, mean and variance, the schemes of Figure 1."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from replib import schemes
from replib.papers import bouckaert2004, ledger
from replib.papers.topics import opening_experiment

# Fewer false alarms than one in a million runs; the seeds are fixed anyway.
ERROR_RATE = 1e-6

blocks = arrays(
    np.int64, array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6),
    elements=st.integers(-20, 20),
)


def rejects(outcomes: tuple[int, ...], alpha: Fraction) -> bool:
    """McNemar's exact test by tossing every coin: +1 is an instance for B, -1 one for A, 0 none."""
    b, a = outcomes.count(1), outcomes.count(-1)
    tosses = list(product((0, 1), repeat=a + b))
    as_extreme = sum(abs(2 * sum(t) - a - b) >= abs(a - b) for t in tosses)
    return Fraction(as_extreme, len(tosses)) < alpha


def rejection_probability(data: tuple[int, ...], test_size: int, alpha: Fraction) -> Fraction:
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


@pytest.mark.parametrize(("datasize", "test_size"), [(50, 10), (300, 99), (400, 380)])
def test_type_1_error_is_a_mean_and_replicability_a_variance(datasize, test_size):
    found = opening_experiment.compare_worlds(
        opening_experiment.worlds_of_equal_type_1_error(datasize, test_size)
    )
    error, variance, kappa = found["type_1_error"], found["variance"], found["correlation"]
    assert_allclose(found["replicability"], 1 - 2 * error * (1 - error) + 2 * variance, atol=1e-9)
    assert_allclose(found["replicability"], 1 - 2 * error * (1 - error) * (1 - kappa), atol=1e-9)
    assert_allclose(kappa[["coin", "fixed"]], [0, 1], atol=1e-12)
    assert 0 < kappa["McNemar"] < 1


def test_repeated_experiments_follow_the_exact_probability():
    right = opening_experiment.two_classifiers(200, difference=0.15, seed=7)
    repeated = opening_experiment.repeated_mcnemar(right, 80, repetitions=1000, seed=7)
    accepted = int((repeated["outcome"] == "no difference").sum())
    p = opening_experiment.acceptance_probability(right, 80)
    assert 0.2 < p < 0.8
    assert stats.binomtest(accepted, 1000, p).pvalue > ERROR_RATE


def test_a_longer_series_begins_like_a_shorter_one():
    right = opening_experiment.two_classifiers(100)
    few, many = (opening_experiment.repeated_mcnemar(right, 40, repetitions=n) for n in (3, 8))
    pd.testing.assert_frame_equal(few, many.head(3))


def test_the_winner_is_the_one_that_is_right_more_often():
    right = opening_experiment.two_classifiers(400, difference=0.4)
    swapped = right.rename(columns={"A": "B", "B": "A"})
    assert set(opening_experiment.repeated_mcnemar(right, 300)["outcome"]) == {"B better"}
    assert set(opening_experiment.repeated_mcnemar(swapped, 300)["outcome"]) == {"A better"}


def test_the_lead_of_b_is_the_stated_one():
    n = 200_000
    right = opening_experiment.two_classifiers(n, difference=0.1)
    limit = stats.norm.isf(ERROR_RATE) / (2 * np.sqrt(n))  # no proportion varies more than one half
    assert abs(right["A"].mean() - 0.5) < limit
    assert abs(right["B"].mean() - 0.6) < limit
    assert abs((right["A"] & right["B"]).mean() - 0.3) < limit  # B is right independently of A


def test_drawn_worlds_reject_as_often_as_they_say():
    worlds = opening_experiment.worlds_of_equal_type_1_error(300, 200, alpha=0.2)
    drawn = opening_experiment.draw_worlds(worlds, datasets=400, repetitions=50)
    error = worlds["coin"].power
    for name, rows in drawn.groupby("world"):
        by_dataset = rows.groupby("dataset")["reject"].mean()
        # the quantiles of a distribution average its mean, but for half a data set at its step
        assert abs(by_dataset.mean() - error) < 0.5 / 400 + 5 * np.sqrt(error / len(rows)), name
    spread = drawn.groupby(["world", "dataset"])["reject"].mean().groupby("world").var()
    assert spread["coin"] < spread["McNemar"] < spread["fixed"]


@given(blocks)
def test_samples_by_the_letter_are_those_of_the_library(block):
    for scheme, values in bouckaert2004.samples_by_the_letter(block).items():
        found = schemes.sample(block, scheme)
        assert_allclose(found, [float(x) for x in values], rtol=1e-12, atol=1e-12)


@given(st.integers(1, 9), st.integers(1, 9))
def test_every_difference_is_used_once_by_our_index_and_not_by_the_printed_one(runs, folds):
    indices = bouckaert2004.use_all_data_indices(runs, folds)
    ours = set(zip(indices["run"], indices["fold"]))
    assert ours == set(product(range(1, runs + 1), range(1, folds + 1)))
    assert_array_equal(indices["printed_run"] == 0, indices["i"] % runs == 0)
    assert (indices["printed_run"] == 0).sum() == folds


@given(blocks)
def test_sorting_keeps_the_spread(block):
    unsorted = schemes.sample(block, "average_over_runs").var(ddof=1)
    ordered = schemes.sample(block, "average_over_sorted_runs").var(ddof=1)
    within = block.var(axis=1, ddof=1).mean()
    noise = 1e-9 * (1 + within)
    assert unsorted <= ordered + noise
    assert ordered <= within + noise


def test_six_t_tests_against_scipy():
    block = bouckaert2004.example_block(6, 5, seed=3)
    tests = bouckaert2004.six_t_tests(block, confidence_level=0.9).set_index("scheme")
    for scheme, row in tests.iterrows():
        sample = schemes.sample(block, scheme)
        expected = stats.ttest_1samp(sample, 0).confidence_interval(0.9)
        assert_allclose([row["low"], row["high"]], expected, rtol=1e-10)
        assert row["n"] == sample.size
        assert_allclose(row["deviation"], sample.std(ddof=1), rtol=1e-10)


def test_ledger_of_the_schemes():
    frame = ledger.compare(bouckaert2004.schemes_of_section_2(3, 4), chapter="replicability")
    assert frame.set_index("id")["verdict"].to_dict() == {
        "bouckaert2004.fig01": "exact", "bouckaert2004.eq_schemes": "erratum",
    }


def test_the_check_of_figure_1_notices_a_wrong_scheme(monkeypatch):
    right_one = schemes.sample

    def confuse_rows_and_columns(block, scheme):
        folds, runs = "average_over_folds", "average_over_runs"
        return right_one(block, {folds: runs, runs: folds}.get(scheme, scheme))

    monkeypatch.setattr(schemes, "sample", confuse_rows_and_columns)
    rows = bouckaert2004.schemes_of_section_2(5, 5).set_index("id")
    assert not rows.at["bouckaert2004.fig01", "rebuilt"]
