"""The signed-rank test: enumeration of all signs, agreement with SciPy and R."""

from fractions import Fraction

import numpy as np
import pytest
import sympy
from enumeration import sign_vectors, tail_probabilities
from golden import count_list, read_rows
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from replib.significance import sign_test, signed_rank
from replib.significance.ranks import (
    doubled_midranks,
    exact_tails,
    rank_sum_probabilities,
)


def mean_rank(value, values):
    below = sum(v < value for v in values)
    equal = sum(v == value for v in values)
    return below + Fraction(equal + 1, 2)


@pytest.mark.parametrize(
    "sizes",
    [
        (1, 2, 3, 4, 5, 6, 7),  # no ties
        (1, 1, 2, 2, 2, 5, 9, 9),  # ties
        (3, 3, 3, 3, 3, 3),  # nothing but a tie: the sign test in disguise
        (0, 0, 1, 1, 2, 4, 4, 7),  # zeros and ties
    ],
)
def test_signed_rank_is_the_enumeration_of_all_signs(sizes):
    differences = sign_vectors(len(sizes)) * np.array(sizes)
    nonzero = [s for s in sizes if s]
    ranks = [mean_rank(s, nonzero) if s else Fraction(0) for s in sizes]
    sums = [sum(r for r, d in zip(ranks, row) if d > 0) for row in differences]
    less = signed_rank(differences, alternative="less").pvalue
    greater = signed_rank(differences, alternative="greater").pvalue
    result = signed_rank(differences)
    assert_array_equal(result.statistic, [float(w) for w in sums])
    assert_array_equal(result.n, len(nonzero))
    tails = {w: tail_probabilities(sums, w) for w in set(sums)}
    assert_allclose(less, [float(tails[w][0]) for w in sums], rtol=1e-13)
    assert_allclose(greater, [float(tails[w][1]) for w in sums], rtol=1e-13)
    two_sided = [float(min(1, 2 * min(tails[w]))) for w in sums]
    assert_allclose(result.pvalue, two_sided, rtol=1e-13)

    # The normal approximation has the mean and the variance of the enumerated
    # distribution.
    mean = sum(sums) / len(sums)
    variance = sum((w - mean) ** 2 for w in sums) / len(sums)
    z = [float(w - mean) / float(variance) ** 0.5 for w in sums]
    assert_allclose(result.zstatistic, z, atol=1e-13)


@pytest.mark.parametrize("ranks", [[1], [1, 2, 3, 4, 5, 6, 7], [3, 3, 6, 9, 9, 9], []])
def test_rank_sum_probabilities_are_the_enumeration_of_all_signs(ranks):
    sums = (sign_vectors(len(ranks)) > 0) @ np.array(ranks, dtype=int)
    expected = np.bincount(sums.astype(int), minlength=sum(ranks) + 1) / 2 ** len(ranks)
    assert_array_equal(rank_sum_probabilities(ranks), expected)


def test_rank_sum_probabilities_count_without_rounding():
    """For 52 ranks, in whole numbers: as many patterns as a polynomial has in its coefficients."""
    counts = [1]
    for rank in range(1, 53):
        left_out, counted = counts + [0] * rank, [0] * rank + counts
        counts = [a + b for a, b in zip(left_out, counted)]
    computed = rank_sum_probabilities(np.arange(1, 53))
    assert [int(p * 2**52) for p in computed] == counts


@pytest.mark.parametrize("n", [1, 2, 5, 12, 30, 50])
def test_tails_of_many_samples_are_those_of_their_distributions(n):
    """With ties, zeros, neither and both, in one call; up to 52 ranks nothing is rounded."""
    rng = np.random.default_rng(n)
    x = rng.choice([0, 1, -2, 3, 0.25, -7, 9], size=(40, n))
    x[::3] = rng.normal(size=x[::3].shape)
    ranks = doubled_midranks(x)[0]
    sums = (ranks * rng.integers(0, 2, size=ranks.shape)).sum(axis=-1)
    at_most, at_least = exact_tails(ranks, sums)
    for row, w, *tails in zip(ranks, sums, at_most, at_least):
        probability = rank_sum_probabilities(row)
        assert tails == [probability[: w + 1].sum(), probability[w:].sum()]


