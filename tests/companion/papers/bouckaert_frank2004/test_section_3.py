"""Section 3: binomial tails, t tests one after another, statistics that are slightly wrong."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from companion.papers import dependence, uci
from companion.papers.bouckaert_frank2004 import section_3
from replib import significance


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_mcnemar_sizes_are_binomial_tails(alpha):
    sizes = section_3.mcnemar_sizes(alpha, 30).set_index(["form", "n"])["size"]
    for n in range(1, 31):
        exact = chi_square = Fraction(0)
        for n10 in range(n + 1):
            weight = Fraction(comb(n, n10), 2**n)
            if stats.binomtest(n10, n).pvalue < alpha:
                exact += weight
            if stats.chi2.sf((2 * n10 - n) ** 2 / n, 1) < alpha:
                chi_square += weight
        assert sizes["exact", n] == pytest.approx(100 * float(exact), abs=1e-10)
        assert sizes["uncorrected", n] == pytest.approx(
            100 * float(chi_square), abs=1e-10
        )
        assert (
            sizes["as_printed", n] == sizes["corrected", n] <= sizes["uncorrected", n]
        )


def plain_loop(results, test, pair, runs, alpha):
    """Acceptances of each ten experiments, one t test after another."""
    a, b = uci.PAIRS[pair]
    split, _ = section_3.TESTS[test]
    rows = {}
    for name, replications in results[split].items():
        accepted = []
        for counts in replications.counts:
            sizes = np.reshape(uci.test_sizes(split, name), -1)
            difference = (counts[..., a].astype(float) - counts[..., b]) / sizes
            sample = difference[:runs].ravel()
            if test == "five_by_two_cv":
                spread = np.mean([run.var(ddof=1) for run in difference])
                t, df = difference[0, 0] / np.sqrt(spread), 5
            else:
                ratio = 0 if test.startswith("plain") else 1 / 9
                n = len(sample)
                t, df = (
                    sample.mean() / np.sqrt((1 / n + ratio) * sample.var(ddof=1)),
                    n - 1,
                )
            accepted.append(2 * stats.t.sf(abs(t), df) >= alpha)
        rows[name] = [sum(accepted[i : i + 10]) for i in range(0, len(accepted), 10)]
    return pd.DataFrame(rows).T


@pytest.mark.parametrize(
    ("test", "runs"),
    [
        ("five_by_two_cv", None),
        ("resampling", 10),
        ("resampling", 100),
        ("stratified_resampling", 20),
        ("cross_validation", 1),
        ("cross_validation", 10),
        ("plain_cross_validation", 1),
        ("plain_cross_validation", 10),
    ],
)
def test_acceptances_are_those_of_one_test_after_another(made_up, test, runs):
    for pair, alpha in product(uci.PAIRS, (0.01, 0.05)):
        ours = section_3.acceptances(made_up, test, pair, runs=runs, alpha=alpha)
        pd.testing.assert_frame_equal(
            ours, plain_loop(made_up, test, pair, runs, alpha), check_dtype=False
        )


def test_five_by_two_orders_put_each_difference_first():
    orders = section_3.five_by_two_orders(30, instances=100, seed=5)
    blocks = dependence.task_1_differences(30, instances=100, runs=5, folds=2, seed=5)
    for block, row in zip(blocks, orders.to_dict("records")):
        denominator = np.sqrt(((block[:, 0] - block[:, 1]) ** 2 / 2).mean())
        for (run, fold), p in row.items():
            t = block[run - 1, fold - 1] / denominator
            assert p == pytest.approx(2 * stats.t.sf(abs(t), 5), rel=1e-9)


def test_order_dependence_counts_rows():
    orders = section_3.five_by_two_orders(500, seed=6)
    rejects = orders.to_numpy() < 0.2
    share = section_3.order_dependence(orders, 0.2)["share"]
    assert share.tolist() == pytest.approx(
        [
            100 * rejects[:, 0].mean(),
            100 * rejects.any(1).mean(),
            100 * rejects.all(1).mean(),
        ]
    )


@pytest.mark.parametrize(
    "name", ["five_by_two_cv_t", "corrected_resampled_t", "paired_t"]
)
def test_statistics_of_section_3_notice_a_wrong_statistic(monkeypatch, name):
    right = getattr(significance, name)

    def slightly_wrong(*data, **options):
        result = right(*data, **options)
        return replace(result, statistic=result.statistic * (1 + 1e-9))

    monkeypatch.setattr(significance, name, slightly_wrong)
    assert not section_3.ledger_rows()["rebuilt"].all()
