"""SHARP: the likelihood written out as a matrix, its authors' package, size and degenerate data."""

import numpy as np
import pytest
import sharp_cv
from numpy.testing import assert_allclose
from scipy import optimize, stats

from replib.significance import sharp, split_halves


def covariance(repetitions: int, correlation: float) -> np.ndarray:
    """Of all differences, repetition by repetition: the two of one are independent."""
    same = np.kron(np.eye(repetitions), np.ones((2, 2)))
    return np.eye(2 * repetitions) + correlation * (1 - same)


def drawn(seed: int, *, repetitions: int, correlation: float, size: int = 1, mean=0.0):
    """Draw experiments from the model of the test, shape (size, repetitions, 2)."""
    rng = np.random.default_rng(seed)
    root = np.linalg.cholesky(covariance(repetitions, correlation))
    x = rng.normal(size=(size, 2 * repetitions)) @ root.T
    return mean + x.reshape(size, repetitions, 2)


@pytest.mark.parametrize("correlation", [0.0, 0.1, 0.35])
@pytest.mark.parametrize("repetitions", [2, 5, 30])
def test_it_is_the_score_test_of_the_model_written_out(repetitions, correlation):
    for x in drawn(1, repetitions=repetitions, correlation=correlation, size=3):
        y = x.ravel()

        def minus_log_likelihood(rho, y=y):
            matrix = covariance(repetitions, rho)
            variance = y @ np.linalg.solve(matrix, y) / len(y)
            return len(y) * np.log(variance) + np.linalg.slogdet(matrix)[1]

        grid = np.linspace(0, split_halves.LARGEST_CORRELATION, 200)
        start = grid[np.argmin([minus_log_likelihood(rho) for rho in grid])]
        bounds = (max(start - 0.01, 0), min(start + 0.01, grid[-1]))
        best = optimize.minimize_scalar(
            minus_log_likelihood,
            bounds=bounds,
            method="bounded",
            options={"xatol": 1e-9},
        )
        rho = min((0.0, grid[-1], best.x), key=minus_log_likelihood)
        matrix = covariance(repetitions, rho)
        variance = y @ np.linalg.solve(matrix, y) / len(y)
        ones = np.ones_like(y)
        score = ones @ np.linalg.solve(matrix, y) / variance
        information = ones @ np.linalg.solve(matrix, ones) / variance
        found = sharp(x)
        assert found.correlation == pytest.approx(rho, abs=1e-5)
        assert found.statistic == pytest.approx(score / np.sqrt(information), rel=1e-5)
        assert found.pvalue == pytest.approx(2 * stats.norm.sf(abs(found.statistic)))


@pytest.mark.parametrize("mean", [0.0, 0.4, 3.0])
@pytest.mark.parametrize("repetitions", [2, 3, 10, 30])
def test_it_agrees_with_the_package_of_its_authors(repetitions, mean):
    for correlation in (0.0, 0.2, 0.45):
        blocks = drawn(
            repetitions, repetitions=repetitions, correlation=correlation, size=5
        )
        found = sharp(blocks + mean)
        lows, highs = found.confidence_interval()
        for place, x in enumerate(blocks + mean):
            assert_allclose(
                [found.statistic[place], found.pvalue[place]],
                sharp_cv.sharp_test(x),
                rtol=1e-7,
            )
            assert_allclose(
                [lows[place], highs[place]],
                sharp_cv.sharp_confint(x, 0.95),
                rtol=1e-6,
                atol=1e-9,
            )


def test_repetitions_without_spread_of_their_own_reach_the_bound_of_the_package():
    x = np.array([[1.0, -0.5], [-0.5, 1.0], [0.75, -0.25], [0.5, 0.0]])
    assert np.ptp(x.sum(axis=-1)) == 0
    found = sharp(x)
    assert found.correlation == split_halves.LARGEST_CORRELATION
    assert_allclose([found.statistic, found.pvalue], sharp_cv.sharp_test(x))


