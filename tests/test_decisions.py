"""Decisions about all pairs together: corrections, margins, the best against a baseline."""

import re

import numpy as np
import pytest
from scipy import stats

from replib import Metric, compare
from replib.multiple_comparisons import adjusted_pvalues

ANY = Metric("score", better="higher")
RNG = np.random.default_rng(7)
SHIFTS = {"forest": 0.05, "svm": 0.045, "bayes": 0.02, "tree": 0.0}
FOUR = {
    name: RNG.normal(0.80 + shift, 0.02, (10, 10)) for name, shift in SHIFTS.items()
}
TWO = {name: FOUR[name] for name in ("tree", "bayes")}


@pytest.fixture(scope="module")
def result():
    return compare(FOUR, design="10x10", metric=ANY, equivalence=0.03)


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "none"])
def test_every_decision_is_corrected_for_the_number_of_pairs(correction):
    result = compare(FOUR, design="10x10", metric=ANY, correction=correction)
    pairs = result.pairs
    assert (
        pairs["adjusted_p"].tolist()
        == adjusted_pvalues(pairs["p"], method=correction).tolist()
    )
    assert (pairs["decision"] != 0).tolist() == (pairs["adjusted_p"] < 0.05).tolist()
    level = 1 - 0.05 / (1 if correction == "none" else 6)
    reach = stats.t.isf((1 - level) / 2, 99) * pairs["difference"] / pairs["statistic"]
    assert (pairs["high"] - pairs["difference"]).tolist() == pytest.approx(
        reach.tolist()
    )


def test_equivalence_is_two_one_sided_tests(result):
    error = result.pairs["difference"] / result.pairs["statistic"]
    above, below = (
        stats.t.sf((0.03 + sign * result.pairs["difference"]) / error, 99)
        for sign in (1, -1)
    )
    expected = adjusted_pvalues(np.maximum(above, below), method="holm")
    assert result.pairs["p_equivalent"].tolist() == pytest.approx(expected.tolist())
    assert result.pairs["equivalent"].any() and not result.pairs["equivalent"].all()
    assert result.pairs["not_worse"].tolist() == (above < 0.05).tolist()
    assert re.search(r"Equivalent within 0.03: .* and ", result.sentence())


def test_a_p_value_of_just_alpha_is_no_difference():
    p = compare(TWO, design="10x10", metric=ANY).pairs["adjusted_p"][0]
    for alpha, decides in ((p, 0), (1.001 * p, 1)):
        assert (
            compare(TWO, design="10x10", metric=ANY, alpha=alpha).decisions[0]
            == decides
        )


def test_a_tie_with_the_baseline_has_an_interval():
    tied = compare(
        {"a": FOUR["tree"], "b": FOUR["tree"][::-1], "c": FOUR["tree"] - 0.1},
        design="10x10",
        metric=ANY,
        pairs=[("best", "b")],
    )
    (pair,) = tied.pairs.to_dict("records")
    assert pair["difference"] == pytest.approx(0) and pair["low"] < 0 < pair["high"]
    assert pair["high"] == pytest.approx(-pair["low"])


def test_the_best_is_compared_with_a_baseline_by_dunnetts_distribution():
    """SciPy's Dunnett test has the same distribution for six groups of three: five correlations
    of 1/2 with the control, 12 degrees of freedom.

    From 20,000 draws the quantile has a standard error of 0.017, and p of 0.0015; four are
    allowed. Bonferroni's quantile is 0.15 larger.
    """
    groups = np.random.default_rng(3).normal(size=(6, 3))
    groups = (groups - groups.mean(1, keepdims=True)) / groups.std(1, keepdims=True)
    error = groups[0].std(ddof=1) * np.sqrt(1 / 3 + 1 / 3)
    equal = stats.dunnett(*groups[1:], control=groups[0], random_state=1)
    quantile = equal.confidence_interval(0.95).high[0] / error

    noise = np.random.default_rng(17).normal(size=(13, 7))
    noise[:, 0] = 1
    of_models = np.linalg.qr(noise)[0].T[1:]  # orthogonal, each with a mean of zero
    scores = dict(zip("abcdef", 0.7 + 0.01 * of_models))
    scores["a"] = scores["a"] + 0.0054
    result = compare(scores, design="13 x 10%", metric=ANY, pairs=[("best", "f")])
    pair = result.pairs.iloc[0]
    half_width = (pair["high"] - pair["low"]) / 2
    reach = half_width * pair["statistic"] / pair["difference"]
    assert reach == pytest.approx(quantile, abs=0.068)

    groups[1] += pair["statistic"] * error
    expected = stats.dunnett(*groups[1:], control=groups[0], random_state=1).pvalue[0]
    assert pair["adjusted_p"] == pytest.approx(expected, abs=0.006)


@pytest.mark.parametrize("models", [2, 3, 5])
def test_the_interval_of_the_best_ends_at_zero_where_its_corrected_p_is_alpha(models):
    """With seeds, the best was chosen among all models but the baseline."""
    rng = np.random.default_rng(8)
    scores = {f"m{i}": rng.normal(0.7, 0.02, 6) for i in range(models)}
    scores["m1"] = scores["m1"] - scores["m1"].mean() + scores["m0"].mean() + 0.04
    options = {"design": "seeds", "metric": ANY, "pairs": [("best", "m0")]}
    pair = compare(scores, **options).pairs.iloc[0]
    assert pair["a"] == "m1"
    assert pair["adjusted_p"] == pytest.approx((models - 1) * pair["p"])
    at_the_border = compare(scores, alpha=pair["adjusted_p"], **options).pairs.iloc[0]
    assert at_the_border["low"] == pytest.approx(0, abs=1e-9)