def test_variance_with_ties_is_the_printed_formula():
    """Ranks a+1..a+t, once tied, lose (t^3 - t) / 12 of their sum of squares (Berrar Eq. 10)."""
    a, t, i, n = sympy.symbols("a t i n", positive=True, integer=True)
    untied = sympy.summation((a + i) ** 2, (i, 1, t))
    tied = t * (a + (t + 1) / 2) ** 2
    assert sympy.simplify(untied - tied - (t**3 - t) / 12) == 0
    without_ties = sympy.summation(i**2, (i, 1, n)) / 4
    assert sympy.simplify(without_ties - n * (n + 1) * (2 * n + 1) / 24) == 0


@pytest.mark.parametrize("correction", ["none", "towards_zero"])
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_zeros_ties_and_correction_are_those_of_scipy(alternative, correction):
    x = np.random.default_rng(8).integers(-3, 5, size=(40, 15))
    x[0] = 0
    x[0, 3] = 2
    ours = signed_rank(
        x, method="normal", alternative=alternative, correction=correction
    )
    theirs = stats.wilcoxon(
        x,
        axis=-1,
        method="approx",
        alternative=alternative,
        correction=correction != "none",
    )
    assert_allclose(ours.pvalue, theirs.pvalue, rtol=1e-12)
    assert_allclose(np.abs(ours.zstatistic), np.abs(theirs.zstatistic), atol=1e-12)


def test_signed_rank_auto_is_exact_up_to_fifty_nonzero_differences():
    x = np.random.default_rng(5).normal(0.2, 1, size=(2, 52))
    x[0, :2] = 0
    auto, exact, normal = (
        signed_rank(x, method=m).pvalue for m in ("auto", "exact", "normal")
    )
    assert auto[0] == exact[0] != normal[0]
    assert auto[1] == normal[1] != exact[1]


def test_signed_rank_agrees_with_r(golden):
    columns = {
        "none": ("z_no_cc", "p_R_normal_nocc"),
        "towards_zero": ("z_signed_cc", "p_R_normal_cc"),
    }
    for row in read_rows(golden("berrar/table_zw_cases.csv")):
        # Accuracies, not counts: their rounding noise must not break ties.
        correct = 7 + count_list(row["diff_counts"])
        n_test = int(row["n_test"])
        accuracies = correct / n_test - 7 / n_test
        for correction, (z, p) in columns.items():
            result = signed_rank(accuracies, method="normal", correction=correction)
            assert result.n == int(row["n_eff"])
            assert result.statistic == float(row["W_plus"])
            assert result.zstatistic == pytest.approx(float(row[z]), rel=1e-10)
            assert result.pvalue == pytest.approx(float(row[p]), rel=1e-10)
        sizes = np.abs(count_list(row["diff_counts"]))
        untied = len(set(sizes[sizes > 0])) == result.n
        if untied:  # R is exact without ties among at most 49 differences
            exact = signed_rank(accuracies)
            assert exact.pvalue == pytest.approx(float(row["p_R_default"]), rel=1e-10)


def test_rank_tests_see_through_rounding_noise():
    noisy = np.array([0.7, 0.3, 0.3, 0.9]) - np.array([0.6, 0.4, 0.1, 0.9])
    assert np.abs(noisy[0]) != np.abs(noisy[1])  # 0.1 twice, but for the last bits
    assert tuple(signed_rank(noisy)) == tuple(signed_rank([1, -1, 2, 0]))
    almost_zero = [0.3 - 0.2 - 0.1, 0.1, -0.1, 0.2]
    assert almost_zero[0] != 0
    assert sign_test(almost_zero).n == signed_rank(almost_zero).n == 3
    assert signed_rank(almost_zero).statistic == 4.5
    at_the_border = signed_rank(
        [0.5e-10, 1.2e-10, 1.0]
    )  # noise, and a difference close to it
    assert (at_the_border.n, at_the_border.statistic) == (2, 3)


def test_differences_that_differ_by_the_noise_of_rounding_are_tied():
    """Of the largest, 1e10, a 1e-10th is 1: as much is a tie, and zero, and more is neither."""
    for x, ranks in (
        ([2.0, 3.0, 1e10], [3, 3, 6]),
        ([2.0, 3.5, 1e10], [2, 4, 6]),
        ([1.0, 3.0, 1e10], [0, 2, 4]),
        ([1.5, 3.0, 1e10], [2, 4, 6]),
        ([-3.0, 2.0, 1e10], [3, 3, 6]),
    ):
        doubled, positive = doubled_midranks(np.array(x))
        assert doubled.tolist() == ranks and positive.sum() == (np.array(x) > 0).sum()
    assert doubled_midranks(np.zeros(3))[0].tolist() == [0, 0, 0]
