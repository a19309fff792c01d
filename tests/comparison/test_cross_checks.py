"""The same input through other packages, where those are right, and scikit-learn's example."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scores_of_two import A, B
from sklearn.model_selection import ShuffleSplit
from statsmodels.stats.contingency_tables import mcnemar

from replib import replication_probability
from replib.comparison import (
    compare_benchmark,
    compare_predictions,
    compare_scores,
)


@pytest.mark.parametrize("folds", [5, 10, 20])
def test_the_posterior_of_the_correlated_t_test(folds):
    """A Student t around the mean, with the standard error of the corrected test."""
    result, d = compare_scores(A, B, cv=f"{100 // folds}x{folds}"), A - B
    posterior = stats.t(99, d.mean(), np.sqrt(d.var(ddof=1) * (1 / 100 + 1 / (folds - 1))))
    assert result.pvalue == pytest.approx(2 * min(posterior.cdf(0), posterior.sf(0)), rel=1e-10)
    expected = {"A": posterior.sf(0.01), "equivalent": np.diff(posterior.cdf([-0.01, 0.01]))[0],
                "B": posterior.cdf(-0.01)}
    found = result.probabilities(0.01)
    assert list(found) == list(expected) and found == pytest.approx(expected, abs=1e-12)


def test_correct_r():
    """`resampled_ttest` and `repkfold_ttest` of correctR, as its source has them."""
    d = A - B
    n1, n2, k, r = 270, 30, 10, 10
    repeated = d.mean() / np.sqrt(d.var(ddof=1) * (1 / (k * r) + n2 / n1))
    result = compare_scores(A, B, cv="10x10")
    assert result.statistic == pytest.approx(repeated, rel=1e-12)
    assert result.pvalue == pytest.approx(2 * stats.t.sf(abs(repeated), k * r - 1), rel=1e-12)
    random_splits = compare_scores(A, B, cv=ShuffleSplit(100, test_size=0.1))
    assert random_splits.statistic == pytest.approx(repeated, rel=1e-12)


def test_mcnemar_of_statsmodels():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 300)
    a, b = (np.where(rng.random(300) < share, y, (y + 1) % 3) for share in (0.85, 0.78))
    result = compare_predictions(y, a, b)
    table = pd.crosstab(a != y, b != y).to_numpy()
    assert (result.both, result.wins, result.losses, result.neither) == tuple(table.ravel())
    assert result.pvalue == pytest.approx(mcnemar(table, exact=True).pvalue, rel=1e-10)
    again = replication_probability.binomial(result.wins, result.wins + result.losses)
    assert result.replication_probability().point == again.point


def test_friedman_and_pairs_of_scipy():
    rng = np.random.default_rng(2)
    scores = rng.normal(0.8, 0.05, (20, 4)) + [0, 0.01, 0.03, 0.05]
    frame = pd.DataFrame(scores, columns=list("abcd"))
    result = compare_benchmark(frame)
    ranks = frame.rank(axis=1, ascending=False)
    chi2 = stats.friedmanchisquare(*frame.to_numpy().T).statistic
    by_hand = 12 * 20 / (4 * 5) * ((ranks.mean() ** 2).sum() - 4 * 25 / 4)
    assert chi2 == pytest.approx(by_hand)
    f = 19 * chi2 / (20 * 3 - chi2)
    assert result.friedman_pvalue == pytest.approx(stats.f.sf(f, 3, 57), rel=1e-10)
    for row in result.pairs.itertuples():
        d = frame[row.a] - frame[row.b]
        assert row.signed_rank == pytest.approx(stats.wilcoxon(d).pvalue, rel=1e-10)
        assert row.sign == pytest.approx(stats.binomtest(row.wins, 20).pvalue, rel=1e-10)
        assert row.wins + row.losses + row.draws == 20 and row.difference == np.median(d)
