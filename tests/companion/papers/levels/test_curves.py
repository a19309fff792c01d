"""Levels estimated from numbers, and numbers predicted at a level: coverage and simple cases."""

import numpy as np
import pytest
from scipy import stats

from companion.papers.levels import curves

N_NETWORKS = 30
COVARIANCE = np.array([[4.0, 3.0, -1.0], [3.0, 5.0, 0.5], [-1.0, 0.5, 2.0]])
FACTOR = np.linalg.cholesky(COVARIANCE)


def truth(level):
    """Three cells as quadratics of the level."""
    x = np.asarray(level)[..., None] - 70
    return np.concatenate([50 + 2 * x, 30 + x + 0.1 * x**2, 80 - 0.5 * x], axis=-1)


def drawn(rng, level=72.0):
    """Curves from thirty networks, and the numbers of one more at a level."""
    levels = rng.uniform(65, 80, N_NETWORKS)
    noise = rng.standard_normal((N_NETWORKS + 1, 3)) @ FACTOR.T
    return (
        curves.Curves(levels, truth(levels) + noise[1:]),
        truth(np.array([level]))[0] + noise[0],
    )


def test_curves_without_noise_are_the_truth():
    levels = np.linspace(65, 80, 9)
    fitted = curves.Curves(levels, truth(levels))
    assert np.allclose(fitted.at([70.0, 72.0]), truth(np.array([70.0, 72.0])))
    assert np.allclose(fitted.residuals(), 0)


def test_the_leverage_is_that_of_least_squares():
    """Its sum over the networks is the number of coefficients."""
    fitted, _ = drawn(np.random.default_rng(1))
    total = fitted.leverage(fitted.levels).sum()
    assert total == pytest.approx(curves.N_COEFFICIENTS)


def test_the_likelihood_is_that_of_a_multivariate_t():
    """With one cell the law of the number is Student's t: by SciPy, at each level."""
    fitted, printed = drawn(np.random.default_rng(2))
    one = curves.Curves(fitted.levels, fitted.values[:, :1])
    found = curves.estimate(one, printed[:1], rounding=0.0)
    scale = np.sqrt(one.covariance()[0, 0] * (1 + one.leverage(found.levels)))
    density = stats.t.pdf(printed[0], one.df, one.at(found.levels)[:, 0], scale)
    assert np.allclose(found.weights, density / density.sum())


@pytest.mark.slow
def test_intervals_of_the_level_and_of_a_number_have_their_coverage():
    """400 times: 95% and 90% of truths are covered, to four standard errors.

    An interval that is a sixth too narrow is found with a probability above 0.95.
    """
    repetitions = 400
    level_inside = number_inside = 0
    for rng in np.random.default_rng(3).spawn(repetitions):
        fitted, printed = drawn(rng)
        found = curves.estimate(fitted, printed, reach=10.0)
        low, high = found.interval(0.95)
        level_inside += low <= 72.0 <= high
        # the third cell is judged by the level that the first two point to
        two = curves.Curves(fitted.levels, fitted.values[:, :2])
        level = curves.estimate(two, printed[:2], reach=10.0)
        law = curves.predict(fitted, 2, level)
        number_inside += law.quantile(0.05) <= printed[2] <= law.quantile(0.95)
    for inside, share in ((level_inside, 0.95), (number_inside, 0.90)):
        error = np.sqrt(share * (1 - share) / repetitions)
        assert abs(inside / repetitions - share) < 4 * error


def test_the_pvalue_is_small_for_numbers_that_no_level_gives():
    fitted, printed = drawn(np.random.default_rng(4))
    assert curves.estimate(fitted, printed).pvalue > 0.05
    assert curves.estimate(fitted, printed + [15.0, -15.0, 0.0]).pvalue < 1e-4


def test_too_few_networks_are_refused():
    fitted, printed = drawn(np.random.default_rng(5))
    few = curves.Curves(fitted.levels[:6], fitted.values[:6])
    with pytest.raises(ValueError, match="3 cells need more than 6 networks, not 6"):
        curves.estimate(few, printed)


def test_the_law_of_the_least_is_that_of_draws():
    """Quantiles against a million draws of three independent t variables."""
    rng = np.random.default_rng(6)
    laws = [
        curves.of_replicas(values)
        for values in ([50.0, 54.0, 52.0, 51.0], [53.0, 57.0, 55.0], [60.0, 61.0, 59.5])
    ]
    draws = np.min(
        [law.means[0] + law.scales[0] * rng.standard_t(law.df, 10**6) for law in laws],
        axis=0,
    )
    least = curves.Least(tuple(laws))
    for probability in (0.05, 0.5, 0.95):
        share = (draws <= least.quantile(probability)).mean()
        assert abs(share - probability) < 5 * np.sqrt(0.25 / 10**6)
    middle = np.clip(draws, *least.bounds).mean()
    assert least.mean == pytest.approx(middle, abs=0.3)


def test_one_more_of_some_networks_has_the_interval_of_the_ledger():
    from companion.papers import ledger

    values = [3.0, 4.5, 5.0, 7.0]
    law = curves.of_replicas(values)
    low, high = ledger.prediction_interval(values)
    tail = ledger.LEVEL / 2
    assert law.quantile(tail) == pytest.approx(low)
    assert law.quantile(1 - tail) == pytest.approx(high)
