"""Significance tests: exact enumeration, mathematical properties, agreement with other software."""

import csv
from fractions import Fraction
from itertools import product

import baycomp
import mlxtend.evaluate
import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

from replib.significance import (
    corrected_resampled_t,
    five_by_two_cv_t,
    mcnemar,
    paired_t,
    sign_test,
    signed_rank,
)


def corrected_t(differences, **options):
    return corrected_resampled_t(differences, test_train_ratio=1 / 9, **options)


def five_by_two(differences, **options):
    """The 5x2cv test on a flat sample of ten, to share checks with the other tests."""
    x = np.asarray(differences)
    return five_by_two_cv_t(x.reshape(*x.shape[:-1], 5, 2), **options)


T_TESTS = [paired_t, corrected_t, five_by_two]
RANK_TESTS = [sign_test, signed_rank]
MCNEMAR_METHODS = ["exact", "corrected", "as_printed", "uncorrected"]

# Differences of ten folds as counts of test instances: ties and zeros are frequent.
counts = arrays(np.int64, 10, elements=st.integers(-6, 6))
scores = arrays(np.float64, 10, elements=st.floats(-1, 1).map(lambda x: round(x, 4)))


# ---------------------------------------------------------------- exact enumeration


def sign_vectors(n):
    return np.array(list(product((-1, 1), repeat=n)))


def tail_probabilities(values, observed):
    """P(value <= observed) and P(value >= observed) over equally likely values, as fractions."""
    values = list(values)
    at_most = Fraction(sum(v <= observed for v in values), len(values))
    at_least = Fraction(sum(v >= observed for v in values), len(values))
    return at_most, at_least


def mean_rank(value, values):
    below = sum(v < value for v in values)
    equal = sum(v == value for v in values)
    return below + Fraction(equal + 1, 2)


@pytest.mark.parametrize("n", [2, 3, 8])
def test_sign_test_is_the_enumeration_of_all_signs(n):
    signs = sign_vectors(n)
    pluses = (signs > 0).sum(axis=1)
    result = {alt: sign_test(signs, alternative=alt).pvalue for alt in ("less", "greater")}
    two_sided = sign_test(signs).pvalue
    for row, z in enumerate(pluses):
        at_most, at_least = tail_probabilities(pluses, z)
        assert result["less"][row] == pytest.approx(float(at_most), rel=1e-13)
        assert result["greater"][row] == pytest.approx(float(at_least), rel=1e-13)
        assert two_sided[row] == pytest.approx(float(min(1, 2 * min(at_most, at_least))), rel=1e-13)


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

    # The normal approximation has the mean and the variance of the enumerated distribution.
    mean = sum(sums) / len(sums)
    variance = sum((w - mean) ** 2 for w in sums) / len(sums)
    z = [float(w - mean) / float(variance) ** 0.5 for w in sums]
    assert_allclose(result.zstatistic, z, atol=1e-13)


def test_signed_rank_with_equal_sizes_is_the_sign_test():
    signs = sign_vectors(9)
    assert_allclose(signed_rank(0.5 * signs).pvalue, sign_test(signs).pvalue, rtol=1e-13)


def test_variance_with_ties_is_the_printed_formula():
    """Ranks a+1..a+t, once tied, lose (t^3 - t) / 12 of their sum of squares (Berrar Eq. 10)."""
    a, t, i, n = sympy.symbols("a t i n", positive=True, integer=True)
    untied = sympy.summation((a + i) ** 2, (i, 1, t))
    tied = t * (a + (t + 1) / 2) ** 2
    assert sympy.simplify(untied - tied - (t**3 - t) / 12) == 0
    without_ties = sympy.summation(i**2, (i, 1, n)) / 4
    assert sympy.simplify(without_ties - n * (n + 1) * (2 * n + 1) / 24) == 0


def rejection_probability(pvalues, alpha):
    """Share of equally likely samples that are rejected, as a fraction."""
    return Fraction(int((pvalues < alpha).sum()), len(pvalues))


