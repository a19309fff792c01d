"""Readings of two rows of Table 5: each is the test that it is named after."""

import numpy as np
import pytest

from companion.papers import networks, synthetic
from companion.papers.bouckaert_frank2004 import readings
from replib import significance


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_another_ratio_is_another_level(alpha):
    samples = np.random.default_rng(1).normal(0.4, 1, (2000, 10))
    level = readings.level_of_another_ratio(alpha, 1 / 10)
    with_ratio = significance.corrected_resampled_t(
        samples, test_train_ratio=1 / 10
    ).pvalue
    with_level = significance.corrected_resampled_t(
        samples, test_train_ratio=1 / 9
    ).pvalue
    assert ((with_ratio < alpha) == (with_level < level)).all()
    assert 0 < (with_ratio < alpha).sum() != (with_level < alpha).sum()


def test_stricter_readings_reject_less():
    rng = np.random.default_rng(3)
    counts = np.stack(
        [
            readings.outcomes_by_reading(one, networks.load("source4.0"))
            for one in rng.spawn(4)
        ]
    )
    assert counts.shape == (4, len(readings.READINGS), 3)
    assert (counts.sum(axis=-1) == synthetic.SETTING["experiments"]).all()
    accepted = counts[..., 1]
    assert (accepted[:, 1] >= accepted[:, 0]).all() and (
        accepted[:, 1] > accepted[:, 0]
    ).any()
    assert (accepted[:, 3] >= accepted[:, 4]).all()
    assert (counts[..., 2] <= counts[..., 0]).all()  # C4.5 is the better one
