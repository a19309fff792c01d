"""Figures 2 to 4: limit curves, claims, errata."""

import numpy as np
import pytest

from replib.papers.bouckaert2005 import figures_2_to_4


@pytest.mark.parametrize("seed", range(3))
def test_e32_mean_over_folds_is_constant(seed):
    frame = figures_2_to_4.mean_over_folds_on_task_1(200, 5, 4, seed).set_index("scheme")
    deviation = frame["standard deviation"]
    assert deviation["average_over_folds"] == 0 and (deviation.drop("average_over_folds") > 0).all()


def test_e47_figures_are_called_by_each_others_names():
    frame = figures_2_to_4.captions_of_figures_2_and_3()
    (second, third), (called_second, called_third) = (
        frame[c].str.lower().str.split().str[0] for c in ("caption", "called in Section 4.3")
    )
    assert (second, third) == (called_third, called_second) == ("resampling", "repeated")


def test_e48_correlation_of_mean_over_test_sets():
    rng = np.random.default_rng(48)
    n, m, r, sets = 40, 4, 10, 4000
    block = rng.choice([-1, 1], size=(sets, n))

    def experiment():
        means = [rng.permuted(block, axis=1)[:, :m].mean(axis=1) for _ in range(r)]
        return np.mean(means, axis=0)

    row = figures_2_to_4.worst_case_by_samples((r,), m / n).iloc[0]
    error = (1 - row["correlation"] ** 2) / sets**0.5
    assert np.corrcoef(experiment(), experiment())[0, 1] == pytest.approx(
        row["correlation"], abs=4 * error
    )
    assert figures_2_to_4.worst_case_by_samples()["worst case"].is_monotonic_increasing
