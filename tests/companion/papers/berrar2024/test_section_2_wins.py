"""Wins and losses in Berrar (2024): lemmas, figures, errata, and what is not in the paper."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import integrate, stats

from companion.papers import ledger, published
from companion.papers.berrar2024 import (
    section_2_wins,
)
from replib import intervals, replication_probability


def test_item_checks_fail_when_the_library_is_wrong(monkeypatch):
    wrong = replication_probability.smallest_significant
    monkeypatch.setattr(
        replication_probability,
        "smallest_significant",
        lambda n, **kw: wrong(n, **kw) + 1,
    )
    rows = section_2_wins.ledger_rows()
    judged = ledger.compare(rows, chapter="test").set_index("id")["verdict"]
    for fact in ("fig01.sig_hi", "fig01.P_b", "fig02.n_p", "fig02.p29"):
        assert judged[f"berrar2024.{fact}"] == "differs", fact


def test_figure_1_sums():
    frame = section_2_wins.figure_1()
    assert_allclose(frame[["null", "alternative"]].sum(), 1)
    s = replication_probability.smallest_significant(44)
    red = frame.loc[frame["significant"] != "", "null"].sum()
    assert red == pytest.approx(2 * stats.binom.sf(s - 1, 44, 0.5)) and red < 0.05


@pytest.mark.parametrize("wins, n", [(29, 44), (0, 44), (15, 20), (20, 20)])
def test_average_over_the_posterior_by_quadrature(wins, n):
    s = replication_probability.smallest_significant(n)
    integrand = lambda x: (
        stats.binom.sf(s - 1, n, x) * stats.beta.pdf(x, 1 + wins, 1 + n - wins)
    )
    mean = integrate.quad(integrand, 0, 1, points=[wins / n] if 0 < wins < n else None)[
        0
    ]
    assert section_2_wins.averaged_over_posterior(wins, n) == pytest.approx(
        mean, rel=1e-6
    )


def test_power_over_theta_passes_through_the_estimate_and_its_limits():
    curve = section_2_wins.power_over_theta()
    result, theta = (
        replication_probability.binomial(29, 44),
        intervals.clopper_pearson(29, 44),
    )
    read = np.interp([theta.low, 29 / 44, theta.high], curve["theta"], curve["P"])
    assert_allclose(read, [result.low, result.point, result.high], atol=2e-3)
    assert curve.loc[curve["posterior"].idxmax(), "theta"] == pytest.approx(
        29 / 44, abs=2e-3
    )


def test_selection_bias_of_wins_by_fractions():
    n, theta = 12, Fraction(3, 5)
    s = replication_probability.smallest_significant(n)
    pmf = {x: comb(n, x) * theta**x * (1 - theta) ** (n - x) for x in range(s, n + 1)}
    tail = lambda x: section_2_wins.binomial_tail(s, n, Fraction(x, n))
    mean = sum(p * tail(x) for x, p in pmf.items()) / sum(pmf.values())
    row = section_2_wins.binomial_selection_bias((0.6,), n).iloc[0]
    assert row["binomial"] == pytest.approx(float(mean), rel=1e-10)
    assert row["P"] == pytest.approx(float(sum(pmf.values())), rel=1e-10)


def test_e35_twice_the_sum():
    one, two = section_2_wins.two_tailed_p_value()["value"]
    printed = published.value("berrar2024.ex01.p")
    assert two == pytest.approx(stats.binomtest(29, 44).pvalue)
    assert round(two, 4) == printed != round(one, 4)


def test_e36_printed_digits_follow_from_rounded_rates():
    frame = section_2_wins.power_of_44_data_sets()
    for row in frame.iloc[:2].itertuples(index=False):
        assert f"{row[2]:.4f}" == row.printed != f"{row[3]:.4f}"
    last = frame.iloc[2]
    assert f"{last['from the exact rate']:.3f}" != last["printed"]


def test_e39_by_simulation():
    frame = section_2_wins.estimate_after_significance((0.6,), 44).iloc[0]
    wins = np.random.default_rng(39).binomial(44, 0.6, size=200_000)
    wins = wins[wins >= 29]
    # four standard errors, one chance in 10^4 each; a share off by 0.006 is found with
    # probability 0.9
    assert len(wins) / 200_000 == pytest.approx(frame["truth"], abs=4 * 0.001)
    estimate = stats.binom.sf(28, 44, wins / 44)
    assert estimate.mean() == pytest.approx(
        frame["mean estimate"], abs=4 * estimate.std() / len(wins) ** 0.5
    )
    assert frame["mean rate"] > 0.6 and frame["mean estimate"] > frame["truth"]


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_half_of_the_size_is_checked_in_whole_numbers(alpha):
    row = section_2_wins.half_of_the_size(alpha, most=20).iloc[0]
    assert row["id"] == "berrar2024.cl.10" and row["rebuilt"] is True
