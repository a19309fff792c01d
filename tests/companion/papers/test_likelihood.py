"""Readings by likelihood: probabilities that add up, and the reading that drew the numbers wins."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from companion import stored
from companion.papers import likelihood, published
from companion.papers.bouckaert_frank2004 import readings

CELLS = ["bouckaert2004.tab01.ranksum.resampling.source1", "berrar2024.ex01.p"]


@pytest.mark.parametrize("accepted", [0, 3, 20])
def test_the_counts_of_a_cell_have_probability_one_together(accepted):
    logs = likelihood.of_counts(np.arange(11), np.full(11, accepted), 20)
    assert (10.0**logs).sum() == pytest.approx(1)


def test_counts_are_most_likely_under_the_frequencies_that_drew_them():
    """Over 200 seeds the margin is 31 with a deviation of 5, and the error -2.2 with one of 1.3:
    none fails.
    """
    rng = np.random.default_rng(1)
    p = rng.random(200)
    ours, theirs = rng.binomial(200, p), rng.binomial(10, p)
    right = likelihood.of_counts(theirs, ours, 200).sum()
    assert (
        right > likelihood.of_counts(theirs, rng.binomial(200, p * 0.8), 200).sum() + 3
    )
    # nearly that of the true probabilities, which 200 experiments hardly miss
    assert right == pytest.approx(
        stats.binom.logpmf(theirs, 10, p).sum() / np.log(10), abs=6
    )


@pytest.mark.parametrize("df", [9, 1000])
def test_a_number_has_the_probability_of_all_that_rounds_to_it(df):
    cells = pd.DataFrame(
        {
            "id": CELLS,
            "printed": [14.8, 0.0488],
            "rebuilt": [14.0, 0.05],
            "standard_error": [0.3, 0.0],
            "published_error": [0.4, 0.001],
        }
    )
    expected = [
        stats.t.cdf(high / error, df) - stats.t.cdf(low / error, df)
        for low, high, error in ((0.75, 0.85, 0.5), (-0.00125, -0.00115, 0.001))
    ]
    assert 10.0 ** likelihood.of_numbers(cells, df) == pytest.approx(expected, rel=1e-9)
    assert published.facts().loc[CELLS, "decimals"].tolist() == [1, 4]


def test_a_number_far_away_still_has_a_likelihood():
    cells = pd.DataFrame(
        {
            "id": CELLS[:1],
            "printed": [14.8],
            "rebuilt": [114.8],
            "standard_error": [1.0],
            "published_error": [0.0],
        }
    )
    found = 10.0 ** likelihood.of_numbers(cells, 9)[0]
    assert found == pytest.approx(0.1 * stats.t.pdf(100, 9), rel=1e-3)


def test_the_5x2cv_test_is_the_librarys_at_five_degrees_of_freedom():
    from replib import significance

    block = np.random.default_rng(2).normal(0.5, 1, (40, 5, 2))
    plain = significance.five_by_two_cv_t(block)
    assert readings.five_by_two_p(block) == pytest.approx(plain.pvalue)
    assert (readings.five_by_two_p(block, df=4) > plain.pvalue).all()


def test_degrees_of_freedom_of_table_1_by_likelihood():
    """Four are most likely, with either kind of neighbour; Alpaydin's test is by far the least."""
    runs = {name: stored.load(name) for name in likelihood.NEEDS}
    found = likelihood.of_five_by_two(runs)
    logs = found.xs("bouckaert_frank2004.tab01", level="table")["log10"]
    # a referee's figures: the plug-in binomial, -44.8, -40.1, -42.4, -45.6
    assert logs.iloc[:4].tolist() == pytest.approx(
        [-44.8, -40.1, -42.4, -45.6], abs=0.3
    )
    assert logs.idxmax() == "4 degrees of freedom" and logs.idxmin() == "F of Alpaydin"
    both = found.xs("all", level="table")
    row = found.loc[("4 degrees of freedom", slice(None)), "log10"]
    assert both.at["4 degrees of freedom", "log10"] == pytest.approx(
        row.iloc[:-1].sum()
    )
    assert (both["cells"] == 85).all() and "3 degrees of freedom" not in both.index


def _log_of_rounding(printed, rebuilt, error, half, law):
    """log10 of the probability of all numbers that round to the printed one."""
    ends = (np.asarray(printed) - rebuilt + side for side in (-half, half))
    low, high = (law.cdf(end / error) for end in ends)
    return np.log10(high - low)


def test_a_row_of_table_5_by_hand():
    """The shares of ten networks, and the printed share as that of an eleventh."""
    runs = {name: stored.load(name) for name in likelihood.NEEDS}
    found = likelihood.of_five_by_two(runs)
    by_hand = squares = 0.0
    for source, one in runs["table_5_readings"].items():
        place = readings.READINGS.index(("five_by_two_cv", "t, 4 degrees of freedom"))
        shares = 100 * (one.counts[:, :, place].max(axis=-1) == 10).mean(axis=0)
        error = shares.std(ddof=1) * np.sqrt(1 + 1 / 10)
        printed = published.value(f"bouckaert_frank2004.tab05.5x2_cv.{source}")
        by_hand += _log_of_rounding(printed, shares.mean(), error, 0.05, stats.t(9))
        squares += ((printed - shares.mean()) / error) ** 2
    key = ("4 degrees of freedom", "bouckaert_frank2004.tab05")
    assert found.at[key, "log10"] == pytest.approx(by_hand, rel=1e-6)
    assert found.at[key, "squares"] == pytest.approx(squares, rel=1e-9)
