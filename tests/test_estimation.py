"""What models score: means, intervals and chance, compared with statsmodels and formulas."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from scipy import special, stats
from sklearn.metrics import f1_score, roc_auc_score
from statsmodels.stats.proportion import proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

from replib import (
    CV,
    Datasets,
    Items,
    Metric,
    compare,
    estimate,
    from_arrays,
    from_predictions,
)

RNG = np.random.default_rng(28)
ANY = Metric("score", better="higher")


def only(found):
    (row,) = found.means.itertuples()
    return row


@pytest.mark.parametrize("n_right", [0, 7, 20])
def test_right_and_wrong_items_have_clopper_and_pearsons_interval(n_right):
    right = np.arange(20) < n_right
    row = only(estimate({"a": right}, design="items", metric="accuracy", chance=0.25))
    low, high = proportion_confint(n_right, 20, method="beta")
    expected = (n_right / 20, 0 if n_right == 0 else low, 1 if n_right == 20 else high)
    assert (row.mean, row.low, row.high) == pytest.approx(expected)
    above = stats.binomtest(n_right, 20, 0.25, alternative="greater").pvalue
    below = stats.binomtest(n_right, 20, 0.25, alternative="less").pvalue
    assert row.p == pytest.approx(min(1, 2 * min(above, below)))


def test_errors_have_the_interval_of_the_share_of_wrong_items():
    wrong = np.arange(30) < 6
    row = only(estimate({"a": wrong}, design="items", metric="error", chance=0.5))
    assert (row.low, row.high) == pytest.approx(
        proportion_confint(6, 30, method="beta")
    )
    assert row.decision == 1
    percent = Metric("accuracy", high=100)
    of_percent = only(estimate({"a": 100 * ~wrong}, design="items", metric=percent))
    assert (of_percent.low, of_percent.high) == pytest.approx(
        (100 - 100 * row.high, 100 - 100 * row.low)
    )


def test_scores_of_items_have_students_interval():
    x = RNG.gamma(2, size=40)
    row = only(estimate({"a": x}, design="items", metric=ANY, chance=2.5))
    of_statsmodels = DescrStatsW(x)
    assert (row.low, row.high) == pytest.approx(of_statsmodels.tconfint_mean())
    assert row.p == pytest.approx(of_statsmodels.ttest_mean(2.5)[1])


def test_clusters_have_the_robust_variance_of_a_regression():
    frame = pd.DataFrame({"y": RNG.normal(size=120), "g": np.repeat(range(24), 5)})
    fit = smf.ols("y ~ 1", frame).fit(
        cov_type="cluster", cov_kwds={"groups": frame["g"]}, use_t=True
    )
    table = from_arrays(
        {"a": frame["y"].to_numpy()},
        design="items",
        metric=ANY,
        clusters=frame["g"].to_numpy(),
    )
    row = only(estimate(table))
    # statsmodels also has the factor (n - 1) / (n - k), which is 1 for a mean
    assert (row.low, row.high) == pytest.approx(tuple(fit.conf_int().loc["Intercept"]))


def test_tasks_have_a_variance_each():
    tasks = np.repeat(["x", "y"], [30, 12])
    x = RNG.random(42)
    row = only(
        estimate(from_arrays({"a": x}, design="items", metric=ANY_SHARE, tasks=tasks))
    )
    groups = pd.Series(x).groupby(tasks)
    parts = groups.var() / groups.size() / 4
    df = parts.sum() ** 2 / (parts**2 / (groups.size() - 1)).sum()
    reach = stats.t.ppf(0.975, df) * np.sqrt(parts.sum())
    mean = groups.mean().mean()
    assert (row.mean, row.low, row.high) == pytest.approx(
        (mean, mean - reach, mean + reach)
    )


ANY_SHARE = Metric("score", better="higher", low=0, high=1)


def test_other_tasks_are_asked_about_by_their_means():
    tasks = np.repeat(range(7), 6)
    x = RNG.random(42)
    table = from_arrays({"a": x}, design="items", metric=ANY_SHARE, tasks=tasks)
    row = only(estimate(table, about="tasks"))
    means = DescrStatsW(x.reshape(7, 6).mean(axis=1))
    assert (row.low, row.high) == pytest.approx(means.tconfint_mean())


def test_seeds_and_data_sets_have_students_interval():
    x = RNG.normal(0.8, 0.02, 9)
    expected = DescrStatsW(x).tconfint_mean()
    for design in ("seeds", "datasets", Datasets()):
        row = only(estimate({"a": x}, design=design, metric=ANY))
        assert (row.low, row.high) == pytest.approx(expected)
    one = only(estimate({"a": [0.5]}, design="datasets", metric=ANY, chance=0.2))
    assert np.isnan(one.low) and np.isnan(one.p) and one.decision == 0


def test_splits_have_the_corrected_interval_and_say_that_it_is_not_examined():
    x = RNG.normal(0.8, 0.02, (3, 5))
    found = estimate({"a": x}, design=CV(3, 5), metric=ANY)
    reach = stats.t.ppf(0.975, 14) * np.sqrt((1 / 15 + 1 / 4) * x.var(ddof=1))
    row = only(found)
    assert (row.low, row.high) == pytest.approx((x.mean() - reach, x.mean() + reach))
    assert "has not been examined" in str(found)


def test_trainings_add_the_variance_of_the_seeds():
    """The means of the runs vary as seeds do; the mean square of items is that of their means."""
    x = RNG.random((6, 50))
    row = only(estimate({"a": x}, design="items", metric=ANY, about="training"))
    means = DescrStatsW(x.mean(axis=1))
    assert (row.low, row.high) == pytest.approx(means.tconfint_mean())
    models = only(estimate({"a": x}, design="items", metric=ANY, about="models"))
    assert (models.low, models.high) == pytest.approx(
        DescrStatsW(x.mean(axis=0)).tconfint_mean()
    )


def test_an_area_has_delongs_variance_on_the_scale_of_log_odds():
    """By the placements of DeLong et al. (1988): the variance is that of both groups' means."""
    truth = np.repeat([0, 1], [40, 60])
    scores = truth + RNG.normal(0, 1.5, 100)
    table = from_predictions(truth, {"a": scores}, metric="roc_auc")
    row = only(estimate(table, chance=0.5))
    above = (scores[truth == 1][:, None] > scores[truth == 0]).astype(float)
    variance = above.mean(axis=1).var(ddof=1) / 60 + above.mean(axis=0).var(ddof=1) / 40
    area = roc_auc_score(truth, scores)
    error = np.sqrt(variance) / (area * (1 - area))
    reach = stats.norm.ppf(0.975) * error
    odds = special.logit(area)
    expected = (area, special.expit(odds - reach), special.expit(odds + reach))
    assert (row.mean, row.low, row.high) == pytest.approx(expected, rel=0.01)
    assert row.p == pytest.approx(2 * stats.norm.sf(odds / error), rel=0.05)
    perfect = from_predictions(truth, {"a": truth, "b": -truth}, metric="roc_auc")
    assert estimate(perfect, chance=0.5).means[["low", "p"]].isna().all(axis=None)
    worst = only(estimate(table, chance=1.0))
    assert worst.decision == -1


