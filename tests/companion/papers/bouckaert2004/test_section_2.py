"""Section 2: null laws by enumeration of signs, schemes by their formulas, errata in other ways."""

from fractions import Fraction
from itertools import pairwise, permutations, product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from companion.papers import ledger
from companion.papers.bouckaert2004 import section_2
from companion.papers.methods_of_2004 import lenient_sign_test, sign_test_as_printed
from replib import schemes, significance

blocks = arrays(
    np.int64,
    array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6),
    elements=st.integers(-20, 20),
)


@given(blocks)
def test_samples_by_the_letter_are_those_of_the_library(block):
    for scheme, values in section_2.samples_by_the_letter(block).items():
        found = schemes.sample(block, scheme=scheme)
        assert_allclose(found, [float(x) for x in values], rtol=1e-12, atol=1e-12)


@given(st.integers(1, 9), st.integers(1, 9))
def test_every_difference_is_used_once_by_our_index_and_not_by_the_printed_one(
    runs, folds
):
    indices = section_2.use_all_data_indices(runs, folds)
    ours = set(zip(indices["run"], indices["fold"]))
    assert ours == set(product(range(1, runs + 1), range(1, folds + 1)))
    assert_array_equal(indices["printed_run"] == 0, indices["i"] % runs == 0)
    assert (indices["printed_run"] == 0).sum() == folds


@given(blocks)
def test_sorting_keeps_the_spread(block):
    unsorted = schemes.sample(block, scheme="average_over_runs").var(ddof=1)
    ordered = schemes.sample(block, scheme="average_over_sorted_runs").var(ddof=1)
    within = block.var(axis=1, ddof=1).mean()
    noise = 1e-9 * (1 + within)
    assert unsorted <= ordered + noise
    assert ordered <= within + noise


def test_six_t_tests_against_scipy():
    block = section_2.example_block(6, 5, seed=3)
    tests = section_2.six_t_tests(block, confidence_level=0.9).set_index("scheme")
    for scheme, row in tests.iterrows():
        sample = schemes.sample(block, scheme=scheme)
        expected = stats.ttest_1samp(sample, 0).confidence_interval(0.9)
        assert_allclose([row["low"], row["high"]], expected, rtol=1e-10)
        assert row["n"] == sample.size
        assert_allclose(row["deviation"], sample.std(ddof=1), rtol=1e-10)


def test_ledger_of_the_schemes():
    frame = ledger.compare(
        section_2.rows_of_schemes(runs=3, folds=4), chapter="replicability"
    )
    assert frame.set_index("id")["verdict"].to_dict() == {
        "bouckaert2004.eq_schemes": "erratum"
    }


def test_the_samples_of_figure_1_are_column_row_box_and_margins_of_the_block():
    block = section_2.example_block(runs=4, folds=5)
    shown = dict(list(section_2.figure_1(block).groupby("scheme")["difference"]))
    expected = {
        "k_fold": block[0],
        "resampling": block[:, 0],
        "average_over_folds": block.mean(axis=1),
        "average_over_runs": block.mean(axis=0),
        "average_over_sorted_runs": np.sort(block)[:, ::-1].mean(axis=0),
    }
    for scheme, sample in expected.items():
        assert_allclose(shown[scheme], sample)
    assert_array_equal(np.sort(shown["use_all_data"]), np.sort(block, axis=None))


def test_variance_of_the_rank_sum_is_the_correct_one_and_the_printed_one_only_without_a_choice():
    moments = section_2.signed_rank_moments(range(1, 25))
    assert (moments["mean"] == moments["printed_mean"]).all()
    assert (moments["variance"] == moments["correct_variance"]).all()
    assert moments.index[
        moments["variance"] == moments["printed_variance"]
    ].tolist() == [1]


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("n", [5, 10])
def test_sizes_of_tests_are_those_of_all_sign_patterns(n, alpha):
    sizes = section_2.sizes_of_tests(alpha, [n]).set_index(["test", "form"])["size"]
    signs = np.array(list(product((-1, 1), repeat=n)))
    ranked = signs * np.arange(1, n + 1)
    pvalue = {
        ("sign_test", "exact"): significance.sign_test(signs).pvalue,
        ("sign_test", "as_printed"): sign_test_as_printed(signs).pvalue,
        ("sign_test", "swapped"): sign_test_as_printed(-signs).pvalue,
        ("sign_test", "lenient"): lenient_sign_test(signs).pvalue,
        ("signed_rank", "exact"): significance.signed_rank(
            ranked, method="exact"
        ).pvalue,
        ("signed_rank", "normal"): significance.signed_rank(
            ranked, method="normal"
        ).pvalue,
        ("signed_rank", "as_printed"): section_2.signed_rank_as_printed(ranked),
    }
    assert set(sizes.index) == set(pvalue)
    for key, p in pvalue.items():
        assert sizes[key] == pytest.approx(100 * (p < alpha).mean(), abs=1e-10)


