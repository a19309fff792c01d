"""Tests of Section 2: null laws by enumeration, Task I against instances, sizes against formulas.

Statistical tests have fixed seeds; each says how often a correct program would fail another one.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product
from math import comb

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from replib import schemes, significance
from replib.papers import bouckaert2004, bouckaert_frank2004, ledger
from replib.papers.topics import dependence


def differs_by_noise(observed, expected, standard_error):
    """Four standard errors: a correct program fails once in 16 000 seeds."""
    return np.all(np.abs(observed - expected) < 4 * standard_error)


# ---------------------------------------------------------------- null laws of the tests


@pytest.mark.parametrize("n", [1, 4, 9])
def test_signed_rank_counts_are_the_enumeration_of_all_signs(n):
    sums = [sum(positive) for positive in product(*((0, rank) for rank in range(1, n + 1)))]
    assert bouckaert2004.signed_rank_counts(n) == np.bincount(sums).tolist()


def test_variance_of_the_rank_sum_is_the_correct_one_and_the_printed_one_only_without_a_choice():
    moments = bouckaert2004.signed_rank_moments(range(1, 25))
    assert (moments["mean"] == moments["printed_mean"]).all()
    assert (moments["variance"] == moments["correct_variance"]).all()
    assert moments.index[moments["variance"] == moments["printed_variance"]].tolist() == [1]


def test_signed_rank_null_is_a_law_beside_its_approximations():
    null = bouckaert2004.signed_rank_null(12)
    assert null["exact"].sum() == pytest.approx(1, abs=1e-15)
    spread = lambda weights: np.cov(null["rank_sum"], aweights=weights, ddof=0)
    assert spread(null["exact"]) == pytest.approx(12 * 13 * 25 / 24)
    assert np.abs(null["correct"] - null["exact"]).max() < 0.002
    assert np.abs(null["printed"] - null["exact"]).max() > 0.01


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
@pytest.mark.parametrize("n", [5, 10])
def test_sizes_of_tests_are_those_of_all_sign_patterns(n, alpha):
    sizes = bouckaert2004.sizes_of_tests(alpha, [n]).set_index(["test", "form"])["size"]
    signs = np.array(list(product((-1, 1), repeat=n)))
    ranked = signs * np.arange(1, n + 1)
    pvalue = {
        ("sign_test", "exact"): significance.sign_test(signs).pvalue,
        ("sign_test", "as_printed"): significance.sign_test(signs, method="as_printed").pvalue,
        ("signed_rank", "exact"): significance.signed_rank(ranked, method="exact").pvalue,
        ("signed_rank", "normal"): significance.signed_rank(ranked, method="normal").pvalue,
        ("signed_rank", "as_printed"): bouckaert2004.signed_rank_as_printed(ranked),
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
        p = bouckaert2004.signed_rank_as_printed(sample)
        assert p == pytest.approx(2 * min(below, 1 - below), rel=1e-9)
    assert bouckaert2004.signed_rank_as_printed(np.zeros(4)) == 1


def test_printed_t_is_the_reciprocal_up_to_the_sample_size():
    x = np.random.default_rng(6).normal(1, 1, size=(50, 8))
    product_with_t = bouckaert2004.paired_t_as_printed(x) * significance.paired_t(x).statistic
    assert_allclose(product_with_t, 1, rtol=1e-12)  # sqrt(n) / sqrt(n)
    falling = bouckaert2004.paired_t_as_printed(x[0] + np.array([[5.0], [10.0], [20.0]]))
    assert (np.diff(falling) < 0).all()


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_mcnemar_sizes_are_binomial_tails(alpha):
    sizes = bouckaert_frank2004.mcnemar_sizes(alpha, 30).set_index(["form", "n"])["size"]
    for n in range(1, 31):
        exact = chi_square = Fraction(0)
        for n10 in range(n + 1):
            weight = Fraction(comb(n, n10), 2**n)
            if stats.binomtest(n10, n).pvalue < alpha:
                exact += weight
            if stats.chi2.sf((2 * n10 - n) ** 2 / n, 1) < alpha:
                chi_square += weight
        assert sizes["exact", n] == pytest.approx(100 * float(exact), abs=1e-10)
        assert sizes["uncorrected", n] == pytest.approx(100 * float(chi_square), abs=1e-10)
        assert sizes["as_printed", n] == sizes["corrected", n] <= sizes["uncorrected", n]


# ---------------------------------------------------------------- Task I: counts against instances


def test_block_of_counts_is_the_accuracy_of_two_classifiers_on_instances():
    """Instances (x, y) are laid out in folds as the counts say; A predicts 1, B predicts x."""
    instances, runs, folds = 47, 3, 5
    block, = dependence.task_1_differences(
        1, instances=instances, runs=runs, folds=folds, seed=11
    )
    sizes = [instances // folds + (fold < instances % folds) for fold in range(folds)]
    totals = set()
    for run in block:
        counts = np.rint(run * sizes).astype(int)
        assert_allclose(counts / sizes, run, rtol=1e-14, atol=1e-15)
        totals.add(counts.sum())
        for net, size, difference in zip(counts, sizes, run):
            # any instances with this balance of wins and losses: y = 1, x = 0 is a win of A
            x = np.repeat([0, 0, 1], [max(net, 0), max(-net, 0), size - abs(net)])
            y = np.repeat([1, 0, 1], [max(net, 0), max(-net, 0), size - abs(net)])
            assert np.mean(y == 1) - np.mean(x == y) == pytest.approx(difference, abs=1e-15)
    assert len(totals) == 1  # each run shares out the same instances


def dealt_out(labels, folds):
    """Exact distribution of one run: differences by fold over all orders of the instances."""
    size = len(labels) // folds
    law = {}
    for order in permutations(labels):
        key = tuple(sum(order[i * size:(i + 1) * size]) for i in range(folds))
        law[key] = law.get(key, 0) + 1
    return {key: Fraction(n, sum(law.values())) for key, n in law.items()}


def test_run_has_the_distribution_of_dealt_out_instances():
    """Chi-square over all outcomes of 6 instances in 3 folds; fails once in 1000 other seeds."""
    datasets, folds = 20_000, 3
    block = dependence.task_1_differences(datasets, instances=6, runs=1, folds=folds, seed=3)
    observed, counts = np.unique(np.rint(2 * block[:, 0]).astype(int), axis=0, return_counts=True)
    law = {}
    for labels in product((1, -1, 0, 0), repeat=6):  # a draw is twice as likely as a win
        key = tuple(sorted(labels))
        law[key] = law.get(key, 0) + Fraction(1, 4**6)
    expected = {}
    for labels, weight in law.items():
        for key, share in dealt_out(labels, folds).items():
            expected[key] = expected.get(key, 0) + weight * share
    assert sum(expected.values()) == 1
    found = {tuple(key): n for key, n in zip(observed.tolist(), counts)}
    assert set(found) <= set(expected)
    keys = sorted(expected)
    test = stats.chisquare(
        [found.get(key, 0) for key in keys], [datasets * float(expected[key]) for key in keys]
    )
    assert test.pvalue > 0.001


def plain_task_1(rng, instances, runs, folds):
    """Task I as it is told: draw x and y, shuffle, cut, and take accuracies."""
    x, y = rng.integers(0, 2, (2, instances))
    right_a, right_b = y == 1, x == y
    block = np.empty((runs, folds))
    for run in range(runs):
        for fold, test in enumerate(np.array_split(rng.permutation(instances), folds)):
            block[run, fold] = right_a[test].mean() - right_b[test].mean()
    return block


def test_decisions_have_the_rates_of_the_plain_simulation():
    """2000 data sets each way; four joint standard errors on each of some thirty rates."""
    datasets, size = 2000, {"instances": 60, "runs": 4, "folds": 5}
    rng = np.random.default_rng(17)
    plain = np.array([plain_task_1(rng, **size) for _ in range(datasets)])
    ours = dependence.task_1_differences(datasets, **size, seed=17)
    a, b = (
        dependence.type_1_errors(dependence.pvalues(block)) for block in (plain, ours)
    )
    error = np.hypot(a["standard_error"], b["standard_error"]) + 1e-9
    assert differs_by_noise(a["size"], b["size"], error)
    for power in (2, 4):
        moments = [(block[..., :3] ** power).mean(axis=(1, 2)) for block in (plain, ours)]
        error = np.hypot(*(m.std() for m in moments)) / datasets**0.5
        assert differs_by_noise(moments[0].mean(), moments[1].mean(), error)


def test_first_data_sets_do_not_depend_on_how_many_follow():
    size = {"instances": 50, "runs": 2, "folds": 4, "seed": 8}
    many = dependence.task_1_differences(2100, **size)
    by_chunk = dependence.task_1_pvalues(2100, **size)
    assert_array_equal(by_chunk, dependence.pvalues(many))
    for few in (1, 999, 1000, 1001):
        assert_array_equal(dependence.task_1_differences(few, **size), many[:few])
    assert not np.array_equal(many[:100], many[1000:1100])


def test_too_few_instances_are_refused():
    with pytest.raises(ValueError, match="10 folds need"):
        dependence.task_1_differences(5, instances=9)


def test_pvalues_are_those_of_each_block_alone():
    blocks = dependence.task_1_differences(40, instances=90, runs=5, folds=6, seed=21)
    frame = dependence.pvalues(blocks)
    for block, row in zip(blocks, frame.to_dict("records")):
        every = block.ravel()
        assert row["use_all_data", "paired_t"] == pytest.approx(
            stats.ttest_1samp(every, 0).pvalue, rel=1e-9
        )
        sorted_means = np.mean([sorted(run, reverse=True) for run in block], axis=0)
        assert row["average_over_sorted_runs", "paired_t"] == pytest.approx(
            stats.ttest_1samp(sorted_means, 0).pvalue, rel=1e-9
        )
        t = every.mean() / (every.var(ddof=1) * (1 / 30 + 1 / 5)) ** 0.5
        assert row["use_all_data", "corrected_t"] == pytest.approx(
            2 * stats.t.sf(abs(t), 29), rel=1e-9
        )
        first = block[:, 0]
        pluses, signs = (first > 0).sum(), (first != 0).sum()
        if signs:
            assert row["resampling", "sign_test"] == pytest.approx(
                stats.binomtest(int(pluses), int(signs)).pvalue
            )


# ---------------------------------------------------------------- dependence


def test_correlations_on_task_1_are_zero_within_a_run_and_one_over_folds_between_runs():
    datasets, folds = 40_000, 5
    block = dependence.task_1_differences(datasets, instances=50, runs=2, folds=folds, seed=4)
    correlation = np.corrcoef(block.reshape(datasets, -1).T)
    run = np.arange(2 * folds) // folds
    expected = np.where(run[:, None] == run, np.eye(2 * folds), 1 / folds)
    assert np.abs(correlation - expected).max() < 4.5 / datasets**0.5  # 45 correlations


def test_claimed_and_true_variance_are_those_of_the_simulation():
    datasets, runs, folds = 20_000, 6, 5
    block = dependence.task_1_differences(
        datasets, instances=100, runs=runs, folds=folds, seed=9
    )
    unit = 0.5 / 20  # a win or loss with probability 1/2 in each of 20 instances
    expected = dependence.expected_variances(runs, folds)
    for row in expected[expected["test"] == "paired_t"].itertuples():
        sample = schemes.sample(block, row.scheme) / unit**0.5
        squared_mean, claimed = sample.mean(axis=-1) ** 2, sample.var(axis=-1, ddof=1) / row.n
        noise = lambda values: values.std() / datasets**0.5
        assert differs_by_noise(squared_mean.mean(), row.true, noise(squared_mean))
        assert differs_by_noise(claimed.mean(), row.claimed, noise(claimed) + 1e-12)


def test_predicted_sizes_are_near_the_simulated_ones():
    """Task I is not normal: one percentage point is left for that, the rest is noise."""
    datasets = 4000
    pvalues = dependence.pvalues(dependence.task_1_differences(datasets, instances=1000))
    errors = dependence.type_1_errors(pvalues)
    both = dependence.expected_variances().merge(errors, on=["scheme", "test"])
    both = both[both["scheme"] != "average_over_folds"]
    assert len(both) == 7
    distance = (both["size_x"] - both["size_y"]).abs()
    assert (distance < 1 + 3 * both["standard_error"]).all()


@pytest.mark.parametrize("instances", [1, 2, 5])
def test_unequal_wins_probability_by_enumeration(instances):
    outcomes = product((1, -1, 0, 0), repeat=instances)
    unequal = Fraction(sum(sum(o) != 0 for o in outcomes), 4**instances)
    assert dependence.unequal_wins_probability(instances) == float(unequal)


def test_average_over_folds_rejects_exactly_where_wins_are_unequal():
    blocks = dependence.task_1_differences(2000, instances=40, runs=10, folds=10)
    pvalues = dependence.pvalues(blocks)["average_over_folds"]
    unequal = np.rint(40 * blocks[:, 0].mean(axis=-1)) != 0
    for test in ("paired_t", "sign_test", "signed_rank"):
        assert_array_equal(pvalues[test] < 0.05, unequal)
    share = dependence.unequal_wins_probability(40)
    assert differs_by_noise(unequal.mean(), share, np.sqrt(share * (1 - share) / 2000))


# ---------------------------------------------------------------- 5x2cv and the ledger


def test_five_by_two_orders_put_each_difference_first():
    orders = bouckaert_frank2004.five_by_two_orders(30, instances=100, seed=5)
    blocks = dependence.task_1_differences(30, instances=100, runs=5, folds=2, seed=5)
    for block, row in zip(blocks, orders.to_dict("records")):
        denominator = np.sqrt(((block[:, 0] - block[:, 1]) ** 2 / 2).mean())
        for (run, fold), p in row.items():
            t = block[run - 1, fold - 1] / denominator
            assert p == pytest.approx(2 * stats.t.sf(abs(t), 5), rel=1e-9)


def test_order_dependence_counts_rows():
    orders = bouckaert_frank2004.five_by_two_orders(500, seed=6)
    rejects = orders.to_numpy() < 0.2
    share = bouckaert_frank2004.order_dependence(orders, 0.2)["share"]
    assert share.tolist() == pytest.approx(
        [100 * rejects[:, 0].mean(), 100 * rejects.any(1).mean(), 100 * rejects.all(1).mean()]
    )


def test_table_1_has_all_eight_printed_type_1_errors():
    errors = dependence.type_1_errors(
        dependence.pvalues(dependence.task_1_differences(50))
    )
    table = dependence.table_1_type_1_errors(errors)
    assert table["printed"].tolist() == [14.8, 11.0, 55.2, 59.8, 50.5, 4.1, 5.0, 4.5]
    assert table["scheme"].tolist() == [*schemes.SCHEMES, *["average_over_sorted_runs"] * 2]


def test_verdicts():
    frame = ledger.compare(
        bouckaert2004.statistics_of_section_2(), bouckaert_frank2004.statistics_of_section_3(),
        chapter="significance_tests",
    ).set_index("id")
    assert frame["verdict"].to_dict() == {
        "bouckaert2004.eq_tests": "erratum",
        "bouckaert_frank2004.eq_5x2cv": "exact",
        "bouckaert_frank2004.eq_resampled": "exact",
        "bouckaert_frank2004.eq_repcv": "exact",
    }


@pytest.mark.parametrize("name", ["five_by_two_cv_t", "corrected_resampled_t", "paired_t"])
def test_statistics_of_section_3_notice_a_wrong_statistic(monkeypatch, name):
    right = getattr(significance, name)

    def slightly_wrong(*data, **options):
        result = right(*data, **options)
        return replace(result, statistic=result.statistic * (1 + 1e-9))

    monkeypatch.setattr(significance, name, slightly_wrong)
    assert not bouckaert_frank2004.statistics_of_section_3()["rebuilt"].all()
