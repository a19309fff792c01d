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