def test_printed_rank_test_is_the_rule_of_the_paper():
    """Reject where the normal probability of Z = (r - m) / sigma is below a/2 or above 1 - a/2."""
    rng = np.random.default_rng(5)
    for sample in rng.normal(0.5, 1, size=(200, 12)):
        sample[rng.random(12) < 0.2] = 0
        ordered = sorted((x for x in sample if x), key=abs)
        r, n = sum(i for i, x in enumerate(ordered, 1) if x > 0), len(ordered)
        z = (r - n * (n + 1) / 4) / (n * (n + 1) * (n + 2) / 24) ** 0.5
        below = stats.norm.cdf(z)
        p = section_2.signed_rank_as_printed(sample)
        assert p == pytest.approx(2 * min(below, 1 - below), rel=1e-9)
    assert section_2.signed_rank_as_printed(np.zeros(4)) == 1


@pytest.mark.parametrize("n", [2, 5, 10])
def test_the_sign_test_with_the_observed_value_in_neither_tail(n):
    """2 min{P(X < Z), P(X > Z)} by counting all patterns of signs; the learners may be swapped."""
    test = section_2.SIGN_TESTS["lenient"]
    patterns = np.array(list(product([-1.0, 1.0], repeat=n)))
    pluses = (patterns > 0).sum(axis=1)
    result = test(patterns)
    for z, pvalue in zip(pluses, result.pvalue):
        tail = min(
            Fraction(int((pluses < z).sum()), 2**n),
            Fraction(int((pluses > z).sum()), 2**n),
        )
        assert pvalue == pytest.approx(float(2 * tail))
    assert np.allclose(test(-patterns).pvalue, result.pvalue)


def test_e05_variance_of_the_rank_sum_by_all_sign_vectors():
    n = 8
    sums = [
        sum(np.multiply(signs, range(1, n + 1))) for signs in product((0, 1), repeat=n)
    ]
    row = section_2.signed_rank_moments((n,)).loc[n]
    assert (
        row["variance"]
        == row["correct_variance"]
        == Fraction(int(np.var(sums) * 2**16), 2**16)
    )
    assert row["printed_variance"] < row["correct_variance"]
    sizes = (
        section_2.sizes_of_tests(sizes=(n,))
        .query("test == 'signed_rank'")
        .set_index("form")
    )
    for name, form in (("printed", "as_printed"), ("correct", "normal")):
        z = (np.array(sums) - np.mean(sums)) / float(row[f"{name}_variance"]) ** 0.5
        rejected = np.abs(z) >= stats.norm.isf(0.025)
        assert sizes.at[form, "size"] == pytest.approx(100 * rejected.mean())


def test_e06_the_two_tests_disagree_and_ranks_of_ties_need_a_rule():
    unpaired, paired = section_2.rank_tests()["pvalue"]
    assert unpaired > 0.5 and paired == 2 / 2**8
    x = (1, -1, 1, -1, 2, 3, -3, 4)
    sums = {
        sum(rank for rank, i in enumerate(order, 1) if x[i] > 0)
        for order in permutations(range(8))
        if all(abs(x[i]) <= abs(x[j]) for i, j in pairwise(order))
    }
    least, greatest = section_2.ranks_of_ties(x)["sum_of_positive_ranks"][[1, 0]]
    assert (min(sums), max(sums)) == (least, greatest)


def test_e07_sizes_of_the_sign_test():
    frame = section_2.sign_test_rules((10, 20))
    frame = frame[frame["rule"].isin(["as_printed", "exact"])].set_index("n")
    for n in (10, 20):
        tail = lambda low, high: (
            100 * sum(comb(n, i) for i in range(low, high + 1)) / 2**n
        )
        printed, exact = frame.loc[n].itertuples(index=False)
        for _, up_to, from_, size in (printed, exact):
            assert size == pytest.approx(tail(0, up_to) + tail(from_, n), rel=1e-12)
        assert printed[3] > 5 >= exact[3] and exact[1] + exact[2] == n
        # one plus more or less, and the exact test would exceed 2.5 % on a side
        assert tail(0, exact[1]) < 2.5 <= tail(0, exact[1] + 1)


def test_e08_printed_statistic_is_the_reciprocal():
    frame = section_2.t_statistics()
    assert np.allclose(frame["product"], 1) and frame["printed"].is_monotonic_decreasing
    x = frame["mean"].iloc[0] + np.array([-2, -1, 0, 1, 2])
    assert frame["t"].iloc[0] == pytest.approx(stats.ttest_1samp(x, 0).statistic)