def test_f1_has_a_bootstrap_interval():
    truth = RNG.integers(0, 2, 150)
    guess = np.where(RNG.random(150) < 0.8, truth, 1 - truth)
    table = from_predictions(truth, {"a": guess}, metric="f1")
    row = only(estimate(table, chance=0.5))

    def f1(truth, guess, axis):
        return 2 * (truth * guess).sum(axis) / (truth.sum(axis) + guess.sum(axis))

    rng = np.random.default_rng(1)
    found = stats.bootstrap((truth, guess), f1, paired=True, n_resamples=2000, rng=rng)
    width = row.high - row.low
    assert row.mean == pytest.approx(f1_score(truth, guess))
    # the quantiles of 2,000 samples have errors of a fiftieth of the width
    assert row.low == pytest.approx(found.confidence_interval.low, abs=0.1 * width)
    assert row.high == pytest.approx(found.confidence_interval.high, abs=0.1 * width)
    assert row.decision == 1
    loss = from_predictions(
        RNG.normal(size=40), {"a": RNG.normal(size=40)}, metric="rmse"
    )
    error = only(estimate(loss))
    assert error.low < error.mean < error.high


def test_limits_stay_within_the_range_of_the_metric():
    x = np.r_[np.full(9, 0.99), 0.5]
    row = only(estimate({"a": x}, design="items", metric="accuracy"))
    assert row.high == 1 and row.low > 0


def test_a_result_has_the_same_intervals():
    scores = {name: RNG.random(30) for name in "abc"}
    result = compare(scores, design="items", metric=ANY)
    found = estimate(scores, design="items", metric=ANY)
    assert result.means.equals(found.means)
    assert list(result.means.index) == list(result.mean_scores.index)


def test_decisions_about_chance_have_one_error_rate():
    right = {f"m{i}": np.arange(40) < 26 - i for i in range(4)}
    found = estimate(right, design="items", metric="accuracy", chance=0.5)
    p = found.means["p"].to_numpy()
    order = np.argsort(p)
    holm = np.minimum(np.maximum.accumulate(p[order] * np.arange(4, 0, -1)), 1)
    assert found.means["adjusted_p"].to_numpy()[order] == pytest.approx(holm)
    assert "No model differs" in str(found) or "Significantly" in str(found)


def test_notes_are_those_of_a_comparison():
    scores = {"a": [0.912, 0.924, 0.901, 0.937], "b": [0.88, 0.88, 0.88, 0.88]}
    found = estimate(scores, design="seeds", metric="accuracy")
    assert found.notes == compare(scores, design="seeds", metric="accuracy").notes
    assert "All seeds of b" in str(found)
    assert np.isnan(found.means.loc["b", "low"])
    alone = estimate({"b": scores["b"]}, design="seeds", metric="accuracy")
    assert "b 0.880 (no spread shows an interval)" in str(alone)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chance": 1.5}, "chance must be"),
        ({"alpha": 0.9}, "alpha must lie"),
        ({"about": "tasks"}, "asks about other tasks"),
    ],
)
def test_what_estimate_refuses(options, message):
    with pytest.raises(ValueError, match=message):
        estimate({"a": [0, 1, 1]}, design="items", metric="accuracy", **options)


def test_one_model_is_not_compared():
    with pytest.raises(ValueError, match=r"at least two models.*estimate\(\)"):
        compare({"a": [0, 1, 1]}, design="items", metric="accuracy")


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [None, 20])
def test_coverage_of_samples_and_clusters(clusters):
    """2,000 intervals of 95% cover in 93.5% to 96.5%: three standard errors of 0.5%."""
    rng = np.random.default_rng(5)
    covered = 0
    labels = None if clusters is None else np.repeat(range(clusters), 5)
    for _ in range(2000):
        shared = 0 if clusters is None else rng.normal(size=clusters)[labels]
        x = rng.normal(size=100) + shared
        design = Items() if clusters is None else Items(cluster="cluster")
        table = from_arrays({"a": x}, design=design, metric=ANY, clusters=labels)
        row = only(estimate(table))
        covered += row.low <= 0 <= row.high
    assert 0.935 < covered / 2000 < 0.965
