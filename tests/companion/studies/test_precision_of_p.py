"""The p-value of a replication: by simulation, and on the border."""

import numpy as np
import pytest
from scipy import stats

from companion.studies.precision_of_p import of_replications


@pytest.mark.parametrize("p", [0.3, 0.05, 0.001])
def test_it_is_what_a_simulation_counts(p):
    # 100,000 replications: the standard error of a standard deviation near 1 is 0.003
    z = stats.norm.isf(p / 2) + np.random.default_rng(1).normal(size=100_000)
    again = 2 * stats.norm.sf(np.abs(z))
    found = of_replications(np.array([p])).loc[p]
    assert found["sd"] == pytest.approx(np.log10(again).std(), abs=0.015)
    assert found["mean"] == pytest.approx(np.log10(again).mean(), abs=0.015)
    for name, share in (("low", 0.05), ("median", 0.5), ("high", 0.95)):
        assert np.mean(again <= found[name]) == pytest.approx(share, abs=0.004)


def test_the_median_replication_has_nearly_the_observed_p():
    found = of_replications(np.array([0.05, 0.001]))
    assert found["median"].to_numpy() == pytest.approx([0.05, 0.001], rel=0.01)