@pytest.mark.parametrize(
    ("n", "printed", "exact"), [(10, "0.0654", "0.0215"), (16, "0.0490", "0.0213")]
)
def test_size_of_the_printed_sign_test(n, printed, exact):
    """P(Z <= 1 or Z >= 8) = 67/1024 at n = 10, where 22/1024 is the size of the exact test."""
    signs = sign_vectors(n)
    size = {
        method: rejection_probability(sign_test(signs, method=method).pvalue, 0.05)
        for method in ("as_printed", "exact")
    }
    if n == 10:
        assert size == {"as_printed": Fraction(67, 1024), "exact": Fraction(22, 1024)}
    assert f"{float(size['as_printed']):.4f}" == printed
    assert f"{float(size['exact']):.4f}" == exact


def test_printed_sign_test_is_the_rule_of_the_paper():
    """B wins when p(Z) < alpha/2, A when p(Z) > 1 - alpha/2; a zero is half a plus."""
    n, alpha = 10, Fraction(1, 20)
    for pluses in range(n + 1):
        for minuses in range(n + 1 - pluses):
            x = [1] * pluses + [-1] * minuses + [0] * (n - pluses - minuses)
            z = pluses + Fraction(n - pluses - minuses, 2)
            p = sum(Fraction(int(sympy.binomial(n, i)), 2**n) for i in range(int(z) + 1))
            result = sign_test(x, method="as_printed")
            assert result.statistic == z
            rejects = p < alpha / 2 or p > 1 - alpha / 2
            assert (result.pvalue < alpha) == rejects
            if rejects:
                assert (result.estimate > 0) == (p > Fraction(1, 2))


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("test", RANK_TESTS)
@pytest.mark.parametrize("sizes", [range(1, 11), [1] * 10, [0, 0, 0, 1, 2, 2, 3, 3, 3, 4]])
def test_exact_tests_keep_every_level(test, sizes, alternative):
    differences = sign_vectors(10) * np.array(sizes)
    p = test(differences, alternative=alternative).pvalue
    for level in np.unique(p):
        assert (p <= level).mean() <= level * (1 + 1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("zeros", range(10))
def test_sign_test_with_half_zeros_is_conservative(zeros, alternative):
    """At levels up to 1/2: beyond the median the wider binomial has the lighter one-sided tail."""
    differences = np.pad(sign_vectors(10 - zeros), ((0, 0), (0, zeros)))
    p = sign_test(differences, zeros="half", alternative=alternative).pvalue
    for level in np.unique(p[p <= 0.5]):
        assert (p <= level).mean() <= level * (1 + 1e-12)


@pytest.mark.parametrize("test", [paired_t, corrected_t])
def test_t_tests_of_normal_differences_have_their_size(test):
    """40 000 normal samples: 5 % rejections if independent, far fewer once corrected.

    The bounds are four binomial standard errors: a correct test fails once in 16 000 seeds.
    """
    repetitions, n = 40_000, 10
    x = np.random.default_rng(2004).normal(size=(repetitions, n))
    if test is paired_t:
        size = 0.05
    else:  # a t of 9 df, shrunk by sqrt(1/n) / sqrt(1/n + 1/9)
        size = 2 * stats.t.sf(stats.t.ppf(0.975, 9) * np.sqrt(1 + n / 9), 9)
    rejected = (test(x).pvalue < 0.05).mean()
    assert abs(rejected - size) < 4 * np.sqrt(size * (1 - size) / repetitions)


def test_corrected_t_has_its_size_when_the_correlation_is_what_it_assumes():
    """Equicorrelated differences with rho / (1 - rho) = ratio make it an exact t test."""
    repetitions, n, ratio = 40_000, 20, 1 / 4
    rho = ratio / (1 + ratio)
    rng = np.random.default_rng(2005)
    shared = rng.normal(size=(repetitions, 1))
    x = np.sqrt(rho) * shared + np.sqrt(1 - rho) * rng.normal(size=(repetitions, n))
    rejected = (corrected_resampled_t(x, test_train_ratio=ratio).pvalue < 0.05).mean()
    assert abs(rejected - 0.05) < 4 * np.sqrt(0.05 * 0.95 / repetitions)
    assert (paired_t(x).pvalue < 0.05).mean() > 0.3


@pytest.mark.parametrize("n", [1, 2, 7, 25])
def test_mcnemar_exact_is_the_binomial_sum(n):
    for n10 in range(n + 1):
        tail = sum(Fraction(int(sympy.binomial(n, i)), 2**n) for i in range(min(n10, n - n10) + 1))
        p = mcnemar(n10, n - n10).pvalue
        assert p == pytest.approx(float(min(1, 2 * tail)), rel=1e-13)


# ---------------------------------------------------------------- agreement with other software


@pytest.fixture(scope="module")
def random_differences():
    """Twenty samples of twelve; the last ten rounded, so that they have ties and zeros."""
    x = np.random.default_rng(24).normal(0.01, 0.03, size=(20, 12))
    x[10:] = np.round(x[10:], 2)
    return x


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_paired_t_agrees_with_scipy(random_differences, alternative):
    ours = paired_t(random_differences, alternative=alternative)
    theirs = stats.ttest_1samp(random_differences, 0, axis=-1, alternative=alternative)
    assert_allclose(ours.statistic, theirs.statistic, rtol=1e-12)
    assert_allclose(ours.pvalue, theirs.pvalue, rtol=1e-12)
    assert ours.df == 11
    for level in (0.5, 0.95):
        assert_allclose(
            ours.confidence_interval(level), theirs.confidence_interval(level), rtol=1e-10
        )


def test_paired_t_agrees_with_scipy_on_paired_scores():
    rng = np.random.default_rng(7)
    a, b = rng.uniform(0.6, 0.9, size=(2, 30))
    theirs = stats.ttest_rel(a, b)
    assert_allclose(tuple(paired_t(a - b)), tuple(theirs), rtol=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_sign_test_agrees_with_scipy(random_differences, alternative):
    ours = sign_test(random_differences, alternative=alternative)
    for row, x in enumerate(random_differences):
        theirs = stats.binomtest(
            int((x > 0).sum()), int((x != 0).sum()), 0.5, alternative=alternative
        )
        assert ours.pvalue[row] == pytest.approx(theirs.pvalue, rel=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("correction", [False, True])
def test_normal_signed_rank_agrees_with_scipy(random_differences, alternative, correction):
    for x in random_differences:
        ours = signed_rank(
            x,
            alternative=alternative,
            method="normal",
            correction="towards_zero" if correction else "none",
        )
        theirs = stats.wilcoxon(
            x, method="approx", correction=correction, alternative=alternative
        )
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)
        assert abs(ours.zstatistic) == pytest.approx(abs(theirs.zstatistic), abs=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("n", [2, 12, 50, 80])
def test_exact_signed_rank_agrees_with_scipy(alternative, n):
    x = np.random.default_rng(n).normal(0.2, 1, size=(10, n))
    ours = signed_rank(x, alternative=alternative, method="exact")
    theirs = stats.wilcoxon(x, axis=-1, method="exact", alternative=alternative)
    assert_allclose(ours.pvalue, theirs.pvalue, rtol=1e-11)


def test_signed_rank_auto_is_exact_up_to_fifty_nonzero_differences():
    x = np.random.default_rng(5).normal(0.2, 1, size=(2, 52))
    x[0, :2] = 0
    auto, exact, normal = (signed_rank(x, method=m).pvalue for m in ("auto", "exact", "normal"))
    assert auto[0] == exact[0] != normal[0]
    assert auto[1] == normal[1] != exact[1]


def test_corrected_repeated_cv_t_agrees_with_baycomp():
    """The Bayesian correlated t test has the same tail area as the frequentist one."""
    block = np.random.default_rng(11).normal(0.02, 0.05, size=(30, 10, 10))
    ours = corrected_resampled_t(block, test_train_ratio=1 / 9, axis=(-2, -1))
    for row, x in enumerate(block):
        theirs = 2 * min(baycomp.two_on_single(x.ravel(), np.zeros(100), runs=10))
        assert ours.pvalue[row] == pytest.approx(theirs, rel=1e-9)
    assert ours.df == 99


def table(n10, n01):
    return np.array([[40, n10], [n01, 9]])


DISCORDANT = [(25, 12), (12, 25), (6, 5), (1, 0), (0, 9), (300, 211)]


@pytest.mark.parametrize(("n10", "n01"), DISCORDANT)
@pytest.mark.parametrize("method", ["exact", "corrected", "uncorrected"])
def test_mcnemar_agrees_with_mlxtend_and_statsmodels(n10, n01, method):
    ours = mcnemar(n10, n01, method=method)
    exact, corrected = method == "exact", method == "corrected"
    chi2, p = mlxtend.evaluate.mcnemar(table(n10, n01), corrected=corrected, exact=exact)
    assert ours.pvalue == pytest.approx(p, rel=1e-11)
    if not exact:
        assert ours.statistic == pytest.approx(chi2, rel=1e-12)
    theirs = statsmodels_mcnemar(table(n10, n01), exact=exact, correction=corrected)
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-11)


def test_mcnemar_where_the_correction_must_stop_at_zero():
    """Others print (0 - 1)^2 / n at a tie: the paper's formula, kept as "as_printed"."""
    assert tuple(mcnemar(5, 5, method="corrected")) == (0, 1)
    chi2, p = mlxtend.evaluate.mcnemar(table(5, 5))
    assert chi2 == mcnemar(5, 5, method="as_printed").statistic == pytest.approx(1 / 10)
    assert p == pytest.approx(mcnemar(5, 5, method="as_printed").pvalue, rel=1e-12)


class OracleClassifier:
    """Scores what it is told, split by split: lets mlxtend run its test on given differences."""

    _estimator_type = "classifier"

    def __init__(self, scores):
        self.scores = iter(scores)

    def fit(self, X, y):
        return self


def test_five_by_two_cv_t_agrees_with_mlxtend():
    for block in np.random.default_rng(3).normal(0.02, 0.05, size=(20, 5, 2)):
        t, p = mlxtend.evaluate.paired_ttest_5x2cv(
            OracleClassifier(block.ravel()),
            OracleClassifier(np.zeros(10)),
            X=np.zeros((20, 1)),
            y=np.arange(20) % 2,
            scoring=lambda estimator, X, y: next(estimator.scores),
        )
        ours = five_by_two_cv_t(block)
        assert tuple(ours) == pytest.approx((t, p), rel=1e-12)
        assert ours.df == 5


def read_rows(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def count_list(text):
    return np.array([int(c) for c in text.split()])


def test_corrected_t_agrees_with_r(shared):
    for row in read_rows(shared / "golden/berrar/table_t_cases.csv"):
        valid, train = int(row["n_valid"]), int(row["n_train"])
        result = corrected_resampled_t(
            count_list(row["diff_counts"]) / valid, test_train_ratio=valid / train
        )
        assert result.statistic == pytest.approx(float(row["t"]), rel=1e-11, abs=1e-12)
        assert result.pvalue == pytest.approx(float(row["p"]), rel=1e-11)


@pytest.mark.parametrize("name", ["ls1_d20", "ls3_d11", "ls5_d24"])
def test_corrected_t_of_cross_validation_agrees_with_r(shared, name):
    folds = read_rows(shared / f"golden/berrar/{name}_folds.csv")
    column = {key: np.array([float(row[key]) for row in folds]) for key in folds[0]}
    for row in read_rows(shared / f"golden/berrar/{name}_t.csv"):
        contrast = row["contrast"]
        if contrast.startswith("oracle_q"):
            x = column[contrast.replace("oracle_", "oracle_diff_")]
        else:
            x = column["svm_acc"] - column[contrast.replace("svm_minus_", "").replace("_", "_acc_")]
        result = corrected_resampled_t(x, test_train_ratio=100 / 900)
        assert result.statistic == pytest.approx(float(row["t"]), rel=1e-9, abs=1e-12)
        assert result.pvalue == pytest.approx(float(row["p"]), rel=1e-9)


def test_signed_rank_agrees_with_r(shared):
    columns = {
        "as_printed": ("z_paper_cc", "p_z_paper"),
        "none": ("z_no_cc", "p_R_normal_nocc"),
        "towards_zero": ("z_signed_cc", "p_R_normal_cc"),
    }
    for row in read_rows(shared / "golden/berrar/table_zw_cases.csv"):
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


# ---------------------------------------------------------------- properties


@given(counts, st.sampled_from(T_TESTS + RANK_TESTS), st.sampled_from([1e-3, 0.1, 3.0, 1e4]))
@pytest.mark.filterwarnings("ignore:.*no variance:RuntimeWarning")
def test_unit_of_the_differences_does_not_matter(x, test, unit):
    one, other = test(x), test(unit * x)
    assert_allclose(other.statistic, one.statistic, rtol=1e-9, atol=1e-12)
    assert_allclose(other.pvalue, one.pvalue, rtol=1e-9)


@given(counts, st.sampled_from(T_TESTS + RANK_TESTS))
@pytest.mark.filterwarnings("ignore:.*no variance:RuntimeWarning")
def test_exchanging_the_classifiers_exchanges_the_tails(x, test):
    one, other = test(x), test(-x)
    assert_allclose(other.estimate, -np.asarray(one.estimate), rtol=1e-12)
    assert_allclose(other.pvalue, one.pvalue, rtol=1e-12)
    less, greater = test(x, alternative="less"), test(-x, alternative="greater")
    assert_allclose(less.pvalue, greater.pvalue, rtol=1e-12)
    if test in T_TESTS:
        assert_allclose(other.statistic, -np.asarray(one.statistic), rtol=1e-12)


@given(counts, st.randoms(use_true_random=False))
@pytest.mark.filterwarnings("ignore:.*no variance:RuntimeWarning")
@pytest.mark.parametrize("test", [paired_t, corrected_t, sign_test, signed_rank])
def test_order_of_the_sample_does_not_matter(test, x, random):
    shuffled = x.copy()
    random.shuffle(shuffled)
    assert_allclose(tuple(test(shuffled)), tuple(test(x)), rtol=1e-12, atol=1e-15)


@given(scores, st.sampled_from([paired_t, corrected_t, five_by_two]))
@pytest.mark.filterwarnings("ignore:.*no variance:RuntimeWarning")
def test_two_sided_and_one_sided_p_of_t_tests(x, test):
    less = test(x, alternative="less").pvalue
    greater = test(x, alternative="greater").pvalue
    two_sided = test(x)
    if two_sided.statistic == 0 and two_sided.standard_error == 0:
        assert less == greater == two_sided.pvalue == 1
    else:
        assert less + greater == pytest.approx(1)
        assert two_sided.pvalue == pytest.approx(2 * min(less, greater), rel=1e-12)


@given(counts, st.sampled_from(RANK_TESTS))
def test_one_sided_p_of_discrete_tests_share_the_observed_value(x, test):
    less = test(x, alternative="less").pvalue
    greater = test(x, alternative="greater").pvalue
    assert less + greater >= 1 - 1e-12
    assert test(x).pvalue == pytest.approx(min(1, 2 * min(less, greater)), rel=1e-12)


@given(scores)
def test_printed_sign_rule_splits_the_probability(x):
    less = sign_test(x, method="as_printed", alternative="less").pvalue
    greater = sign_test(x, method="as_printed", alternative="greater").pvalue
    if np.any(x):
        assert less + greater == pytest.approx(1)
        assert greater < sign_test(x, zeros="half", alternative="greater").pvalue


@pytest.mark.parametrize("test", T_TESTS + RANK_TESTS)
@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.filterwarnings("ignore:.*no variance:RuntimeWarning")
def test_a_batch_is_its_rows(test, alternative):
    """Ties, zeros, degenerate samples, mixed numbers of nonzero differences, all at once."""
    x = np.random.default_rng(9).integers(-4, 5, size=(3, 20, 10)) / 50
    x[0, 0], x[0, 1], x[0, 2, :7] = 0, 0.02, 0
    batch = test(x, alternative=alternative)
    for index in np.ndindex(3, 20):
        row = test(x[index], alternative=alternative)
        assert isinstance(row.pvalue, float)
        fields = ("statistic", "pvalue", "estimate", "standard_error", "zstatistic")
        for field in fields:
            if getattr(row, field) is not None:
                assert getattr(batch, field)[index] == pytest.approx(getattr(row, field), abs=1e-14)
        assert np.broadcast_to(batch.n, (3, 20))[index] == row.n


@pytest.mark.parametrize("test", [paired_t, corrected_t, sign_test, signed_rank])
def test_axes(test):
    x = np.random.default_rng(10).normal(size=(4, 5, 6))
    merged = test(x.reshape(4, 30)).pvalue
    assert_allclose(test(x, axis=(-2, -1)).pvalue, merged, rtol=1e-12)
    assert_allclose(test(x, axis=(2, 1)).pvalue, merged, rtol=1e-12)
    assert_allclose(test(np.moveaxis(x, 0, 1), axis=(0, 2)).pvalue, merged, rtol=1e-12)
    assert_allclose(test(x, axis=0).pvalue, test(np.moveaxis(x, 0, -1)).pvalue, rtol=1e-12)
    assert test(np.empty((0, 10))).pvalue.shape == (0,)


def test_axes_of_five_by_two():
    x = np.random.default_rng(12).normal(size=(5, 3, 2))
    expected = five_by_two_cv_t(np.moveaxis(x, 1, 0)).statistic
    assert_array_equal(five_by_two_cv_t(x, axis=(0, 2)).statistic, expected)
    assert_array_equal(five_by_two_cv_t(x.transpose(2, 1, 0), axis=(2, 0)).statistic, expected)


@given(scores, st.floats(0.5, 0.999), st.sampled_from(["two-sided", "less", "greater"]))
@pytest.mark.parametrize("test", [paired_t, corrected_t])
@pytest.mark.filterwarnings("ignore:.*no variance:RuntimeWarning")
def test_interval_holds_what_the_test_accepts(test, x, level, alternative):
    result = test(x, alternative=alternative)
    if result.standard_error == 0:
        assert result.confidence_interval(level).low in (result.estimate, -np.inf)
        return
    for limit in result.confidence_interval(level):
        if np.isfinite(limit):
            at_limit = test(x - limit, alternative=alternative).pvalue
            assert at_limit == pytest.approx(1 - level, rel=1e-5)


@given(st.integers(0, 40), st.integers(0, 40), st.sampled_from(MCNEMAR_METHODS))
def test_mcnemar_is_symmetric_and_ordered(n10, n01, method):
    one, other = mcnemar(n10, n01, method=method), mcnemar(n01, n10, method=method)
    assert one.pvalue == other.pvalue
    assert one.estimate == -other.estimate
    uncorrected = mcnemar(n10, n01, method="uncorrected").pvalue
    assert uncorrected <= mcnemar(n10, n01, method="corrected").pvalue
    as_printed = mcnemar(n10, n01, method="as_printed").pvalue
    assert (as_printed == mcnemar(n10, n01, method="corrected").pvalue) == (n10 != n01 or n10 == 0)


@given(counts)
def test_mcnemar_exact_is_the_sign_test_of_the_instances(x):
    result = mcnemar((x > 0).sum(), (x < 0).sum())
    assert result.pvalue == pytest.approx(sign_test(x).pvalue, rel=1e-12)
    assert result.estimate == sign_test(x).estimate


def test_mcnemar_broadcasts():
    n10, n01 = np.arange(4)[:, np.newaxis], np.arange(3)
    for method in MCNEMAR_METHODS:
        result = mcnemar(n10, n01, method=method)
        assert result.statistic.shape == result.pvalue.shape == (4, 3)
        assert result.pvalue[2, 1] == mcnemar(2, 1, method=method).pvalue


# ---------------------------------------------------------------- degenerate and bad input


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("test", T_TESTS + RANK_TESTS)
def test_all_differences_zero_accepts(test, alternative):
    result = test(np.zeros(10), alternative=alternative)
    assert (result.statistic, result.pvalue, result.estimate) == (0, 1, 0)


def test_all_differences_zero_accepts_by_the_printed_sign_rule():
    result = sign_test(np.zeros(10), method="as_printed")
    assert (result.statistic, result.pvalue, result.estimate) == (5, 1, 0)


@pytest.mark.parametrize("method", MCNEMAR_METHODS)
def test_no_discordant_pair_accepts(method):
    result = mcnemar(0, 0, method=method)
    assert (result.statistic, result.pvalue, result.estimate) == (0, 1, 0)


# Differences of one fold more or less, by way of accuracies: equal up to rounding noise only.
NOISY_CONSTANTS = [
    np.full(10, 0.1),
    np.full(7, 1 / 3),
    np.arange(60, 70) / 100 - np.arange(59, 69) / 100,
    (np.arange(60, 70) / 10) - (np.arange(59, 69) / 10),
]


@pytest.mark.parametrize("x", NOISY_CONSTANTS)
@pytest.mark.parametrize("test", [paired_t, corrected_t])
def test_constant_differences_are_recognised_through_rounding_noise(test, x):
    for sign in (1, -1):
        with pytest.warns(RuntimeWarning, match="no variance") as record:
            result = test(sign * x)
        assert record[0].filename == __file__  # the warning points at the caller
        assert result.statistic == sign * np.inf
        assert result.pvalue == 0
        assert result.standard_error == 0
        assert result.confidence_interval() == (result.estimate, result.estimate)
        with pytest.warns(RuntimeWarning):
            towards = test(sign * x, alternative="greater" if sign > 0 else "less")
            away = test(sign * x, alternative="less" if sign > 0 else "greater")
        assert (towards.pvalue, away.pvalue) == (0, 1)


def test_noise_among_ordinary_samples_is_counted():
    x = np.array([[0.1, 0.2, 0.3], [0.1, 0.1, 0.1], [0.0, 0.0, 0.0]])
    with pytest.warns(RuntimeWarning, match="1 of 3 samples"):
        result = paired_t(x)
    assert result.statistic[1:].tolist() == [np.inf, 0]
    assert result.pvalue[1:].tolist() == [0, 1]
    assert result.statistic[0] == pytest.approx(12**0.5)


def test_nearly_constant_is_not_constant():
    x = 1 + 1e-7 * np.array([-1.0, 0.0, 1.0])
    assert paired_t(x).statistic == pytest.approx(np.sqrt(3) / 1e-7, rel=1e-6)


def test_five_by_two_without_variance():
    with pytest.warns(RuntimeWarning, match="no variance"):
        result = five_by_two_cv_t(np.full((5, 2), -0.1))
    assert (result.statistic, result.pvalue) == (-np.inf, 0)
    no_numerator = np.full((5, 2), 0.1)
    no_numerator[0] = 0
    assert tuple(five_by_two_cv_t(no_numerator)) == (0, 1)


def test_rank_tests_see_through_rounding_noise():
    noisy = np.array([0.7, 0.3, 0.3, 0.9]) - np.array([0.6, 0.4, 0.1, 0.9])
    assert np.abs(noisy[0]) != np.abs(noisy[1])  # 0.1 twice, but for the last bits
    assert tuple(signed_rank(noisy)) == tuple(signed_rank([1, -1, 2, 0]))
    almost_zero = [0.3 - 0.2 - 0.1, 0.1, -0.1, 0.2]
    assert almost_zero[0] != 0
    assert sign_test(almost_zero).n == signed_rank(almost_zero).n == 3
    assert signed_rank(almost_zero).statistic == 4.5
    at_the_border = signed_rank([0.5e-10, 1.2e-10, 1.0])  # noise, and a difference close to it
    assert (at_the_border.n, at_the_border.statistic) == (2, 3)


@pytest.mark.parametrize("test", T_TESTS + RANK_TESTS)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_differences_that_are_not_finite_are_refused(test, bad):
    x = np.linspace(-1, 2, 10)
    x[3] = bad
    with pytest.raises(ValueError, match="finite"):
        test(np.stack([np.zeros(10), x]))


@pytest.mark.parametrize("test", [paired_t, corrected_t, sign_test, signed_rank])
def test_bad_samples_and_options_are_refused(test):
    for too_small in ([0.1], [], [[0.1], [0.2]]):
        with pytest.raises(ValueError, match="at least two"):
            test(too_small)
    with pytest.raises(ValueError, match="at least two"):
        test(np.ones((3, 4)), axis=())
    for axis in (2, -3, (0, 0), "runs", 1.5):
        with pytest.raises(ValueError, match="axis"):
            test(np.ones((3, 4)), axis=axis)
    for alternative in ("both", None, 1):
        with pytest.raises(ValueError, match="alternative must be one of"):
            test(np.arange(4), alternative=alternative)
    for not_numbers in (["a", "b"], [[1, 2], [3]], [None, None, "x"], [1j, 2j]):
        with pytest.raises(ValueError, match="real numbers"):
            test(not_numbers)
    with pytest.raises(TypeError):
        test([1, 2, 3], 0)


@pytest.mark.parametrize("ratio", [0, -0.1, np.nan, np.inf, [0.1, 0.2]])
def test_bad_ratio_is_refused(ratio):
    with pytest.raises(ValueError, match="test_train_ratio"):
        corrected_resampled_t([1, 2, 3], test_train_ratio=ratio)


def test_ratio_is_required():
    with pytest.raises(TypeError, match="test_train_ratio"):
        corrected_resampled_t([1, 2, 3])


@pytest.mark.parametrize("shape", [(2, 5), (5, 3), (10, 10)])
def test_wrong_block_for_five_by_two_is_refused(shape):
    with pytest.raises(ValueError, match="5 runs x 2 folds"):
        five_by_two_cv_t(np.ones(shape))


@pytest.mark.parametrize("axis", [-1, (0, 1, 2), (0, 0), 5])
def test_wrong_axes_for_five_by_two_are_refused(axis):
    with pytest.raises(ValueError, match="ax[ie]s"):
        five_by_two_cv_t(np.ones((3, 5, 2)), axis=axis)


@pytest.mark.parametrize(
    ("test", "options"),
    [
        (sign_test, {"zeros": "drop"}),
        (sign_test, {"method": "normal"}),
        (signed_rank, {"method": "as_printed"}),
        (signed_rank, {"correction": True}),
    ],
)
def test_unknown_options_are_refused(test, options):
    with pytest.raises(ValueError, match="must be one of"):
        test([1, 2, 3], **options)


@pytest.mark.parametrize("bad", [-1, 2.5, np.nan, np.inf, "many", [3, -2]])
def test_bad_counts_are_refused(bad):
    with pytest.raises(ValueError, match="n10|real numbers"):
        mcnemar(bad, 1)
    with pytest.raises(ValueError, match="n01|real numbers"):
        mcnemar(1, bad)


def test_counts_of_any_integer_type_are_accepted():
    small = np.array([3, 200], dtype=np.uint8)
    expected = mcnemar([3, 200], [5, 100]).pvalue
    assert_array_equal(mcnemar(small, np.array([5, 100], dtype=np.uint8)).pvalue, expected)
    assert_array_equal(mcnemar([3.0, 200.0], [5, 100]).pvalue, expected)
    with pytest.raises(ValueError):
        mcnemar([1, 2, 3], [1, 2])
    with pytest.raises(ValueError, match="method"):
        mcnemar(1, 2, method="chi2")


@pytest.mark.parametrize("result", [sign_test([1, 2, -3]), signed_rank([1, 2, -3]), mcnemar(3, 1)])
def test_no_interval_without_standard_error(result):
    with pytest.raises(ValueError, match="t tests only"):
        result.confidence_interval()


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, np.nan])
def test_bad_confidence_level_is_refused(level):
    with pytest.raises(ValueError, match="confidence_level"):
        paired_t([1, 2, 4]).confidence_interval(level)


def test_result_unpacks_to_statistic_and_pvalue_and_is_frozen():
    result = paired_t([1, 2, 4])
    statistic, pvalue = result
    assert (statistic, pvalue) == (result.statistic, result.pvalue)
    with pytest.raises(AttributeError):
        result.pvalue = 0
