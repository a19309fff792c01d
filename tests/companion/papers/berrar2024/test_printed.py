"""Equations 10 and 14 as printed: against R, by their coverage, and at their limits."""

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats

from companion.papers.berrar2024 import printed
from replib import replication_probability


def as_array(result: replication_probability.Prediction) -> np.ndarray:
    return np.array([result.point, result.low, result.high])


def test_signed_rank_z_agrees_with_r(golden):
    """Of accuracies, not counts: their rounding noise must not break ties."""
    for row in pd.read_csv(golden("berrar/table_zw_cases.csv")).itertuples():
        correct = 7 + np.array([int(count) for count in row.diff_counts.split()])
        accuracies = correct / row.n_test - 7 / row.n_test
        z = printed.signed_rank_z(accuracies)
        assert z == pytest.approx(row.z_paper_cc, rel=1e-10)
        assert 2 * stats.norm.sf(abs(z)) == pytest.approx(row.p_z_paper, rel=1e-10)


def test_without_any_nonzero_difference_nothing_deviates():
    assert printed.signed_rank_z(np.zeros((2, 10))).tolist() == [0, 0]


def test_cv_t_agrees_with_r(golden):
    golden = pd.read_csv(golden("berrar/table_cv_t.csv"))
    for (alpha, c), rows in golden.groupby(["alpha", "c"]):
        levels = {"alpha": alpha, "confidence_level": 1 - c}
        result = printed.cv_t(rows["t"].to_numpy(), rows["k"].to_numpy(), **levels)
        expected = rows[["P_t", "P_t_low", "P_t_high"]].to_numpy().T
        np.testing.assert_allclose(as_array(result), expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize("folds", [2, 10, 40])
@pytest.mark.parametrize("confidence_level", [0.7, 0.95, 0.999])
def test_the_point_is_that_of_the_library_and_between_limits_that_rise(
    folds, confidence_level
):
    t = np.linspace(-40, 40, 161)
    result = printed.cv_t(t, folds, confidence_level=confidence_level)
    library = replication_probability.cv_t(t, folds, scale=1)
    np.testing.assert_allclose(result.point, library.point, rtol=1e-12)
    assert (np.diff(as_array(result)) >= -1e-12).all()
    assert (result.low <= result.point + 1e-12).all()
    assert (result.point <= result.high + 1e-12).all()


@pytest.mark.parametrize("folds", [5, 10, 20])
@pytest.mark.parametrize("effect", [0.0, 1.0, 2.262, 4.0])
def test_the_printed_interval_covers_less_than_its_level(folds, effect):
    """Limits rise with t, so it covers between the two t at which a limit is the truth."""
    critical = stats.t.isf(0.025, folds - 1)
    truth = stats.nct.sf(critical, folds - 1, effect)

    def t_at(limit: str) -> float:
        return optimize.brentq(
            lambda t: getattr(printed.cv_t(t, folds), limit) - truth, -20, 40
        )

    bounds = [t_at("high"), t_at("low")]
    covered = np.diff(stats.nct.cdf(bounds, folds - 1, effect))[0]
    assert covered < 0.945
    if folds == 10:
        assert 0.90 < covered < 0.92


def test_far_and_infinite_statistics_are_certain():
    far = printed.cv_t(np.array([-np.inf, -1e14, 1e14, np.inf]), 10)
    np.testing.assert_allclose(
        as_array(far), np.tile([0.0, 0, 1, 1], (3, 1)), atol=1e-12
    )
