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
    logs = likelihood.log10_of_counts(np.arange(11), np.full(11, accepted), 20)
    assert (10.0**logs).sum() == pytest.approx(1)


def test_counts_are_most_likely_under_the_frequencies_that_drew_them():
    """Over 200 seeds the margin is 31 with a deviation of 5, and the error -2.2 with one of 1.3:
    none fails.
    """
    rng = np.random.default_rng(1)
    p = rng.random(200)
    accepted = rng.binomial(200, p)
    printed = rng.binomial(10, p)
    too_few = rng.binomial(200, p * 0.8)
    right = likelihood.log10_of_counts(printed, accepted, 200).sum()
    wrong = likelihood.log10_of_counts(printed, too_few, 200).sum()
    assert right > wrong + 3
    # nearly that of the true probabilities, which 200 experiments hardly miss
    true = stats.binom.logpmf(printed, 10, p).sum() / np.log(10)
    assert right == pytest.approx(true, abs=6)


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
    probability = 10.0 ** likelihood.log10_of_numbers(cells, df)
    assert probability == pytest.approx(expected, rel=1e-9)
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
    probability = 10.0 ** likelihood.log10_of_numbers(cells, 9)[0]
    assert probability == pytest.approx(0.1 * stats.t.pdf(100, 9), rel=1e-3)


def test_the_5x2cv_test_is_the_librarys_at_five_degrees_of_freedom():
    from replib import significance

    block = np.random.default_rng(2).normal(0.5, 1, (40, 5, 2))
    plain = significance.five_by_two_cv_t(block)
    assert readings.five_by_two_p(block) == pytest.approx(plain.pvalue)
    assert (readings.five_by_two_p(block, df=4) > plain.pvalue).all()


@pytest.fixture(scope="module")
def runs():
    return {name: stored.load(name) for name in likelihood.NEEDS}


@pytest.fixture(scope="module")
def by_reading(runs):
    return likelihood.degrees_of_freedom(runs)


def test_degrees_of_freedom_of_table_1_by_likelihood(by_reading):
    """Four are most likely, with either kind of neighbour; Alpaydin's test is by far the least."""
    logs = by_reading.xs("bouckaert_frank2004.tab01", level="table")["log10"]
    # a referee's figures: the plug-in binomial, -44.8, -40.1, -42.4, -45.6
    assert logs.iloc[:4].tolist() == pytest.approx(
        [-44.8, -40.1, -42.4, -45.6], abs=0.3
    )
    assert logs.idxmax() == "4 degrees of freedom"
    assert logs.idxmin() == "F of Alpaydin"
    both_tables = by_reading.xs("all", level="table")
    row = by_reading.loc[("4 degrees of freedom", slice(None)), "log10"]
    total = both_tables.at["4 degrees of freedom", "log10"]
    assert total == pytest.approx(row.iloc[:-1].sum())
    assert (both_tables["cells"] == 85).all()
    assert "3 degrees of freedom" not in both_tables.index


def _log_of_rounding(printed, rebuilt, error, half, law):
    """log10 of the probability of all numbers that round to the printed one."""
    distance = np.asarray(printed) - rebuilt
    low = law.cdf((distance - half) / error)
    high = law.cdf((distance + half) / error)
    return np.log10(high - low)


def test_a_row_of_table_5_by_hand(runs, by_reading):
    """The shares of ten networks, and the printed share as that of an eleventh."""
    reading = readings.READINGS.index(("five_by_two_cv", "t, 4 degrees of freedom"))
    by_hand = squares = 0.0
    for source, result in runs["table_5_readings"].items():
        is_consistent = result.counts[:, :, reading].max(axis=-1) == 10
        shares = 100 * is_consistent.mean(axis=0)
        error = shares.std(ddof=1) * np.sqrt(1 + 1 / 10)
        printed = published.value(f"bouckaert_frank2004.tab05.5x2_cv.{source}")
        by_hand += _log_of_rounding(printed, shares.mean(), error, 0.05, stats.t(9))
        squares += ((printed - shares.mean()) / error) ** 2
    key = ("4 degrees of freedom", "bouckaert_frank2004.tab05")
    assert by_reading.at[key, "log10"] == pytest.approx(by_hand, rel=1e-6)
    assert by_reading.at[key, "squares"] == pytest.approx(squares, rel=1e-9)
