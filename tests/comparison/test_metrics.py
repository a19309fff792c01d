"""Comparisons by any metric: values, DeLong's test, permutations, intervals, error rates."""

from itertools import product

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

from replib.comparison import compare_predictions
from replib.comparison.metrics import OF_CONFUSION

RNG = np.random.default_rng(17)
N = 120
Y = RNG.integers(0, 3, N)
noisy = lambda rate, y, k=3: np.where(RNG.random(np.shape(y)) < rate, y, RNG.integers(0, k, N))
P, Q = noisy(0.7, Y), noisy(0.5, Y)
Y2 = (Y > 0).astype(int)
S, T = (Y2 + RNG.normal(0, sd, N) for sd in (0.8, 1.4))

REFERENCE = {
    "balanced_accuracy": sk.balanced_accuracy_score,
    "f1": lambda y, p: sk.f1_score(y, p),
    "f1_macro": lambda y, p: sk.f1_score(y, p, average="macro"),
    "matthews_corrcoef": sk.matthews_corrcoef,
}


@pytest.mark.parametrize("metric", OF_CONFUSION)
def test_estimates_are_those_of_scikit_learn(metric):
    y, p, q = (np.minimum(x, 1) for x in (Y, P, Q)) if metric == "f1" else (Y, P, Q)
    expected = REFERENCE[metric](y, p) - REFERENCE[metric](y, q)
    for groups in (None, np.arange(N) // 5):
        result = compare_predictions(y, p, q, metric=metric, groups=groups, resamples=99)
        assert result.estimate == pytest.approx(expected, abs=1e-12)
        assert result.recommended.estimate == pytest.approx(expected, abs=1e-12)
    runs = compare_predictions(y, [p, q, p], [q, p, q], metric=metric)
    assert runs.estimate == pytest.approx(expected / 3, abs=1e-12)


def _delong(y, s, t):
    """Variance of DeLong et al. (1988), pair by pair."""
    kernel = lambda x, z: (x > z) + 0.5 * (x == z)
    columns = []
    for scores in (s, t):
        psi = np.array([[kernel(x, z) for z in scores[y == 0]] for x in scores[y == 1]])
        columns.append((psi.mean(1), psi.mean(0), psi.mean()))
    (v10, v01, auc), (w10, w01, other) = columns
    variance = np.var(v10 - w10, ddof=1) / len(v10) + np.var(v01 - w01, ddof=1) / len(v01)
    return auc - other, (auc - other) / np.sqrt(variance)


@pytest.mark.parametrize("decimals", [8, 0])
def test_roc_auc_is_tested_by_delong(decimals):
    s, t = np.round(S, decimals), np.round(T, decimals)
    estimate, z = _delong(Y2, s, t)
    result = compare_predictions(Y2, s, t, metric="roc_auc")
    assert result.estimate == pytest.approx(
        sk.roc_auc_score(Y2, s) - sk.roc_auc_score(Y2, t), abs=1e-12
    )
    assert result.estimate == pytest.approx(estimate, abs=1e-12)
    assert result.statistic == pytest.approx(z, rel=1e-10)
    assert result.pvalue == pytest.approx(2 * stats.norm.sf(abs(z)), rel=1e-10)
    assert "DeLong" in result.sentence()


def test_roc_auc_of_runs_is_that_of_scikit_learn_run_by_run():
    a, b = [S, T, S + T], [T, -S, T - S]
    result = compare_predictions(Y2, a, b, metric="roc_auc", groups=np.arange(N) // 4)
    of = lambda rows: np.array([sk.roc_auc_score(Y2, row) for row in rows])
    assert result.estimate == pytest.approx(of(a).mean() - of(b).mean(), abs=1e-12)
    seeds = compare_predictions(Y2, a, b, metric="roc_auc", generalize="seeds")
    assert seeds.pvalue == pytest.approx(stats.ttest_ind(of(a), of(b), equal_var=False).pvalue)


def test_permutation_p_values_are_those_of_all_permutations():
    """Enumerated on twelve items; five standard errors of 9,999 exchanges are allowed."""
    y, p, q = Y[:12], P[:12], Q[:12]
    f1 = REFERENCE["f1_macro"]
    observed = f1(y, p) - f1(y, q)
    differ = np.flatnonzero(p != q)
    found = []
    for which in product([False, True], repeat=len(differ)):
        swap = np.zeros(12, bool)
        swap[differ] = which
        found.append(f1(y, np.where(swap, q, p)) - f1(y, np.where(swap, p, q)))
    exact = np.mean(np.abs(found) >= abs(observed) - 1e-12)
    result = compare_predictions(y, p, q, metric="f1_macro")
    assert result.pvalue == pytest.approx(exact, abs=5 * np.sqrt(exact * (1 - exact) / 9999))


def test_clusters_are_exchanged_as_a_whole():
    """Two clusters leave four exchanges, of which two are as extreme as the observed."""
    groups = np.arange(N) // (N // 2)
    better = np.where(np.arange(N) % 3 == 0, Y, P)
    result = compare_predictions(Y, better, Q, metric="f1_macro", groups=groups)
    assert result.pvalue == pytest.approx(0.5, abs=0.025)


def _mean_recall(y, p):
    return np.mean([np.mean(p[y == label] == label) for label in set(y.tolist())])


@pytest.mark.parametrize("groups", [None, np.arange(N) // 4])
def test_a_function_gives_what_the_named_metric_gives(groups):
    options = {"groups": groups, "resamples": 199, "seed": 3}
    named = compare_predictions(Y, P, Q, metric="balanced_accuracy", **options)
    function = compare_predictions(Y, P, Q, metric=_mean_recall, **options)
    assert function.pvalue == named.pvalue
    np.testing.assert_allclose(function.confidence_interval(), named.confidence_interval())
    np.testing.assert_allclose(function.scores[0], named.scores[0])


def test_the_interval_is_that_of_scipy():
    """BCa of 9,999 resamples each: limits within a twentieth of the interval's width.

    Of two classes, Matthews' correlation is Pearson's.
    """
    p, q = np.minimum(P, 1), np.minimum(Q, 1)

    def statistic(y, p, q, axis):
        of = lambda x: stats.pearsonr(y, x, axis=axis).statistic
        return of(p) - of(q)

    expected = stats.bootstrap(
        (Y2, p, q), statistic, paired=True, n_resamples=9999, method="BCa", rng=1,
    ).confidence_interval
    found = compare_predictions(Y2, p, q, metric="matthews_corrcoef").confidence_interval()
    width = expected.high - expected.low
    assert found.low == pytest.approx(expected.low, abs=0.05 * width)
    assert found.high == pytest.approx(expected.high, abs=0.05 * width)


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["roc_auc", "f1_macro", "matthews_corrcoef"])
def test_equal_models_err_as_often_as_they_may(metric):
    """400 null experiments of 80 items: at most 6%, with four standard errors of 1.2%."""
    rejected = 0
    for seed in range(400):
        rng = np.random.default_rng([seed, 23])
        y = rng.integers(0, 2, 80)
        a, b = y + rng.normal(0, 0.5, 80) + rng.normal(0, 0.7, (2, 80))
        if metric != "roc_auc":
            a, b = (a > 0.5).astype(int), (b > 0.5).astype(int)
        rejected += compare_predictions(y, a, b, metric=metric, resamples=399).pvalue <= 0.05
    assert 0.02 < rejected / 400 < 0.06 + 4 * 0.012


@pytest.mark.parametrize(
    ("y", "a", "b", "options", "message"),
    [
        (Y, P, Q, {"metric": "f2"}, "metric must be one of"),
        (Y, S, T, {"metric": "roc_auc"}, "two classes"),
        (Y2, np.array(["a", "b"])[Y2], T, {"metric": "roc_auc"}, "has labels"),
        (Y, P + 5, Q, {"metric": "f1_macro"}, "never occurs"),
        (Y, P[:-1], Q, {"metric": "f1_macro"}, "120 classes and pred_a has 119"),
        (np.arange(N) < 1, S, T, {"metric": "roc_auc"}, "has 1 of class"),
        (Y, P, Q, {"metric": lambda y, p: [0.5]}, "must return one finite number"),
        (Y, [P, Q], [P, Q, P], {"metric": "f1_macro", "generalize": "items"}, "equally many"),
        (Y, P, Q, {"metric": "f1_macro", "resamples": 5}, "at least 99"),
    ],
)
def test_mistakes_are_refused(y, a, b, options, message):
    with pytest.raises(ValueError, match=message):
        compare_predictions(y, a, b, **options)


# ------------------------------------------------------------------ borders of what is drawn


def test_a_difference_that_no_exchange_reaches_has_the_least_p_value():
    right, wrong = Y, (Y + 1) % 3
    for resamples in (99, 199):
        result = compare_predictions(Y, right, wrong, metric="f1_macro", resamples=resamples)
        assert result.pvalue == 1 / (1 + resamples) and result.estimate == result.statistic
        assert f"permutation test with {resamples} exchanges, BCa interval" in result.sentence()
        low, high = result.confidence_interval()
        assert low == high == result.estimate == 1  # the same whatever items are drawn
    equal = compare_predictions(Y, P, P.copy(), metric="f1_macro", resamples=99)
    assert equal.pvalue == 1 and tuple(equal.confidence_interval()) == (0, 0)


def test_an_interval_is_finite_where_all_resamples_are_on_one_side():
    """One item of 40 is right in A only: a third of the resamples lack it, none has less."""
    y, a = np.tile([0, 1], 20), np.tile([0, 1], 20)
    b = np.where(np.arange(40) == 7, 1 - y, y)
    result = compare_predictions(y, a, b, metric="matthews_corrcoef", resamples=999)
    for level in (0.5, 0.95, 0.999):
        low, high = result.confidence_interval(level)
        assert 0 <= low <= result.estimate <= high < 1
    low, high = compare_predictions(
        y, a, b, metric=lambda y, p: float(len(set(y.tolist())) == 2) * (1 + (p == y).mean()),
        resamples=99).confidence_interval(0.9)
    assert np.isfinite([low, high]).all()


@pytest.mark.slow
@pytest.mark.parametrize("runs", [1, 3])
@pytest.mark.parametrize("groups", [None, np.arange(N) // 4, np.minimum(np.arange(N), 30)])
def test_pseudo_values_are_those_of_the_jackknife(groups, runs):
    unit = np.arange(N) if groups is None else groups
    a = [P, Q, np.roll(P, 1)][:runs]
    result = compare_predictions(Y, a, [Q] * runs, metric="f1_macro", groups=groups, resamples=99)
    units = unit.max() + 1
    of = lambda keep, row: sk.f1_score(Y[keep], row[keep], average="macro", zero_division=0)
    for row, found in zip(a, result.scores[0]):
        left_out = np.array([of(unit != i, row) for i in range(units)])
        share = N / units / np.bincount(unit)
        by_hand = of(unit >= 0, row) + (units - 1) * (left_out.mean() - left_out) * share
        np.testing.assert_allclose(found, by_hand[unit], atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("exchanged", [False, True])
def test_a_skewed_interval_is_that_of_scipy_whichever_model_is_better(exchanged):
    """The mean of few large losses, where the acceleration moves both limits."""
    loss = np.random.default_rng(3).lognormal(0, 0.8, 60)
    a, b = (0 * loss, loss) if exchanged else (loss, 0 * loss)
    expected = stats.bootstrap(
        (a - b,), np.mean, n_resamples=9999, method="BCa", rng=1,
    ).confidence_interval
    plain = stats.bootstrap((a - b,), np.mean, n_resamples=9999, method="basic", rng=1)
    found = compare_predictions(
        np.arange(60), a, b, metric=lambda y, p: p.mean(), resamples=9999).confidence_interval()
    width = expected.high - expected.low
    assert tuple(found) == pytest.approx(tuple(expected), abs=0.05 * width)
    assert abs(plain.confidence_interval.high - expected.high) > 0.1 * width