def test_the_smallest_pvalue_of_few_repetitions_is_that_of_the_documentation():
    rng = np.random.default_rng(2)
    for repetitions in (5, 10):
        x = 1e6 + rng.normal(size=(repetitions, 2))
        limit = 2 * stats.norm.sf(np.sqrt(2 * repetitions))
        assert sharp(x).pvalue == pytest.approx(limit, rel=1e-3)
    low, high = sharp(x[:2]).confidence_interval(0.99)
    assert (low, high) == (-np.inf, np.inf)


@pytest.mark.slow
@pytest.mark.parametrize(
    "correlation, least, most", [(0.1, 0.004, 0.010), (0.45, 0.045, 0.057)]
)
def test_its_size_under_its_own_model(correlation, least, most):
    # 20,000 experiments: standard errors of 0.06 and 0.15 points.  Where the
    # correlation is small, the test is conservative: under the null hypothesis a mean
    # far from zero counts as evidence of correlation
    x = drawn(3, repetitions=30, correlation=correlation, size=20_000)
    assert least < np.mean(sharp(x).pvalue < 0.05) < most


def test_the_interval_excludes_zero_where_the_test_rejects():
    x = drawn(4, repetitions=12, correlation=0.15, size=400, mean=0.6)
    found = sharp(x)
    low, high = found.confidence_interval(0.9)
    assert (((low > 0) | (high < 0)) == (found.pvalue < 0.1)).all()
    shifted = sharp(x - low[:, np.newaxis, np.newaxis])
    is_finite = np.isfinite(low)
    assert_allclose(shifted.pvalue[is_finite], 0.1, rtol=1e-6)


def test_one_sided_tests_and_intervals():
    x = drawn(5, repetitions=8, correlation=0.1, mean=0.5)[0]
    two_sided = sharp(x)
    greater = sharp(x, alternative="greater")
    less = sharp(x, alternative="less")
    assert greater.pvalue == pytest.approx(two_sided.pvalue / 2)
    assert less.pvalue == pytest.approx(1 - greater.pvalue)
    low, high = greater.confidence_interval(0.95)
    assert high == np.inf
    assert low == pytest.approx(two_sided.confidence_interval(0.9).low)
    assert less.confidence_interval().low == -np.inf


def test_exchange_of_models_halves_and_repetitions():
    x = drawn(6, repetitions=9, correlation=0.2, mean=0.3)[0]
    found = sharp(x)
    assert sharp(-x).statistic == pytest.approx(-found.statistic)
    assert sharp(x[::-1, ::-1]).pvalue == pytest.approx(found.pvalue)
    assert sharp(1000 * x).pvalue == pytest.approx(found.pvalue)
    assert found.direction == 1


def test_blocks_are_tested_one_by_one():
    x = drawn(7, repetitions=6, correlation=0.2, size=6).reshape(2, 3, 6, 2)
    found = sharp(x)
    assert found.statistic.shape == (2, 3)
    assert found.statistic[1, 2] == pytest.approx(sharp(x[1, 2]).statistic)
    low, _ = found.confidence_interval()
    assert low[1, 2] == pytest.approx(sharp(x[1, 2]).confidence_interval().low)


def test_differences_that_are_all_zero_or_equal():
    nothing = sharp(np.zeros((5, 2)))
    assert (nothing.statistic, nothing.pvalue) == (0, 1)
    assert nothing.confidence_interval() == (0, 0)
    constant = sharp(np.full((5, 2), 0.1 + 0.2) - 0.28)
    assert (constant.statistic, constant.pvalue) == (np.inf, 0)
    assert constant.confidence_interval() == pytest.approx((0.02, 0.02))


@pytest.mark.parametrize(
    "differences, message",
    [
        (np.zeros((1, 2)), r"differences must have shape \(..., repetitions >= 2"),
        (np.zeros((4, 1)), "halves >= 2"),
        (np.zeros((4, 3)), "two halves on the last axis, not 3"),
        ([[0.1, np.nan], [0.2, 0.3]], "differences"),
    ],
)
def test_other_shapes_are_refused(differences, message):
    with pytest.raises(ValueError, match=message):
        sharp(differences)


def test_an_unknown_alternative_is_refused():
    with pytest.raises(ValueError, match="alternative"):
        sharp(np.zeros((3, 2)), alternative="both")
