"""The probability that scores are equal by chance, and the steps that they are written in."""

import numpy as np
import pytest

from replib._notes.coincidences import chance_of_equal_scores, step_of


@pytest.mark.parametrize("n_items", [7, 57, 1234])
@pytest.mark.parametrize("digits", [3, 4, 15])
def test_the_step_of_shares_is_found_behind_their_rounding(n_items, digits):
    counts = np.random.default_rng(5).choice(n_items, min(n_items, 30), replace=False)
    step = step_of((counts / n_items).round(digits))
    if 10**digits > 2 * n_items:
        assert step == pytest.approx(1 / n_items)
    else:
        assert step >= 10.0**-digits


def test_real_numbers_have_no_step():
    scores = np.random.default_rng(6).normal(0.8, 0.05, 10)
    assert step_of(scores) == 0
    assert step_of(scores.round(10)) == 0
    assert 0 < step_of(scores.round(7)) < 1e-4
    assert step_of(-scores.round(3)) == pytest.approx(0.001)
    assert step_of(100 * np.array([40, 43, 44, 47]) / 57) == pytest.approx(100 / 57)


@pytest.mark.parametrize("sd, n", [(3, 10), (10, 20), (40, 60)])
def test_the_chance_of_equality_is_one_from_above(sd, n):
    """On the average of many tables it is at least that of two normal numbers in steps."""
    rng = np.random.default_rng(7)
    samples = np.rint(rng.normal(0, sd, (200, n)))
    chances = [chance_of_equal_scores(sample, 1.0) for sample in samples]
    exact = 1 / (2 * np.sqrt(np.pi) * sd)
    assert exact < np.mean(chances) < 4 * exact


def test_close_scores_are_within_a_quarter_of_the_range():
    """Four of ten pairs are, in 21 steps: within an eighth three, within a half six."""
    chance = chance_of_equal_scores(np.array([0.0, 10, 11, 12, 40]), 1.0)
    assert chance == pytest.approx((1 + 4) / (1 + 10) / 21)
